"""The course's formulas: from LaTeX to MathML, as nested lists of which the page makes elements.

An element is [tag, symbol, child, ...]: `symbol` is the key of the symbol that the whole element
stands for, or an empty text; a child is an element or a text. No markup reaches the page.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any
from xml.etree import ElementTree as ET

from latex2mathml.converter import convert

# key: LaTeX, and what it means.
SYMBOLS = {
    "n": (r"n_j", "how often move j was tried: its visits"),
    "w": (r"w_j", "how many of the games that began with move j were won"),
    "s": (r"s", "how often the position itself was visited"),
    "r": (r"\bar r_j", "mean result of move j for the player who makes it: win 1, loss 0"),
    "c": (
        r"c",
        "weight of exploration; 1 in this course if nothing else is said",
    ),
    "v": (r"v_j", "velocity of move j: how often it was chosen lately"),
    "a": (r"a_j", "value of move j under Accelerated UCT, for the player who makes it"),
    "A": (r"A", "value of the move that leads here, for the other player, who made it"),
    "l": (r"\lambda", "decay, a number below 1: what is left of an old visit at each new one"),
    "k": (r"k", "the decay as a power of ten: k = 1 is 0.9, k = 2 is 0.99, k = 3 is 0.999"),
    "I": (r"I_j", "1 for the move that was just chosen, 0 for the others"),
    "d": (r"d_j", "discounted visits of move j: old visits count less"),
    "R": (r"R", "result of the playout for the player who made the move: win 1, loss 0"),
    "D": (r"\rho_j", "discounted mean result of move j: old results count less"),
    "b": (r"\beta", "weight of RAVE, which falls as move j gets visits of its own"),
    "q": (r"q_j", "RAVE value: mean result of all games in which that player made move j later on"),
    "e": (r"e", "visits at which RAVE counts as much as the move's own games; 100 here"),
    "p": (r"p_j", "prior value: what the game's knowledge says of move j before any playout"),
    "m": (r"m_j", "weight of the prior, as if so many playouts had been made already"),
    "g": (r"\sigma_j", "standard error: how far the mean is usually from the true share"),
}
FORMULAS = {
    "mean": r"\bar r_j = \frac{w_j}{n_j}",
    "error": r"\sigma_j = \sqrt{\frac{\bar r_j\,(1 - \bar r_j)}{n_j}}",
    "ucb1": r"\bar r_j + c\,\sqrt{\frac{\ln s}{n_j}}",
    "auct": r"a_j + c\,\sqrt{\frac{\ln s}{n_j}}",
    "update": r"\bar r_j + \frac{R - \bar r_j}{n_j + 1}",
    "backup": r"\bar r_j \leftarrow \bar r_j + \frac{R - \bar r_j}{n_j + 1}",
    "velocity": r"v_j \leftarrow \lambda\,v_j + I_j",
    "accelerated": r"A = 1 - \frac{\sum_j v_j\,a_j}{\sum_j v_j}",
    "discounted": r"\rho_j \leftarrow \frac{\lambda\,d_j\,\rho_j + R\,I_j}{\lambda\,d_j + I_j}",
    "visits": r"d_j \leftarrow \lambda\,d_j + I_j",
    "decay": r"\lambda = 1 - 0.1^k",
    "rave": r"(1 - \beta)\,\bar r_j + \beta\,q_j",
    "beta": r"\beta = \sqrt{\frac{e}{3\,n_j + e}}",
    "prior": r"\frac{n_j\,\bar r_j + m_j\,p_j}{n_j + m_j}",
}
Element = list[Any]


@lru_cache
def formulas() -> dict[str, Any]:
    """What the page gets: formulas by name, and symbols with their meaning."""
    known = {key: _element(latex) for key, (latex, _) in SYMBOLS.items()}
    return {
        "formulas": {name: _marked(_element(latex), known) for name, latex in FORMULAS.items()},
        "symbols": {
            key: {"shown": known[key], "meaning": meaning} for key, (_, meaning) in SYMBOLS.items()
        },
    }


def _element(latex: str) -> Element:
    """The content of one formula, without the <math> around it."""
    math = ET.fromstring(convert(latex))
    children = [_plain(child) for child in math]
    while len(children) == 1 and children[0][0] == "mrow":  # which latex2mathml puts around it
        children = children[0][2:]
    return children[0] if len(children) == 1 else ["mrow", "", *children]


def _plain(node: ET.Element) -> Element:
    tag = node.tag.rpartition("}")[2]
    text = [node.text.strip()] if node.text and node.text.strip() else []
    return [tag, "", *text, *(_plain(child) for child in node)]


def _marked(element: Element, known: dict[str, Element]) -> Element:
    """With the keys of the symbols; the largest element that is a symbol counts."""
    for key, symbol in known.items():
        if element == symbol:
            return [element[0], key, *element[2:]]
    rest = [_marked(part, known) if isinstance(part, list) else part for part in element[2:]]
    return [element[0], "", *rest]
