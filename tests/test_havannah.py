"""Where Havannah's moves look for their cell first."""

import pytest

from uctlab.games import make_game


@pytest.mark.parametrize("side", [2, 5, 8])
def test_every_cell_is_at_home_in_the_beginning(side):
    game = make_game(f"havannah:{side}")
    state, out = game.new_states(1), game.new_out()
    game.kernels.start(state[0])
    line, homes = game.constants["LINE"], game.constants["HOME"]
    cells = out[: game.kernels.moves(state[0], out)].tolist()
    assert [state[0].empties[homes[code]] for code in cells] == [
        code + code // line + line + 2 for code in cells
    ]
