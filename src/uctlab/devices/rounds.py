"""The state of many games that advance together, one move per game at a time."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

import numpy as np

from uctlab.arena.game import LENGTH_FACTOR, GameRecord, GameTask, opening
from uctlab.devices.seeds import seed_states
from uctlab.errors import UsageError
from uctlab.games import Game, Position
from uctlab.games.api import MOVE
from uctlab.games.guard import listed_wrongly, move_rows
from uctlab.games.line import WRONG_LIST, bind_line, legal_moves
from uctlab.games.sampling import PlayoutSampler
from uctlab.kernels import copy_record, hole, kernel
from uctlab.mcts.resigning import SEARCHES

RESULTS = (0.0, 0.5, 1.0)  # what half points can express: see rules/backup/packed_mean.py

play: Any = hole("game.play")
result: Any = hole("game.result")
REPEATS: bool = hole("game.REPEATS")


@kernel
def advance(lines, at, games, chosen, legal, counts, results):
    """Make the chosen moves; write the new legal moves, or the result if there are none. The count
    is WRONG_LIST where the game breaks its limits.

    Only a game with a repetition rule keeps its line of positions.
    """
    for i in range(len(games)):
        g = games[i]
        line = lines[g]
        now = at[g]
        if REPEATS:
            copy_record(line, now + 1, now)
            now += 1
            at[g] = now
        play(line[now], chosen[i])
        count = legal_moves(line, now, legal[g])
        if listed_wrongly(legal[g], count):
            counts[g] = WRONG_LIST
            continue
        counts[g] = count
        sort(legal[g], count)
        if count == 0:
            results[g] = result(line[now])


@kernel
def sort(moves, count):
    """Sort in ascending order, as in a Position."""
    for i in range(1, count):
        move = moves[i]
        j = i
        while j > 0 and moves[j - 1] > move:
            moves[j] = moves[j - 1]
            j -= 1
        moves[j] = move


class Games:
    """The state of all games, in arrays with one row per game."""

    def __init__(self, game: Game, tasks: Sequence[GameTask]) -> None:
        number = len(tasks)
        self.game = game
        self.tasks = list(tasks)
        self.limit = LENGTH_FACTOR * game.max_length
        self._repeats = game.same_board is not None
        self._advance = bind_line(advance, game)
        length = self.limit + 2 if self._repeats else 2
        self._lines = np.zeros((number, length), game.state).view(np.recarray)
        self._at = np.zeros(number, np.int64)
        self._results = np.zeros(number)
        self._starts: list[Position] = []
        self._lists = move_rows(number, game.max_moves, MOVE)
        self.legal = self._lists[:, : game.max_moves]
        self.counts = np.zeros(number, np.int64)
        self.moves = np.zeros((number, self.limit + 1), MOVE)
        self.length = np.zeros(number, np.int64)
        """Moves made, including the opening."""
        self.playouts = np.zeros((number, 2), np.int64)
        """Of the first player and the second."""
        self.seconds = np.zeros((number, 2))
        self.lost = np.zeros((number, 2), np.int64)
        """Searches in a row with which the first player and the second found the game lost."""
        self._resigned = np.zeros(number, np.bool_)
        self.live = np.arange(number)
        self._seeds = np.array(
            [[task.plan.derive_seed(task.seed, side) for side in (0, 1)] for task in tasks],
            np.int64,
        )
        start = Position.start(game)
        for g, task in enumerate(tasks):
            self._place(g, opening(task, start))
        self._openings = self.length.copy()
        self._usual = PlayoutSampler(start, seed=0).run(100).length
        """Mean length of random games, until finished games give a better estimate."""

    def _place(self, g: int, position: Position) -> None:
        line = [position]
        while self._repeats and line[0].before is not None:
            line.insert(0, line[0].before)
        for i, earlier in enumerate(line):
            self._lines[g, i] = earlier.state
        self._at[g] = len(line) - 1
        self.length[g] = len(position.moves)
        self.moves[g, : len(position.moves)] = position.moves
        self.counts[g] = len(position.legal)
        self.legal[g, : len(position.legal)] = position.legal

    def turn(self, games: np.ndarray) -> np.ndarray:
        """Whose move it is: 0 the first player's, 1 the second's."""
        turns: np.ndarray = self.length[games] & 1
        return turns

    def states(self, games: np.ndarray) -> np.ndarray:
        states: np.ndarray = self._lines[games, self._at[games]]
        return states

    def random_states(self, games: np.ndarray) -> np.ndarray:
        """States of the random generators for the next move of each of those games."""
        turns = self.turn(games)
        own = (self.length[games] - self._openings[games]) // 2  # moves made by this player
        return seed_states(self._seeds[games, turns] + own)

    def make(self, games: np.ndarray, chosen: np.ndarray) -> None:
        """Make one move in each of those games."""
        self.moves[games, self.length[games]] = chosen
        self.length[games] += 1
        self._advance(
            self._lines,
            self._at,
            games,
            chosen.astype(MOVE),
            self._lists,
            self.counts,
            self._results,
        )
        for g in games[self.counts[games] == WRONG_LIST]:
            start = opening(self.tasks[g], Position.start(self.game))
            start.refuse_below(self.moves[g, self._openings[g] : self.length[g]])

    def make_or_resign(self, games: np.ndarray, chosen: np.ndarray, lost: np.ndarray) -> None:
        """Make one move in each of those games, unless its player has `lost` so often that it
        resigns instead; a move that wins at once is always made."""
        turns = self.turn(games)
        self.make(games, chosen)
        wins = (self.counts[games] == 0) & (self._results[games] == 1.0 - turns)
        self.lost[games, turns] = np.where(lost & ~wins, self.lost[games, turns] + 1, 0)
        resigned = games[self.lost[games, turns] >= SEARCHES]
        self.length[resigned] -= 1  # the move is taken back
        self._resigned[resigned] = True

    def take_finished(self) -> list[tuple[int, GameRecord]]:
        """Remove and return the games that have ended since the last call, by their numbers."""
        over = (self.counts[self.live] == 0) | (self.length[self.live] >= self.limit)
        over |= self._resigned[self.live]
        ended = self.live[over]
        self.live = self.live[~over]
        return [(int(g), self._record(int(g))) for g in ended]

    def _record(self, g: int) -> GameRecord:
        task = self.tasks[g]
        ending, first = "limit", 0.5
        if self._resigned[g]:
            ending, first = "resigned", float(self.length[g] & 1)
        elif self.counts[g] == 0:
            ending, first = "played", float(self._results[g])
        if first not in RESULTS:
            raise UsageError(
                f"{self.game.name}: a game has ended with {first}; a GPU takes only results of 0, "
                "0.5 and 1: see `uctlab check`"
            )
        a, b = (0, 1) if task.a_first else (1, 0)
        names = (self.game.move_name(int(move)) for move in self.moves[g, : self.length[g]])
        return GameRecord(
            number=task.number,
            score=first if task.a_first else 1.0 - first,
            moves=" ".join(names),
            opening=int(self._openings[g]),
            length=int(self.length[g]),
            ending=ending,
            seed=task.seed,
            playouts_a=int(self.playouts[g, a]),
            playouts_b=int(self.playouts[g, b]),
            seconds_a=float(self.seconds[g, a]),
            seconds_b=float(self.seconds[g, b]),
            finished=time.time(),
        )

    def ahead(self) -> float:
        """Progress of the live games, in games: the sum of the fractions played so far."""
        if len(self.live) == 0:
            return 0.0
        played = self.length - self._openings
        made = played[self.live]
        over = np.delete(played, self.live)
        longest = max(self._usual, int(made.max()) + 1)
        usual = (over.sum() + longest * len(self.live)) / len(self.tasks)
        return float(np.minimum(made / usual, 0.99).sum())

    def replay(self, games: np.ndarray, moves: np.ndarray, lengths: np.ndarray) -> np.ndarray:
        """Replay the moves of a checkpoint, one row per game; returns which games accepted theirs.

        A game that cannot have had these moves, because it is a different one, starts again.
        """
        rows, width = np.arange(len(games)), moves.shape[1]
        opened = np.arange(width) < self.length[games, None]
        same = (moves == self.moves[games, :width]) | ~opened
        fits: np.ndarray = same.all(axis=1) & (self.length[games] <= lengths) & (lengths <= width)
        while len(rows := rows[fits[rows] & (self.length[games[rows]] < lengths[rows])]):
            some = games[rows]
            chosen = moves[rows, self.length[some]]
            known = np.arange(self.game.max_moves) < self.counts[some, None]
            fits[rows] = (known & (self.legal[some] == chosen[:, None])).any(axis=1)
            self.make(some[fits[rows]], chosen[fits[rows]])
        start = Position.start(self.game)
        for g in games[~fits]:
            self._place(g, opening(self.tasks[g], start))
        return fits
