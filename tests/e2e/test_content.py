"""Links, mentions and tags in posts; and nothing of what people type becomes markup."""

import re

import pytest

from retwis_server import Browser

XSS = [
    "<script>alert(1)</script>",
    "<ScRiPt src=//evil.example/x.js></sCrIpT>",
    "<img src=x onerror=alert(1)>",
    "<svg/onload=alert(1)>",
    "\"><script>alert(1)</script>",
    "' onmouseover='alert(1)",
    "\" autofocus onfocus=alert(1) x=\"",
    "</textarea><script>alert(1)</script>",
    "</title><script>alert(1)</script>",
    "<!--<script>alert(1)//-->",
    "<![CDATA[<script>alert(1)</script>]]>",
    "&lt;script&gt;alert(1)&lt;/script&gt; &amp;lt; &#60;b&#62; &#x3c;i&#x3e;",
    "javascript:alert(1)",
    "<a href=\"javascript:alert(1)\">x</a>",
    "http://example.org/\"onmouseover=\"alert(1)",
    "http://example.org/'><script>alert(1)</script>",
    "http://example.org/<b>",
    "https://user:pass@evil.example/",
    "javascript://example.org/%0aalert(1)",
    "data:text/html,<script>alert(1)</script>",
    "#tag\"><script>alert(1)</script>",
    "#<b>",
    "@<script>",
    "@name\"onclick=\"alert(1)",
    "{{{content}}} {{> head}} {{#t}}x{{/t}} <%= 1 %> ${1}",
    "<style>*{display:none}</style>",
    "<iframe srcdoc='<script>alert(1)</script>'></iframe>",
    "<base href=//evil.example/>",
    "<meta http-equiv=refresh content=0;url=//evil.example/>",
    "<form action=//evil.example/><button>",
    "\u2039script\u203a \uff1cscript\uff1e",
]

ALLOWED = {"p": set(), "br": set(), "span": {"class"}, "a": {"href", "class", "rel", "target"}}


def assert_harmless(page):
    """Only our own script, no inline handlers or styles, links to the web and to this site only, and in posts and
    profiles nothing but the formatter's own elements."""
    for element in page.tree.below():
        if element.tag == "script":
            assert element["src"].startswith("/static/") and not element.text
        assert element.tag not in ("iframe", "style", "object", "embed", "base", "math"), element.tag
        for name, value in element.attributes.items():
            assert not name.startswith("on") and name not in ("style", "srcdoc"), name
            if name == "formaction":
                assert re.fullmatch("/unfollow|/posts/[0-9]+/(un)?[a-z]+|/@[a-z0-9_]+/(un)?(follow|endorse)", value), value
            if name in ("href", "src", "action"):
                assert value.startswith(("/", "#", "http://", "https://")) and not value.startswith("//"), value
    for content in page.all(".text") + page.all(".bio"):
        for element in content.below():
            assert element.tag in ALLOWED, element.tag
            assert set(element.attributes) <= ALLOWED[element.tag], element.attributes


def test_nothing_typed_becomes_markup(any_server, people):
    """Every page that shows posts, with a corpus of attacks: the text is read as it was typed."""
    author, reader = people(any_server, "xss", "reader")
    reader.follow(author.name)
    first = author.post(XSS[0])
    for attack in XSS[1:]:
        author.post_quickly(attack, in_reply_to_id=first)
    shown = author.timeline(f"/@{author.name}")
    assert [s.text for s in shown] == XSS[::-1]
    stranger = Browser(any_server)
    paths = [f"/@{author.name}", "/public", f"/@{author.name}/{first}", "/tags/tag"]
    for path in paths:
        for page in stranger.pages(path, 4):
            assert_harmless(page)
    for page in reader.pages("/home"):
        assert_harmless(page)
    for status in shown:
        assert_harmless(stranger.get(status.href))


def test_profile_text_is_no_markup(server, people):
    """Display name and bio, in the title, beside posts and in lists."""
    author, reader = people(server, "bio", "reader")
    reader.follow(author.name)
    post = author.post("hello")
    for attack in XSS[:8] + XSS[13:16]:
        form = author.get("/settings/profile").form("/settings/profile")
        page = author.submit(form, display_name=attack[:50], bio=attack)
        assert page.status == 200 and page.flash, page.errors
        assert page.form("/settings/profile").values["bio"] == attack
        for path in (f"/@{author.name}", f"/@{author.name}/{post}", f"/@{reader.name}/following", "/public", "/home"):
            page = reader.get(path)
            assert_harmless(page)
        assert attack[:50] in reader.get(f"/@{author.name}").one("title").text


