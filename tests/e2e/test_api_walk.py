"""The walk over every address of the API: who may, with which scope, in which encoding, with which odd words; what it answers.

api_contract.py is the table of all that must be there.
"""

import json
import urllib.parse

import pytest

from api_client import OTHER_SITE
from api_contract import EDGES, NOT_YET, ROWS, STREAMS, plain_path
from api_document import check_promise, document_of
from api_entities import check
from api_world import BROKEN_BODIES, ODD_VALUES, ODD_WORDS, World, encodings, fresh
from retwis_routes import read_api_routes
from retwis_trips import check_trips

PARTS = {
    "read": "accounts blocks bookmarks favourites filters follows lists mutes notifications search statuses".split(),
    "write": "accounts blocks bookmarks conversations favourites filters follows lists mutes notifications statuses".split(),
}
FINE = [f"{verb}:{part}" for verb, parts in PARTS.items() for part in parts] + ["push", "profile"]
WHO = {"anyone": "anyone", "user": "signed in", "token": "anyone", "app": "anyone"}

here = [row for row in ROWS if row.key not in NOT_YET]
every_row = pytest.mark.parametrize("row", here, ids=[row.key for row in here])


@pytest.fixture(scope="module")
def world(push_server):
    """The walker and all that he needs."""
    return World(push_server)


def fine(answer, said):
    """No fault of the server, JSON, and for an error its form; the body."""
    assert answer.status < 500, (said, answer)
    assert answer.header("Content-Type").startswith("application/json") and answer.header("Access-Control-Allow-Origin") == "*", (said, answer)
    body = json.loads(answer.body)
    if answer.status >= 400:
        assert isinstance(body["error"], str) and body["error"] and not set(body) - {"error", "error_description", "details"}, (said, answer)
    return body


def test_table_and_routes_are_the_same(server):
    """Nothing is there that the table does not have, and nothing is missing but what NOT_YET names."""
    found = {}
    for route in read_api_routes(server):
        for method in route.methods:
            if route.path.startswith("/api/"):
                found[f"{method} {plain_path(route.path)}"] = (route.who[method], frozenset(route.scopes[method]))
    promised = {row.key: row for row in ROWS}
    assert set(found) - set(promised) == STREAMS, "not in the table of api_contract.py"
    assert set(promised) - set(found) == set(NOT_YET), "NOT_YET of api_contract.py is not what is missing"
    for key, (who, scopes) in ((k, v) for k, v in found.items() if k not in STREAMS):
        assert WHO[promised[key].who] == who, (key, who)
        assert not promised[key].scopes or scopes, f"{key} needs no scope"


@every_row
def test_who_may(row, world):
    """Nobody, tokens that are none, an application by itself, too little scope: each is told so in the words that clients know."""
    path, fields = world.right(row)

    def refused(token, status, words=None):
        body = fine(answer := world.ask(row, path, token, fields), (row.key, token))
        assert answer.status == status and (words is None or words in body["error"]), (row.key, token, answer)

    if row.who == "anyone":
        assert fine(answer := world.ask(row, path, None, fields), row.key) is not None and answer.status == 200, (row.key, answer)
    else:
        refused(None, 401, "authenticated user" if row.who == "user" else None)
    if row.who != "anyone" or row.scopes:
        for token in ("x", world.dead, world.mixed, world.walker.token + "x", world.walker.token[:-1]):
            refused(token, 401, "The access token is invalid")
    if row.who == "user":
        refused(world.application, 422, "This method requires an authenticated user")
    if row.scopes and row.who != "app":
        refused(world.with_scopes("push"), 403, "This action is outside the authorized scopes")
        refused(world.without(row, FINE), 403, "This action is outside the authorized scopes")
        for scope in row.scopes:
            answer = world.ask(row, path, world.with_scopes(scope), fields)
            assert answer.status == 200, (row.key, scope, answer)


