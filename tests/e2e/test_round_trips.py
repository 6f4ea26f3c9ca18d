"""No page asks the engine more than twice: counted by the access log, for each page, in both modes, cold and warm."""

import pytest

from api_client import Api
from retwis_process import limit, wait_until
from retwis_server import Browser, Server


@pytest.fixture(scope="module", params=["push", "pull"])
def site(request):
    """A server with some people, and every page with something on it. The engine outlives restarts of the server."""
    with Server(engine="redis", mode=request.param) as server:
        server.pulls = request.param == "pull"
        me, bob, carol = [Browser(server).sign_up(name) for name in ("mel", "bob", "carol")]
        me.follow_many("bob,carol")
        bob.follow_many("mel,carol")
        carol.follow_many("mel,bob")
        for i in range(45):
            (me, bob, carol)[i % 3].post_quickly(f"#tag {i} @bob")
        post = bob.post("asked")
        me.reply("bob", post, "answered")
        for i in range(25):
            bob.post_quickly(f"@mel @carol {i}", visibility="direct")
        Browser(server).sign_up("dan_1")
        me.action("/@dan_1/block")
        me.action("/@dan_1/mute")
        carol.reply("bob", post, "answered too")
        for path in (f"/posts/{post}/favourite", f"/posts/{post}/bookmark"):
            me.action(path, follow=False)
            bob.action(path, follow=False)
            carol.action(path, follow=False)  # so that it trends
        yield server, me, post, me.make_list("Both", "bob, carol, mel")


def paths(post, people_list):
    """Every page of the site that reads timelines or people, its second page and the pages back."""
    plain = ["/home", "/home/news", "/public", "/@bob", "/@mel", "/@mel/replies", "/@bob/following", "/@bob/followers", "/@mel/following",
             f"/@bob/{post}", "/tags/tag", "/about", "/", "/settings/profile", "/settings/password",
             "/settings/sessions", "/settings/preferences", "/welcome", "/settings/blocks", "/settings/mutes", "/@dan_1",
             "/auth/sign_in", "/auth/sign_up", "/@nobody", "/nothing",
             "/messages", "/lists", people_list, f"{people_list}/members", "/favourites", "/bookmarks", f"/posts/{post}/favourites"]
    return plain + [p + f"?max_id={post}" for p in ("/home", "/public", "/@bob", "/tags/tag", people_list)]


def count(server, browser, path):
    """Round trips of one page."""
    return server.trips(browser.get(path, expect=None, follow=False))


@pytest.mark.parametrize("signed_in", [True, False])
@pytest.mark.parametrize("state", ["cold", "warm"])
def test_two_at_most(site, state, signed_in):
    """Cold: the process knows nothing yet, a fresh one for each page would take too long, so the order varies."""
    server, me, post, people_list = site
    browser = me if signed_in else Browser(server)
    wrong = {}
    for path in paths(post, people_list):
        if state == "cold" and path in ("/home", "/public", "/@bob", "/@bob/following", f"/@bob/{post}", "/tags/tag",
                                        people_list, f"{people_list}/members", "/favourites", "/bookmarks", "/messages"):
            server.restart()
        trips = count(server, browser, path)
        if trips > 2:
            wrong[path] = trips
    assert not wrong


def api_paths(post, people_list):
    """What apps read: lists of posts and people, their second pages, a post, search."""
    list_id = people_list.rsplit("/", 1)[1]
    lists = ["timelines/home", "timelines/public", "timelines/tag/tag", "timelines/tag/tag?any[]=other&none[]=third",
             f"timelines/list/{list_id}"]
    plain = lists + ["favourites", "bookmarks", f"statuses/{post}", f"statuses?id[]={post}", f"statuses/{post}/context",
                     f"statuses/{post}/favourited_by", f"statuses/{post}/reblogged_by", "followed_tags", "tags/tag", "featured_tags", "featured_tags/suggestions",
                     "trends/tags", "trends/statuses", "notifications?limit=80", "notifications?types[]=mention&max_id=9", "notifications/unread_count",
             "../v2/notifications", "../v2/notifications/unread_count", "../v2/search?q=bob", "../v2/search?q=%23tag", "../v2/search?q=@bob&type=accounts"]
    more = [f"{path}{'&' if '?' in path else '?'}max_id={post}" for path in lists]
    return [f"/api/v1/{path}".replace("/v1/../", "/") for path in plain + more]


