"""Favourites and bookmarks as people meet them: the buttons under posts, without scripts, the numbers beside them, and the pages of
who has done what. What happens to the data is tests/unit/test_social_reactions.c."""

import concurrent.futures

import pytest

from retwis_server import Browser, Server


def entry(page, post):
    """The post on a page."""
    [found] = [s for s in page.statuses if s.id == post]
    return found


def press(browser, path, post, which):
    """Presses it as a browser without scripts does, and returns the page to which that leads."""
    page = browser.get(path)
    status = entry(page, post)
    form = status.element
    while form.tag != "form":
        form = form.parent
    fields = {i["name"]: i["value"] for i in form.all("input")}
    pressed = status.button(which)
    answer = browser.post_form(form["action"], {**fields, pressed["name"]: pressed["value"]}, follow=False)
    assert answer.status == 303 and answer.headers["Location"] == f"{path}#post-{post}"
    return browser.get(path)


def is_pressed(page, post, which):
    """Whether the visitor has done it, as the button says."""
    return entry(page, post).is_on(which)


def number(page, post):
    """The number of favourites that stands under a post."""
    return entry(page, post).number("favourite")


@pytest.fixture(name="two")
def fixture_two(server, people):
    """An author, a reader, and a post."""
    author, reader = people(server, "author"), people(server, "reader")
    return author, reader, author.post(f"a post of {author.name}")


def test_buttons_everywhere(two):
    """Pressed on one page, it is pressed on all that show the post, for him alone; the number is for all."""
    author, reader, post = two
    reader.follow(author.name)
    paths = ("/home", "/public", f"/@{author.name}", f"/@{author.name}/{post}")
    for path in paths:
        page = press(reader, path, post, "favourite")
        assert is_pressed(page, post, "favourite") and not is_pressed(page, post, "bookmark"), path
        for other in paths:
            assert number(reader.get(other), post) == 1 and is_pressed(reader.get(other), post, "favourite")
            assert number(author.get(other), post) == 1 and not is_pressed(author.get(other), post, "favourite")
        page = press(reader, path, post, "bookmark")
        assert is_pressed(page, post, "bookmark")
        assert not is_pressed(press(reader, path, post, "bookmark"), post, "bookmark")
        page = press(reader, path, post, "favourite")
        assert not is_pressed(page, post, "favourite") and number(page, post) == 0


def test_who(server, two):
    """Anybody may see who favourited a post; who put it aside nobody."""
    author, reader, post = two
    stranger = Browser(server)
    where = f"/posts/{post}/favourites"
    assert stranger.get(where).one(".empty")
    reader.action(f"/posts/{post}/bookmark")
    reader.action(f"/posts/{post}/favourite")
    author.action(f"/posts/{post}/favourite")
    assert stranger.get(where).names == [author.name, reader.name]
    page = stranger.get(f"/@{author.name}/{post}")
    assert page.one("a.who")["href"] == where and page.one("[data-count=favourites]").text == "2"
    assert not page.all("article button")
    reader.action(f"/posts/{post}/unfavourite")
    assert stranger.get(where).names == [author.name]
    author.delete(post)
    assert stranger.get(where, expect=404).status == 404


def test_own_pages(server, people):
    """By the time of the mark, in pages that lead there and back; posts that go are passed over."""
    author, reader = people(server, "marked"), people(server, "marker")
    posts = [author.post(f"number {i}") for i in range(26)]
    order = posts[::2] + posts[1::2]
    assert reader.get("/favourites").one(".empty") and reader.get("/bookmarks").one(".empty")
    for post in order:
        reader.action(f"/posts/{post}/favourite", follow=False)
        reader.action(f"/posts/{post}/bookmark", follow=False)
    for path in ("/favourites", "/bookmarks"):
        first = reader.get(path)
        second = reader.get(first.older)
        assert first.ids + second.ids == order[::-1] and len(first.ids) == 20
        assert second.older is None and first.newer is None
        assert reader.get(second.newer).ids == first.ids
    author.delete(order[-1])
    for path in ("/favourites", "/bookmarks"):
        assert reader.get(path).ids == order[::-1][1:21]
    assert author.get("/bookmarks").ids == []


def test_to_sign_in(server, two):
    """Pages of one's own are for members."""
    for path in ("/favourites", "/bookmarks"):
        answer = Browser(server).get(path, follow=False, expect=303)
        assert answer.headers["Location"].startswith("/auth/sign_in")


def test_all_at_once():
    """Many favourite one post and take it back at the same time, some of them twice: the number is that of those who did."""
    with Server() as server:
        author = Browser(server).sign_up("author")
        post = author.post("the one")
        people = [Browser(server).sign_up(f"fan_{i}") for i in range(12)]
        for fan in people:
            fan.token()

        def act(fan):
            for verb in ("favourite", "favourite", "unfavourite", "favourite"):
                assert fan.action(f"/posts/{post}/{verb}", follow=False).status == 303

        with concurrent.futures.ThreadPoolExecutor(12) as pool:
            list(pool.map(act, people))
            list(pool.map(act, people))
            list(pool.map(lambda fan: fan.action(f"/posts/{post}/unfavourite", follow=False), people[:5]))
        assert number(author.get("/home"), post) == 7
        assert set(author.get(f"/posts/{post}/favourites").names) == {fan.name for fan in people[5:]}
        server.cli("check")
