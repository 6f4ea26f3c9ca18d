"""What the scripts add to pages that work without them. A marked document tells whether the page was left."""

import json
import os

import pytest
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys

from retwis_server import REPOSITORY, Browser, Server

REFUSED = "This could not be saved just now. Please try again in a moment."
SHIFT = "const real = Date.now; window.shift = 0; Date.now = () => real() + window.shift;"


def test_counter(chrome, people):
    """Counts code points as the server does, and says so when there are too many."""
    chrome.become(people("count")).open("/home")
    assert chrome.text("#compose-count") == "500"
    chrome.fill("#compose-status", "  día 🌻👩‍🌾 \n")
    assert chrome.text("#compose-count") == str(500 - len("día 🌻👩‍🌾"))
    assert chrome.text("#compose-hint") == "Up to 500 characters."
    chrome.fill("#compose-status", "x" * 490)
    assert chrome.text("#compose-count") == "10" and chrome.text("#compose-hint") == "Characters left: 10"
    chrome.fill("#compose-status", "x" * 503)
    assert chrome.text("#compose-count") == "-3" and chrome.has("#compose-count.over")
    assert chrome.text("#compose-hint") == "Characters too many: 3"


def test_limit_is_that_of_the_server(chrome, people):
    """What the counter calls 0 is taken, one more is not: then the error stands beside the text, which stays."""
    chrome.become(people("limit")).open("/home").mark()
    text = "🌻" + "á" * 499
    chrome.fill("#compose-status", text)
    assert chrome.text("#compose-count") == "0"
    chrome.click("#compose button")
    chrome.wait(lambda: chrome.posts == [text], "it is posted")
    chrome.post(text + "!")
    assert chrome.text(".error[data-field=status]") == "Keep it to 500 characters; this has 501."
    box = chrome.one("#compose-status")
    assert box.get_attribute("value") == text + "!" and chrome.focused == box
    assert "compose-status-error" in box.get_attribute("aria-describedby")
    assert chrome.flash == "" and len(chrome.posts) == 1 and chrome.stayed


def test_times_stay_true(chrome, people):
    """The words change while the page is open."""
    me = people("clock")
    me.post("tick")
    chrome.before_pages(SHIFT)
    chrome.become(me).open(f"/@{me.name}")
    for seconds, words in ((70, "1m"), (3 * 3600, "3h"), (400 * 86400, None)):
        chrome.run("window.shift = arguments[0]; document.dispatchEvent(new Event('visibilitychange'))", seconds * 1000)
        assert chrome.text("a.at") == (words or chrome.run(
            "return new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric' }).format("
            "Date.parse(document.querySelector('a.at time').dateTime.replace(' ', 'T')))"))


def test_times_have_the_words_of_the_server(chrome):
    """The catalogues and the browser's own words agree, so nothing changes when the script begins."""
    chrome.open("/about")
    for code in ("en", "es", "ro", "zh-CN"):
        with open(os.path.join(REPOSITORY, "web", "locales", f"{code}.json"), encoding="utf-8") as f:
            catalogue = json.load(f)
        for unit in ("second", "minute", "hour", "day", "month", "year"):
            for count in (1, 2, 11, 20, 101):
                form = chrome.run("return new Intl.PluralRules(arguments[0]).select(arguments[1])", code, count)
                key = f"elapsed_{unit}_{form}"
                expected = chrome.run("return new Intl.RelativeTimeFormat(arguments[0], {numeric: 'always'})"
                                      ".format(-arguments[1], arguments[2])", code, count, unit)
                assert catalogue[key].replace("{count}", str(count)) == expected
        names = "en-GB" if code == "en" else code
        for unit in ("second", "minute", "hour"):
            assert catalogue[f"short_{unit}"].replace("{count}", "7") == chrome.run(
                "return new Intl.NumberFormat(arguments[0], {style: 'unit', unit: arguments[1], unitDisplay: 'narrow'}).format(7)", names, unit)
        for month in range(1, 13):
            for key, year in (("short_date", {}), ("short_date_year", {"year": "numeric"})):
                words = catalogue[key].replace("{day}", "7").replace("{month}", catalogue[f"short_month_{month}"]).replace("{year}", "2024")
                assert words == chrome.run("return new Intl.DateTimeFormat(arguments[0], {day: 'numeric', month: 'short', timeZone: 'UTC', "
                                           "...arguments[2]}).format(Date.UTC(2024, arguments[1] - 1, 7))", names, month, year)
        assert catalogue["elapsed_now"] == chrome.run(
            "return new Intl.RelativeTimeFormat(arguments[0], {numeric: 'auto'}).format(0, 'second')", code)


