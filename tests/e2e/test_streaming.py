"""The streaming API by server-sent events: what happens comes to those whom it concerns, once, in order, and to nobody else; who was
away is told what he missed; who may not listen any more is cut off.
"""

import itertools

import pytest
import requests
from mastodon import Mastodon, StreamListener

from api_client import Api
from api_entities import check
from api_stream import Listener
from retwis_browser import Browser
from retwis_process import limit, wait_until
from retwis_server import Server

STATUSES = "/api/v1/statuses"
_numbers = itertools.count()


@pytest.fixture(name="site", scope="module")
def site_fixture(tmp_path_factory):
    """One server for all of these."""
    with Server(tmp_path_factory.mktemp("streams"), env={"RETWIS_STREAM_PER_ACCOUNT": "3"}) as server:
        yield server


@pytest.fixture(name="crowd")
def crowd_fixture(site):
    """crowd(3): so many new people with tokens."""
    def make(count):
        return [Api.sign_up(site, f"hearer{next(_numbers):03}") for _ in range(count)]

    return make


def write(author, text, **more):
    """A post; its id."""
    return author.post(STATUSES, status=text, **more)["id"]


def follow(reader, author):
    """And waits until both sides know."""
    reader.post(f"/api/v1/accounts/{author.id}/follow")
    wait_until(lambda: author.get(f"/api/v1/accounts/{author.id}")["followers_count"] == 1, limit(10), "to be followed")


def ask(site, channel, token=None, **query):
    """Status and body of a stream that is refused."""
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    answer = requests.get(f"{site.url}/api/v1/streaming/{channel}", headers=headers, params=query, timeout=limit(20))
    return answer.status_code, answer.text, answer.headers


def cookies(browser):
    """The header by which its requests say who asks."""
    return {"Cookie": "; ".join(f"{c.name}={c.value}" for c in browser.session.cookies)}


def test_session_of_a_page(site, crowd):
    """A page of this site hears with its session: until that ends, and no other site's page does, nor any page anything but streams."""
    ann, (friend,) = Browser(site), crowd(1)
    ann.sign_up(f"hearer{next(_numbers):03}")
    sent = cookies(ann)
    for own in ({}, {"Origin": site.url}, {"Sec-Fetch-Site": "same-origin", "Origin": site.url}):
        with Listener(ann, "user", page={**sent, **own}) as ear:
            ann.post("hello")
            post = ear.next("update")
            assert post["content"] == "<p>hello</p>"
            friend.post(f"{STATUSES}/{post['id']}/favourite")
            assert ear.next("notification")["type"] == "favourite"
    others = {"Origin": "https://evil.example"}, {"Sec-Fetch-Site": "cross-site"}, {"Sec-Fetch-Site": "same-site"}, {"Origin": "null"}
    for foreign in (*others, {"Authorization": "Bearer nobody"}, {"Upgrade": "websocket"}):
        answer = requests.get(f"{site.url}/api/v1/streaming/user", headers={**sent, **foreign}, timeout=limit(20))
        assert answer.status_code == 401, (foreign, answer.text)
    bad = {"Cookie": sent["Cookie"].replace("=", "=x")}
    assert requests.get(f"{site.url}/api/v1/streaming/user", headers=bad, timeout=limit(20)).status_code == 401
    home = requests.get(f"{site.url}/api/v1/timelines/home", headers={**sent, "Origin": site.url}, timeout=limit(20))
    assert home.status_code == 401
    with Listener(ann, "user", page=sent) as ear:
        ann.sign_out()
        ear.ends()


def test_home(crowd):
    """Own posts, those of people and tags followed, and boosts; edits, deletions; nothing of strangers."""
    alice, bob, carol = crowd(3)
    follow(alice, bob)
    alice.post("/api/v1/tags/tea/follow")
    with Listener(alice, "user") as ear:
        own = write(alice, "mine")
        assert check(ear.next("update"), "Status+")["id"] == own
        write(carol, "of a stranger")
        write(carol, "for me alone", visibility="private")
        tagged = write(carol, "a cup of #Tea")
        assert ear.next("update")["id"] == tagged
        theirs = write(bob, "for followers", visibility="private")
        assert ear.next("update")["id"] == theirs
        bob.post(f"{STATUSES}/{tagged}/reblog")
        assert ear.next("update")["reblog"]["id"] == tagged
        bob.put(f"{STATUSES}/{theirs}", status="said better")
        assert "said better" in ear.next("status.update")["content"]
        bob.delete(f"{STATUSES}/{theirs}")
        assert ear.next("delete") == theirs
        last = write(bob, "the last")
        assert ear.next("update")["id"] == last


