"""Signing in and out, several sessions at once, and what the engine and the log know of secrets (nothing)."""

import concurrent.futures
import hashlib
import re
import time

import pytest

from retwis_server import PASSWORD, Browser

LIFETIME_DAYS = 90  # session.lifetime_days, the default

def test_wrong_name_and_wrong_password_look_the_same(server, people, unique):
    """Nobody learns from the answer which names exist."""
    member = people(server, "member")
    answers = []
    for name, password in ((member.name, "not the password"), (unique("nobody"), PASSWORD), ("no such-name", PASSWORD)):
        browser = Browser(server)
        page = browser.try_sign_in(name, password)
        assert page.status == 422
        assert page.form("form.sign-in").values["username"] == name
        assert browser.cookie is None and password not in page.text
        answers.append(page.errors)
    assert answers[0] and answers[0] == answers[1] == answers[2]


def ticks_of(pid):
    """The processor time that a process has had: unlike that of the clock it does not depend on what else goes on."""
    with open(f"/proc/{pid}/stat", encoding="ascii") as f:
        fields = f.read().rsplit(")", 1)[1].split()
    return int(fields[11]) + int(fields[12])


def test_wrong_name_and_wrong_password_take_the_same(server, people, unique):
    """Neither the number of round trips nor the work tells which names exist: the costly hash is made for nobody too."""
    member, browser = people(server, "member"), Browser(server)
    form = browser.get("/auth/sign_in").form("form.sign-in")
    trips, ticks = {}, {}
    for name in (member.name, unique("nobody")) * 8:
        start = ticks_of(server.process.pid)
        page = browser.submit(form, username=name, password="not the password")
        ticks[name] = ticks.get(name, 1) + ticks_of(server.process.pid) - start
        trips.setdefault(name, set()).add(server.trips(page))
    one, other = ticks.values()
    assert trips[member.name] == trips[next(n for n in trips if n != member.name)] and len(trips[member.name]) == 1
    assert 0.2 < one / other < 5, ticks  # without the hash it would be 1 to 20


def test_name_in_any_case(server, people):
    """Signing in does not care how the name is written."""
    member = people(server, "CamelCase")
    browser = Browser(server)
    assert browser.try_sign_in(member.name.upper()).path == "/home"
    assert browser.get("/home").one(".me .acct").text == "@" + member.name


@pytest.mark.parametrize("name,password", [("", ""), ("somebody", ""), ("", "something")])
def test_blank(server, name, password):
    """Both fields are needed."""
    page = Browser(server).try_sign_in(name, password)
    assert page.status == 422 and page.errors


def test_landing_is_for_strangers(server, people):
    """/ shows both forms to strangers and takes members home."""
    page = Browser(server).get("/")
    assert page.first("form.sign-in") and page.first("form.sign-up")
    member = people(server, "landing")
    assert member.get("/").path == "/home"
    # the landing page's own forms work too
    browser = Browser(server)
    assert browser.try_sign_in(member.name, path="/").path == "/home"


def test_member_pages_lead_to_sign_in_and_back(server, people):
    """A page for members sends strangers to the form, and the form sends them on."""
    member = people(server, "wayback")
    stranger = Browser(server)
    page = stranger.get("/settings/sessions")
    assert page.path == "/auth/sign_in?next=/settings/sessions" or page.path.startswith("/auth/sign_in?next=%2F")
    page = stranger.submit(page.form("form.sign-in"), username=member.name, password=PASSWORD)
    assert page.path == "/settings/sessions"
    page = Browser(server).get("/settings/sessions?one=1&two=a%26b%3D2")
    assert page.form("form.sign-in").values["next"] == "/settings/sessions?one=1&two=a%26b%3D2"  # all of it


def test_next_survives_a_mistake(server, people):
    """A typing error on the way does not lose where one wanted to go."""
    member = people(server, "detour")
    stranger = Browser(server)
    form = stranger.get("/auth/sign_in?next=/about").form("form.sign-in")
    again = stranger.submit(form, username=member.name, password="mistyped entirely")
    assert stranger.submit(again.form("form.sign-in"), username=member.name, password=PASSWORD).path == "/about"


