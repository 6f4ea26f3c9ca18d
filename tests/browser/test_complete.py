"""Completion of names and tags while they are typed: by keyboard and by pointer, in the box and in the field of search."""

import pytest
from selenium.webdriver.common.keys import Keys


@pytest.fixture
def found(people):
    """Two people who use two tags: what there is to be found, beginning with the same letters."""
    one, two = people("zelda", "zelda")
    for b in (one, two):
        b.post(f"#zoo #{one.name.replace('zelda', 'zebra')} #{one.name.replace('zelda', 'zebra')}crossing")
    return one, two


def listed(chrome):
    """What the list offers."""
    return chrome.texts("#complete li bdi")


def test_box(chrome, people, found):
    """Arrows, Enter, Esc and clicks; what is chosen takes the place of what was typed, and the box counts it."""
    names = sorted(f"@{b.name}" for b in found)
    tag = found[0].name.replace("zelda", "zebra")
    chrome.desk()
    chrome.become(people("types")).open("/home")
    box = chrome.one("#compose-status")
    box.send_keys("hello @zelda")
    chrome.wait(lambda: set(names) <= set(listed(chrome)), "the people")
    assert box.get_attribute("aria-controls") == "complete" and box.get_attribute("aria-activedescendant") == "complete-0"
    assert not chrome.check("structure") + chrome.check("contrast") + chrome.check("overflow")
    chrome.screenshot("complete.desk.light")  # with the tags that many use beside it
    second = listed(chrome)[1]
    box.send_keys(Keys.ARROW_DOWN, Keys.ENTER)
    assert box.get_attribute("value") == f"hello {second} "
    assert not listed(chrome) and not box.get_attribute("aria-controls")
    box.send_keys(f"#{tag}"[:-1])
    chrome.wait(lambda: f"#{tag}" in listed(chrome), "the tags")
    box.send_keys(Keys.ESCAPE)
    assert not listed(chrome)
    box.send_keys(tag[-1])
    chrome.wait(lambda: listed(chrome)[:2] == [f"#{tag}", f"#{tag}crossing"], "the tags again")
    chrome.click("#complete-1")
    text = f"hello {second} #{tag}crossing "
    assert box.get_attribute("value") == text and chrome.focused == box
    assert int(chrome.text("#compose-count")) == 500 - len(text.strip())
    box.send_keys("a@zelda and x#zebra ")
    assert not listed(chrome)


def test_search(chrome, people, found):
    """The field of search suggests people and tags; what is chosen is opened."""
    names = {f"@{b.name}" for b in found}
    chrome.desk()
    chrome.become(people("seeks")).open("/home")
    field = chrome.one("#search-aside")
    field.send_keys("zelda")
    chrome.wait(lambda: names <= set(listed(chrome)), "the people")
    assert field.get_attribute("aria-expanded") == "true" and not field.get_attribute("aria-activedescendant")
    assert not chrome.check("structure") + chrome.check("overflow")
    chrome.screenshot("complete.search.desk.light")
    first = listed(chrome)[0]
    field.send_keys(Keys.ARROW_DOWN, Keys.ENTER)
    chrome.wait(lambda: chrome.path == f"/{first}", "the profile")


def test_on_a_phone(chrome, people, found):
    """A finger chooses too: the targets are large enough, and nothing sticks out."""
    chrome.phone()
    chrome.scheme("dark")
    chrome.become(people("thumb")).open("/compose")
    box = chrome.one("#compose-status")
    box.send_keys(f"@{found[0].name}")
    chrome.wait(lambda: f"@{found[0].name}" in listed(chrome), "the person")
    assert not chrome.check("overflow") + chrome.check("targets") + chrome.check("contrast")
    chrome.screenshot("complete.phone.dark")
    chrome.click("#complete-0")
    assert box.get_attribute("value") == f"@{found[0].name} "
