"""Posts by the API, what goes beyond writing them: sensitive ones, and filters of several words and of single posts."""

import threading

import mastodon
import pytest

from api_client import Api, ids
from api_entities import check

STATUSES = "/api/v1/statuses"


@pytest.fixture(scope="module")
def people(push_server):
    """Two who know each other's names."""
    return [Api.sign_up(push_server, name) for name in ("posts_alice", "posts_bob")]


def test_sensitive(people):
    """Kept with the post, in each version of it, and by everybody's posts who prefers so; the pages show the words, and lose nothing."""
    alice, bob = people
    post = check(alice.post(STATUSES, status="a picture of a spider", sensitive=True, spoiler_text=""), "Status+")
    path = f"{STATUSES}/{post['id']}"
    assert post["sensitive"] is True and post["spoiler_text"] == "" and bob.get(path)["sensitive"] is True
    assert alice.form("POST", STATUSES, status="two", sensitive="0")["sensitive"] is False
    assert alice.post(STATUSES, status="three", sensitive=False, spoiler_text="why")["sensitive"] is True  # a warning says so too
    assert bob.post(f"{path}/reblog")["sensitive"] is True and bob.post(f"{path}/unreblog")["sensitive"] is True
    shown = bob.browser.get(f"/@posts_alice/{post['id']}")
    assert "a picture of a spider" in shown.text and not shown.all("details.warned")

    def sensitive():
        return [v["sensitive"] for v in check(bob.get(f"{path}/history"), ["StatusEdit"])]
    assert sensitive() == [True]
    assert alice.put(path, status="a spider")["sensitive"] is True  # what is not said stays
    alice.browser.action(f"/posts/{post['id']}/edit", status="a large spider")  # the pages do not ask
    assert sensitive() == [True, True, True]
    edited = alice.put(path, status="a large spider", sensitive="false")["edited_at"]
    assert sensitive() == [True, True, True, False] and alice.get(path)["sensitive"] is False
    assert alice.put(path, status="a large spider", sensitive=0)["edited_at"] == edited  # nothing has changed
    assert alice.put(path, status="a large spider", sensitive=1)["sensitive"] and sensitive() == [True, True, True, False, True]
    alice.put(path, status="a large spider", sensitive=0, spoiler_text="legs")
    assert alice.put(path, status="a large spider", spoiler_text="")["sensitive"] is False  # the warning said so, nobody else
    assert sensitive()[-2:] == [True, False]
    [first, second] = [alice.ask("POST", STATUSES, json={"status": "once", "sensitive": on}, headers={"Idempotency-Key": "s"}).json for on in (False, True)]
    assert first["id"] != second["id"] and second["sensitive"]  # another post is meant


def test_sensitive_as_one_prefers(people):
    """By the account's source, by the page of preferences; what is said of a post counts."""
    bob = people[1]
    assert bob.get("/api/v1/preferences")["posting:default:sensitive"] is False
    own = bob.patch("/api/v1/accounts/update_credentials", source={"sensitive": True})
    assert own["source"]["sensitive"] is True and own["source"]["privacy"] == "public"
    assert bob.get("/api/v1/preferences")["posting:default:sensitive"] is True
    assert bob.post(STATUSES, status="mine")["sensitive"] is True and bob.post(STATUSES, status="mine", sensitive=False)["sensitive"] is False
    by_page = bob.browser.action("/posts", status="by the page", visibility="public")
    assert bob.get(f"{STATUSES}/{by_page.statuses[0].id}")["sensitive"] is True
    assert bob.patch("/api/v1/accounts/update_credentials", display_name="Bob")["source"]["sensitive"] is True
    form = bob.browser.get("/settings/preferences").form("/settings/preferences")
    assert form.values["sensitive"] == "yes"
    bob.browser.submit(form, sensitive="no")
    assert bob.post(STATUSES, status="mine")["sensitive"] is False


