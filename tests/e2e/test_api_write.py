"""Writing by the API: posts, what people do with them, lists, filters, tags, notifications."""

import concurrent.futures

import pytest

from api_client import Api, ids
from api_entities import check
from retwis_browser import Browser
from retwis_server import wait_until

STATUSES = "/api/v1/statuses"


@pytest.fixture(scope="module")
def people(push_server):
    """Two who know each other's names."""
    return [Api.sign_up(push_server, name) for name in ("writer_alice", "writer_bob")]


def act(api, post, name, expect=200, **body):
    """One of the buttons."""
    return api.post(f"{STATUSES}/{post['id']}/{name}", expect=expect, **body)


def follow(who, whom):
    """By the pages."""
    browser = Browser(who.server)
    browser.sign_in(who.name)
    browser.follow(whom.name)


def id_of(who):
    """Of the account, as search finds it."""
    return who.get("/api/v2/search", q=who.name, type="accounts", resolve=True)["accounts"][0]["id"]


def test_writing(people):
    """In every encoding; what is wrong with it; what the site cannot do is refused, not left out."""
    alice, bob = people
    first = check(alice.post(STATUSES, status="One <b>\n\nTwo @writer_bob", spoiler_text="cw", language="de", media_ids=[]), "Status+")
    assert first["visibility"] == "public" and first["spoiler_text"] == "cw" and first["language"] == "de" and first["sensitive"]
    assert first["account"]["acct"] == "writer_alice" and [m["acct"] for m in first["mentions"]] == ["writer_bob"]
    reply = check(bob.form("POST", STATUSES, status="yes", in_reply_to_id=first["id"], visibility="unlisted", language="klingon-x-y"), "Status+")
    assert reply["in_reply_to_id"] == first["id"] and reply["in_reply_to_account_id"] == first["account"]["id"]
    assert reply["visibility"] == "unlisted" and reply["language"] == "en"
    files = bob.ask("POST", STATUSES, files={"status": (None, "three"), "visibility": (None, "private")})
    assert files.status == 200 and files.json["visibility"] == "private" and files.json["content"] == "<p>three</p>"
    assert alice.post(STATUSES, expect=422, status=" \n ")["error"].startswith("Validation failed: ")
    for wrong in ({"visibility": "secret"}, {"status": "x" * 501}, {"media_ids": ["1"]}, {"poll": {"options": ["a", "b"]}},
                  {"scheduled_at": "2030-01-01T00:00:00Z"}):
        alice.post(STATUSES, expect=422, **{"status": "words", **wrong})
    for nothing in ("1", "abc", files.json["id"]):  # that post is for bob's followers
        assert "reply" in alice.post(STATUSES, expect=404, status="words", in_reply_to_id=nothing)["error"]
    Api(alice.server).post(STATUSES, expect=401, status="words")


def test_the_same_again(people):
    """The same request gives the same post; the key is the account's own, however long it is."""
    alice, bob = people
    for key in ("k1", "k" * 200):
        def send(who, words="again", key=key):
            return who.ask("POST", STATUSES, headers={"Idempotency-Key": key}, json={"status": words}).json["id"]

        one = send(alice)
        assert send(alice) == one and send(bob) != one and send(alice, key=key[:-1] + "x") != one
    def liked():
        return alice.ask("POST", STATUSES, headers={"Idempotency-Key": "liked"}, json={"status": "liked"}).json

    bob.post(f"{STATUSES}/{liked()['id']}/favourite")
    assert liked()["favourites_count"] == 1  # the post as it is, not as one that was just made
    plain = {"status": "again"}
    assert alice.post(STATUSES, **plain)["id"] != alice.post(STATUSES, **plain)["id"]


