"""A search for the course: in plain Python, so that nobody waits for the compiler, and able to tell
what a single playout did."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from uctlab.errors import UsageError
from uctlab.games import Game, Position
from uctlab.lab import limits
from uctlab.lab.live import LiveSearch, Side
from uctlab.lab.own_games import is_own
from uctlab.lab.positions import needs_compiler, winning_cells
from uctlab.lab.requests import SearchRequest
from uctlab.mcts.view import TreeView

MAX_TURNS = 40  # changes of the choice that are told, the latest ones


class GuidedSide(Side):
    """One agent's search of a small game."""

    def __init__(self, position: Position, agent: str, *, seed: int, memory: int) -> None:
        super().__init__(
            position, agent, seed=seed, memory=memory, record_last=True, record_moves=True
        )
        self.position = position
        self._turns: list[tuple[int, str]] = []
        """At which playouts the search changed its choice, and to which move."""

    def advance(self, playouts: int) -> None:
        for _ in range(playouts):
            super().advance(1)
            choice = self.searcher.best_move()
            if not self._turns or self._turns[-1][1] != choice:
                self._turns.append((self.made, choice))

    def snapshot(self) -> dict[str, Any]:
        changes = max(0, len(self._turns) - 1)
        return {**super().snapshot(), "turns": self._turns[-MAX_TURNS:], "changes": changes}

    def playout(self) -> dict[str, Any]:
        """Make one playout and tell what it did:

        number      of this playout, from 1
        levels      the nodes from the root to the last one whose moves were compared, see _level
        path        the moves from the root to the leaf
        expanded    whether the leaf's parent got its moves in this playout
        over        whether the game is over at the leaf, so that nothing was played out
        random      the random moves below the leaf
        result      1 if the first player has won, 0 the second
        win         cells that won the random game, where a shape wins
        leaf        visits and value of the leaf before and after, for the player who moved there
        """
        tree = self.searcher.trees[0]
        before = replace(self._view, nodes=tree.nodes[: tree.used].copy())
        self.advance(1)
        now = self._view
        path, codes, result = tree.last_playout()
        names = [now.move_name(node) for node in path[1:]]
        leaf = path[-1]
        random = [self.game.move_name(code if code >= 0 else ~code) for code in codes]
        reached = self.position.play_all(" ".join(names))
        end, random = _played(reached, random)
        old = leaf < len(before.nodes)
        return {
            "number": self.made,
            "path": names,
            "levels": [
                self._level(before, depth, parent, path[depth + 1])
                for depth, parent in enumerate(path[:-1])
            ],
            "expanded": len(path) > 1 and not _has_children(before.nodes, path[-2]),
            "over": reached.is_over,
            "random": random,
            "result": result,
            "win": winning_cells(end),
            "leaf": {
                "visits": [
                    int(before.nodes[leaf].visits) if old else 0,
                    int(now.nodes[leaf].visits),
                ],
                "value": [
                    round(before.value(leaf), 6) if old and before.nodes[leaf].visits else None,
                    round(now.value(leaf), 6),
                ],
            },
        }

    def _level(self, before: TreeView, depth: int, parent: int, chosen: int) -> dict[str, Any]:
        """The moves of one node before and after the playout: the rows of Side.children_of, in the
        order of the tree, which decides between equal scores."""
        now = self._view
        rows = {row["move"]: row for row in self.children_of(parent)}
        known = _has_children(before.nodes, parent)
        old = {row["move"]: row for row in self.children_of(parent, before)} if known else {}
        move = now.move_name(chosen)
        return {
            "turn": (self.position.turn + depth) % 2,
            "visits": [
                int(before.nodes[parent].visits) if parent < len(before.nodes) else 0,
                int(now.nodes[parent].visits),
            ],
            "chosen": move,
            "moves": [
                {"move": name, "before": old.get(name), "after": rows[name]}
                for name in (now.move_name(child) for child in now.children(parent))
            ],
        }


def _has_children(nodes: Any, node: int) -> bool:
    return node < len(nodes) and int(nodes[node].count) > 0


def _played(leaf: Position, random: list[str]) -> tuple[Position, list[str]]:
    """The end of a playout, and its random moves as far as the game went: a random game of Hex
    fills the board although it is decided before."""
    position = leaf
    made = 0
    while made < len(random) and not position.is_over:
        position = position.play(random[made])
        made += 1
    return position, random[:made]


class GuidedSearch(LiveSearch):
    """The sides of a guided search, which is a short one of a small game."""

    def __init__(self, request: SearchRequest) -> None:
        super().__init__(request)
        self.budget = self.goal = min(self.budget, limits.GUIDED_PLAYOUTS)

    def _game(self, spec: str) -> Game:
        game = super()._game(spec)
        if game.max_moves > limits.GUIDED_MOVES or needs_compiler(game) or is_own(spec):
            raise UsageError(
                f"{spec} is too large for a guided search; accepted: hex:3 to hex:5, deceptive"
            )
        return game.interpreted()

    def _make_side(self, agent: str, memory: int) -> Side:
        side = GuidedSide(self._position, agent, seed=self.request.seed, memory=memory)
        if "depth_first" in side.agent.parts:
            raise UsageError(f"{agent}: depth-first UCT cannot be guided; accepted: uct, auct, mc")
        return side

    def begin(self, side: Side) -> None:
        """Nothing is compiled."""
        assert isinstance(side, GuidedSide)
        side.searcher.prepare(side.position, None)

    def step(self, playouts: int) -> None:
        self.goal = min(self.made + playouts, limits.GUIDED_PLAYOUTS)

    def playout(self) -> list[dict[str, Any]]:
        if self.made >= limits.GUIDED_PLAYOUTS:
            raise UsageError(f"a guided search has at most {limits.GUIDED_PLAYOUTS:,} playouts")
        return [side.playout() for side in self.sides if isinstance(side, GuidedSide)]