FILTERS = "/api/v2/filters"


def filtered(api, post):
    """What the home says of a post: titles, words and posts of each filter that it meets; None: it is not there."""
    for shown in api.get("/api/v1/timelines/home"):
        if shown["id"] == post["id"]:
            return [(r["filter"]["title"], r["keyword_matches"], r["status_matches"]) for r in shown["filtered"]]
    return None


@pytest.fixture(scope="module")
def readers(push_server):
    """Somebody who reads, and whom he reads."""
    reader, writer = (Api.sign_up(push_server, name) for name in ("filter_reader", "filter_writer"))
    reader.post(f"/api/v1/accounts/{writer.id}/follow")
    return reader, writer


def test_filter_of_many_words(readers):
    """Made at once, and changed at once: words added, changed and taken away by what one PUT says of them."""
    reader, writer = readers
    food = check(reader.post(FILTERS, title="Food", context=["home"], filter_action="warn", keywords_attributes=[
        {"keyword": "tea"}, {"keyword": "cak", "whole_word": False}, {"keyword": "soup", "whole_word": "1"}]), "Filter")
    assert [(k["keyword"], k["whole_word"]) for k in food["keywords"]] == [("tea", True), ("cak", False), ("soup", True)]
    path, (tea, cake, soup) = f"{FILTERS}/{food['id']}", food["keywords"]
    assert len({k["id"] for k in food["keywords"]}) == 3 and reader.get(path) == food and reader.get(FILTERS) == [food]
    row = reader.browser.get("/settings/filters").one(".filter")
    assert row.one(".name").text == "Food" and row.one(".acct").text.startswith("tea, cak, soup: Home")
    post = writer.post(STATUSES, status="cakes and tea")
    assert filtered(reader, post) == [("Food", ["tea", "cak"], None)] and filtered(writer, post) == []
    changed = check(reader.put(path, keywords_attributes=[{"id": tea["id"], "_destroy": True}, {"id": cake["id"], "keyword": "cakes", "whole_word": True},
                                                          {"keyword": "coffee"}]), "Filter")
    assert [k["keyword"] for k in changed["keywords"]] == ["cakes", "soup", "coffee"] and changed["title"] == "Food"
    assert changed["keywords"][0]["id"] == cake["id"] and changed["keywords"][1] == soup
    assert filtered(reader, post) == [("Food", ["cakes"], None)]
    by_form = reader.form("PUT", path, **{"keywords_attributes[7][id]": soup["id"], "keywords_attributes[7][_destroy]": "1",
                                          "keywords_attributes[9][keyword]": "milk", "keywords_attributes[9][whole_word]": "false"})
    assert [k["keyword"] for k in by_form["keywords"]] == ["cakes", "coffee", "milk"]
    unnumbered = reader.ask("PUT", path, data=[("keywords_attributes[][keyword]", "a"), ("keywords_attributes[][whole_word]", "0"),
                                               ("keywords_attributes[][keyword]", "b")]).json["keywords"][3:]
    assert [(k["keyword"], k["whole_word"]) for k in unnumbered] == [("a", False), ("b", True)]
    for gone in (soup["id"], tea["id"], "1"):
        reader.put(path, expect=404, keywords_attributes=[{"id": gone, "keyword": "x"}])
    reader.put(path, expect=422, keywords_attributes=[{"keyword": "x" * 101}])
    full = reader.put(path, keywords_attributes=[{"keyword": f"w{n}"} for n in range(25)])["keywords"]
    assert len(full) == 30
    assert "30" in reader.put(path, expect=422, keywords_attributes=[{"keyword": "more"}])["error"]
    reader.post(f"{path}/keywords", expect=422, keyword="more")
    swapped = reader.put(path, keywords_attributes=[{"keyword": "more"}, {"id": full[0]["id"], "_destroy": "true"}])["keywords"]
    assert len(swapped) == 30 and swapped[-1]["keyword"] == "more", "what goes makes room for what comes"
    many = {f["phrase"]: f for f in check(reader.get("/api/v1/filters"), ["V1_Filter"])}
    assert len(many) == 30 and reader.get(f"/api/v1/filters/{many['milk']['id']}")["phrase"] == "milk"
    assert reader.put(f"/api/v1/filters/{many['milk']['id']}", phrase="cream", context=["home"])["phrase"] == "cream"
    assert reader.get(path)["title"] == "Food"
    reader.delete(f"/api/v1/filters/{many['more']['id']}")
    assert len(reader.get(path)["keywords"]) == 29
    for keyword in reader.get(f"{path}/keywords"):
        assert reader.delete(f"{FILTERS}/keywords/{keyword['id']}") == {}
        reader.delete(f"{FILTERS}/keywords/{keyword['id']}", expect=404)
    assert reader.get(path)["keywords"] == [] and filtered(reader, post) == []
    reader.delete(path)