def test_changing_and_taking_back(people):
    """Only one's own; a language that is not said stays; whoever deletes gets back what he typed."""
    alice, bob = people
    post = alice.post(STATUSES, status="before", spoiler_text="cw", language="de")
    path = f"{STATUSES}/{post['id']}"
    new = check(alice.put(path, status="after & <i>"), "Status+")
    assert new["id"] == post["id"] and new["content"] == "<p>after &amp; &lt;i&gt;</p>" and new["edited_at"]
    assert new["language"] == "de" and new["spoiler_text"] == ""
    assert alice.form("PUT", path, status="third", language="en")["language"] == "en"
    assert check(alice.get(f"{path}/source"), "StatusSource") == {"id": post["id"], "text": "third", "spoiler_text": ""}
    history = check(Api(alice.server).get(f"{path}/history"), ["StatusEdit"])
    assert [v["content"] for v in history] == ["<p>before</p>", "<p>after &amp; &lt;i&gt;</p>", "<p>third</p>"]
    assert [v["spoiler_text"] for v in history] == ["cw", "", ""] and history[0]["created_at"] == post["created_at"]
    for part in ("source", "history"):
        alice.get(f"{STATUSES}/1/{part}", expect=404)
    Api(alice.server).get(f"{path}/source", expect=401)
    bob.put(path, expect=404, status="mine")
    bob.delete(path, expect=404)
    alice.put(path, expect=422, status="")
    assert alice.put(path, status="with *stars*\nand lines")["content"].count("<br") == 1
    gone = check(alice.delete(path, delete_media=True), "Status+")
    assert gone["id"] == post["id"] and gone["text"] == "with *stars*\nand lines"
    alice.delete(path, expect=404)
    alice.put(path, expect=404, status="late")
    alice.delete(f"{STATUSES}/abc", expect=404)


def test_acts(people):
    """The answer shows the new state at once, twice as once, and to him alone."""
    alice, bob = people
    post = alice.post(STATUSES, status="do something with this")
    for on, off, mark, count in (("favourite", "unfavourite", "favourited", "favourites_count"), ("bookmark", "unbookmark", "bookmarked", None),
                                 ("mute", "unmute", "muted", None)):
        for _ in range(2):
            done = check(act(bob, post, on), "Status+")
            assert done[mark] is True and done["id"] == post["id"] and (not count or done[count] == 1)
        assert act(alice, post, "unpin")[mark] is False
        for _ in range(2):
            done = act(bob, post, off)
            assert done[mark] is False and (not count or done[count] == 0)
    assert act(alice, post, "pin")["pinned"] is True and act(alice, post, "unpin")["pinned"] is False
    assert "Validation failed" in act(bob, post, "pin", expect=422)["error"]
    for name in ("favourite", "bookmark", "reblog", "pin", "mute", "unfavourite", "unreblog", "unmute"):
        act(bob, {"id": "1"}, name, expect=404)
        act(Api(bob.server), post, name, expect=401)


def at_once(who, path, names):
    """The answers to these acts, each by an app of its own, all sent at the same time."""
    apps = [Api(who.server, who.token) for _ in names]
    with concurrent.futures.ThreadPoolExecutor(len(names)) as pool:
        return list(pool.map(lambda app, name: app.post(f"{path}/{name}"), apps, names))


def test_twice_at_once(people):
    """It is done once, each answer says so, and what comes last holds."""
    alice, bob = people
    post = alice.post(STATUSES, status="everybody at once")
    path = f"{STATUSES}/{post['id']}"
    for act_name, mark, count in (("favourite", "favourited", "favourites_count"), ("reblog", "reblogged", "reblogs_count")):
        shown = [a["reblog"] or a for a in at_once(bob, path, [act_name] * 6)]
        assert all(a["id"] == post["id"] and a[mark] is True for a in shown) and bob.get(path)[count] == 1
        at_once(bob, path, [act_name, f"un{act_name}"] * 3)
        for name, number in ((act_name, 1), (f"un{act_name}", 0)):
            act(bob, post, name)
            wait_until(lambda c=count, n=number: alice.get(path)[c] == n, 10, (name, "is counted once"))
    assert len({a["id"] for a in at_once(bob, path, ["reblog"] * 6)}) == 1


