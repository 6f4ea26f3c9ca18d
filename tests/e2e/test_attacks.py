"""What an attacker would try: sessions, forms, other people's things, markup, odd bytes, floods, and what the log keeps."""

import concurrent.futures
import json
import re
import time
import uuid

import pytest

import http_raw
from retwis_server import PASSWORD, Browser, Server

OTHER_PASSWORD = "another horse, another battery"


def cookies_of(page):
    """The Set-Cookie headers of an answer."""
    return page.response.raw.headers.getlist("Set-Cookie")


def user_id(browser):
    """Id of a signed-in visitor: the first half of his cookie."""
    return browser.cookie.split(".")[0]


def bucket(some_id):
    """Where an id lives."""
    return int(some_id) >> 6 & 1023


def stranger_with(server, **cookies):
    """A visitor with these cookies."""
    browser = Browser(server)
    browser.session.headers["Cookie"] = "; ".join(f"{k}={v}" for k, v in cookies.items())
    return browser


# --- sessions ----------------------------------------------------------------------------------------------------------


def test_session_is_never_the_visitors_choice(server, people):
    """Fixation: a cookie planted before signing in is not the session afterwards, nor does it become one."""
    member = people(server, "fixed")
    planted = member.cookie[:19] + "A" * 43
    victim = Browser(server)
    victim.session.cookies.set("retwis", planted, domain="127.0.0.1", path="/")
    victim.sign_in(member.name)
    assert victim.cookie != planted
    assert not stranger_with(server, retwis=planted).is_signed_in()


def test_new_session_ends_the_one_before(server, people):
    """Who signs in again in the same browser leaves no session behind, not even as somebody else."""
    member, other = people(server, "again", "other")
    first = member.cookie
    member.sign_in(other.name)
    assert member.cookie != first and not stranger_with(server, retwis=first).is_signed_in()
    assert other.is_signed_in()
    second = member.cookie
    member.sign_in(other.name)
    assert not stranger_with(server, retwis=second).is_signed_in()
    assert len(other.get("/settings/sessions").all("form")) >= 2 and other.is_signed_in()


def test_cookie_twice_is_no_cookie(server, people):
    """A neighbour on the same host that adds a second session cookie chooses nobody's session."""
    mine, theirs = people(server, "mine", "theirs")
    for header in (f"retwis={mine.cookie}; retwis={theirs.cookie}", f"retwis={theirs.cookie}; retwis={mine.cookie}"):
        browser = Browser(server)
        browser.session.headers["Cookie"] = header
        assert not browser.is_signed_in()


def test_revoked_while_in_use(server, people):
    """From the moment the answer to the revocation is there, the other session does nothing any more."""
    member = people(server, "leaky")
    thief = Browser(server).sign_in(member.name)
    thief.token()
    member.submit(member.get("/settings/sessions").form("/settings/sessions/revoke_others"))
    assert thief.action("/posts", follow=False, status="still here").headers["Location"].startswith("/auth/sign_in")
    assert not thief.is_signed_in()
    assert member.get(f"/@{member.name}").texts == []


def test_old_password_opens_nothing_after_a_change():
    """Sign-ins with the old password that run while the password is changed leave no session behind."""
    with Server(env={"RETWIS_SESSION_PER_USER": "100"}) as server:
        member = Browser(server).sign_up("racer")
        thieves = [Browser(server) for _ in range(16)]
        for thief in thieves:
            thief.token()
        form = member.get("/settings/password").form("/settings/password")
        with concurrent.futures.ThreadPoolExecutor(17) as pool:
            change = pool.submit(member.submit, form, current_password=PASSWORD, password=OTHER_PASSWORD,
                                 password2=OTHER_PASSWORD)
            tries = []
            for thief in thieves:
                time.sleep(0.01)
                tries.append(pool.submit(thief.action, "/auth/sign_in", follow=False, username="racer",
                                         password=PASSWORD))
            assert change.result().status == 200
            assert {t.result().status for t in tries} <= {303, 422, 503}
        inside = [t.is_signed_in() for t in thieves]
        assert not any(inside), inside
        assert member.is_signed_in()
        Browser(server).sign_in("racer", OTHER_PASSWORD)


