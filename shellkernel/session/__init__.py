"""Sessions: living bashes with names, their jobs, and the registry."""

from shellkernel.session.bash import BashSession, SessionState
from shellkernel.session.expect import Expected, Moment
from shellkernel.session.job import Job
from shellkernel.session.ladder import Ladder
from shellkernel.session.registry import sessions

__all__ = ("BashSession", "Expected", "Job", "Ladder", "Moment", "SessionState", "sessions")