def test_post_without_leaving(chrome, people):
    """New posts come in on top, the box is empty and has the focus, the numbers follow."""
    chrome.become(people("poster")).open("/home").mark()
    for number, text in enumerate(["one", "two\nlines", "three <b>bold</b>"], 1):
        chrome.post(text)
        chrome.wait(lambda t=text: chrome.posts[:1] == [t], "it is shown")
        assert len(chrome.posts) == number and chrome.flash == "Posted."
        assert chrome.one("#compose-status").get_attribute("value") == ""
        assert chrome.focused.get_attribute("id") == "compose-status" and chrome.text("#compose-count") == "500"
    assert chrome.counts[0] == "3 Posts"
    chrome.fill("#compose-status", "by keyboard").chord(Keys.CONTROL, Keys.ENTER)
    chrome.wait(lambda: chrome.posts[:1] == ["by keyboard"], "Ctrl and Enter post")
    assert chrome.stayed and chrome.log() == []


def test_impatient_click(chrome, people):
    """Two clicks are one post."""
    chrome.become(people("click")).open("/home").mark()
    chrome.fill("#compose-status", "once")
    chrome.run("const b = document.querySelector('#compose button'); b.click(); b.click(); b.form.requestSubmit();")
    chrome.wait(lambda: chrome.posts == ["once"], "it is shown")
    chrome.open("/home")
    assert chrome.posts == ["once"]


def test_reply_without_leaving(chrome, people):
    """An answer comes in below the post."""
    ann, ben = people("ann", "ben")
    post = ann.post("Who has the key?")
    chrome.become(ben).open(f"/@{ann.name}/{post}").mark().post("I do.")
    chrome.wait(lambda: chrome.posts == ["Who has the key?", "I do."], "it stands there")
    assert chrome.stayed and chrome.flash == "Posted."


def test_delete_without_leaving(chrome, people):
    """The post goes, and the focus moves to the next one."""
    me = people("delete")
    ids = [me.post(text) for text in ("oldest", "middle", "newest")]
    chrome.become(me).open("/home").mark()
    chrome.delete_post(chrome.one(f"#post-{ids[1]}"))
    chrome.wait(lambda: chrome.posts == ["newest", "oldest"], "it is gone")
    assert chrome.stayed and chrome.flash == "The post is deleted."
    assert chrome.focused.get_attribute("id") == f"post-{ids[0]}" and not chrome.has(".post-menu")
    assert chrome.counts[0] == "2 Posts"


def test_follow_without_leaving(chrome, people):
    """The button turns round, the numbers follow, the focus stays; and back."""
    me, other = people("fan", "star")
    chrome.become(me).open(f"/@{other.name}").mark()
    for label, followers in (("Following", "1 Follower"), ("Follow", "0 Followers"), ("Following", "1 Follower")):
        chrome.click(".profile form.follow button")
        chrome.wait(lambda words=label: chrome.text(".profile form.follow button") == words, f"it says {label}")
        assert chrome.counts[2] == followers
        assert chrome.focused == chrome.one(".profile form.follow button")
    assert chrome.stayed and chrome.log() == []


