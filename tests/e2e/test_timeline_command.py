"""`retwis timeline show` and `rebuild`: the same ids as the page, with where each came from."""

import re

import pytest

from retwis_server import Browser, Server

ROW = re.compile(r"^(\d{18})  (\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)  (\w+) +(cache|merge|tag)$")


def show(server, name, *options):
    """Rows of the output."""
    rows = [ROW.match(line) for line in server.cli("timeline", "show", name, *options).splitlines()]
    assert all(rows)
    return [row.groups() for row in rows]


@pytest.mark.parametrize("mode", ["push", "pull", "hybrid"])
def test_show_is_the_page(mode):
    """Ids and authors of the home, in any mode, on every page, from the cache and below it."""
    env = {"RETWIS_TIMELINE_SIZE": "12", "RETWIS_TIMELINE_PAGE": "5", "RETWIS_TIMELINE_CELEBRITY_FOLLOWERS": "1"}
    with Server(mode=mode, env=env) as server:
        ann, ben, cleo = (Browser(server).sign_up(n) for n in ("ann", "ben", "cleo"))
        ann.follow_many("ben,cleo")
        cleo.follow("ben")
        for i in range(20):
            for person in (ann, ben, cleo):
                person.post(f"{i} by {person.name}")
        page = ann.timeline("/home")
        rows = show(server, "ann", "--limit", "1000")
        assert [(r[0], r[2]) for r in rows] == [(s.id, s.author) for s in page] and len(rows) == 60
        sources = [r[3] for r in show(server, "Ann", "--limit", "5")]
        if mode == "push":
            assert sources == ["cache"] * 5
        elif mode == "hybrid":  # ben has two followers: his are asked for
            assert {s for (_, _, author, s) in rows if author == "ben"} == {"merge"} or "cache" in sources
        below = show(server, "ann", "--limit", "20", "--max-id", page[14].id)
        assert [r[0] for r in below] == [s.id for s in page[15:35]] and below[-1][3] == "merge"
        assert show(server, "ann", "--max-id", page[-1].id) == []


def test_rebuild(push_server, people):
    """Dropped, and built again with everything by the next visit; show says so."""
    me, ben = people(push_server, "me", "ben")
    me.follow(ben.name)
    ids = [ben.post(f"{i}") for i in range(4)][::-1]
    me.get("/home")
    assert [r[3] for r in show(push_server, me.name)] == ["cache"] * 4
    with push_server.engine() as engine:
        home = engine.one_key(f"*:home:{me.cookie.split('.')[0]}")
        engine("LREM", home, 0, ids[1])
        assert me.get("/home").ids == [ids[0]] + ids[2:]
        assert me.name in push_server.cli("timeline", "rebuild", me.name)
        assert engine("EXISTS", home) == 0
        ben.post("in between")
        rows = show(push_server, me.name)
        assert [r[0] for r in rows][1:] == ids and {r[3] for r in rows} == {"merge"}
        assert engine("EXISTS", home) == 1
    assert {r[3] for r in show(push_server, me.name)} == {"cache"}
    assert me.get("/home").ids[1:] == ids


def test_rebuild_all():
    """Of all users, whether somebody reads them or not."""
    with Server() as server:
        server.cli("demo", "fill", "--users", "60", "--posts", "400", "--seed", "3")
        names = re.findall(r"^\w+", server.cli("user", "list"), re.MULTILINE)[1:]
        before = {}
        for name in names[::9]:
            me = Browser(server).sign_in(name, "retwis demo")
            before[name] = me.get("/home").ids
        assert "the homes of 60 users" in server.cli("timeline", "rebuild", "--all")
        with server.engine() as engine:
            assert engine.keys("*:home:*") == []
        for name, ids in before.items():
            assert show(server, name), "built again"
            assert Browser(server).sign_in(name, "retwis demo").get("/home").ids == ids


@pytest.mark.parametrize("words, status, hint", [
    (["show", "nobody_here"], 1, "no user"), (["show"], 2, "missing"), (["show", "x", "--limit", "0"], 2, "from 1 to"),
    (["rebuild"], 2, "--all"), (["rebuild", "x", "--all"], 2, "--all"), (["rebuild", "nobody_here"], 1, "no user"),
])
def test_wrong_usage(push_server, words, status, hint):
    """Said, on standard error."""
    done = push_server.cli("timeline", *words, expect=None)
    assert done.returncode == status and hint in done.stderr and done.stdout == ""