def test_gone_or_out_of_sight_meanwhile(people):
    """What the server remembers of a post helps nobody to it."""
    alice, bob = people
    post, other = (alice.post(STATUSES, status=f"soon gone {n}") for n in range(2))
    act(bob, post, "favourite")
    alice.post(f"/api/v1/accounts/{bob.id}/block")
    for name in ("favourite", "bookmark", "reblog", "mute"):
        act(bob, other, name, expect=404)
    bob.post(STATUSES, expect=404, status="an answer", in_reply_to_id=other["id"])
    alice.post(f"/api/v1/accounts/{bob.id}/unblock")
    alice.delete(f"{STATUSES}/{post['id']}")
    for name in ("favourite", "bookmark", "reblog", "unfavourite", "unreblog"):
        act(bob, post, name, expect=404)
    bob.post(STATUSES, expect=404, status="an answer", in_reply_to_id=post["id"])
    assert act(bob, other, "favourite")["favourites_count"] == 1


def test_boosts(people):
    """A boost answers itself, taking it back the post; it may be for fewer people; either id takes it back."""
    alice, bob = people
    post = alice.post(STATUSES, status="hand this on")
    boost = check(act(bob, post, "reblog"), "Status+")
    assert boost["id"] != post["id"] and boost["reblogged"] is True and boost["account"]["acct"] == "writer_bob"
    assert boost["reblog"]["id"] == post["id"] and boost["reblog"]["reblogged"] is True and boost["reblog"]["reblogs_count"] == 1
    assert act(bob, post, "reblog")["id"] == boost["id"]
    for name in ("favourite", "unfavourite"):  # twice: the second time nothing changes, and the post is read anew
        assert [act(bob, boost, name)["id"] for _ in range(2)] == [post["id"]] * 2
    for by_itself in (False, True):
        boost = act(bob, post, "reblog")
        back = check(act(bob, boost if by_itself else post, "unreblog"), "Status+")
        assert back["id"] == post["id"] and back["reblog"] is None and back["reblogged"] is False and back["reblogs_count"] == 0
    act(bob, boost, "unreblog", expect=404)
    assert act(bob, post, "unreblog")["reblogged"] is False
    narrow = act(bob, post, "reblog", visibility="private")
    assert narrow["visibility"] == "private" and narrow["reblog"]["visibility"] == "public"
    act(alice, narrow, "favourite", expect=404)
    act(bob, post, "unreblog")
    act(bob, post, "reblog", expect=422, visibility="direct")
    act(bob, post, "reblog", expect=422, visibility="nobody")
    boost = act(bob, post, "reblog")
    assert bob.delete(f"{STATUSES}/{boost['id']}")["id"] == boost["id"] and act(bob, post, "unreblog")["reblogs_count"] == 0
    private = alice.post(STATUSES, status="mine", visibility="direct")
    act(alice, private, "reblog", expect=403)


def test_tags(people):
    """Followed at once, once, in any case; what is no tag is none."""
    alice, _ = people
    for _ in range(2):
        tag = check(alice.post("/api/v1/tags/WriterTea/follow"), "Tag")
        assert tag["name"].lower() == "writertea" and tag["following"] is True
    assert [t["name"] for t in alice.get("/api/v1/followed_tags")] == ["writertea"]
    assert alice.get("/api/v1/tags/writertea")["following"] is True
    for _ in range(2):
        assert check(alice.form("POST", "/api/v1/tags/writertea/unfollow"), "Tag")["following"] is False
    assert alice.get("/api/v1/followed_tags") == []
    alice.post("/api/v1/tags/no%20tag/follow", expect=404)