@pytest.mark.parametrize("target", ["https://evil.example/", "//evil.example/", "/\\evil.example", "\\\\evil.example",
                                    "javascript:alert(1)", "/\t/evil.example", "/ok\r\nX-Evil: 1", "evil", "",
                                    "http:evil.example"])
def test_next_stays_on_the_site(server, people, target):
    """No link makes the sign-in form send people to another site."""
    member = people(server, "steady")
    stranger = Browser(server)
    form = stranger.get("/auth/sign_in").form("form.sign-in")
    page = stranger.submit(form, follow=False, username=member.name, password=PASSWORD, next=target)
    assert page.status == 303
    location = page.headers["Location"]
    assert location.startswith("/") and not location.startswith(("//", "/\\")), location
    assert "evil" not in location or location.startswith("/ok") is False
    assert "X-Evil" not in page.headers
    shown = stranger.get("/auth/sign_in", params={"next": target}).form("form.sign-in").values["next"]
    assert shown == "" or re.match(r"/[^/\\]", shown)


def test_cookie_flags(server, people):
    """The cookie is out of reach of scripts and of other sites."""
    member = people(server, "cookie")
    page = Browser(server)
    form = page.get("/auth/sign_in").form("form.sign-in")
    answer = page.submit(form, follow=False, username=member.name, password=PASSWORD)
    cookies = answer.response.raw.headers.getlist("Set-Cookie")
    session = [c for c in cookies if c.startswith("retwis=")]
    assert len(session) == 1, cookies
    parts = {p.strip().split("=")[0].lower(): p.strip() for p in session[0].split(";")[1:]}
    assert "httponly" in parts and parts["samesite"].lower() == "samesite=lax" and parts["path"].lower() == "path=/"
    assert parts["max-age"].split("=")[1] == str(LIFETIME_DAYS * 86400)
    assert "domain" not in parts
    for cookie in cookies:
        assert "httponly" in cookie.lower() and "samesite" in cookie.lower(), cookie


def test_sign_out(server, people):
    """Ends this session on the server too; the old cookie is worth nothing."""
    member = people(server, "leaver")
    cookie = member.cookie
    page = member.sign_out()
    assert page.path == "/" and page.flash
    assert member.cookie is None and not member.is_signed_in()
    thief = Browser(server)
    thief.session.cookies.set("retwis", cookie)
    assert not thief.is_signed_in()


def test_new_session_at_each_sign_in(server, people):
    """Cookies are never given twice, nor taken over from before."""
    member = people(server, "fresh")
    cookies = {member.cookie}
    for _ in range(3):
        cookies.add(Browser(server).sign_in(member.name).cookie)
    assert len(cookies) == 4
    before = member.cookie
    member.sign_in(member.name)
    assert member.cookie != before
    left_behind = Browser(server)
    left_behind.session.cookies.set("retwis", before)
    assert member.is_signed_in() and not left_behind.is_signed_in()


@pytest.mark.parametrize("cookie", ["", "x", "1.2", "0.", "." * 60, "1" * 19 + "." + "A" * 43, "'; DROP--", "😀"])
def test_made_up_cookies(server, cookie):
    """Nonsense is a stranger, not an error."""
    browser = Browser(server)
    page = browser.get("/public", headers={"Cookie": f"retwis={cookie}".encode()}, expect=None)
    assert page.status == 200 and page.first("form.sign-out") is None
    page = browser.request("GET", "/home", follow=False, headers={"Cookie": f"retwis={cookie}".encode()})
    assert page.status == 303


def test_cookie_of_somebody_else(server, people):
    """A secret is good for its own user only."""
    alice, bob = people(server, "alice", "bob")
    uid = bob.cookie.split(".")[0]
    thief = Browser(server)
    thief.session.cookies.set("retwis", uid + "." + alice.cookie.split(".")[1])
    assert not thief.is_signed_in()


# --- several sessions ---

def sessions(browser):
    """The rows of the list, the current one first."""
    return browser.get("/settings/sessions").all(".session")


