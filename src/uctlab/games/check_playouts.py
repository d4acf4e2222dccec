"""Single playouts: do they record their moves truly, end in time, and fit their result to them?"""

from __future__ import annotations

from typing import Any, NamedTuple

from uctlab.errors import first_lines
from uctlab.games.api import MOVE
from uctlab.games.check_scene import ConformanceError, Scene
from uctlab.games.guard import STOP
from uctlab.kernels import seed_rng

PLAIN_REPLAY = 100  # moves of a playout that are replayed in plain Python, which is slow
UNUSED = -(2**15)  # in an array that must stay as it is


class Played(NamedTuple):
    """What a playout came to."""

    result: float
    length: int
    trace: tuple[int, ...]


def check_playouts(scene: Scene, state: Any, seed: int) -> dict[str, Played]:
    """A playout of every policy from that position, which stays as it is."""
    return {policy: _check_policy(scene, state, policy, seed) for policy in scene.game.playouts}


def _check_policy(scene: Scene, state: Any, policy: str, seed: int) -> Played:
    played = run_playout(scene, state, policy, seed_rng(seed))
    if policy == "uniform":
        result = played.result
        scene.require(result in (0, 0.5, 1), f"the result is {result}, not 0, 0.5 or 1")
    if not scene.game.interpret or played.length <= PLAIN_REPLAY:
        _check_replay(scene, state, policy, played)
    fast = run_playout(scene, state, policy, seed_rng(seed), traced=False)
    scene.require(
        0 <= fast.result <= 1, f"{policy} playout: the result is {fast.result}, not 0 to 1"
    )
    return played


def _check_replay(scene: Scene, state: Any, policy: str, played: Played) -> None:
    replayed, over = _replay(scene, state, policy, played.trace)
    cut = policy != "uniform" or played.length >= scene.game.max_length
    scene.require(over or cut, f"{policy} playout: stops before the end of the game")
    if over:
        fits = round(2 * played.result) / 2 == replayed and 0 <= played.result <= 1
        scene.require(fits, f"{policy} playout: the result does not fit")


def run_playout(scene: Scene, state: Any, policy: str, rng: Any, *, traced: bool = True) -> Played:
    """One playout on a copy of the position, in memory with room to spare."""
    out, trace = scene.out, scene.trace
    what = f"the {policy} playout" + ("" if traced else " without TRACE")
    kernel = scene.playout(policy, trace=traced)
    before = rng.copy()
    trace.array[:] = UNUSED
    try:
        found = scene.call(
            what, kernel, scene.copy(state), rng, out.array, trace.array, limited=True
        )
    except IndexError:  # once more with more room: by how much is a limit exceeded?
        rng[:] = before
        try:
            found = scene.call(
                what, kernel, scene.copy(state), rng, out.wide, trace.wide, limited=True
            )
        except IndexError as error:
            raise _endless_or_wrong(scene, what, policy, error) from error
    pair = isinstance(found, tuple) and len(found) == 2
    scene.require(pair, f"{policy} playout: returns no pair of result and length")
    result, length = scene.number(what, found[0]), int(scene.number(what, found[1]))
    _check_limits(scene, policy, length)
    scene.check_copy(f"{policy} playout:")
    if not traced:
        written = bool((trace.array != UNUSED).any())
        scene.require(not written, f"{policy} playout: writes trace where playout.TRACE is false")
        return Played(result, length, ())
    # ~move is a move that nothing is to be learnt from.
    moves = (~move if UNUSED < move < 0 else move for move in trace.array[:length].tolist())
    return Played(result, length, tuple(moves))


def _endless_or_wrong(scene: Scene, what: str, policy: str, error: IndexError) -> ConformanceError:
    """Even the wide trace is full, or an index is wrong that has nothing to do with limits."""
    limit, most = scene.game.max_length, len(scene.trace.wide)
    if f"size {most}" in str(error):
        return scene.broken(
            f"{policy} playout: {most} moves and no end; max_length is {limit} and is exceeded by "
            f"{most - limit} or more"
        )
    return scene.broken(f"{what}: an array is too short: {first_lines(error)}")


def _check_limits(scene: Scene, policy: str, length: int) -> None:
    limit = scene.game.max_length
    most = max(length, limit + scene.trace.overrun())
    more = " or more" if most >= limit + STOP else ""
    scene.require(
        most <= limit,
        f"{policy} playout: {most} moves{more} and max_length is {limit}: "
        f"max_length is exceeded by {most - limit}{more}",
    )
    limit, excess = scene.game.max_moves, scene.out.overrun()
    scene.require(
        excess == 0,
        f"{policy} playout: {limit + excess} moves in one position and max_moves is {limit}: "
        f"max_moves is exceeded by {excess}",
    )
    scene.require(length >= 0, f"{policy} playout: {length} moves")


def _replay(scene: Scene, state: Any, policy: str, trace: tuple[int, ...]) -> tuple[float, bool]:
    """Play a playout's moves by the rules; moves after the end of the game do not count."""
    rules, line = scene.game.kernels, scene.line
    now = scene.copy(state)
    scene.line = [*line]
    count = scene.count_moves(now)
    for move in trace:
        if count == 0:
            break
        legal = move in scene.out.array[:count]
        scene.require(legal, f"{policy} playout: makes the illegal move {scene.name_of(move)}")
        scene.call("play", rules.play, now, MOVE.type(move))
        scene.line.append(move)
        count = scene.count_moves(now)
    result = float(scene.call("result", rules.result, now))
    scene.line = line
    return result, count == 0
