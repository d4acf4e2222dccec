"""The root filter: the root leaves out moves that the game calls useless there."""

from __future__ import annotations

from uctlab.parts.part import Option, Part

PART = Part(
    "root_filter",
    "Leaves out moves at the root that the game calls useless there.",
    options={
        "filter": Option(
            "off",
            "whether the root leaves out moves that the game calls useless there: in Go, settled "
            "areas, ladders lost after six moves or more, the first line far from any stone",
            ("off", "on"),
            title="Leave out useless moves at the root",
        )
    },
    chosen=("filter",),
    groups=("moves",),
    example="uct(filter=on)",
    refuses=lambda setting: (
        None
        if setting.game.root_filter is not None
        else f"{setting.game.name} has no filter for the root; use filter=off"
    ),
    gpu="a search on a GPU has no filter at its root; use filter=off",
    spoils_scores=lambda setting: False,
)
