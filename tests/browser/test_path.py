"""The whole path of a newcomer by clicking, with and without JavaScript: the same pages, the same words."""

import pytest

from retwis_server import PASSWORD, Browser


@pytest.fixture(params=["scripts", "no_scripts"])
def visitor(request):
    """The same person, once with JavaScript and once without."""
    return request.getfixturevalue("chrome" if request.param == "scripts" else "plain")


def sign_up(visitor, name):
    """From the landing page to home."""
    visitor.open("/").click(".nav-post a")
    assert visitor.path == "/auth/sign_up"
    visitor.fill("#field-username", name).fill("#field-password", PASSWORD).fill("#field-password2", PASSWORD)
    visitor.click("form.sign-up button")
    visitor.wait(lambda: visitor.path == "/home", "signing up leads home")


def test_scripts_are_off(plain, people):
    """The browser of the other half of these tests really runs none."""
    plain.become(people("still")).open("/home")
    assert plain.text("#compose-count") == "" and not plain.one("#keys").is_displayed()


def test_newcomer(visitor, server, unique):
    """Sign up, post, look around, follow, answer, delete, sign out, come back."""
    bob = Browser(server).sign_up(unique("bob"))
    bobs = bob.post("Morning. The ferry is late, the coffee is not.")
    name = unique("eve")
    sign_up(visitor, name)
    assert name in visitor.flash and visitor.text("h1") == "Home"
    assert visitor.text(".empty h2") == "It is quiet here"

    visitor.click(".empty a[href='#compose-status']").post("My first post. Hello, #harbour!")
    visitor.wait(lambda: visitor.posts == ["My first post. Hello, #harbour!"], "home shows the post")
    assert visitor.flash == "Posted." and not visitor.has(".empty")
    assert visitor.counts == ["1 Post", "0 Following", "0 Followers"]

    visitor.click_text("Public", ".nav")
    assert visitor.posts[0] == "My first post. Hello, #harbour!"
    visitor.click(f"#post-{bobs} > a:first-of-type")
    assert visitor.path == f"/@{bob.name}" and visitor.posts == ["Morning. The ferry is late, the coffee is not."]
    visitor.click(".profile form.follow button")
    visitor.wait(lambda: visitor.has(".profile form.follow [data-following=true]"), "the button says that he is followed")
    assert visitor.flash == f"You follow @{bob.name} now."
    assert visitor.counts == ["1 Post", "0 Following", "1 Follower"]

    visitor.click_text("Home", ".nav")
    assert visitor.posts == ["My first post. Hello, #harbour!", "Morning. The ferry is late, the coffee is not."]
    visitor.click(f"#post-{bobs} .at")
    assert visitor.path == f"/@{bob.name}/{bobs}"
    answer = f"@{bob.name} Which ferry?"
    visitor.one("#compose-status").send_keys("Which ferry?")
    visitor.click("#compose button")
    visitor.wait(lambda: visitor.posts[1:] == [answer], "the answer stands below the post")
    assert visitor.text("#timeline .in-reply-to") == f"In reply to @{bob.name}"

    visitor.click_text("Profile", ".nav")
    assert visitor.posts == ["My first post. Hello, #harbour!"]
    visitor.open(f"/@{name}/replies")
    assert visitor.posts == [answer, "My first post. Hello, #harbour!"]
    visitor.delete_post(visitor.all("article")[0])
    visitor.wait(lambda: visitor.posts == ["My first post. Hello, #harbour!"], "the post is gone")
    assert visitor.flash == "The post is deleted."
    visitor.click(".text a")
    assert visitor.path == "/tags/harbour" and visitor.text("h1") == "#harbour"

    visitor.click(".me > summary").click("form.sign-out button")
    visitor.wait(lambda: visitor.path == "/", "signing out leads to the start")
    assert visitor.flash == "You are signed out." and not visitor.has("form.sign-out")
    visitor.open("/home")
    assert visitor.path.startswith("/auth/sign_in")
    visitor.fill("#sign_in-username", name.upper()).fill("#sign_in-password", PASSWORD).click("form.sign-in button")
    visitor.wait(lambda: visitor.path == "/home", "signing in leads home")
    assert visitor.posts == ["My first post. Hello, #harbour!", "Morning. The ferry is late, the coffee is not."]
    assert visitor.log() == []


def test_settings(visitor, server, unique):
    """Profile, password, another session and its end, by the tabs of the settings."""
    name = unique("sue")
    sign_up(visitor, name)
    other = Browser(server).sign_in(name)
    visitor.click_text("Settings", ".nav")
    visitor.fill("#field-display_name", "Sue 🌻").fill("#field-bio", "Reads.\nSwims.")
    visitor.click_text("Save", ".settings-profile")
    visitor.wait(lambda: visitor.flash == "Your profile is saved.", "it is saved")
    visitor.click_text("Profile", ".nav")
    assert visitor.text("h1") == "Sue 🌻" and visitor.text(".bio") == "Reads.\nSwims."
    visitor.click_text("Edit profile").click_text("Sessions", ".tabs")
    assert len(visitor.all(".session")) == 2
    visitor.click_text("Sign out", ".sessions")
    visitor.wait(lambda: len(visitor.all(".session")) == 1, "one is left")
    assert not other.is_signed_in()
    visitor.click_text("Password", ".tabs")
    visitor.fill("#field-current_password", PASSWORD).fill("#field-password", "another " + PASSWORD)
    visitor.fill("#field-password2", "another " + PASSWORD).click_text("Save")
    visitor.wait(lambda: "is changed" in visitor.flash, "it is changed")
    Browser(server).try_sign_in(name, "another " + PASSWORD)
    assert visitor.log() == []


