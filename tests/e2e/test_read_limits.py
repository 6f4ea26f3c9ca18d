"""The limit on reading: strangers by address, members by account; nobody waits for what others read."""

import pytest

from retwis_server import Browser, Server

MOST = 20
ENV = {"RETWIS_LIMITS_READ": f"{MOST}/1h", "RETWIS_LIMITS_SIGN_UP": "100/1h", "RETWIS_LIMITS_SIGN_IN": "100/1h",
       "RETWIS_HTTP_TRUSTED_PROXIES": "127.0.0.1"}


@pytest.fixture(scope="module", name="counting")
def fixture_counting():
    """A server that lets nobody read much, behind a proxy: each test comes from addresses of its own."""
    with Server(limits=True, env=ENV) as server:
        yield server


def visitor(server, address):
    """A browser at this address, as the proxy tells."""
    return Browser(server, **{"X-Forwarded-For": address})


def passes(browser, path="/about", tries=MOST + 5):
    """How many of so many requests are answered; the others with 429."""
    answers = [browser.get(path, expect=None).status for _ in range(tries)]
    passed = answers.count(200)
    assert answers == [200] * passed + [429] * (tries - passed)
    return passed


def test_strangers_by_address(counting):
    """A page says when to come again, without asking the engine; style, icons and health are there all the same."""
    stranger = visitor(counting, "192.0.2.1")
    assert passes(stranger) == MOST
    page = stranger.get("/public", expect=429)
    assert page.status == 429 and 1 <= int(page.headers["Retry-After"]) <= 180
    assert page.one(".error-page")["data-code"] == "429" and page.one(".retry")
    assert counting.trips(page.response) == 0
    assert stranger.get("/no/such/page", expect=429) and stranger.post_form("/auth/sign_in", {}).status == 429
    for path in ("/health", "/robots.txt", page.one("link[rel=stylesheet]")["href"]):
        stranger.get(path)
    assert passes(visitor(counting, "192.0.2.2")) == MOST


def test_networks_of_ipv6(counting):
    """A /64 is one address; the /56 and the /48 around it may do twice and four times as much."""
    assert passes(visitor(counting, "2001:db8:1:100::1"), tries=MOST) == MOST
    assert passes(visitor(counting, "2001:db8:1:100:ffff::2"), tries=1) == 0
    assert passes(visitor(counting, "2001:db8:1:101::1")) == MOST
    assert passes(visitor(counting, "2001:db8:1:102::1"), tries=1) == 0
    assert passes(visitor(counting, "2001:db8:1:200::1")) == MOST
    assert passes(visitor(counting, "2001:db8:1:300::1")) == MOST
    assert passes(visitor(counting, "2001:db8:1:400::1"), tries=1) == 0
    assert passes(visitor(counting, "2001:db8:2:100::1"), tries=1) == 1


def test_members_by_account(counting):
    """Two people behind one address: neither the other nor strangers there take anything from one's own; but going
    elsewhere gives one nothing."""
    alice = visitor(counting, "192.0.2.10").sign_up("alice")
    carol = visitor(counting, "192.0.2.10").sign_up("carol")
    assert passes(visitor(counting, "192.0.2.10")) < MOST
    alice.session.headers["X-Forwarded-For"] = "192.0.2.11"
    assert MOST - 3 <= passes(alice) <= MOST
    alice.session.headers["X-Forwarded-For"] = "192.0.2.10"
    alice.get("/about", expect=429)
    assert MOST - 3 <= passes(carol) <= MOST


def test_cookies_are_not_believed(counting):
    """Neither one that somebody made up, nor one that has ended."""
    dora = visitor(counting, "192.0.2.20").sign_up("dora")
    cookie = dora.cookie
    dora.get("/home")
    dora.sign_out()
    uid = cookie.split(".")[0]
    assert passes(visitor(counting, "192.0.2.21")) == MOST
    for value in (cookie, uid + "." + "A" * 43):
        liar = visitor(counting, "192.0.2.21")
        liar.session.cookies.set("retwis", value)
        assert passes(liar, tries=4) <= 1


def test_this_machine_is_free(counting):
    """Tools and tests that come from here."""
    assert passes(Browser(counting), tries=2 * MOST) == 2 * MOST
    with Server(limits=True, env={**ENV, "RETWIS_LIMITS_READ_EXEMPT": "192.0.2.0/24"}) as server:
        assert passes(visitor(server, "192.0.2.1"), tries=2 * MOST) == 2 * MOST
        assert passes(Browser(server)) == MOST
