"""What people write never becomes code; the policy that is the second wall stands on every page."""

import pytest

from pages import VIEWS
from retwis_page import parse
from retwis_server import PASSWORD, Browser

SPY = """for (const name of ["alert", "confirm", "prompt", "pwned"]) {
    window[name] = (what) => { (window.executed ??= []).push(`${name}: ${what}`); };
}"""

CORPUS = [
    "<script>pwned(1)</script>",
    "</textarea><script>pwned(2)</script>",
    "</title></style><script src=data:,pwned(3)></script>",
    "<img src=x onerror=pwned(4)>",
    "\"><img src=x onerror=pwned(5)>",
    "' onmouseover='pwned(6)' autofocus onfocus='pwned(6)' x='",
    "\" autofocus onfocus=\"pwned(7)\" tabindex=\"1",
    "<svg/onload=pwned(8)>",
    "<svg><animate onbegin=pwned(9) attributeName=x></svg>",
    "<iframe srcdoc='<script>parent.pwned(10)</script>'></iframe>",
    "javascript:pwned(11)",
    "https://x.example/\"onmouseover=\"pwned(12)",
    "https://x.example/'><script>pwned(13)</script>",
    "http://x.example/?a=1&b=<b>&quot;&#34;&amp;&lt;script&gt;pwned(14)&lt;/script&gt;",
    "[click](javascript:pwned(15)) data:text/html,<script>pwned(15)</script> //x.example/%22onclick=pwned(15)",
    "#<script>pwned(16)</script> #a\"onclick=\"pwned(16) @a\"onclick=\"pwned(16)",
    "{{{content}}} {{> head}} {{#posts}} ${pwned(17)} <%= pwned(17) %>",
    "<math><mtext></form><form><mglyph><style></math><img src onerror=pwned(18)>",
    "<a href=\"jav&#x09;ascript:pwned(19)\">x</a>",
    "<!--><img src=x onerror=pwned(20)>--!> <![CDATA[<img src=x onerror=pwned(20)>]]>",
    "<base href=//x.example/><meta http-equiv=refresh content=0;url=//x.example><link rel=stylesheet href=//x.example>",
    "<style>*{display:none}</style><input type=image src=x onerror=pwned(22)>",
    "<scr\u00adipt>pwned(23)</scr\u00adipt> ＜script＞pwned(23)＜/script＞",
]
NAMES = ["<img src=x onerror=pwned(30)>", "\"><script>pwned(31)</script>", "' onfocus='pwned(32)", "{{{note}}} </title><b>"]
# Elements and attributes that our own pages do not have in what people write.
FOREIGN = """return [...document.querySelectorAll(`main script, main iframe, main style, main base, main meta, main link,
    main math, main object, main embed, main form[id=""], .text :not(p, a, span, br), .bio :not(p, a, span, br),
    bdi > *, h1 img, main img, svg, [onerror], [onload], [onclick], [onfocus], [onmouseover], [style]`)]
    .map((e) => e.outerHTML).concat([...document.links].map((a) => a.protocol).filter((p) => !/^https?:$/.test(p)))"""


@pytest.fixture(scope="module")
def mallory(server):
    """Somebody who tries everything, with the bio full of it; the texts as they must be shown, newest first."""
    friends = []
    for number, name in enumerate(NAMES):
        friend = Browser(server).sign_up(f"mallory_{number}")
        assert friend.action("/settings/profile", display_name=name, bio="\n".join(CORPUS)[number * 400:][:480]).status == 200
        friends.append(friend)
    me = friends[0]
    me.ids = [me.post(text) for text in CORPUS]
    for friend in friends[1:]:
        friend.follow(me.name)
        me.follow(friend.name)
        friend.reply(me.name, me.ids[0], f"@{me.name} " + CORPUS[0])
    return me


def harmless(chrome):
    """Nothing ran, nothing came in, nothing was even tried."""
    assert chrome.run("return window.executed ?? []") == []
    assert chrome.run(FOREIGN) == []
    assert chrome.log() == []


