"""Pictures: boards as SVG, and the style that all figures share.

| file | what it is for |
| --- | --- |
"""
