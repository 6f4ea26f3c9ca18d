"""The API's lists of posts and what can be read of one post: order, every kind of cursor, Link in both directions, search, tags."""

import pytest

from api_client import Api, app_token, ids, query_of
from api_entities import check
from retwis_process import wait_until
from retwis_server import Browser

POSTS = 45  # more than the largest page has
LIMIT = 10


@pytest.fixture(name="member")
def member_fixture(server, people):
    """member("bob"): the browser of somebody new, by which things are done, and what his apps see."""
    def make(stem):
        browser = people(server, stem)
        return browser, Api.of(server, browser.name)

    return make


def assert_walk(api, path, expected, limit=LIMIT):
    """Down to the end and up again by Link: full pages, nothing missing, nothing twice."""
    pages = [ids(page) for page in api.pages(path, limit=limit)]
    assert sum(pages, []) == expected
    assert [len(page) for page in pages[:-1]] == [limit] * (len(pages) - 1), "only the last page may be short"
    assert all(pages) or not expected, "an empty page was linked to"
    up = [ids(page) for page in api.pages(path, back=True, limit=limit, min_id=1)]
    assert sum(reversed(up), []) == expected
    assert [len(page) for page in up[:-2]] == [limit] * (len(up) - 2), "upwards likewise; the end is an empty page"
    assert up[-1] == []


def assert_cursors(api, path, expected, first, last):
    """What each cursor means, for a list of at least 20; `first` and `last` name entries 5 and 15 as cursors do."""
    def page(**query):
        return ids(api.get(path, **query))

    assert page(limit=3, max_id=first) == expected[6:9]
    assert page(limit=3, min_id=last) == expected[12:15], "those right above, without a gap"
    assert page(limit=3, since_id=last) == expected[:3], "the newest, with a gap"
    assert page(limit=40, since_id=first) == expected[:5]
    assert page(limit=40, max_id=first, since_id=last) == expected[6:15]
    assert page(limit=3, max_id=first, since_id=last) == expected[6:9]
    assert page(limit=3, max_id=first, min_id=last) == expected[12:15]
    assert page(limit=3, since_id=first, min_id=last) == expected[12:15], "min_id wins"
    assert page(limit=40, min_id=first) == expected[:5]
    for beyond in ({"max_id": 1}, {"since_id": 10 ** 20}, {"min_id": 10 ** 20}):
        answer = api.ask("GET", path, params=beyond)
        assert (answer.status, answer.json, answer.links) == (200, [], {}), beyond
    for odd in ({"max_id": "x"}, {"max_id": ""}, {"min_id": "-"}, {"limit": "x"}):
        assert page(**odd) == page(), "what is no number is passed over"
    assert api.ask("GET", path, params={"limit": -1}).status == 400


def assert_links(api, path):
    """Absolute, with the other parameters, once each, though clients add theirs again (toot)."""
    answer = api.ask("GET", path, params=[("limit", 2), ("local", "true"), ("limit", 3), ("max_id", 10 ** 18)])
    assert len(answer.json) == 3, "the last of several counts"
    following = query_of(answer.links["next"])
    assert (following["limit"], following["local"], set(following)) == ("3", "true", {"limit", "local", "max_id"})
    assert set(query_of(answer.links["prev"])) == {"limit", "local", "min_id"}


