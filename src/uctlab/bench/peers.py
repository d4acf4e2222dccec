"""Measures other MCTS programs from PyPI on the same machine, if they are installed."""

from __future__ import annotations

import importlib
import statistics
import time
from collections.abc import Callable
from typing import Any

OPEN_SPIEL_GAMES = {
    "othello": "othello",
    "hex:5": "hex(board_size=5)",
    "hex:11": "hex(board_size=11)",
    "havannah:5": "havannah(board_size=5)",
    "havannah:8": "havannah(board_size=8)",
    "go:9": "go(board_size=9)",
}
SHORT_RUN = 2000  # simulations; OpenSpiel is slow
LONG_RUN = 50_000
ROUNDS = 5


def open_spiel(game: str) -> float | None:
    """Simulations per CPU second of OpenSpiel's MCTS in C++, one random playout per simulation.

    UCT with c = 1 and a new tree of 2,000 simulations from the opening, no solver.
    """
    if game not in OPEN_SPIEL_GAMES:
        return None
    pyspiel: Any = importlib.import_module("pyspiel")
    rules = pyspiel.load_game(OPEN_SPIEL_GAMES[game])
    evaluator = pyspiel.RandomRolloutEvaluator(1, 1)
    bot = pyspiel.MCTSBot(rules, evaluator, 1.0, SHORT_RUN, 1000, False, 1, False)
    return _rate(lambda: bot.mcts_search(rules.new_initial_state()), SHORT_RUN)


def rust_reversi(game: str) -> float | None:
    """Playouts per CPU second of rust-reversi's MctsSearch: 50,000 from the opening, c = 1.

    A leaf is expanded after one playout.
    """
    if game != "othello":
        return None
    module: Any = importlib.import_module("rust_reversi")
    search = module.MctsSearch(LONG_RUN, 1.0, 1)
    return _rate(lambda: search.get_move(module.Board()), LONG_RUN)


PEERS: dict[str, tuple[str, Callable[[str], float | None]]] = {
    "openspiel": ("pyspiel", open_spiel),
    "rust-reversi": ("rust_reversi", rust_reversi),
}


def _rate(work: Callable[[], Any], simulations: int) -> float:
    """The median of some rounds, after one that does not count."""
    work()
    times = []
    for _ in range(ROUNDS):
        begin = time.process_time()
        work()
        times.append(time.process_time() - begin)
    return simulations / statistics.median(times)
