"""A post to tens of thousands of homes: everybody has it, exactly once, also when the server dies in between."""

import time

import pytest

from retwis_readers import Readers
from retwis_server import Server

READERS = 35_500  # more than two steps of a job, and not a whole number of chunks


@pytest.fixture(name="crowd")
def fixture_crowd(request):
    """See Readers; the parameter is the server's environment."""
    with Server(engine="redis", env=getattr(request, "param", {})) as server:
        readers = Readers(server, READERS)
        yield readers
        readers.close()


@pytest.mark.parametrize("crowd", [{}, {"RETWIS_TIMELINE_INLINE_FOLLOWERS": "0"},
                                   {"RETWIS_TIMELINE_INLINE_FOLLOWERS": "3000"}], indirect=True)
def test_everybody_has_it(crowd):
    for n in range(3):
        crowd.author.post_quickly(f"post {n}")
        crowd.wait()
        assert crowd.wrong() == 0


@pytest.mark.parametrize("pause", [0, 0.005, 0.015, 0.03])
def test_server_dies_in_between(crowd, pause):
    crowd.author.post_quickly("the last words")
    time.sleep(pause)
    crowd.server.kill9()
    crowd.server.start()
    crowd.wait(40)
    assert crowd.wrong() == 0


def test_deleted_in_between(crowd):
    """The job of a post that is gone ends, and the other one finds what was delivered."""
    post = crowd.author.post("soon gone")
    crowd.author.delete(post)
    crowd.wait()
    assert crowd.holding(post) == 0
