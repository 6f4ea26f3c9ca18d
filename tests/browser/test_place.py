"""Nothing is lost on the way: the place in a list, what was typed, what was said."""

import pytest
from selenium.webdriver.common.keys import Keys

from retwis_server import Browser

PAGES_AHEAD = 60


@pytest.fixture(scope="module")
def long_list(server):
    """Somebody who has written more than a few pages."""
    writer = Browser(server).sign_up("long_list")
    for number in range(100):
        writer.post_quickly(f"number {number}")
    return writer


def top_of(chrome, item):
    """Where an element stands in the window, in pixels."""
    return chrome.run("return arguments[0].getBoundingClientRect().top", item)


@pytest.mark.parametrize("device", ["desk", "phone"])
def test_back_to_the_place(chrome, long_list, device):
    """Older posts were loaded, one of them opened: Back shows it at the same pixel, and the list as long as it was."""
    getattr(chrome, device)()
    chrome.become(long_list).open("/home")

    def enough():
        chrome.run("document.querySelector('a.older')?.click()")
        return len(chrome.all("#timeline article")) > PAGES_AHEAD

    chrome.wait(enough, "older posts came")
    post = chrome.all("#timeline article")[PAGES_AHEAD]
    key = post.get_attribute("id").removeprefix("post-")
    chrome.run("arguments[0].scrollIntoView({ block: 'center' })", post)
    place, length = top_of(chrome, post), len(chrome.all("#timeline article"))
    chrome.run("arguments[0].querySelector('a.at').click()", post)
    chrome.wait(lambda: chrome.path.endswith(key), "the post is shown")
    chrome.driver.back()

    def is_back():
        there = chrome.all(f"#timeline #post-{key}")
        return there and abs(top_of(chrome, there[0]) - place) <= 1

    chrome.wait(is_back, "the place is found again")
    assert len(chrome.all("#timeline article")) >= length - 20 and chrome.log() == []


def test_arrow_leads_back(chrome, long_list):
    """To the page and the place where one came from."""
    chrome.become(long_list).open("/home")
    chrome.run("scrollTo(0, 900)")
    link = chrome.run("return [...document.querySelectorAll('a.at')].find((a) => a.getBoundingClientRect().top > 100)")
    path, top = link.get_attribute("href"), chrome.run("return scrollY")
    chrome.click(link)
    chrome.wait(lambda: path.endswith(chrome.path), "the post is open")
    chrome.click("a.back")
    chrome.wait(lambda: chrome.path == "/home", "home again")
    chrome.wait(lambda: abs(chrome.run("return scrollY") - top) <= 1, "at the same place")


def test_anew_is_on_top(chrome, long_list):
    """Who comes by a link begins at the beginning."""
    chrome.become(long_list).open("/home").run("window.scrollTo(0, 600)")
    chrome.wait(lambda: chrome.run("return Boolean(history.state?.place)"), "the place is noted")
    chrome.click('.nav a[href="/public"]').click('.nav a[href="/home"]')
    assert chrome.run("return scrollY") == 0


def test_messages_are_seen_and_go(chrome, long_list):
    """Far down in a list, what a deletion says is in sight, moves nothing, and goes by itself."""
    chrome.become(long_list).open(f"/@{long_list.name}")
    post = chrome.all("#timeline article")[12]
    chrome.run("arguments[0].scrollIntoView({ block: 'center' })", post)
    above = chrome.all("#timeline article")[11]
    place = top_of(chrome, above)
    chrome.delete_post(post)
    chrome.wait(lambda: chrome.flash == "The post is deleted.", "it is said")
    box = chrome.run("const b = document.querySelector('.flash').getBoundingClientRect(); return [b.top, b.bottom]")
    assert 0 <= box[0] and box[1] <= chrome.run("return innerHeight")
    assert abs(top_of(chrome, above) - place) <= 1
    chrome.later()
    assert chrome.flash == ""


def test_last_post_is_deleted(chrome, people):
    """The page says what it says to those who have none."""
    me = people("last")
    me.post("the only one")
    chrome.become(me).open("/home").mark()
    chrome.delete_post(chrome.one("article"))
    chrome.wait(lambda: chrome.has(".empty h2"), "it says that there is nothing")
    assert chrome.stayed and chrome.posts == []


