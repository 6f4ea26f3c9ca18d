"""What one server remembers is true, whatever another one changes meanwhile, and whatever happens to the connection on which it
hears of that: within milliseconds while it hears, and with the next request as soon as it knows that it does not."""

import os

import pytest

from retwis_process import wait_until
from retwis_proxy import LISTENER, Proxy
from retwis_server import Browser, RedisServer, Server

PARTITIONS = 16
SOON = 20  # seconds, of a busy machine: what is meant is milliseconds


class Site:
    """Two servers; what the second one's listener hears goes through a proxy."""

    def __init__(self, redis, proxy, one, two):
        self.redis, self.proxy, self.one, self.two = redis, proxy, one, two

    def begun_anew(self):
        """How often the second one has forgotten everything because it may have missed something."""
        return self.two.metric("events_begun_anew_total")

    def hears(self):
        """Waits until the second one believes what it remembers."""
        wait_until(lambda: self.two.metric("cache_trusted") == 1, SOON, "the listener hears")

    def silence(self):
        """The second one's listener hears nothing any more, and the server knows it."""
        self.proxy.silent.set()
        wait_until(lambda: self.two.metric("cache_trusted") == 0, SOON, "nothing is trusted")


@pytest.fixture(scope="module")
def site():
    """One engine for all tests."""
    with RedisServer() as redis, Proxy(redis.socket, os.path.join(redis.directory, "proxy")) as proxy:
        with Server(engine=redis) as one, Server(engine=redis, env={"RETWIS_REDIS_URL": f"unix://{proxy.path}"}) as two:
            yield Site(redis, proxy, one, two)


@pytest.fixture
def heard(site):
    """The site, with everything in order before and after."""
    site.hears()
    yield site
    site.proxy.silent.clear()
    site.hears()


class Story:
    """A post, its author, and an administrator, who is at the second server; all of it is remembered there."""

    def __init__(self, site, people):
        self.site = site
        self.author, admin, other = people(site.one, "author", "admin", "other")
        for name in (admin.name, other.name):
            site.one.cli("user", "promote", name)
        self.admin = Browser(site.two)
        self.admin.session.cookies.set("retwis", admin.cookie)
        self.admin.name = admin.name
        self.post, self.kept = self.author.post("to be deleted"), self.author.post("to be kept")
        self.reader = Browser(site.two)
        wait_until(self.is_administrator, SOON, "he is an administrator there")
        for _ in range(2):
            assert self.status() == 200 and self.name() == self.author.name

    def status(self):
        """Of the post's page at the second server."""
        return self.reader.get(f"/@{self.author.name}/{self.post}", expect=None).status

    def name(self):
        """Under which the author is shown there."""
        return self.reader.get(f"/@{self.author.name}").one("h1").text

    def is_administrator(self):
        """Whether the second server takes him for one: he may delete what others post."""
        return self.admin.delete(self.author.post("for the administrator"), follow=False).status != 403

    def change_all(self):
        """Deletes, edits, revokes, at the first server."""
        self.author.delete(self.post)
        self.author.submit(self.author.get("/settings/profile").form("/settings/profile"), display_name="Anew", bio="")
        self.site.one.cli("user", "demote", self.admin.name)

    def is_known(self):
        """Whether all of that is true at the second server."""
        return self.status() == 404 and self.name() == "Anew" and not self.is_administrator()


def test_changes_of_others_are_heard(heard, people):
    """The listener says so; nothing had to be forgotten for it but what was changed."""
    story = Story(heard, people)
    before, anew = heard.two.metric("events_heard_total"), heard.begun_anew()
    story.change_all()
    wait_until(story.is_known, SOON, "the other server knows")
    assert heard.two.metric("events_heard_total") >= before + 3
    assert heard.begun_anew() == anew


def test_ended_sessions_are_told(heard, people):
    """Signing out ends the session everywhere at once, and an event says so to all."""
    me = people(heard.one, "me")
    there = Browser(heard.two)
    there.session.cookies.set("retwis", me.cookie)
    assert there.is_signed_in()
    before = heard.two.metric("events_heard_total")
    me.sign_out()
    assert not there.is_signed_in()
    wait_until(lambda: heard.two.metric("events_heard_total") > before, SOON, "the event is heard")


def test_silence_is_not_believed(heard, people):
    """The connection is there and says nothing: as soon as the server has noticed, the next request of each page is true."""
    story = Story(heard, people)
    before = heard.two.metric("events_heard_total")
    heard.proxy.silent.set()
    story.change_all()
    heard.silence()
    assert story.status() == 404
    assert story.name() == "Anew"
    assert not story.is_administrator()
    assert heard.two.metric("events_heard_total") == before
    heard.proxy.silent.clear()
    heard.hears()
    assert story.is_known()


def test_connection_is_cut(heard, people):
    """Another one is made, and everything forgotten."""
    story = Story(heard, people)
    anew = heard.begun_anew()
    with heard.redis.engine() as engine:
        lines = engine("CLIENT", "LIST").split(b"\n")
        ids = [dict(f.split(b"=", 1) for f in line.split())[b"id"] for line in lines if b"name=" + LISTENER in line]
        assert len(ids) == 2
        for number in ids:
            engine("CLIENT", "KILL", "ID", number)
    story.change_all()
    wait_until(story.is_known, SOON, "the other server knows")
    wait_until(lambda: heard.begun_anew() > anew, SOON, "it began anew")


@pytest.mark.parametrize("command", ["DEL", "XTRIM"])
def test_streams_are_cut_off(heard, people, command):
    """They are gone, or emptied: nobody knows what was missed."""
    story = Story(heard, people)
    story.author.reply(story.author.name, story.kept, "so that there is an event to miss")
    anew = heard.begun_anew()
    with heard.redis.engine() as engine:
        for p in range(PARTITIONS):
            engine(command, f"{{{p}}}:events", *(["MAXLEN", "0"] if command == "XTRIM" else []))
    story.change_all()
    wait_until(story.is_known, SOON, "the other server knows")
    wait_until(lambda: heard.begun_anew() > anew, SOON, "it began anew")


def test_engine_is_restarted(heard, people):
    """It may have other data than before."""
    story = Story(heard, people)
    anew = heard.begun_anew()
    heard.redis.kill9()
    heard.redis.start()
    for server in (heard.one, heard.two):
        server.wait_healthy()
    story.change_all()
    wait_until(story.is_known, SOON, "the other server knows")
    wait_until(lambda: heard.begun_anew() > anew, SOON, "it began anew")
