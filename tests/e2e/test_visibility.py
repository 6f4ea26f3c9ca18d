"""Who may see what: every way that leads to a post, with every relation between two people, against every visibility; the box where it is
chosen; and that what is hidden cannot be answered, counted or guessed."""

import pytest

from retwis_server import Browser

VISIBILITIES = ["public", "unlisted", "private", "direct"]
WAYS = ["home", "list", "public", "tag", "profile", "post", "thread", "parent", "search", "talks"]


class Relation:
    """A viewer, and how he stands to the author. `follows`: he follows; `apart`: what lies between them."""

    def __init__(self, name, follows=False, apart=None, addressed=False):
        self.name, self.follows, self.apart, self.addressed = name, follows, apart, addressed

    def expects(self, way, visibility):
        """The naive model: whether a post of the author's is seen there."""
        if self.name == "nobody" and way in ("home", "list", "talks"):
            return None
        own = self.name == "own"
        if way == "search" and own:
            return True
        if way == "home" and not (own or self.follows):
            return False
        if (visibility == "direct" and way not in ("post", "thread", "parent", "talks")) or (visibility != "direct" and way == "talks"):
            return False
        if self.apart == "block" or self.apart == "muted" and way not in ("profile", "post", "talks"):  # direct posts to oneself reach one
            return False
        allowed = own or self.addressed or visibility in ("public", "unlisted") or visibility == "private" and self.follows
        return allowed and (visibility == "public" or way not in ("public", "tag", "search"))


RELATIONS = [
    Relation("nobody"), Relation("own"), Relation("stranger"), Relation("followed"),
    Relation("follower", follows=True), Relation("mutual", follows=True), Relation("addressed", addressed=True),
    Relation("muter", apart="muted"), Relation("follower who mutes", follows=True, apart="muted"),
    Relation("blocker", apart="block"), Relation("blocked", apart="block"),
    Relation("blocked follower", apart="block"), Relation("requested"), Relation("locked", follows=True),
    Relation("let in", follows=True),
    Relation("addressed muter", apart="muted", addressed=True), Relation("addressed blocker", apart="block", addressed=True),
]


def relate(viewer, author, relation):
    """Makes it so, by the same buttons as people do."""
    if relation.name in ("requested", "let in"):
        author.action("/settings/locked", locked="true")
        assert viewer.follow(author.name).one(".profile form.follow button")["data-following"] == "asked"
    if relation.name == "let in":
        assert author.action(f"/@{viewer.name}/accept").status == 200
    elif relation.follows or relation.name == "blocked follower":
        viewer.follow(author.name)
    if relation.name == "locked":
        author.action("/settings/locked", locked="true")
    if relation.name in ("followed", "mutual"):
        author.follow(viewer.name)
    if relation.apart == "muted":
        assert viewer.action(f"/@{author.name}/mute", next="/home").status == 200
    if relation.name.endswith("blocker"):
        assert viewer.action(f"/@{author.name}/block", next="/home").status == 200
    if relation.name in ("blocked", "blocked follower"):
        assert author.action(f"/@{viewer.name}/block", next="/home").status == 200


def write(author, text, visibility, **more):
    """A post that stands on no timeline is found where its author is led."""
    page = author.action("/posts", status=text, visibility=visibility, next=f"/@{author.name}/replies", **more)
    assert page.status == 200, page.summary
    return page.one("article.status-large")["data-id"] if visibility == "direct" else page.statuses[0].id


class Case:
    """One author, his posts of each visibility, one of somebody else that they answer, and answers of that one to them."""

    def __init__(self, people, server, unique, relation):
        self.relation = relation
        self.author, self.other = people(server, "writer", "third")
        self.viewer = {"nobody": lambda: Browser(server), "own": lambda: self.author}.get(
            relation.name, lambda: people(server, "viewer"))()
        if relation.name != "nobody":
            self.list = self.viewer.make_list("them", self.author.name)
            self.viewer.follow(self.other.name)  # else home leaves out what answers him, and so would the list
            self.viewer.action(f"{self.list}/set", follow=False, replies_policy="followed")
        if relation.name not in ("nobody", "own"):
            relate(self.viewer, self.author, relation)
        self.tag = unique("tag")
        self.root = self.other.post("a question")
        words = f" @{self.other.name}" + (f" @{self.viewer.name}" if relation.addressed else "")
        self.posts = {v: write(self.author, f"{v} #{self.tag}{words}", v, in_reply_to_id=self.root)
                      for v in VISIBILITIES}
        self.answers = {v: write(self.other, f"thanks for {v}", "public", in_reply_to_id=p)
                        for v, p in self.posts.items()}

    def ids(self, way):
        """The posts of a timeline that the viewer sees."""
        path = {"home": "/home", "list": getattr(self, "list", ""), "public": "/public", "tag": f"/tags/{self.tag}",
                "profile": f"/@{self.author.name}/replies", "thread": f"/@{self.other.name}/{self.root}", "search": f"/search?q={self.tag}"}[way]
        return {e["data-id"] for page in self.viewer.pages(path, most=4) for e in page.all("article.status[data-id]")}

    def seen(self, way, visibility):
        """Whether he sees this one there."""
        post = self.posts[visibility]
        if way == "post":
            return self.viewer.request("GET", f"/@{self.author.name}/{post}").status == 200
        if way == "parent":
            page = self.viewer.get(f"/@{self.other.name}/{self.answers[visibility]}")
            return post in [e["data-id"] for e in page.all("article.status[data-id]")]
        if way == "talks":
            return any(a["href"].endswith(f"/{post}") for a in self.viewer.get("/messages").all(".notice-about a"))
        return post in self.ids(way)