def test_notifications(server, unique):
    """One for each thing that somebody did; by types, by people, in both directions; taken away one by one, and all."""
    alice, bob, eve = (Api.sign_up(server, unique(name)) for name in ("alice", "bob", "eve"))
    path = "/api/v1/notifications"
    assert alice.get(path) == [] and "Link" not in alice.ask("GET", path).headers
    follow(bob, alice)
    post = alice.post(STATUSES, status="see this")
    mention = bob.post(STATUSES, status=f"@{alice.name} hello")
    act(bob, post, "favourite")
    act(bob, post, "reblog")
    act(eve, post, "favourite")
    reply = eve.post(STATUSES, status="yes", in_reply_to_id=post["id"])
    wait_until(lambda: len(alice.get(path)) == 6, 10, "all is told")
    told = check(alice.get(path), ["Notification"])
    by_type = {(n["type"], n["account"]["acct"]): n for n in told}
    assert set(by_type) == {(what, who.name) for who, types in ((bob, ("follow", "mention", "reblog", "favourite")), (eve, ("mention", "favourite")))
                            for what in types}
    assert by_type["mention", bob.name]["status"]["id"] == mention["id"] and by_type["mention", eve.name]["status"]["id"] == reply["id"]
    assert all(by_type[key]["status"]["id"] == post["id"] for key in (("reblog", bob.name), ("favourite", bob.name), ("favourite", eve.name)))
    assert by_type["favourite", bob.name]["group_key"] == by_type["favourite", eve.name]["group_key"] == f"favourite-{post['id']}"
    assert "status" not in by_type["follow", bob.name]
    assert ids(told) == sorted(ids(told), key=int, reverse=True) and len(set(ids(told))) == 6
    for limit in (1, 2, 4):
        assert ids(alice.all(path, limit=limit)) == ids(told) == ids(alice.all_back(path, limit=limit, min_id="1"))
    for n, one in enumerate(told):
        assert ids(alice.get(path, since_id=one["id"])) == ids(told[:n]) == ids(alice.get(path, min_id=one["id"]))
        assert ids(alice.get(path, max_id=one["id"])) == ids(told[n + 1:]) and alice.get(f"{path}/{one['id']}")["id"] == one["id"]
    assert {n["type"] for n in alice.get(path, types=["mention", "poll"])} == {"mention"} and alice.get(path, types=["poll"]) == []
    assert {n["type"] for n in alice.get(path, exclude_types=["mention", "follow"])} == {"reblog", "favourite"}
    for who in (bob, eve):
        expected = [n["id"] for n in told if n["account"]["acct"] == who.name]
        assert ids(alice.all(path, limit=1, account_id=id_of(who))) == expected == ids(alice.get(path, account_id=id_of(who)))
    assert alice.get(path, account_id="1") == [] == alice.get(path, account_id=id_of(alice))
    count = f"{path}/unread_count"
    assert alice.get(count) == {"count": 6} and alice.get(count, limit=4) == {"count": 4}
    assert alice.get(count, types=["favourite"]) == {"count": 2} and alice.get(count, account_id=id_of(eve), exclude_types=["favourite"]) == {"count": 1}
    for nothing in ("1", "abc", str(int(told[0]["id"]) + 1)):
        alice.get(f"{path}/{nothing}", expect=404)
        alice.post(f"{path}/{nothing}/dismiss", expect=404)
    bob.get(f"{path}/{told[1]['id']}", expect=404)
    bob.post(f"{path}/{told[1]['id']}/dismiss", expect=404)
    assert alice.post(f"{path}/{by_type['favourite', bob.name]['id']}/dismiss") == {}  # and the other of its group stays
    assert alice.post(f"{path}/{told[0]['id']}/dismiss") == {}
    left = [n for n in told[1:] if n["id"] != by_type["favourite", bob.name]["id"]]
    assert ids(alice.get(path)) == ids(left)
    assert alice.form("POST", f"{path}/clear") == {} and alice.get(path) == []
    Api.of(server, alice.name, "read:statuses").get(path, expect=403)