def test_texts_are_texts(chrome, mallory):
    """Wherever a text or a name is shown, it is shown as it was typed."""
    chrome.before_pages(SPY)
    chrome.become(mallory)
    shown = {}
    for path in (f"/@{mallory.name}", f"/@{mallory.name}?max_id={mallory.ids[8]}", "/home", "/public"):
        chrome.open(path)
        harmless(chrome)
        shown.update(chrome.run("return Object.fromEntries([...document.querySelectorAll('article')]"
                                ".map((a) => [a.id.slice(5), a.querySelector('.text').textContent]))"))
    for post, text in zip(mallory.ids, CORPUS):
        assert shown[post].replace("\n", "") == text.replace("\n", "")
    for path in (f"/@{mallory.name}/{mallory.ids[0]}", f"/@{mallory.name}/{mallory.ids[6]}", "/@mallory_1", "/@mallory_2",
                 "/@mallory_3", f"/@{mallory.name}/followers", f"/@{mallory.name}/following", "/settings/profile",
                 "/settings/sessions"):
        chrome.open(path)
        harmless(chrome)
    chrome.open("/@mallory_1")
    assert chrome.text("h1") == NAMES[1] and NAMES[1] in chrome.driver.title


def test_scripts_do_not_wake_them(chrome, mallory):
    """The same when the scripts put pages together: posting, more posts, following, deleting, errors."""
    chrome.before_pages(SPY)
    chrome.become(mallory).open("/home").mark()
    for text in (CORPUS[3], CORPUS[1], CORPUS[13]):
        before = len(chrome.posts)
        chrome.post(text)
        chrome.wait(lambda n=before: len(chrome.posts) > n, "it is posted")
        assert chrome.run("return document.querySelector('.text').textContent") == text
        chrome.delete_post(chrome.all("article")[0])
        chrome.wait(lambda n=before: len(chrome.posts) == n, "it is deleted")
    chrome.run("window.scrollTo(0, document.body.scrollHeight)")
    chrome.wait(lambda: len(chrome.all("article")) > 20, "more posts came")
    chrome.run("document.querySelectorAll('form.follow button').forEach((b) => b.click())")
    chrome.wait(lambda: chrome.flash, "somebody is followed")
    chrome.run("document.querySelectorAll('a, button, input, summary').forEach((e) =>"
               "['mouseover', 'focus', 'pointerenter'].forEach((t) => e.dispatchEvent(new Event(t, {bubbles: true}))))")
    assert chrome.stayed
    harmless(chrome)
    chrome.post(CORPUS[1] * 30)
    chrome.one(".error[data-field=status]")
    assert chrome.one("#compose-status").get_attribute("value") == CORPUS[1] * 30
    assert chrome.run("return window.executed ?? []") == [] and chrome.run(FOREIGN) == []


@pytest.mark.parametrize("text", CORPUS[:9])
def test_forms_give_back_texts(chrome, people, text):
    """A refused form is filled in with what was typed, as a value."""
    chrome.before_pages(SPY)
    chrome.open("/auth/sign_up").fill("#field-username", text).click("form.sign-up button")
    chrome.wait(lambda: chrome.has(".error-summary"), "it is refused")
    assert chrome.one("#field-username").get_attribute("value") == text
    chrome.open("/auth/sign_in").fill("#sign_in-username", text).click("form.sign-in button")
    chrome.wait(lambda: chrome.has(".error-summary"), "it is refused")
    assert chrome.one("#sign_in-username").get_attribute("value") == text
    assert chrome.run("return window.executed ?? []") == [] and chrome.run(FOREIGN) == []


