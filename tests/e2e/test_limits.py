"""Rate limits: who does too much waits, is told how long, and does not lose what was typed. Others notice nothing."""

import concurrent.futures
import itertools
import threading

import pytest

from retwis_server import PASSWORD, Browser, Server, wait_until

LIMITS = {
    "RETWIS_LIMITS_SIGN_IN": "6/1h", "RETWIS_LIMITS_SIGN_IN_ACCOUNT": "3/1h", "RETWIS_LIMITS_SIGN_UP": "4/1h",
    "RETWIS_LIMITS_SIGN_IN_DEVICE": "4/1h",
    "RETWIS_LIMITS_POST": "3/1h", "RETWIS_LIMITS_DELETE_POST": "2/1h", "RETWIS_LIMITS_FOLLOW": "4/1h",
    "RETWIS_LIMITS_SETTINGS": "2/1h", "RETWIS_HTTP_TRUSTED_PROXIES": "127.0.0.1",
}


@pytest.fixture(scope="module")
def limited():
    """A server with low limits, behind a proxy: each test comes from addresses of its own."""
    with Server(limits=True, env=LIMITS) as server:
        yield server


def visitor(server, address):
    """A browser at this address, as the proxy tells."""
    return Browser(server, **{"X-Forwarded-For": address})


def assert_too_many(page):
    """429 with a time to wait."""
    assert page.status == 429, page.summary
    assert 1 <= int(page.headers["Retry-After"]) <= 3600
    return page


def test_posts_by_account(limited):
    """The text is kept, the time is right, and afterwards it goes on."""
    alice = visitor(limited, "192.0.2.1").sign_up("alice")
    for i in range(3):
        alice.post_quickly(f"{i}")
    page = assert_too_many(alice.try_post("one too many"))
    assert page.form("#compose").values["status"] == "one too many" and page.errors
    assert int(page.headers["Retry-After"]) <= 1200
    elsewhere = visitor(limited, "192.0.2.2")
    elsewhere.session.cookies.update(alice.session.cookies)
    assert_too_many(elsewhere.try_post("from another address"))
    bob = visitor(limited, "192.0.2.1").sign_up("bob")
    bob.post("bob is another account")
    with limited.engine() as engine:  # twenty minutes later
        key = engine.one_key(f"*:limit:{alice.cookie.split('.')[0]}:post")
        engine("SET", key, int(engine("GET", key)) - 1200_000, "KEEPTTL")
    assert alice.submit(page.form("#compose"), status="one too many").status == 200
    assert_too_many(alice.try_post("and another"))
    assert alice.get("/home").texts == ["one too many", "2", "1", "0"]


def test_sign_in_by_account(limited):
    """Guessing one account's password from many addresses."""
    visitor(limited, "192.0.2.10").sign_up("guessed")
    for i in range(3):
        assert visitor(limited, f"198.51.100.{i}").try_sign_in("guessed", "wrong password").status == 422
    page = visitor(limited, "198.51.100.9").try_sign_in("GUESSED", PASSWORD)
    assert_too_many(page)
    assert page.form("form.sign-in").values["username"] == "GUESSED" and PASSWORD not in page.text
    # names of nobody are limited in the same way, so the limit tells nothing
    for i in range(3):
        assert visitor(limited, f"198.51.100.{20 + i}").try_sign_in("no_such_name", "wrong password").status == 422
    assert_too_many(visitor(limited, "198.51.100.30").try_sign_in("no_such_name", "wrong password"))


# --- browsers that have signed in before ---

DEVICE = "retwis_device"


@pytest.fixture
def address():
    """A new address for each call."""
    return lambda: f"100.{next(_addresses) // 250}.{next(_addresses) % 250}.1"


_addresses = itertools.count(1)


def lock(server, name, address):
    """Strangers try until nobody of them may any more."""
    answers = [visitor(server, address()).try_sign_in(name, "wrong password").status for _ in range(4)]
    assert set(answers) <= {422, 429} and answers[-1] == 429
    assert_too_many(visitor(server, address()).try_sign_in(name))