def test_password_is_changed_once(server, people):
    """Two changes from the same old password at the same moment: one of them wins, and the other is told so."""
    member = people(server, "twice")
    other = Browser(server).sign_in(member.name)
    forms = [b.get("/settings/password").form("/settings/password") for b in (member, other)]
    words = ["first new horse battery", "second new horse battery"]
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        pages = list(pool.map(lambda b, f, w: b.submit(f, follow=False, current_password=PASSWORD, password=w,
                                                       password2=w), (member, other), forms, words))
    won = [w for w, p in zip(words, pages) if p.status == 303 and p.headers["Location"] == "/settings/password"]
    assert len(won) == 1, [p.status for p in pages]
    signed_in = [w for w in words if Browser(server).try_sign_in(member.name, w).path == "/home"]
    assert signed_in == won


def test_deleted_user_does_nothing(server, people):
    """Neither his session nor his password is good for anything."""
    gone, other = people(server, "gone", "other")
    gone.token()
    server.cli("user", "delete", gone.name, "--yes", input="yes\n", expect=None)
    assert not gone.is_signed_in()
    for path, fields in (("/posts", {"status": "from beyond"}), (f"/@{other.name}/follow", {}),
                         ("/settings/profile", {"display_name": "ghost", "bio": ""})):
        assert gone.action(path, follow=False, **fields).headers["Location"].startswith("/auth/sign_in"), path
    assert Browser(server).try_sign_in(gone.name).status == 422
    assert other.get(f"/@{other.name}/followers").names == []


# --- who is there ------------------------------------------------------------------------------------------------------


def test_sign_in_answers_alike(server, people, unique):
    """Unknown, wrong and deleted accounts differ in nothing: status, headers, length."""
    known, deleted, nobody = people(server, "knownn"), people(server, "deletd"), unique("nobody")
    server.cli("user", "delete", deleted.name, "--yes", input="yes\n", expect=None)
    answers = []
    for name in (known.name, deleted.name, nobody):
        browser = Browser(server)
        page = browser.action("/auth/sign_in", username=name, password="not the password")
        varying = {"X-Request-Id", "Date", "Content-Length", "Set-Cookie"}
        headers = {k: v for k, v in page.headers.items() if k not in varying}
        answers.append((page.status, headers, re.sub(r'value=("[^"]*"|[^ >]*)', "", page.text.replace(name, "NAME"))))
    assert answers[0] == answers[1] == answers[2]


def test_account_limit_knows_no_case():
    """The limit of an account cannot be multiplied by writing the name in other ways."""
    with Server(limits=True, env={"RETWIS_LIMITS_SIGN_IN_ACCOUNT": "3/1h", "RETWIS_LIMITS_SIGN_IN": "100/1h"}) as server:
        Browser(server).sign_up("victim")
        statuses = [Browser(server).action("/auth/sign_in", username=n, password="wrong password").status
                    for n in ("victim", "VICTIM", "Victim", "vIctim", "victim ", " victim", "victim\t", "victim%00")]
        assert statuses[:3] == [422] * 3 and statuses[3] == 429
        assert Browser(server).action("/auth/sign_in", username="victim ", password=PASSWORD).status != 303


# --- forms -------------------------------------------------------------------------------------------------------------


def test_token_of_another_visitor(server, people):
    """A token goes with the cookie it was made for, and with no other."""
    mine, theirs = people(server, "mine", "theirs")
    stolen = theirs.token()
    assert mine.post_form("/posts", {"csrf_token": stolen, "status": "forged"}, follow=False).status == 403
    before = Browser(server)
    visitor = before.token()
    before.sign_in(mine.name)
    assert before.post_form("/posts", {"csrf_token": visitor, "status": "forged"}, follow=False).status == 403
    assert "forged" not in mine.get(f"/@{mine.name}").texts


def test_stolen_visitor_cookie_forges_nothing(server, people):
    """Who plants a visitor's cookie whose token he knows has a token for the sign-in form, but not for a member, and
    the browser still says where the form comes from."""
    member = people(server, "planted")
    attacker = Browser(server)
    token, planted = attacker.token(), attacker.session.cookies["retwis_visitor"]
    victim = stranger_with(server, retwis=member.cookie, retwis_visitor=planted)
    assert victim.post_form("/posts", {"csrf_token": token, "status": "forged"}, follow=False).status == 403
    signed_out = stranger_with(server, retwis_visitor=planted)
    fields = {"csrf_token": token, "username": member.name, "password": PASSWORD}
    for headers in ({"Sec-Fetch-Site": "cross-site"}, {"Sec-Fetch-Site": "same-site"}, {"Origin": "https://evil.example"},
                    {"Origin": "null"}):
        page = signed_out.post_form("/auth/sign_in", fields, follow=False, headers=headers)
        assert page.status == 403, headers
        assert not [c for c in cookies_of(page) if c.startswith("retwis=")]


