"""The deceptive tree (hashimoto2012, Fig. 1) as a picture: nodes, ends won and lost, the path."""

from __future__ import annotations

from dataclasses import dataclass

from uctlab.drawing.colours import AMBER, BLACK, SLATE, WHITE
from uctlab.drawing.scene import Point, Scene
from uctlab.drawing.svg import Value, element, text
from uctlab.games.position import Position

ACROSS, DOWN = 76.0, 84.0
DOWN_DEEP = 62.0  # rows are closer if there are many
RADIUS = 17.0
MARGIN = 16.0
MAX_LEVELS = 6  # deeper trees are cut off here
MAX_LEAVES = 3  # of the won leaves below one B
ENDS = {"won": ("#dcefe2", "#1f7a45"), "lost": ("#f7dfdd", "#b3362c")}


@dataclass(frozen=True)
class Node:
    path: tuple[str, ...]
    """The moves from A; names repeat deeper down."""
    x: float
    y: float
    """Column and row."""
    mover: int = 0
    end: str = ""
    """won or lost, for the first player, at a leaf."""
    note: str = ""
    """What the drawing leaves out below the node."""

    @property
    def name(self) -> str:
        return self.path[-1] if self.path else "A"


def tree_scene(position: Position) -> Scene:
    """The tree with the path that was played; the moves are the nodes below its end."""
    game = position.game
    depth = int(game.options.get("depth", 1))
    nodes = {node.path: node for node in _nodes(int(game.options.get("wins", 2)), depth)}
    played = tuple(game.move_name(move) for move in position.moves)
    down = DOWN_DEEP if depth > 1 else DOWN

    def at(node: Node) -> Point:
        return MARGIN + (node.x + 0.5) * ACROSS, MARGIN + RADIUS + 4 + node.y * down

    edges, drawn = [], []
    for path, node in nodes.items():
        drawn += _node(node, at(node), here=path == played)
        if path:
            (x1, y1), (x2, y2) = at(nodes[path[:-1]]), at(node)
            on_path = played[: len(path)] == path
            edges.append(
                element(
                    "line",
                    **{"x1": x1, "y1": y1, "x2": x2, "y2": y2},
                    stroke=AMBER if on_path else SLATE.line,
                    stroke_width=4 if on_path else 2,
                )
            )
    below = {game.move_name(move): (*played, game.move_name(move)) for move in position.legal}
    return Scene(
        width=2 * MARGIN + (1 + max(node.x for node in nodes.values())) * ACROSS,
        height=2 * MARGIN + 2 * RADIUS + 22 + down * max(node.y for node in nodes.values()),
        colours=SLATE,
        ground=tuple(edges),
        shade=lambda point: ("circle", {"cx": point[0], "cy": point[1], "r": 1.7 * RADIUS}),
        radius=RADIUS,
        text=13.0,
        spots={name: at(nodes[path]) for name, path in below.items() if path in nodes},
        over=tuple(drawn),
        aside=(2.3 * RADIUS, 0.0),
    )


def _nodes(wins: int, depth: int) -> list[Node]:
    levels = min(depth, MAX_LEVELS)
    leaves = ["D", "E"] if wins == 2 else [f"D{i + 1}" for i in range(wins)]
    shown = leaves if wins <= MAX_LEAVES + 1 else leaves[:MAX_LEAVES]
    spine = depth > 1  # otherwise a parent is centred above its children
    f = len(shown)  # column of F
    h = f + 1.4
    b, c = (float(f), h) if spine else (f / 2, h + 0.5)
    left: tuple[str, ...] = ()
    right: tuple[str, ...] = ("C",)
    nodes = [Node((), (b + c) / 2, 0), Node(right, c, 1, mover=1)]
    for level in range(levels):
        last = level == depth - 1
        cut = "and so on" if level == levels - 1 and not last else ""
        row = 1 + 2 * level
        left = (*left, "B")
        nodes.append(Node(left, b, row, mover=1))
        for column, name in enumerate(shown):
            hidden = wins - len(shown) if column == len(shown) - 1 else 0
            note = f"won, +{hidden}" if hidden else "won"
            nodes.append(Node((*left, name), column, row + 1, end="won", note=note))
        left = (*left, "F")
        nodes.append(
            Node(left, f, row + 1, end="lost" if last else "", note="lost" if last else cut)
        )
        right = (*right, "G")
        nodes.append(Node(right, c, row + 1))
        nodes.append(Node((*right, "I"), h + 1, row + 2, end="lost", note="lost"))
        right = (*right, "H")
        mover, end = (0, "won") if last else (1, "")
        nodes.append(Node(right, h, row + 2, mover=mover, end=end, note=end or cut))
    return nodes


def _node(node: Node, at: Point, *, here: bool) -> list[str]:
    x, y = at
    stone = (BLACK, WHITE)[node.mover]
    fill, line, ink, note = stone.fill, stone.line, stone.ink, SLATE.label
    if node.end:
        fill, line = ENDS[node.end]
        ink, note = SLATE.ink, line
    look: dict[str, Value] = {
        "fill": fill,
        "stroke": AMBER if here else line,
        "stroke_width": 4 if here else 1.6,
    }
    if node.end:
        side = 2 * RADIUS - 4
        box: dict[str, Value] = {"x": x - side / 2, "y": y - side / 2, "width": side}
        drawn = element("rect", **box, height=side, rx=6, **look)
    else:
        drawn = element("circle", cx=x, cy=y, r=RADIUS, **look)
    size = 15.0 if len(node.name) == 1 else 12.0
    parts = [drawn, text(node.name, x, y, font_size=size, font_weight="600", fill=ink)]
    if node.note:
        halo: dict[str, Value] = {"stroke": SLATE.panel, "stroke_width": 4, "paint_order": "stroke"}
        parts.append(text(node.note, x, y + RADIUS + 11, font_size=11.5, fill=note, **halo))
    return parts