@pytest.mark.parametrize("kind", ["scripts", "no_scripts"])
def test_button_of_who_is_followed(request, people, kind):
    """It says how it is, and what a press would do to whoever is about to press, by pointer or by keyboard; nothing moves."""
    chrome = request.getfixturevalue("chrome" if kind == "scripts" else "plain")
    me, other = people("fan", "star")
    me.follow(other.name)
    button = chrome.become(me).open(f"/@{other.name}").one(".profile form.follow button")
    size = button.size
    assert button.text == "Following" and button.accessible_name == f"Following. Unfollow @{other.name}"
    ActionChains(chrome.driver).move_to_element(button).perform()
    chrome.wait(lambda: button.text == "Unfollow", "the pointer is over it")
    ActionChains(chrome.driver).move_to_element(chrome.one("h1")).perform()
    chrome.wait(lambda: button.text == "Following", "the pointer is elsewhere")
    for _ in range(60):
        if chrome.focused == button:
            break
        chrome.keys(Keys.TAB)
    assert chrome.focused == button and button.text == "Unfollow" and button.size == size


@pytest.mark.parametrize("kind", ["scripts", "no_scripts"])
def test_theme(request, people, kind):
    """Chosen at the foot of a page, it holds whatever the browser wishes, from the first paint on: the page says it itself."""
    chrome = request.getfixturevalue("chrome" if kind == "scripts" else "plain")
    light, dark = "rgb(243, 246, 244)", "rgb(13, 19, 17)"
    chrome.open("/public")
    for theme, colors in (("dark", (dark, dark)), ("light", (light, light)), ("system", (light, dark))):
        chrome.click(f"form.theme [value={theme}]")
        chrome.wait(lambda name=theme: chrome.has(f"form.theme [value={name}][aria-current]"), f"it is {theme}")
        for scheme, color in zip(("light", "dark"), colors):
            chrome.scheme(scheme)
            assert chrome.one("html").value_of_css_property("background-color").replace("rgba", "rgb").replace(", 1)", ")") == color


def test_menu_closes(chrome, people):
    """With Esc, which leads back to its button; by a click beside it; and when the focus goes on behind it."""
    chrome.become(people("closer")).open("/home")
    for close, is_back in ((lambda: chrome.keys(Keys.ESCAPE), True), (lambda: chrome.click("h1"), False)):
        chrome.click(".me summary")
        assert chrome.has(".me[open]") and chrome.all(".me-menu a")[0].is_displayed()
        chrome.keys(Keys.TAB)
        close()
        chrome.wait(lambda: not chrome.has(".me[open]"), "it is closed")
        assert (chrome.focused == chrome.one(".me summary")) == is_back
    chrome.click(".me summary")
    for _ in range(10):
        chrome.keys(Keys.TAB)
    assert not chrome.has(".me[open]")


def test_follow_at_home_brings_posts(chrome, people):
    """Following one of the latest people at home shows what he wrote at once."""
    me, other = people("reader", "writer")
    other.post("Read me")
    chrome.become(me).open("/home").mark()
    assert chrome.posts == []
    chrome.click(f'.latest [data-name="{other.name}"] > button')
    chrome.wait(lambda: chrome.posts == ["Read me"], "his post is there")
    assert chrome.stayed and chrome.counts[1] == "1 Following"
    chrome.click(f'.latest [data-name="{other.name}"] > button')
    chrome.wait(lambda: chrome.posts == [], "his post is gone")
    assert chrome.text(".empty h2") == "It is quiet here"


@pytest.fixture(scope="module")
def long_home(server):
    """A user with many posts."""
    writer = Browser(server).sign_up("long_home")
    for number in range(130):
        writer.post_quickly(f"number {number}")
    return writer


