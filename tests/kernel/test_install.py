"""`python -m shellkernel`: the kernelspec in another place, and what is said when it can not go there."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import zipfile
from importlib.metadata import version
from pathlib import Path

import pytest
from jupyter_client.kernelspec import KernelSpecManager

from shellkernel.kernel.install import install, main

__all__ = ()

FILES = {"kernel.json", "logo-32x32.png", "logo-64x64.png", "logo-svg.svg"}


def names_in(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()}


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "shellkernel", *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)


def test_pip_has_installed_the_kernel_in_this_environment() -> None:
    spec = KernelSpecManager().get_kernel_spec("shellkernel")
    assert Path(spec.resource_dir).is_relative_to(sys.prefix)
    assert spec.interrupt_mode == "message"
    assert FILES <= names_in(Path(spec.resource_dir))


def test_install_into_a_prefix_names_this_python(tmp_path: Path) -> None:
    folder = install(tmp_path)
    assert folder == tmp_path / "share/jupyter/kernels/shellkernel"
    assert names_in(folder) == FILES
    spec = json.loads((folder / "kernel.json").read_text(encoding="utf-8"))
    assert spec["argv"] == [sys.executable, "-m", "shellkernel", "-f", "{connection_file}"]
    assert (spec["display_name"], spec["language"]) == ("Bash (shellkernel)", "bash")
    assert spec["interrupt_mode"] == "message"


def test_user_install_is_the_default_and_jupyter_lists_it(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--name", "Work", "--display-name", "Bash at work"]) == 0
    try:
        spec = KernelSpecManager().get_kernel_spec("work")
        assert (spec.display_name, spec.argv[0]) == ("Bash at work", sys.executable)
        said = capsys.readouterr().out
        assert f"Installed the kernel 'Bash at work' in {spec.resource_dir}\n" in said
        assert sys.executable in said
    finally:
        KernelSpecManager(whitelist=set()).remove_kernel_spec("work")


def test_sys_prefix_goes_to_this_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "prefix", str(tmp_path))
    assert main(["--sys-prefix"]) == 0
    assert names_in(tmp_path / "share/jupyter/kernels/shellkernel") == FILES


def test_installing_again_replaces_ours(tmp_path: Path) -> None:
    folder = install(tmp_path, display_name="first")
    (folder / "stale").touch()
    assert install(tmp_path, display_name="second") == folder
    assert names_in(folder) == FILES
    assert json.loads((folder / "kernel.json").read_text(encoding="utf-8"))["display_name"] == "second"


def test_another_kernel_of_that_name_is_kept(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "share/jupyter/kernels/python3"
    folder.mkdir(parents=True)
    theirs = json.dumps({"argv": ["python", "-m", "ipykernel_launcher"]})
    (folder / "kernel.json").write_text(theirs, encoding="utf-8")
    assert main(["--prefix", str(tmp_path), "--name", "python3"]) == 1
    assert capsys.readouterr().err == f"shellkernel install: {folder} is another kernel; choose another --name\n"
    assert (folder / "kernel.json").read_text(encoding="utf-8") == theirs


@pytest.mark.parametrize("name", ["", ".", "..", "a/b", "two words", "ünï", "-x", "x\n"])
def test_bad_name_changes_nothing(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--prefix", str(tmp_path), f"--name={name}"]) == 1
    said = capsys.readouterr().err
    assert said.startswith(f"shellkernel install: {name!r} is no name for a kernel: use ASCII letters, ")
    assert names_in(tmp_path) == set()


def test_empty_display_name_changes_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--prefix", str(tmp_path), "--display-name", " "]) == 1
    assert capsys.readouterr().err == "shellkernel install: the display name is empty\n"
    assert names_in(tmp_path) == set()


def test_prefix_that_can_not_be_written_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    # A file, since root may write into every folder.
    (tmp_path / "file").touch()
    assert main(["--prefix", str(tmp_path / "file")]) == 1
    said = capsys.readouterr().err
    assert re.search(
        rf"^shellkernel install: can not write {tmp_path}/file/share\S*: Not a directory$", said, re.MULTILINE
    )


@pytest.mark.parametrize("both", [("--user", "--sys-prefix"), ("--user", "--prefix=x"), ("--sys-prefix", "--prefix=x")])
def test_two_places_at_once_are_refused(both: tuple[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as left:
        main(both)
    assert left.value.code == 2
    assert "not allowed with argument" in capsys.readouterr().err


@pytest.mark.slow
def test_module_tells_its_version_and_help() -> None:
    told = run("--version")
    assert (told.returncode, told.stdout) == (0, f"shellkernel {version('shellkernel')}\n")
    helped = run("--help")
    assert helped.returncode == 0
    assert "python -m shellkernel install" in helped.stdout


@pytest.mark.slow
def test_module_passes_options_to_install(tmp_path: Path) -> None:
    done = run("install", "--prefix", str(tmp_path), "--name", "other")
    assert (done.returncode, names_in(tmp_path / "share/jupyter/kernels/other")) == (0, FILES)
    failed = run("install", "--prefix", str(tmp_path), "--name", "..")
    assert (failed.returncode, failed.stdout) == (1, "")


def test_all_options_of_the_kernel_can_be_listed() -> None:
    done = run("--help-all")
    assert done.returncode == 0, done.stderr
    assert "--ShellKernel.on_nonzero" in done.stdout


@pytest.mark.slow
def test_the_wheel_keeps_what_can_be_executed(tmp_path: Path) -> None:
    root = Path(__file__).parents[2]
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path)]
    subprocess.run(command, cwd=root, check=True, capture_output=True, timeout=50)
    (path,) = tmp_path.iterdir()
    with zipfile.ZipFile(path) as wheel:
        modes = {
            info.filename: info.external_attr >> 16
            for info in wheel.infolist()
            if info.filename.startswith("shellkernel/kernel/bin/")
        }
    assert {Path(name).name for name in modes} == {"display", "displayHTML", "displayJS"}
    assert all(mode & 0o111 == 0o111 for mode in modes.values())
