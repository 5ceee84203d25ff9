"""How fast, how large, how many: measured beside the usual alternatives, in one run.

    python -m benchmarks [--quick] [--only NAME] [--json FILE] [--plot FILE]

    __main__       the command
    report, plot   the table in Markdown, the picture
    lines          one file for each line of the table: what is measured, and the target as data
    race           contestants take turns, so that a busy machine is busy for all
    contestants    this project, the alternatives, the physical floors
    model          figures, targets, verdicts
    machine        where it ran; what a process uses

The alternatives come with the extra `bench`; one that cannot be had is named in the report with the reason. Targets are
ratios within one run wherever the machine would decide otherwise. Nothing in the tests depends on time.
"""

__all__ = ()