def test_posts_by_pages(server, member, unique):
    """Home, a tag, a list and the public timeline: exactly what is there, whichever way one goes."""
    tag = unique("walk").replace("_", "")
    bob, bobs = member("bob")
    for number in range(POSTS):
        bob.post_quickly(f"{number} #{tag}")
    alice, alices = member("alice")
    alice.follow(bob.name)
    list_id = alice.make_list("A list", bob.name).rsplit("/", 1)[-1]
    expected = bob.timeline_ids(f"/@{bob.name}")
    assert len(expected) == POSTS
    anybody = Api(server)
    for api, path in ((anybody, f"/api/v1/timelines/tag/{tag}"), (anybody, f"/api/v1/timelines/tag/{tag.upper()}/"),
                      (alices, "/api/v1/timelines/home"), (bobs, "/api/v1/timelines/home"),
                      (alices, f"/api/v1/timelines/list/{list_id}")):
        assert_walk(api, path, expected)
        assert_cursors(api, path, expected, expected[5], expected[15])
        assert_cursors(api, path, expected, str(int(expected[5])), str(int(expected[15])))
        assert ids(api.get(path, limit=3, max_id=int(expected[5]) + 1)) == expected[5:8], "a cursor need not be a post's id"
        assert len(check(api.get(path), ["Status+" if api.token else "Status"])) == 20
        assert len(api.get(path, limit=1000)) == 40
        assert_links(api, path)
    assert ids(anybody.get("/api/v1/timelines/public", limit=5)) == expected[:5]
    assert ids(anybody.get("/api/v1/timelines/public", limit=5, local=True, max_id=expected[4])) == expected[5:10]
    for nothing in ({"remote": True}, {"remote": "True"}, {"only_media": 1}):
        assert anybody.get("/api/v1/timelines/public", **nothing) == []
    assert anybody.get("/api/v1/timelines/tag/no%20tag") == []


def test_timelines_are_for_their_owners(server, member):
    """A home needs somebody; a list its owner; each a token of its scope."""
    alice, alices = member("alice")
    _, bobs = member("bob")
    path = alice.make_list("Mine")
    list_path = f"/api/v1/timelines{path.replace('lists', 'list')}"
    assert alices.get(list_path) == []
    assert bobs.get(list_path, expect=404) == alices.get("/api/v1/timelines/list/1", expect=404)
    assert alices.get("/api/v1/timelines/list/x", expect=404)
    for path in ("/api/v1/timelines/home", list_path, "/api/v1/favourites", "/api/v1/bookmarks", "/api/v1/followed_tags"):
        assert Api(server).get(path, expect=401)["error"]
        assert Api.of(server, alice.name, "write read:search").get(path, expect=403)["error"] == "This action is outside the authorized scopes"
        assert Api(server, "x.y").get(path, expect=401)["error"] == "The access token is invalid"


def react(browser, verb, post_id):
    """What the buttons of the pages do."""
    assert browser.action(f"/posts/{post_id}/{verb}", next="/about").status == 200


def test_favourites_and_bookmarks_by_pages(member):
    """In the order in which they were made, whatever the age of the posts; both lists are one's own."""
    bob, bobs = member("bob")
    alice, alices = member("alice")
    posts = [bob.post(str(number)) for number in range(25)]
    order = posts[::2] + posts[1::2]
    for post_id in order:
        react(alice, "favourite", post_id)
        react(alice, "bookmark", post_id)
    expected = order[::-1]
    for path in ("/api/v1/favourites", "/api/v1/bookmarks"):
        assert_walk(alices, path, expected, limit=7)
        cursor = {n: query_of(alices.ask("GET", path, params={"limit": n + 1}).links["next"])["max_id"] for n in (5, 15)}
        assert_cursors(alices, path, expected, cursor[5], cursor[15])
        assert_links(alices, path)
        assert bobs.get(path) == []
        check(alices.get(path, limit=40), ["Status+"])
    assert all(status["favourited"] and status["bookmarked"] for status in alices.get("/api/v1/favourites", limit=40))


def test_favourites_of_posts_that_are_gone(server, member):
    """However many of them are gone, the pages lead to the others."""
    bob, bobs = member("bob")
    post_id = bob.post("there")
    react(bob, "favourite", post_id)
    react(bob, "bookmark", post_id)
    with server.engine() as engine:
        for word, path in (("favourited", "/api/v1/favourites"), ("bookmarks", "/api/v1/bookmarks")):
            key = engine.one_key(f"*:{word}:{bobs.id}")
            newest = int(float(engine("ZSCORE", key, post_id)))
            engine("ZADD", key, *(part for n in range(1, 1001) for part in (newest + n, int(post_id) + n)))
            pages = [ids(page) for page in bobs.pages(path, limit=20)]
            assert pages[0] == [] and sum(pages, []) == [post_id]
            engine("ZREMRANGEBYSCORE", key, newest + 1, "+inf")
            assert [ids(page) for page in bobs.pages(path, limit=20)] == [[post_id]]