@pytest.mark.parametrize("target", ["//evil.example", "/\\evil.example", "/%09/evil.example", "/%0d%0aX-Evil:1", "/\r\nX-Evil: 1",
                                    "/\x00//evil.example", "\u2044/evil.example", "/\x7f/evil.example", "///evil.example",
                                    " //evil.example", "/\u3002/..//evil.example"])
def test_next_of_every_form(server, people, target):
    """Where a form leads to afterwards is a path of this site, whatever it says."""
    member, other = people(server, "mover", "aim")
    for path, fields in (("/posts", {"status": "hop"}), (f"/@{other.name}/follow", {}), ("/locale", {"locale": "en"})):
        page = member.action(path, follow=False, next=target, **fields)
        assert page.status in (303, 400), (path, page.status)
        location = page.headers.get("Location", "/")
        assert re.match(r"/(?![/\\])", location) and "X-Evil" not in page.headers, location


@pytest.mark.parametrize("value", ["en\r\nSet-Cookie: evil=1", "en; Domain=evil", "<script>", "../../x", "zh_CN\x00", "e" * 16])
def test_locale_is_one_of_ours(server, value):
    """The chosen language goes into a cookie: only what is a language does."""
    page = Browser(server).action("/locale", follow=False, locale=value, next="/about")
    assert page.status in (400, 422), page.status
    assert "evil" not in "".join(cookies_of(page))


@pytest.mark.parametrize("value", ["flash_posted~<script>alert(1)</script>", "title_home", "http_404_title", "flash_", "flash_nothing",
                                   "flash_welcome~Your.account.is.locked:call.+1-555", "flash_welcome~" + "x" * 90,
                                   "flash_welcome~{name}{count}", "flash_\xff", "flash_welcome~%3Cb%3E"])
def test_flash_cookie_says_only_what_we_say(server, value):
    """The message on top of a page comes from a cookie: no other text, no markup, nobody else's words."""
    page = stranger_with(server, retwis_flash=value.encode("latin-1").decode("latin-1")).get("/about")
    assert "<script>alert" not in page.text and "<b>" not in page.flash
    assert "555" not in page.flash and "{" not in page.flash
    assert page.first("#flash script") is None
    if not value.startswith(("flash_posted", "flash_welcome")):
        assert page.flash == ""


# --- other people's things ---------------------------------------------------------------------------------------------


def test_nothing_of_others_can_be_changed(server, people):
    """Posts, sessions and profiles belong to their owner, whatever ids a form names."""
    owner, thief = people(server, "owner", "thief")
    post = owner.post("mine")
    session = owner.get("/settings/sessions").first("form[action]")
    assert session is not None
    ids = re.findall(r"/settings/sessions/([\w-]+)/revoke", owner.get("/settings/sessions").text)
    ids = [i for i in ids if i != "revoke_others"]
    assert thief.delete(post, follow=False).status == 403
    for session_id in ids + [f"../../{user_id(owner)}:x", "*", f"{user_id(owner)}", "x" * 64, ":"]:
        thief.action(f"/settings/sessions/{session_id.replace('/', '%2F')}/revoke", follow=False)
    fields = {"display_name": "stolen", "bio": "", "id": user_id(owner), "uid": user_id(owner), "role": "admin"}
    thief.action("/settings/profile", follow=False, **fields)
    assert owner.is_signed_in() and owner.get(f"/@{owner.name}").texts == ["mine"]
    assert "stolen" not in owner.get(f"/@{owner.name}").one("main").text  # beside it stand newest people, of whom he is one
    with server.engine() as engine:
        assert engine("HGET", f"{{{bucket(user_id(thief))}}}:user:{user_id(thief)}", "role") == b""


# --- markup ------------------------------------------------------------------------------------------------------------

MARKUP = '"><script>alert(1)</script><img src=x onerror=alert(2)>\'`{{csrf_token}}{{{name}}}&lt;'


def assert_harmless(page):
    """No element, attribute or address that the attacker wrote. Page.tree also checks that all tags are closed."""
    for element in page.tree.below():
        assert not [a for a in element.attributes if a.startswith("on") or a == "style"], element.attributes
        assert element.get("src", "/").startswith(("/", "data:image")), element.attributes
        assert not element.get("href", "/").lower().lstrip().startswith(("javascript:", "data:", "vbscript:"))
        assert element.tag != "script" or element.get("src", "").startswith("/static/"), element.text


