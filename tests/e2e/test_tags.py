"""Tags: following them, and what of them stands in a home."""

import json

from retwis_server import Browser


def follow_tag(browser, tag, how="follow"):
    """By the button of the tag's page."""
    page = browser.get(f"/tags/{tag}")
    form = page.form(f"form.follow[data-name=#{tag}]")
    assert page.one(f"form.follow[data-name=#{tag}] button")["data-following"] == ("false" if how == "follow" else "true")
    assert form.action.endswith(f"/{how}")
    return browser.submit(form)


def test_followed_tag_stands_in_home(small_server, people):
    """In every mode: the posts with a tag, of whomever, among those of the people followed; each once, page by page, at once
    and no longer than it is followed; boosts, edits and deletions included."""
    me, bob, carol = people(small_server, "me", "bob", "carol")
    tag = f"Tea_{me.name}"
    me.follow(bob.name)
    wanted, others = [], []
    for n in range(9):
        wanted.insert(0, bob.post(f"{n} by bob" + (f" #{tag}" if n % 3 == 0 else "")))
        others.append(carol.post(f"{n} by carol #{tag.lower()}"))
        wanted.insert(0, others[-1])
    carol.post("nothing of it")
    carol.post(f"for few #{tag}", visibility="unlisted")
    assert me.get("/home").ids == [i for i in wanted if i not in others][:5]
    page = follow_tag(me, tag)
    assert page.flash and page.path == f"/tags/{tag}"
    assert [i for p in me.pages("/home") for i in p.ids] == wanted
    assert carol.action(f"/posts/{others[0]}/edit", status="no more").status == 200
    assert carol.action(f"/posts/{others[1]}/edit", status=f"still #{tag}").status == 200
    gone = others.pop(0)
    wanted.remove(gone)
    carol.delete(others[3])
    wanted.remove(others.pop(3))
    assert [i for p in me.pages("/home") for i in p.ids] == wanted
    bob.action(f"/posts/{others[-1]}/boost")  # it stands there already
    assert [i for p in me.pages("/home") for i in p.ids] == wanted
    me.action(f"/@{carol.name}/block")
    assert not set(others) & {i for p in me.pages("/home") for i in p.ids}
    me.action(f"/@{carol.name}/unblock")
    assert [i for p in me.pages("/home") for i in p.ids] == wanted
    follow_tag(me, tag, "unfollow")
    assert not (set(others) - {others[-1]}) & {i for p in me.pages("/home") for i in p.ids}


def test_page_of_tags(server, people):
    """Which tags one follows: one's own business, the last one first, with a button; strangers are asked to sign in."""
    me, bob = people(server, "me", "bob")
    for tag in ("tea", "caf\u00e9", "\u65e5\u672c"):
        follow_tag(me, tag)
    page = me.get("/tags")
    assert [e.text for e in page.all(".tag-row .name")] == ["#\u65e5\u672c", "#caf\u00e9", "#tea"]
    page = me.submit(page.form("form.follow[data-name=#caf\u00e9]"))
    assert page.path == "/tags" and [e.text for e in page.all(".tag-row .name")] == ["#\u65e5\u672c", "#tea"]
    assert not bob.get("/tags").all(".tag-row")
    nobody = Browser(server)
    assert nobody.get("/tags/tea").status == 200 and not nobody.get("/tags/tea").all("form.follow[data-name=#tea]")
    assert nobody.get("/tags").status == 200
    assert me.action("/tags/no tag/follow").status == 404
    for n in range(48):
        me.action(f"/tags/tag{n}/follow")
    assert "50" in me.action("/tags/onemore/follow").flash
    assert len(me.get("/tags").all(".tag-row")) == 50


def test_trending_and_related(server, people):
    """Tags by how many people used them today, on their page and beside others; what stands beside a tag is related to it."""
    me, *crowd = people(server, *["crowd"] * 4)
    tea, rain = f"tea_{me.name}", f"rain_{me.name}"
    for n, b in enumerate(crowd):
        b.post(f"#{tea}" + (f" #{rain} #rare_{n}" if n else ""))
    for _ in range(4):
        me.post(f"#alone_{me.name}")
    rows = {e.one(".name").text: e.one(".tag-use").text for e in me.get("/tags").all(".list-row")}
    assert rows[f"#{tea}"] == "3 people" and rows[f"#{rain}"] == "2 people"
    assert list(rows).index(f"#{tea}") < list(rows).index(f"#{rain}")
    assert f"#alone_{me.name}" not in rows and f"#rare_{me.name}" not in rows
    page = Browser(server).get(f"/tags/{tea}")
    assert [e.text for e in page.all(".related a")][0] == f"#{rain}" and len(page.all(".related a")) == 3
    for path in (f"/tags/{tea}", "/home", "/public"):
        assert f"#{tea}" in [e.text for e in me.get(path).all(".trending .name")], path


def test_complete(server, people):
    """The beginning of a name or tag: people followed first, none of those who block; both kinds without a sign."""
    me, *crowd = people(server, "me", *["quincy"] * 3)
    names = [f"@{b.name}" for b in crowd]

    def items(typed):
        answer = me.session.get(f"{server.url}/complete", params={"q": typed})
        assert answer.status_code == 200 and answer.headers["Content-Type"].startswith("application/json"), answer.text
        return json.loads(answer.text)["items"]

    assert {i["text"] for i in items("@quincy")} == set(names)
    me.follow(crowd[2].name)
    assert items("@QUINCY")[0] == {"text": names[2], "name": crowd[2].name, "href": f"/@{crowd[2].name}"}
    me.action(f"/@{crowd[0].name}/block")
    assert {i["text"] for i in items("@quincy")} == set(names[1:])
    crowd[1].post(f"#quincytag_{me.name} #qu\u00e9")
    assert [i["text"] for i in items(f"#quincytag_{me.name}"[:-2])] == [f"#quincytag_{me.name}"]
    assert [i["href"] for i in items("#qu\u00e9")] == ["/tags/qu%C3%A9"]
    assert {i["text"] for i in items("quincy")} == {*names[1:], f"#quincytag_{me.name}"}
    assert items("@nobodyatallhere") == []
    assert me.session.get(f"{server.url}/complete").status_code in (400, 404, 422)
