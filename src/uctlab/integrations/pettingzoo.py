"""PettingZoo: any game of ours as an AEC environment, in which two learners move in turn.

It needs `pip install 'uctlab[pettingzoo]'`. Here both make random moves:

    from uctlab.integrations.pettingzoo import env

    board = env("hex:4", render_mode="ansi")
    board.reset(seed=1)
    for agent in board.agent_iter():
        observation, reward, termination, truncation, info = board.last()
        over = termination or truncation
        mask = observation["action_mask"]
        board.step(None if over else board.action_space(agent).sample(mask))
    print(board.render())
"""

from __future__ import annotations

from typing import Any, ClassVar

from uctlab.errors import UsageError
from uctlab.games import Game, Position, make_game
from uctlab.integrations.missing import missing

try:
    from gymnasium.spaces import Dict
    from pettingzoo import AECEnv
    from pettingzoo.utils import wrappers
except ImportError:
    raise missing(__name__, "PettingZoo", "pettingzoo") from None

from uctlab.integrations.observation import Observer, rewards


def env(game: Game | str, *, render_mode: str | None = None) -> AECEnv:
    """Make a game of ours an environment of PettingZoo's.

    The agents are "player_0", who begins, and "player_1". An observation is a dictionary with
    "observation" (see integrations/observation.py) and "action_mask". An action is the code of a
    move. At the end the winner's reward is 1 and the loser's -1. An illegal move loses the game.

    Args:
        game: a game or its name, such as "hex:7" or the path of a .py file.
        render_mode: "ansi", so that `render` returns the board as text, or None.

    Returns:
        The environment, in the wrappers that PettingZoo has for games with illegal moves.

    Examples:
        >>> board = env("othello")
        >>> board.reset()
        >>> board.observe("player_0")["observation"].shape
        (2, 8, 8)
    """
    raw = GameAEC(game, render_mode=render_mode)
    legal = wrappers.TerminateIllegalWrapper(raw, illegal_reward=-1)
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(legal))


class GameAEC(AECEnv):
    """The environment without wrappers; an illegal move is a UsageError."""

    metadata: ClassVar[dict[str, Any]] = {
        "render_modes": ["ansi"],
        "name": "uctlab",
        "is_parallelizable": False,
    }

    def __init__(self, game: Game | str, *, render_mode: str | None = None) -> None:
        super().__init__()
        if render_mode not in (None, "ansi"):
            raise UsageError(f"render_mode '{render_mode}' is not accepted; accepted: ansi, None")
        self.game = make_game(game) if isinstance(game, str) else game
        self.render_mode = render_mode
        self.position = Position.start(self.game)
        """Where the game stands."""
        self._observer = Observer(self.game)
        self.possible_agents = ["player_0", "player_1"]
        seen = {"observation": self._observer.space, "action_mask": self._observer.mask_space}
        self.observation_spaces = {agent: Dict(seen) for agent in self.possible_agents}
        self.action_spaces = dict.fromkeys(self.possible_agents, self._observer.action_space)

    def observation_space(self, agent: str) -> Any:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """A new game; nothing about it is random, so the seed makes no difference."""
        self.position = Position.start(self.game)
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self.agents[0]

    def observe(self, agent: str) -> dict[str, Any]:
        player = self.possible_agents.index(agent)
        return {
            "observation": self._observer.observe(self.position, player),
            "action_mask": self._observer.mask(self.position, player),
        }

    def step(self, action: int | None) -> None:
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent] or action is None:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[agent] = 0.0
        self.position = self.position.play(int(action))
        over = self.position.is_over
        self.rewards = dict(zip(self.agents, rewards(self.position), strict=True))
        self.terminations = dict.fromkeys(self.agents, over)
        self.agent_selection = self.possible_agents[self.position.turn]
        self._accumulate_rewards()

    def render(self) -> str | None:
        return str(self.position) if self.render_mode == "ansi" else None

    def close(self) -> None:
        """Nothing to do."""