@pytest.mark.parametrize("state", ["cold", "warm"])
def test_apps_ask_two_at_most(site, state):
    """The same for what the API answers, which is the same reads."""
    server, _, post, people_list = site
    apps = [Api.of(server, "mel"), Api(server)]
    wrong = {}
    for path in api_paths(post, people_list):
        for app in apps:
            if state == "cold" and app.token and path.endswith(("home", "tag/tag", "favourites", "context", "reblogged_by", "limit=80", "v2/notifications")):
                server.restart()
            trips = server.trips(app.ask("GET", path))
            if trips > 2:
                wrong[path, bool(app.token)] = trips
    assert not wrong


def test_strangers_who_are_shown_nothing_ask_nothing(site):
    """What shows nothing that the engine knows costs no round trip: for a stranger these are many pages."""
    server, _, _, _ = site
    stranger = Browser(server)
    stranger.get("/about")  # counts the users, once a minute
    for path in ("/about", "/auth/sign_in", "/auth/sign_up", "/nothing", "/home", "/posts/1/delete", "/robots.txt"):
        assert count(server, stranger, path) == 0, path


def test_nothing_new_asks_nothing(site):
    """A visit for which nothing has changed makes no round trip; what is new shows at once, and is asked for once."""
    server, me, _, _ = site
    stranger = Browser(server)

    def settle(browser, path):
        wait_until(lambda: count(server, browser, path) == 0, limit(20), f"{path} is not asked for")

    for browser, path in ((stranger, "/tags/tag"), (stranger, "/@bob"), (stranger, "/@bob/replies"),
                          (stranger, "/@bob/followers"), (me, "/lists")):
        settle(browser, path)
        assert count(server, browser, path) == 0
    wait_until(lambda: count(server, me, "/@bob") == 1, limit(20), "what the two have in common is all that is asked")
    if server.pulls:  # a home that asks its authors does so each time
        return
    settle(me, "/home")
    assert count(server, me, "/home") == 0
    other = Browser(server).sign_up("newcomer")
    me.action("/@newcomer/follow", follow=False)
    settle(me, "/home")
    other.post_quickly("of just now")
    page = me.get("/home")
    assert "of just now" in page.text and 1 <= server.trips(page) <= 2
    settle(me, "/home/news")
    assert count(server, me, f"/home/news?since_id={page.ids[0]}") == 0
    settle(me, "/home")
    assert "of just now" in me.get("/home").text


def test_notifications_that_are_not_new_ask_nothing(site):
    """For apps; and what is new is there at once, as is what was taken back."""
    server, me, _, _ = site
    app, fan, other = Api.of(server, "mel"), Browser(server).sign_up("fan_1"), Browser(server).sign_up("fan_2")
    path = "/api/v1/notifications?limit=40"
    for known in (path, "/api/v2/notifications", "/api/v1/notifications/unread_count"):
        wait_until(lambda p=known: server.trips(app.ask("GET", p)) == 0, limit(20), f"{known} is not asked for")
    post = me.post("to be liked")
    before = app.get(path)
    for who, verb, names in ((fan, "favourite", ["fan_1"]), (fan, "unfavourite", []), (fan, "favourite", ["fan_1"]),
                             (other, "favourite", ["fan_2", "fan_1"]), (fan, "unfavourite", ["fan_2"])):
        who.action(f"/posts/{post}/{verb}", follow=False)
        wait_until(lambda n=names: [x["account"]["acct"] for x in app.get(path) if x["account"]["acct"].startswith("fan")] == n, limit(10), names)
        wait_until(lambda: server.trips(app.ask("GET", path)) == 0, limit(20), "it is not asked for again")
    assert [n["id"] for n in app.get(path)][1:1 + len(before)] == [n["id"] for n in before][:39]


def settled(server, do):
    """Round trips of what is done again and again, once the process remembers who does it; what is remembered may just go, so the
    fewest of some."""
    return min(server.trips(do()) for _ in range(4))


# The rest of the writes: retwis_trips.py.
WRITES = {"favourite": 2, "unfavourite": 2, "bookmark": 1, "unbookmark": 1, "mute": 2, "unmute": 2}