def test_markup_everywhere():
    """Every text that people or the administrator can set, on every page that shows it."""
    with Server() as server:
        for setting in ("site.name", "site.description", "rules"):
            server.cli("settings", "set", setting, MARKUP[:60], expect=None)
        evil = Browser(server, **{"User-Agent": MARKUP}).sign_up("evil")
        evil.action("/settings/profile", display_name=MARKUP[:50], bio=MARKUP + " https://x/" + MARKUP + " #t" + MARKUP)
        post = evil.post(MARKUP + " @evil" + MARKUP + " #tag" + MARKUP + " javascript:alert(1) https://e.x/\"onclick=alert(1)")
        reader = Browser(server).sign_up("reader")
        reader.follow("evil")
        time.sleep(0.6)
        for path in ("/", "/about", "/public", "/home", "/@evil", f"/@evil/{post}", "/@evil/followers", "/@reader/following",
                     "/tags/tag", "/settings/sessions", "/settings/profile", "/nothing", "/tags/" + "%22%3E%3Cscript%3E",
                     "/@" + "%22%3E%3Cimg", "/auth/sign_in?next=/%22%3E%3Cscript%3E"):
            for browser in (evil, reader, Browser(server)):
                page = browser.get(path, expect=None)
                assert_harmless(page)
        assert "<script>alert" not in evil.get("/settings/sessions").text


@pytest.mark.parametrize("text", ["\u200b\u200d", "\u3164", "\u2800 \u00ad", "\u3000", "\U000e0041", "\ufe0f"])
def test_nothing_to_see(server, people, text):
    """A name that nobody can see is none, so that people keep one; a post of such characters is blank."""
    member = people(server, "unseen")
    member.action("/settings/profile", display_name=text, bio="")
    assert member.get(f"/@{member.name}").one("title").text.startswith(member.name)
    assert member.action("/posts", status=text).status == 422
    member.post(text + "\U0001f468\u200d\U0001f469")


@pytest.mark.parametrize("agent", [b"\xff\xfe\x9b31m", "\u202emoc.live\u2028x".encode(), "\u00e9".encode() * 150, b"\xe2\x82" * 99])
def test_names_of_browsers(server, people, agent):
    """What a browser says of itself is shown as text, whatever bytes it sends."""
    member = people(server, "agent")
    odd = Browser(server)
    odd.session.headers["User-Agent"] = agent
    odd.sign_in(member.name)
    page = member.get("/settings/sessions")
    text = page.body.decode("utf-8")
    assert not re.search("[\u0080-\u009f\u202a-\u202e\u2028\u2029]", text)
    assert_harmless(page)


# --- limits ------------------------------------------------------------------------------------------------------------


def test_lists_of_names(server, people):
    """A thousand names that nobody has, one more than that, and names that are none."""
    member = people(server, "lister")
    page = member.action("/follow", names=",".join(f"nobody{i}" for i in range(1000)))
    assert page.status == 200 and len(page.all(".result")) == 1000
    assert member.action("/follow", names=",".join(f"nobody{i}" for i in range(1001))).status == 422
    odd = ["{0}:user:1", "a:b:c", "x{1}y", "name*", "..", "\u0430dmin", "'--", "$(id)", "a" * 31, "\u202eabc", "A" * 2000]
    results = member.follow_many(",".join(odd))
    assert not any(results.values())
    assert member.action("/follow", names=(member.name + ",") * 1000).status == 200
    assert member.get(f"/@{member.name}/following").names == []


def test_form_limits(server, people):
    """As many fields and bytes as the form may have, and one more."""
    member = people(server, "bulky")
    many = {f"f{i}": "x" for i in range(254)}
    assert member.action("/posts", follow=False, status="fits", **many).status == 303
    assert member.action("/posts", follow=False, status="too many", **many, f254="x").status == 400
    token = len(f"csrf_token={member.token()}&status=")
    assert member.action("/posts", status="x" * (65536 - token)).status == 422
    assert member.action("/posts", status="x" * (65537 - token)).status == 413
    assert member.action("/settings/profile", display_name="x" * 4001, bio="").status == 400
    assert member.action("/settings/profile", display_name="x", bio="y" * 60000).status == 422


