"""What people are told: the page, its tabs and pages, the number in the menu, and what they do with it."""

import pytest

from retwis_page import Form
from retwis_server import Browser, Server


@pytest.fixture(scope="module")
def server():
    """Small pages."""
    with Server(env={"RETWIS_TIMELINE_PAGE": "10"}) as server:
        yield server


def people(server, *names):
    """New people."""
    return [Browser(server).sign_up(name) for name in names]


def notices(browser, query=""):
    """Kinds and words of the page, newest first."""
    page = browser.get("/notifications" + query)
    return [(n["data-kind"], n.one(".notice-what").text.replace("\u2068", "").replace("\u2069", ""))
            for n in page.all(".notice")]


def badge(browser, path="/public"):
    """The number in the menu: None if there is none; the title has the same."""
    page = browser.get(path)
    found = page.all(".nav .badge")
    number = found[0].text if found else None
    assert page.one("title").text.startswith(f"({number}) ") == bool(found)
    return number


def test_told_grouped_and_seen(server):
    ann, ben, cyd = people(server, "ann_told", "ben_told", "cyd_told")
    assert notices(ann) == [] and ann.get("/notifications").one(".empty h2").text
    assert badge(ann) is None
    post = ann.post("who knows?")
    ben.follow("ann_told")
    cyd.follow("ann_told")
    ben.reply("ann_told", post, "@ann_told @cyd_told we do")
    assert badge(ann) == "2" and badge(cyd) == "1" and badge(ben) is None
    assert notices(ann, "?types=favourite,boost") == []
    assert badge(ann) == "2", "only the page of all marks as seen"
    page = ann.get("/notifications")
    assert [n["data-kind"] for n in page.all(".notice-unread")] == ["reply", "follow"]
    assert page.one("[data-kind=reply] article.status").text.count("we do") == 1
    assert [a["aria-label"] for a in page.all("[data-kind=follow] .notice-people a")] == ["@cyd_told", "@ben_told"]
    assert notices(ann) == [("reply", "ben_told answered you"), ("follow", "cyd_told and 1 other follow you")]
    assert badge(ann) is None and not ann.get("/notifications").all(".notice-unread")
    assert notices(cyd) == [("mention", "ben_told mentioned you")]
    assert notices(ann, "?types=mention") == [("reply", "ben_told answered you")]
    assert notices(ann, "?types=follow") == [("follow", "cyd_told and 1 other follow you")]
    cyd.unfollow("ann_told")
    assert notices(ann, "?types=follow") == [("follow", "ben_told follows you")]


def test_muted_conversation(server):
    """One button on the page of any post of it; it says so, and can be taken back. Others hear of it as before."""
    ann, ben, cyd = people(server, "ann_mutes", "ben_mutes", "cyd_mutes")
    post = ann.post("loud")
    ben.reply("ann_mutes", post, "first")
    first = ben.get("/@ben_mutes/replies").ids[0]
    page = ann.get(f"/posts/{first}/menu")
    page = ann.submit(page.form("form.thread-mute"))
    assert page.path == f"/@ben_mutes/{first}" and page.one(".status-large .hint").text
    assert ann.get(f"/posts/{post}/menu").form("form.thread-mute").action == f"/posts/{post}/unmute"
    ben.reply("ann_mutes", post, "second")
    cyd.reply("ann_mutes", post, "@ann_mutes @ben_mutes third")
    ben.action(f"/posts/{post}/favourite")
    assert notices(ann) == [("reply", "ben_mutes answered you")]
    assert notices(ben) == [("mention", "cyd_mutes mentioned you")]
    ann.submit(ann.get(f"/posts/{post}/menu").form("form.thread-mute"))
    cyd.reply("ann_mutes", post, "fourth")
    assert notices(ann) == [("reply", "cyd_mutes answered you"), ("reply", "ben_mutes answered you")]
    assert not Browser(server).get(f"/posts/{post}/menu").all("form.thread-mute")


def test_another_language(server):
    ann, ben = people(server, "ann_tongue", "ben_tongue")
    ben.follow("ann_tongue")
    page = ann.get("/notifications", headers={"Accept-Language": "zh-CN"})
    assert page.one("h1").text == "通知" and "ben_tongue" in page.one(".notice-text").text


