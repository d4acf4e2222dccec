"""OpenSpiel: our agents as its bots, and its games as games of ours.

It needs `pip install 'uctlab[openspiel]'`. A bot plays OpenSpiel's games, here against one of
OpenSpiel's own:

    import pyspiel
    from uctlab.integrations.openspiel import Bot

    game = pyspiel.load_game("hex(board_size=4)")
    bots = [Bot("auct(k=3)", playouts=200), pyspiel.make_uniform_random_bot(1, 7)]
    print(pyspiel.evaluate_bots(game.new_initial_state(), bots, 0))

`game_from` makes a game of ours of any game there that has two players, perfect information and no
chance, so that a variant of a search can be tried on it before anybody writes kernels. It stays
plain Python: about a thousand playouts per second in small games, one thread, no GPU.

    from uctlab.agents import make_agent
    from uctlab.games import Position
    from uctlab.integrations.openspiel import game_from
    from uctlab.mcts.searcher import Searcher

    game = game_from("breakthrough(rows=5,columns=4)")
    print(Searcher(game, make_agent("uct")).search(Position.start(game), playouts=500))

On the command line a file with two lines is such a game, `uctlab match FILE uct "auct(k=3)"`:

    from uctlab.integrations.openspiel import game_from
    make = lambda: game_from("breakthrough(rows=5,columns=4)")

examples/openspiel_game.py takes the name as an option: `examples/openspiel_game.py:connect_four`.
"""

from __future__ import annotations

from functools import partial

from uctlab.agents import Agent, make_agent
from uctlab.errors import UsageError
from uctlab.games import Game, Position
from uctlab.integrations.missing import missing
from uctlab.mcts.budget import Budget
from uctlab.mcts.report import SearchReport
from uctlab.mcts.searcher import Searcher
from uctlab.seeds import derive_seed

try:
    import pyspiel
except ImportError:
    raise missing(__name__, "OpenSpiel", "openspiel") from None

from uctlab.integrations import openspiel_rules as rules
from uctlab.integrations.openspiel_names import move_names
from uctlab.integrations.openspiel_twins import Twin, twin_of

MAX_CODE = 2**15 - 1


def game_from(game: pyspiel.Game | str) -> Game:
    """Make a game of ours, in plain Python, of a game of OpenSpiel's.

    Args:
        game: the game, or its name as `pyspiel.load_game` takes it.

    Returns:
        A game with OpenSpiel's actions as moves. If OpenSpiel lets a player move twice in a row,
        the other one has a forced move in between, named "pass" (or "skip" where there is a pass).

    Raises:
        UsageError: if the game has chance, hidden information, simultaneous moves, other than two
            players, or no winner.

    Examples:
        >>> from uctlab.games import Position
        >>> start = Position.start(game_from("tic_tac_toe"))
        >>> start.play("1-1").legal_moves
        ['0-0', '0-1', '0-2', '1-0', '1-2', '2-0', '2-1', '2-2']
    """
    theirs = _load(game) if isinstance(game, str) else game
    if not isinstance(theirs, pyspiel.Game):
        raise UsageError(f"game_from takes a pyspiel.Game or its name, not {game!r}")
    spec = str(theirs)
    name = f"openspiel:{spec.removesuffix('()')}"
    _refuse_unsuitable(name, theirs)
    names = move_names(theirs)
    skip = "skip" if "pass" in (each.lower() for each in names) else "pass"
    longest = 2 * theirs.max_game_length()  # a skip after every move
    return Game(
        name=name,
        state=rules.state_type(longest),
        start=rules.start,
        moves=rules.moves,
        play=rules.play,
        result=rules.result,
        max_moves=theirs.num_distinct_actions(),
        max_length=longest,
        move_names=(*names, skip),
        playouts={"uniform": rules.playout},
        constants={"SPIEL": spec},
        players=("First", "Second"),
        text=partial(_board, spec),
        interpret=True,
        python_only=True,
    )