CURSORS = ["0", "1", "-1", "18446744073709551615", "18446744073709551616", "9223372036854775807", "9" * 19, "9" * 18, "1" + "0" * 17,
           "1e18", "+117652570242084609", " 117652570242084609", "\u0661" * 18, "", "117652570242084609%00", "NaN", "0x10"]


@pytest.mark.parametrize("path", ["/home", "/public", "/@{name}", "/tags/cursor", "/@{name}/{post}", "/@{name}/following",
                                  "/@{name}/followers"])
def test_cursors(server, people, path):
    """Any number, and anything that is none, as either cursor or as both."""
    member = people(server, "pager")
    post = member.post("#cursor")
    path = path.format(name=member.name, post=post)
    for cursor in CURSORS:
        for query in (f"max_id={cursor}", f"min_id={cursor}", f"max_id={cursor}&min_id={cursor}",
                      f"max_id={cursor}&max_id=1"):
            page = member.get(f"{path}?{query}", expect=None)
            assert page.status in (200, 400), (path, query, page.status)
            page.tree
    assert member.get(f"{path}?max_id={post}&min_id={post}", expect=None).status in (200, 400)


@pytest.mark.parametrize("status", ["%C0%AF", "%E0%80%AF", "%ED%A0%80", "%F4%90%80%80", "%FF", "a%00b", "%C3", "%", "%zz"])
def test_bytes_that_are_no_text(server, people, status):
    """Overlong forms, surrogates, NUL, cut characters: refused in a form, in a path and in a query."""
    member = people(server, "bytes")
    body = f"csrf_token={member.token()}&status={status}".encode()
    page = member.request("POST", "/posts", data=body, follow=False,
                          headers={"Content-Type": "application/x-www-form-urlencoded"})
    assert page.status == 400
    for target in (f"/tags/{status}", f"/@{status}", f"/public?max_id={status}"):
        answer = http_raw.one(server, b"GET " + target.encode() + b" HTTP/1.1\r\n" + http_raw.HOST + b"\r\n")
        assert answer.status in (400, 404), target


# --- once and only once ------------------------------------------------------------------------------------------------


def test_key_with_another_text(server, people):
    """Back in the browser, the text changed, sent again: the same key with other words is another post, not a lost one."""
    member = people(server, "backer")
    key = str(uuid.uuid4())
    for text in ("first words", "other words", "first words"):
        assert member.action("/posts", follow=False, status=text, idempotency_key=key).status == 303
    assert member.get(f"/@{member.name}").texts == ["other words", "first words"]


def test_key_of_another(server, people):
    """Keys of two people do not meet, also when they are made to look like a key of the data."""
    mine, theirs = people(server, "keymine", "keytheirs")
    key = str(uuid.uuid4())
    mine.action("/posts", follow=False, status="mine", idempotency_key=key)
    page = theirs.action("/posts", follow=False, status="mine", idempotency_key=key)
    assert page.status == 303 and theirs.get(f"/@{theirs.name}").texts == ["mine"]
    assert mine.get(f"/@{mine.name}").texts == ["mine"]


@pytest.mark.parametrize("key", ["}{0}:x", "a:b", "\n\r\t", "*", "\u00e9\u2028", "x" * 64, " ", "-", "$1"])
def test_odd_keys(server, people, key):
    """Any key of up to 64 bytes is a key: the post is there, once."""
    member = people(server, "oddkey")
    for _ in range(2):
        assert member.action("/posts", follow=False, status="odd", idempotency_key=key).status == 303
    assert member.get(f"/@{member.name}").texts == ["odd"]
    with server.engine() as engine:
        for name in engine.keys(f"*request:{user_id(member)}:*"):
            assert name.startswith(f"{{{bucket(user_id(member))}}}:"), name
            assert 0 < engine("TTL", name) <= 86400


def test_key_that_is_too_long(server, people):
    """Refused, not cut and not ignored: two posts whose keys begin alike are two posts."""
    member = people(server, "longkey")
    page = member.action("/posts", follow=False, status="long", idempotency_key="x" * 65)
    assert page.status == 400
    assert member.get(f"/@{member.name}").texts == []


# --- clocks ------------------------------------------------------------------------------------------------------------


def test_clock_that_went_back(people):
    """A post from the future (the clock was wrong for a while): later posts still come above it, ids only grow. On a
    server of its own, because they stay on top of the public timeline."""
    with Server() as server:
        post_after_the_future(server, people(server, "doctor"))