def test_drafts(chrome, people):
    """What was typed waits in its box: at home that of a new post, at a post that of the answer; until it is sent."""
    me, other = people("drafts", "other")
    post = other.post("a question")
    chrome.become(me).open("/home").fill("#compose-status", "half a thought")
    chrome.click('.nav a[href="/public"]')
    chrome.open(f"/@{other.name}/{post}")
    assert chrome.one("#compose-status").get_attribute("value") == f"@{other.name} "
    chrome.fill("#compose-status", "half an answer")
    chrome.open("/home")
    assert chrome.one("#compose-status").get_attribute("value") == "half a thought"
    assert chrome.text("#compose-count") == str(500 - len("half a thought"))
    chrome.click("#compose button")
    chrome.wait(lambda: chrome.posts == ["half a thought"], "it is posted")
    chrome.open("/home")
    assert chrome.one("#compose-status").get_attribute("value") == ""
    chrome.open(f"/@{other.name}/{post}")
    assert chrome.one("#compose-status").get_attribute("value") == "half an answer"
    chrome.click(".me > summary").click("form.sign-out button")
    chrome.wait(lambda: chrome.path == "/", "signed out")
    assert chrome.run("return sessionStorage.length") == 0, "nobody else at this machine reads it"


def test_sign_up_says_all_at_once(chrome, people):
    """A name that is taken is said beside a bad password, each once."""
    taken = people("taken")
    chrome.open("/auth/sign_up")
    chrome.fill("#field-username", taken.name).fill("#field-password", "short").fill("#field-password2", "other")
    chrome.click("form.sign-up button")
    chrome.wait(lambda: chrome.all(".error[data-field]"), "the form comes back")
    fields = [e.get_attribute("data-field") for e in chrome.all(".error[data-field]")]
    assert fields == ["username", "password", "password2"]
    text = chrome.text("main")
    assert all(text.count(e.text) == 1 for e in chrome.all(".error[data-field]"))
    assert chrome.focused.get_attribute("id") == "field-username"


def test_large_text(chrome, people):
    """At twice the size the button of the box stays on the screen."""
    chrome.phone()
    chrome.become(people("large")).open("/home").run("document.documentElement.style.fontSize = '200%'")
    right = chrome.run("return document.querySelector('#compose button').getBoundingClientRect().right")
    assert right <= chrome.run("return document.documentElement.clientWidth") and chrome.check("overflow") == []


def test_times_of_the_reader(chrome, people):
    """Whole times are in the zone of whoever reads, not in that of the server."""
    me = people("zone")
    post = me.post("tick")
    chrome.cdp("Emulation.setTimezoneOverride", timezoneId="Asia/Kolkata")
    try:
        chrome.become(me).open(f"/@{me.name}/{post}")
        expected = chrome.run("""return new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeStyle: "short", timeZone: "Asia/Kolkata" })
                                 .format(Date.parse(document.querySelector(".status-date time").dateTime.replace(" ", "T")))""")
        assert chrome.text(".status-date span") == expected
        chrome.open(f"/@{me.name}")
        assert chrome.one("a.at time").get_attribute("data-whole") == expected
    finally:
        chrome.cdp("Emulation.setTimezoneOverride", timezoneId="")


def test_scripts_are_one_file(chrome):
    """All modules come at once, named in the head."""
    chrome.open("/about")
    asked = chrome.run("return performance.getEntriesByType('resource').map((e) => e.name).filter((n) => n.endsWith('.js'))")
    assert asked == chrome.run("return [...document.querySelectorAll('head script')].map((e) => e.src)") and len(asked) == 1


