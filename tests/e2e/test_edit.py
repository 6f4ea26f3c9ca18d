"""Posts are edited: the words, what they were, and all that follows from words; and taken back to be written again."""

import pytest

from retwis_server import Browser, RedisServer, Server, wait_until


@pytest.fixture(scope="module")
def pair():
    """Two servers of one site."""
    with RedisServer() as redis, Server(engine=redis) as one, Server(engine=redis) as two:
        yield one, two


def edit(browser, post, text, **fields):
    """Sends the form of the post with other words."""
    form = browser.get(f"/posts/{post}/edit").form(f"/posts/{post}/edit")
    return browser.submit(form, status=text, **fields)


def test_edit(server, people):
    """The page of the post has the new words and says when; the form comes with the old ones; the same again is no edit."""
    me, other = people(server, "editor", "reader")
    post = me.post("frist", spoiler_text="careful")
    other.follow(me.name)
    assert edit(me, post, "first").flash == "Saved."
    for page in (other.get("/home"), Browser(server).get(f"/@{me.name}/{post}"), me.get("/home")):
        [status] = [s for s in page.statuses if s.id == post]
        assert "first" in status.text and "frist" not in status.text
        assert page.one(".edited a")["href"] == f"/posts/{post}/history"
    form = me.get(f"/posts/{post}/edit").form(f"/posts/{post}/edit")
    assert form.values["status"] == "first" and form.values["spoiler_text"] == "careful"
    edit(me, post, "first")
    assert len(other.get(f"/posts/{post}/history").all(".versions li")) == 2


def test_history(server, people):
    """All versions, the newest first, each as it was; only for those who may see the post."""
    me = people(server, "historian")
    post = me.post("one")
    for text in ("two <b>", "three"):
        edit(me, post, text)
    texts = [e.text.strip() for e in Browser(server).get(f"/posts/{post}/history").all(".versions .text")]
    assert texts == ["three", "two <b>", "one"]
    private = me.post("for followers", visibility="private")
    edit(me, private, "for followers only")
    assert Browser(server).get(f"/posts/{private}/history", expect=404)
    assert len(me.get(f"/posts/{private}/history").all(".versions li")) == 2


def test_versions_are_bounded(server, people):
    """The newest twenty before today's."""
    me = people(server, "often")
    post = me.post("version 0")
    for i in range(1, 25):
        me.action(f"/posts/{post}/edit", follow=False, status=f"version {i}")
    texts = [e.text.strip() for e in me.get(f"/posts/{post}/history").all(".versions .text")]
    assert texts == [f"version {i}" for i in range(24, 3, -1)]


def test_tags_and_mentions_follow(server, people, unique):
    """A tag that goes does not lead to the post any more, one that comes does; who is mentioned now is told."""
    me, other = people(server, "tagger", "told")
    old, new, kept = unique("old"), unique("new"), unique("kept")
    post = me.post(f"#{old} #{kept}")
    edit(me, post, f"#{new} #{kept} @{other.name}")
    found = [Browser(server).get(f"/tags/{tag}").ids for tag in (old, new, kept)]
    assert found == [[], [post], [post]]
    assert len(other.get("/notifications").all(".notice")) == 1
    private = me.post("quiet", visibility="private")
    edit(me, private, f"#{new}")
    assert me.get(f"/tags/{new}").ids == [post]


def test_refused(server, people):
    """Nothing is lost: the form comes back with what was typed; and nobody edits what is not his."""
    me, other = people(server, "owner", "stranger")
    post = me.post("mine")
    page = edit(me, post, "x" * 501)
    assert page.status == 422 and page.errors["status"] == "Keep it to 500 characters; this has 501."
    assert page.form(f"/posts/{post}/edit").values["status"] == "x" * 501
    assert edit(me, post, "  ").status == 422
    assert other.get(f"/posts/{post}/edit", expect=403) and other.action(f"/posts/{post}/edit", status="yours").status == 403
    private = me.post("for followers", visibility="private")
    assert other.action(f"/posts/{private}/edit", status="yours").status == 404
    me.delete(post)
    assert me.action(f"/posts/{post}/edit", status="again").status == 404
    assert Browser(server).get(f"/posts/{post}/history", expect=404)


def test_other_servers_show_it(pair, people):
    """Within milliseconds, and the server that did it at once."""
    one, two = pair
    me = people(one, "here")
    post = me.post("before")
    reader = Browser(two)
    assert "before" in reader.get(f"/@{me.name}/{post}").text
    edit(me, post, "afterwards")
    assert "afterwards" in Browser(one).get(f"/@{me.name}/{post}").text
    wait_until(lambda: "afterwards" in reader.get(f"/@{me.name}/{post}").text, 20, "the other server knows")


def test_nothing_stays(people):
    """A post that was edited leaves nothing when it goes, and the check finds nothing at any time."""
    with Server() as server:
        me = people(server, "gone")
        post = me.post("#a")
        edit(me, post, "#b")
        assert server.cli("check", expect=None).returncode == 0
        me.delete(post)
        with server.engine() as engine:
            wait_until(lambda: not engine.keys("*:history:*") and not engine.keys("*:tag:*"), 20, "it is cleaned up")
        assert server.cli("check", expect=None).returncode == 0


def test_place(server, people):
    """A place is said by hand alone, shown as a link to a map, kept by edits and by writing again; what is none comes back with the reason."""
    me = people(server, "placed")
    form = me.get("/compose").form("#compose")
    assert form.values["lat"] == form.values["long"] == ""
    page = me.submit(form, status="up here", lat="48.85837", long="182")
    assert page.status == 422 and page.errors == {"long": "Give a longitude as a number of degrees from -180 to 180, like 2.29448."}
    form = page.form("#compose")
    assert form.values["lat"] == "48.85837" and page.one("details.compose-choices").attributes.get("open") is not None
    me.submit(form, long="2.294480")
    post = me.get(f"/@{me.name}").statuses[0].id
    link = Browser(server).get(f"/@{me.name}/{post}").one(".place a")
    assert link.text == "Place 48.85837, 2.29448" and "mlat=48.85837&mlon=2.29448#" in link["href"]
    form = me.get(f"/posts/{post}/edit").form(f"/posts/{post}/edit")
    assert (form.values["lat"], form.values["long"]) == ("48.85837", "2.29448")
    edit(me, post, "down here", lat="-1.5")
    assert me.get(f"/@{me.name}/{post}").one(".place a").text == "Place -1.5, 2.29448"
    edit(me, post, "nowhere", lat="", long="")
    assert not me.get(f"/@{me.name}/{post}").all(".place")
    edit(me, post, "again", lat="1", long="2")
    asked = me.get(f"/@{me.name}/{post}").form("#compose")
    assert asked.values["lat"] == "", "an answer is not written at the same place"
    again = me.action(f"/posts/{post}/delete", redraft="1").form("#compose")
    assert (again.values["lat"], again.values["long"]) == ("1", "2")


def test_delete_and_write_again(server, people):
    """The box opens with all that the post was."""
    me, other = people(server, "redraft", "other")
    asked = other.post("a question")
    post = me.post("an anwser", in_reply_to_id=asked, spoiler_text="about it", visibility="unlisted")
    page = me.action(f"/posts/{post}/delete", redraft="1")
    form = page.form("#compose")
    assert form.values["status"] == "an anwser" and form.values["spoiler_text"] == "about it"
    assert form.values["visibility"] == "unlisted" and form.values["in_reply_to_id"] == asked
    assert me.get(f"/@{me.name}/{post}", expect=404)
    me.submit(form, status="an answer")
    assert "an answer" in me.get(f"/@{other.name}/{asked}").text
