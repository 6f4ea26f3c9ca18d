"""Creating an account: rules of names and passwords, the form that comes back, who is let in."""

import concurrent.futures

import pytest

from retwis_server import PASSWORD, Browser, Server, wait_until

GOOD = {"username": None, "password": PASSWORD, "password2": PASSWORD}


def refused(page, field, status=422):
    """The form stands there again with an error beside that field, and no password in it."""
    assert page.status == status, page.summary
    assert field in page.errors, page.errors
    form = page.form("form.sign-up")
    assert not form.values.get("password") and not form.values.get("password2")
    return form


def test_signs_in_at_once(any_server, unique):
    """Whoever signs up is signed in and sees his home page with a word of welcome."""
    name = unique("New_User")
    page = Browser(any_server).try_sign_up(name)
    assert page.status == 200 and page.path == "/home"
    assert name in page.flash
    assert page.first(".empty") is not None
    assert page.counts == {"statuses": 0, "following": 0, "followers": 0}


@pytest.mark.parametrize("name", ["abc", "a" * 30, "A_b_C", "___", "000", "9lives"])
def test_names_that_are_allowed(server, name):
    """3 to 30 ASCII letters, digits and underscores, shown as typed."""
    browser = Browser(server).sign_up(name)
    assert browser.get(f"/@{name.upper()}").one(".profile-acct .acct").text == "@" + name


@pytest.mark.parametrize("name", ["ab", "a" * 31, "with space", "dash-ed", "dot.ted", "naïve", "имя", "名前", "a\u200bbc",
                                  "good\n<script>", "a@b", "/home", "<b>", "ａｂｃ", "abc\u0000"])
def test_names_that_are_not(server, name):
    """Everything else is refused, whatever line breaks or look-alikes it holds."""
    page = Browser(server).try_sign_up(name)
    if "\0" in name:
        assert page.status == 400
    else:
        form = refused(page, "username")
        assert form.values["username"].replace("\r", "") == name


@pytest.mark.parametrize("name", ["admin", "Admin", "ROOT", "home", "settings", "api", "retwis", "support", "postmaster"])
def test_reserved_names(server, name):
    """Nobody becomes the site, its staff or one of its paths."""
    refused(Browser(server).try_sign_up(name), "username")


def test_taken_in_any_case(server, unique):
    """A name belongs to one person, however it is written."""
    name = unique("Casey")
    Browser(server).sign_up(name)
    for again in (name, name.lower(), name.upper()):
        form = refused(Browser(server).try_sign_up(again), "username")
        assert form.values["username"] == again


@pytest.mark.parametrize("field,values", [
    ("username", {"username": ""}),
    ("password", {"password": "", "password2": ""}),
    ("password", {"password": "short77", "password2": "short77"}),
    ("password", {"password": "x1" * 65, "password2": "x1" * 65}),
    ("password2", {"password2": ""}),
    ("password2", {"password2": PASSWORD + "x"}),
    ("password", {"password": "password123", "password2": "password123"}),
    ("password", {"password": "12345678", "password2": "12345678"}),
    ("password", {"password": "Butterfly1!", "password2": "Butterfly1!"}),
    ("password", {"password": "aaaaaaaaaa", "password2": "aaaaaaaaaa"}),
])
def test_fields_that_are_wrong(server, unique, field, values):
    """Each rule has its message at its field, and the name stays filled in."""
    name = unique("wrong")
    data = {**GOOD, "username": name, **values}
    page = Browser(server).try_sign_up(data["username"], data["password"], data["password2"])
    form = refused(page, field)
    assert form.values["username"] == data["username"]
    focused = [e["name"] for e in page.all("form.sign-up input") if "autofocus" in e]
    assert focused == [field]
    for secret in (data["password"], data["password2"]):
        assert not secret or secret not in page.text
    if data["username"]:
        Browser(server).get(f"/@{name}", expect=404)


def test_password_must_not_be_the_name(server, unique):
    """The first guess of everybody."""
    name = unique("longenough")
    for password in (name, name.upper(), name + "1"):
        refused(Browser(server).try_sign_up(name, password), "password")


