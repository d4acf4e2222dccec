"""Pictures: boards as SVG, and the style that all figures share.

| file | what it is for |
| --- | --- |
| `boards.py` | `board_svg`: a position with its heat map, numbers and marks |
| `scene.py` | what is on a board and where; which cell a move belongs to |
| `squares.py`, `hexagons.py` | empty boards: squares and lines; hexagons |
| `trees.py`, `writing.py` | the deceptive tree; a position as text |
| `captions.py` | what is written below a board |
| `colours.py` | colours of boards and stones |
| `svg.py` | SVG elements as text |
| `html.py` | tables, and boards beside them, for notebooks |
| `style.py` | the style of all figures |

`Position`, `SearchReport` and `Solution` show themselves with it, and the lab's thumbnails and the
reports of experiments are drawn by it too.
"""

from uctlab.drawing.boards import board_svg

__all__ = ["board_svg"]