def test_more_without_leaving(chrome, people, long_home):
    """Scrolling and clicking bring older posts, each once and in order, also while new ones are written."""
    chrome.become(long_home).open("/home").mark()
    first = len(chrome.posts)
    assert 10 <= first < 130
    chrome.run("window.scrollTo(0, document.body.scrollHeight)")
    chrome.wait(lambda: len(chrome.all("article.status")) > first, "more came by itself")
    chrome.run("window.scrollTo(0, 0)")
    chrome.post("while reading")
    chrome.wait(lambda: chrome.text("article.status:first-child .text") == "while reading", "it is on top")

    def at_the_end():
        chrome.run("document.querySelector('a.older')?.click()")
        return not chrome.has("a.older")

    chrome.wait(at_the_end, "the end is reached")
    ids = chrome.run("return [...document.querySelectorAll('#timeline article')].map((a) => a.id.slice(5))")
    assert ids == long_home.timeline_ids("/home") and len(ids) == 131
    assert chrome.stayed and chrome.log() == []
    long_home.delete(ids[0])


def test_more_people_without_leaving(chrome, people, long_home):
    """The list of followers grows in place as well."""
    fans = people(*["fan"] * 25)
    for fan in fans:
        fan.follow(long_home.name)
    chrome.become(long_home).open(f"/@{long_home.name}/followers").mark()

    def all_there():
        chrome.run("document.querySelector('a.older')?.click()")
        return len(chrome.all(".accounts .account-row")) >= 25

    chrome.wait(all_there, "all are there")
    names = [e.get_attribute("data-name") for e in chrome.all("#timeline .account-row")]
    assert names == [fan.name for fan in reversed(fans)] and chrome.stayed


def test_keys(chrome, people):
    """j and k walk through the posts, n goes to the box; none of them while typing, or when switched off."""
    me = people("keys")
    ids = [me.post(text) for text in ("three", "two", "one")][::-1]
    chrome.become(me).open("/home").mark()

    def at():
        return chrome.focused.get_attribute("id").removeprefix("post-")

    for key, place in (("j", ids[0]), ("j", ids[1]), ("j", ids[2]), ("j", ids[2]), ("k", ids[1]), ("n", "compose-status")):
        chrome.keys(key)
        assert at() == place, key
    chrome.keys("njk")
    assert chrome.one("#compose-status").get_attribute("value") == "njk"
    chrome.open("/public").keys("n")
    chrome.wait(lambda: at() == "compose-status" and chrome.path == "/public", "n brings the box over the page")


def test_keys_of_a_post(chrome, people):
    """What its links and buttons do, of the post at hand; and the pages."""
    me = people("keys")
    ids = [me.post(text) for text in ("two", "one")][::-1]
    chrome.become(me).open("/home").mark().keys("jl")
    chrome.wait(lambda: chrome.has(f"#post-{ids[0]} [name=unfavourite]"), "it is a favourite")
    assert not chrome.has(f"#post-{ids[1]} [name=unfavourite]") and chrome.stayed
    chrome.open("/home").mark().keys("jb")
    chrome.wait(lambda: chrome.has(f"#post-{ids[0]} [name=unboost] b"), "it is boosted")
    assert chrome.focused.get_attribute("name") == "unboost" and chrome.stayed
    chrome.open("/home").keys("j", Keys.ENTER)
    chrome.wait(lambda: chrome.path == f"/@{me.name}/{ids[0]}", "Enter opens it")
    chrome.keys("gn")
    chrome.wait(lambda: chrome.path == "/notifications", "g n")
    chrome.keys("gh")
    chrome.wait(lambda: chrome.path == "/home", "g h")
    chrome.keys("jjo")
    chrome.wait(lambda: chrome.path == f"/@{me.name}/{ids[1]}", "o opens it")
    chrome.open("/home").keys("jr")
    chrome.wait(lambda: chrome.focused.get_attribute("id") == "compose-status" and ids[0] in chrome.path, "r answers")


