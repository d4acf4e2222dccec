"""uctlab: a laboratory for Monte-Carlo tree search in two-player games."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from uctlab.agents import Agent
    from uctlab.arena.result import MatchResult
    from uctlab.games import Game, Position
    from uctlab.mcts.report import SearchReport

__version__ = "0.2.0"


def search(
    game: Game | str,
    position: Position | str | None,
    agent: Agent | str,
    *,
    playouts: int | None = None,
    seconds: float | None = None,
    seed: int = 0,
    memory: int = 2**30,
) -> SearchReport:
    """Search one position.

    `position` is a Position, moves such as "f5 d6", or None for the start; `memory` limits the size
    of the tree, in bytes. The search ends when the first budget is spent, or with Ctrl-C.

        print(uctlab.search("othello", "f5 d6", "auct(k=3)", playouts=50_000, seed=1))
    """
    from uctlab.agents import make_agent  # noqa: PLC0415 (Numba is slow to load)
    from uctlab.games import Position, make_game  # noqa: PLC0415
    from uctlab.mcts.searcher import Searcher  # noqa: PLC0415

    rules = make_game(game) if isinstance(game, str) else game
    if not isinstance(position, Position):
        position = Position.start(rules).play_all(position or "")
    who = make_agent(agent) if isinstance(agent, str) else agent
    searcher = Searcher(rules, who, seed=seed, memory=memory)
    return searcher.search(position, playouts=playouts, seconds=seconds)


def match(
    game: str,
    a: str,
    b: str,
    *,
    games: int = 100,
    playouts: int | None = None,
    seconds: float | None = None,
    openings: int = 0,
    reuse: bool = False,
    seed: int = 0,
    sprt: tuple[float, float] | None = None,
    store: str | None = None,
    mix_versions: bool = False,
    device: str = "cpu",
    workers: int | None = None,
    progress: Callable[[int, int, float, str], None] | None = None,
) -> MatchResult:
    """Play two agents, or programs that speak GTP, against each other.

    The budget is per move. Each pair of games starts with `openings` random moves. `sprt` stops the
    match when one of two differences in normalized Elo is accepted. `store` is an SQLite file that
    keeps every game, so that the same call resumes where an earlier one stopped;
    `mix_versions` goes on with games of a version of uctlab that had other kernels. `progress` is
    called with the number of finished games, the number of all games, and two more arguments (see
    arena/tasks.py). Games and players are given by name, since every worker creates its own.

        print(uctlab.match("othello", "auct(k=3)", "uct", games=100, playouts=1000))
    """
    from uctlab.arena.plan import MatchPlan  # noqa: PLC0415
    from uctlab.arena.sprt import Sprt  # noqa: PLC0415
    from uctlab.devices.registry import run_matches  # noqa: PLC0415
    from uctlab.errors import UsageError  # noqa: PLC0415

    for name in (game, a, b):
        if not isinstance(name, str):
            raise UsageError(
                f"a match takes games and players by name, not a {type(name).__name__}"
            )
    plan = MatchPlan(
        game, a, b, playouts=playouts, seconds=seconds, openings=openings, reuse=reuse, seed=seed
    )
    (result,) = run_matches(
        [plan],
        games=games,
        device=device,
        workers=workers,
        store=store,
        sprt=Sprt(*sprt) if sprt else None,
        progress=progress,
        mix_versions=mix_versions,
    )
    return result
