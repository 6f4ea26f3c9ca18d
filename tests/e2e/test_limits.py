"""Rate limits: who does too much waits, is told how long, and does not lose what was typed. Others notice nothing."""

import pytest

from retwis_server import PASSWORD, Browser, Server, wait_until

LIMITS = {
    "RETWIS_LIMITS_SIGN_IN": "6/1h", "RETWIS_LIMITS_SIGN_IN_ACCOUNT": "3/1h", "RETWIS_LIMITS_SIGN_UP": "4/1h",
    "RETWIS_LIMITS_POST": "3/4s", "RETWIS_LIMITS_DELETE_POST": "2/1h", "RETWIS_LIMITS_FOLLOW": "4/1h",
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
    assert int(page.headers["Retry-After"]) <= 2
    elsewhere = visitor(limited, "192.0.2.2")
    elsewhere.session.cookies.update(alice.session.cookies)
    assert_too_many(elsewhere.try_post("from another address"))
    bob = visitor(limited, "192.0.2.1").sign_up("bob")
    bob.post("bob is another account")
    form = page.form("#compose")
    wait_until(lambda: alice.submit(form, status="one too many").status == 200, 5, "posting goes on")
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


def test_sign_in_by_address(limited):
    """Guessing many accounts from one address; other addresses are free."""
    visitor(limited, "192.0.2.20").sign_up("innocent")
    for i in range(6):
        assert visitor(limited, "203.0.113.5").try_sign_in(f"guess_{i}", "wrong password").status == 422
    assert_too_many(visitor(limited, "203.0.113.5").try_sign_in("innocent"))
    visitor(limited, "203.0.113.6").sign_in("innocent")


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