def seen_by_somebody(kind):
    """The type of an answer to somebody signed in: posts say what he did with them."""
    if isinstance(kind, list):
        return [seen_by_somebody(kind[0])]
    return f"{kind}+" if kind in ("Status", "Context", "Search") else kind


@every_row
def test_right_request(row, world):
    """In every encoding, with and without a last slash, the answer is what the table says, field by field."""
    token = world.application if row.who == "app" else world.walker.token
    kinds = [None] if row.method == "GET" else ["JSON", "form", "multipart"]
    for kind in kinds:
        path, fields = world.right(row)
        body = encodings(fields)[kind] if kind else None
        answer = world.ask(row, path + "/" * (kind == "form"), token, fields, body)
        assert answer.status == 200, (row.key, kind, answer)
        if kind == "JSON":
            check_trips(world.server, answer, row.method, row.path)
        value = fine(answer, row.key)
        check(value, row.answer if row.who == "app" else seen_by_somebody(row.answer))
        check_promise(world.server.url, row.method, path, value)
    if row.method == "GET":
        assert world.ask(row, path + "/", token, fields).status == 200, row.key
    if row.who == "anyone" and row.method == "GET":
        for nobody in (None, world.application):
            check(fine(world.ask(row, path, nobody, fields), row.key), row.answer)


def test_every_answer_is_promised(world):
    """The document says of each address what comes back, and keeps it also beside /api, where that is JSON alone."""
    document = document_of(world.server.url)
    assert [row.key for row in here if not document.promise(row.method, row.path.replace(":", ""))] == []
    for path in ("/.well-known/nodeinfo", "/nodeinfo/2.0", "/.well-known/oauth-authorization-server"):
        assert document.promise("GET", path), path
        check_promise(world.server.url, "GET", path, json.loads(world.caller.ask("GET", path, body="").body))


def names_of(row, world):
    """Its parameters: those of the table, and all that the document names."""
    operation = document_of(world.server.url).operation(row.method, row.path.replace(":", ""))
    body = next(iter(operation.get("requestBody", {}).get("content", {}).values()), {"schema": {"properties": {}}})
    said = [p["name"] for p in operation["parameters"] if p["in"] == "query"] + list(body["schema"]["properties"])
    more = ["max_id", "limit"] if row.method == "GET" else []
    return dict.fromkeys(name.split("[")[0] for name in [*row.parameters, *said, *more])


@every_row
def test_odd_words(row, world):
    """Each parameter below, at and above its range, of the wrong type, twice, as an array, in every encoding: an answer, never a
    fault."""
    token = world.application if row.who == "app" else world.walker.token
    path, fields = world.right(row)

    def ask(said, fields):
        if row.method == "GET":
            fine(world.ask(row, path, token, fields), (row.key, *said))
            return
        for kind, body in encodings({k: v[0] if isinstance(v, list) else v for k, v in fields.items()}).items():
            fine(world.ask(row, path, token, None, body), (row.key, kind, *said))

    for name in names_of(row, world):
        rest = {k: v for k, v in fields.items() if k.split("[")[0] != name}
        for word in ODD_WORDS:
            ask((name, word), {**rest, name: word})
        for odd in (f"{name}[]", f"{name}[0][a]", f"{name}[", f"[{name}]", f"{name}[a][b][c]"):
            ask((odd,), {**rest, odd: ["1", "2"]})
        twice = "&".join(f"{name}={n}" for n in (1, 2))
        form = None if row.method == "GET" else ("application/x-www-form-urlencoded", twice)
        fine(world.ask(row, path + (f"?{twice}" if form is None else ""), token, None, form), (row.key, name, "twice"))
        for value in ODD_VALUES if row.method != "GET" else ():
            fine(world.ask(row, path, token, None, ("application/json", json.dumps({**rest, name: value}))), (row.key, name, value))


