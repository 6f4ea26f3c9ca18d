"""Each page, light and dark, at the desk and on a phone: a screenshot, and the rules that any page must keep."""

import re

import pytest

from pages import VIEWS

LOOKS = [(device, scheme) for device in ("desk", "phone") for scheme in ("light", "dark")]


@pytest.mark.parametrize("device", ["desk", "phone"])
@pytest.mark.parametrize("view", VIEWS, ids=lambda v: v.name)
def test_page(tourist, town, view, device):
    """One look after the other at the same page."""
    getattr(tourist, device)()
    view.open(tourist, town)
    found = tourist.check("structure") + tourist.check("overflow") + tourist.check("overlaps")
    for scheme in ("light", "dark"):
        tourist.scheme(scheme)
        found += [f"{scheme} {finding}" for finding in tourist.check("contrast")]
        tourist.screenshot(f"{view.name}.{device}.{scheme}")
    if device == "phone":
        found += tourist.check("targets")
        tourist.phone(320, 640)
        found += [f"320 px: {finding}" for finding in tourist.check("overflow")]
    log = tourist.log()
    if view.status != 200:
        log = [line for line in log if not re.search(rf"status of {view.status}", line)]
    assert not found and not log


def test_column(tourist, town):
    """Names beside posts are whole, however long the word on the button is; a search stands there only where there is room for a column."""
    tourist.become(town["miguel_o"]).desk()
    cut = "return [...document.querySelectorAll('.latest .name')].filter((n) => n.scrollWidth > n.clientWidth).map((n) => n.textContent)"
    for code in ("en", "es", "ro"):
        tourist.open(f"/home?lang={code}")
        assert len(tourist.all(".latest .name")) == 5
        assert set(tourist.run(cut)) <= {"Maximiliane Freifrau von Hohenstein-Oberammergau"}
    seen = "return document.querySelector('.search-aside').checkVisibility()"
    assert tourist.run(seen)
    tourist.phone()
    assert not tourist.run(seen)