def test_filter_of_single_posts(readers):
    """Whatever they say, and boosts of them; nobody filters what he may not see; what was deleted does no harm."""
    reader, writer = readers
    post, other, secret = (writer.post(STATUSES, status=text, visibility=v) for text, v in (("one", "public"), ("two", "public"), ("three", "direct")))
    made = reader.post(FILTERS, title="enough", context=["home"], filter_action="blur")
    assert made["filter_action"] == "blur" and made["statuses"] == []
    path = f"{FILTERS}/{made['id']}/statuses"
    entry = check(reader.post(path, status_id=post["id"]), "FilterStatus")
    assert entry["status_id"] == post["id"] and reader.post(path, status_id=post["id"]) == entry, "twice is once"
    assert check(reader.get(path), ["FilterStatus"]) == [entry] == reader.get(f"{FILTERS}/{made['id']}")["statuses"]
    assert reader.get(f"{FILTERS}/statuses/{entry['id']}") == entry
    for absent in (secret["id"], "5", "abc", ""):
        reader.post(path, expect=404, status_id=absent)
    assert filtered(reader, post) == [("enough", None, [post["id"]])] and filtered(reader, other) == []
    reader.post(f"{FILTERS}/{made['id']}/keywords", keyword="one")
    assert filtered(reader, post) == [("enough", ["one"], [post["id"]])]
    assert not reader.browser.get("/home").all("details.filtered"), "there are no pictures to blur"
    reader.put(f"{FILTERS}/{made['id']}", filter_action="warn")
    assert "Filtered: enough" in reader.browser.get("/home").text
    second = reader.form("POST", path, status_id=other["id"])
    writer.delete(f"{STATUSES}/{other['id']}")
    assert [e["status_id"] for e in reader.get(path)] == [post["id"], other["id"]]
    for foreign in (writer.get, writer.delete):
        foreign(f"{FILTERS}/statuses/{second['id']}", expect=404)
    writer.post(path, expect=404, status_id=post["id"])
    reader.put(f"{FILTERS}/{made['id']}", filter_action="hide")
    assert filtered(reader, post) is None
    for one in (entry, second):
        assert reader.delete(f"{FILTERS}/statuses/{one['id']}") == {} and reader.delete(f"{FILTERS}/statuses/{one['id']}", expect=404)
    assert filtered(reader, post) is None and reader.get(path) == []
    reader.delete(f"{FILTERS}/{made['id']}")
    reader.get(path, expect=404)
    assert filtered(reader, post) == []


