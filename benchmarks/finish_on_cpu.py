"""Plays on, with one core, the games that a GPU left unfinished.

    python benchmarks/finish_on_cpu.py STORE.cuda reproduce ID ...
    python benchmarks/finish_on_cpu.py STORE.cuda match GAME A B ...

STORE.cuda is the file beside its store that a run with --device cuda leaves when it is stopped. The
rest is a command of uctlab, with the same plan and the store of that run. A game that is in that
file goes on from its last move there; seeds, playouts, seconds and the count for resignation are
taken over, so that it ends as it would have ended on the GPU. Unlike the GPU itself this does not
look at the version that wrote the file. For several cores, start it several times with stores and
cells of their own, and put these together with uctlab games merge.
"""

from __future__ import annotations

import atexit
import sys
from pathlib import Path
from typing import NamedTuple

from uctlab.arena.game import GameRunner, GameTask
from uctlab.arena.player import Player, SearchPlayer
from uctlab.cli.main import main
from uctlab.devices.checkpoint import Checkpoint
from uctlab.games import Position


class Begun(NamedTuple):
    """A game up to where the GPU stopped; pairs are the first player's and the second's."""

    moves: list[int]
    playouts: list[int]
    seconds: list[float]
    lost: list[int]


def begun_games(path: Path) -> dict[tuple[str, int], Begun]:
    """By match and number."""
    saved = Checkpoint(path).load()
    if saved is None:
        sys.exit(f"{path} is no checkpoint of a GPU")
    games = {}
    for row, key in enumerate(saved.keys.tolist()):
        match, *_, number = key.split()
        games[match, int(number)] = Begun(
            saved.moves[row, : saved.length[row]].tolist(),
            saved.playouts[row].tolist(),
            saved.seconds[row].tolist(),
            saved.lost[row].tolist(),
        )
    return games


def play_on_from(games: dict[tuple[str, int], Begun]) -> None:
    """Make players repeat the moves of a game that was begun, and search only after them."""
    play_on, choose = GameRunner._play_on, SearchPlayer.choose
    now: list[Begun | None] = [None]
    taken = 0

    def noted(
        runner: GameRunner, task: GameTask, players: tuple[Player, Player], position: Position
    ) -> tuple[float, str, Position]:
        nonlocal taken
        now[0] = games.get((task.plan.key, task.number))
        taken += now[0] is not None
        return play_on(runner, task, players, position)

    def repeated(player: SearchPlayer, position: Position) -> int | None:
        begun, made = now[0], len(position.moves)
        if begun is None or made >= len(begun.moves):
            return choose(player, position)
        side = position.turn
        player._searcher.seed += 1  # as after a search
        player.playouts, player.seconds = begun.playouts[side], begun.seconds[side]
        player._resignation._lost = begun.lost[side]
        return begun.moves[made]

    atexit.register(lambda: print(f"{taken} games of the GPU were played on", file=sys.stderr))
    GameRunner._play_on = noted  # type: ignore[assignment, method-assign]
    SearchPlayer.choose = repeated  # type: ignore[assignment, method-assign]


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    play_on_from(begun_games(Path(sys.argv[1])))
    # More workers would be processes of their own, in which all games begin anew.
    sys.argv = ["uctlab", *sys.argv[2:], "--workers", "1"]
    main()