def test_sessions_are_listed(server, people):
    """With what is needed to tell them apart; their ids are not their secrets."""
    member = people(server, "traveller")
    other = Browser(server, **{"User-Agent": "Phone <b>9000</b>"}).sign_in(member.name)
    rows = sessions(member)
    assert len(rows) == 2
    assert rows[0].first("form.revoke") is None and rows[1].first("form.revoke") is not None
    assert rows[1].one(".session-agent").text.strip() == "Phone <b>9000</b>" and "127.0.0.1" in rows[1].text
    page = member.get("/settings/sessions").text
    for browser in (member, other):
        assert browser.cookie.split(".")[1] not in page


def test_revoke_one(server, people):
    """One other session ends; the rest go on."""
    member = people(server, "revoker")
    phone = Browser(server, **{"User-Agent": "Phone"}).sign_in(member.name)
    desk = Browser(server, **{"User-Agent": "Desk"}).sign_in(member.name)
    row = next(r for r in sessions(member) if "Phone" in r.text)
    page = member.submit(member.get("/settings/sessions").form(row.one("form.revoke")["action"]))
    assert page.path == "/settings/sessions" and page.flash
    assert not phone.is_signed_in() and desk.is_signed_in() and member.is_signed_in()
    assert len(sessions(member)) == 2


def test_revoke_others(server, people):
    """All but this one end."""
    member = people(server, "cleaner")
    others = [Browser(server).sign_in(member.name) for _ in range(2)]
    page = member.submit(member.get("/settings/sessions").form("form.revoke-others"))
    assert "2" in page.flash
    assert member.is_signed_in() and not any(b.is_signed_in() for b in others)
    assert member.get("/settings/sessions").first("form.revoke-others") is None


def test_nobody_revokes_for_others(server, people):
    """The id of somebody else's session does nothing."""
    alice, bob = people(server, "alice", "bob")
    Browser(server).sign_in(alice.name)
    row = next(r for r in sessions(alice) if r.first("form.revoke"))
    page = bob.action(row.one("form.revoke")["action"])
    assert page.status in (200, 404)
    assert len(sessions(alice)) == 2


def test_sessions_are_capped(server, people):
    """The eleventh sign-in ends the oldest session."""
    member = people(server, "hoarder")
    browsers = [member] + [Browser(server).sign_in(member.name) for _ in range(10)]
    assert [b.is_signed_in() for b in browsers] == [False] + [True] * 10


def test_change_password(server, people):
    """Needs the old one, ends every other session, and takes effect at once."""
    member = people(server, "changer")
    other = Browser(server).sign_in(member.name)
    new = "another battery staple"

    def change(**fields):
        return member.submit(member.get("/settings/password").form("form.settings-password"), **fields)

    assert "current_password" in change(current_password="not this", password=new, password2=new).errors
    assert "password2" in change(current_password=PASSWORD, password=new, password2=new + "x").errors
    assert "password" in change(current_password=PASSWORD, password="password1", password2="password1").errors
    assert "password" in change(current_password=PASSWORD, password=PASSWORD, password2=PASSWORD).errors
    assert "password" in change(current_password=PASSWORD, password=member.name + "1", password2=member.name + "1").errors
    assert other.is_signed_in()
    page = change(current_password=PASSWORD, password=new, password2=new)
    assert page.status == 200 and page.flash, page.errors
    assert member.is_signed_in() and not other.is_signed_in()
    assert Browser(server).try_sign_in(member.name, PASSWORD).status == 422
    Browser(server).sign_in(member.name, new)


# --- hashes of before ---

# argon2id of PASSWORD as an older version of the program would have stored it: one pass over 8 MiB.
OLD_HASH = b"$argon2id$v=19$m=8192,t=1,p=1$RzxuQ7QQ/S/Xn9J6ZDB41A$yvTsw3EOEfz9uyNj7lGUB2IU7/tnZB3ojqccm4BN9Js"