def test_sheet(chrome, people):
    """Writing from anywhere: the box comes over the page, and afterwards one is where one was."""
    me, other = people("sheet", "other")
    post = other.post("a question")
    for path, key in (("/settings/profile", None), (f"/@{other.name}/{post}", "n")):
        chrome.become(me).open(path).mark()
        if key:
            chrome.fill("#compose-status", "half an answer")
            chrome.run("document.activeElement.blur()")
            chrome.keys(key)
        else:
            chrome.click(".nav-post a")
        chrome.wait(lambda: chrome.has("#sheet[open] #compose-status"), "the sheet is there")
        chrome.wait(lambda: chrome.focused == chrome.one("#sheet #compose-status"), "it has the focus")
        assert chrome.check("structure") + chrome.check("contrast") + chrome.check("overflow") == []
        chrome.screenshot(f"sheet.{'post' if key else 'settings'}.desk.light")
        chrome.fill("#compose-status", "x" * 501).click("#sheet #compose .button-primary")
        chrome.wait(lambda: chrome.has("#sheet .error[data-field=status]"), "the mistake is said in the sheet")
        chrome.fill("#compose-status", f"from {path}").click("#sheet #compose .button-primary")
        chrome.wait(lambda: chrome.flash == "Posted.", "it is said")
        assert not chrome.has("#sheet[open]") and chrome.stayed and chrome.path == path
    assert chrome.one("#compose-status").get_attribute("value") == "half an answer"
    chrome.open("/home")
    assert chrome.posts == [f"from /@{other.name}/{post}", "from /settings/profile"]
    assert [line for line in chrome.log() if "status of 422" not in line] == []


def test_sheet_is_a_page_without_scripts(plain, people):
    """The same, from the same link."""
    plain.become(people("plain")).open("/public").click(".nav-post a")
    plain.wait(lambda: plain.path == "/compose", "the page of the box")
    plain.post("from a page of its own")
    plain.wait(lambda: plain.path == "/home" and plain.posts == ["from a page of its own"], "it is posted")


def test_whole_post_opens_it(chrome, people):
    """But not its links and buttons, nor text that is being marked."""
    me = people("open")
    post = me.post("A post with a #tag in it")
    chrome.become(me).open(f"/@{me.name}").mark()
    chrome.click("article .i-more").wait(lambda: chrome.has(".post-menu:popover-open"), "the menu opens")
    chrome.keys(Keys.ESCAPE)
    assert not chrome.has(".post-menu") and "i-more" in chrome.focused.get_attribute("class")
    chrome.run("getSelection().selectAllChildren(document.querySelector('.text'))")
    chrome.run("document.querySelector('.text').click()")
    assert chrome.stayed and chrome.path == f"/@{me.name}"
    chrome.run("getSelection().removeAllRanges()")
    chrome.click("article .text a")
    chrome.wait(lambda: chrome.path == "/tags/tag", "the tag")
    chrome.open(f"/@{me.name}").run("document.querySelector('article').click()")
    chrome.wait(lambda: chrome.path == f"/@{me.name}/{post}", "the post")


def test_new_posts_are_told(chrome, people):
    """A button over the page says so; nothing moves until it is pressed, and a page that nobody sees does not ask."""
    me, other = people("reader", "writer")
    me.follow(other.name)
    for n in range(12):
        other.post_quickly(f"old {n}")
    chrome.become(me).open("/home").mark()
    chrome.run("scrollTo(0, 300)")
    top = chrome.run("return document.querySelector('article').getBoundingClientRect().top")
    asked = "return performance.getEntriesByType('resource').filter((e) => e.name.includes('/home/news')).length"
    hide = "Object.defineProperty(document, 'hidden', { value: %s, configurable: true }); document.dispatchEvent(new Event('visibilitychange'))"
    other.post("fresh")
    chrome.run(hide % "true")
    assert chrome.run(asked) == 0
    chrome.run(hide % "false")
    chrome.wait(lambda: chrome.has("button.news"), "the button")
    assert chrome.text("button.news") == "1 new post" and chrome.text("#announce") == "1 new post" and chrome.run(asked) == 1
    assert chrome.run("return document.querySelector('article').getBoundingClientRect().top") == top
    assert "fresh" not in chrome.posts
    chrome.click("button.news")
    chrome.wait(lambda: chrome.posts[0] == "fresh", "it is there")
    assert not chrome.has("button.news") and chrome.run("return scrollY") == 0 and chrome.stayed
    for n in range(25):
        other.post_quickly(f"many {n}")
    chrome.run(hide % "false")
    chrome.wait(lambda: chrome.has("button.news"), "the button")
    assert chrome.text("button.news") == "New posts"
    chrome.click("button.news")
    chrome.wait(lambda: not chrome.stayed and chrome.posts[0] == "many 24", "what does not touch is a page of its own")