def test_who_has_favourited_and_boosted(server, member, people):
    """By pages, the latest first; of a post that one may not see, nothing."""
    bob, _ = member("bob")
    post_id = bob.post("Look")
    crowd = people(server, *["fan"] * 5)
    for fan in crowd:
        react(fan, "favourite", post_id)
        react(fan, "boost", post_id)
    names = [fan.name for fan in crowd[::-1]]
    anybody = Api(server)
    for verb in ("favourited_by", "reblogged_by"):
        path = f"/api/v1/statuses/{post_id}/{verb}"
        accounts = check(anybody.all(path, limit=2), ["Account"])
        assert [account["acct"] for account in accounts] == names
        assert_walk(anybody, path, ids(accounts), limit=2)
        assert anybody.get("/api/v1/statuses/0/" + verb, expect=404)
        secret = bob.post("Not for all", visibility="private")
        assert anybody.get(f"/api/v1/statuses/{secret}/{verb}", expect=404) == {"error": "Record not found"}


def test_a_post(server, member):
    """By its id; what is not there, or not for the asker, is not found; some at once in the order asked."""
    bob, bobs = member("bob")
    _, alices = member("alice")
    anybody = Api(server)
    first, secret, second = bob.post("one"), bob.post("two", visibility="private"), bob.post("three")
    assert check(anybody.get(f"/api/v1/statuses/{first}"), "Status")["content"] == "<p>one</p>"
    check(bobs.get(f"/api/v1/statuses/{first}"), "Status+")
    assert "favourited" not in anybody.get(f"/api/v1/statuses/{first}")
    assert bobs.get(f"/api/v1/statuses/{secret}")["visibility"] == "private"
    for api in (anybody, alices):
        assert api.get(f"/api/v1/statuses/{secret}", expect=404) == {"error": "Record not found"}
    for wrong in ("0", "x", "-1", str(10 ** 17), str(10 ** 30), f"{first}0"):
        assert anybody.get(f"/api/v1/statuses/{wrong}", expect=404) == {"error": "Record not found"}
    many = [second, secret, "x", first, first]
    assert ids(bobs.get("/api/v1/statuses", id=many)) == [second, secret, first, first]
    assert ids(anybody.get("/api/v1/statuses", id=many)) == [second, first, first]
    assert ids(anybody.get(f"/api/v1/statuses?id={first}")) == [first]
    assert anybody.get("/api/v1/statuses") == []
    react(bob, "favourite", first)
    assert bobs.get(f"/api/v1/statuses/{first}")["favourited"] is True
    assert alices.get(f"/api/v1/statuses/{first}")["favourited"] is False


def answer(browser, post_id, text):
    """A reply; its id."""
    return browser.post(text, in_reply_to_id=post_id)


def test_context(server, member):
    """Above: from the first to the nearest. Below: each reply behind the one that it answers. Long ones for members only."""
    bob, bobs = member("bob")
    root = bob.post("root")
    a = answer(bob, root, "a")
    b = answer(bob, root, "b")
    a1 = answer(bob, a, "a1")
    a2 = answer(bob, a, "a2")
    a11 = answer(bob, a1, "a11")
    anybody = Api(server)
    assert shape(anybody, root) == ([], [a, a1, a11, a2, b])
    assert shape(anybody, a1) == ([root, a], [a11])
    assert shape(anybody, a11) == ([root, a, a1], [])
    assert anybody.get("/api/v1/statuses/0/context", expect=404)
    for number in range(70):
        bob.post_quickly(f"more {number}", in_reply_to_id=root)
    assert len(shape(anybody, root)[1]) == 60
    assert len(shape(bobs, root)[1]) == 75


def test_long_chain(server, member):
    """Members read all of it; strangers and applications 40 above and 20 below; no more round trips than for two posts."""
    bob, bobs = member("bob")
    chain = [bob.post("root")]
    for number in range(50):
        chain.append(bobs.post("/api/v1/statuses", status=f"and {number}", in_reply_to_id=chain[-1])["id"])
    assert shape(bobs, chain[-1]) == (chain[:-1], []) and shape(bobs, chain[0]) == ([], chain[1:])
    for stranger in (Api(server), Api(server, app_token(server))):
        assert shape(stranger, chain[-1]) == (chain[-41:-1], []) and shape(stranger, chain[0]) == ([], chain[1:21])
        assert shape(stranger, chain[45]) == (chain[5:45], chain[46:])
    bob.action(f"/posts/{chain[48]}/delete")
    for api in (bobs, Api(server)):
        assert server.trips(api.ask("GET", f"/api/v1/statuses/{chain[25]}/context")) <= 2
        assert shape(api, chain[47])[1] == []  # nobody stands below what is gone
    assert shape(bobs, chain[-1])[0] == [chain[49]]


