"""The site's own streams: everything, a sample, and filters; by lines of JSON with curl, and by server-sent events; who was away is told
what he missed; an application's own token is enough.
"""

import json
import os
import shutil
import sys
import urllib.parse

import pytest
import requests

from api_client import Api
from api_entities import check
from retwis_process import kill, limit, spawn, wait_until
from retwis_server import Server

PATH = "/api/retwis/v1/stream/"


@pytest.fixture(scope="module", name="site")
def _site():
    with Server() as server:
        yield server


@pytest.fixture(scope="module", name="people")
def _people(site):
    """ann writes, ben listens."""
    return [Api.sign_up(site, name) for name in ("ann", "ben")]


def app_token(site):
    """Of an application by itself."""
    app = requests.post(f"{site.url}/api/v1/apps", timeout=limit(10), data={
        "client_name": "counts", "redirect_uris": "urn:ietf:wg:oauth:2.0:oob", "scopes": "read"}).json()
    return requests.post(f"{site.url}/oauth/token", timeout=limit(10), data={
        "grant_type": "client_credentials", "scope": "read", **{k: app[k] for k in ("client_id", "client_secret")}}).json()["access_token"]


# Where there is no curl, as on a bare Debian, what it does here.
NO_CURL = """
import http.client, sys
from urllib.parse import urlsplit
address, token, last = sys.argv[1:]
to = urlsplit(address)
connection = http.client.HTTPConnection(to.netloc)
connection.request("GET", f"{to.path}?{to.query}", headers={"Authorization": token, "Accept": "*/*", **({"Last-Event-ID": last} if last else {})})
answer = connection.getresponse()
while (line := answer.readline()):
    sys.stdout.buffer.write(line)
    sys.stdout.buffer.flush()
"""


class Curl:
    """`curl -N` of a stream; its lines so far."""

    def __init__(self, site, what, token, last=None, **query):
        self.path = os.path.join(site.directory, f"curl-{os.urandom(4).hex()}")
        address, bearer = f"{site.url}{PATH}{what}?{urllib.parse.urlencode(query)}", f"Bearer {token}"
        if shutil.which("curl"):
            command = ["curl", "-sN", "-H", f"Authorization: {bearer}", "-H", f"Last-Event-ID: {last or ''}", address]
        else:
            command = [sys.executable, "-c", NO_CURL, address, bearer, last or ""]
        with open(self.path, "wb") as out:
            self.process = spawn(command, stdout=out)
        wait_until(lambda: self.lines(), 10, "the stream begins")
        assert self.lines()[0]["event"] == "begin"

    def lines(self):
        """Whole lines only."""
        with open(self.path, encoding="utf-8") as f:
            return [json.loads(line) for line in f.read().split("\n")[:-1]]

    def wait(self, post, event="update"):
        """Those up to what is told of this post; heartbeats left out."""
        def met():
            found = [line for line in self.lines() if line["event"] not in ("begin", "heartbeat")]
            at = [i for i, line in enumerate(found) if line["event"] == event and id_of(line) == post]
            return found[:at[0] + 1] if at else None
        return wait_until(met, 10, f"{event} of {post}")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        kill(self.process)


def id_of(line):
    return line["payload"] if line["event"] == "delete" else line["payload"].get("id")


def write(author, text, **more):
    return author.post("/api/v1/statuses", status=text, **more)["id"]


def ids(lines):
    return [id_of(line) for line in lines]


