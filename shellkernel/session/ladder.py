"""How a command that shall end is made to end."""

from __future__ import annotations

from dataclasses import dataclass, fields

__all__ = ("DEFAULT_LADDER", "Ladder")


@dataclass(frozen=True, slots=True, kw_only=True)
class Ladder:
    """The rungs, and how many seconds each is given before the next.

        SIGINT (or byte 3, where the program took the keyboard over) to the foreground process group
          └ after `interrupt`      SIGINT again
              └ after `again`      SIGTERM to the group
                  └ after `terminate`   SIGKILL to the group
                      └ after `kill`    the shell itself is killed, and a new one takes over

    bash's own group is spared until the last rung. Once the command is over, what is left of the groups that were
    signalled gets SIGTERM and, `terminate` seconds later, SIGKILL.

    A rung's seconds are 0 or more. A second interrupt by a person goes to the next rung at once.
    """

    interrupt: float = 1.0
    again: float = 1.0
    terminate: float = 1.0
    kill: float = 1.0

    def __post_init__(self) -> None:
        for field in fields(self):
            if not getattr(self, field.name) >= 0:
                raise ValueError(f"Ladder.{field.name} is a number of seconds, 0 or more")

    @property
    def seconds(self) -> tuple[float, ...]:
        """Seconds after each rung, first to last but one."""
        return (self.interrupt, self.again, self.terminate, self.kill)


DEFAULT_LADDER = Ladder()
"""The ladder of a command whose caller names none."""