def test_forms_take_two_at_most(site):
    """Of somebody whom the process remembers, about something that it remembers. A button that is pressed again asks once."""
    server, me, post, people_list = site
    me.token()
    for act, most in {**WRITES, "boost": 2, "unboost": 2}.items():
        opposite = act[2:] if act.startswith("un") else f"un{act}"

        def press(act=act, opposite=opposite):
            me.action(f"/posts/{post}/{opposite}", follow=False, next="/about")
            me.action("/tags/tea/unfollow", follow=False)  # by whom a boost was taken back is read once more
            me.get("/public")
            return me.action(f"/posts/{post}/{act}", follow=False, next="/about")

        assert settled(server, press) <= most, act
    for path, fields in (("/posts", {"status": "hi @bob #tag"}), ("/posts", {"status": "so it is", "in_reply_to_id": post}),
                         ("/lists", {"title": "New"}), (f"{people_list}/rename", {"title": "Two"}),
                         ("/tags/tea/follow", {})):
        assert settled(server, lambda path=path, fields=fields: me.action(path, follow=False, **fields)) <= 2, path


def test_apps_write_in_two_at_most(site):
    """The same by the API, with the post as it is then; and the answer shows what came of it."""
    server, _, post, _ = site
    app = Api.of(server, "mel")
    path = f"/api/v1/statuses/{post}"
    shows = {"favourite": "favourited", "bookmark": "bookmarked", "mute": "muted", "reblog": "reblogged"}
    for act, most in {**WRITES, "reblog": 2, "unreblog": 2}.items():
        opposite, word = (act[2:], act[2:]) if act.startswith("un") else (f"un{act}", act)

        def press(act=act, opposite=opposite, word=word):
            app.post(f"{path}/{opposite}")
            app.post("/api/v1/tags/tea/unfollow")  # by whom a boost was taken back is read once more
            before = app.get(path)
            answer = app.ask("POST", f"{path}/{act}")
            now = answer.json["reblog"] or answer.json
            assert now["id"] == str(post) and now[shows[word]] is (act == word), act
            for count in ("favourites_count", "reblogs_count"):
                assert now[count] - before[count] == (0 if {"favourite": "f", "reblog": "r"}.get(word) != count[0] else 1 if act == word else -1)
            return answer

        assert settled(server, press) <= most, act
    for fields in ({"status": "hi"}, {"status": "hi @bob #tag"}, {"status": "so it is", "in_reply_to_id": str(post)}):
        assert settled(server, lambda fields=fields: app.ask("POST", "/api/v1/statuses", json=fields)) <= 2, fields


# What one person does to another; the opposite goes before it.
RELATIONS = {"follow": 2, "unfollow": 2, "block": 2, "unblock": 2, "mute": 1, "unmute": 1}


def test_relations_take_two_at_most(site):
    """By form and by the API, which also says how the two stand then; of somebody whom the process remembers."""
    server, me, _, _ = site
    Browser(server).sign_up(f"fay_{server.pulls:d}")
    app, name = Api.of(server, "mel"), f"fay_{server.pulls:d}"
    fay = app.get("/api/v1/accounts/lookup", acct=name)["id"]
    me.token()
    shows = {"follow": "following", "block": "blocking", "mute": "muting"}
    for act, most in RELATIONS.items():
        opposite, word = (act[2:], shows[act[2:]]) if act.startswith("un") else (f"un{act}", shows[act])

        def press(act=act, opposite=opposite):
            me.action(f"/@{name}/{opposite}", follow=False, next="/about")
            return me.action(f"/@{name}/{act}", follow=False, next="/about")

        def call(act=act, opposite=opposite, word=word):
            assert app.post(f"/api/v1/accounts/{fay}/{opposite}")[word] is (act != opposite and act.startswith("un"))
            answer = app.ask("POST", f"/api/v1/accounts/{fay}/{act}")
            assert answer.json["id"] == fay and answer.json[word] is not act.startswith("un"), act
            return answer

        assert settled(server, press) <= most, act
        assert settled(server, call) <= most, act
    app.post(f"/api/v1/accounts/{fay}/follow")
    for act, fields, shown in (("endorse", {}, ("endorsed", True)), ("unendorse", {}, ("endorsed", False)), ("note", {"comment": "tall"}, ("note", "tall")),
                               ("follow", {"reblogs": False}, ("showing_reblogs", False)), ("follow", {"notify": True}, ("notifying", True))):
        answers = [app.ask("POST", f"/api/v1/accounts/{fay}/{act}", json=fields) for _ in range(4)]
        assert min(map(server.trips, answers)) <= 2 and {a.json[shown[0]] for a in answers} == {shown[1]}, act


