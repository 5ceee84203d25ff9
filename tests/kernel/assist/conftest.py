"""One session with its helper for each module."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator

import pytest

from tests.kernel.assist.assisted import PAGE, Assisted

__all__ = ()


@pytest.fixture(scope="module")
def assisted(bash: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Assisted]:
    folder = tmp_path_factory.mktemp("files")
    (folder / "my file.txt").touch()
    (folder / "sub dir").mkdir()
    (folder / "sub dir/it's").touch()
    (folder / "$dollar").touch()
    (folder / "prog_zq").touch(0o755)
    (folder / ".hidden").touch()
    (folder / "k=v").touch()
    tools = tmp_path_factory.mktemp("tools")
    (tools / "tool_zq").write_text("#!/bin/sh\ntouch ran\n", encoding="utf-8")
    (tools / "man").write_text(f"#!/bin/sh\n[ \"$2\" = tool_zq ] && cat <<'E'\n{PAGE}E\n", encoding="utf-8")
    for tool in tools.iterdir():
        tool.chmod(0o755)
    subprocess.run(["git", "init", "-q", "-b", "main", folder], check=True)
    assisted = Assisted(bash, folder)
    assisted.session.run(f"PATH='{tools}':$PATH")
    yield assisted
    assisted.helper.close()
    assisted.session.close()