def shape(api, post_id):
    """Ids above and below."""
    context = check(api.get(f"/api/v1/statuses/{post_id}/context"), "Context+" if api.name else "Context")
    return ids(context["ancestors"]), ids(context["descendants"])


def names_of(found):
    """Of accounts or tags."""
    return [one.get("acct") or one["name"] for one in found]


def test_search(server, member, unique):
    """People by every spelling of their names, posts by words and addresses, tags by their beginnings."""
    bob, _ = member("bob")
    alice, alices = member("alice")
    anybody, path = Api(server), "/api/v2/search"
    word = unique("word").replace("_", "x")
    posts = [bob.post(f"{word} {number} #{word}z #{word}") for number in range(3)][::-1]
    host = server.url.split("://")[1]
    for handle in (bob.name, "@" + bob.name, f"{bob.name}@{host}", f"@{bob.name}@{host}", bob.name.upper(), f"{server.url}/@{bob.name}"):
        found = check(alices.get(path, q=handle, type="accounts", resolve="True"), "Search+")
        assert names_of(found["accounts"])[0] == bob.name, handle
        assert (found["statuses"], found["hashtags"]) == ([], [])
    assert alices.get(path, q=f"@{bob.name}@elsewhere.example", resolve=True)["accounts"] == []
    assert names_of(alices.get(path, q=bob.name, following=True)["accounts"]) == []
    alice.follow(bob.name)
    assert names_of(alices.get(path, q=bob.name, following=True)["accounts"]) == [bob.name]
    assert alices.get(path, q=bob.name, type="accounts", offset=1)["accounts"] == []
    found = anybody.get(path, q=f"#{word}")
    assert (found["accounts"], found["statuses"], names_of(found["hashtags"])) == ([], [], [word, word + "z"])
    assert names_of(alices.get(path, q=word, type="hashtags", limit=1, offset=1)["hashtags"]) == [word + "z"]
    assert ids(check(anybody.get(path, q=word), "Search")["statuses"]) == posts
    assert ids(check(alices.get(path, q=word), "Search+")["statuses"]) == posts
    assert ids(alices.get(path, q=word, type="statuses", limit=1, offset=1)["statuses"]) == posts[1:2]
    assert ids(anybody.get(path, q=word, max_id=posts[0])["statuses"]) == posts[1:]
    assert ids(anybody.get(path, q=word, min_id=posts[2])["statuses"]) == posts[:2]
    bobs_id = anybody.get(f"/api/v1/statuses/{posts[0]}")["account"]["id"]
    assert ids(anybody.get(path, q=word, account_id=bobs_id)["statuses"]) == posts
    assert anybody.get(path, q=word, account_id=alices.get(path, q=alice.name)["accounts"][0]["id"])["statuses"] == []
    assert ids(anybody.get(path, q=f"{server.url}/@{bob.name}/{posts[1]}")["statuses"]) == posts[1:2]
    assert names_of(anybody.get(path, q=f"{server.url}/tags/{word}")["hashtags"])[0] == word
    assert anybody.get(path, expect=400) and anybody.get(path, q="  ", expect=400) and anybody.get(path, q="a", offset=-1, expect=400)
    assert anybody.get(path, q="a", resolve=True, expect=401) and anybody.get(path, q="a", type="accounts", offset=1, expect=401)


