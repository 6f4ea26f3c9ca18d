"""Keyword filters, by the forms of the settings, without scripts."""

from retwis_server import wait_until


def add(browser, phrase, what="warn", duration="0", **places):
    """Sends the form of the settings; without places: everywhere."""
    form = browser.get("/settings/filters").form("form.filter-add")
    return browser.submit(form, phrase=phrase, filter_action=what, duration=duration, **places)


def warnings(page):
    """What stands before the posts, in their order."""
    return [(d.first("summary").text.strip() if (d := s.first("details.filtered")) else None) for s in page.all("article.status")]


def test_warn_and_hide(server, people):
    """Behind a warning, or not at all; one's own posts stay; and without the filter all is as it was."""
    alice, bob = people(server, "alice", "bob")
    alice.follow(bob.name)
    plain, tea, wide = bob.post("nothing"), bob.post("Some TEA?"), bob.post("ｔｅａ for two")
    own = alice.post("my tea")
    bob.post("a steak")
    assert add(alice, "tea").flash == "The filter is there."
    page = alice.get("/home")
    assert warnings(page) == [None, None, "Filtered: tea", "Filtered: tea", None] and len(page.ids) == 5
    assert "Filtered" not in alice.get(f"/@{bob.name}/{tea}").one("article.status-large").text
    assert "Filtered: tea" in warnings(alice.get(f"/@{bob.name}")) and warnings(bob.get("/home")) == [None] * 4
    [row] = alice.get("/settings/filters").all(".filter")
    page = alice.submit(alice.get("/settings/filters").form(".filter form.filter-remove"))
    assert page.flash == "The filter is gone." and page.all(".filter") == [] and row["data-id"]
    assert warnings(alice.get("/home")) == [None] * 5
    add(alice, "tea", what="hide")
    ids = alice.get("/home").ids
    assert plain in ids and own in ids and tea not in ids and wide not in ids
    assert tea not in alice.get(f"/@{bob.name}").ids and tea in bob.get("/home").ids


def test_notifications(server, people):
    """Nobody is told by what he does not want to read; where a filter is not applied all is there."""
    alice, bob = people(server, "alice", "bob")
    bob.post(f"@{alice.name} tea?")
    bob.post(f"@{alice.name} cake?")
    alice.action("/settings/filters", phrase="tea", filter_action="hide", notifications="true")
    page = alice.get("/notifications")
    assert "cake" in page.text and "tea?" not in page.text
    assert len(alice.get(f"/@{bob.name}").ids) == 2


def test_own_page_of_a_post_at_once(server, people):
    """A filter that the process does not remember yet is asked for with the posts around it, and the post itself is there all the same."""
    alice, bob = people(server, "alice", "bob")
    post = bob.post("tea")
    bob.reply(bob.name, post, "more tea")
    alice.get(f"/@{bob.name}/{post}")  # from here on all but the filter is remembered
    alice.action("/settings/filters", follow=False, phrase="tea", thread="true")
    page = alice.get(f"/@{bob.name}/{post}")
    assert page.one("article.status-large")["data-id"] == post and page.one("article.status-large").first(".filtered") is None
    assert warnings(page) == [None, "Filtered: tea"]


def test_ends(server, people):
    """When its time has come, it is over, and the page says so."""
    alice, bob = people(server, "alice", "bob")
    tea, coffee = bob.post("tea"), bob.post("coffee")
    alice.action("/settings/filters", phrase="tea", filter_action="hide", account="true", duration="3600")
    alice.action("/settings/filters", phrase="coffee", filter_action="hide", account="true", duration="1")
    assert alice.get("/settings/filters").first(".filter time") is not None
    wait_until(lambda: coffee in alice.get(f"/@{bob.name}").ids, 20, "the second one is over")
    assert tea not in alice.get(f"/@{bob.name}").ids
    assert "Over" in alice.get("/settings/filters").one(".filter .badge").text


def test_refused(server, people):
    """What cannot be is said beside its field."""
    [alice] = [people(server, "alice")]
    page = alice.action("/settings/filters", phrase=" ", home="true")
    assert page.status == 422 and "phrase" in page.errors
    page = alice.action("/settings/filters", phrase="x" * 101, home="true")
    assert page.status == 422 and "phrase" in page.errors and page.form("form.filter-add").values["phrase"] == "x" * 101
    page = alice.action("/settings/filters", phrase="tea")
    assert page.status == 422 and "home" in page.errors
    assert alice.get("/settings/filters").all(".filter") == []


def test_costs_no_round_trip(server, people):
    """What the process remembers of filters is asked for once."""
    alice, bob = people(server, "alice", "bob")
    alice.follow(bob.name)
    bob.post("tea")
    add(alice, "tea")
    before = [server.trips(alice.get("/home")) for _ in range(3)][-1]
    assert before <= 2 and warnings(alice.get("/home")) == ["Filtered: tea"]