@pytest.mark.parametrize("password", ["        8 blanks ", "пароль длинный", "密码密码密码密码", "😀" * 8, "x1" * 64, 'a"b\'c<d>&e'])
def test_passwords_are_any_characters(server, unique, password):
    """No rules of composition, no cutting: what was typed is what signs in."""
    name = unique("anychar")
    Browser(server).sign_up(name, password)
    Browser(server).sign_in(name, password)
    assert Browser(server).try_sign_in(name, password[:-1]).status == 422


def test_all_fields_missing(server):
    """A form without fields is like an empty one."""
    browser = Browser(server)
    page = browser.action("/auth/sign_up")
    assert page.status == 422
    assert {"username", "password"} <= set(page.errors)


def test_one_name_one_winner(server, unique):
    """Eight people want one name at the same moment: exactly one gets it, and the account is whole."""
    name = unique("race")
    browsers = [Browser(server) for _ in range(8)]
    for browser in browsers:
        browser.token()
    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        passwords = [f"horse number {i}" for i in range(8)]
        answers = list(pool.map(lambda pair: pair[0].action("/auth/sign_up", follow=False, username=name,
                                                            password=pair[1], password2=pair[1]).status,
                                zip(browsers, passwords)))
    assert sorted(answers) == [303] + [422] * 7
    winner = answers.index(303)
    assert browsers[winner].is_signed_in()
    for i, password in enumerate(passwords):
        status = Browser(server).try_sign_in(name, password).status
        assert status == (200 if i == winner else 422)
    latest = [e["data-name"] for e in browsers[0].get("/public").all(".latest .account-row")]
    assert latest.count(name) == 1


def test_closed_registration():
    """The form is gone, the way behind it too; those who are in stay in."""
    with Server() as server:
        member = Browser(server).sign_up("member")
        stranger = Browser(server)
        token = stranger.token()
        server.cli("settings", "set", "registration", "closed")
        wait_for_setting(lambda: stranger.get("/auth/sign_up").first("form.sign-up") is None)
        assert stranger.get("/").first("form.sign-up") is None
        page = stranger.post_form("/auth/sign_up", {**GOOD, "username": "intruder", "csrf_token": token})
        assert page.status == 403
        stranger.get("/@intruder", expect=404)
        assert member.is_signed_in()
        Browser(server).sign_in("member")
        server.cli("settings", "set", "registration", "open")
        wait_for_setting(lambda: stranger.get("/auth/sign_up").first("form.sign-up") is not None)


def test_invitation():
    """By invitation: a code lets in as many as it was made for, and nobody else."""
    with Server() as server:
        server.cli("settings", "set", "registration", "invite")
        visitor = Browser(server)
        wait_for_setting(lambda: visitor.get("/auth/sign_up").first("input[name=invite_code]") is not None)
        code = server.cli("invite").split()[0].rsplit("=", 1)[-1]
        refused(visitor.try_sign_up("uninvited"), "invite_code")
        form = refused(visitor.try_sign_up("uninvited", invite_code="x" * 20), "invite_code")
        assert form.values["invite_code"] == "x" * 20
        assert visitor.get(f"/auth/sign_up?invite={code}").form("form.sign-up").values["invite_code"] == code
        # a sign-up that fails for another reason does not use the code up
        refused(visitor.try_sign_up("ab", invite_code=code), "username")
        Browser(server).sign_up("invited", invite_code=code)
        refused(visitor.try_sign_up("second", invite_code=code), "invite_code")
        visitor.get("/@second", expect=404)


def wait_for_setting(condition):
    """A changed setting arrives within a second, as promised."""
    wait_until(condition, 2, "the setting is picked up")


def test_a_name_that_is_taken_beside_other_mistakes(server, unique):
    """All of it at once, in the order of the form, each in its place and once."""
    name = unique("taken")
    Browser(server).sign_up(name)
    answer = Browser(server).action("/auth/sign_up", follow=False, username=name, password="short", password2="other")
    assert answer.status == 422 and list(answer.errors) == ["username", "password", "password2"]
    assert all(answer.text.count(text) == 1 for text in answer.errors.values())
