"""The picture for the README: round trips and output, on a logarithmic scale."""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from benchmarks.model import Benchmark, Figure, NotHere, Outcome
from benchmarks.report import quantity

__all__ = ("PANELS", "draw")

PANELS = {
    "round-trip": "one command, there and back",
    "kernel-round-trip": "one cell in Jupyter, to idle",
    "kernel-output": "200,000 lines in Jupyter, to idle",
}
"""The benchmarks that are drawn, with what stands above them."""

OURS, OTHERS = "#2b7a4b", "#b9bec5"
DOTS_PER_INCH = 160


def draw(path: Path, results: Sequence[tuple[Benchmark, Outcome]]) -> None:
    """Write a PNG with the panels that were measured.

    Raises:
        NotHere: There is no matplotlib, or nothing to draw.
    """
    try:
        importlib.import_module("matplotlib").use("Agg")
        pyplot = importlib.import_module("matplotlib.pyplot")
    except ImportError as error:
        raise NotHere(f"no plot: matplotlib is not installed ({error}); it comes with the extra `bench`") from error
    drawn = [(PANELS[benchmark.name], outcome.figures) for benchmark, outcome in results if benchmark.name in PANELS]
    drawn = [(title, figures) for title, figures in drawn if figures]
    if not drawn:
        raise NotHere(f"no plot: none of {', '.join(PANELS)} was measured")
    heights = [len(figures) for _, figures in drawn]
    picture, axes = pyplot.subplots(
        len(drawn), 1, figsize=(8, 0.34 * sum(heights) + 0.7 * len(drawn)), height_ratios=heights, squeeze=False
    )
    for axis, (title, figures) in zip(axes[:, 0], drawn, strict=True):
        _panel(axis, title, figures)
    picture.tight_layout()
    picture.savefig(path, dpi=DOTS_PER_INCH)
    pyplot.close(picture)


def _panel(axis: Any, title: str, figures: Sequence[Figure]) -> None:
    ordered = sorted(figures, key=lambda figure: figure.median, reverse=True)
    medians = [figure.median for figure in ordered]
    colours = [OURS if figure.name.startswith("shellkernel") else OTHERS for figure in ordered]
    bars = axis.barh([figure.name for figure in ordered], medians, color=colours, height=0.7)
    axis.bar_label(bars, [quantity(figure.median, figure.unit) for figure in ordered], padding=4, fontsize=8)
    axis.set_xscale("log")
    axis.set_xlim(min(medians) / 3, max(medians) * 6)
    axis.set_title(title, loc="left", fontsize=10, fontweight="bold")
    axis.tick_params(axis="y", labelsize=8, length=0)
    axis.xaxis.set_visible(False)
    for side in ("top", "right", "bottom"):
        axis.spines[side].set_visible(False)