@pytest.mark.parametrize("key, name, good, bad, status", EDGES, ids=[f"{key} {name}" for key, name, *_ in EDGES])
def test_edges(key, name, good, bad, status, world):
    """A parameter at the ends of its range is taken, and refused beyond them, in every encoding, in words."""
    row = next(row for row in ROWS if row.key == key)
    token = world.application if row.who == "app" else world.walker.token
    for word in (*good, *bad):
        for kind in [None] if row.method == "GET" else ["JSON", "form", "multipart"]:
            path, fields = world.right(row)
            fields = {**fields, name: word.replace("FRESH", fresh())}
            body = fine(answer := world.ask(row, path, token, fields, encodings(fields)[kind] if kind else None), (key, name, kind, word))
            assert answer.status == (200 if word in good else status), (key, name, kind, word, answer)
            if answer.status == 422:
                assert body["error"].startswith("Validation failed: ") and len(body["error"]) > 25, (key, name, word, answer)


@every_row
def test_broken_bodies(row, world):
    """Whatever the body is; also where none is expected."""
    if row.method == "GET":
        return
    token = world.application if row.who == "app" else world.walker.token
    path, _ = world.right(row)
    for body in BROKEN_BODIES:
        fine(world.ask(row, path, token, None, body), (row.key, body))


@pytest.mark.parametrize("row", [row for row in here if row.most], ids=[row.key for row in here if row.most])
def test_limits(row, world):
    """A limit of one is one, one above the most is the most, a negative one is an error, no word that is none is a fault."""
    token = world.walker.token
    path, fields = world.right(row)

    def ask(**query):
        return world.ask(row, path, token, {**fields, **query})

    assert ask(limit=-1).status == 400, row.key
    body = fine(ask(limit=1), row.key)
    parts = {"Search": lambda: body.values(), "GroupedNotificationsResults": lambda: [body["notification_groups"]]}
    kind = row.answer if isinstance(row.answer, str) else None
    assert all(len(part) <= 1 for part in parts.get(kind, lambda: [body])()), row.key
    for limit in (row.most, row.most + 1, 10**9, "x", ""):
        body = fine(answer := ask(limit=limit), (row.key, limit))
        assert answer.status == 200, (row.key, limit, answer)
    if row.is_list:
        empty = ask(max_id=1)
        assert empty.status == 200 and json.loads(empty.body) == [] and empty.header("Link") is None, (row.key, empty)


OWN = [row for row in here if any(part in row.path for part in ("/lists/:", "/filters/:", "/notifications/:", "/conversations/:"))]
OWN += [row for row in here if row.key in ("PUT /api/v1/statuses/:x", "DELETE /api/v1/statuses/:x", "POST /api/v1/statuses/:x/pin")]


@pytest.mark.parametrize("row", OWN, ids=[row.key for row in OWN])
def test_of_somebody_else(row, world):
    """What is the walker's is not there for the stranger, and is as it was after he tried."""
    path, fields = world.right(row)
    answer = world.ask(row, path, world.stranger.token, fields)
    body = fine(answer, row.key)
    assert answer.status in (404, 422) and (answer.status == 404 or row.path.endswith("/pin")), (row.key, answer, body)
    if row.path.endswith("/:id"):
        looked = world.walker.ask("GET", path)
        assert looked.status == 200 or "conversations" in path, (row.key, looked.summary)


NAMED = [row for row in here if ":id" in row.path]


@pytest.mark.parametrize("row", NAMED, ids=[row.key for row in NAMED])
def test_no_such_thing(row, world):
    """Ids that are none, and such as could be: not found, in the words that clients know."""
    _, fields = world.right(row)
    for odd in ("0", "1", "-1", "x", "9" * 18, "9" * 40, "1.5", "%00", "%2e%2e", urllib.parse.quote("'\"<>"), "100000000000000001"):
        answer = world.ask(row, row.path.replace(":id", odd), world.walker.token, fields)
        fine(answer, (row.key, odd))
        assert answer.status == (400 if odd in ("%00", "%2e%2e") else 404), (row.key, odd, answer)
        assert answer.status == 400 or json.loads(answer.body)["error"] == "Record not found", (row.key, odd, answer)


