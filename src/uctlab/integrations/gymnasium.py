"""Gymnasium: one learner plays a game of ours against one of our agents.

It needs `pip install 'uctlab[gymnasium]'`. Here random moves meet a small search:

    from uctlab.integrations.gymnasium import GameEnv

    board = GameEnv("hex:4", "uct", playouts=50, render_mode="ansi")
    observation, info = board.reset(seed=1)
    over = False
    while not over:
        action = board.action_space.sample(info["action_mask"])
        observation, reward, over, _, info = board.step(action)
    print(board.render(), reward)

`gymnasium.make("uctlab/Game-v0", game="hex:4", opponent="uct", playouts=50)` is the same
environment, once this module is imported.
"""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from uctlab.agents import Agent, make_agent
from uctlab.errors import UsageError
from uctlab.games import Game, Position, make_game
from uctlab.integrations.missing import missing
from uctlab.mcts.budget import Budget
from uctlab.mcts.searcher import Searcher

try:
    import gymnasium
except ImportError:
    raise missing(__name__, "Gymnasium", "gymnasium") from None

from uctlab.integrations.observation import Observer, rewards


class GameEnv(gymnasium.Env):
    """A game of ours against one of our agents.

    Observations are described in integrations/observation.py. An action is the code of a move;
    `info["action_mask"]` says which are legal. An illegal move loses the game. The reward is 1, 0
    or -1 at the end, for the learner, and 0 before.

    Args:
        game: a game or its name, such as "hex:7" or the path of a .py file.
        opponent: an agent or its text, such as "auct(k=3)".
        playouts: the opponent's budget for each move in playouts,
        seconds: or in seconds.
        seat: 0 if the learner begins, 1 if the opponent does, None to draw lots for each game.
        render_mode: "ansi", so that `render` returns the board as text, or None.

    Examples:
        >>> board = GameEnv("othello", "mc", playouts=10, seat=0)
        >>> observation, info = board.reset(seed=1)
        >>> [board.game.move_name(code) for code in info["action_mask"].nonzero()[0]]
        ['d3', 'c4', 'f5', 'e6']
    """

    metadata: ClassVar[dict[str, Any]] = {"render_modes": ["ansi"], "render_fps": 1}

    def __init__(
        self,
        game: Game | str,
        opponent: Agent | str = "uct",
        *,
        playouts: int | None = None,
        seconds: float | None = None,
        seat: int | None = None,
        render_mode: str | None = None,
    ) -> None:
        if seat not in (None, 0, 1):
            raise UsageError(f"seat {seat} is not accepted; accepted: 0, 1, None")
        if render_mode not in (None, "ansi"):
            raise UsageError(f"render_mode '{render_mode}' is not accepted; accepted: ansi, None")
        self.game = make_game(game) if isinstance(game, str) else game
        self.render_mode = render_mode
        self.position = Position.start(self.game)
        """Where the game stands."""
        self._budget = Budget(playouts, seconds)
        agent = make_agent(opponent) if isinstance(opponent, str) else opponent
        self._searcher = Searcher(self.game, agent)
        self._given_seat = seat
        self.seat = seat or 0
        """Which player the learner is in this game."""
        self._observer = Observer(self.game)
        self.observation_space = self._observer.space
        self.action_space = self._observer.action_space

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[np.ndarray, dict[str, Any]]:
        """A new game; the opponent has moved already if it begins."""
        super().reset(seed=seed)
        self.position = Position.start(self.game)
        given = self._given_seat
        self.seat = int(self.np_random.integers(2)) if given is None else given
        self._answer()
        return self._observation(), self._info()

    def step(self, action: int) -> tuple[np.ndarray, float, bool, bool, dict[str, Any]]:
        """The learner's move and the answer to it; (observation, reward, over, False, info)."""
        if int(action) not in self.position.legal:
            return self._observation(), -1.0, True, False, {**self._info(), "illegal": True}
        self.position = self.position.play(int(action))
        self._answer()
        reward = rewards(self.position)[self.seat]
        return self._observation(), reward, self.position.is_over, False, self._info()

    def action_masks(self) -> np.ndarray:
        """The mask under the name by which other libraries ask for it, sb3-contrib among them."""
        return self._observer.mask(self.position, self.seat).astype(bool)

    def render(self) -> str | None:
        return str(self.position) if self.render_mode == "ansi" else None

    def _answer(self) -> None:
        """The opponent moves if it is its turn."""
        if self.position.is_over or self.position.turn == self.seat:
            return
        self._searcher.seed = int(self.np_random.integers(2**53))
        budget = self._budget
        report = self._searcher.search(
            self.position, playouts=budget.playouts, seconds=budget.seconds
        )
        self.position = self.position.play(report.best)

    def _observation(self) -> np.ndarray:
        return self._observer.observe(self.position, self.seat)

    def _info(self) -> dict[str, Any]:
        return {"action_mask": self._observer.mask(self.position, self.seat)}


gymnasium.register(id="uctlab/Game-v0", entry_point=f"{__name__}:GameEnv")