@pytest.mark.parametrize("relation", RELATIONS, ids=lambda r: r.name)
def test_matrix(any_server, people, unique, relation):
    """Every way, relation and visibility, in every mode; looked at twice, because the second time the process knows it all."""
    case = Case(people, any_server, unique, relation)
    for _ in range(2):
        wrong = [(way, v) for way in WAYS for v in VISIBILITIES
                 if (expected := relation.expects(way, v)) is not None and case.seen(way, v) != expected]
        assert wrong == []


def test_hidden_is_as_if_gone(server, people):
    """What one may not see looks like what does not exist: its page, an answer to it, the numbers around it."""
    author, stranger = people(server, "secret", "curious")
    root = author.post("a question")
    hidden = {v: write(author, "psst", v, in_reply_to_id=root) for v in ("private", "direct")}
    missing = stranger.request("GET", f"/@{author.name}/{int(root) + 1:018d}").status
    for post in hidden.values():
        assert stranger.request("GET", f"/@{author.name}/{post}").status == missing == 404
        page = stranger.action("/posts", status="caught", in_reply_to_id=post, next="/home")
        assert page.status == 422
    page = stranger.get(f"/@{author.name}/{root}")
    assert page.one("article.status-large").all("b") == []
    assert stranger.get(f"/@{author.name}").counts["statuses"] == 2  # direct posts are nobody's business


def test_unfollowing_hides(any_server, people):
    """Followers-only posts come and go with the relation, everywhere at once."""
    author, reader = people(any_server, "author", "reader")
    post = write(author, "for followers", "private")
    path = f"/@{author.name}/{post}"
    assert reader.request("GET", path).status == 404
    reader.follow(author.name)
    assert reader.request("GET", path).status == 200 and post in reader.timeline_ids("/home", 1)
    reader.unfollow(author.name)
    assert reader.request("GET", path).status == 404 and post not in reader.timeline_ids(f"/@{author.name}", 1)


def test_box(server, people):
    """What is chosen is kept when the form comes back; an answer is for those whom the answered post is for."""
    author, reader = people(server, "chooser", "answerer")
    reader.follow(author.name)
    page = author.try_post(" ", visibility="private", spoiler_text="the end", language="zh-CN")
    assert page.status == 422
    form = page.form("#compose")
    assert (form.values["visibility"], form.values["spoiler_text"], form.values["language"]) == ("private", "the end", "zh-CN")
    page = author.submit(form, status="he dies")
    status = page.statuses[0]
    page = reader.get(f"/@{author.name}/{status.id}")
    assert page.one("details.warned summary").text.strip() == "the end"
    assert page.one("article.status-large .text")["lang"] == "zh-CN"
    assert page.one("article.status-large .visibility").text.strip()
    form = page.form("#compose")
    assert (form.values["visibility"], form.values["spoiler_text"]) == ("private", "the end")
    assert author.get("/home").form("#compose").values["visibility"] == "public"


@pytest.mark.parametrize("field,value", [("visibility", "friends"), ("language", "english"), ("spoiler_text", "\x07")])
def test_refused(server, people, field, value):
    """What is none of the choices is refused beside its field, and nothing is written."""
    author = people(server, "chooser")
    page = author.try_post("x", **{field: value})
    assert page.status == 422 and page.one(f"[data-field={field}]")
    assert author.get(f"/@{author.name}").counts["statuses"] == 0


def test_limited_and_suspended(server, people, unique):
    """By the command, at once: whom strangers do not come upon, and whom nobody sees; his own pages stay, and all comes back."""
    author, follower, stranger = people(server, "bounded", "adherent", "passer")
    tag = unique("bounded")
    follower.follow(author.name)
    post = author.post(f"@{stranger.name} look at #{tag}")
    nobody = Browser(server)
    pages = {"profile": f"/@{author.name}", "post": f"/@{author.name}/{post}", "tag": f"/tags/{tag}", "public": "/public", "home": "/home",
             "notices": "/notifications", "search": f"/search?type=posts&q=%23{tag}"}

    def seen(browser):
        found = set()
        for name, path in pages.items():
            page = browser.get(path, expect=None)
            if page.status == 200 and post in page.ids:
                found.add(name)
        return found

    def led(browser, path):
        return f"/@{author.name}" in [a.attributes.get("href") for a in browser.get(path).all("a")]

    people_found = f"/search?type=people&q={author.name}"

    everywhere = seen(author)
    assert {"profile", "post", "tag", "public", "home"} <= everywhere and {"profile", "post", "tag", "public", "notices"} <= seen(stranger)
    assert led(stranger, people_found)
    assert server.cli("user", "limit", author.name) == f"{author.name} is limited\n"
    assert seen(stranger) == seen(nobody) == set() and stranger.get(f"/@{author.name}").status == 200
    assert seen(follower) == {"profile", "post", "home"} and seen(author) >= {"profile", "post", "home"}
    assert not led(stranger, people_found) and not led(stranger, "/public")
    for action in ("favourite", "boost", "bookmark"):
        assert stranger.action(f"/posts/{post}/{action}").status == 404
    assert follower.action(f"/posts/{post}/favourite", next="/home").status == 200
    server.cli("user", "suspend", author.name)
    assert seen(stranger) == seen(follower) == seen(nobody) == set()
    for path in ("", "/following", "/followers"):
        follower.get(f"/@{author.name}{path}", expect=404)
    assert not led(follower, f"/@{follower.name}/following")
    assert seen(author) >= {"profile", "post", "home"}
    server.cli("user", "restore", author.name)
    assert seen(author) == everywhere and "tag" in seen(nobody)
