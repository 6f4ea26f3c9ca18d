"""What one server remembers is true, whatever another one changes meanwhile, and whatever happens to the connection on which it
hears of that: within milliseconds while it hears, and with the next request as soon as it knows that it does not."""

import contextlib
import os
import signal
import threading
import time

import pytest

from retwis_process import limit, wait_until
from retwis_proxy import LISTENER, Proxy
from retwis_server import Browser, RedisServer, Server

PARTITIONS = 16
SOON = 20  # seconds, of a busy machine: what is meant is milliseconds
SILENCE = 1  # second: after that nothing remembered is believed, however busy the machine is
PATIENT = {"RETWIS_REDIS_COMMAND_TIMEOUT": "20000"}


class Site:
    """Two servers; what the second one's listener hears goes through a proxy."""

    def __init__(self, redis, proxy, one, two):
        self.redis, self.proxy, self.one, self.two = redis, proxy, one, two

    def begun_anew(self):
        """How often the second one has forgotten everything because it may have missed something."""
        return self.two.metric("events_begun_anew_total")

    def events(self):
        """How many events the second one has heard, of those that were on their way all."""
        seen = []

        def settled():
            time.sleep(0.1)
            seen.append(self.two.metric("events_heard_total"))
            return seen[-1:] == seen[-2:-1]

        wait_until(settled, SOON, "what was on its way has arrived")
        return seen[-1]

    def hears(self):
        """Waits until the second one believes what it remembers."""
        wait_until(lambda: self.two.metric("cache_trusted") == 1, SOON, "the listener hears")

    def silence(self):
        """The second one's listener hears nothing any more, and the server knows it."""
        self.proxy.silent.set()
        wait_until(lambda: self.two.metric("cache_trusted") == 0, SOON, "nothing is trusted")

    def listeners(self):
        """Ids of the connections on which servers hear of events."""
        with self.redis.engine() as engine:
            lines = [line.split() for line in engine("CLIENT", "LIST").split(b"\n") if b"name=" + LISTENER in line]
        return {dict(f.split(b"=", 1) for f in line)[b"id"] for line in lines}

    def cut(self, ids):
        """Ends connections."""
        with self.redis.engine() as engine:
            for number in ids:
                engine("CLIENT", "KILL", "ID", number)


@pytest.fixture(scope="module")
def site():
    """One engine for all tests."""
    with RedisServer() as redis, Proxy(redis.socket, os.path.join(redis.directory, "proxy")) as proxy:
        through = {"RETWIS_REDIS_URL": f"unix://{proxy.path}"}
        with Server(engine=redis, env=PATIENT) as one, Server(engine=redis, env=PATIENT | through) as two:
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
        self.change(self.author.get("/settings/profile").form("/settings/profile"))
        self.demote()

    def change(self, form):
        """Deletes and edits; the form of the profile was loaded before."""
        self.author.delete(self.post)
        self.author.submit(form, display_name="Anew", bio="")

    def demote(self):
        """Revokes."""
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
    heard.proxy.silent.set()
    before = heard.events()  # what happened before is heard until then
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
    ids = heard.listeners()
    assert len(ids) == 2
    heard.cut(ids)
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


@contextlib.contextmanager
def stopped(pid):
    """The process does nothing, and its connections stay."""
    os.kill(pid, signal.SIGSTOP)
    try:
        yield
    finally:
        os.kill(pid, signal.SIGCONT)


def test_engine_is_stopped(heard, people):
    """Nobody is answered from memory after a second of it; and when it goes on, a change that it found waiting is told by every page
    as soon as what was remembered before cannot be believed any more."""
    story = Story(heard, people)
    form = story.author.get("/settings/profile").form("/settings/profile")
    story.author.token()
    with heard.redis.engine() as engine:
        pid = int(engine.info("process_id"))
    with stopped(pid):
        time.sleep(SILENCE)
        threads = [threading.Thread(target=target, args=args, daemon=True)
                   for target, args in ((story.status, ()), (story.change, (form,)))]
        for thread in threads:
            thread.start()
        time.sleep(0.3)
        assert all(thread.is_alive() for thread in threads), "an answer without the engine"
    for thread in threads:
        thread.join(limit(SOON))
        assert not thread.is_alive()
    story.demote()
    time.sleep(SILENCE)
    assert story.is_known()
    heard.hears()
    assert story.is_known()


def test_server_is_stopped(heard, people):
    """What it remembers is older than a second when it goes on, and what waits in its connections is as old: its first pages are
    true."""
    story = Story(heard, people)
    with stopped(heard.two.process.pid):
        story.change_all()
        time.sleep(SILENCE)
    assert story.is_known()
    heard.hears()
    assert story.is_known()


class Place:
    """The same user at one of several servers, and a reader there."""

    def __init__(self, server, user):
        self.server = server
        self.user, self.reader = Browser(server), Browser(server)
        self.user.session.cookies.set("retwis", user.cookie)
        self.user.name = user.name

    def change(self, name, post):
        """Edits and deletes here."""
        self.user.submit(self.user.get("/settings/profile").form("/settings/profile"), display_name=name, bio="")
        self.user.delete(post)

    def shows(self, name, post):
        """Whether the pages here say so."""
        return (self.reader.get(f"/@{self.user.name}").one("h1").text == name
                and self.reader.get(f"/@{self.user.name}/{post}", expect=None).status == 404)


def test_three_servers(heard, people):
    """Each of them hears what the others change; a connection that is cut is the business of its server alone."""
    user = people(heard.one, "user")
    before = heard.listeners()
    with Server(engine=heard.redis) as three:
        wait_until(lambda: three.metric("cache_trusted") == 1, SOON, "the third one hears")
        third = heard.listeners() - before
        assert len(before) == 2 and len(third) == 1
        places = [Place(server, user) for server in (heard.one, heard.two, three)]
        posts = [user.post(f"number {i}") for i in range(len(places) + 1)]
        for i, place in enumerate(places):
            others = [other for other in places if other is not place]
            for other in others:  # so that there is something to forget
                assert all(other.reader.get(f"/@{user.name}/{post}").status == 200 for post in posts[i:])
            heard_before = [other.server.metric("events_heard_total") for other in others]
            place.change(f"Name {i}", posts[i])
            for other, count in zip(others, heard_before):
                wait_until(lambda: other.shows(f"Name {i}", posts[i]), SOON, "another server knows")
                wait_until(lambda: other.server.metric("events_heard_total") >= count + 2, SOON, "it was told")
        anew, anew_there = heard.begun_anew(), three.metric("events_begun_anew_total")
        heard.cut(third)
        places[0].change("The last name", posts[-1])
        wait_until(lambda: three.metric("events_begun_anew_total") > anew_there, SOON, "it began anew")
        assert all(place.shows("The last name", posts[-1]) for place in places[2:])
        wait_until(lambda: places[1].shows("The last name", posts[-1]), SOON, "the others know")
        assert heard.begun_anew() == anew and heard.listeners() > before
