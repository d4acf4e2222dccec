"""The rules by small diagrams, as a player would explain them."""

import pytest

from uctlab.errors import UsageError
from uctlab.games import Position, make_game


def position(spec, text):
    """The first player is to move where the text does not say so."""
    if "to play" not in text:
        text += "\nX to play"
    return Position.from_diagram(make_game(spec), text)


def othello(*rows, turn="X"):
    """Rows from the top; the rest of the board is empty."""
    board = [row.ljust(8, ".") for row in rows] + ["........"] * (8 - len(rows))
    return position("othello", "\n".join(board) + f"\n{turn} to play")


class TestOthello:
    PERFT = (4, 12, 56, 244, 1396, 8200, 55092, 390216, 3005288, 24571284)

    @pytest.mark.parametrize("depth", range(1, 11))
    def test_perft(self, depth):
        assert Position.start(make_game("othello")).perft(depth) == self.PERFT[depth - 1]

    def test_discs_are_flipped_in_all_directions_and_not_round_the_border(self):
        before = othello(
            "X..X..X.", ".O.O.O..", "..OOO...", "XOO.OOX.", "..OOO...", ".O.O.O..", "X..X..X."
        )
        after = before.play("d4")
        assert (
            "O" not in str(after) and after.is_over
        )  # every white disc was between two black ones
        edge = othello(".......O", "XO......")  # h1 and a2 are neighbours only as numbers
        assert edge.legal_moves == ["c2"]

    def test_pass_is_the_only_move_of_a_player_without_one(self):
        stuck = othello("XO......", turn="O")
        assert stuck.legal_moves == ["pass"]
        assert stuck.play("pass").turn == 0
        assert stuck.play("pass").legal_moves == ["c1"]

    def test_the_game_ends_when_neither_can_move(self):
        last = othello("XO......").play("c1")
        assert last.is_over and last.result == 1.0
        assert othello("X......O").is_over and othello("X......O").result == 0.5
        assert othello("X.....OO").result == 0.0

    def test_notation(self):
        opening = Position.start(make_game("othello"))
        assert opening.legal_moves == ["d3", "c4", "f5", "e6"]
        assert opening.play("F5").moves == (37,)


class TestHex:
    def test_black_joins_top_and_bottom(self):
        won = position("hex:3", "X . .\n X . .\n  . O O").play("a3")
        assert won.is_over and won.result == 1.0

    def test_white_joins_left_and_right(self):
        won = position("hex:3", ". . .\n O O .\n  . X X\nO to play").play("c2")
        assert won.is_over and won.result == 0.0

    def test_the_short_diagonal_joins_and_the_long_one_does_not(self):
        assert position("hex:3", ". . X\n . X .\n  X . .").is_over
        assert not position("hex:3", "X . .\n . X .\n  . . X").is_over

    def test_a_path_may_run_back(self):
        winding = """
            X . . . .
             X . X X .
              X X . X .
               . . . X .
                . . X . ."""
        assert position("hex:5", winding).result == 1.0
        cut = winding.replace("X . X X .", "X . . X .")
        assert not position("hex:5", cut).is_over

    @pytest.mark.parametrize("size", [2, 3, 5, 9, 17, 19])
    def test_a_run_of_stones_as_long_as_the_board(self, size):
        """In from the top at the right, along row 2 to the left, down column a."""
        rows = ["." * (size - 1) + "X", "X" * size] + ["X" + "." * (size - 1)] * (size - 2)
        won = position(f"hex:{size}", "\n".join(rows))
        assert won.is_over and won.result == 1.0
        open_end = position(f"hex:{size}", "\n".join(["." * size, *rows[1:]]) + "\nX to play")
        assert not open_end.is_over
        last = chr(ord("a") + size - 1) + "1"
        assert open_end.play(last).result == 1.0

    def test_swap_mirrors_the_stone_and_is_offered_once(self):
        game = make_game("hex:4,swap=on")
        first = Position.start(game).play("d1")
        assert "swap-pieces" in first.legal_moves
        swapped = first.play("swap-pieces")
        assert str(swapped).split("\n")[4].split() == ["4", "O", ".", ".", "."]
        assert swapped.turn == 0 and "swap-pieces" not in swapped.play("b2").legal_moves
        assert "swap-pieces" not in first.play("a1").legal_moves
        assert "swap-pieces" not in Position.start(make_game("hex:4")).play("d1").game.move_names