class Bot(pyspiel.Bot):
    """One of our agents as a bot of OpenSpiel's.

    Othello, Hex, Havannah and Go are searched by our compiled kernels, all other games through
    `game_from`. A bot may play any seat and any number of games, one after the other.

    Args:
        agent: an agent or its text, such as "auct(k=3)".
        playouts: the budget of each move in playouts,
        seconds: or in seconds; with both, the first one that is spent ends the search.
        seed: equal seeds play equal games, if the budget is in playouts.

    Examples:
        >>> state = pyspiel.load_game("tic_tac_toe").new_initial_state()
        >>> for action in (0, 3, 1, 4):
        ...     state.apply_action(action)
        >>> Bot("uct", playouts=100).step(state)  # the third in a row
        2
    """

    def __init__(
        self,
        agent: Agent | str,
        *,
        playouts: int | None = None,
        seconds: float | None = None,
        seed: int = 0,
    ) -> None:
        pyspiel.Bot.__init__(self)
        self.agent = make_agent(agent) if isinstance(agent, str) else agent
        self._budget = Budget(playouts, seconds)
        self._seed = seed
        self._games = 0
        self._line: _Line | None = None

    def step(self, state: pyspiel.State) -> int:
        """The action that the agent plays in this state, which may follow from any other."""
        return self._search(state)[1]

    def step_with_policy(self, state: pyspiel.State) -> tuple[list[tuple[int, float]], int]:
        """Each action's share of the visits, and the action that the agent plays."""
        report, action = self._search(state)
        return self._shares(report), action

    def get_policy(self, state: pyspiel.State) -> list[tuple[int, float]]:
        """Each action's share of the visits; the agent plays the best one and draws no lots."""
        return self._shares(self._search(state)[0])

    def provides_policy(self) -> bool:
        return True

    def inform_action(self, state: pyspiel.State, player: int, action: int) -> None:
        """Nothing to do: a state knows all of its moves."""

    def restart(self) -> None:
        """Another game: forget the tree, and draw other random numbers."""
        self._games += 1
        if self._line is not None:
            self._line.searcher.drop_root()

    def restart_at(self, state: pyspiel.State) -> None:
        self.restart()

    def _search(self, state: pyspiel.State) -> tuple[SearchReport, int]:
        game = state.get_game()
        if self._line is None or self._line.spec != str(game):
            self._line = _Line(game, self.agent)
        line = self._line
        position = line.follow(state)
        line.searcher.seed = derive_seed("openspiel bot", self._seed, self._games)
        budget = self._budget
        report = line.searcher.search(position, playouts=budget.playouts, seconds=budget.seconds)
        return report, line.action(report.best)

    def _shares(self, report: SearchReport) -> list[tuple[int, float]]:
        assert self._line is not None
        total = sum(move.visits for move in report.moves)
        shares = [(self._line.action(move.move), move.visits / total) for move in report.moves]
        return sorted(shares)


class _Line:
    """One game as a bot sees it: where it stands, and the search of it."""

    def __init__(self, theirs: pyspiel.Game, agent: Agent) -> None:
        self.spec = str(theirs)
        twin = twin_of(theirs)
        self._is_twin = twin is not None
        if twin is None:
            game = game_from(theirs)
            twin = Twin(game, tuple(range(len(game.move_names) - 1)))
        self._codes = twin.codes
        self._actions = {code: action for action, code in enumerate(twin.codes)}
        self.searcher = Searcher(twin.game, agent, reuse=True)
        self._start = self._now = Position.start(twin.game)
        self._made: list[int] = []

    def follow(self, state: pyspiel.State) -> Position:
        """Our position of a state; it goes on from the last one if it can."""
        made = state.history()
        goes_on = made[: len(self._made)] == self._made
        position = self._now if goes_on else self._start
        for action in made[len(self._made) if goes_on else 0 :]:
            position = self._skipped(position.play(self._codes[action]))
        if not self._agrees(position, state):
            raise UsageError(
                f"{self.spec}: this state does not follow from the start of the game by its "
                "history; a bot plays games from the start"
            )
        self._now, self._made = position, made
        return position

    def action(self, name: str) -> int:
        """OpenSpiel's action for the name of a move."""
        return self._actions[self.searcher.game.parse_move(name)]

    def _skipped(self, position: Position) -> Position:
        """The position after the forced moves of a player whose turn OpenSpiel leaves out."""
        while len(position.legal) == 1 and position.legal[0] not in self._actions:
            position = position.play(position.legal[0])
        return position

    def _agrees(self, position: Position, state: pyspiel.State) -> bool:
        if not self._is_twin:
            return str(position) == str(state)
        if state.is_terminal():
            return position.is_over
        legal = {self._codes[action] for action in state.legal_actions()}
        # Our Go forbids what repeats a board.
        return position.turn == state.current_player() and legal.issuperset(position.legal)


def _load(name: str) -> pyspiel.Game:
    short = name.partition("(")[0]
    if short not in pyspiel.registered_names():
        raise UsageError(
            f"OpenSpiel has no game '{short}'; pyspiel.registered_names() lists its games"
        )
    try:
        return pyspiel.load_game(name)
    except pyspiel.SpielError as error:
        raise UsageError(
            f"OpenSpiel does not load '{name}': {str(error).splitlines()[0]}"
        ) from None


def _refuse_unsuitable(name: str, game: pyspiel.Game) -> None:
    kind, types = game.get_type(), pyspiel.GameType
    utilities = types.Utility.ZERO_SUM, types.Utility.CONSTANT_SUM
    wrong = {
        f"it has {game.num_players()} players, not 2": game.num_players() != 2,
        "players do not move in turn": kind.dynamics != types.Dynamics.SEQUENTIAL,
        "it has chance": kind.chance_mode != types.ChanceMode.DETERMINISTIC,
        "it has hidden information": (kind.information != types.Information.PERFECT_INFORMATION),
        "one player's gain is not the other's loss": kind.utility not in utilities,
        "it has rewards before the end": kind.reward_model != types.RewardModel.TERMINAL,
        f"it has more than {MAX_CODE:,} actions": game.num_distinct_actions() > MAX_CODE,
    }
    for why, is_so in wrong.items():
        if is_so:
            raise UsageError(
                f"{name} cannot be a game of uctlab: {why}; accepted are games of two players "
                "who move in turn, without chance and hidden information, with a winner"
            )


def _board(spec: str, position: Position) -> str:
    """The board as OpenSpiel writes it."""
    state = position.state
    return str(rules.rules_of(spec).state(state.history, int(state.length)))
