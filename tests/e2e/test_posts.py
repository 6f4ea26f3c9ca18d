"""Writing posts: what they may hold, what comes back when they may not, once only, and taking them back."""

import concurrent.futures

import pytest

from retwis_server import Browser, wait_until

FORBIDDEN = {
    "bell": "\x07", "escape": "\x1b[31m", "backspace": "a\x08b", "delete": "\x7f", "C1": "\x9b",
    "override": "\u202e", "embedding": "\u202a", "pop": "\u202c", "isolate": "\u2066", "pop isolate": "\u2069",
    "line separator": "\u2028", "paragraph separator": "\u2029", "byte order mark": "\ufeff",
}


def test_written_and_shown_everywhere(any_server, people):
    """One post: at home, on the profile, in public, on its own page."""
    author = people(any_server, "writer")
    text = f"Grüße, 世界! مرحبا 👩‍👩‍👧‍👦 {author.name}"
    page = author.try_post(text)
    assert page.status == 200 and page.path == "/home" and page.flash
    status = page.statuses[0]
    assert status.text == text and status.author == author.name
    stranger = Browser(any_server)
    for path in (f"/@{author.name}", "/public", status.href):
        assert status.id in stranger.get(path).ids, path
    main = stranger.get(status.href).one("article.status-large")
    assert main["data-id"] == status.id
    assert stranger.get(f"/@{author.name}").counts["statuses"] == 1


@pytest.mark.parametrize("typed,kept", [
    ("first\nsecond", "first\nsecond"),
    ("first\n\nthird", "first\n\nthird"),
    ("a\tb", "a\tb"),
    ("  around \n\n", "around"),
    ("\n\r\n lines first", "lines first"),
    ("emoji 👍🏽 and flags 🇷🇴", "emoji 👍🏽 and flags 🇷🇴"),
    ("combining e\u0301 \u200d joiner", "combining e\u0301 \u200d joiner"),
    ("a | b & c < d > e \" f ' g \\ h %41 {{x}} {{{y}}} #{z} ${w}",
     "a | b & c < d > e \" f ' g \\ h %41 {{x}} {{{y}}} #{z} ${w}"),
    ("\U0001F600\U00020000\U0010FFFD", "\U0001F600\U00020000\U0010FFFD"),
])
def test_text_is_kept(server, people, typed, kept):
    """What was typed is what is read, on the first view and from the cache."""
    author = people(server, "keeper")
    author.post(typed)
    for _ in range(2):
        assert author.get(f"/@{author.name}").texts == [kept]


def test_limit_counts_characters(server, people):
    """500 code points are allowed whatever their bytes; white space around and CR do not count."""
    author = people(server, "counter")
    for text in ("x" * 500, "😀" * 500, "é" * 500, "世" * 500, "  " + "y" * 500 + " \n"):
        author.post(text)
    author.post("a\n" * 249 + "bb")  # sent as CR LF: 749 bytes on the wire
    for text in ("x" * 501, "😀" * 501, "a\n" * 250 + "b"):
        page = author.try_post(text)
        assert page.status == 422
        assert "501" in page.errors["status"] and "500" in page.errors["status"]
        assert page.form("#compose").values["status"].replace("\r\n", "\n") == text
    assert author.get(f"/@{author.name}").counts["statuses"] == 6


@pytest.mark.parametrize("text", ["", " ", "\n\n", "\t \r\n"])
def test_blank(server, people, text):
    """Nothing said is not a post."""
    author = people(server, "silent")
    page = author.try_post(text)
    assert page.status == 422 and "status" in page.errors
    assert author.get(f"/@{author.name}").ids == []


def test_forbidden_characters(server, people):
    """Characters that hide or turn round what others read are refused, and the text is not lost."""
    author = people(server, "trickster")
    for what, characters in FORBIDDEN.items():
        text = f"before {characters} after"
        page = author.try_post(text)
        assert page.status == 422 and "status" in page.errors, what
        assert page.form("#compose").values["status"] == text, what
    assert author.get(f"/@{author.name}").ids == []


def test_bytes_that_are_no_text(server, people):
    """NUL and invalid UTF-8 never come from a form: the request is refused."""
    author = people(server, "binary")
    head = f"csrf_token={author.token()}&next=/home&status="
    for body in ("a%00b", "a%FFb", "%C0%AF", "%ED%A0%80", "%F4%90%80%80", "%E2%82", "%zz", "%4"):
        page = author.request("POST", "/posts", data=head + body, follow=False,
                              headers={"Content-Type": "application/x-www-form-urlencoded"})
        assert page.status == 400, body
    assert author.get(f"/@{author.name}").ids == []


def test_stranger_cannot_post(server):
    """Without a session the form leads to signing in."""
    page = Browser(server).action("/posts", follow=False, status="anonymous")
    assert page.status == 303 and page.headers["Location"].startswith("/auth/sign_in")


