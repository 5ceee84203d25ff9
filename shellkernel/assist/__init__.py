"""Help for who types bash: what may stand at the cursor, and what the word there means. No Jupyter here.

words                   a cell's text up to the cursor, read and never run
snapshot                what must be known of the session
helper, assist.bash     a second bash that answers, also while the session is busy
completion, inspection  the two questions
files, quoting, manual  what they need
"""

from __future__ import annotations

from shellkernel.assist.completion import Completion, Match, complete
from shellkernel.assist.helper import Helper
from shellkernel.assist.inspection import NotKnownNow, inspect
from shellkernel.assist.snapshot import Snapshot, take_snapshot

__all__ = ("Completion", "Helper", "Match", "NotKnownNow", "Snapshot", "complete", "inspect", "take_snapshot")
