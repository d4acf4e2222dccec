"""Reads the weights of trained_priors.py from their file, and writes such a file."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from uctlab.games.go.board import BLACK, BORDER, EMPTY, WHITE
from uctlab.games.go.patterns import AROUND, Points, number_of, turns_of
from uctlab.games.go.trained_priors import (
    CANDIDACY,
    DISTANCES,
    LINES,
    NEIGHBOURHOODS,
    NOTHING,
    PARTS,
    PASSES,
    PHASES,
    PLACES,
    TACTICS,
)

FILE = Path(__file__).with_name("trained_weights.json")
SYMBOLS = {EMPTY: ".", BLACK: "X", WHITE: "O", BORDER: "#"}
"""Of a neighbourhood, written row by row without its middle: X is the player to move."""
SHAPES = {
    "tactics": (TACTICS, (3, 2, 4, 2)),
    "candidacy": (CANDIDACY, (PARTS, 2)),
    "distances": (DISTANCES, (5,)),
    "places": (PLACES, (LINES, PHASES)),
    "passes": (PASSES, (2,)),
}
"""Where the weights of each trait but the neighbourhood begin, and how the file nests them."""


@cache
def trained_weights() -> np.ndarray:
    return weights_of(json.loads(FILE.read_text(encoding="utf-8")))


def weights_of(data: Mapping[str, Any]) -> np.ndarray:
    """The table of all weights, which trained_priors.py explains, from what is in a file."""
    table = np.zeros(NOTHING + 1, np.int16)
    colors = {symbol: color for color, symbol in SYMBOLS.items()}
    for symbols, weight in data["around"].items():
        for number in alike([colors[symbol] for symbol in symbols]):
            table[NEIGHBOURHOODS + number] = weight
    for name, (begin, shape) in SHAPES.items():
        nested = np.array(data[name], np.int16).reshape(shape)
        table[begin : begin + nested.size] = nested.ravel()
    return table


def data_of(table: np.ndarray) -> dict[str, Any]:
    """What is written to a file; neighbourhoods that are alike have one entry."""
    around = {}
    for number in range(4 ** len(AROUND)):
        if table[NEIGHBOURHOODS + number] != 0:
            colors = [number >> 2 * i & 3 for i in range(len(AROUND))]
            if number == min(alike(colors)):
                symbols = "".join(SYMBOLS[color] for color in colors)
                around[symbols] = int(table[NEIGHBOURHOODS + number])
    nested = {
        name: table[begin : begin + np.prod(shape)].reshape(shape).tolist()
        for name, (begin, shape) in SHAPES.items()
    }
    return {"around": around, **nested}


def alike(colors: Sequence[int]) -> set[int]:
    """The numbers of a neighbourhood in all rotations and reflections."""
    points: Points = {point: (color,) for point, color in zip(AROUND, colors, strict=True)}
    return {number_of(tuple(turn[point][0] for point in AROUND)) for turn in turns_of(points)}