def test_sent_twice(server, people):
    """The same form sent again (a double click, reload, a retry) makes no second post."""
    author = people(server, "twice")
    form = author.get("/home").form("#compose")
    for _ in range(3):
        assert author.submit(form, status="only once").status == 200
    assert author.get(f"/@{author.name}").texts == ["only once"]
    again = author.get("/home").form("#compose")
    assert again.values["idempotency_key"] != form.values["idempotency_key"]
    author.submit(again, status="only once")
    assert author.get(f"/@{author.name}").texts == ["only once", "only once"]


def test_sent_twice_at_once(any_server, people):
    """Also when both requests run at the same moment."""
    author = people(any_server, "burst")
    form = author.get("/home").form("#compose")
    form.values["csrf_token"] = author.token()

    def send(_):
        twin = Browser(any_server)
        twin.session.cookies.set("retwis", author.cookie)
        return twin.submit(form, follow=False, status="simultaneous").status

    with concurrent.futures.ThreadPoolExecutor(6) as pool:
        assert set(pool.map(send, range(6))) == {303}
    for path in (f"/@{author.name}", "/home"):
        assert author.get(path).texts == ["simultaneous"]


def test_key_of_refused_post_can_be_used(server, people):
    """A post that was refused comes back with its key, and the corrected one is written."""
    author = people(server, "second_try")
    sent = author.get("/home").form("#compose")
    form = author.submit(sent, status="x" * 501).form("#compose")
    assert form.values["idempotency_key"] == sent.values["idempotency_key"] != ""
    assert author.submit(form, status="shorter").status == 200
    assert author.get("/home").texts == ["shorter"]


def test_keys_of_two_people_do_not_meet(server, people):
    """A key belongs to its user."""
    alice, bob = people(server, "alice", "bob")
    for author in (alice, bob):
        author.action("/posts", status="by " + author.name, idempotency_key="the-same-key", next="/home")
    assert alice.get(f"/@{alice.name}").texts == ["by " + alice.name]
    assert bob.get(f"/@{bob.name}").texts == ["by " + bob.name]


# --- taking back ---

def test_delete_by_the_button(any_server, people):
    """The author's own pages have the button; it leads back, and the post is nowhere."""
    author = people(any_server, "regret")
    kept, gone = author.post("kept"), author.post("gone #regretted")
    menu = f"/posts/{gone}/menu"
    assert author.get(f"/@{author.name}/{gone}").form("form.delete").action == f"/posts/{gone}/delete"
    form = author.get(menu, headers={"Referer": any_server.url + "/home"}).form(f"/posts/{gone}/delete")
    page = author.submit(form)
    assert page.path == "/home" and page.flash and page.texts == ["kept"]
    stranger = Browser(any_server)
    for path in (f"/@{author.name}", "/public", "/tags/regretted"):
        assert gone not in stranger.get(path).ids, path
    stranger.get(f"/@{author.name}/{gone}", expect=404)
    assert stranger.get(f"/@{author.name}").counts["statuses"] == 1
    assert author.delete(gone).status == 404
    # from the post's own page the way leads to the profile
    here = {"Referer": f"{any_server.url}/@{author.name}/{kept}"}
    page = author.submit(author.get(f"/posts/{kept}/menu", headers=here).form(f"/posts/{kept}/delete"))
    assert page.path == f"/@{author.name}" and page.texts == []


def test_others_cannot_delete(server, people):
    """No button for them, and 403 without it; strangers are asked to sign in."""
    author, other = people(server, "author", "other")
    post = author.post("mine")
    assert other.get(f"/posts/{post}/menu").first("form.delete") is None
    assert other.delete(post).status == 403
    page = Browser(server).action(f"/posts/{post}/delete", follow=False)
    assert page.status == 303 and "/auth/sign_in" in page.headers["Location"]
    assert author.get(f"/@{author.name}").ids == [post]


def test_admin_may_delete(server, people):
    """Whoever was promoted at the console may remove anybody's post, also in a session that he has already."""
    author, admin = people(server, "author", "admin")
    post = author.post("against the rules")
    assert admin.delete(post).status == 403
    server.cli("user", "promote", admin.name)
    wait_until(lambda: admin.delete(post).status == 200, 2, "the server has heard of it")
    assert author.get("/home").ids == []


@pytest.mark.parametrize("post_id", ["0", "1", "9" * 18, "9" * 19, "9" * 25, "-1", "abc", "1x", "%20"])
def test_delete_of_nothing(server, people, post_id):
    """Ids of no post are not found, whatever they look like."""
    author = people(server, "nothing")
    assert author.delete(post_id).status == 404
    assert author.get(f"/@{author.name}/{post_id}", expect=None).status == 404


# --- replies ---

