"""The command `uctlab games import`: games of other programs and databases as lists or as SGF."""

from __future__ import annotations

import sys
from pathlib import Path

from uctlab.atomic_files import replace_file
from uctlab.errors import UsageError
from uctlab.games import Position
from uctlab.games.sgf import write_sgf
from uctlab.protocol.files import read_games


def import_games(file: str, moves: int | None, out: Path | None) -> None:
    found = read_games(file)
    game = found.game
    if out is None:
        print(f"# {game.name}, from {Path(file).name}")
        for one in found.games:
            facts = " ".join(filter(None, (one.black, "-" if one.white else "", one.white)))
            print(" ".join(one.moves[:moves]) + f"  # {facts} {one.result}".rstrip("# "))
    else:
        try:
            out.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise UsageError(f"cannot make the folder {out}: {error.strerror}") from None
        for number, one in enumerate(found.games, 1):
            position = Position.from_moves(game.interpreted(), one.moves[:moves])
            names = {"B": one.black, "W": one.white}
            first, second = (names[colour] for colour in game.colours)
            whole = moves is None or moves >= len(one.moves)
            data = write_sgf(
                position,
                players=(first, second),
                first_scores=one.score_of(game.colours[0]) if whole else None,
                resigned=one.resigned,
            )
            replace_file(out / f"{Path(file).stem}-{number:05}.sgf", data)
    where = f" in {out}" if out is not None else ""
    count = "1 game" if len(found.games) == 1 else f"{len(found.games):,} games"
    print(f"{count} of {game.name}{where}", file=sys.stderr)
    if found.left_out:
        print(f"{found.left_out:,} with another start or game are left out", file=sys.stderr)
