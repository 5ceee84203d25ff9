"""The suite that every Jupyter kernel owes (jupyter_kernel_test)."""

from __future__ import annotations

import jupyter_kernel_test as jkt
import pytest

from tests.kernel.notebook import SECONDS

__all__ = ()

pytestmark = pytest.mark.slow


class TestShellKernel(jkt.KernelTests):  # type: ignore[misc]  # it ships no types
    kernel_name = "shellkernel"
    language_name = "bash"
    file_extension = ".sh"
    code_hello_world = "echo 'hello, world'"
    code_generate_error = "false"
    completion_samples = ({"text": "echo $BASH_VERSI", "matches": {"$BASH_VERSION", "$BASH_VERSINFO"}},)
    code_inspect_sample = "echo"
    code_display_data = ({"code": "echo '<b>hi</b>' | displayHTML", "mime": "text/html"},)
    code_clear_output = "clear"
    code_stderr = "%stderr split\n%restart\necho error >&2"
    code_page_something = "%help"
    code_execute_result = ({"code": "%on_nonzero", "result": "error"}, {"code": "%timeout", "result": "none"})
    supported_history_operations = ("tail", "range", "search")
    code_history_pattern = "%on_nonzer?"  # no more: cells of other tests are in the history too
    complete_code_samples = ("echo hi", "for i in 1 2; do\n  echo $i\ndone", "cat <<EOF\nx\nEOF", "# nothing")
    incomplete_code_samples = ("echo 'open", "if true; then", "cat <<EOF\nx", "echo a \\", "true &&", "a |")
    invalid_code_samples = ("fi", "echo )", "done")


class TestWelcome(jkt.IopubWelcomeTests):  # type: ignore[misc]
    kernel_name = "shellkernel"
    support_iopub_welcome = True

    @classmethod
    def setUpClass(cls) -> None:
        """Let the kernel start before the client under test subscribes: "starting" may overtake the welcome."""
        super().setUpClass()
        other = cls.km.client()
        other.start_channels()
        other.wait_for_ready(timeout=SECONDS)
        other.stop_channels()