def test_notifications_follow_what_was_done(server, unique):
    """What is taken back, deleted, or done by somebody who is muted is not there; what is done again is new. Nothing else changes its id."""
    alice, bob, eve = (Api.sign_up(server, unique(name)) for name in ("alice", "bob", "eve"))
    path = "/api/v1/notifications"
    posts = [alice.post(STATUSES, status=f"number {n}") for n in range(2)]
    for n, who in ((0, bob), (1, bob), (0, eve)):
        act(who, posts[n], "favourite")

    def shown():
        return [(n["account"]["acct"], n["status"]["id"]) for n in alice.get(path)]

    def shows(*expected):
        wait_until(lambda: shown() == [(who.name, posts[n]["id"]) for who, n in expected], 10, f"{expected} is told")

    shows((eve, 0), (bob, 1), (bob, 0))
    before = {(n["account"]["acct"], n["status"]["id"]): n["id"] for n in alice.get(path)}
    act(eve, posts[0], "unfavourite")
    shows((bob, 1), (bob, 0))
    act(bob, posts[0], "unfavourite")
    act(bob, posts[0], "favourite")
    shows((bob, 0), (bob, 1))
    after = alice.get(path)
    assert int(after[0]["id"]) > int(before[eve.name, posts[0]["id"]]) and after[1]["id"] == before[bob.name, posts[1]["id"]]
    act(eve, posts[1], "favourite")
    act(eve, posts[1], "reblog")
    shows((eve, 1), (eve, 1), (bob, 0), (bob, 1))
    alice.post(f"/api/v1/accounts/{id_of(eve)}/mute")
    shows((bob, 0), (bob, 1))
    eve.post(STATUSES, status=f"@{alice.name} do you hear me?")
    alice.post(f"/api/v1/accounts/{id_of(eve)}/unmute")
    shows((eve, 1), (eve, 1), (bob, 0), (bob, 1))
    alice.delete(f"{STATUSES}/{posts[1]['id']}")
    shows((bob, 0))
    alice.post(f"/api/v1/accounts/{id_of(bob)}/block")
    shows()


