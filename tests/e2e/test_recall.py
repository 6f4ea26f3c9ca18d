"""Whole answers that a server gives again: each is what another server on the same engine, which keeps none, makes anew; and the
next one after a change shows it."""

import re

import pytest

from api_client import Api, make_token
from retwis_process import wait_until
from retwis_server import Browser, RedisServer, Server

SOON = 20  # seconds, of a busy machine
FRESH = re.compile(r'(name="?(?:csrf_token|idempotency_key)"?[^>]*? value=)"?([A-Za-z0-9_-]+)"?')
TRENDS = re.compile(r'<section class="panel trending".*?</section>', re.S)  # each process counts them for itself, now and then
TIMES = re.compile(r"(<time[^>]*>)[^<]*(</time>)")


@pytest.fixture(scope="module")
def site():
    """One engine; a server that keeps answers and one that does not."""
    with RedisServer() as redis, Server(engine=redis) as keeps, Server(engine=redis, env={"RETWIS_CACHE_PAGES": "0"}) as makes:
        wait_until(lambda: keeps.metric("cache_trusted") == 1, SOON, "the listener hears")
        ann, bob = Browser(keeps).sign_up("ann"), Browser(keeps).sign_up("bob")
        ann.follow_many("bob")
        bob.follow_many("ann")
        posts = [(ann, bob)[i % 2].post(f"number {i} of #many by @bob") for i in range(6)]
        ann.reply("bob", posts[1], "an answer")
        bob.action(f"/posts/{posts[0]}/favourite")
        ann.action(f"/posts/{posts[1]}/bookmark")
        ann.action(f"/posts/{posts[1]}/favourite")
        ann.make_list("Both", "bob")
        yield keeps, makes, ann, posts, make_token(keeps, "ann")


def same_person(server, browser):
    """The same session at the other server."""
    other = Browser(server)
    other.session.cookies.update(browser.session.cookies.get_dict())
    return other


def masked(body):
    """Without what is new in each answer, and words for times, which run on."""
    return TRENDS.sub("", TIMES.sub(r"\1\2", FRESH.sub(r"\1", body)))


def hits(server):
    return server.metric("recalled_hits_total")


def page_paths(posts):
    return ["/", "/about", "/home", "/public", "/@ann", "/@bob/replies", "/@bob/following", "/@ann/followers", f"/@bob/{posts[1]}",
            "/tags/many", "/lists", "/favourites", "/bookmarks", f"/public?max_id={posts[3]}"]


def api_paths(posts, uid):
    return ["/api/v1/timelines/home", "/api/v1/timelines/public", "/api/v1/timelines/tag/many",
            f"/api/v1/statuses/{posts[1]}", f"/api/v1/statuses/{posts[1]}/context", f"/api/v1/accounts/{uid}",
            f"/api/v1/accounts/{uid}/followers", f"/api/v1/accounts/{uid}/following",
            "/api/v1/accounts/lookup?acct=ann", f"/api/v1/accounts/relationships?id[]={uid}", "/api/v1/favourites", "/api/v1/bookmarks",
            "/api/v1/timelines/home?limit=2"]


def ask_until_given(server, ask):
    """Asks until the answer is given again, and returns it."""

    def given():
        before = hits(server)
        answer = ask()
        return answer if hits(server) > before else None

    return wait_until(given, SOON, "the answer is kept")


@pytest.mark.parametrize("signed_in", [True, False])
def test_pages_are_those_that_are_made_anew(site, signed_in):
    keeps, makes, ann, posts, _ = site
    reader = ann if signed_in else Browser(keeps)
    other = same_person(makes, ann) if signed_in else Browser(makes)
    for path in page_paths(posts):
        if reader.get(path, expect=None, follow=False).status != 200:
            continue  # for members alone, or a stranger's
        given = ask_until_given(keeps, lambda where=path: reader.get(where).text)
        fresh = other.get(path).text.replace(makes.url, keeps.url)
        assert masked(given) == masked(fresh), path


def test_forms_have_words_of_their_own(site):
    keeps, _, ann, _, _ = site
    bodies = [ask_until_given(keeps, lambda: ann.get("/home").text) for _ in range(2)]
    before, after = [[word for _, word in FRESH.findall(body)] for body in bodies]
    assert len(before) == len(after) and len(set(before)) == 2  # a token and a key
    assert not set(before) & set(after)
    ann.post("by the form of a page that was given again")


def test_answers_to_programs_likewise(site):
    keeps, makes, _, posts, token = site
    api, other = Api(keeps, token), Api(makes, token)
    uid = api.get("/api/v1/accounts/lookup", acct="bob")["id"]
    for path in api_paths(posts, uid):
        given = ask_until_given(keeps, lambda where=path: api.ask("GET", where))
        fresh = other.ask("GET", path)
        assert given.status == fresh.status == 200
        assert given.response.text.replace(keeps.url, makes.url) == fresh.response.text, path
        assert given.headers.get("Link", "").replace(keeps.url, makes.url) == fresh.headers.get("Link", ""), path


def test_the_next_one_shows_what_has_changed(site):
    """By the same server: at once, for everything that a page of posts shows."""
    keeps, _, ann, posts, token = site
    api = Api(keeps, token)

    def status():
        return ask_until_given(keeps, lambda: api.get(f"/api/v1/statuses/{posts[2]}"))

    def look():
        return api.get(f"/api/v1/statuses/{posts[2]}")

    assert status()["favourited"] is False
    ann.action(f"/posts/{posts[2]}/favourite")
    assert look()["favourited"] is True and look()["favourites_count"] == 1
    status()
    ann.action(f"/posts/{posts[2]}/unfavourite")
    assert look()["favourites_count"] == 0
    status()
    ann.action(f"/posts/{posts[2]}/bookmark")
    assert look()["bookmarked"] is True
    status()
    ann.action(f"/posts/{posts[2]}/edit", status="other words")
    assert "other words" in look()["content"]
    ask_until_given(keeps, lambda: ann.get("/home").text)
    said = ann.post("the newest of all")
    assert said in ann.get("/home").text
    ask_until_given(keeps, lambda: ann.get("/home").text)
    ann.action(f"/posts/{said}/delete")
    assert said not in ann.get("/home").text


def test_what_is_revoked_gets_nothing(site):
    keeps, makes, ann, _, _ = site
    api = Api(keeps, make_token(keeps, "ann"))
    path = "/api/v1/timelines/home?limit=3"
    ask_until_given(keeps, lambda: api.get(path))
    elsewhere = same_person(makes, ann)
    for revoke in elsewhere.get("/settings/apps").all("form.app-revoke"):
        elsewhere.action(revoke["action"])
    wait_until(lambda: api.ask("GET", path).status == 401, SOON, "the other server's word is heard")
    guest = Browser(keeps).sign_in("bob")
    ask_until_given(keeps, lambda: guest.get("/home").text)
    copy = same_person(keeps, guest)
    guest.action("/auth/sign_out")
    assert copy.get("/home", expect=None, follow=False).status == 303


def test_settings_count_at_once(site):
    keeps, _, _, _, _ = site
    reader = Browser(keeps)
    ask_until_given(keeps, lambda: reader.get("/about").text)
    keeps.cli("settings", "set", "site.name", "Another name")
    wait_until(lambda: "Another name" in reader.get("/about").text, SOON, "the setting is seen")
