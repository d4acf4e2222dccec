"""Decides which requests the server accepts, and what its pages may do.

Without --allow-remote, the Host and Origin headers must name this machine: a page from elsewhere
that is open in the same browser gets no answer. With --allow-remote every request also needs the
token, in the address of the first request and in a cookie afterwards.
"""

from __future__ import annotations

import base64
import hashlib
import ipaddress
import re
import secrets
from dataclasses import dataclass
from urllib.parse import parse_qs, urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import cookie_parser
from starlette.responses import HTMLResponse, PlainTextResponse, RedirectResponse, Response
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
NO_TOKEN = "the address must contain the token that `uctlab lab` printed"
ADVICE = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>uctlab: the token is missing</title>
<h1>This address lacks its token</h1>
<p>The lab lets in whoever has its token. Ask the person who started it for the whole address,
which the program <code>uctlab lab</code> has printed; it ends with <code>/?token=</code> and the
token.</p>
<p>Open that address once in this browser. After that, links to positions like the one you were
given work too.</p>
</html>
"""
_STYLE = re.compile(r"<style>(.*?)</style>", re.DOTALL)


def file_policy(suffix: str, content: bytes) -> str:
    """The policy for a file of a report, if it differs from the page's: a figure that is opened
    directly may have inline styles, but nothing else."""
    if suffix == ".html":
        return report_policy(content.decode("utf-8", "replace"))
    return FIGURE_POLICY if suffix == ".svg" else ""


def report_policy(html: str) -> str:
    """For a report in a frame: no scripts, no styles but its own, no images but embedded ones."""
    hashes = [
        base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
        for style in _STYLE.findall(html)
    ]
    styles = " ".join(f"'sha256-{digest}'" for digest in hashes) or "'none'"
    return (
        f"default-src 'none'; style-src {styles}; img-src data:; base-uri 'none'; "
        # Same origin, so that the lab can measure the height of the report; scripts stay forbidden.
        "form-action 'none'; frame-ancestors 'self'; sandbox allow-same-origin"
    )


def new_token() -> str:
    return secrets.token_urlsafe(24)


def is_loopback(host: str) -> bool:
    """Judged by the name only: 127.0.0.1.example.org is another machine."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host.lower() == "localhost"


@dataclass(frozen=True)
class Guard:
    """ASGI middleware that refuses foreign requests and sets the headers of all responses."""

    app: ASGIApp
    token: str = ""
    """Required in every request, unless empty."""

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
        if trouble == NO_TOKEN and scope["path"] == "/":
            answer = HTMLResponse(ADVICE, 403)
        elif trouble:
            answer = PlainTextResponse(trouble, 403)
        elif self.token and scope["path"] == "/" and _token_in_query(scope):
            answer = self._with_cookie()
        await answer(scope, receive, send_with_headers)

    def _trouble(self, scope: Scope, headers: Headers) -> str:
        """Why a request is refused; empty if it is accepted."""
        host = headers.get("host", "")
        if not self.token and not is_loopback(_hostname(host)):
            return "this server only answers requests from its own machine"
        origin = headers.get("origin")
        if scope["type"] == "websocket" and origin is None:
            return "a websocket request needs an Origin header"
        if origin is not None and (not host or _place(origin) != host):
            return "this server only answers its own pages"
        if self.token:
            given = (_token_in_query(scope), _token_in_cookie(headers))
            if not any(_same(token, self.token) for token in given):
                return NO_TOKEN
        return ""

    def _with_cookie(self) -> Response:
        """Move the token from the address into a cookie."""
        answer = RedirectResponse("/", 303)
        answer.set_cookie(COOKIE, self.token, httponly=True, samesite="lax")  # lax: links work
        return answer


def _hostname(host: str) -> str:
    try:
        return urlsplit(f"//{host}").hostname or ""
    except ValueError:
        return ""


def _place(origin: str) -> str:
    """Host and port of an origin; empty if it has none."""
    try:
        return urlsplit(origin).netloc
    except ValueError:
        return ""


def _same(given: str, token: str) -> bool:
    return secrets.compare_digest(given.encode(), token.encode())


def _token_in_query(scope: Scope) -> str:
    query: bytes = scope.get("query_string", b"")
    return parse_qs(query.decode("latin-1")).get("token", [""])[0]


def _token_in_cookie(headers: Headers) -> str:
    """Other programs on this machine may have set cookies too, in any format."""
    return cookie_parser(headers.get("cookie", "")).get(COOKIE, "")


async def _refuse_socket(receive: Receive, send: Send) -> None:
    await receive()
    await send({"type": "websocket.close", "code": REFUSED_SOCKET})