def test_list_of_keys(chrome, people):
    """The button in the foot, and ?, show what there is; switching them off is a choice in there, and it is kept."""
    me = people("keys")
    chrome.become(me).open("/home").click("#keys")
    chrome.wait(lambda: len(chrome.all("#keys-help[open] dt")) >= 11, "the list is there")
    chrome.keys(Keys.ESCAPE)
    assert not chrome.has("#keys-help")
    chrome.keys("?")
    chrome.wait(lambda: chrome.has("#keys-help[open]"), "the list is there")
    assert chrome.check("structure") + chrome.check("contrast") == []
    chrome.screenshot("home.keys.desk.light")
    chrome.click("#keys-on").click("#keys-close").open("/home").keys("n")
    assert chrome.focused.get_attribute("id") != "compose-status"
    chrome.click("#keys").wait(lambda: chrome.has("#keys-help[open]"), "the list is there")
    assert not chrome.one("#keys-on").is_selected()
    chrome.click("#keys-on").click("#keys-close").keys("n")
    assert chrome.focused.get_attribute("id") == "compose-status"


def test_engine_away(_scripting, unique):
    """The text is not lost: a message says what is wrong, and the same click works later."""
    with Server(engine="redis") as server:
        me = Browser(server).sign_up(unique("stuck"))
        chrome = _scripting.visit(server).become(me).open("/home").mark()
        chrome.fill("#compose-status", "Too good to lose")
        server.redis.kill9()
        chrome.click("#compose button")
        assert chrome.text(".error[data-field=form]") == REFUSED and chrome.stayed
        assert chrome.one("#compose-status").get_attribute("value") == "Too good to lose"
        chrome.log()
        chrome.screenshot("home.engine_away.desk.light")
        server.redis.start()
        server.wait_healthy()
        chrome.click("#compose button")
        chrome.wait(lambda: chrome.posts == ["Too good to lose"], "it is posted")
        server.kill9()
        chrome.post("Nobody listens")
        chrome.wait(lambda: chrome.flash == "The site could not be reached. Your text is still here.", "it says so")
        assert chrome.one("#compose-status").get_attribute("value") == "Nobody listens" and chrome.stayed


def test_page_while_the_engine_is_away(_scripting):
    """The error page needs nothing that is away, and keeps the rules of all pages."""
    with Server(engine="redis") as server:
        chrome = _scripting.visit(server)
        server.redis.kill9()
        for device, scheme in (("phone", "light"), ("desk", "dark")):
            getattr(chrome, device)()
            chrome.scheme(scheme)
            chrome.open("/public")
            assert chrome.text("h1") == "Back in a moment" and chrome.text(".button-primary") == "Try again"
            assert chrome.check("structure") + chrome.check("overflow") + chrome.check("contrast") == []
            chrome.screenshot(f"error.503.{device}.{scheme}")
        server.redis.start()
        server.wait_healthy()
        chrome.click_text("Try again")
        assert chrome.text("h1") == "Public timeline"


def test_engine_away_without_scripts(_plain, unique):
    """The text comes back in the page that says what is wrong."""
    with Server(engine="redis") as server:
        me = Browser(server).sign_up(unique("stuck"))
        plain = _plain.visit(server).become(me).open("/home")
        plain.fill("#compose-status", "Too good to lose")
        server.redis.kill9()
        plain.click("#compose button")
        assert plain.text(".error[data-field=form]") == REFUSED and not plain.has(".empty")
        assert plain.one("#compose-status").get_attribute("value") == "Too good to lose"
        server.redis.start()
        server.wait_healthy()
        plain.click("#compose button")
        plain.wait(lambda: plain.posts == ["Too good to lose"], "it is posted")


def test_signed_out_meanwhile(chrome, people):
    """The session ended elsewhere: the text stays, and the page says what to do."""
    me = people("gone")
    chrome.become(me).open("/home").mark()
    me.sign_out()
    chrome.post("Half an hour of writing")
    chrome.wait(lambda: chrome.flash, "something is said")
    assert chrome.one("#compose-status").get_attribute("value") == "Half an hour of writing"
    assert chrome.has(".flash-error") and chrome.flash in ("Sign in", "Please sign in") and chrome.stayed
