"""An author with tens of thousands of followers, of whom only the homes exist: for tests of deliveries."""

import os
import sys

from retwis_process import wait_until
from retwis_server import REPOSITORY, Browser

sys.path.insert(0, os.path.join(REPOSITORY, "tests", "bench"))

from fill import Fill, bucket_of_name, key  # noqa: E402

COUNT = """local wrong = 0
for _, home in ipairs(KEYS) do
    local times = #redis.call('LPOS', home, ARGV[1], 'COUNT', 0)
    if times ~= 1 then wrong = wrong + 1 end
end
return wrong"""


class Readers:
    """On a server with an engine of its own."""

    def __init__(self, server, count):
        self.server = server
        self.author = Browser(server).sign_up("star")
        self.uid = int(self.author.cookie.split(".")[0])
        with Fill(server.redis.socket) as f:
            self.readers = f.homes(count)
            f.followers(self.uid, self.readers)
        self.engine = server.engine()

    def close(self):
        """Ends the connection."""
        self.engine.close()

    def jobs(self):
        """How many the author has waiting or under way."""
        return self.engine("ZCARD", f"{{{self.uid >> 6 & 1023}}}:jobs")

    def wait(self, seconds=20):
        """Until no job is left."""
        wait_until(lambda: self.jobs() == 0, seconds, "the deliveries are over")

    def wrong(self):
        """Homes that do not hold the newest post exactly once."""
        post = self.engine("ZRANGE", key("posts", self.uid), -1, -1)[0]
        parts = [self.readers[at:at + 1000] for at in range(0, len(self.readers), 1000)]
        return sum(self.engine("EVAL", COUNT, len(p), *[key("home", r) for r in p], post) for p in parts)

    def holding(self, post):
        """Homes that hold a post, among whole thousands of them."""
        parts = [self.readers[at:at + 1000] for at in range(0, len(self.readers) - 999, 1000)]
        return sum(1000 - self.engine("EVAL", COUNT, len(p), *[key("home", r) for r in p], post) for p in parts)
