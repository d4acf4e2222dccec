"""The contract of a game: a record, a handful of kernels, names, and what else it can do.

A kernel sees the position as a record `s` of the dtype `state`, made with align=True, which must
have a field `turn` (0: the first player is to move, 1: the second). Players strictly alternate: a
pass is a move.

    start(s)                        the initial position; sets every field but scratch
    moves(s, out) -> count          legal moves, none exactly when the game is over
    play(s, move)                   a legal move
    result(s) -> float              1 the first player won, 0.5 a draw, 0 the second won
    playout(s, rng, out, trace) -> (result, length)

The last one is optional. It may leave `s` in any state. `out` is scratch for `moves`; when
hole("playout.TRACE") is true, the moves made go into `trace`, which has no room otherwise; ~move
is a move that nothing is to be learnt from. The policy "uniform" makes all legal moves alike,
or those of `playout_moves`; it may go on after the end if that does not change the result, which is
0, 0.5 or 1, as a GPU relies on. Other policies may stop once a game is decided, and may add a
little to the result for winning by more.

**The file.** A game of your own is a Python file with a function `make` that returns a `Game`; the
file works wherever a game's name does. Parameters of `make` are the game's options: each has a
default, whose type (int, float, bool or str) is that of the option.

    def make(size: int = 8, komi: float = 0.5, swap: bool = False) -> Game: ...

    my_game.py                      all defaults
    my_game.py:6                    the first option may stand alone
    my_game.py:6,komi=1.5,swap=on   the others have their names; a bool is on or off

`make` raises uctlab.errors.UsageError, with a line for the user, if it does not accept a value. The
first option is the size of the board where something asks for one (GTP's boardsize). What depends
on the options fills holes of the kernels: `SIZE: int = hole("game.SIZE")` at the top of the file
and constants={"SIZE": size} in the `Game`. Constants are numbers, strings, tuples and NumPy arrays.

**Kernels** are functions marked with @kernel, compiled by Numba. They take what is listed above and
return numbers; `s.field` reads and writes a field, `s.cells[i]` an element. They may

- call other kernels, of the file or imported, but not themselves: no recursion
- read globals: numbers, strings, tuples, NumPy arrays and types, enums, math, numpy, holes
- use loops, conditions, tuples, integer and float arithmetic, min, max, abs, range, len, math.*
- use uctlab.kernels: popcount, low_bit, nth_bit, leading_zeros of 64-bit words

They must not allocate memory (no lists, no np.zeros), keep anything between calls, or read other
globals. Compiled code checks no index; plain Python does (`uctlab check` runs both). The same must
come out of both, so write np.int64(a == b) before you add comparisons up, and use np.uint64 for bit
operations, constants included: the sum of a uint64 and an int64 is a float.

**Random numbers** are for playouts alone; the rules are deterministic. They come from `rng`, a
state that is passed on, never from the module random or NumPy:

    move = out[below(rng, count)]   0 to count - 1, all alike (count < 2**32)
    bits = next_u64(rng)            64 random bits; scaled(bits, n) makes 0 to n - 1 of them

both from uctlab.kernels. The same `rng` gives the same playout, compiled or not.

**Limits.** Moves are codes from 0 to 32,767, indices of `move_names`. A kernel that lists more than
max_moves moves or a code that has no name, or makes a playout of more than max_length moves, ends
a search with an error that names the position; `uctlab check` looks for such positions. A file may
take 60 seconds to be loaded, and each call of its kernels; UCTLAB_CODE_SECONDS allows more. Field
names that np.record has already (sum, min, T, ...) are not accepted. Fields whose names begin with
"scratch" are work memory: not part of the position, not set by `start`, not compared.

**Everything else** about a game is a field of `Game` below: boards, set-ups, playout policies,
priors, repetition, referees, GTP and SGF. Code outside this folder asks for these fields and never
for a particular game. games/capabilities.py has `GtpHabits` and `Verdict`, games/diagram.py
`Diagram`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import numpy as np

from uctlab.code_limits import Limited
from uctlab.errors import UsageError
from uctlab.games.capabilities import GtpHabits, Referee
from uctlab.games.diagram import Diagram
from uctlab.games.line import bind_line, legal_moves
from uctlab.games.uniform import uniform
from uctlab.kernels import specialise

if TYPE_CHECKING:
    from uctlab.games.position import Position

Kernel = Callable[..., Any]
MOVE = np.dtype("i2")  # type of a move in every array
KERNELS = (
    *("start", "moves", "play", "result", "prune"),
    *("stones", "setup", "same_board", "playout_moves", "evaluate"),
)


@dataclass(frozen=True, kw_only=True)
class Game:
    """The rules of one game at one size: a record, kernels, names, and what else it can do.

    `make_game` makes those that ship with uctlab; examples/tic_tac_toe.py shows how to make one's
    own, and `uctlab new game NAME` writes a copy of it.

    Examples:
        >>> game = uctlab.make_game("hex:11")
        >>> game.players, game.max_moves
        (('Black', 'White'), 121)
    """

    name: str
    """The name that `make_game` takes, such as "hex:11"."""
    version: int = 1
    """Raised when the game comes out otherwise than before, by its rules, playouts, priors or
    evaluation: a store keeps results of both apart (mcts/rules_digest.py)."""
    state: np.dtype
    start: Kernel
    moves: Kernel
    play: Kernel
    result: Kernel
    max_moves: int
    """Most legal moves in any position."""
    max_length: int
    """Most moves in any playout from the start; a real game may be longer."""
    move_names: tuple[str, ...]
    """Name of each move code, empty for a code that is never used. A pass is named "pass"."""
    playouts: Mapping[str, Kernel] = field(default_factory=lambda: {"uniform": uniform})
    """Playout policies by name; "uniform" is always there."""
    playout_moves: Kernel | None = None
    """playout_moves(s, out) -> count: the moves among which "uniform" chooses, if not all legal
    ones: random games of Go fill no eyes. None when the game is over."""
    playout_parts: Mapping[str, str] = field(default_factory=dict)
    """Parts of the policy "heavy" and what they do; hole("policy.PART") says whether a part is on.
    "heavy" is all of them, "a+b" those two."""
    grading_part: str = ""
    """The part that grades results, by adding a little for winning by more. With it, a result of
    exactly 0 or 1 is that of a playout that was given up, whose length does not count."""
    preset_numbers: Mapping[str, float] = field(default_factory=dict)
    """Numbers that the preset fuego has in this game and on this board, such as rave_initial, where
    the user has given none."""
    priors: Kernel | None = None
    """priors(s, moves, count, worth, weights): how good each of `count` legal moves looks before
    playouts, worth[move] from 0 to 1,000,000, and as how many playouts that counts, weights[move].
    It may use the scratch fields of `s` and no others."""
    trained_priors: Kernel | None = None
    """The same, learnt from games: for agents with knowledge=trained, on a CPU."""
    evaluate: Kernel | None = None
    """evaluate(s): how good a position looks for the first player whose game is not over, from 0 to
    1. It may use the scratch fields of `s` and no others. For agents with leaf=evaluate, implicit
    minimax and alphabeta."""
    prune: Kernel | None = None
    """prune(s, moves, count) -> count: keeps, in front, those of the legal moves that the tree of
    an agent with prune=on contains: at least one."""
    root_filter: Callable[[Position], frozenset[int]] | None = None
    """root_filter(position): legal moves that an agent with filter=on leaves out at the root of its
    search. It is asked once per search, and spares at least one move that `prune` keeps: in Go,
    the pass."""
    constants: Mapping[str, Any] = field(default_factory=dict)
    """What fills the kernels' holes: "SIZE" fills hole("game.SIZE")."""
    factory: Callable[..., Game] | None = None
    """The function that made the game; `make_game` fills it in."""
    options: Mapping[str, Any] = field(default_factory=dict)
    """The arguments that it got, by name: size 9, komi 7.5. `make_game` fills them in too."""
    players: tuple[str, str] = ("Black", "White")
    """The first player and the second."""
    agent: str = "auct(k=3)"
    """The agent that people play against unless they choose another one."""
    diagram: Diagram | None = None
    """How a board is drawn and read; needs `stones` and `setup`."""
    text: Callable[[Position], str] | None = None
    """text(position): the board in words or signs, for a game without a diagram."""
    stones: Kernel | None = None
    """stones(s, out): owner of each cell, 0 nobody, 1 the first player, 2 the second."""
    setup: Kernel | None = None
    """setup(s, stones, turn) -> bool: that position; false if the rules do not allow it."""
    setup_violation: str = "it breaks the rules"
    """What is wrong with a position that `setup` refuses: "a chain has no liberty"."""
    same_board: Kernel | None = None
    """same_board(a, b): for games in which no move may repeat an earlier board."""
    point_lead: Callable[[Position], float] | None = None
    """point_lead(position): the first player's points minus the second's at the end of a game, for
    games that are won by points."""
    area: Callable[[Position, frozenset[int]], np.ndarray] | None = None
    """area(position, dead): whose point each cell is when points are counted without the stones on
    the cells `dead`: 0 nobody's, 1 the first player's, 2 the second's. For games in which cells are
    points."""
    referee: Referee | None = None
    """referee(position) -> Verdict: who has won, for games that programs stop before the rules can
    tell. None where the rules themselves say who has won."""
    idle_moves: Callable[[Position], frozenset[int]] | None = None
    """idle_moves(position): moves that gain nothing for the player to move, such as those that fill
    an eye. After the opponent's pass an agent passes too instead of making one."""
    winning_shape: Callable[[Position], list[int]] | None = None
    """winning_shape(position): the cells that won a game, to show them; not called for a draw."""
    gtp: GtpHabits = field(default_factory=GtpHabits)
    """What the game does differently over GTP."""
    sgf_root: Mapping[str, str] = field(default_factory=dict)
    """Properties that open an SGF file, GM and SZ among them. A game without them has no SGF
    files."""
    sgf_points: tuple[str, ...] = ()
    """Name of each move code in SGF; if not given, the move names."""
    interpret: bool = False
    """Whether the kernels stay plain Python, for a debugger and for tests."""
    python_only: bool = False
    """Whether they have to, since they call another library; `interpret` is true then, and a search
    has one thread and no GPU."""
    on_gpu: bool = False
    """Whether the kernels are for the thread of a GPU."""

    @cached_property
    def kernels(self) -> SimpleNamespace:
        """The compiled rules, ready to be called or to be bound into other kernels."""
        rules = {
            name: self._bind(template)
            for name in KERNELS
            if (template := getattr(self, name)) is not None
        }
        parts = {part.upper(): True for part in self.playout_parts}
        for name in ("priors", "trained_priors"):
            if (template := getattr(self, name)) is not None:
                rules[name] = self._bind(template, policy=parts)
        return SimpleNamespace(**rules)

    @property
    def limits(self) -> dict[str, int]:
        """What the game states of itself, for kernels that check it."""
        return {
            "MAX_MOVES": self.max_moves,
            "MAX_LENGTH": self.max_length,
            "CODES": len(self.move_names),
        }

    @cached_property
    def legal_moves(self) -> Kernel:
        """legal_moves(line, now, out) of games/line.py, which looks for repetitions too."""
        bound: Kernel = bind_line(legal_moves, self)
        return bound

    def playout(self, policy: str = "uniform", *, trace: bool = False) -> Kernel:
        """The compiled playout policy of that name."""
        parts = policy.split("+")
        rules = self.kernels
        return self._bind(
            self._policy(policy),
            {"moves": rules.moves, "play": rules.play, "result": rules.result},
            playout={"TRACE": trace},
            policy={p.upper(): policy == "heavy" or p in parts for p in self.playout_parts},
        )

    def _policy(self, policy: str) -> Kernel:
        """The playout policy of that name, not compiled."""
        chosen = self.playouts.get(policy)
        if chosen is None and set(policy.split("+")) <= set(self.playout_parts):
            chosen = self.playouts["heavy"]
        if chosen is None:
            known = ", ".join(self.playouts)
            if self.playout_parts:
                known += f", or some of {'+'.join(self.playout_parts)}"
            raise UsageError(f"{self.name} has no playout policy '{policy}'; it has {known}")
        return chosen

    def trusts(self, policy: str) -> bool:
        """Whether that playout policy is ours, whose trace needs no second look."""
        return is_ours(self._policy(policy))

    def grades(self, policy: str) -> bool:
        """Whether playouts of that policy grade their results."""
        parts = self.playout_parts if policy == "heavy" else policy.split("+")
        return self.grading_part != "" and self.grading_part in parts

    def _bind(
        self, template: Kernel, kernels: Mapping[str, Kernel] | None = None, **owners: Any
    ) -> Kernel:
        """A kernel of the game with its constants, those other kernels, and what others own."""
        bound: Kernel = specialise(
            template,
            interpret=self.interpret,
            seldom=not self.on_gpu and kernels is None,
            game={**self.constants, **(kernels or {})},
            limits=self.limits,
            device={"ON_GPU": self.on_gpu},
            **owners,
        )
        return bound

    @property
    def family(self) -> str:
        """The game's name without its options: "hex"."""
        return self.name.partition(":")[0]

    @property
    def colours(self) -> tuple[str, str]:
        """The letters of the first and the second player in GTP and SGF, B and W."""
        initials = [name[:1].upper() for name in self.players]
        return ("W", "B") if initials == ["W", "B"] else ("B", "W")

    @property
    def pass_move(self) -> int | None:
        """The code of the pass; None in games without one."""
        return self._codes.get("pass")

    def with_options(self, **options: Any) -> Game:
        """The same game with other options, such as komi=0.5; the rest stay as they are.

        Returns this very game if nothing changes.
        """
        for name in options:
            if name not in self.options:
                raise UsageError(f"{self.name} has no option {name}")
        wanted = {**self.options, **options}
        if wanted == self.options or self.factory is None:
            return self
        return replace(build(self.family, self.factory, wanted), interpret=self.interpret)

    def resized(self, size: int) -> Game:
        """The same game on a board of another size, which is the first of its options."""
        if not self.options:
            raise UsageError(f"{self.name} has boards of one size only")
        return self.with_options(**{next(iter(self.options)): size})

    def score_text(self, lead: float) -> str:
        """A result by points as programs write it: B+2.5, W+0.5, 0."""
        return f"{self.colours[0 if lead > 0 else 1]}+{abs(lead):g}" if lead else "0"

    def interpreted(self) -> Game:
        """The same game in plain Python."""
        return self if self.interpret else replace(self, interpret=True)

    def new_states(self, count: int) -> np.ndarray:
        """Zeroed records; an element is a view that kernels change in place."""
        return np.zeros(count, self.state).view(np.recarray)

    def new_out(self) -> np.ndarray:
        """Scratch for `moves`."""
        return np.zeros(self.max_moves, MOVE)

    def new_trace(self) -> np.ndarray:
        return np.zeros(self.max_length, MOVE)

    def move_name(self, move: int) -> str:
        return self.move_names[move]

    def parse_move(self, text: str) -> int:
        """The code of a move's name, in upper or lower case; it need not be legal."""
        if text and text.lower() in self._codes:
            return self._codes[text.lower()]
        named = [name for name in self.move_names if name]
        raise UsageError(
            f"{self.name} has no move '{text}'; moves are named {named[0]} to {named[-1]}"
        )

    @cached_property
    def _codes(self) -> dict[str, int]:
        return {name.lower(): code for code, name in enumerate(self.move_names) if name}

    def limited(self) -> AbstractContextManager[None]:
        """Around calls of its kernels: a limit on their time, if they are the user's own."""
        hint = ", and `uctlab check` says which one loops"
        return time_limit(self.start, f"{self.name}: a kernel", hint)

    def __getstate__(self) -> dict[str, Any]:
        """What travels to another process: machine code stays here."""
        return {part.name: getattr(self, part.name) for part in fields(self)}

    def __str__(self) -> str:
        return self.name


def is_ours(function: Callable[..., Any]) -> bool:
    """Whether a function is part of uctlab."""
    return str(getattr(function, "__module__", "")).startswith("uctlab.")


def time_limit(
    function: Callable[..., Any], what: str, hint: str = ""
) -> AbstractContextManager[None]:
    """Around calls of a function: the limit of code_limits.py, if the function is not ours."""
    return nullcontext() if is_ours(function) else Limited(what, hint)


def build(family: str, factory: Callable[..., Game], options: Mapping[str, Any]) -> Game:
    """The game that a factory makes with these options; messages call it `family`."""
    try:
        with time_limit(factory, f"{family}: make"):
            game = factory(**options)
    except UsageError:
        raise
    except Exception as error:
        what = f"{type(error).__name__}: {error}"
        raise UsageError(f"{family}: make() does not return a game: {what}") from error
    if not isinstance(game, Game):
        raise UsageError(f"{family}: make() returns a {type(game).__name__}, not a Game")
    return replace(game, factory=factory, options=options)


def same_position(a: np.record, b: np.record) -> bool:
    """Equal in every field; padding and scratch do not count."""
    names = a.dtype.names or ()
    return all(np.array_equal(a[n], b[n]) for n in names if not n.startswith("scratch"))