def test_notifications_in_groups(server, unique):
    """All favourites of a post are one, with its people; pages meet without a gap; kinds that are not wanted in groups come one by one."""
    alice, *fans = (Api.sign_up(server, unique(name)) for name in ("alice", "bob", "carol", "dan"))
    bob, carol, dan = fans
    path, old = "/api/v2/notifications", "/api/v1/notifications"
    empty = {"accounts": [], "statuses": [], "notification_groups": []}
    assert alice.get(path) == empty and "Link" not in alice.ask("GET", path).headers
    posts = [alice.post(STATUSES, status=f"number {n}") for n in range(2)]
    deeds = [(bob, 0), (carol, 1), (carol, 0), (bob, 1), (dan, 0)]
    for count, (who, n) in enumerate(deeds, 1):
        act(who, posts[n], "favourite")
        wait_until(lambda c=count: len(alice.get(old)) == c, 10, "it is told")
    mention = dan.post(STATUSES, status=f"@{alice.name} hello")
    follow(bob, alice)
    follow(carol, alice)
    wait_until(lambda: len(alice.get(old)) == 8, 10, "all is told")
    single = alice.get(old)
    times = {(n["type"], n["account"]["acct"], n.get("status", {}).get("id")): n["id"] for n in single}

    def at(who, n):
        return times["favourite", who.name, posts[n]["id"]]

    day, by_mention, first, second = check(alice.get(path), "GroupedNotificationsResults")["notification_groups"]
    assert (day["type"], day["notifications_count"], day["sample_account_ids"]) == ("follow", 2, [id_of(carol), id_of(bob)]) and "status_id" not in day
    assert (by_mention["type"], by_mention["group_key"]) == ("mention", f"ungrouped-{by_mention['page_max_id']}")
    assert by_mention["status_id"] == mention["id"] and by_mention["sample_account_ids"] == [id_of(dan)]
    assert first == {"group_key": f"favourite-{posts[0]['id']}", "notifications_count": 3, "type": "favourite", "status_id": posts[0]["id"],
                     "most_recent_notification_id": int(at(dan, 0)), "page_max_id": at(dan, 0), "page_min_id": at(bob, 0),
                     "latest_page_notification_at": first["latest_page_notification_at"], "sample_account_ids": [id_of(w) for w in (dan, carol, bob)]}
    assert (second["notifications_count"], second["page_max_id"], second["page_min_id"]) == (2, at(bob, 1), at(carol, 1))
    whole = alice.get(path)
    assert sorted(a["id"] for a in whole["accounts"]) == sorted(map(id_of, fans))
    assert sorted(s["id"] for s in whole["statuses"]) == sorted([posts[0]["id"], posts[1]["id"], mention["id"]])
    lean = check(alice.get(path, expand_accounts="partial_avatars"), "GroupedNotificationsResults")
    assert sorted(a["id"] for a in lean["accounts"] + lean["partial_accounts"]) == sorted(map(id_of, fans))
    assert {a["id"] for a in lean["accounts"]} == {id_of(carol), id_of(dan), id_of(bob)} and lean["partial_accounts"] == []
    assert "allowed values" in alice.get(path, expand_accounts="none", expect=400)["error"]

    def keys(answer):
        return [group["group_key"] for group in answer["notification_groups"]]

    by_min, last = [], None
    while True:  # as the official app reads: below the oldest id of a page
        page = alice.get(path, limit=1, **({"max_id": last} if last else {}))
        if not page["notification_groups"]:
            break
        by_min += keys(page)
        last = page["notification_groups"][-1]["page_min_id"]
    assert by_min == keys(whole)
    assert keys(alice.get(path, min_id=by_mention["page_max_id"])) == keys(whole)[:1] == keys(alice.get(path, since_id=by_mention["page_max_id"]))
    assert keys(alice.get(path, types=["favourite"])) == keys(whole)[2:] and keys(alice.get(path, exclude_types=["favourite"])) == keys(whole)[:2]
    assert len(keys(alice.get(path, grouped_types=["follow"]))) == 7 and len(set(keys(alice.get(path, grouped_types=["favourite"])))) == 5
    assert keys(alice.get(path, grouped_types=["mention"])) == [f"ungrouped-{n['id']}" for n in single]
    assert [g["notifications_count"] for g in alice.get(path, account_id=id_of(dan))["notification_groups"]] == [1, 1]
    count = f"{path}/unread_count"
    assert alice.get(count) == {"count": 4} and alice.get(count, limit=3) == {"count": 3} and alice.get(count, grouped_types=["follow"]) == {"count": 7}
    one = check(alice.get(f"{path}/{first['group_key']}"), "GroupedNotificationsResults")
    assert one["notification_groups"] == [{k: v for k, v in first.items() if "page" not in k}] and len(one["accounts"]) == 3
    alone = alice.get(f"{path}/ungrouped-{at(carol, 1)}")["notification_groups"]
    assert [(g["group_key"], g["notifications_count"]) for g in alone] == [(f"ungrouped-{at(carol, 1)}", 1)]
    people = f"{path}/{first['group_key']}/accounts"
    assert [a["id"] for a in check(alice.get(people), ["Account"])] == first["sample_account_ids"] == [a["id"] for a in alice.all(people, limit=1)]
    for nothing in ("favourite-1", f"reblog-{posts[0]['id']}", "ungrouped-1", "ungrouped-", "x", "0", "mention-1", "favourite-"):
        for who in (alice, bob):
            who.get(f"{path}/{nothing}", expect=404)
            who.get(f"{path}/{nothing}/accounts", expect=404)
            who.post(f"{path}/{nothing}/dismiss", expect=404)
    bob.get(f"{path}/{first['group_key']}", expect=404)
    assert alice.post(f"{path}/ungrouped-{at(carol, 0)}/dismiss") == {}
    assert alice.get(path)["notification_groups"][2]["sample_account_ids"] == [id_of(dan), id_of(bob)]
    for key in (first["group_key"], by_mention["group_key"]):
        bob.post(f"{path}/{key}/dismiss", expect=404)
        assert key in keys(alice.get(path))
        assert alice.post(f"{path}/{key}/dismiss") == {}
    assert keys(alice.get(path)) == [day["group_key"], second["group_key"]] and len(alice.get(old)) == 4
    policy = check(alice.get(f"{path}/policy"), "NotificationPolicy")
    assert policy.pop("summary") == {"pending_requests_count": 0, "pending_notifications_count": 0} and set(policy.values()) == {"accept"}
    assert alice.patch(f"{path}/policy", for_not_following="accept")["for_not_following"] == "accept"
    assert "no policy" in alice.patch(f"{path}/policy", for_not_following="drop", expect=422)["error"]
    for who in fans:
        alice.post(f"/api/v1/accounts/{id_of(who)}/block")
    assert alice.get(path) == empty


