"""What the distribution promises: its contents, its public names, and an import that is light and silent."""

from __future__ import annotations

import importlib
import inspect
import json
import pickle
import pkgutil
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import shellkernel
import shellkernel_magics
from tests.unit.render.results_for_tests import make_result

__all__ = ()

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
SPEC = "data/share/jupyter/kernels/shellkernel/"


def module_names() -> list[str]:
    """Every module of both packages, without the one that starts the kernel when run."""
    names: list[str] = []
    for package in (shellkernel, shellkernel_magics):
        names.append(package.__name__)
        names += [module.name for module in pkgutil.walk_packages(package.__path__, package.__name__ + ".")]
    return names


def public_definitions(module: ModuleType) -> set[str]:
    """The classes and functions that the module itself defines under a public name."""
    return {
        name
        for name, value in vars(module).items()
        if not name.startswith("_")
        and (inspect.isclass(value) or inspect.isfunction(value))
        and value.__module__ == module.__name__
    }


@pytest.mark.parametrize("name", module_names())
def test_all_lists_what_the_module_offers(name: str) -> None:
    module = importlib.import_module(name)
    listed = module.__all__
    assert isinstance(listed, tuple)
    assert len(set(listed)) == len(listed)
    assert [entry for entry in listed if not hasattr(module, entry)] == []
    assert public_definitions(module) - set(listed) == set()


def test_every_folder_with_modules_is_a_package() -> None:
    # A folder without __init__.py can be imported all the same, but import-linter does not look into it.
    folders = {
        path.parent for base in ("shellkernel", "magics/shellkernel_magics") for path in (ROOT / base).rglob("*.py")
    }
    assert [folder for folder in folders if not (folder / "__init__.py").exists()] == []


@pytest.mark.slow
def test_import_is_light_and_silent() -> None:
    heavy = (
        "IPython",
        "bashlex",
        "ipykernel",
        "jupyter_client",
        "pydantic",
        "shellkernel_magics",
        "traitlets",
    )
    names = "import sys, shellkernel; [getattr(shellkernel, name) for name in shellkernel.__all__]; "
    done = in_python(f"{names} sys.exit([name for name in {heavy} if name in sys.modules] or None)")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def in_python(code: str) -> subprocess.CompletedProcess[str]:
    """Run code in a Python of its own."""
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, timeout=60)


@pytest.mark.slow
def test_names_are_imported_when_they_are_asked_for() -> None:
    """A kernel opens its channels before it imports the session."""
    done = in_python(
        "import sys, shellkernel\n"
        "assert set(shellkernel.__all__) <= set(dir(shellkernel))\n"
        "assert not hasattr(shellkernel, 'no_such_name')\n"
        "print('shellkernel.session' in sys.modules)\n"
        "from shellkernel import *\n"
        "print('shellkernel.session' in sys.modules, Result is shellkernel.Result, BashSession.__name__)\n"
    )
    assert (done.stdout, done.stderr) == ("False\nTrue True BashSession\n", "")


@pytest.mark.slow
def test_kernel_is_imported_once_its_channels_are_open() -> None:
    done = in_python(
        "import sys, shellkernel.kernel.app as app\n"
        "before = [name for name in sys.modules if name.startswith('shellkernel')]\n"
        "app.ShellKernelApp().parse_command_line(['-f', 'connection.json'])\n"
        "print(before == [name for name in sys.modules if name.startswith('shellkernel')], *before)\n"
    )
    assert (done.stdout, done.stderr) == ("True shellkernel shellkernel.kernel shellkernel.kernel.app\n", "")


@pytest.mark.slow
def test_pickled_result_finds_its_face_where_nothing_else_was_imported() -> None:
    pickled = pickle.dumps(make_result())
    done = in_python(
        f"import pickle; kept = pickle.loads({pickled!r}); print(*kept._repr_mimebundle_()); print(kept.explain())"
    )
    assert done.stdout.startswith("text/plain text/html\n"), done.stderr
    assert len(done.stdout.splitlines()) > 1


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> zipfile.ZipFile:
    """The wheel of this checkout."""
    return zipfile.ZipFile(build("wheel", tmp_path_factory.mktemp("wheel")))


def build(kind: str, folder: Path) -> Path:
    """Build the wheel or the sdist of this checkout into an empty folder and return its path."""
    command = [sys.executable, "-m", "hatchling", "build", "-t", kind, "-d", str(folder)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True, timeout=60)
    (built,) = folder.iterdir()
    return built


@pytest.mark.slow
def test_wheel_holds_both_packages_whole(wheel: zipfile.ZipFile) -> None:
    held = {name for name in wheel.namelist() if name.startswith(("shellkernel/", "shellkernel_magics/"))}
    sources = {
        path.relative_to(base).as_posix()
        for base, package in ((ROOT, "shellkernel"), (ROOT / "magics", "shellkernel_magics"))
        for path in (base / package).rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    assert held == sources
    assert {
        "shellkernel/py.typed",
        "shellkernel_magics/py.typed",
        "shellkernel/shell/integration.bash",
    } <= held


@pytest.mark.slow
def test_wheel_holds_nothing_beside_packages_kernelspec_and_metadata(wheel: zipfile.ZipFile) -> None:
    tops = {name.split("/")[0] for name in wheel.namelist()}
    stem = f"shellkernel-{PROJECT['version']}"
    assert tops == {"shellkernel", "shellkernel_magics", f"{stem}.data", f"{stem}.dist-info"}
    spec = {name.partition(SPEC)[2] for name in wheel.namelist() if SPEC in name}
    assert spec == {"kernel.json", "logo-32x32.png", "logo-64x64.png", "logo-svg.svg"}


@pytest.mark.slow
def test_sdist_can_build_the_same_wheel(wheel: zipfile.ZipFile, tmp_path: Path) -> None:
    (tmp_path / "sdist").mkdir()
    with tarfile.open(build("sdist", tmp_path / "sdist")) as archive:
        safely: Any = {"filter": "data"} if hasattr(tarfile, "data_filter") else {}  # CPython 3.11.4 and later
        archive.extractall(tmp_path, **safely)
    (tree,) = tmp_path.glob("shellkernel-*")
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path / "wheel")]
    subprocess.run(command, cwd=tree, check=True, capture_output=True, timeout=60)
    (again,) = (tmp_path / "wheel").iterdir()
    with zipfile.ZipFile(again) as rebuilt:
        assert rebuilt.namelist() == wheel.namelist()


def test_kernelspec_is_as_jupyter_wants_it() -> None:
    spec = json.loads((ROOT / "kernelspec/kernel.json").read_text(encoding="utf-8"))
    # "python" is replaced by the Python that runs the Jupyter server; interrupts are messages, since a signal
    # would reach the kernel and not bash, which has a terminal of its own.
    assert spec["argv"] == ["python", "-m", "shellkernel", "-f", "{connection_file}"]
    assert spec["interrupt_mode"] == "message"
    assert (spec["language"], spec["display_name"]) == ("bash", "Bash (shellkernel)")
    assert spec["metadata"]["debugger"] is False
    assert (ROOT / "kernelspec/logo-svg.svg").stat().st_size < 2000


@pytest.mark.parametrize("size", [32, 64])
def test_logos_have_the_size_in_their_names(size: int) -> None:
    header = (ROOT / f"kernelspec/logo-{size}x{size}.png").read_bytes()[:24]
    assert header[:8] == b"\x89PNG\r\n\x1a\n"
    assert header[16:24] == size.to_bytes(4, "big") * 2