def test_search_of_the_blocked(member):
    """Whoever blocked somebody finds him by his whole name, and nobody else does; who was blocked finds nobody."""
    bob, bobs = member("blocked")
    _, alices = member("blocker")
    _, carols = member("blockingtoo")
    path, people = "/api/v2/search", "/api/v1/accounts/search"
    for api in (alices, carols):
        api.post(f"/api/v1/accounts/{bobs.id}/block")
    for handle in (bob.name, "@" + bob.name.upper()):
        assert names_of(alices.get(path, q=handle, type="accounts", resolve=True)["accounts"]) == [bob.name]
        assert names_of(alices.get(people, q=handle)) == [bob.name]
    assert alices.get(people, q=bob.name[:-1]) == [] and bobs.get(people, q=alices.name) == []
    bobs.post(f"/api/v1/accounts/{carols.id}/block")
    assert names_of(bobs.get(people, q=carols.name)) == [carols.name] and names_of(carols.get(people, q=bob.name)) == [bob.name]
    alices.post(f"/api/v1/accounts/{bobs.id}/unblock")
    assert names_of(bobs.get(people, q=alices.name)) == [alices.name]


def search_all(api, kind, question, limit):
    """As clients without max_id go on: until nothing comes."""
    found = []
    while page := api.get("/api/v2/search", q=question, type=kind, offset=len(found), limit=limit)[kind]:
        found += page
        assert len(found) < 3000, "it does not end"
    return found


def test_search_to_the_end(server, member, unique):
    """By offset, each once, to the last: tags, people and posts, more than one page of the site shows; and what is behind the last is nothing."""
    bob, bobs = member("bob")
    stem = unique("t").replace("_", "")
    tags = [f"{stem}{chr(97 + n // 26)}{chr(97 + n % 26)}" for n in range(60)]
    for part in (tags[:20], tags[20:40], tags[40:]):
        bob.post_quickly(" ".join("#" + tag for tag in part))
    assert names_of(search_all(bobs, "hashtags", "#" + stem, 20)) == sorted(tags)
    word = unique("w").replace("_", "")
    for number in range(215):
        bob.post_quickly(f"{word} {number}")
    posts = ids(search_all(bobs, "statuses", word, 40))
    assert len(posts) == len(set(posts)) == 215 and posts == sorted(posts, reverse=True)
    assert ids(bobs.get("/api/v2/search", q=word, type="statuses", max_id=posts[205])["statuses"]) == posts[206:]
    for kind in ("accounts", "hashtags", "statuses"):
        assert bobs.get("/api/v2/search", q=word, type=kind, offset=10**12)[kind] == []
    for number in range(5):
        server.cli("user", "add", f"{stem}_{number}", "--password-stdin", input="a long password of theirs")
    assert sorted(names_of(search_all(bobs, "accounts", stem, 2))) == [f"{stem}_{number}" for number in range(5)]
    assert len(bobs.get("/api/v1/accounts/search", q=stem, limit=80)) == 5


def test_tags(server, member, unique):
    """A tag, those one follows by pages, and those that many use."""
    alice, alices = member("alice")
    bob, _ = member("bob")
    tags = [unique("Tag").replace("_", "") for _ in range(5)]
    for tag in tags:
        assert alice.action(f"/tags/{tag}/follow", next="/about").status == 200
    followed = check(alices.all("/api/v1/followed_tags", limit=2), ["Tag"])
    assert names_of(followed) == [tag.lower() for tag in tags[::-1]]
    assert all(tag["following"] for tag in followed)
    assert_walk(alices, "/api/v1/followed_tags", ids(followed), limit=2)
    anybody = Api(server)
    assert alices.get(f"/api/v1/tags/{tags[0]}")["following"] is True
    assert "following" not in anybody.get(f"/api/v1/tags/{tags[0]}")
    shown = anybody.get("/api/v1/tags/caf%C3%A9")
    assert (shown["name"], shown["url"]) == ("café", f"{server.url}/tags/caf%C3%A9")
    assert len(shown["history"]) == 7
    assert anybody.get("/api/v1/tags/no%20tag", expect=404)
    for browser in (alice, bob):
        browser.post(f"#{tags[0]}")
    bob.post(f"#{tags[0]} again")
    for shown in (anybody.get(f"/api/v1/tags/{tags[0]}"), alices.get("/api/v1/followed_tags", limit=5)[4],
                  alices.get("/api/v2/search", q=f"#{tags[0]}", type="hashtags")["hashtags"][0]):
        days = [(int(day["uses"]), int(day["accounts"])) for day in shown["history"]]
        assert shown["id"] == tags[0].lower() and len(days) == 7 and sum(uses for uses, _ in days) == 3, "midnight may have been"
        assert 2 <= sum(people for _, people in days) <= 3
        assert [int(day["day"]) % 86400 for day in shown["history"]] == [0] * 7
    assert anybody.get("/api/v1/trends/links") == []
    for path in ("/api/v1/trends", "/api/v1/trends/tags"):
        every = check(anybody.get(path), ["Tag"])
        assert anybody.get(path, limit=1, offset=1) == every[1:2]
        assert anybody.get(path, offset=-1, expect=400)




