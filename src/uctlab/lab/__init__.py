"""The lab in the browser: `uctlab lab`.

| file | what it is for |
| --- | --- |
| `serve.py` | opens a port, prints the address, serves until Ctrl-C |
| `connections.py`, `calm_log.py` | limits on connections and on the log |
| `app.py` | the web application: routes and what all visitors share |
| `security.py` | which requests are accepted, and what pages may do |
| `messages.py`, `requests.py` | checks the messages of a browser; the requests made from them |
| `limits.py` | how much a visitor may ask for |
| `visitor.py`, `outbox.py` | serves one visitor; the queue of messages to that visitor |
| `pool.py`, `child.py` | the search processes and their queue; one process, seen from the server |
| `process.py` | the program of these processes |
| `live.py`, `split.py` | a search that is being watched; the parts of a move's score |
| `subtree.py` | the most visited part of its tree, to be drawn |
| `guided.py` | a search of the course, which tells what a single playout did |
| `formulas.py`, `math_font.py` | the course's formulas, from LaTeX to MathML; a font for them |
| `position_services.py`, `positions.py` | processes that answer for positions; what a board shows |
| `records.py` | opens SGF files and diagrams, writes SGF files |
| `warmer.py` | compiles agents in the background |
| `agent_options.py` | which options of agents a browser may set |
| `tree_board.py` | a game tree as a board |
| `own_games.py` | the user's own games, and their names on the page |
| `catalog.py`, `gallery.py` | what can be chosen; the cases from the papers and their pictures |
| `results.py` | reports and matches on disk |
| `static/` | the page: HTML, CSS, JavaScript modules |
"""