def test_absent_addresses(world):
    """What is not there is told so in JSON, with and without a token, by each method."""
    for method in ("GET", "POST", "PUT", "PATCH", "DELETE"):
        for path in ("/api/v1", "/api/v1/nothing", "/api/v3/instance", "/api/v1/statuses/1/nothing", "/api/v1/timelines", "/api/v1/timelines/none"):
            for token in (None, "x", world.walker.token):
                headers = [("Origin", OTHER_SITE)] + [("Authorization", f"Bearer {token}")] * bool(token)
                answer = world.caller.ask(method, path, headers=headers, body="")
                assert answer.status in (401, 404, 405), (method, path, token, answer)
                fine(answer, (method, path))


def test_other_sites_may_ask(world):
    """OPTIONS of every address is answered without a token, with all that a browser wants to know."""
    for row in here:
        path = row.path.replace(":id", "1").replace(":tag", "x").replace(":name", "x")
        answer = world.caller.ask("OPTIONS", path, body="", headers=[
            ("Origin", OTHER_SITE), ("Access-Control-Request-Method", row.method),
            ("Access-Control-Request-Headers", "authorization, content-type, idempotency-key")])
        assert answer.status in (200, 204), (row.key, answer)
        allowed = {k.lower(): v.lower() for k, v in answer.headers if k.lower().startswith("access-control-")}
        assert allowed["access-control-allow-origin"] == "*" and row.method.lower() in allowed["access-control-allow-methods"], (row.key, allowed)
        for header in ("authorization", "content-type", "idempotency-key"):
            assert header in allowed["access-control-allow-headers"], (row.key, allowed)


OTHERS = {"POST /oauth/token": "grant_type client_id client_secret code redirect_uri code_verifier username password scope",
          "POST /oauth/revoke": "client_id client_secret token", "GET /.well-known/webfinger": "resource rel", "GET /.well-known/host-meta": "",
          "GET /.well-known/nodeinfo": "", "GET /.well-known/security.txt": "", "GET /.well-known/oauth-authorization-server": "",
          "GET /nodeinfo/2.0": "", "GET /api": ""}


def test_other_areas(world):
    """The rest of what the document names: odd words in every parameter, in every encoding, with and without a token: no fault,
    and nothing is given to anybody; errors of OAuth are JSON in its own words."""
    promised = {f"{method} {route.path}" for route in read_api_routes(world.server) for method in route.methods if not route.path.startswith("/api/")}
    assert promised == set(OTHERS)
    for key, words in OTHERS.items():
        method, path = key.split()
        names = words.split()
        bodies = list(BROKEN_BODIES) if method == "POST" else []
        queries = [""]
        for name in names:
            for word in ODD_WORDS:
                bodies += encodings({**dict.fromkeys(names, "1"), "grant_type": "password", name: word}).values()
                queries.append("?" + urllib.parse.urlencode({name: word}))
            bodies += [("application/json", json.dumps({**dict.fromkeys(names, "1"), name: value})) for value in ODD_VALUES]
            queries += [f"?{name}=1&{name}=2", f"?{name}[]=1", f"?{name}[a][b]=1"]
        for token in (None, "x", world.dead, world.walker.token):
            headers = [("Origin", OTHER_SITE)] + [("Authorization", f"Bearer {token}")] * (token is not None)
            for query in queries if method == "GET" else ():
                answer = world.caller.ask(method, path + query, headers=headers, body="")
                assert answer.status < 500 and answer.header("Access-Control-Allow-Origin") == "*", (key, query, answer)
            for kind, body in bodies if method == "POST" else ():
                answer = world.caller.ask(method, path, headers=[*headers, ("Content-Type", kind)], body=body)
                said = fine(answer, (key, kind, body))
                assert answer.status in (400, 401, 403, 413, 415, 422) and "access_token" not in said, (key, kind, body, answer)