def test_addresses_are_texts(chrome, people):
    """Nor does anything in an address become code or lead away."""
    chrome.before_pages(SPY)
    quoted = "%22%3E%3Cscript%3Epwned(40)%3C%2Fscript%3E"
    me = people("address")
    for path in (f"/@{quoted}", f"/{quoted}", f"/tags/{quoted}", f"/home?max_id={quoted}", f"/auth/sign_in?next={quoted}",
                 "/auth/sign_in?next=javascript:pwned(41)", f"/auth/sign_up?invite={quoted}", f"/public?max_id=1&x={quoted}"):
        chrome.open(path)
        assert chrome.run("return window.executed ?? []") == [] and chrome.run(FOREIGN) == [], path
    for target in ("https://x.example/", "//x.example/", "/\\x.example/", "javascript:pwned(42)", "/%09/x.example"):
        chrome.become(None).open(f"/auth/sign_in?next={target}")
        chrome.fill("#sign_in-username", me.name).fill("#sign_in-password", PASSWORD).click("form.sign-in button")
        chrome.wait(lambda: chrome.has("form.sign-out") or chrome.has(".error-page"), "signed in")
        assert chrome.driver.current_url.startswith(chrome.server.url + "/"), target
        assert chrome.run("return window.executed ?? []") == []


def test_the_policy_holds(chrome):
    """If something slipped through, the browser would not run it, load it or send it; and these tests would see it."""
    chrome.before_pages(SPY)
    chrome.open("/public")
    refused = {
        "inline script": "const s = document.createElement('script'); s.textContent = 'pwned(1)'; document.body.append(s)",
        "handler": "const i = document.createElement('i'); i.setAttribute('onclick', 'pwned(2)'); document.body.append(i); i.click()",
        "inline style": "const s = document.createElement('style'); s.textContent = '*{}'; document.body.append(s)",
        "style attribute": "const i = document.createElement('i'); i.setAttribute('style', 'color: red'); document.body.append(i)",
        "foreign script": "const s = document.createElement('script'); s.src = 'https://127.0.0.2:1/x.js'; document.body.append(s)",
        "foreign image": "new Image().src = 'https://127.0.0.2:1/x.png'",
        "frame": "document.body.append(document.createElement('iframe')); frames[0].location = 'https://127.0.0.2:1/'",
        "foreign request": "fetch('https://127.0.0.2:1/').catch(() => 0)",
        "base": "const b = document.createElement('base'); b.href = 'https://127.0.0.2:1/'; document.head.append(b)",
        "form": "const f = document.createElement('form'); f.action = 'https://127.0.0.2:1/'; document.body.append(f); f.submit()",
    }
    for what, script in refused.items():
        chrome.log()
        chrome.run(script)
        chrome.wait(lambda: any("Content Security Policy" in line for line in chrome.log()), f"{what} is refused")
    assert chrome.run("return window.executed ?? []") == []
    assert chrome.path == "/public"


@pytest.mark.parametrize("view", [v for v in VIEWS if not v.then], ids=lambda v: v.name)
def test_source(town, view):
    """No page has a script, a style or a handler of its own in its HTML, or anything from elsewhere."""
    visitor = town.newcomer if view.who == "newcomer" else town[view.who] if view.who else Browser(town.server)
    page = visitor.get(view.path(town) if callable(view.path) else view.path, expect=view.status)
    assert "default-src 'none'" in page.headers["Content-Security-Policy"]
    assert "unsafe" not in page.headers["Content-Security-Policy"]
    found = []
    for element in parse(page.text).below():
        names = set(element.attributes)
        if element.tag in ("style", "iframe", "object", "embed", "base") or "style" in names or "srcdoc" in names or \
                any(name.startswith("on") for name in names) or (element.tag == "script" and element.children):
            found.append(element.tag)
        for name in names & {"href", "src", "action", "formaction"}:
            loads = element.tag in ("script", "img", "use", "form", "button") or element.get("rel") in ("stylesheet", "icon")
            if element[name].lower().startswith(("javascript:", "data:", "//")) or (loads and not element[name].startswith("/")):
                found.append(f"{element.tag} {element[name]}")
    assert found == []