def test_filters(site, people):
    """Each gets what it asked for, once, in order."""
    ann, ben = people
    with Curl(site, "firehose", app_token(site)) as everything, Curl(site, "sample", ben.token, percent=100) as all_too, \
            Curl(site, "filter", ben.token, track="redis lua,#Tag,鸭") as words, \
            Curl(site, "filter", ben.token, locations="2,48,3,49", follow="@ben") as two:
        first = write(ann, "REDIS, and lua!")
        write(ann, "redis lua for few", visibility="private")
        write(ann, "redis lua unlisted", visibility="unlisted")
        other = write(ann, "nothing")
        tagged = write(ann, "a #tag for @ben")
        duck = write(ann, "北京烤鸭")
        last = write(ann, "#tag", **{"lat": "48.5", "long": "2.5"})
        public = [first, other, tagged, duck, last]
        assert ids(everything.wait(last)) == public
        assert ids(all_too.wait(last)) == public
        assert ids(words.wait(last)) == [first, tagged, duck, last]
        assert ids(two.wait(tagged)) == [tagged]
        check(words.wait(first)[0]["payload"], "Status+")
        ann.put(f"/api/v1/statuses/{other}", status="now of redis and lua")
        assert "lua" in words.wait(other, "status.update")[-1]["payload"]["content"]
        ann.delete(f"/api/v1/statuses/{first}")
        words.wait(first, "delete")
        everything.wait(first, "delete")
        end = write(ann, "@ben: the end")
        assert first not in ids(two.wait(end)), "it never had that post"


def test_blocks(site, people):
    """Filters do not show what the one who listens does not want to see."""
    ann, ben = people
    cleo = Api.sign_up(site, "cleo")
    with Curl(site, "filter", ben.token, track="word") as ear:
        ben.post(f"/api/v1/accounts/{cleo.id}/block")
        hidden, seen = write(cleo, "a word"), write(ann, "a word")
        assert ids(ear.wait(seen)) == [seen] and hidden != seen


def test_resume(site, people):
    """What was missed comes, once, in order, and nothing else; after a restart of the server too."""
    ann, ben = people
    with Curl(site, "filter", ben.token, track="word") as ear:
        had = write(ann, "a word that is had")
        place = ear.wait(had)[-1]["id"]
    missed = []
    for i in range(50):
        write(ann, f"noise {i}")
        if i % 10 == 0:
            missed.append(write(ann, f"word {i}"))
    for query in ({"last": place}, {"last_event_id": place}):
        with Curl(site, "filter", ben.token, track="word", **query) as ear:
            missed.append(write(ann, "a word now"))
            assert ids(ear.wait(missed[-1])) == missed


def test_server_sent_events(site, people):
    """By Accept; with the token in the address, as browsers have to send it."""
    ann, ben = people
    with requests.get(f"{site.url}{PATH}filter", params={"access_token": ben.token, "track": "word"}, stream=True,
                      headers={"Accept": "text/event-stream"}, timeout=limit(20)) as answer:
        assert answer.headers["Content-Type"] == "text/event-stream" and answer.headers["X-Accel-Buffering"] == "no"
        lines = answer.iter_lines(chunk_size=1, decode_unicode=True)
        assert next(lines) == ":)"
        post = write(ann, "a word")
        event = [line for line in (next(lines) for _ in range(3))]
        assert event[0] == "event: update" and event[1].startswith("id: ")
        assert json.loads(event[2].removeprefix("data: "))["id"] == post


def test_revoked(site, people):
    """A token that is revoked ends its stream at once."""
    with Curl(site, "filter", app_token(site), track="word") as stays:
        dan = Api.sign_up(site, "dan")
        with Curl(site, "filter", dan.token, track="word") as ear:
            site.cli("user", "suspend", "dan")
            site.cli("user", "passwd", "dan", "--password-stdin", input="another good password 1\n")
            assert ear.process.wait(limit(20)) == 0
        assert stays.process.poll() is None


def test_refusals(site, people):
    """Who has no token, and what no filter understands."""
    _, ben = people
    for what in ("firehose", "sample", "filter?track=a"):
        assert requests.get(f"{site.url}{PATH}{what}", timeout=limit(10)).status_code == 401
    for what, words in (("filter", "at least one of track"), ("filter?track=!", "Each phrase"), ("filter?follow=a b", "ids or names"),
                        ("filter?locations=1,2,3", "four numbers"), ("sample?percent=0", "from 1 to 100")):
        answer = requests.get(f"{site.url}{PATH}{what}", headers={"Authorization": f"Bearer {ben.token}"}, timeout=limit(10))
        assert answer.status_code == 422 and words in answer.text, answer.text
