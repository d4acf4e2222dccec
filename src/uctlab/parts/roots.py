"""Root parallelisation: independent trees of one position, whose roots are added up at the end."""

from __future__ import annotations

from uctlab.parts.part import Option, Part
from uctlab.parts.threads import MAX_THREADS, ONE_CORE

PART = Part(
    "roots",
    "Builds several trees, one thread each, whose root statistics are added up.",
    options={
        "root": Option(
            1.0,
            "trees, one thread each, whose root statistics are added up",
            low=1,
            high=MAX_THREADS,
            whole=True,
            for_kernels=False,
            not_on_page=ONE_CORE,
        )
    },
    chosen=("root",),
    excludes={"threads": "threads build one tree, or a tree each"},
    groups=("threads",),
    example="uct(root=2)",
    missing="searches with one thread",
    parallel=True,
    gpu="a search on a GPU has one thread; leave out threads= and root=",
    spoils_scores=lambda setting: False,
)
