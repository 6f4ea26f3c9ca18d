"""What pages may weigh, that nothing moves while they come, and that they hold at twice the size of text."""

import pytest

from pages import VIEWS

STILL = 0.001  # a time that says "10 seconds" after "9 seconds" is wider
EMPTY_KB, WARM_KB = 25, 8  # on the wire, of the home page of a phone with 20 posts

# what the browser moved without being asked, from the first paint on
SHIFTS = """window.shifts = []; new PerformanceObserver((list) => list.getEntries().filter((e) => !e.hadRecentInput)
    .forEach((e) => shifts.push(e.value))).observe({ type: "layout-shift", buffered: true });"""

WEIGHT = """const all = [...performance.getEntriesByType("navigation"), ...performance.getEntriesByType("resource")];
    return all.map((e) => [new URL(e.name).pathname.replace(/.*[/]static[/][^/]*/, ""), e.transferSize]);"""


def weight(chrome):
    """What the page and all that it needs have cost on the wire, in bytes: not what the browser fetches afterwards, to see whether the
    site could be installed."""
    chrome.wait(lambda: chrome.run("return document.readyState") == "complete", "all has come")
    return {name: size for name, size in chrome.run(WEIGHT) if "touch-" not in name and "manifest" not in name}


def test_weight_of_home(tourist, town):
    """With an empty cache, and with a warm one."""
    tourist.cdp("Network.clearBrowserCache")
    tourist.phone()
    tourist.become(town["ada_moreno"]).open("/home")
    empty = weight(tourist)
    assert sum(empty.values()) <= EMPTY_KB * 1024, empty
    tourist.open("/notifications").open("/home")
    warm = weight(tourist)
    assert sum(warm.values()) <= WARM_KB * 1024, warm


@pytest.mark.parametrize("device", ["desk", "phone"])
def test_nothing_moves(tourist, town, device):
    """No layout shift at all on the pages that people open most."""
    getattr(tourist, device)()
    tourist.before_pages(SHIFTS)
    for name in ("landing", "public", "profile", "home", "post", "notifications", "welcome"):
        next(v for v in VIEWS if v.name == name).open(tourist, town)
        tourist.run("return new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
        assert tourist.run("return shifts.reduce((a, b) => a + b, 0)") < STILL, name


@pytest.fixture
def large(tourist):
    """A visitor whose browser is set to letters of twice the size."""
    tourist.cdp("Page.setFontSizes", fontSizes={"standard": 32})
    yield tourist
    tourist.cdp("Page.setFontSizes", fontSizes={"standard": 16})


@pytest.mark.parametrize("device", ["desk", "phone"])
def test_text_at_twice_the_size(large, town, device):
    """Nothing leaves the page or lies over another."""
    found = []
    getattr(large, device)()
    for name in ("landing", "sign_up", "public", "profile", "home", "post", "followers", "settings_preferences", "welcome", "search"):
        next(v for v in VIEWS if v.name == name).open(large, town)
        found += [f"{name}: {finding}" for check in ("overflow", "overlaps") for finding in large.check(check)]
        large.screenshot(f"{name}.{device}.large")
    assert not found, "\n".join(found)