def test_deleted_posts_and_people_are_gone(server):
    ann, ben, cyd = people(server, "ann_gone", "ben_gone", "cyd_gone")
    post = ben.post("@ann_gone hello")
    cyd.post("@ann_gone hello too")
    assert len(notices(ann)) == 2
    ben.delete(post)
    assert notices(ann) == [("mention", "cyd_gone mentioned you")]
    server.cli("user", "delete", "cyd_gone", "--yes")
    assert notices(ann) == []
    server.cli("check", "--homes")


def test_pages(server):
    ann, ben = people(server, "ann_pages", "ben_pages")
    texts = [f"@ann_pages number {i}" for i in range(25)]
    for text in texts:
        ben.post(text)
    seen, path = [], "/notifications?types=mention"
    while path:
        page = ann.get(path)
        seen.append([a.text for a in page.all(".notice .text")])
        last, path = path, page.older
    assert [len(part) for part in seen] == [10, 10, 5]
    assert sum(seen, []) == texts[::-1]
    assert "types=" in last, "the tab goes along"
    back = ann.get(last).newer
    assert [a.text for a in ann.get(back).all(".notice .text")] == seen[1]


def test_more_than_two_digits(server):
    ann, ben = people(server, "ann_many", "ben_many")
    for i in range(100):
        ben.post_quickly(f"@ann_many {i}")
    assert badge(ann) == "99+"
    assert "100 new notifications" in ann.get("/public").one(".nav").text


def test_dismiss_read_clear(server):
    ann, ben = people(server, "ann_away", "ben_away")
    ben.follow("ann_away")
    ben.post("@ann_away one")
    ben.post("@ann_away two")
    form = Form(ann.get("/notifications?types=mention").first("form.notice-dismiss"))
    assert "two" not in ann.submit(form).one(".notices").text, "back to the tab, without it"
    assert [kind for kind, _ in notices(ann, "?types=mention,follow")] == ["mention", "follow"]
    assert badge(ann) == "2"
    ann.submit(ann.get("/notifications?types=mention").form("form.notices-read"))
    assert badge(ann) is None
    page = ann.get("/notifications")
    ben.post("@ann_away three")
    cleared = ann.submit(page.form("form.notices-clear"))
    assert cleared.flash == "Your notifications are cleared."
    assert notices(ann) == [("mention", "ben_away mentioned you")], "what came after the page was made"
    server.cli("check", "--homes")


def test_edit_of_what_one_boosted(server):
    """Who boosted it is told, in his language; of him who took his boost back nothing stays; dismissed it comes again with the next edit."""
    ann, ben, cyd = people(server, "ann_edits", "ben_edits", "cyd_edits")
    post = ann.post("frist")
    for who in (ben, cyd):
        who.action(f"/posts/{post}/boost")
    cyd.action(f"/posts/{post}/unboost")
    ann.action(f"/posts/{post}/edit", status="first")
    told = [("update", "ann_edits edited a post that you boosted")]
    assert badge(ben) == "1" and notices(ben, "?types=update") == told and notices(ben) == told
    assert badge(cyd) is None and notices(cyd) == [] and notices(ben, "?types=mention") == []
    assert "ann_edits a editat o postare" in ben.get("/notifications?lang=ro").text.replace("\u2068", "").replace("\u2069", "")
    ben.get("/notifications?lang=en")
    ben.submit(Form(ben.get("/notifications").first("form.notice-dismiss")))
    assert notices(ben) == []
    ann.action(f"/posts/{post}/edit", status="first of all")
    assert notices(ben) == told and "first of all" in ben.get("/notifications").text


def test_nonsense(server):
    ann, ben = people(server, "ann_odd", "ben_odd")
    ben.follow("ann_odd")
    assert len(notices(ann, "?types=nonsense")) == 1
    page = ann.get("/notifications?types=" + "favourite%26max_id%3D1,follow")
    assert len(page.all(".notice")) == 1
    assert ann.action("/notifications/dismiss", id="x:1", until=5).status == 404
    assert ann.action("/notifications/clear", until="soon").status == 400
    assert ann.get("/notifications?max_id=0", expect=None).status == 400
    assert len(notices(ann)) == 1
    assert Browser(server).get("/notifications").path.startswith("/auth/sign_in")
