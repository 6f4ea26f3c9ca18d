"""What the walk over the API needs: somebody with something of each kind, those who may not have it, and bodies in every encoding.

No threads: each test process has its own.
"""

import functools
import itertools
import json
import os
import re
import urllib.parse

from api_client import OTHER_SITE, Api, app_token, make_token
from api_contract import RIGHT
from retwis_process import wait_until
from retwis_routes import Caller

_numbers = itertools.count(1)
_NAMED = re.compile(r"[:*](\w+)")


def fresh():
    """A name that was not used."""
    return f"walk_{os.getpid()}_{next(_numbers)}"


class World:
    """The walker, a friend whom he follows, a passer-by to whom all is done that can be done to people, a stranger; and tokens that
    are worth less than the walker's."""

    def __init__(self, server):
        self.server = server
        self.caller = Caller(server)
        self.walker, self.friend, self.passerby, self.stranger = (Api.sign_up(server, fresh()) for _ in range(4))
        self.walker.browser.follow(self.friend.name)
        self.status = self.friend.browser.post("a walk in the park #walk")

    # --- tokens ---

    @functools.cached_property
    def dead(self):
        """One that was revoked."""
        token = make_token(self.server, self.walker.name)
        self.server.cli("app", "revoke", token)
        return token

    @functools.cached_property
    def mixed(self):
        """The walker's number with the stranger's secret."""
        return f"{self.walker.token.split('.')[0]}.{self.stranger.token.split('.')[1]}"

    @functools.cached_property
    def application(self):
        """Nobody's."""
        return app_token(self.server)

    @functools.lru_cache
    def with_scopes(self, scopes):
        """The walker's, of these scopes."""
        return make_token(self.server, self.walker.name, scopes)

    def without(self, row, scopes):
        """The walker's, of all these but what the row is content with."""
        return self.with_scopes(" ".join(scope for scope in scopes if scope not in row.scopes))

    # --- things ---

    def make_thing(self, path):
        """The id of something of the walker's that the path is about, made for this call."""
        kind = "/".join(path.split("/")[3:-1] if path.endswith(("/:id", "/:tag", "/:name")) else path.split("/:")[0].split("/")[3:])
        version = path.split("/")[2]
        makers = {
            "accounts": lambda: self.passerby.id, "suggestions": lambda: self.passerby.id, "v1/accounts": lambda: self.passerby.id,
            "follow_requests": self._make_request,
            "timelines/tag": lambda: "walk", "tags": lambda: "walk",
            "timelines/list": self._make_list, "lists": self._make_list,
            "statuses": lambda: self.walker.browser.post(f"a step #{next(_numbers)}"),
            "conversations": self._make_conversation,
            "filters": lambda: self._make_filter(version)["id"],
            "filters/keywords": lambda: self._make_filter(version)["keywords"][0]["id"],
            "filters/statuses": self._make_filtered_post,
            "featured_tags": self._make_featured,
            "notifications": lambda: self._make_notification("id" if version == "v1" else "group_key"),
        }
        followed = path in ("/api/v1/accounts/:id/pin", "/api/v1/accounts/:id/endorse")
        return self.friend.id if followed else makers[kind]()

    def _make_list(self):
        lists = self.walker.get("/api/v1/lists")
        for one in lists if len(lists) > 40 else []:  # the limit is 50
            self.walker.delete(f"/api/v1/lists/{one['id']}")
        return self.walker.browser.make_list(fresh()).rsplit("/", 1)[1]

    def _make_filter(self, version):
        words = {"phrase": fresh()} if version == "v1" else {"title": fresh(), "keywords_attributes": [{"keyword": fresh()}]}
        for old in self.walker.get("/api/v1/filters"):  # one may have so many
            self.walker.delete(f"/api/v1/filters/{old['id']}")
        return self.walker.post(f"/api/{version}/filters", context=["home"], **words)

    def _make_filtered_post(self):
        return self.walker.post(f"/api/v2/filters/{self._make_filter('v2')['id']}/statuses", status_id=self.status)["id"]

    def _make_featured(self):
        return self.walker.post("/api/v1/featured_tags", name="walk")["id"]

    def _make_request(self):
        asker = Api.sign_up(self.server, fresh())
        self.walker.patch("/api/v1/accounts/update_credentials", locked=True)
        assert asker.post(f"/api/v1/accounts/{self.walker.id}/follow")["requested"]
        return asker.id

    def _make_conversation(self):
        said = self.friend.post("/api/v1/statuses", status=f"@{self.walker.name} psst", visibility="direct")["id"]

        def find():
            return next((c["id"] for c in self.walker.get("/api/v1/conversations") if c["last_status"]["id"] == said), None)

        return wait_until(find, 10, "the conversation is there")

    def _make_notification(self, name):
        status = self.walker.browser.post("worth a notice")
        self.friend.post(f"/api/v1/statuses/{status}/favourite")

        def find():
            notices = self.walker.get("/api/v1/notifications", types=["favourite"])
            return next((n[name] for n in notices if n["status"]["id"] == status), None)

        return wait_until(find, 10, "the notice is there")

    # --- requests ---

    def right(self, row):
        """A right request to a row: the path, and fields by name."""
        words = {"fresh": fresh(), "account": self.friend.id, "name": self.friend.name, "status": self.status}
        fields = {name: value.format(**words) for name, value in RIGHT.get(row.key, {}).items()}
        path = row.path
        if _NAMED.search(path):
            thing = self.status if path == "/api/v1/statuses/:id/reblog" else self.make_thing(path)
            path = _NAMED.sub(str(thing), path)
        if row.key == "DELETE /api/v1/lists/:x/accounts":
            self.walker.post(path, account_ids=[self.friend.id])
        return path, fields

    def ask(self, row, path, token, fields=None, body=None):
        """A request; fields go into the query, or as JSON where there is a body; `body` is a type and a text."""
        headers = [("Origin", OTHER_SITE)] + [("Authorization", f"Bearer {token}")] * (token is not None)
        if row.method == "GET" and fields:
            path += "?" + urllib.parse.urlencode(fields, doseq=True)
        elif body is None and fields is not None and row.method != "GET":
            body = ("application/json", json.dumps(nest(fields)))
        if body is None:
            return self.caller.ask(row.method, path, headers=headers, body="")
        return self.caller.ask(row.method, path, headers=[*headers, ("Content-Type", body[0])], body=body[1])