def test_public_and_tags(crowd):
    """What stands on the public timeline, with blocks and mutes of the one who listens; and only with the tag."""
    alice, bob, carol = crowd(3)
    alice.post(f"/api/v1/accounts/{carol.id}/block")
    with Listener(alice, "public") as all_ear, Listener(alice, "hashtag", by_query=True, tag="Chá") as tag_ear:
        write(carol, "of one who is blocked #chá")
        write(bob, "not on the timeline #chá", visibility="unlisted")
        first = write(bob, "everybody #chá")
        second = write(bob, "nobody's tag #coffee")
        assert all_ear.next("update")["id"] == first == tag_ear.next("update")["id"]
        assert all_ear.next("update")["id"] == second
        bob.delete(f"{STATUSES}/{second}")
        bob.delete(f"{STATUSES}/{first}")
        assert all_ear.next("delete") == second
        assert all_ear.next("delete") == first == tag_ear.next("delete")


def test_list(site, crowd):
    """What those on a list post, with the answers that it shows; nobody else hears of it."""
    alice, bob, carol = crowd(3)
    made = alice.post("/api/v1/lists", title="some", replies_policy="none")["id"]
    alice.post(f"/api/v1/accounts/{bob.id}/follow")
    alice.post(f"/api/v1/lists/{made}/accounts", **{"account_ids[]": bob.id})
    assert ask(site, "list", carol.token, list=made)[0] == 404 == ask(site, "list", alice.token, list="x")[0]
    assert ask(site, "list", alice.token)[0] == 400
    with Listener(alice, "list", list=made) as ear:
        write(alice, "not on my own list")
        other = write(carol, "nobody listens to me")
        write(bob, f"@{carol.name} I do", in_reply_to_id=other)
        post = write(bob, "on the list", visibility="unlisted")
        assert ear.next("update")["id"] == post
        carol.delete(f"{STATUSES}/{other}")
        bob.delete(f"{STATUSES}/{post}")
        assert ear.next("delete") == post


def test_notifications(crowd):
    """Each once, in order, of every kind that a process other than the listener's own request makes; none for who may not read them."""
    alice, bob = crowd(2)
    post = write(alice, "what do you think?")
    small = Api.of(alice.server, alice.name, "read:statuses")
    with Listener(alice, "user/notification") as ear, Listener(small, "user") as posts:
        write(bob, f"@{alice.name} well")
        mention = check(ear.next("notification"), "Notification")
        assert mention["type"] == "mention" and mention["account"]["id"] == bob.id
        bob.post(f"{STATUSES}/{post}/favourite")
        assert ear.next("notification")["type"] == "favourite"
        bob.post(f"{STATUSES}/{post}/reblog")
        assert ear.next("notification")["type"] == "reblog"
        bob.post(f"/api/v1/accounts/{alice.id}/follow")
        assert ear.next("notification")["type"] == "follow"
        own = write(alice, "thank you")
        assert posts.next("update")["id"] == own


def test_conversations_and_filters(crowd):
    """A direct post comes as a conversation; filters that change are told, without a payload that breaks clients."""
    alice, bob = crowd(2)
    with Listener(alice, "direct") as ear, Listener(alice, "user") as home:
        direct = write(bob, f"@{alice.name} between us", visibility="direct")
        assert check(ear.next("conversation"), "Conversation")["last_status"]["id"] == direct
        assert home.next("notification")["status"]["id"] == direct
        alice.post("/api/v2/filters", title="t", **{"context[]": "home"})
        assert home.next("filters_changed") == {}