def test_lists(server, unique):
    """Made, changed, filled with people whom one follows, each in its encoding; nobody else's business."""
    alice, bob, eve = (Api.sign_up(server, unique(name)) for name in ("alice", "bob", "eve"))
    path = "/api/v1/lists"
    assert alice.get(path) == []
    tea = check(alice.post(path, title="Tea", replies_policy="none", exclusive=True), "List")
    assert (tea["title"], tea["replies_policy"], tea["exclusive"]) == ("Tea", "none", True)
    coffee = check(alice.form("POST", path, title="Coffee"), "List")
    assert (coffee["replies_policy"], coffee["exclusive"]) == ("list", False)
    assert alice.get(path) == [tea, coffee] and alice.get(f"{path}/{tea['id']}") == tea
    one = f"{path}/{tea['id']}"
    assert alice.put(one, title="Green tea") == {**tea, "title": "Green tea"}
    assert alice.form("PUT", one, title="Green tea", exclusive="False", replies_policy="followed")["exclusive"] is False
    for wrong in ({"title": ""}, {"title": "Coffee"}, {"replies_policy": "some"}):
        alice.put(one, expect=422, **wrong)
    alice.post(path, expect=422, title=" ")
    alice.post(path, expect=422, title="x", replies_policy="some")
    for call in (bob.get, bob.delete):
        call(one, expect=404)
    bob.put(one, expect=404, title="mine")
    follow(alice, bob)
    ids_of = {a.name: id_of(a) for a in (bob, eve)}
    members = f"{one}/accounts"
    assert alice.post(members, account_ids=[ids_of[bob.name]]) == {} and alice.post(members, account_ids=[ids_of[bob.name]]) == {}
    for wrong in ([ids_of[eve.name]], ["1"], ["abc"], [ids_of[bob.name], "1"]):
        alice.post(members, expect=404, account_ids=wrong)
    bob.post(members, expect=404, account_ids=[])
    assert [a["acct"] for a in check(alice.get(members), ["Account"])] == [bob.name] == [a["acct"] for a in alice.get(members, limit=0)]
    bob.get(members, expect=404)
    about = f"/api/v1/accounts/{ids_of[bob.name]}/lists"
    assert [row["id"] for row in alice.get(about)] == [tea["id"]] and eve.get(about) == []
    assert alice.form("DELETE", members, account_ids=[ids_of[bob.name]]) == {} and alice.get(members) == []
    assert alice.delete(one) == {} and alice.get(path) == [coffee]
    alice.delete(one, expect=404)


def test_markers(server, unique):
    """Kept for the next device; each one is counted; what lies before that of the notifications is seen, also on a page."""
    alice, bob = (Api.sign_up(server, unique(name)) for name in ("alice", "bob"))
    path, both = "/api/v1/markers", {"timeline": ["home", "notifications"]}
    assert alice.get(path, **both) == {} == alice.post(path)
    post = alice.post(STATUSES, status="see this")
    act(bob, post, "favourite")
    wait_until(lambda: alice.get("/api/v1/notifications/unread_count") == {"count": 1}, 10, "it is told")
    [told] = alice.get("/api/v1/notifications")
    home = alice.post(path, home={"last_read_id": post["id"]})
    assert set(home) == {"home"} and check(home["home"], "Marker")["last_read_id"] == post["id"] and home["home"]["version"] == 1
    assert alice.get(path, **both) == home and alice.get(path) == {} == bob.get(path, **both)
    notices = alice.form("POST", path, **{"notifications[last_read_id]": told["id"]})
    assert check(notices["notifications"], "Marker")["last_read_id"] == told["id"]
    assert alice.get(path, **both) == {**home, **notices} and alice.get(path, timeline=["home"]) == home
    assert alice.get("/api/v1/notifications/unread_count") == {"count": 0}
    assert alice.post(path, home={"last_read_id": post["id"]}) == home
    assert alice.post(path, home={"last_read_id": "5"})["home"]["version"] == 2
    for wrong in ("abc", "-1", "9" * 30):
        alice.post(path, expect=422, home={"last_read_id": wrong})
    act(bob, post, "unfavourite")
    act(bob, post, "favourite")
    wait_until(lambda: alice.get("/api/v1/notifications/unread_count") == {"count": 1}, 10, "it is told again")
    browser = Browser(server)
    browser.sign_in(alice.name)
    browser.get("/notifications")
    [told] = alice.get("/api/v1/notifications")
    wait_until(lambda: alice.get(path, **both)["notifications"]["last_read_id"] == told["id"], 10, "the page has shown it")


