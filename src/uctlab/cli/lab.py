"""uctlab lab: the lab in the browser."""

from __future__ import annotations

import threading
from contextlib import closing, suppress
from pathlib import Path
from typing import Annotated

import typer

from uctlab.devices.cpu import cores
from uctlab.errors import UsageError


def lab(
    host: Annotated[
        str, typer.Option(metavar="HOST", help="Where to listen; other hosts: --allow-remote.")
    ] = "127.0.0.1",
    port: Annotated[
        int | None,
        typer.Option(
            min=0, max=65535, metavar="N", help="By default the first free one from 8000 on."
        ),
    ] = None,
    allow_remote: Annotated[
        bool,
        typer.Option(
            "--allow-remote", help="Let other machines in, with the token that is printed."
        ),
    ] = False,
    no_browser: Annotated[
        bool, typer.Option("--no-browser", help="Print the address and open no browser.")
    ] = False,
    results: Annotated[
        Path, typer.Option(metavar="DIR", help="Reports and stores that are shown.")
    ] = Path("results"),
    searches: Annotated[
        int | None,
        typer.Option(min=1, max=64, metavar="N", help="Searches at once; by default all cores."),
    ] = None,
) -> None:
    """Play, watch a search think, and see it being deceived, in the browser. Ctrl-C ends it."""
    from uctlab.lab.app import Settings  # noqa: PLC0415 (other commands need no web server)
    from uctlab.lab.security import is_loopback, new_token  # noqa: PLC0415
    from uctlab.lab.serve import address, open_port, serve, show_page  # noqa: PLC0415

    if not is_loopback(host) and not allow_remote:
        raise UsageError(
            f"--host {host} lets other machines in; add --allow-remote if that is meant"
        )
    token = new_token() if allow_remote else ""
    opened = open_port(host, port)
    url = address(host, opened, token)

    def ready() -> None:
        print(f"uctlab lab: {url}", flush=True)
        if not no_browser:
            threading.Thread(target=show_page, args=(url,), daemon=True).start()

    with closing(opened), suppress(KeyboardInterrupt):
        settings = Settings(searches=searches or cores(), results=results, token=token)
        serve(settings, opened, ready)
    print("The lab is closed.")