def test_follow_many(visitor, people):
    """A list of names at once; the outcome of each stands in the page."""
    me, ann, ben = people("me", "ann", "ben")
    visitor.become(me).open(f"/@{me.name}/following").click(".fold summary")
    visitor.fill("#field-names", f"{ann.name}, @{ben.name}, nobody_at_all").click_text("Follow all")
    visitor.one(f'.result[data-name="{ann.name}"][data-ok=true]')
    assert [e.get_attribute("data-ok") for e in visitor.all(".result")] == ["true", "true", "false"]
    assert all(e.is_displayed() for e in visitor.all(".result"))
    assert {e.get_attribute("data-name") for e in visitor.all(".account-row")} == {ann.name, ben.name}


def test_lists(visitor, people):
    """A new list, people on it by name and from their profile, its timeline, off it again, another title, and away."""
    me, ann, ben = people("me", "ann", "ben")
    ann.post("The tide is out.")
    ben.post("The tide is in.")
    visitor.become(me).open("/home").click_text("Lists", ".nav")
    assert visitor.text(".empty h2") == "No lists yet"
    visitor.fill("#field-title", "Harbour").click("form.list-create button")
    visitor.wait(lambda: visitor.flash == "Your list is there. Now put people on it.", "the list is made")
    visitor.fill("#field-names", f"@{ann.name}, nobody_at_all").click("form.list-add button")
    visitor.wait(lambda: [e.get_attribute("data-ok") for e in visitor.all(".result")] == ["true", "false"], "she is on it")
    visitor.open(f"/@{ben.name}").click("details.on-lists summary").click("form.on-list button")
    visitor.wait(lambda: visitor.flash == f"@{ben.name} is on the list.", "he is on it")
    visitor.click_text("Lists", ".nav").click(".list-link")
    visitor.wait(lambda: visitor.posts == ["The tide is in.", "The tide is out."], "both are there")
    assert visitor.text("h1") == "Harbour" and visitor.counts[0] == "2 People"
    visitor.click_text("Edit list").click(f'form.list-remove[data-name="{ann.name}"] button')
    visitor.wait(lambda: len(visitor.all(".account-row")) == 1, "she is off it")
    visitor.fill("#field-title", "Pier").click("form.list-rename button")
    visitor.wait(lambda: visitor.flash == "The list has its new title." and visitor.text("h1") == "Pier", "the new title")
    visitor.click("h1 a")
    visitor.wait(lambda: visitor.posts == ["The tide is in."], "his post alone is there")
    visitor.click_text("Edit list").click("details.list-delete summary").click_text("Delete for good")
    visitor.wait(lambda: visitor.flash == "The list is deleted." and visitor.has(".empty"), "the list is gone")
    assert visitor.path == "/lists" and visitor.log() == []


@pytest.mark.parametrize("where", ["profile", "list"])
def test_pages_of_a_timeline(visitor, people, where):
    """To the end of the timeline and back to its top, by the links."""
    me = people("pager")
    for number in range(45):
        me.post_quickly(f"post {number}")
    visitor.become(me).open(f"/@{me.name}" if where == "profile" else me.make_list("Mine", me.name))
    newest_first = [f"post {number}" for number in reversed(range(45))]
    if visitor.javascript:
        def at_the_end():
            visitor.run("window.scrollTo(0, document.body.scrollHeight)")
            return visitor.posts == newest_first

        visitor.wait(at_the_end, "the end comes by scrolling")
        return
    seen = visitor.posts
    while visitor.has("a.older"):
        visitor.click("a.older")
        seen += visitor.posts
    assert seen == newest_first
    while visitor.has("a.newer"):
        visitor.click("a.newer")
    assert visitor.posts[0] == "post 44"


def test_sign_up_errors(visitor, server, unique):
    """The form comes back filled in, without passwords, the error beside its field, and the focus in the first."""
    name = unique("taken")
    Browser(server).sign_up(name)
    visitor.open("/auth/sign_up")
    visitor.fill("#field-username", name).fill("#field-password", PASSWORD).fill("#field-password2", "something else")
    visitor.click("form.sign-up button")
    assert visitor.text('.error[data-field="password2"]') == "The two passwords differ."
    assert visitor.one("#field-username").get_attribute("value") == name
    assert visitor.one("#field-password").get_attribute("value") == ""
    visitor.fill("#field-password", PASSWORD).fill("#field-password2", PASSWORD).click("form.sign-up button")
    assert visitor.text('.error[data-field="username"]') == "This name is taken."
    assert visitor.one("#field-username").get_attribute("aria-invalid") == "true"
    visitor.wait(lambda: visitor.focused.get_attribute("id") == "field-username", "the focus is where the error is")


def test_chinese(visitor, server, unique):
    """The switch changes every word of the frame, and stays."""
    visitor.open("/").click(".locale [lang=zh-CN]")
    visitor.wait(lambda: visitor.has("html[lang=zh-CN]"), "the page is Chinese")
    assert visitor.texts(".nav a") == ["广场", "搜索", "关于", "登录", "注册"]
    sign_up(visitor, unique("lin"))
    assert visitor.text("h1") == "首页" and visitor.text("#compose button") == "发布"
    visitor.post("今天的云很低。")
    visitor.wait(lambda: visitor.posts == ["今天的云很低。"], "home shows the post")
    visitor.open("/settings/preferences").click('#field-locale option[value="en"]').click("form.settings-preferences button")
    visitor.wait(lambda: visitor.has("html[lang=en]"), "the page is English")
    assert visitor.text("h1") == "Settings"
