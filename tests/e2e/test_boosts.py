"""Boosts and pins as people meet them: the buttons without scripts, who boosted above the post, homes in every mode, the notice, pages
of those who did, and the top of the profile. What happens to the data is tests/unit/test_social_boosts.c."""

import pytest

from retwis_server import Browser
from test_reactions import is_pressed, press
from test_visibility import RELATIONS, relate, write


def entry(page, post):
    """The article of a post in the timeline of a page; None: it is not there."""
    found = page.all(f"#timeline article.status[data-id={post}]")
    assert len(found) <= 1, "a timeline shows a post once"
    return found[0] if found else None


def booster(page, post):
    """Who boosted it, as the line above it says; None: nobody."""
    line = entry(page, post).first(".boosted-by a")
    return line and line["href"]


def number(page, post):
    """How often it was boosted."""
    shown = entry(page, post).one("button[name=boost]").first("b")
    return int(shown.text) if shown else 0


def test_home_in_every_mode(any_server, people):
    """Who follows the booster finds the post in his home, once, with who boosted it; who follows both finds the post itself."""
    author, ann, reader, friend = people(any_server, "author", "ann", "reader", "friend")
    reader.follow(ann.name)
    friend.follow(ann.name)
    friend.follow(author.name)
    post = author.post("worth it")
    for _ in range(2):  # the second time the process knows it all
        assert entry(reader.get("/home"), post) is None
        press(ann, f"/@{author.name}", post, "boost")
        for _ in range(2):
            page = reader.get("/home")
            assert booster(page, post) == f"/@{ann.name}" and number(page, post) == 1
            assert not is_pressed(page, post, "boost")
            page = friend.get("/home")
            assert booster(page, post) is None and number(page, post) == 1
        assert booster(ann.get("/home"), post) == f"/@{ann.name}" and is_pressed(ann.get("/home"), post, "boost")
        assert booster(reader.get(f"/@{ann.name}"), post) == f"/@{ann.name}"
        assert entry(reader.get("/public"), post).all(".boosted-by") == []
        ann.action(f"/posts/{post}/unboost", next="/home")
    author.action(f"/posts/{post}/delete", next="/home")
    assert entry(friend.get("/home"), post) is None


def test_vanishes_with_the_post(server, people):
    """A boost of what is gone, or of whom one blocks, is nowhere."""
    author, ann, reader = people(server, "author", "ann", "reader")
    reader.follow(ann.name)
    kept, lost = author.post("kept"), author.post("lost")
    for post in (kept, lost):
        ann.action(f"/posts/{post}/boost", next="/home")
    assert entry(reader.get("/home"), kept) and entry(reader.get("/home"), lost)
    author.delete(lost)
    assert entry(reader.get("/home"), lost) is None and entry(reader.get(f"/@{ann.name}"), lost) is None
    reader.action(f"/@{author.name}/block", next="/home")
    assert entry(reader.get("/home"), kept) is None and entry(reader.get(f"/@{ann.name}"), kept) is None


def test_hidden_boost_hides_nothing(any_server, people):
    """A boost by somebody muted, right above the next page, is not seen: so the post itself stands on that page."""
    author, ann, reader = people(any_server, "author", "ann", "reader")
    reader.follow(author.name)
    reader.follow(ann.name)
    posts = [author.post("boosted"), author.post("last of the page")]
    ann.action(f"/posts/{posts[0]}/boost", next="/home")
    posts += [author.post(f"{i}") for i in range(19)]
    reader.action(f"/@{ann.name}/mute", next="/home")
    for _ in range(2):
        assert [ids for part in reader.pages("/home", most=2) for ids in part.ids] == posts[::-1]


def test_who_and_notice(server, people):
    """Anybody may see who boosted; the author is told of all of them at once."""
    author, ann, ben = people(server, "author", "ann", "ben")
    post = author.post("worth it")
    for browser in (ann, ben):
        browser.action(f"/posts/{post}/boost", next="/home")
    assert Browser(server).get(f"/posts/{post}/boosts").names == [ben.name, ann.name]
    page = Browser(server).get(f"/@{author.name}/{post}")
    assert page.one("a.who")["href"] == f"/posts/{post}/boosts" and page.one("[data-count=boosts]").text == "2"
    notice = author.get("/notifications?types=boost").one(".notice")
    assert notice["data-kind"] == "boost" and ben.name in notice.text and "1 other" in notice.text
    for browser in (ann, ben):
        browser.action(f"/posts/{post}/unboost", next="/home")
    assert author.get("/notifications?types=boost").all(".notice") == []
    assert Browser(server).get(f"/posts/{post}/boosts").names == []


