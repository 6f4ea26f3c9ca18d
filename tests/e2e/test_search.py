"""Search as people meet it: the form, the tabs, pages of what is found, and its limit; without scripts. What is found by whom is
tests/unit/test_social_search.c, and the matrix of test_visibility.py."""

import pytest

from retwis_server import Browser, Server


@pytest.fixture(name="site", scope="module")
def fixture_site():
    """A server whose pages are short."""
    with Server(env={"RETWIS_TIMELINE_PAGE": "3"}) as server:
        yield server


def found(page):
    """The ids of the posts on a page."""
    return [e["data-id"] for e in page.all("article.status[data-id]")]


def test_posts_page_by_page(site, people, unique):
    """The form in the frame leads there; older ones follow by a link that keeps the question; back to the newest."""
    author, reader = people(site, "author", "reader")
    word = unique("word")
    ids = [author.post(f"{word} & number {i}") for i in range(5)]
    form = reader.get("/home").one("form.search")
    assert (form["action"], form.get("method", "get"), form["role"]) == ("/search", "get", "search")
    page = reader.get(f"/search?q={word}+%26+NUMBER")
    assert page.one("input#search-main")["value"] == f"{word} & NUMBER"
    assert found(page) == ids[:1:-1]
    older = reader.get(page.one("a.older")["href"])
    assert found(older) == ids[1::-1] and not older.all("a.older")
    assert found(reader.get(older.one("a.newer")["href"])) == found(page)
    assert found(Browser(site).get(f"/search?q={word}+from:{author.name}"))


def test_tabs(site, people, unique):
    """A sign before the question chooses the tab; each tab keeps the question."""
    author = people(site, "somebody")
    tag = unique("tag")
    author.post(f"of #{tag}")
    page = author.get(f"/search?q=%23{tag[:-1]}")
    assert page.one("nav.tabs a[aria-current]")["href"] == f"/search?q=%23{tag[:-1]}&type=tags"
    assert page.one("a.list-link")["href"] == f"/tags/{tag}" and page.one(".tag-use").text == "1 post"
    page = author.get(f"/search?q=@{author.name[:-1]}")
    assert author.name in [row["data-name"] for row in page.all(".account-row")]
    assert author.get(page.all("nav.tabs a")[0]["href"]).one("nav.tabs a[aria-current]").text == "Posts"


def test_nothing(site):
    """Nothing asked, nothing found, and what is no question."""
    stranger = Browser(site)
    assert not stranger.get("/search").all("section.panel")
    assert stranger.get("/search?q=nothing_like_this_at_all").one(".empty h2").text == "Nothing found"
    assert stranger.get("/search?q=...&type=tags").one(".empty h2").text == "Nothing found"
    assert stranger.request("GET", "/search?q=" + "x" * 301).status == 400
    assert stranger.get("/search?q=<b>%22").one("h1").text == 'Search: <b>"'


def test_rebuilt(site, people, unique):
    """The command, while the site runs."""
    author = people(site, "rebuilder")
    word = unique("word")
    post = author.post(word)
    engine = site.engine()
    for key in engine("KEYS", "*}:words:*") + ["{0}:fresh"]:
        engine("DEL", key)
    assert found(author.get(f"/search?q={word}")) == []
    site.cli("search", "rebuild")
    assert found(author.get(f"/search?q={word}")) == [post]


def test_switched_off():
    """Then there is neither page nor form."""
    with Server(env={"RETWIS_SEARCH_ENABLED": "no"}) as server:
        stranger = Browser(server)
        assert stranger.request("GET", "/search?q=x").status == 404
        assert not stranger.get("/public").all("form.search")


def test_limit():
    """More searches than limits.search allows: 429, and other pages are still there."""
    with Server(env={"RETWIS_LIMITS_READ_EXEMPT": "", "RETWIS_LIMITS_SEARCH": "2/1h"}, limits=True) as server:
        stranger = Browser(server)
        assert [stranger.request("GET", "/search?q=x").status for _ in range(3)] == [200, 200, 429]
        assert stranger.request("GET", "/public").status == 200