class TestHavannah:
    def test_bridge_joins_two_corners(self):
        before = "  X X .\n . . . .\n. . . . .\n . . . .\n  . . .\nX to play"
        won = position("havannah:3", before).play("e1")
        assert won.is_over and won.result == 1.0

    def test_two_corners_by_two_chains_are_no_bridge(self):
        assert not position("havannah:3", "  X . X\n . . . .\n. . . . .\n . . . .\n  . . .").is_over

    def test_fork_joins_three_edges(self):
        before = "  . X .\n X X . .\n. . X . .\n . . . X\n  . . .\nX to play"
        assert not position("havannah:3", before).is_over
        won = position("havannah:3", before).play("d3")
        assert won.is_over and won.result == 1.0

    def test_corners_are_no_edges(self):
        two_edges_and_a_corner = "  . X .\n X X . .\n. . X X X\n . . . .\n  . . ."
        assert not position("havannah:3", two_edges_and_a_corner).is_over

    @pytest.mark.parametrize("inside", [".", "O", "X"])
    def test_ring_round_any_cell(self, inside):
        ring = f"  . . .\n . X X .\n. X {inside} X .\n . X . .\n  . . .\nX to play"
        before = position("havannah:3", ring)
        assert not before.is_over
        won = before.play("c4")
        assert won.is_over and won.result == 1.0

    def test_a_clump_is_no_ring(self):
        assert not position("havannah:3", "  . . .\n . X X .\n. X X . .\n . X . .\n  . . .").is_over

    def test_a_full_board_without_a_winner_is_a_draw(self):
        moves = "c4 d4 e3 a3 c3 b3 b2 c5 a4 e2 e1 a5 b5 d2 c1 d1 d3 c2 b4"
        drawn = Position.start(make_game("havannah:3")).play_all(moves)
        assert drawn.is_over and drawn.result == 0.5
        assert not drawn.before.is_over

    def test_white_moves_first(self):
        assert make_game("havannah:4").players == ("White", "Black")


class TestGo:
    def test_capture(self):
        after = position("go:3", ". X .\nX O .\n. X .\nX to play").play("C2")
        assert str(after).split("\n")[2].split() == ["2", "X", ".", "X"]

    def test_suicide_is_illegal_for_one_and_for_many(self):
        assert "A1" not in position("go:3", ". . .\nO . .\n. O .\nX to play").legal_moves
        two = position("go:3", "O . .\n. O .\nX O .\nX to play")
        assert "A2" not in two.legal_moves

    def test_a_capture_is_no_suicide(self):
        snapback = position("go:4", ". X X O\nX O O .\n. X X O\n. . . .\nX to play")
        assert "D3" in snapback.legal_moves

    def test_ko_and_when_it_ends(self):
        ko = position("go:4", ". X O .\nX . X O\n. X O .\n. . . .\nO to play").play("B3")
        assert "C3" not in ko.legal_moves
        later = ko.play("A1").play("D1")
        assert "C3" in later.legal_moves

    def test_positional_superko_holds_in_games_and_simple_ko_in_kernels(self):
        line = Position.start(make_game("go:2")).play_all("A2 B2 A1 B1 A2 A1")
        assert str(line) == "   A B\n2  . O\n1  O O\nX to play"
        # Black at A2 would take all and leave the board as after the first move.
        assert line.legal_moves == ["pass"]
        same_board_new_game = position("go:2", str(line))
        assert same_board_new_game.legal_moves == ["A2", "pass"]
        assert str(same_board_new_game.play("A2")).startswith("   A B\n2  X .\n1  . .\n")

    def test_two_passes_end_the_game_and_area_decides(self):
        end = position("go:3,komi=0", ". X .\n. X O\n. X O\nX to play").play("pass").play("pass")
        assert end.is_over and end.result == 1.0
        even = position("go:2,komi=0", "X .\n. O\nX to play").play("pass").play("pass")
        assert even.result == 0.5
        empty = Position.start(make_game("go:4")).play("pass").play("pass")
        assert empty.result == 0.0

    def test_a_region_that_touches_both_is_nobodys(self):
        shared = "X . . O\nX . . O\nX . . O\nX . . O\nX to play"
        assert position("go:4,komi=0", shared).play("pass").play("pass").result == 0.5
        assert position("go:4,komi=0.5", shared).play("pass").play("pass").result == 0.0

    def test_notation_leaves_out_i_and_counts_from_below(self):
        names = make_game("go:9").move_names
        assert (names[0], names[8], names[72], names[80], names[81]) == (
            "A9",
            "J9",
            "A1",
            "J1",
            "pass",
        )

    def test_a_chain_without_liberties_cannot_be_set_up(self):
        with pytest.raises(UsageError, match="no liberty"):
            position("go:2", "X O\nO .\nX to play")
