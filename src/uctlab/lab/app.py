"""The web application: the page, the catalog, results, and the websocket."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

from anyio import to_thread
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import (
    HTMLResponse,
    JSONResponse,
    PlainTextResponse,
    Response,
)
from starlette.routing import Mount, Route, WebSocketRoute
from starlette.staticfiles import StaticFiles
from starlette.websockets import WebSocket

from uctlab.errors import LabError, UsageError
from uctlab.lab import limits
from uctlab.lab.pool import Pool
from uctlab.lab.position_services import PositionServices
from uctlab.lab.results import SHOWN, Results
from uctlab.lab.security import Guard, file_policy
from uctlab.lab.visitor import Visitor
from uctlab.lab.warmer import Warmer

STATIC = Path(__file__).parent / "static"
TRY_LATER = 1013


@dataclass(frozen=True, kw_only=True)
class Settings:
    searches: int
    """Maximum number at the same time."""
    results: Path = Path("results")
    here: Path = Path()
    """Another folder whose stores are shown."""
    token: str = ""
    warm: str | None = None
    """Compile in the background: the gallery's agents and this game's; None: nothing."""
    rate: limits.Rate = field(default_factory=limits.Rate)


@lru_cache
def page_text() -> str:
    """The page, which names its modules, so that a browser need not find them one in another."""
    links = (
        f'    <link rel="modulepreload" href="/static/js/{path.name}">\n'
        for path in sorted((STATIC / "js").glob("*.js"))
    )
    head, end, rest = (STATIC / "index.html").read_text(encoding="utf-8").partition("  </head>")
    return "".join([head, *links, end, rest])


class LabServer:
    """What all visitors share."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.pool = Pool(settings.searches)
        self.position_services = PositionServices()
        self.results = Results(settings.results, settings.here)
        self.warmer = Warmer(settings.warm)
        self.visitors: set[Visitor] = set()
        self._catalog = b""

    async def page(self, request: Request) -> Response:
        return HTMLResponse(page_text())

    async def catalog(self, request: Request) -> Response:
        if not self._catalog:
            self._catalog = await to_thread.run_sync(self._make_catalog)
        return Response(self._catalog, media_type="application/json")

    def _make_catalog(self) -> bytes:
        from uctlab.lab.catalog import catalog  # noqa: PLC0415 (Numba is slow to load)

        facts = catalog()
        facts = {**facts, "limits": {**facts["limits"], "searches": self.settings.searches}}
        facts["token"] = bool(self.settings.token)
        return json.dumps(facts, allow_nan=False).encode()

    async def thumbnail(self, request: Request) -> Response:
        from uctlab.lab.gallery import thumbnail  # noqa: PLC0415 (Numba is slow to load)

        night = "night" in request.query_params
        picture = await to_thread.run_sync(thumbnail, request.path_params["case"], night)
        if picture is None:
            return PlainTextResponse("there is no such picture", 404)
        return Response(picture, media_type="image/svg+xml")

    async def formulas(self, request: Request) -> Response:
        from uctlab.lab.formulas import formulas  # noqa: PLC0415 (only the course needs it)

        return JSONResponse(await to_thread.run_sync(formulas))

    async def math_font(self, request: Request) -> Response:
        from uctlab.lab.math_font import math_font  # noqa: PLC0415 (only the course needs it)

        return Response(await to_thread.run_sync(math_font), media_type="font/woff")

    async def reports(self, request: Request) -> Response:
        return JSONResponse({"reports": await to_thread.run_sync(self.results.reports)})

    async def report_file(self, request: Request) -> Response:
        names = request.path_params["report"], request.path_params["file"]
        try:
            content = await to_thread.run_sync(self.results.file, *names)
        except UsageError as trouble:  # it has just been removed, or is too large
            return PlainTextResponse(str(trouble), 404)
        if content is None:
            return PlainTextResponse("there is no such file", 404)
        suffix = Path(names[1]).suffix
        policy = file_policy(suffix, content)
        headers = {"content-security-policy": policy} if policy else {}
        return Response(content, media_type=SHOWN[suffix], headers=headers)

    async def matches(self, request: Request) -> Response:
        return JSONResponse(await to_thread.run_sync(self.results.matches))

    async def games(self, request: Request) -> Response:
        match = request.query_params.get("match", "")
        try:
            found = await to_thread.run_sync(self.results.games, match)
        except (LabError, UsageError) as trouble:  # the store is in use, or damaged
            return PlainTextResponse(str(trouble), 503)
        if found is None:
            return PlainTextResponse("there is no such match", 404)
        return JSONResponse(found)

    async def warming(self, request: Request) -> Response:
        return JSONResponse(self.warmer.state())

    async def socket(self, socket: WebSocket) -> None:
        await socket.accept()
        if len(self.visitors) >= limits.VISITORS:
            await socket.close(TRY_LATER, "too many visitors")
            return
        visitor = Visitor(
            socket, self.pool, self.position_services, self.settings.rate, self.warmer
        )
        self.visitors.add(visitor)
        try:
            await visitor.serve()
        finally:
            self.visitors.discard(visitor)

    @asynccontextmanager
    async def lifespan(self, app: Starlette) -> AsyncIterator[None]:
        await self.position_services.start()
        await self.pool.open()
        self.warmer.open()
        try:
            yield
        finally:
            await asyncio.gather(
                self.pool.close(), self.position_services.end(), self.warmer.close()
            )


def make_app(settings: Settings) -> Guard:
    server = LabServer(settings)
    routes = [
        Route("/", server.page),
        Route("/api/catalog", server.catalog),
        Route("/api/thumbnails/{case}.svg", server.thumbnail),
        Route("/api/formulas", server.formulas),
        Route("/api/math.woff", server.math_font),
        Route("/api/results", server.reports),
        Route("/api/results/{report}/{file}", server.report_file),
        Route("/api/matches", server.matches),
        Route("/api/games", server.games),
        Route("/api/warming", server.warming),
        WebSocketRoute("/ws", server.socket),
        Mount("/static", StaticFiles(directory=STATIC, check_dir=False)),
    ]
    app = Starlette(routes=routes, lifespan=server.lifespan)
    app.state.server = server
    return Guard(app, settings.token)