def test_filter_changed_by_two_at_once(readers):
    """Words that several add at the same time are all there."""
    reader, _ = readers
    path = f"{FILTERS}/{reader.post(FILTERS, title='at once', context=['home'])['id']}/keywords"
    def add(number):
        for word in range(3):
            Api(reader.server, reader.token).post(path, keyword=f"w{number}{word}")
    threads = [threading.Thread(target=add, args=(number,)) for number in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    words = reader.get(path)
    assert sorted(k["keyword"] for k in words) == [f"w{n}{w}" for n in range(3) for w in range(3)] and len(set(ids(words))) == 9


def test_tagged(people):
    """What somebody wrote with a tag: at once, in every spelling, for those who may see it, by pages in both directions, in two round trips."""
    alice, bob = people
    path = f"/api/v1/accounts/{alice.id}/statuses"
    tagged = []
    for number in range(30):
        text, has = ((f"{number} #Café", True), (f"{number} ＃CAFÉ, #tea", True), (f"{number} #cafés café", False))[number % 3]
        post = alice.post(STATUSES, status=text, visibility=("public", "unlisted")[number % 2])
        tagged += [post["id"]] if has else []
    reply = alice.post(STATUSES, status="@posts_bob #café", in_reply_to_id=bob.post(STATUSES, status="x")["id"])["id"]
    alice.post(f"{STATUSES}/{bob.post(STATUSES, status='#café by another')['id']}/reblog")
    secret = alice.post(STATUSES, status="#café for followers", visibility="private")["id"]
    tagged = tagged[::-1]
    assert ids(bob.get(path, tagged="CAFÉ", limit=40)) == [reply, *tagged] and ids(alice.get(path, tagged="café"))[0] == secret
    assert ids(bob.get(path, tagged="café", exclude_replies=True, limit=40)) == tagged
    assert ids(bob.all(path, tagged="café", limit=3)) == [reply, *tagged]
    assert ids(bob.all_back(path, tagged="café", limit=3, min_id=1)) == [reply, *tagged]
    assert ids(bob.get(path, tagged="café", min_id=tagged[-1], limit=2)) == tagged[-3:-1]
    assert ids(bob.get(path, tagged="café", max_id=tagged[4], limit=2)) == tagged[5:7]
    assert ids(bob.get(path, tagged="café", since_id=tagged[4], limit=2)) == [reply, tagged[0]]
    assert ids(bob.get(path, tagged="tea")) == tagged[::2] or ids(bob.get(path, tagged="tea")) == tagged[1::2]
    assert bob.get(path, tagged="caf") == [] == bob.get(path, tagged="no tag") == bob.get(path, tagged="'; x")
    assert alice.server.trips(bob.ask("GET", path, params={"tagged": "tea"})) <= 2


def test_tagged_behind_many_others(people):
    """Whoever follows Link finds what stands behind thousands of posts without the tag, each page in two round trips."""
    _, bob = people
    carol = Api.sign_up(bob.server, "posts_carol")
    path = f"/api/v1/accounts/{carol.id}/statuses"
    old = [carol.post(STATUSES, status=text)["id"] for text in ("first #oolong", "second #oolong", "without")]
    with carol.server.engine() as engine:
        key = engine.one_key(f"*:posts:{carol.id}")
        engine("ZADD", key, *(word for n in range(1, 4501) for word in (0, int(old[-1]) + n)))
        empty = bob.ask("GET", path, params={"tagged": "oolong"})
        assert empty.json == [] and set(empty.links) == {"next"} and bob.server.trips(empty) <= 2
        assert "tagged=oolong" in empty.links["next"]
        theirs = mastodon.Mastodon(access_token=bob.token, api_base_url=bob.server.url)
        assert theirs.account_statuses(carol.id, tagged="oolong") == [], "Mastodon.py does not fail"
        assert [ids(page) for page in bob.pages(path, tagged="oolong")] == [[], [], old[1::-1]]
        upwards = [ids(page) for page in bob.pages(path, back=True, tagged="oolong", min_id=old[0])]
        assert upwards[0] == [old[1]] and not any(upwards[1:])
        since = bob.ask("GET", path, params={"tagged": "oolong", "since_id": int(old[-1]) + 4400})
        assert since.json == [] and since.links == {}
        engine("ZREM", key, *(int(old[-1]) + n for n in range(1, 4501)))