def test_posts_that_many_react_to(server, member):
    """Those of most people first, by offset; a page that one asks for beyond the end is empty."""
    bob, _ = member("bob")
    people = [member(stem) for stem in ("alice", "carol", "dave")]
    few, many = bob.post("two liked it"), bob.post("three reacted")
    for number, (browser, _) in enumerate(people):
        react(browser, "favourite" if number else "boost", many)
        if number:
            react(browser, "favourite", few)
    anybody, path = Api(server), "/api/v1/trends/statuses"

    def trending():  # among those of other tests
        return [one for one in ids(anybody.get(path, limit=40)) if one in (few, many)]

    wait_until(lambda: trending() == [many, few], 60, "the order of the posts")
    shown = check(anybody.get(path), ["Status"])
    ours = next(one for one in shown if one["id"] == many)
    assert (ours["favourites_count"], ours["reblogs_count"]) == (2, 1)
    assert ids(anybody.get(path, limit=1)) == ids(shown)[:1] and ids(anybody.get(path, limit=1, offset=1)) == ids(shown)[1:2]
    assert anybody.get(path, offset=10 ** 12) == [] and anybody.get(path, offset=-1, expect=400)
    alice, alices = people[0]
    assert [one["reblogged"] for one in alices.get(path) if one["id"] in (few, many)] == [True, False]
    alices.post(f"/api/v1/accounts/{ours['account']['id']}/mute")
    assert not {few, many} & set(ids(alices.get(path)))
    assert bob.action(f"/posts/{many}/delete", next="/about").status == 200
    assert many not in ids(anybody.get(path))


def test_authors_come_with_their_numbers(member):
    """The account of a post says how many posts and followers its author has, and when he wrote last: whoever asks, as lists do."""
    bob, bobs = member("bob")
    alice, alices = member("alice")
    alice.follow(bob.name)
    for text in ("one", "two"):
        post_id = bob.post(text)
    react(alice, "favourite", post_id)
    react(alice, "boost", post_id)
    fans = alices.get(f"/api/v1/statuses/{post_id}/favourited_by")
    assert [(one["acct"], one["statuses_count"], one["following_count"]) for one in fans] == [(alice.name, 1, 1)]
    for api in (bobs, alices):
        for status in (api.get(f"/api/v1/statuses/{post_id}"), *alices.get("/api/v1/favourites"), alices.get("/api/v1/timelines/home")[0]):
            account = status["account"] if status["reblog"] is None else status["reblog"]["account"]
            assert (account["acct"], account["statuses_count"], account["followers_count"]) == (bob.name, 2, 1)
            assert account["last_status_at"] == status["created_at"][:10]


def test_several_tags(server, member, unique):
    """any[], all[] and none[] of a tag's timeline."""
    bob, _ = member("bob")
    one, two, three = (unique("many").replace("_", "") for _ in range(3))
    a, b, c, d = (bob.post(text) for text in (f"#{one}", f"#{two}", f"#{one} #{two}", f"#{one} #{three}"))
    path, anybody = f"/api/v1/timelines/tag/{one}", Api(server)
    assert ids(anybody.get(path)) == [d, c, a]
    assert ids(anybody.get(path, any=[two.upper(), "no tag"])) == [d, c, b, a]
    assert ids(anybody.get(path, all=[two])) == ids(anybody.get(f"{path}?all={two}")) == [c]
    assert ids(anybody.get(path, none=[two, three])) == [a]
    assert_walk(anybody, path + f"?any[]={two}&none[]={three}", [c, b, a], limit=2)
