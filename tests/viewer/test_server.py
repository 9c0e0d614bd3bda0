"""The server over real HTTP: loopback, the token, Host and Origin, forms, and the headers of every answer."""

from __future__ import annotations

import http.client
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlencode, urlsplit

import pytest

from ringtrue.store.database import Database
from ringtrue.store.human_labels import HumanLabels
from ringtrue.viewer.server import COOKIE, LARGEST_POST, ViewerServer, is_loopback
from support.viewed_runs import OTHER, RUN, keep_runs, serve

PAGES = ["/", f"/run/{RUN}", f"/run/{RUN}/case/0", f"/run/{RUN}/label", f"/compare?a={RUN}:small&b={RUN}:large"]
POSTS = [f"/run/{OTHER}/label", f"/run/{OTHER}/label/undo"]


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> str:
    found = f"sqlite:///{tmp_path_factory.mktemp('store') / 'v.db'}"
    keep_runs(found)
    return found


@pytest.fixture(scope="module")
def server(url: str) -> Iterator[ViewerServer]:
    with serve(url) as found:
        yield found


def ask(
    server: ViewerServer, path: str, method: str = "GET", body: str | None = None, signed: bool = True, **headers: str
) -> tuple[http.client.HTTPResponse, str]:
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=20)
    sent = {name.replace("_", "-"): value for name, value in headers.items()}
    if signed:
        sent["Cookie"] = f"{COOKIE}_{server.port}={server.token}"
    if body is not None:
        sent["Content-Type"] = "application/x-www-form-urlencoded"
    connection.request(method, path, body, sent)
    answer = connection.getresponse()
    text = answer.read().decode()
    connection.close()
    return answer, text


def labels(url: str) -> int:
    with Database(url) as database:
        return sum(len(HumanLabels(database).given_in(run, 100)) for run in (RUN, OTHER))


@pytest.mark.parametrize("path", [*PAGES, "/nowhere", "/run/zzz", f"/run/{RUN}/case/999"])
def test_every_answer_has_a_strict_policy_and_needs_the_token(server: ViewerServer, path: str) -> None:
    refused, text = ask(server, path, signed=False)
    assert refused.status == 403
    assert RUN not in text
    answer, text = ask(server, path)
    assert answer.status == (200 if path in PAGES else 404)
    for found in (refused, answer):
        policy = found.headers["Content-Security-Policy"]
        assert policy.startswith("default-src 'none'")
        assert "unsafe" not in policy
        assert "frame-ancestors 'none'" in policy
        assert found.headers["X-Frame-Options"] == "DENY"
        assert found.headers["X-Content-Type-Options"] == "nosniff"
        assert found.headers["Referrer-Policy"] == "no-referrer"
        assert found.headers["Cache-Control"] == "no-store"
        assert server.token not in text


def test_the_printed_address_signs_in_and_leaves_the_token_behind(server: ViewerServer) -> None:
    link = urlsplit(server.link(f"/run/{RUN}?status=failed"))
    answer, _ = ask(server, f"{link.path}?{link.query}", signed=False)
    assert answer.status == 303
    assert answer.headers["Location"] == f"/run/{RUN}?status=failed"
    cookie = answer.headers["Set-Cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=Strict" in cookie
    for token in ("", "x", server.token + "x", server.token[:-1]):
        assert ask(server, f"/?{urlencode({'token': token})}", signed=False)[0].status == 403


OTHERS = [
    {"Host": "evil.example"},
    {"Host": "evil.example:80"},
    {"Host": "127.0.0.1.evil.example"},
    {"Host": ""},
    {"Origin": "http://evil.example"},
    {"Origin": "null"},
    {"Origin": "http://127.0.0.1:1"},
    {"Sec_Fetch_Site": "cross-site"},
    {"Sec_Fetch_Site": "same-site"},
]


@pytest.mark.parametrize("headers", OTHERS)
@pytest.mark.parametrize("path", ["/", POSTS[0]])
def test_other_hosts_and_other_sites_are_refused(
    server: ViewerServer, url: str, path: str, headers: dict[str, str]
) -> None:
    before = labels(url)
    body = urlencode({"token": server.form_token, "subject": subject(server), "verdict": "right"})
    method = "POST" if path in POSTS else "GET"
    sent = {"Origin": server.address, **headers} if method == "POST" else headers
    answer, _ = ask(server, path, method, body if method == "POST" else None, **sent)
    assert answer.status == 403
    assert labels(url) == before


def subject(server: ViewerServer) -> str:
    text = ask(server, f"/run/{OTHER}/label")[1]
    return text.split('name="subject" value="')[1].split('"')[0]


def test_a_label_is_kept_by_post_with_the_forms_token_and_by_nothing_else(server: ViewerServer, url: str) -> None:
    form = {"token": server.form_token, "subject": subject(server), "verdict": "right"}
    query = urlencode(form)
    for path in [f"/run/{OTHER}/label?{query}", f"/run/{OTHER}/label/undo?{query}"]:
        ask(server, path)  # nothing changes by GET
    assert ask(server, POSTS[0], "POST", query)[0].status == 403  # without an Origin
    for token in ("", "x", server.token):
        answer, _ = ask(server, POSTS[0], "POST", urlencode({**form, "token": token}), Origin=server.address)
        assert answer.status == 403
    assert ask(server, POSTS[0], "POST", urlencode({**form, "verdict": "?"}), Origin=server.address)[0].status == 404
    assert labels(url) == 0
    answer, _ = ask(server, POSTS[0], "POST", query, Origin=server.address)
    assert (answer.status, answer.headers["Location"]) == (303, f"/run/{OTHER}/label")
    assert labels(url) == 1
    undo = urlencode({"token": server.form_token})
    assert ask(server, POSTS[1], "POST", undo, Origin=server.address)[0].status == 303
    assert labels(url) == 0
    huge = urlencode({**form, "comment": "x" * LARGEST_POST})
    assert ask(server, POSTS[0], "POST", huge, Origin=server.address)[0].status == 413


@pytest.mark.parametrize("method", ["PUT", "DELETE", "PATCH", "OPTIONS"])
def test_other_methods_do_nothing(server: ViewerServer, method: str) -> None:
    assert ask(server, f"/run/{OTHER}/label", method, Origin=server.address)[0].status == 405


def test_a_live_run_says_how_far_it_is(server: ViewerServer) -> None:
    answer, text = ask(server, f"/run/{RUN}/live")
    assert answer.status == 200
    assert '"rows": 12' in text
    assert ask(server, "/run/zzz/live")[0].status == 404


def test_only_loopback_is_loopback() -> None:
    assert [host for host in ("127.0.0.1", "::1", "localhost", "0.0.0.0", "10.0.0.1", "x") if is_loopback(host)] == [
        "127.0.0.1",
        "::1",
        "localhost",
    ]


def test_only_named_runs_are_shown(url: str, tmp_path: Path) -> None:
    with serve(url, OTHER) as server:
        assert RUN not in ask(server, "/")[1]
        assert ask(server, f"/run/{RUN}")[0].status == 404
        assert ask(server, f"/run/{OTHER}")[0].status == 200
