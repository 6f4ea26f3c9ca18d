"""A reader who follows more people than are asked by a script: his pages are the truth, in every mode and direction."""

import os
import sys

import pytest

from retwis_server import REPOSITORY, Browser, Server

sys.path.insert(0, os.path.join(REPOSITORY, "tests", "bench"))

from fill import Fill, key  # noqa: E402

NAMES = [f"author_{n}" for n in range(80)]
PAGE = 40


@pytest.fixture(scope="module", params=["push", "pull", "hybrid"])
def site(request):
    """80 authors with 12 posts each, one of them with 60 more in a row, and their reader; the truth, newest first."""
    env = {"RETWIS_TIMELINE_PAGE": str(PAGE), "RETWIS_TIMELINE_SIZE": "200", "RETWIS_TIMELINE_PULL_PER_AUTHOR": "3"}
    with Server(engine="redis", mode=request.param, env=env) as server:
        reader = Browser(server).sign_up("reader")
        uid = int(reader.cookie.split(".")[0])
        with Fill(server.redis.socket) as f:
            authors = f.people(NAMES)
            truth = f.posts(authors, NAMES, 6)
            truth += f.posts(authors[7:8], NAMES[7:8], 60)
            truth += f.posts(authors, NAMES, 6)
            f.follows(uid, authors)
        yield server, reader, uid, [str(n) for n in reversed(truth)]


def forget(server, uid):
    """The reader's home is gone; the next visit makes it anew."""
    with server.engine() as engine:
        engine("DEL", key("home", uid))


def test_all_pages(site):
    server, reader, uid, truth = site
    for _ in range(2):
        assert reader.timeline_ids("/home") == truth
        forget(server, uid)


@pytest.mark.parametrize("at", [1, 39, 100, 199, 200, 201, 500, 560, 900, 1019])
def test_both_ways(site, at):
    _, reader, _, truth = site
    assert reader.get(f"/home?max_id={truth[at]}").ids == truth[at + 1:at + 1 + PAGE]
    assert reader.get(f"/home?min_id={truth[at]}").ids == truth[max(0, at - PAGE):at]


def test_round_trips(site):
    """Two, whoever is followed; a home that is made anew may take one more for posts that the cache lacks."""
    server, reader, uid, _ = site
    reader.get("/home")
    assert server.trips(reader.get("/home")) <= 2
    forget(server, uid)
    assert server.trips(reader.get("/home")) <= 3  # the cache knows the posts: two, and one to begin the home
    server.restart()
    assert server.trips(reader.get("/home")) <= 3
    assert server.trips(reader.get("/home")) <= 2
