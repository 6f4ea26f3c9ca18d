"""A post to tens of thousands of homes: everybody has it, exactly once, also when the server dies in between."""

import os
import sys
import time

import pytest

import retwis_process
from retwis_server import REPOSITORY, Browser, Server

sys.path.insert(0, os.path.join(REPOSITORY, "tests", "bench"))

from fill import Fill, key  # noqa: E402

READERS = 35_500  # more than two steps of a job, and not a whole number of chunks
COUNT = """local wrong = 0
for _, home in ipairs(KEYS) do
    local times = #redis.call('LPOS', home, ARGV[1], 'COUNT', 0)
    if times ~= 1 then wrong = wrong + 1 end
end
return wrong"""


class Site:
    """An author with many readers, of whom only the homes exist."""

    def __init__(self, **env):
        self.server = Server(engine="redis", env=env)
        self.author = Browser(self.server).sign_up("star")
        self.uid = int(self.author.cookie.split(".")[0])
        with Fill(self.server.redis.socket) as f:
            self.readers = f.homes(READERS)
            f.followers(self.uid, self.readers)
        self.engine = self.server.engine()

    def close(self):
        """Ends all."""
        self.engine.close()
        self.server.close()

    def wait(self, seconds=20):
        """Until no job is left."""
        jobs = f"{{{self.uid >> 6 & 1023}}}:jobs"
        retwis_process.wait_until(lambda: self.engine("ZCARD", jobs) == 0, seconds, "the deliveries are over")

    def wrong(self):
        """Homes that do not hold the newest post exactly once."""
        post = self.engine("ZRANGE", key("posts", self.uid), -1, -1)[0]
        parts = [self.readers[at:at + 1000] for at in range(0, READERS, 1000)]
        return sum(self.engine("EVAL", COUNT, len(p), *[key("home", r) for r in p], post) for p in parts)


@pytest.fixture
def site(request):
    """See Site; the parameter is its environment."""
    s = Site(**getattr(request, "param", {}))
    yield s
    s.close()


@pytest.mark.parametrize("site", [{}, {"RETWIS_TIMELINE_INLINE_FOLLOWERS": "0"},
                                  {"RETWIS_TIMELINE_INLINE_FOLLOWERS": "3000"}], indirect=True)
def test_everybody_has_it(site):
    for n in range(3):
        site.author.post_quickly(f"post {n}")
        site.wait()
        assert site.wrong() == 0


@pytest.mark.parametrize("pause", [0, 0.005, 0.015, 0.03])
def test_server_dies_in_between(site, pause):
    site.author.post_quickly("the last words")
    time.sleep(pause)
    site.server.kill9()
    site.server.start()
    site.wait(40)
    assert site.wrong() == 0


def test_deleted_in_between(site):
    """The job of a post that is gone ends, and the other one finds what was delivered."""
    post = site.author.post("soon gone")
    site.author.delete(post)
    site.wait()
    parts = [site.readers[at:at + 1000] for at in range(0, READERS, 1000)]
    left = sum(1000 - site.engine("EVAL", COUNT, len(p), *[key("home", r) for r in p], post) for p in parts if
               len(p) == 1000)
    assert left == 0
