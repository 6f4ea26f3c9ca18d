"""Pull: people who have written nothing since the last visit cost little, and those who have are never missed."""

import os
import re
import sys

import pytest

from retwis_server import REPOSITORY, Browser, Server

sys.path.insert(0, os.path.join(REPOSITORY, "tests", "bench"))

from fill import Fill, key  # noqa: E402

NAMES = [f"author_{n}" for n in range(30)]


@pytest.fixture(name="site", scope="module")
def fixture_site():
    """A reader of 30 authors whose posts are old, and of one person who can write; the truth, newest first."""
    with Server(engine="redis", mode="pull") as server:
        reader, writer = (Browser(server).sign_up(name) for name in ("reader", "writer"))
        with Fill(server.redis.socket) as f:
            authors = f.people(NAMES)
            truth = f.posts(authors, NAMES, 3)
            f.follows(int(reader.cookie.split(".")[0]), authors)
        reader.follow("writer")
        yield server, reader, writer, [str(n) for n in reversed(truth)]


def calls(engine, *commands):
    """How often the engine has run each of these commands."""
    text = engine("INFO", "commandstats").decode()
    found = [re.search(rf"cmdstat_{c}:calls=(\d+)", text) for c in commands]
    return [int(f[1]) if f else 0 for f in found]


def test_silent_authors_are_not_asked(site):
    """Whoever has nothing new costs a word of one command; whoever has is asked, and nobody else."""
    server, reader, writer, truth = site
    reader.get("/home")
    with server.engine() as engine:
        def look():
            before = calls(engine, "evalsha", "zrange", "mget")
            page = reader.get("/home")
            assert page.ids == truth[:len(page.ids)]
            cost = [now - then for now, then in zip(calls(engine, "evalsha", "zrange", "mget"), before)]
            return len(page.ids), server.trips(page), cost

        seen = [look() for _ in range(3)]  # a server that heard nothing for a second, on a busy machine, asks for more
        length = seen[0][0]
        assert (length, 1, [0, 1, 1]) in seen, seen  # and the tags that he follows
        post = writer.post("news")
        scripts = calls(engine, "evalsha")[0]
        assert reader.get("/home").ids == ([post] + truth)[:length]
        assert calls(engine, "evalsha")[0] <= scripts + 2  # the writer's posts, and the home with them
        writer.delete(post)
        assert reader.get("/home").ids == truth[:length]


def test_absent_mark_is_asked(site):
    """An author of whom no mark is kept is asked at every visit: his posts are never missed."""
    server, reader, writer, truth = site
    reader.get("/home")
    with server.engine() as engine:
        engine("DEL", key("newest", int(writer.cookie.split(".")[0])))
        post = writer.post("more news")
        engine("DEL", key("newest", int(writer.cookie.split(".")[0])))
        assert reader.get("/home").ids[:2] == [post, truth[0]]
