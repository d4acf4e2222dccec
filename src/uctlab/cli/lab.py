"""uctlab lab: serve the lab to a browser."""

from __future__ import annotations

import threading
from contextlib import closing, suppress
from pathlib import Path
from typing import Annotated

import typer

from uctlab.devices.cpu import cores
from uctlab.errors import UsageError


def lab(
    game: Annotated[
        str | None,
        typer.Argument(
            metavar="GAME",
            help="Open the page with this game, which may be the path of a .py file.",
        ),
    ] = None,
    host: Annotated[
        str,
        typer.Option(metavar="HOST", help="Address to listen on; see --allow-remote."),
    ] = "127.0.0.1",
    port: Annotated[
        int | None,
        typer.Option(min=0, max=65535, metavar="N", help="Default: the first free port from 8000."),
    ] = None,
    allow_remote: Annotated[
        bool,
        typer.Option(
            "--allow-remote", help="Accept other machines, if they have the printed token."
        ),
    ] = False,
    no_browser: Annotated[
        bool, typer.Option("--no-browser", help="Print the address without opening a browser.")
    ] = False,
    results: Annotated[
        Path, typer.Option(metavar="DIR", help="Folder of the reports and stores to show.")
    ] = Path("results"),
    searches: Annotated[
        int | None,
        typer.Option(
            min=1, max=64, metavar="N", help="Searches at once. Default: number of cores."
        ),
    ] = None,
) -> None:
    """Play against agents and watch them search, in the browser. Ctrl-C closes the lab."""
    from uctlab.lab.app import Settings  # noqa: PLC0415 (other commands need no web server)
    from uctlab.lab.own_games import offer  # noqa: PLC0415 (likewise)
    from uctlab.lab.security import is_loopback, new_token  # noqa: PLC0415 (likewise)
    from uctlab.lab.serve import address, open_port, serve, show_page  # noqa: PLC0415 (likewise)

    if not is_loopback(host) and not allow_remote:
        raise UsageError(
            f"--host {host} accepts other machines; add --allow-remote if you want that"
        )
    shown = "" if game is None else offer(game)
    token = new_token() if allow_remote else ""
    opened = open_port(host, port)
    url = address(host, opened, token, shown)

    def ready() -> None:
        print(f"uctlab lab: {url}", flush=True)
        if not no_browser:
            threading.Thread(target=show_page, args=(url,), daemon=True).start()

    with closing(opened), suppress(KeyboardInterrupt):
        settings = Settings(searches=searches or cores(), results=results, token=token, warm=shown)
        serve(settings, opened, ready)
    print("The lab is closed.")
