"""Learns the weights of Go's trained priors from stored games of 9x9 Go.

    python benchmarks/train_go_priors.py results/hashimoto2012-go-1000x5000-resign-5/games.sqlite

The probability of a move is exp(sum of the weights of its traits), divided by the same of all moves
of the position (Coulom 2007). Weights that make the moves of the games likely are found by
stochastic gradient steps (AdaGrad). A twentieth of the games is kept back, to tell how well moves
are predicted that were not learnt from. Matches of an agent with a score below 40 % are left out.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from pathlib import Path
from typing import NamedTuple

import numba
import numpy as np

from uctlab.arena.game import GameRecord
from uctlab.arena.store import Store
from uctlab.games import Game, make_game
from uctlab.games.go.patterns import AROUND
from uctlab.games.go.trained_priors import NOTHING, TACTICS, look, traits
from uctlab.games.go.trained_weights import FILE, alike, data_of
from uctlab.kernels import kernel, specialise

TRAITS = 5
KEPT_BACK = 20
EPOCHS, FIRST_STEP, SHRINK = 5, 0.1, 1e-4
WEAK = 0.4
RARE = 30  # a trait that fewer moves have gets no weight
UNIT = 1000  # weights are in thousandths
MOST_MOVES = 82


class Positions(NamedTuple):
    """What was to be chosen from in each position, and what was chosen."""

    traits: np.ndarray
    """Of all moves of all positions, a row each."""
    begin: np.ndarray
    """The first row of each position, and the number of rows."""
    chosen: np.ndarray
    """Which of its moves was made."""


@kernel
def list_traits(s, moves, count, scratch, rows):
    me = np.int64(s.turn) + 1
    part, phase = look(s, moves, count, me, scratch)
    for i in range(count):
        for k, trait in enumerate(traits(s, np.int64(moves[i]), me, part, phase)):
            rows[i, k] = trait


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("stores", nargs="+", metavar="STORE", help="with games of go:9")
    parser.add_argument("--games", type=int, default=6000, help="as many of them, at random")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, default=FILE, help="the file of weights")
    options = parser.parse_args()
    games = _games(options.stores)
    random.Random(options.seed).shuffle(games)
    games = games[: options.games]
    back, learnt = games[: len(games) // KEPT_BACK], games[len(games) // KEPT_BACK :]
    if not back:
        sys.exit("these stores have too few games of go:9 between equal agents")
    game = make_game("go:9")
    weights = _learn(_positions(game, learnt), _positions(game, back), options.seed)
    table = np.clip(np.round(weights * UNIT), -32768, 32767).astype(np.int16)
    lines = [f" {json.dumps(name)}: {json.dumps(part)}" for name, part in data_of(table).items()]
    options.out.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")
    print(f"{len(learnt)} games, {len(back)} kept back; written to {options.out}")


def _games(stores: list[str]) -> list[GameRecord]:
    found: list[GameRecord] = []
    for path in stores:
        with Store(path, create=False) as store:
            for match in store.matches():
                records = list(store.records(match.id))
                share = sum(record.score for record in records) / max(len(records), 1)
                if match.plan.game == "go:9" and WEAK < share < 1.0 - WEAK:
                    found += records
    return found


def _positions(game: Game, games: list[GameRecord]) -> Positions:
    """All positions of these games after their openings; filling an own eye is no choice."""
    parts = {part.upper(): True for part in game.playout_parts}
    list_all = specialise(list_traits, game=game.constants, policy=parts)
    rules = game.kernels
    s = game.new_states(1)[0]
    moves, rows = game.new_out(), np.zeros((game.max_moves, TRAITS), np.int64)
    scratch = np.zeros(game.max_moves, np.int64)
    found, counts, chosen = [], [], []
    for number, record in enumerate(games):
        rules.start(s)
        for ply, name in enumerate(record.moves.split()):
            move = game.parse_move(name)
            count = rules.prune(s, moves, rules.moves(s, moves))
            at = np.flatnonzero(moves[:count] == move)
            if len(at) == 1 and ply >= record.opening:
                list_all(s, moves, count, scratch, rows)
                found.append(rows[:count].astype(np.int32))
                counts.append(count)
                chosen.append(at[0])
            rules.play(s, np.int16(move))
        print(f"\r{number + 1} of {len(games)} games", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    begin = np.concatenate([[0], np.cumsum(counts)])
    return Positions(np.concatenate(found), begin, np.array(chosen))


def _learn(learnt: Positions, back: Positions, seed: int) -> np.ndarray:
    """The weights, by the indices of trained_priors.py."""
    same = _representatives()
    often = np.bincount(same[learnt.traits].ravel(), minlength=len(same)) >= RARE
    often[NOTHING] = False
    same = np.where(often[same], same, NOTHING)
    weights, squares = np.zeros(len(same)), np.full(len(same), 0.01)
    order = np.arange(len(learnt.chosen))
    rows = same[learnt.traits]
    shuffle = np.random.default_rng(seed)
    for epoch in range(EPOCHS):
        shuffle.shuffle(order)
        step = FIRST_STEP / 2**epoch
        _improve(rows, learnt.begin, learnt.chosen, order, weights, squares, step)
        likely, first = _predicted(same[back.traits], back.begin, back.chosen, weights)
        print(f"epoch {epoch + 1}: log-likelihood {likely:.4f}, {first:.1%} predicted")
    return weights[same]


def _representatives() -> np.ndarray:
    """For each weight, the one that it shares a value with: neighbourhoods may be turned."""
    same = np.arange(NOTHING + 1)
    for number in range(TACTICS):
        if same[number] == number:
            same[list(alike([number >> 2 * i & 3 for i in range(len(AROUND))]))] = number
    return same


@numba.njit
def _shares(rows, begin, end, weights, shares):
    """The probability of each move of a position; returns the likeliest."""
    count = end - begin
    for i in range(count):
        shares[i] = 0.0
        for trait in rows[begin + i]:
            shares[i] += weights[trait]
    first = np.argmax(shares[:count])
    shares[:count] = np.exp(shares[:count] - shares[first])
    shares[:count] /= np.sum(shares[:count])
    return first


@numba.njit
def _improve(rows, begin, chosen, order, weights, squares, step):
    shares = np.zeros(MOST_MOVES)
    for position in order:
        start, end = begin[position], begin[position + 1]
        _shares(rows, start, end, weights, shares)
        for i in range(end - start):
            slope = (1.0 if i == chosen[position] else 0.0) - shares[i]
            if abs(slope) < 1e-4:
                continue
            for trait in rows[start + i]:
                if trait != NOTHING:
                    change = slope - SHRINK * weights[trait]
                    squares[trait] += change * change
                    weights[trait] += step * change / np.sqrt(squares[trait])


@numba.njit
def _predicted(rows, begin, chosen, weights):
    """Mean log-likelihood of the moves made, and how often one was the likeliest."""
    shares = np.zeros(MOST_MOVES)
    likely = 0.0
    right = 0
    for position in range(len(chosen)):
        first = _shares(rows, begin[position], begin[position + 1], weights, shares)
        likely += np.log(shares[chosen[position]])
        right += first == chosen[position]
    return likely / len(chosen), right / len(chosen)


if __name__ == "__main__":
    main()
