"""The viewer's server: pages of the store on loopback, for browsers with the token."""

from __future__ import annotations

import asyncio
import getpass
import ipaddress
import secrets
from collections.abc import Awaitable, Callable
from hmac import compare_digest
from urllib.parse import urlsplit

from aiohttp import web

from ringtrue.errors import RingtrueError
from ringtrue.viewer.drawing import draw, served_policy
from ringtrue.viewer.library import Library
from ringtrue.viewer.page_state import PageState, ServerLinks
from ringtrue.viewer.site import NotThere, Site

COOKIE = "ringtrue_view"
LARGEST_POST = 64 * 1024
_HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
}
_Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


class ViewerServer:
    """Serves a library on one address; everything needs the token, which the printed address brings along once."""

    def __init__(self, library: Library, host: str = "127.0.0.1", port: int = 0) -> None:
        self.host, self.port = host, port
        self.token = secrets.token_urlsafe(24)
        self.form_token = secrets.token_urlsafe(24)
        self.site = Site(library, ServerLinks(), form_token=self.form_token, who=_user_name())
        self._runner: web.AppRunner | None = None

    @property
    def address(self) -> str:
        """The address of the server, without the token."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"http://{host}:{self.port}"

    def link(self, path: str = "/") -> str:
        """An address with the token."""
        return f"{self.address}{path}{'&' if '?' in path else '?'}token={self.token}"

    def application(self) -> web.Application:
        """The pages behind their guard."""
        found = web.Application(middlewares=[self._guard], client_max_size=LARGEST_POST)
        found.router.add_get("/", self._page(lambda site, ask: site.runs(ask.query)))
        found.router.add_get(
            "/compare", self._page(lambda site, ask: site.compare(ask.query.get("a", ""), ask.query.get("b", "")))
        )
        found.router.add_get("/run/{id}", self._page(lambda site, ask: site.run(_id(ask), PageState.parse(ask.query))))
        found.router.add_get("/run/{id}/case/{position:[0-9]{1,12}}", self._page(_case))
        found.router.add_get(
            "/run/{id}/label", self._page(lambda site, ask: site.label(_id(ask), ask.query.get("skip", "")))
        )
        found.router.add_get("/run/{id}/live", self._live)
        found.router.add_post("/run/{id}/label", self._keep_label)
        found.router.add_post("/run/{id}/label/undo", self._undo_label)
        return found

    async def start(self) -> None:
        """Begin to serve; the port is known from here on."""
        self._runner = web.AppRunner(self.application(), access_log=None)
        await self._runner.setup()
        await web.TCPSite(self._runner, self.host, self.port).start()
        self.port = self._runner.addresses[0][1]

    async def stop(self) -> None:
        """Stop serving."""
        if self._runner is not None:
            await self._runner.cleanup()

    @web.middleware
    async def _guard(self, request: web.Request, handler: _Handler) -> web.StreamResponse:
        """Let through who came by the right host, from our own pages, and with the token."""
        refusal = self._refusal(request)
        if refusal is not None:
            return _with_headers(web.Response(text=refusal, status=403, content_type="text/plain"))
        if "token" in request.query:
            return _with_headers(self._signed_in(request))
        try:
            found = await handler(request)
        except web.HTTPException as error:
            text = draw(
                "problem.html", links=self.site.links, title=f"{error.reason}", words="There is no such page.", says=""
            )
            found = web.Response(text=text, status=error.status, content_type="text/html")
        return _with_headers(found)

    def _refusal(self, request: web.Request) -> str | None:
        if not self._is_own_host(request.headers.get("Host", "")):
            return "refused: this server answers under its own address only"
        if not self._is_own_site(request):
            return "refused: the request comes from another site"
        given = request.query.get("token") or request.cookies.get(self._cookie, "")
        if not compare_digest(given.encode("utf-8", "replace"), self.token.encode()):
            return "refused: open the whole address that 'ringtrue view' printed; it holds a token"
        return None

    def _is_own_site(self, request: web.Request) -> bool:
        """Whether the browser says that one of our own pages asks, or no page at all: a change needs its word."""
        origin, site = request.headers.get("Origin"), request.headers.get("Sec-Fetch-Site", "none")
        if site not in ("none", "same-origin") and "token" not in request.query:
            return False
        # What a form of a page without referrers sends; other pages without an origin are cross-site.
        if origin == "null":
            return site == "same-origin"
        if origin is None:
            return request.method in ("GET", "HEAD")
        return self._is_own_host(urlsplit(origin).netloc)

    def _is_own_host(self, host: str) -> bool:
        names = {f"{self.host}:{self.port}", f"[{self.host}]:{self.port}"}
        if is_loopback(self.host):
            names |= {f"localhost:{self.port}", f"127.0.0.1:{self.port}", f"[::1]:{self.port}"}
        elif self.host in ("0.0.0.0", "::"):
            return _is_address(host, self.port)
        return host in names

    @property
    def _cookie(self) -> str:
        return f"{COOKIE}_{self.port}"  # cookies do not know ports, and two viewers may run at once

    def _signed_in(self, request: web.Request) -> web.Response:
        query = {name: value for name, value in request.query.items() if name != "token"}
        where = str(request.rel_url.with_query(query))
        found = web.Response(status=303, headers={"Location": where})
        found.set_cookie(self._cookie, self.token, httponly=True, samesite="Strict", path="/")
        return found

    def _page(self, make: Callable[[Site, web.Request], str]) -> _Handler:
        async def answer(request: web.Request) -> web.Response:
            return await self._drawn(lambda: make(self.site, request))

        return answer

    async def _drawn(self, make: Callable[[], str]) -> web.Response:
        try:
            text = await asyncio.to_thread(make)
        except NotThere as missing:
            return self._problem(404, "There is nothing here", str(missing))
        except RingtrueError as error:
            return self._problem(500, "This page could not be made", "The store or the run says:", str(error))
        return web.Response(body=text.encode("utf-8", "replace"), content_type="text/html", charset="utf-8")

    def _problem(self, status: int, title: str, words: str, says: str = "") -> web.Response:
        text = draw("problem.html", links=self.site.links, title=title, words=words, says=says)
        return web.Response(text=text, status=status, content_type="text/html")

    async def _live(self, request: web.Request) -> web.Response:
        try:
            return web.json_response(await asyncio.to_thread(lambda: self.site.live(_id(request))))
        except NotThere as missing:
            return web.json_response({"error": str(missing)}, status=404)

    async def _keep_label(self, request: web.Request) -> web.StreamResponse:
        return await self._change(request, lambda form: self.site.keep_label(_id(request), form))

    async def _undo_label(self, request: web.Request) -> web.StreamResponse:
        return await self._change(request, lambda form: self.site.undo_label(_id(request)))

    async def _change(self, request: web.Request, change: Callable[[dict[str, str]], None]) -> web.StreamResponse:
        form = {name: value for name, value in (await request.post()).items() if isinstance(value, str)}
        if not compare_digest(form.get("token", "").encode("utf-8", "replace"), self.form_token.encode()):
            return web.Response(text="refused: the form is of another session; load the page again", status=403)
        try:
            await asyncio.to_thread(lambda: change(form))
        except NotThere as missing:
            return self._problem(404, "There is nothing here", str(missing))
        except RingtrueError as error:
            return self._problem(500, "The label was not kept", "The store says:", str(error))
        return web.Response(status=303, headers={"Location": self.site.links.label(_id(request))})


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach a server there."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _is_address(host: str, port: int) -> bool:
    """Whether a host is written as a number: no name of another site resolves to that."""
    name, _, given = host.rpartition(":")
    try:
        ipaddress.ip_address(name.strip("[]"))
    except ValueError:
        return name == "localhost" and given == str(port)
    return given == str(port)


def _with_headers(found: web.StreamResponse) -> web.StreamResponse:
    found.headers.update(_HEADERS)
    found.headers["Content-Security-Policy"] = served_policy()
    return found


def _id(request: web.Request) -> str:
    return request.match_info["id"]


def _case(site: Site, request: web.Request) -> str:
    return site.case(_id(request), int(request.match_info["position"]), PageState.parse(request.query))


def _user_name() -> str:
    try:
        return getpass.getuser()
    except (KeyError, OSError):  # a container's user may have no name
        return "unknown"