def age_hash(server, browser):
    """Gives somebody the old hash; returns how to read what is stored now."""
    uid = browser.cookie.split(".")[0]

    def stored():
        with server.engine() as engine:
            return engine("HGET", engine.one_key(f"*:user:{uid}"), "password")

    with server.engine() as engine:
        engine("HSET", engine.one_key(f"*:user:{uid}"), "password", OLD_HASH)
    return stored


def test_old_hash_is_renewed(server, people):
    """Who signs in with the right password has it hashed as it is done today; nothing else changes for him."""
    member = people(server, "veteran")
    stored = age_hash(server, member)
    assert Browser(server).try_sign_in(member.name, PASSWORD + "x").status == 422
    assert stored() == OLD_HASH
    first = Browser(server).sign_in(member.name)
    renewed = stored()
    assert renewed.startswith(b"$argon2id$v=19$m=19456,t=2,p=1$")
    second = Browser(server).sign_in(member.name)
    assert stored() == renewed
    assert Browser(server).try_sign_in(member.name, PASSWORD + "x").status == 422
    assert all(b.is_signed_in() for b in (member, first, second))


def test_renewal_never_undoes_a_change(server, people):
    """The password is changed while somebody signs in with the old one: the new one stays."""
    for i in range(6):
        member = people(server, "renewer")
        stored = age_hash(server, member)
        other, new = Browser(server), f"another battery {i}"
        form = other.get("/auth/sign_in").form("form.sign-in")
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            sign_in = pool.submit(other.submit, form, username=member.name, password=PASSWORD)
            server.cli("user", "passwd", member.name, "--password-stdin", input=new + "\n")
            sign_in.result()
        assert not other.is_signed_in() and not member.is_signed_in()
        assert stored() != OLD_HASH
        assert Browser(server).try_sign_in(member.name).status == 422
        Browser(server).sign_in(member.name, new)


def test_renewal_never_stops_a_change(server, people):
    """Who changes his password while another sign-in renews its hash is not told that he mistyped the old one."""
    for i in range(10):
        member = people(server, "changer")
        age_hash(server, member)
        other, new = Browser(server), f"another battery {i}"
        sign_in = other.get("/auth/sign_in").form("form.sign-in")
        change = member.get("/settings/password").form("form.settings-password")
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            signed_in = pool.submit(other.submit, sign_in, username=member.name, password=PASSWORD)
            time.sleep(0.005 * i)  # so that in some round the sign-in ends between check and change
            page = member.submit(change, current_password=PASSWORD, password=new, password2=new)
            signed_in.result()
        assert page.flash and not page.errors, page.errors
        Browser(server).sign_in(member.name, new)


# --- secrets ---

def test_no_secret_is_stored_or_logged(server, people):
    """Neither password nor cookie stands in the engine, its files or the log, in clear or as a plain digest."""
    member = people(server, "discreet")
    password = "very special pass phrase 7261"
    member.submit(member.get("/settings/password").form("form.settings-password"), current_password=PASSWORD,
                  password=password, password2=password)
    Browser(server).try_sign_in(member.name, password + " mistyped")
    member.get("/home?secret_in_query=value82734")
    cookie, token = member.cookie, member.token()
    secret = cookie.split(".")[1]
    with server.engine() as engine:
        data = engine.dump()
        user = engine.one_key(f"*:user:{cookie.split('.')[0]}")
        stored = engine("HGET", user, "password")
    assert stored.startswith(b"$argon2id$v=19$")
    log = server.log()
    words = [password, PASSWORD, secret, token]
    words += [hashlib.new(h, password.encode()).hexdigest() for h in ("md5", "sha1", "sha256")]
    for word in words:
        assert word.encode() not in data, word
        assert word not in log, word
    assert "value82734" not in log and "mistyped" not in log


def test_log_has_a_line_for_each_request(server):
    """With status and request id, and nothing a visitor sends can forge another line."""
    page = Browser(server).get("/public", headers={"User-Agent": 'evil" status="999" x'})
    fields = server.access(page)
    assert fields["status"] == "200" and fields["method"] == "GET" and fields["path"] == "/public"
    assert fields["agent"] == 'evil\\" status=\\"999\\" x'