# --- bodies ---


def nest(fields):
    """Names as forms have them, such as a[b] and a[], as values in each other; a[0][b] is a list of objects."""
    root = {}
    for name, value in fields.items():
        parts = re.findall(r"[^\[\]]+|\[\]", name)
        if len(parts) == 1:
            root[name] = value
        elif parts[1] == "[]":
            root.setdefault(parts[0], []).append(value)
        elif parts[1] == "0":
            root.setdefault(parts[0], [{}])[0][parts[2]] = value
        else:
            root.setdefault(parts[0], {})[parts[1]] = value
    return root


def encodings(fields):
    """The same fields in every encoding."""
    parts = "".join(f'--walk\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{value}\r\n' for name, value in fields.items())
    return {
        "JSON": ("application/json", json.dumps(nest(fields))),
        "form": ("application/x-www-form-urlencoded; charset=UTF-8", urllib.parse.urlencode(fields)),
        "multipart": ("multipart/form-data; boundary=walk", parts + "--walk--\r\n"),
    }


BROKEN_BODIES = (
    ("application/json", "{"), ("application/json", ""), ("application/json", "[1]"), ("application/json", '"word"'), ("application/json", "null"),
    ("application/json", '{"a":' * 3000), ("application/json", "[" * 3000 + "]" * 3000), ("application/json", '{"status":"\\ud800"}'),
    ("application/x-www-form-urlencoded", "%zz=%"), ("application/x-www-form-urlencoded", "a=%00&=&&b"),
    ("multipart/form-data", "x"), ("multipart/form-data; boundary=b", "--b\r\nbroken"), ("multipart/form-data; boundary=b", "--b--\r\n"),
    ("text/plain", "x"), ("application/octet-stream", "\x00\x01"), ("", "x"),
)

ODD_WORDS = ("", "0", "-1", "1", "x", "9" * 30, "9223372036854775808", "1.5", "true", "\x00", "\U0001f986" * 600, "' OR 1=1 --", "../..", "\n")

ODD_VALUES = (None, 0, -1, 1.5, 1e300, 2**63, True, [], [None], [[]], [{}], {}, {"a": {"b": []}}, "x" * 6000, ["x"] * 300, "\u0000")