def test_reply(any_server, people):
    """A reply shows what it answers, and the other way round."""
    alice, bob = people(any_server, "alice", "bob")
    post = alice.post("a question")
    form = bob.get(f"/@{alice.name}/{post}").form("#compose")
    assert form.values["status"] == f"@{alice.name} " and form.values["in_reply_to_id"] == post
    page = bob.submit(form, status=f"@{alice.name} an answer")
    assert page.path == f"/@{alice.name}/{post}"
    assert page.texts == ["a question", f"@{alice.name} an answer"]
    answer = page.ids[1]
    page = Browser(any_server).get(f"/@{bob.name}/{answer}")
    assert page.first(".thread-parent article.status")["data-id"] == post
    link = page.first(".status-large .in-reply-to a")
    assert link["href"] == f"/@{alice.name}/{post}" and alice.name in link.text
    # on a profile the reply links to what it answers
    link = Browser(any_server).get(f"/@{bob.name}/replies").first(".in-reply-to a")
    assert link["href"] == f"/@{alice.name}/{post}"


def test_number_of_replies(server, people):
    """Beside the word Reply stands how many there are."""
    alice = people(server, "alice")
    post = alice.post("count")
    alice.reply(alice.name, post, "one")
    page = alice.reply(alice.name, post, "two")
    assert page.one(".status-large b").text == "2"


def test_reply_to_oneself_begins_empty(server, people):
    """Nobody needs to mention himself."""
    alice = people(server, "alice")
    post = alice.post("thread 1")
    assert alice.get(f"/@{alice.name}/{post}").form("#compose").values["status"] == ""


def test_replies_in_order_and_paged(any_server, people):
    """A conversation reads downwards, page by page, both ways, without hole or duplicate."""
    alice, bob = people(any_server, "alice", "bob")
    post = alice.post("begin")
    for i in range(65):
        bob.post_quickly(f"answer {i}", in_reply_to_id=post)
    pages = list(alice.pages(f"/@{alice.name}/{post}"))
    texts = [t for page in pages for t in page.texts[1:]]
    assert texts == [f"answer {i}" for i in range(65)]
    assert len(pages) == 4
    back, page = [], pages[-1]
    while page.newer:
        page = alice.get(page.newer)
        back = page.texts[1:] + back
    assert back == texts[: len(back)] and len(back) == 60


def test_reply_after_an_error(server, people):
    """The page of the answered post comes back with the text."""
    alice, bob = people(server, "alice", "bob")
    post = alice.post("question")
    page = bob.submit(bob.get(f"/@{alice.name}/{post}").form("#compose"), status="y" * 501)
    assert page.status == 422 and page.first(f".status-large[data-id={post}]")
    form = page.form("#compose")
    assert form.values["status"] == "y" * 501 and form.values["in_reply_to_id"] == post


def test_parent_deleted(any_server, people):
    """A reply outlives what it answered, and says so; answering what is gone is refused with the text kept."""
    alice, bob = people(any_server, "alice", "bob")
    post = alice.post("soon gone")
    page = bob.reply(alice.name, post, "a reply")
    reply = page.ids[1]
    form = bob.get(f"/@{alice.name}/{post}").form("#compose")
    alice.delete(post)
    page = Browser(any_server).get(f"/@{bob.name}/{reply}")
    assert page.first(".thread-gone") is not None and page.first(".thread-parent") is None
    page = bob.submit(form, status="too late, but long thought about")
    assert page.status == 422 and page.errors
    assert page.form("#compose").values["status"] == "too late, but long thought about"
    assert bob.get("/home").texts == ["a reply"]


def test_reply_sent_again_after_its_parent_was_deleted(server, people):
    """The answer to the first request was lost: the second is told that the reply is there, not that it could not be written."""
    alice, bob = people(server, "alice", "bob")
    post = alice.post("soon gone")
    fields = {"status": "too late?", "in_reply_to_id": post, "idempotency_key": "an-answer", "next": "/home"}
    assert bob.action("/posts", follow=False, **fields).status == 303
    alice.delete(post)
    assert bob.action("/posts", follow=False, **fields).status == 303
    assert bob.get(f"/@{bob.name}/replies").texts == ["too late?"]
    assert bob.action("/posts", follow=False, **{**fields, "idempotency_key": "another"}).status == 422
    assert bob.get(f"/@{bob.name}/replies").texts == ["too late?"]


def test_reply_to_nothing(server, people):
    """An id of no post is no parent."""
    alice = people(server, "alice")
    page = alice.action("/posts", status="into the void", in_reply_to_id="123456789", next="/home")
    assert page.status in (400, 422)
    assert alice.get("/home").ids == []


def test_permalink(server, people):
    """In any case of the name, but only under its author's."""
    alice, bob = people(server, "Alice", "bob")
    post = alice.post("here")
    stranger = Browser(server)
    assert stranger.get(f"/@{alice.name.lower()}/{post}").ids[0] == post
    assert stranger.get(f"/@{alice.name}/{post}/").ids[0] == post
    stranger.get(f"/@{bob.name}/{post}", expect=404)
    stranger.get(f"/@nobody_at_all/{post}", expect=404)
    assert stranger.get(f"/@{alice.name}/{post}").first("#compose") is None