@pytest.mark.parametrize("attack", XSS[:9])
def test_forms_give_back_text_only(server, people, attack):
    """What comes back in a refused form, and what stands in addresses, is text."""
    stranger = Browser(server)
    for page in (stranger.try_sign_up(attack), stranger.try_sign_in(attack, attack),
                 stranger.get("/auth/sign_in", params={"next": "/" + attack}),
                 stranger.get("/auth/sign_up", params={"invite": attack, "next": "/" + attack}),
                 stranger.get("/public", params={"x": attack, "max_id": attack}, expect=None),
                 stranger.get("/" + attack, expect=None), stranger.get("/@" + attack, expect=None),
                 stranger.get("/tags/" + attack, expect=None)):
        assert_harmless(page)
    member = people(server, "echo")
    assert_harmless(member.try_post(attack + "x" * 500))
    for path in ("/follow", "/unfollow"):
        page = member.action(path, names=attack)
        assert_harmless(page)
    member.session.cookies.set("retwis_flash", "flash_welcome~" + attack.replace(" ", "_").replace(";", "").replace('"', ""))
    assert_harmless(member.get("/about"))


def test_links(server, people):
    """Web addresses become links that give nothing away; nothing else does."""
    author = people(server, "linker")
    author.post("see https://example.org/a_(b)?q=1&r=2#f, http://EXAMPLE.net. (https://example.com/x) ftp://no.example "
                "www.no.example mailto:no@example.org javascript:no")
    links = author.get(f"/@{author.name}").statuses[0].content.all("a")
    assert [a["href"] for a in links] == ["https://example.org/a_(b)?q=1&r=2#f", "http://EXAMPLE.net",
                                          "https://example.com/x"]
    for link in links:
        assert link["rel"] == "nofollow noopener noreferrer"  # as clients expect it


def test_mentions(any_server, people, unique):
    """@name is a link if there is such a person, in any case and next to any script; else it stays text."""
    alice, bob = people(any_server, "Alice", "bob")
    ghost = unique("ghost")
    text = f"@{alice.name.lower()} and @{alice.name.upper()}, 你好@{bob.name}! mail a@{alice.name} @{ghost} @{alice.name}x @"
    bob.post(text)
    links = Browser(any_server).get(f"/@{bob.name}").statuses[0].content.all("a")
    path = [a["href"].split("//", 1)[1].split("/", 1)[1] for a in links]
    assert path == [f"@{alice.name}", f"@{alice.name}", f"@{bob.name}"]
    # the name is shown as its owner writes it
    assert [a.text for a in links] == [f"@{alice.name}", f"@{alice.name}", f"@{bob.name}"]
    # a mention of somebody who comes later stays text
    Browser(any_server).sign_up(ghost)
    assert len(Browser(any_server).get(f"/@{bob.name}").statuses[0].content.all("a")) == 3


def test_tags(any_server, people, unique):
    """#tags lead to a page of posts, whatever their case and script."""
    author = people(any_server, "tagger")
    tag = unique("Tag")
    first = author.post(f"#{tag} one, #{tag.lower()} twice")
    second = author.post(f"about #{tag.upper()}; and #Καλημέρα #世界 but not #12 or x#{tag}y or #")
    links = author.get(f"/@{author.name}").statuses[0].content.all("a.hashtag")
    assert [a.text for a in links] == [f"#{tag.upper()}", "#Καλημέρα", "#世界"]
    stranger = Browser(any_server)
    for name in (tag, tag.lower(), tag.upper()):
        assert stranger.get("/tags/" + name).ids == [second, first]
    href = links[2]["href"]
    assert second in stranger.get(href).ids
    page = stranger.get(href)
    assert page.one("h1").text == "#世界"
    assert stranger.get("/tags/" + unique("unused")).first(".empty") is not None
    for bad in ("12", "a b", "a-b", "<b>", "%F0%9F%98%80"):
        stranger.get("/tags/" + bad, expect=404)
