"""Without a mouse: everything can be reached, seen and done with the keyboard alone."""

import pytest
from selenium.webdriver.common.keys import Keys

from pages import VIEWS
from retwis_server import PASSWORD

WALKS = ["landing", "sign_up.errors", "home", "home.empty", "public.signed_out", "profile", "following.results", "post.own",
         "settings_profile", "settings_sessions", "settings_preferences", "error.404"]


def walk(chrome, most=300):
    """Presses Tab until the focus leaves the page; what had it."""
    seen = []
    for _ in range(most):
        chrome.keys(Keys.TAB)
        stop = chrome.check("focus")
        if stop is None:
            break
        seen.append(stop)
    return seen


@pytest.mark.parametrize("view", [v for v in VIEWS if v.name in WALKS], ids=lambda v: v.name)
def test_every_stop(tourist, town, view):
    """Tab goes through all there is, in the order of the document, and the focus is always in sight."""
    view.open(tourist, town)
    tourist.run("document.body.tabIndex = -1; document.body.focus(); document.body.removeAttribute('tabindex');"
                "document.querySelectorAll('a.older').forEach((a) => a.remove())")  # so that the page does not grow
    expected = tourist.check("stops")
    seen = walk(tourist)
    assert [stop["what"] for stop in seen] == expected
    assert [problem for stop in seen for problem in stop["problems"]] == []
    assert seen[0]["what"].startswith("a.skip")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_focus_on_a_phone(tourist, town, scheme):
    """The bars at the top and the bottom never cover what has the focus (a keyboard can be tied to a phone)."""
    tourist.phone()
    tourist.scheme(scheme)
    next(v for v in VIEWS if v.name == "profile").open(tourist, town)
    tourist.run("document.querySelectorAll('a.older').forEach((a) => a.remove())")
    assert [problem for stop in walk(tourist) for problem in stop["problems"]] == []


def tab_to(chrome, selector, most=60):
    """Presses Tab until the element has the focus."""
    target = chrome.one(selector)
    for _ in range(most):
        chrome.keys(Keys.TAB)
        if chrome.focused == target:
            return chrome
    raise AssertionError(f"Tab does not reach {selector}")


def test_skip_link(chrome, people):
    """The first stop leads past the navigation."""
    chrome.become(people("skip")).open("/home").keys(Keys.TAB)
    link = chrome.focused
    assert link.text == "Skip to content" and link.location["y"] >= 0
    chrome.keys(Keys.ENTER, Keys.TAB)
    assert chrome.run("return document.querySelector('main').contains(document.activeElement)")


@pytest.mark.parametrize("kind", ["scripts", "no_scripts"])
def test_a_day_by_keyboard(request, people, kind):
    """Sign in, write, answer, follow, delete, sign out."""
    chrome = request.getfixturevalue("chrome" if kind == "scripts" else "plain")
    me, other = people("typist", "mate")
    post = other.post("Anybody there?")
    tab_to(chrome.open("/"), "#sign_in-username").keys(me.name, Keys.TAB, PASSWORD, Keys.ENTER)
    chrome.wait(lambda: chrome.path == "/home", "signing in leads home")
    tab_to(chrome, "#compose-status").keys("No mouse today", Keys.TAB, Keys.TAB, Keys.ENTER)
    chrome.wait(lambda: chrome.posts == ["No mouse today"], "it is posted")
    chrome.open(f"/@{other.name}")
    tab_to(chrome, ".profile form.follow button").keys(Keys.SPACE)
    chrome.wait(lambda: chrome.has(".profile form.follow [data-following=true]"), "he is followed")
    chrome.open(f"/@{other.name}/{post}")
    tab_to(chrome, "#compose-status").keys("Yes!", Keys.TAB, Keys.TAB, Keys.ENTER)
    chrome.wait(lambda: len(chrome.posts) == 2, "it is answered")
    chrome.open(f"/@{me.name}")
    if kind == "scripts":
        tab_to(chrome, "article:last-child .i-more").keys(Keys.ENTER)
        chrome.wait(lambda: chrome.has(".post-menu:popover-open"), "the menu opens")
    else:
        tab_to(chrome, "article:last-child .at").keys(Keys.ENTER)
        tab_to(chrome, ".post-more > summary").keys(Keys.ENTER)
    tab_to(chrome, "details.delete summary").keys(Keys.ENTER, Keys.TAB, Keys.ENTER)
    chrome.wait(lambda: chrome.posts == [], "it is deleted")
    assert chrome.flash == "The post is deleted."
    tab_to(chrome.open("/home"), ".me > summary").keys(Keys.ENTER)
    tab_to(chrome, "form.sign-out button").keys(Keys.ENTER)
    chrome.wait(lambda: chrome.path == "/", "signed out")