def leaver(server, name, address, password=PASSWORD):
    """A browser that has been signed in to that account, and moves on to another address."""
    browser = visitor(server, address()).sign_in(name, password)
    browser.sign_out()
    browser.session.headers["X-Forwarded-For"] = address()
    return browser


def test_nobody_is_locked_out_by_strangers(limited, unique, address):
    """The guesses of others do not count for a browser that has signed in before; its own count for itself."""
    name = unique("target")
    owner = visitor(limited, address()).sign_up(name)
    owner.sign_out()
    desk = leaver(limited, name, address)
    lock(limited, name, address)
    owner.session.headers["X-Forwarded-For"] = address()
    owner.sign_in(name)
    for _ in range(4):
        assert desk.try_sign_in(name, "wrong password").status == 422
    assert_too_many(desk.try_sign_in(name))
    owner.sign_out()
    owner.sign_in(name)


def test_device_is_of_one_account(limited, unique, address):
    """To have signed in somewhere is no leave to guess elsewhere; nor is a cookie that somebody made up."""
    name, other = unique("target"), unique("guesser")
    visitor(limited, address()).sign_up(name)
    visitor(limited, address()).sign_up(other)
    guesser = leaver(limited, other, address)
    good = guesser.session.cookies[DEVICE]
    lock(limited, name, address)
    assert_too_many(guesser.try_sign_in(name))
    for forged in ("", "x", ".", good[:-1] + "-", good[1:], good + "." + good, "A" * 59, ".".join(["A" * 59] * 40),
                   "a b", "%", "A" * 4000):
        stranger = visitor(limited, address())
        stranger.session.cookies.set(DEVICE, forged)
        assert_too_many(stranger.try_sign_in(name))


def test_device_ends_with_the_password(limited, unique, address):
    """A new password makes strangers of all browsers but the one that has set it."""
    name, new = unique("changer"), "another battery staple"
    visitor(limited, address()).sign_up(name)
    desk = leaver(limited, name, address)
    owner = visitor(limited, address()).sign_in(name)
    before = owner.session.cookies[DEVICE]
    page = owner.submit(owner.get("/settings/password").form("form.settings-password"), current_password=PASSWORD,
                        password=new, password2=new)
    assert page.flash and owner.session.cookies[DEVICE] != before
    owner.sign_out()
    owner.session.headers["X-Forwarded-For"] = address()
    lock(limited, name, address)
    assert_too_many(desk.try_sign_in(name, new))
    owner.sign_in(name, new)
    limited.cli("user", "passwd", name, "--password-stdin", input=PASSWORD + "\n")
    owner.session.headers["X-Forwarded-For"] = address()
    assert_too_many(owner.try_sign_in(name))


def test_device_of_several_people(limited, unique, address):
    """A browser that a family shares is known to each of them, to the last five."""
    names = [unique("sibling") for _ in range(6)]
    shared = visitor(limited, address())
    for name in names:
        shared.session.headers["X-Forwarded-For"] = address()
        shared.sign_up(name)
        shared.sign_out()
    cookie = shared.session.cookies[DEVICE]
    for name in names[-3:]:
        shared.session.headers["X-Forwarded-For"] = address()
        shared.sign_in(name)
        shared.sign_out()
    assert len(shared.session.cookies[DEVICE]) == len(cookie) == 5 * 59 + 4
    for name, known in ((names[0], False), (names[1], True), (names[5], True)):
        lock(limited, name, address)
        shared.session.headers["X-Forwarded-For"] = address()
        page = shared.try_sign_in(name)
        if known:
            assert page.path == "/home"
            shared.sign_out()
        else:
            assert_too_many(page)


