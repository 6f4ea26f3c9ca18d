"""How many bytes pages cost, and what a post is made of: what a phone has to fetch."""

import re

from retwis_server import Browser, Server

POST_MOST = 700  # beyond its own text
PAGE_MOST = 18 * 1024


def articles(page):
    """The markup of the posts of a page."""
    return re.findall(r"(?s)<article.*?</article>", page.text)


def test_bytes_of_a_page_of_posts(tmp_path):
    """Twenty short posts of three people, signed in, on a site of these four: what stands around their words, and all of it. No line
    break and no quote that nobody needs."""
    with Server(tmp_path) as server:
        must_be_small(*[Browser(server).sign_up(name) for name in ("me_1", "ann_2", "ben_3", "cyd_4")])


def must_be_small(me, *others):
    """The pages of posts of the first of them."""
    for other in others:
        me.follow(other.name)
    for number in range(21):
        others[number % 3].post_quickly(f"Post number {number} has a few words.")
    for path in ("/home", "/public"):
        page = me.get(path, headers={"Accept-Encoding": "identity"})
        posts = articles(page)
        assert len(posts) == 20 == len(page.statuses)
        around = sum(len(post.encode()) for post in posts) - sum(len(s.text.encode()) for s in page.statuses)
        assert around / len(posts) <= POST_MOST, (path, around / len(posts))
        assert len(page.body) <= PAGE_MOST, (path, len(page.body))
        assert "\n" not in page.text.replace(page.one("#compose-status").text if page.first("#compose") else "", "")
        assert page.text.count("<form") <= 6, "one form for all posts"


def test_what_a_button_sends(server, people):
    """The one form: to the post that the value names, back to where it stands; nonsense changes nothing."""
    me, other = people(server, "me", "other")
    post, kept = other.post("pressed"), other.post("left alone")
    home = f"/@{other.name}"
    answer = me.action("/posts/react", follow=False, favourite=post, next=home)
    assert answer.status == 303 and answer.headers["Location"] == f"{home}#post-{post}"
    answer = me.action("/posts/react", follow=False, bookmark=f"{post}:pinned-{post}", next=home)
    assert answer.headers["Location"] == f"{home}#post-pinned-{post}"
    for value in ("0", "x", "9" * 30, f"x:{post}", f":{post}", f"{post} {kept}", "1" * 61):
        assert me.action("/posts/react", follow=False, favourite=value, next=home).status in (400, 404), value
    assert me.action("/posts/react", follow=False, next=home).status == 404
    answer = me.action("/posts/react", follow=False, boost=f"{post}:\r\nX: y", next="//evil.example")
    assert answer.status == 303 and answer.headers["Location"].startswith("/home") and "X" not in answer.headers
    on = {s.id: [what for what in ("favourite", "bookmark", "boost") if s.is_on(what)] for s in me.get(home).statuses}
    assert on == {post: ["favourite", "bookmark", "boost"], kept: []}


def test_menu_of_a_post(server, people):
    """Who may what, and where it leads back: to the page of ours from which one came, never elsewhere."""
    me, other = people(server, "me", "other")
    post = me.post("mine")
    menu = f"/posts/{post}/menu"
    words = [e.text for e in me.get(menu).all(".post-menu li")]
    assert len(words) == 5 and words[1] == "Edit" and words[-1].startswith("Delete")
    assert len(other.get(menu).all(".post-menu li")) == 2 and not other.get(menu).all("form.delete, .pin")
    here = me.server.url
    for referer, back in ((f"{here}/home?max_id={post}1", f"/home?max_id={post}1"), (f"{here}/@{me.name}", f"/@{me.name}"),
                          ("https://evil.example/home", f"/@{me.name}/{post}"), (f"{here}.evil.example/", f"/@{me.name}/{post}"),
                          (f"{here}//evil.example/", f"/@{me.name}/{post}"), (here + menu, f"/@{me.name}/{post}"), ("", f"/@{me.name}/{post}")):
        page = me.get(menu, headers={"Referer": referer})
        assert page.form("form.thread-mute").values["next"] == back, referer
    assert page.form("form.delete").values["next"] == f"/@{me.name}"
    assert me.submit(page.form("form.thread-mute")).path == f"/@{me.name}/{post}"
    private = me.post("for followers", visibility="private")
    assert other.get(f"/posts/{private}/menu", expect=404).status == 404
    boost = me.action(f"/posts/{post}/boost", next=f"/@{me.name}").statuses[0].element["id"].removeprefix("post-")
    assert boost != post and me.get(f"/posts/{boost}/menu", expect=404).status == 404


def test_posted_can_be_undone(server, people):
    """The message has the way to the post, and a button that takes it back and opens the box with its words: for a moment, and of one's
    own posts only."""
    me, other = people(server, "me", "other")
    page = me.try_post("hasty wrods", spoiler_text="note")
    post = page.statuses[0].id
    assert page.flash == "Posted." and page.one("#flash a")["href"] == f"/@{me.name}/{post}"
    box = me.submit(page.form("#undo"), redraft="1").form("#compose").values
    assert (box["status"], box["spoiler_text"]) == ("hasty wrods", "note") and me.get(f"/@{me.name}").ids == []
    assert "post_id" not in me.get("/home").text and not me.get("/home").all("#flash form")
    old = str(int(other.post("old")) - (61_000 << 16))
    for word in (old, "0", "x", "9" * 25, ""):
        me.session.cookies.set("retwis_flash", f"flash_posted~{word}")
        assert not me.get("/public").all("#undo"), word
    foreign = other.post("not his")
    me.session.cookies.set("retwis_flash", f"flash_posted~{foreign}")
    assert me.submit(me.get("/public").form("#undo"), redraft="1").status == 403 and other.get(f"/@{other.name}").ids
    stranger = Browser(server)
    stranger.session.cookies.set("retwis_flash", f"flash_posted~{foreign}")
    assert not stranger.get("/public").all("#undo")
