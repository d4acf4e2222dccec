"""Pictures: boards as SVG, and the style that all figures share.

| file | what it is for |
| --- | --- |
| `style.py` | colours, axes and intervals of all figures; SVG and PNG |
| `html_table.py` | tables in HTML, as notebooks show results |
"""
