"""Who may ask the server, and what a page of it may do.

On this machine alone, the names in Host and Origin must be the server's own: a page from elsewhere
that is open in the same browser gets no answer. With --allow-remote every request needs the token
as well, which the first one brings in its address and later ones in a cookie.
"""

from __future__ import annotations

import base64
import hashlib
import ipaddress
import re
import secrets
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import cookie_parser
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

COOKIE = "uctlab-token"
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; font-src 'self'; manifest-src 'self'; frame-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
FIGURE_POLICY = (
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'self'; sandbox"
)
HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), microphone=(), geolocation=()",
    "cache-control": "no-cache",
}
REFUSED_SOCKET = 4403
_STYLE = re.compile(r"<style>(.*?)</style>", re.DOTALL)


def file_policy(path: Path) -> str:
    """Of a report's file, where it is not the page's: a figure that is opened on its own has styles
    of its own, and nothing else."""
    if path.suffix == ".html":
        return report_policy(path.read_text(errors="replace"))
    return FIGURE_POLICY if path.suffix == ".svg" else ""


def report_policy(html: str) -> str:
    """For a report's page in a frame: no script at all, and of styles the page's own."""
    hashes = [
        base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
        for style in _STYLE.findall(html)
    ]
    styles = " ".join(f"'sha256-{digest}'" for digest in hashes) or "'none'"
    return (
        f"default-src 'none'; style-src {styles}; img-src data:; base-uri 'none'; "
        # Of this origin, so that the lab can measure how high the page is; scripts stay forbidden.
        "form-action 'none'; frame-ancestors 'self'; sandbox allow-same-origin"
    )


def new_token() -> str:
    return secrets.token_urlsafe(24)


def is_loopback(host: str) -> bool:
    """By its name alone: 127.0.0.1.example.org is somebody else's."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host.lower() == "localhost"


@dataclass(frozen=True)
class Guard:
    """ASGI middleware: refuses what is not meant for us, and sets the headers of the rest."""

    app: ASGIApp
    token: str = ""
    """Needed by every request, where not empty."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        trouble = self._trouble(scope, headers)
        if scope["type"] == "websocket":
            if trouble:
                await _refuse_socket(receive, send)
            else:
                await self.app(scope, receive, send)
            return

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                answer = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    answer.setdefault(name, value)
            await send(message)

        answer: ASGIApp = self.app
        if trouble:
            answer = PlainTextResponse(trouble, 403)
        elif self.token and scope["path"] == "/" and _token_in_query(scope):
            answer = self._with_cookie()
        await answer(scope, receive, send_with_headers)

    def _trouble(self, scope: Scope, headers: Headers) -> str:
        """Why a request is refused; empty where it is not."""
        host = headers.get("host", "")
        if not self.token and not is_loopback(_hostname(host)):
            return "this server answers on its own machine only"
        origin = headers.get("origin")
        if scope["type"] == "websocket" and origin is None:
            return "a websocket needs an origin"
        if origin is not None and (not host or _place(origin) != host):
            return "this server answers its own pages only"
        if self.token:
            given = (_token_in_query(scope), _token_in_cookie(headers))
            if not any(_same(token, self.token) for token in given):
                return "the address needs the token that `uctlab lab` has printed"
        return ""

    def _with_cookie(self) -> Response:
        """The token out of the address line and into a cookie."""
        answer = RedirectResponse("/", 303)
        answer.set_cookie(COOKIE, self.token, httponly=True, samesite="lax")  # links work
        return answer


def _hostname(host: str) -> str:
    try:
        return urlsplit(f"//{host}").hostname or ""
    except ValueError:
        return ""


def _place(origin: str) -> str:
    """Host and port of an origin; empty where it has none."""
    try:
        return urlsplit(origin).netloc
    except ValueError:
        return ""


def _same(given: str, token: str) -> bool:
    return secrets.compare_digest(given.encode(), token.encode())


def _token_in_query(scope: Scope) -> str:
    values = parse_qs(scope.get("query_string", b"").decode("latin-1")).get("token", [""])
    return values[0]


def _token_in_cookie(headers: Headers) -> str:
    """Among cookies of other programs on this machine, which may be written in any way."""
    return cookie_parser(headers.get("cookie", "")).get(COOKIE, "")


async def _refuse_socket(receive: Receive, send: Send) -> None:
    await receive()
    await send({"type": "websocket.close", "code": REFUSED_SOCKET})