def test_page_of_a_boost(server, people):
    """A boost has no page: it leads to what it boosts. The next page of a timeline goes on behind it all the same."""
    author, ann = people(server, "author", "ann")
    posts = [author.post(f"post {i}") for i in range(25)]
    for post in posts:
        ann.action(f"/posts/{post}/boost", next="/home")
    pages = list(ann.pages(f"/@{ann.name}", most=4))
    assert [e["data-id"] for page in pages for e in page.all("#timeline article.status")] == posts[::-1]
    boost = entry(pages[0], posts[-1])["id"].removeprefix("post-")
    assert boost != posts[-1]
    answer = ann.request("GET", f"/@{ann.name}/{boost}", follow=False)
    assert (answer.status, answer.headers["Location"]) == (303, f"/@{author.name}/{posts[-1]}")


def test_what_one_does_not_see_cannot_be_refused(server, people):
    """The process remembers the post, so it could say 403; but then it would say that there is one."""
    author, stranger = people(server, "secretive", "stranger")
    for visibility in ("private", "direct"):
        post = write(author, visibility, visibility)
        author.get(f"/@{author.name}/{post}")
        for verb in ("boost", "pin", "favourite", "bookmark", "mute"):
            assert stranger.action(f"/posts/{post}/{verb}", next="/home").status == 404, (visibility, verb)


@pytest.mark.parametrize("relation", RELATIONS, ids=lambda r: r.name)
def test_matrix_of_boosts(server, people, relation):
    """Every relation to the author of what somebody boosts, against every visibility: in the home of whoever follows the booster, on the
    booster's profile, and never where strangers find posts."""
    author, ann = people(server, "writer", "ann")
    ann.follow(author.name)
    viewer = {"nobody": lambda: Browser(server), "own": lambda: author}.get(relation.name, lambda: people(server, "viewer"))()
    if relation.name not in ("nobody", "own"):
        relate(viewer, author, relation)
    if relation.name != "nobody":
        viewer.follow(ann.name)
    posts = {v: write(author, v, v) for v in ("public", "unlisted", "private", "direct")}
    answers = {v: ann.action(f"/posts/{p}/boost", next="/home").status for v, p in posts.items()}
    assert answers == {"public": 200, "unlisted": 200, "private": 403, "direct": 404}
    own = author.action(f"/posts/{posts['private']}/boost", next="/home")
    assert own.status == 200 and author.action(f"/posts/{posts['direct']}/boost", next="/home").status == 403
    apart = relation.apart is not None
    paths = [f"/@{ann.name}"] + (["/home"] if relation.name != "nobody" else [])
    for path in paths * 2:
        shown = {e["data-id"]: e.first(".boosted-by a") for e in viewer.get(path).all("#timeline article.status")}
        assert (posts["public"] in shown, posts["unlisted"] in shown) == (not apart, not apart), path
        if path != "/home":
            assert posts["private"] not in shown and posts["direct"] not in shown
        else:
            knows = relation.name == "own" or relation.follows and not apart
            assert (posts["private"] in shown) == knows
    assert all(not e.all(".boosted-by") for e in viewer.get("/public").all("article.status"))


def test_pins(server, people):
    """Five posts of one's own stand on top of the profile, for everybody; buttons are there for their author alone."""
    author, reader = people(server, "author", "reader")
    posts = [author.post(f"post {i}") for i in range(6)]
    path = f"/@{author.name}"

    def pinned(browser):
        ids = [e["id"] for e in browser.get(path).all("article.status[id]")]
        return [name.removeprefix("post-pinned-") for name in ids if name.startswith("post-pinned-")]

    for post in posts[:5]:
        page = author.action(f"/posts/{post}/pin", next=path)
        assert page.status == 200 and page.one("#flash")
    page = author.action(f"/posts/{posts[5]}/pin", next=path)
    assert "5" in page.one("#flash").text
    assert pinned(author) == pinned(Browser(server)) == posts[4::-1]
    menu = f"/posts/{posts[4]}/menu"
    assert author.get(menu).all("button.pin") and not reader.get(menu).all("button.pin")
    assert reader.action(f"/posts/{posts[5]}/pin", next=path).status == 403
    author.action(f"/posts/{posts[0]}/unpin", next=path)
    author.delete(posts[2])
    assert pinned(reader) == [posts[4], posts[3], posts[1]]
    assert author.get(menu).one("button.pin").parent["action"] == f"/posts/{posts[4]}/unpin"
