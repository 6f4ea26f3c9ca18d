"""The API beside the bare handler, as cost.py measures pages; posts by the API beside posts by the form."""

import json
import tempfile
import urllib.parse

from cost import ROUNDS, Comparison, add_comparison, compare_with_bare, cpu, rate, round_seconds, run_load
from fill import Fill
from pages import NAMES, Site
from tools import Author, Bare, Client, Server, socket_path

NOTICES = 40  # a page of them

_POST = """
wrk.method = "POST"
wrk.body = %s
wrk.headers["Content-Type"] = %s
wrk.headers[%s] = %s
wrk.headers["Origin"] = %s
"""


def _make_token(server, name):
    return server.cli("app", "token", name).strip()


def measure(table, options):
    """What programs ask for most, with nothing new."""
    with Bare() as bare, Site("push") as site:
        token = _make_token(site.server, "reader")
        with Client(site.server, token=token) as client:
            status = json.loads(client.request("GET", "/api/v1/timelines/home?limit=1")[2])[0]["id"]
        _make_notices(site.server)
        rows = [("API, home", "/api/v1/timelines/home?limit=20", token, 0.6), ("API, public timeline", "/api/v1/timelines/public?limit=20", None, 0.65),
                ("API, one post", f"/api/v1/statuses/{status}", token, 0.6), ("API, notifications", "/api/v1/notifications?limit=40", token, 0.4)]
        for name, path, who, least in rows:
            with Client(site.server, token=who) as client:
                size = client.size(path)
            add_comparison(table, name, compare_with_bare(site.server, bare, path, round_seconds(options), size, token=who), size, least=least)


def _make_notices(server):
    """A page of them: each of some authors follows the reader."""
    for name in NAMES[:NOTICES]:
        server.cli("follow", name, "reader")


def _script(server, kind, body, header, value):
    words = [json.dumps(word) for word in (body, kind, header, value, server.url)]
    script = tempfile.NamedTemporaryFile("w", suffix=".lua")
    script.write(_POST % tuple(words))
    script.flush()
    return script


def measure_posts(table, options):
    """A post by the API for one by the form, in turn; nobody follows the author."""
    with Server(mode="push") as server, Fill(socket_path(server)), Author(server, "writer") as author:
        form = urllib.parse.urlencode({"csrf_token": author.browser.token(), "status": "said by somebody", "next": "/home"})
        token = _make_token(server, "writer")
        pids = [server.process.pid, server.engine_pid()]
        with _script(server, "application/json", json.dumps({"status": "said by somebody"}), "Authorization", f"Bearer {token}") as program, \
                _script(server, "application/x-www-form-urlencoded", form, "Cookie", f"retwis={author.browser.cookie}") as browser:
            compared = Comparison([], [])
            for _ in range(ROUNDS):
                compared.bare.append(run_load(f"{server.url}/posts", pids, round_seconds(options), script=browser.name))
                compared.page.append(run_load(f"{server.url}/api/v1/statuses", pids, round_seconds(options), script=program.name))
        table.add("API, post, for one by the form", f"{compared.ratio(cpu):.2f} times the processor time; rate {compared.ratio(rate):.2f} "
                  f"({compared.middle(rate):,.0f}/s)", "rate >= 1", compared.ratio(rate) >= 1)
