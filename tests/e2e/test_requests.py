"""Locked accounts: asking, letting in and rejecting, as the forms of the pages do it, without scripts."""

from retwis_server import Browser, wait_until


def lock(browser, on=True):
    """Sends the form of the settings, which says what it will do."""
    form = browser.get("/settings/profile").form("form.settings-locked")
    assert form.values["locked"] == ("true" if on else "false")
    return browser.submit(form)


def button(page):
    """What the button on a profile says: how it is, before what a press would do."""
    return (page.first(".profile form.follow button span") or page.one(".profile form.follow button")).text


def private(author, text):
    """A post for followers."""
    author.action("/posts", status=text, visibility="private")
    return author.get(f"/@{author.name}").ids[0]


def test_ask_and_let_in(server, people):
    """The button asks and takes back; the other finds it in his menu and notifications; then home and posts for followers are there."""
    owner, alice = people(server, "owner", "alice")
    post = private(owner, "for followers")
    assert "Your account is locked" in lock(owner).flash
    page = alice.get(f"/@{owner.name}")
    assert button(page) == "Ask to follow" and "Locked" in [b.text for b in page.all(".badge")]
    page = alice.submit(page.form(".profile form.follow"))
    assert page.flash == f"You have asked to follow @{owner.name}." and button(page) == "Requested"
    assert page.counts["followers"] == 0 and alice.get(f"/@{owner.name}/{post}", expect=None).status == 404
    assert "Requests" in owner.get("/home").one("nav a[href=/requests]").text
    assert owner.get("/home").one("nav a[href=/requests] .badge").text == "1"
    notice = owner.get("/notifications?types=request").one(".notice")
    assert notice["data-kind"] == "request" and alice.name in owner.get("/notifications?types=request").text
    page = alice.submit(page.form(".profile form.follow"))
    assert button(page) == "Ask to follow" and owner.get("/requests").names == []
    assert owner.get("/notifications?types=request").all(".notice") == []
    alice.follow(owner.name)
    page = owner.get("/requests")
    assert page.names == [alice.name]
    page = owner.submit(page.form(".account-row form.request"))
    assert page.path == "/requests" and page.flash == f"@{alice.name} follows you now." and page.names == []
    assert owner.get("/home").all("nav a[href=/requests] .badge") == []
    told = owner.get("/notifications").one(".notice")
    assert told["data-kind"] == "follow" and alice.name in told.text and "other" not in told.text
    assert button(alice.get(f"/@{owner.name}")) == "Following" and post in alice.get("/home").ids
    assert owner.get(f"/@{owner.name}").counts["followers"] == 1


def test_reject_tells_nobody(server, people):
    """The button is as it was before, and nothing else says anything."""
    owner, alice = people(server, "owner", "alice")
    lock(owner)
    alice.follow(owner.name)
    assert owner.action(f"/@{alice.name}/reject").flash == f"@{alice.name} was rejected, and is not told."
    assert button(alice.get(f"/@{owner.name}")) == "Ask to follow"
    assert alice.get("/notifications").all(".notice") == [] and owner.get("/requests").names == []
    assert "is not asking" in owner.action(f"/@{alice.name}/accept").flash


def test_many_and_all(server, people):
    """The form of names asks where it has to, and says so; all are answered with one button; who opens his account lets in who waits."""
    owner, other, free, alice, bob = people(server, "owner", "other", "free", "alice", "bob")
    for who in (owner, other):
        lock(who)
    page = alice.action("/follow", names=f"{owner.name},{other.name},{free.name}")
    told = {r["data-name"]: r.text for r in page.all(".result")}
    assert "You have asked" in told[owner.name] and "You follow them now" in told[free.name]
    assert page.names == [free.name]
    bob.follow(owner.name)
    page = owner.get("/requests")
    assert page.names == [bob.name, alice.name]
    page = owner.submit(page.form("form.requests-all"))
    assert page.flash == "2 requests accepted."
    wait_until(lambda: owner.get(f"/@{owner.name}/followers").names == [bob.name, alice.name], 20, "both are let in")
    lock(other, on=False)
    wait_until(lambda: button(alice.get(f"/@{other.name}")) == "Following", 20, "who waits is let in")
    assert other.get("/home").all("nav a[href=/requests]") == []


def test_block_ends_it(server, people):
    """Of whom he blocks he hears nothing more, and whoever blocks asks nobody."""
    owner, alice = people(server, "owner", "alice")
    lock(owner)
    alice.follow(owner.name)
    owner.action(f"/@{alice.name}/block")
    assert owner.get("/requests").names == [] and owner.get("/notifications?types=request").all(".notice") == []
    assert alice.action(f"/@{owner.name}/follow").first(".flash-error") is not None
    owner.action(f"/@{alice.name}/unblock")
    assert button(alice.get(f"/@{owner.name}")) == "Ask to follow"
    assert Browser(server).get(f"/@{owner.name}").first("form.follow") is None