def test_resume(crowd):
    """Who comes back is told what he missed, once and in order; a place that is no place is where he begins."""
    alice, bob = crowd(2)
    follow(alice, bob)
    with Listener(alice, "user") as ear:
        first = write(bob, "first")
        assert ear.next("update")["id"] == first
        place = ear.last
    missed = [write(bob, f"number {i}") for i in range(30)]
    bob.post(f"{STATUSES}/{write(alice, 'mine')}/favourite")
    bob.delete(f"{STATUSES}/{missed[-1]}")
    wait_until(lambda: len(alice.get("/api/v1/notifications")) == 1, limit(10), "to be told")
    with Listener(alice, "user", last=place) as ear:
        came = ear.take(10)
        middle = ear.last
        rest = ear.take(len(missed) + 2 - 10)
    came += rest
    assert sorted({name for name, _ in came}) == ["delete", "notification", "update"]
    assert [post for name, post in came if name == "update" and post in missed] == missed[:-1]
    with Listener(alice, "user", last_event_id=middle) as ear:  # what came after it, though all came at once
        again = ear.take(len(rest))
    assert sorted(again) == sorted(rest) and [one for one in again if one[0] == "update"] == [one for one in rest if one[0] == "update"]
    with Listener(alice, "user", last="nonsense") as ear:
        last = write(bob, "last")
        assert ear.next("update")["id"] == last
    with Listener(alice, "user", last=".".join(["fffffff"] * 17)) as ear:
        assert ear.next("gap") == {}


def test_who_may_listen(site, crowd):
    """Nobody without a token, with one that says too little, or with too many streams; who is signed out is cut off."""
    (alice,) = crowd(1)
    assert ask(site, "health")[:2] == (200, "OK")
    assert ask(site, "user")[0] == 401 == ask(site, "public", "nonsense")[0]
    assert ask(site, "hashtag", alice.token)[0] == 400 and ask(site, "unknown", alice.token)[0] == 404
    small = Api.of(site, alice.name, "write")
    assert ask(site, "user", small.token)[0] == 403
    with Listener(alice, "user") as one, Listener(small, "public"), Listener(alice, "public/local"):
        status, _, headers = ask(site, "user", alice.token)
        assert status == 503 and int(headers["Retry-After"]) > 0
        site.cli("app", "revoke", alice.token)
        one.ends()


def test_mastodon_py(site, crowd):
    """The listener of Mastodon.py."""
    alice, bob = crowd(2)
    heard = []

    class Ear(StreamListener):
        """Writes down what comes."""

        def on_update(self, status):
            heard.append(("update", str(status.id)))

        def on_notification(self, notification):
            heard.append(("notification", notification.type))

        def on_delete(self, status_id):
            heard.append(("delete", str(status_id)))

    client = Mastodon(access_token=alice.token, api_base_url=site.url)
    client.stream_user(Ear(), run_async=True)  # until the server ends
    wait_until(lambda: heard or not write(alice, "is anybody there?"), limit(20), "to begin")
    wait_until(lambda: heard and heard[-1][1] == alice.get(f"/api/v1/accounts/{alice.id}/statuses")[0]["id"], limit(20), "to be heard")
    heard.clear()
    post = write(alice, "hear, hear")
    wait_until(lambda: ("update", post) in heard, limit(20), "to be heard")
    bob.post(f"{STATUSES}/{post}/favourite")
    wait_until(lambda: ("notification", "favourite") in heard, limit(20), "to be heard")
    alice.delete(f"{STATUSES}/{post}")
    wait_until(lambda: ("delete", post) in heard, limit(20), "to be heard")
    assert len(heard) == 3


def test_restart(tmp_path):
    """A server that stops says when to come back, and stops at once; who comes back to the next misses nothing."""
    with Server(tmp_path) as server:
        alice = Api.sign_up(server, "alice")
        with Listener(alice, "user") as ear:
            first = write(alice, "before")
            assert ear.next("update")["id"] == first
            place = ear.last
            server.stop()
            ear.ends()
            assert ":the server stops" in ear.comments
        server.start()
        second = write(alice, "while nobody listened")
        with Listener(alice, "user", last=place) as ear:
            assert ear.next("update")["id"] == second