def test_filters(server, unique):
    """The same filters in both versions; they work at once; in either order in which clients make them."""
    alice, bob = (Api.sign_up(server, unique(name)) for name in ("alice", "bob"))
    old, new = "/api/v1/filters", "/api/v2/filters"
    assert alice.get(old) == [] == alice.get(new)
    tea = check(alice.post(old, phrase="tea", context=["home", "public"], irreversible=False, expires_in=3600), "V1_Filter")
    assert (tea["phrase"], tea["context"], tea["irreversible"], tea["whole_word"]) == ("tea", ["home", "public"], False, False) and tea["expires_at"]
    [same] = check(alice.get(new), ["Filter"])
    assert (same["id"], same["filter_action"], same["keywords"]) == (tea["id"], "warn", [{"id": tea["id"], "keyword": "tea", "whole_word": False}])
    assert alice.get(f"{new}/{tea['id']}") == same and alice.get(f"{old}/{tea['id']}") == tea
    follow(alice, bob)
    post = bob.post(STATUSES, status="a tearoom")

    def filtered():
        [shown] = [s for s in alice.get("/api/v1/timelines/home") if s["id"] == post["id"]]
        return [result["filter"]["id"] for result in shown["filtered"]]

    assert filtered() == [tea["id"]]
    changed = alice.form("PUT", f"{old}/{tea['id']}", phrase="tea", whole_word="1", context=["home"], expires_in="")
    assert changed["whole_word"] is True and changed["expires_at"] is None and filtered() == []
    both = check(alice.post(new, title="x", context=["home"], filter_action="hide", keywords_attributes=[{"keyword": "coffee"}]), "Filter")
    assert (both["title"], both["filter_action"]) == ("x", "hide")
    assert [k["keyword"] for k in both["keywords"]] == ["coffee"] and both["keywords"][0]["whole_word"] is True
    later = check(alice.form("POST", new, title="tearoom", context=["home"]), "Filter")
    assert later["title"] == "tearoom" and later["keywords"] == [] and filtered() == []
    assert later["id"] not in [f["id"] for f in alice.get(old)] and alice.get(f"{new}/{later['id']}/keywords") == []
    first = check(alice.post(f"{new}/{later['id']}/keywords", keyword="room", whole_word=False), "FilterKeyword")
    assert filtered() == [later["id"]]
    second = alice.post(f"{new}/{later['id']}/keywords", keyword="cup")
    assert second["id"] != first["id"] and alice.get(f"{new}/keywords/{second['id']}") == second
    assert alice.get(f"{new}/{later['id']}/keywords") == [first, second]
    assert alice.put(f"{new}/keywords/{first['id']}", keyword="rooms")["keyword"] == "rooms" and filtered() == []
    other = alice.put(f"{new}/{later['id']}", title="other", filter_action="hide", context=["public"])
    assert other["title"] == "other" and [k["keyword"] for k in other["keywords"]] == ["rooms", "cup"]
    for wrong in ({"title": "x"}, {"title": "x", "context": ["moon"]}, {"title": "x", "context": ["home"], "filter_action": "eat"},
                  {"title": " ", "context": ["home"]}, {"title": "x", "context": ["home"], "keywords_attributes": [{"keyword": " "}]},
                  {"title": "x", "context": ["home"], "keywords_attributes": [{"keyword": str(n)} for n in range(31)]}):
        alice.post(new, expect=422, **wrong)
    alice.post(old, expect=422, phrase="x" * 101, context=["home"])
    for path in (f"{old}/{tea['id']}", f"{new}/{tea['id']}", f"{new}/1", f"{old}/abc", f"{new}/keywords/{tea['id']}"):
        bob.get(path, expect=404)
        bob.put(path, expect=404, keyword="x", title="x", phrase="x")
        bob.delete(path, expect=404)
    for one in alice.get(new):
        assert alice.delete(f"{new}/{one['id']}") == {}
    assert alice.get(new) == [] and alice.get("/api/v1/timelines/home")[0]["filtered"] == []
    Api.of(server, alice.name, "read:statuses").get(new, expect=403)
