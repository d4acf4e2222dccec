"""A GTP engine without pipes, for tests: lines in, answers out; and lines that make no sense."""

import re
from dataclasses import replace

from uctlab.agents import make_agent
from uctlab.games import make_game
from uctlab.games.go.referee import count_without
from uctlab.protocol.gtp_commands import COMMANDS
from uctlab.protocol.gtp_engine import Engine, EngineOptions
from uctlab.protocol.gtp_line import read_request
from uctlab.protocol.gtp_session import Session

ANSWER = re.compile(r"([=?])([0-9]*)(?: ?\n| )(.*)\n\n", re.DOTALL)


class Talk:
    """`send` returns the whole answer, `ask` the text of one that must succeed."""

    def __init__(
        self,
        spec="go:4",
        *,
        agent="uct",
        judge=None,
        waiting=lambda: True,
        waits=True,
        **options,
    ):
        options = {"playouts": 20, "resign": 0.0, **options}
        self.out = []
        game = make_game(spec) if isinstance(spec, str) else spec
        if judge is not None:
            game = replace(game, referee=game.referee and judge)
        self.engine = Engine(game, make_agent(agent), EngineOptions(**options))
        if waits:
            self.engine.prepare()
        self.session = Session(self.engine, COMMANDS, self.out.append, waiting)

    def send(self, line):
        self.out.clear()
        self.session.handle(line if isinstance(line, bytes) else line.encode())
        return "".join(self.out)

    def ask(self, line):
        answer = self.send(line)
        found = ANSWER.fullmatch(answer)
        assert found and found[1] == "=", f"{line}: {answer}"
        return found[3]

    def refused(self, line):
        answer = self.send(line)
        found = ANSWER.fullmatch(answer)
        assert found and found[1] == "?", f"{line}: {answer}"
        return found[3]

    @property
    def position(self):
        return self.engine.board.position


def no_verdict(position):
    """A judge who takes no time, and finds no stone dead."""
    return _verdict(position, set())


def strict_verdict(position):
    """A judge to whom a stone at C4, on a board of 4x4, is dead."""
    return _verdict(position, {2})


def _verdict(position, dead):
    """B+8.5, whatever stands on the board."""
    return replace(count_without(position, dead), lead=8.5)


def check_form(line, answer):
    """Whatever was sent, an answer has the protocol's form, or there is none for an empty line."""
    request = read_request(line)
    if request is None:
        assert answer == "", line
        return
    found = ANSWER.fullmatch(answer)
    assert found, (line, answer)
    assert found[2] == request.id, (line, answer)
    assert "\n\n" not in answer[:-2] and "internal error" not in answer, (line, answer)


GO_LINES = """\
play b A1
play w B2
play b pass
play w C3
play b D4
play white A4
genmove b
genmove w
undo
gg-undo 2
clear_board
boardsize 4
komi 7.5
showboard
name
version
fixed_handicap 2
place_free_handicap 3
set_free_handicap A1 B1
time_settings 60 10 5
time_left b 10 0
time_left w 5 2
kgs-time_settings byoyomi 60 10 3
kgs-time_settings none
kgs-time_settings canadian 1 1 1
time_settings 0 1 0
final_status_list dead
printsgf
lz-analyze b 10
kata-analyze w interval 5 minmoves 3
genmove_analyze b 10
reg_genmove w
known_command play
list_commands
loadsgf nothing.sgf 3
set_random_seed 5
cputime
gogui-play_sequence b A2 w B2
uctlab-visits
uctlab-search
uctlab-variation
quit
gogui-rules_legal_moves
gogui-rules_board
gogui-rules_side_to_move
protocol_version"""
HEX_LINES = """\
play b a1
play w b2
play b c3
play w a3
play black b1
genmove b
genmove w
undo
gg-undo 2
clear_board
boardsize 3
boardsize 3 3
boardsize 3 4
komi 7.5
showboard
fixed_handicap 2
final_score
final_status_list dead
lz-analyze
kata-analyze b 1
genmove_analyze w 1
reg_genmove b
printsgf
gogui-play_sequence b a2 w b2 b c1
uctlab-values
uctlab-influence
uctlab-report
gogui-rules_game_id
gogui-rules_board_size
gogui-rules_final_result
play w swap-pieces
time_left b 1 1
time_settings 1 0 0
kgs-time_settings absolute 9
quit"""
SENTENCES = {"go:4": GO_LINES.splitlines(), "hex:3": HEX_LINES.splitlines()}
PIECES = [
    *(b"#", b"\t", b"\r", b"\0", b"\x07", b"\x7f", b"\xff\xfe", b"\xc3", b"  ", b"-", b"."),
    *(b"99999999999999999999", b"-1", b"1e308", b"nan", b"inf", b"0x10", b"i5", b"Z99", b"a0"),
    *(
        "ü".encode(),
        "\uff19".encode(),
        b"=",
        b"?",
        b"\\",
        b"'",
        b'"',
        b"%s",
        b"{}",
        b"../../x",
        b"1" * 5000,
    ),
]


def odd_line(rng, spec):
    """A line as it should be, or one that somebody has sat on."""
    sentences = SENTENCES[spec]
    line = rng.choice(sentences).encode()
    if rng.random() < 0.3:
        line = str(rng.choice([0, 7, 2**31 - 1, 2**31, 10**25])).encode() + b" " + line
    kind = rng.random()
    if kind < 0.35:
        return line
    if kind < 0.45:
        return bytes(rng.randrange(256) for _ in range(rng.randrange(30))).replace(b"\n", b"")
    if kind < 0.6:
        words = line.split() + rng.choice(sentences).encode().split()
        return b" ".join(rng.sample(words, rng.randrange(1, len(words) + 1)))
    for _ in range(rng.randrange(1, 4)):
        at, end = sorted(rng.randrange(len(line) + 1) for _ in range(2))
        piece = rng.choice([*PIECES, bytes([rng.randrange(256)]), line[at:end]])
        line = line[:at] + piece + (line[at:] if rng.random() < 0.6 else line[end:])
    return line.replace(b"\n", b" ")


def would_compile(line, spec):
    """Whether other rules would be compiled, for which a test has no time."""
    request = read_request(line)
    if request is None or not request.arguments:
        return False
    if request.command == "boardsize":
        return request.arguments[0].lstrip("0") != spec[-1]
    return request.command == "komi" and request.arguments[0] != "7.5"