def post_after_the_future(server, member):
    """See above."""
    newest = int(member.post("before"))
    uid = user_id(member)
    future = newest + (3600 * 1000 << 16)
    with server.engine() as engine:
        place = f"{{{bucket(uid)}}}:"
        engine("HSET", f"{place}post:{future}", "author", uid, "text", "from the future")
        engine("ZADD", f"{place}posts:{uid}", 0, future)
    after = [int(member.post(f"after {i}")) for i in range(3)]
    assert after == sorted(after) and after[0] > future
    assert member.get(f"/@{member.name}").texts == ["after 2", "after 1", "after 0", "from the future", "before"]


def test_limits_forgive_a_clock_that_went_back():
    """A rate limit written while the clock was an hour ahead does not lock people out for an hour."""
    with Server(limits=True, env={"RETWIS_LIMITS_POST": "3/1m"}) as server:
        member = Browser(server).sign_up("doctor")
        member.post_quickly("one")
        with server.engine() as engine:
            key = engine.one_key("*:limit:*:post")
            engine("SET", key, int(engine("GET", key)) + 3600_000, "PX", 3600_000)
        member.post_quickly("two")


# --- what is written down ----------------------------------------------------------------------------------------------


def test_log_cannot_be_written_by_visitors(tmp_path):
    """Long, quoted and terminal-controlling paths: every line stays whole, with address and id, and is clean."""
    with Server(tmp_path=tmp_path, env={"RETWIS_LOG_FORMAT": "json"}) as server:
        targets = [b"/" + b'"' * 2000, b"/" + b"%22" * 600, b"/%C2%9B31m", b"/%E2%80%AE", b"/" + b"\\" * 1900, b"/a%5Cn%0A"]
        for target in targets:
            for agent in (b"x", b"\x9b31m\xe2\x80\xae" + b'"' * 3000):
                http_raw.exchange(server, b"GET " + target + b" HTTP/1.1\r\nUser-Agent: " + agent + b"\r\n"
                                  + http_raw.HOST + b"Connection: close\r\n\r\n")
        server.stop()
        lines = [line for line in server.log().split("\n") if '"access"' in line]
        assert len(lines) >= 2 * len(targets)
        for line in lines:
            fields = json.loads(line)
            assert fields["address"] == "127.0.0.1" and len(fields["id"]) == 16
            assert not re.search("[\x00-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]", line), line[:200]


def test_log_keeps_no_secret(server, people):
    """Cookies, tokens, passwords, queries, invitations."""
    member = people(server, "secretive")
    secrets = [member.cookie.split(".")[1], member.token(), "hunter2hunter2", "queryword", "inviteword", "typedword"]
    member.get("/public?max_id=&x=queryword", expect=None)
    member.get("/auth/sign_up?invite=inviteword", expect=None)
    member.action("/auth/sign_in", username="typedword", password="hunter2hunter2")
    member.action("/auth/sign_in", username=member.name, password="hunter2hunter2", csrf_token="x")
    member.post_form("/posts", {"csrf_token": "typedword", "status": "typedword"})
    member.request("GET", "/home", headers={"Authorization": "Bearer typedword", "Referer": "http://x/?queryword"})
    text = server.log()
    for secret in secrets:
        assert secret not in text, secret


# --- floods ------------------------------------------------------------------------------------------------------------


def test_hangs_of_one_page_are_not_all_pages(server):
    """Two hundred sign-ins at once: a bounded number is worked on, the rest is sent away at once, readers are served."""
    browsers = [Browser(server) for _ in range(200)]
    token, cookie = browsers[0].token(), browsers[0].session.cookies["retwis_visitor"]
    for browser in browsers:
        browser.session.headers["Cookie"] = f"retwis_visitor={cookie}"
    reader, read = Browser(server), 0
    with concurrent.futures.ThreadPoolExecutor(200) as pool:
        answers = [pool.submit(b.post_form, "/auth/sign_in", {"csrf_token": token, "username": "nobody_here", "password": "wrong pass"},
                               follow=False) for b in browsers]
        while not all(a.done() for a in answers):
            assert reader.get("/about").status == 200
            read += 1
    statuses = [a.result().status for a in answers]
    assert set(statuses) <= {422, 503} and statuses.count(503) > 100, statuses
    assert read > 5  # as long as passwords are checked: who waited for them would have one page or two
