"""Searches whose threads give way to each other wherever it might do harm."""

from uctlab.mcts.binding import bind_for_threads
from uctlab.mcts.parallel import Team
from uctlab.mcts.searcher import Searcher


def disturbed(game, agent, **options):
    searcher = Searcher(game, agent, **options)
    searcher.tree.grower = Team(bind_for_threads(game, agent, inject_yields=True))
    searcher.warm_up = lambda *_, **__: None  # it would compile the loop that does not give way
    return searcher