def test_requests_take_two_at_most(site):
    """Who asks to follow is let in, or not."""
    server, _, _, _ = site
    bob, asking = Browser(server).sign_up(f"gil_{server.pulls:d}"), Api.of(server, "mel")
    gil = asking.get("/api/v1/accounts/lookup", acct=f"gil_{server.pulls:d}")["id"]
    bob.action("/settings/locked", follow=False, locked="true")
    owner, mel = Api.of(server, f"gil_{server.pulls:d}"), asking.get("/api/v1/accounts/verify_credentials")["id"]
    for act in ("authorize", "reject"):
        def answer(act=act):
            asking.post(f"/api/v1/accounts/{gil}/unfollow")
            assert asking.post(f"/api/v1/accounts/{gil}/follow")["requested"]
            done = owner.ask("POST", f"/api/v1/follow_requests/{mel}/{act}")
            assert done.json["followed_by"] is (act == "authorize") and done.json["requested_by"] is False
            assert asking.get("/api/v1/accounts/relationships", id=[gil])[0]["following"] is (act == "authorize")
            return done

        assert settled(server, answer) <= 2, act


def test_edits_take_two_at_most(site):
    """Of a post that the process remembers; the answer shows the new words."""
    server, me, _, _ = site
    app = Api.of(server, "mel")
    post = me.post("before #tag")
    path, said = f"/api/v1/statuses/{post}", iter(range(100))

    def by_form():
        app.get(path)
        return me.action(f"/posts/{post}/edit", follow=False, status=f"word {next(said)} #tag @bob", next="/about")

    def by_api():
        words = f"word {next(said)} #tea @bob"
        app.get(path)
        answer = app.ask("PUT", path, json={"status": words})
        assert words.split(" #")[0] in answer.json["content"] and answer.json["edited_at"] and answer.json["mentions"]
        return answer

    assert settled(server, by_form) <= 2
    assert settled(server, by_api) <= 2


def test_many_take_two_at_most(site):
    """Following many at once, and who is on a list."""
    server, me, _, _ = site
    app = Api.of(server, "mel")
    ids = [app.get("/api/v1/accounts/lookup", acct=name)["id"] for name in ("bob", "carol")]
    shelf = app.post("/api/v1/lists", title="Shelf")["id"]
    for method, path, fields in (("POST", "/api/retwis/v1/unfollow", {"id": ids}), ("POST", "/api/retwis/v1/follow", {"id": ids}),
                                 ("POST", f"/api/v1/lists/{shelf}/accounts", {"account_ids": ids}),
                                 ("DELETE", f"/api/v1/lists/{shelf}/accounts", {"account_ids": ids})):
        answers = [app.ask(method, path, json=fields) for _ in range(4)]
        assert {a.status for a in answers} == {200} and min(map(server.trips, answers)) <= 2, path
    for act in ("add", "remove"):
        assert settled(server, lambda act=act: me.action(f"/lists/{shelf}/{act}", follow=False, names="bob, carol")) <= 2, act


def test_profiles_take_two_at_most(site):
    """Of somebody whom the process remembers as he was; the answer is he as he is."""
    server, me, _, _ = site
    app, names = Api.of(server, "mel"), iter(range(100))

    def by_form():
        me.get("/settings/profile")
        return me.action("/settings/profile", follow=False, display_name=f"Mel {next(names)}", bio="")

    def by_api():
        name = f"Mel {next(names)}"
        app.get("/api/v1/accounts/verify_credentials")
        answer = app.ask("PATCH", "/api/v1/accounts/update_credentials", json={"display_name": name, "note": "tall"})
        assert answer.json["display_name"] == name and answer.json["source"]["note"] == "tall"
        return answer

    def by_preference():
        app.get("/api/v1/accounts/verify_credentials")
        answer = app.ask("PATCH", "/api/v1/accounts/update_credentials", json={"bot": (is_bot := next(names) % 2 == 0)})
        assert answer.json["bot"] is is_bot
        return answer

    for change in (by_form, by_api, by_preference):
        assert settled(server, change) <= 2, change.__name__