def test_device_cookie(limited, unique, address):
    """Out of reach of scripts and of other sites, lasting, new with each sign-in; and it does not say who was here."""
    name = unique("discreet")
    member = visitor(limited, address()).sign_up(name)
    uid = member.cookie.split(".")[0]
    seen = {member.session.cookies[DEVICE]}
    for _ in range(2):
        answer = member.submit(member.get("/auth/sign_in").form("form.sign-in"), follow=False, username=name,
                               password=PASSWORD)
        [cookie] = [c for c in answer.response.raw.headers.getlist("Set-Cookie") if c.startswith(DEVICE + "=")]
        assert "httponly" in cookie.lower() and "samesite=lax" in cookie.lower() and "max-age=34560000" in cookie.lower()
        assert uid not in cookie and name not in cookie
        seen.add(cookie.split("=", 1)[1].split(";")[0])
    assert len(seen) == 3
    assert visitor(limited, address()).try_sign_in(name, "wrong password").status == 422
    with limited.engine() as engine:
        assert not any(value.encode() in engine.dump() for value in seen)


def test_sign_in_by_address(limited):
    """Guessing many accounts from one address; other addresses are free."""
    visitor(limited, "192.0.2.20").sign_up("innocent")
    for i in range(6):
        assert visitor(limited, "203.0.113.5").try_sign_in(f"guess_{i}", "wrong password").status == 422
    assert_too_many(visitor(limited, "203.0.113.5").try_sign_in("innocent"))
    visitor(limited, "203.0.113.6").sign_in("innocent")


def test_sign_in_by_networks_of_ipv6(limited, unique):
    """Whoever has a /48 has 65,536 addresses: it may do four times as much as one of them, a /56 twice; and what one of them
    is refused takes nothing from its neighbours."""
    def guesses(network, tries):
        """How many of them are looked at."""
        pages = [visitor(limited, f"{network}::{i}").try_sign_in(unique("guess"), "wrong password") for i in range(1, tries + 1)]
        answers = [page.status for page in pages]
        passed = answers.count(422)
        assert answers == [422] * passed + [429] * (tries - passed)
        return passed

    assert guesses("2001:db8:a:100", 9) == 6
    assert guesses("2001:db8:a:101", 9) == 6
    assert guesses("2001:db8:a:102", 2) == 0
    assert sum(guesses(f"2001:db8:a:{i}00", 3) for i in range(2, 11)) == 24 - 12
    assert guesses("2001:db8:b:100", 1) == 1
    pages = [visitor(limited, address).try_sign_in(unique("guess"), "wrong password")
             for address in ("2001:db8:c:1::1", "203.0.113.77")]
    assert limited.trips(pages[0].response) == limited.trips(pages[1].response), "all networks in one round trip"


def test_flood_of_sign_ins_from_one_address():
    """More guesses at once than are hashed or may wait: they keep out each other, but nobody from elsewhere."""
    with Server(env={"RETWIS_HTTP_TRUSTED_PROXIES": "127.0.0.1"}) as server:
        visitor(server, "192.0.2.1").sign_up("innocent")
        over, refused = threading.Event(), []

        def flood():
            guesser = visitor(server, "198.51.100.1")
            form = guesser.get("/auth/sign_in").form("form.sign-in")
            while not over.is_set():
                refused.append(guesser.submit(form, username="innocent", password="wrong password").status == 503)
                over.wait(0.02 if refused[-1] else 0)

        with concurrent.futures.ThreadPoolExecutor(28) as pool:
            floods = [pool.submit(flood) for _ in range(28)]
            wait_until(lambda: refused.count(True) > 20, 30, "the line is full")
            try:
                answers = [visitor(server, f"192.0.2.{i}").try_sign_in("innocent", "wrong password").status for i in range(8)]
                still_full = refused.count(True)
                wait_until(lambda: refused.count(True) > still_full, 30, "the line is still full")
            finally:
                over.set()
        assert answers == [422] * 8
        for done in floods:
            done.result()


def test_sign_up_by_networks_of_ipv6(limited):
    """Likewise."""
    answers = [visitor(limited, f"2001:db8:d:{i}::1").try_sign_up(f"net_{i}", "short").status for i in range(12)]
    assert answers == [422] * 8 + [429] * 4


def test_sign_up_by_address(limited):
    """Attempts count, the name stays in the form; a network of IPv6 is one address."""
    for i in range(4):
        visitor(limited, f"2001:db8:1:1::{i}").try_sign_up(f"six_{i}", "short")
    page = assert_too_many(visitor(limited, "2001:db8:1:1:ffff::1").try_sign_up("six_last"))
    assert page.form("form.sign-up").values["username"] == "six_last" and page.one(".error-summary").text.strip()
    visitor(limited, "2001:db8:1:2::1").sign_up("six_elsewhere")


