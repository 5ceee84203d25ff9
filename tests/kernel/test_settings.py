"""Every setting of the kernel is in the README, with its default, and the other way round."""

from __future__ import annotations

import re
from pathlib import Path

from shellkernel.kernel.kernel import ShellKernel
from shellkernel.kernel.settings import KernelSettings

__all__ = ()

README = (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8")


def documented() -> dict[str, str]:
    """Return the settings of the README's table and their defaults as it writes them."""
    table = README.partition("| `c.ShellKernel")[2].partition("\n\n")[0]
    found: dict[str, str] = {}
    for names, default in re.findall(r"^\| ((?:`\w+`(?:, )?)+) \| ([^|]+?) \|", table, re.MULTILINE):
        listed = re.findall(r"`(\w+)`", names)
        values = default.split(", ") if len(listed) > 1 else [default]
        found |= dict(zip(listed, values, strict=True))
    return found


def test_all_settings_are_documented_and_no_others() -> None:
    ours = {*KernelSettings.class_own_traits(config=True), "history_file"}
    assert set(documented()) == ours


def test_the_documented_defaults_are_true() -> None:
    settings = KernelSettings()
    for name, default in documented().items():
        if name != "history_file":
            value = getattr(settings, name)
            written = f"{value:,}" if type(value) is int else repr(value).replace("'", '"')
            assert default.strip("`") == written, name


def test_each_setting_says_what_it_is() -> None:
    for owner in (ShellKernel, KernelSettings):
        for name, trait in owner.class_own_traits(config=True).items():
            assert trait.help, name