def test_follows_count_names(limited):
    """A list costs as much as it has names."""
    me = visitor(limited, "192.0.2.30").sign_up("follower")
    page = assert_too_many(me.action("/follow", names="a_1,b_2,c_3,d_4,e_5"))
    assert page.form("form.follow-many").values["names"] == "a_1,b_2,c_3,d_4,e_5"
    me.follow_many("a_1,b_2,c_3")
    assert me.action("/@a_1/follow").status == 404
    assert_too_many(me.action("/@a_1/follow"))


def test_lists_count_names(limited):
    """Changes of lists are counted with those of whom one follows; what is refused changes nothing."""
    me = visitor(limited, "192.0.2.31").sign_up("lister")
    path = me.make_list("One", "lister")
    page = assert_too_many(me.action(f"{path}/add", names="a_1,b_2,c_3"))
    assert page.form("form.list-add").values["names"] == "a_1,b_2,c_3"
    assert_too_many(me.action(f"{path}/remove", names="a_1,b_2,lister"))
    assert me.action(f"{path}/rename", follow=False, title="Two").status == 303
    assert me.action("/follow", names="a_1").status == 200
    page = assert_too_many(me.action(f"{path}/rename", title="Three"))
    assert page.one("h1").text.strip() == "Two"
    assert_too_many(me.action("/lists", title="Another"))
    assert_too_many(me.action(f"{path}/add", names="a_1"))
    assert "Another" not in me.get("/lists").text and me.get(f"{path}/members").one("[data-count=members]").text == "1"
    assert me.action(f"{path}/delete", follow=False).status == 303


def test_deletions(limited):
    """Deleting is limited too, and says so on a page of its own."""
    me = visitor(limited, "192.0.2.40").sign_up("deleter")
    posts = [me.post(f"{i}") for i in range(3)]
    assert [me.delete(p).status for p in posts[:2]] == [200, 200]
    page = assert_too_many(me.delete(posts[2]))
    assert page.one(".error-page")["data-code"] == "429" and page.first(".retry") is not None
    assert me.get("/home").ids == [posts[2]]


def test_password_guesses_in_settings(limited):
    """A stolen session does not get to try passwords without end."""
    me = visitor(limited, "192.0.2.50").sign_up("settled")

    def change(old):
        return me.submit(me.get("/settings/password").form("form.settings-password"), current_password=old,
                         password="another password", password2="another password")

    assert [change("guess one").status, change("guess two").status] == [422, 422]
    assert_too_many(change(PASSWORD))


def test_forged_address_is_not_believed():
    """Without a trusted proxy X-Forwarded-For is only a header."""
    with Server(limits=True, env={**LIMITS, "RETWIS_HTTP_TRUSTED_PROXIES": ""}) as server:
        for i in range(4):
            visitor(server, f"192.0.2.{i}").try_sign_up("forged", "short")
        assert_too_many(visitor(server, "192.0.2.99").try_sign_up("forged"))


def test_limits_survive_a_restart():
    """They are kept in the engine, for all servers of the site."""
    with Server(limits=True, env=LIMITS) as server:
        for _ in range(4):
            Browser(server).try_sign_up("patient", "short")
        server.restart()
        assert_too_many(Browser(server).try_sign_up("patient"))


def test_limit_of_nothing():
    """0/1h allows nothing at all."""
    with Server(limits=True, env={"RETWIS_LIMITS_SIGN_UP": "0/1h"}) as server:
        assert_too_many(Browser(server).try_sign_up("nobody_comes_in"))


def test_reading_goes_on(limited):
    """Whoever may not write any more still reads."""
    me = visitor(limited, "192.0.2.60").sign_up("reader")
    while me.try_post("again").status == 200:
        pass
    for path in ("/home", "/public", "/@reader", "/settings/sessions"):
        me.get(path)
