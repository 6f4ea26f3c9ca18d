"""The API's people: oneself, others, how one stands to them, and the lists of both."""

import pytest

from api_client import Api, ids
from api_entities import check
from retwis_process import wait_until
from retwis_server import Browser

ACCOUNTS = "/api/v1/accounts"


@pytest.fixture(name="member")
def member_fixture(server, people):
    """member("bob"): what the apps of somebody new see."""
    return lambda stem: Api.of(server, people(server, stem).name)


def act(api, other, what, expect=200, **fields):
    """How one stands to another after this."""
    answer = api.post(f"{ACCOUNTS}/{other.id}/{what}", expect=expect, **fields)
    return check(answer, "Relationship") if expect == 200 else answer


def stand(api, other):
    """What is true of how one stands to another."""
    (found,) = check(api.get(f"{ACCOUNTS}/relationships", id=other.id), ["Relationship"])
    assert found["id"] == other.id
    return {name for name, value in found.items() if value is True}


def true_of(relationship):
    """Likewise of an answer."""
    return {name for name, value in relationship.items() if value is True}


def test_oneself(server, member):
    """verify_credentials, and every part of update_credentials, in each encoding; what was not sent stays."""
    bob = member("bob")
    assert bob.get(f"{ACCOUNTS}/{bob.id}") == {k: v for k, v in bob.account.items() if k not in ("source", "role")}
    own = check(bob.patch(f"{ACCOUNTS}/update_credentials", display_name=" Bob ", note="a <b>\n#tag", locked=True,
                          source={"privacy": "unlisted", "language": "es"},
                          fields_attributes=[{"name": "Web", "value": "https://example.org"}]), "CredentialAccount")
    assert (own["display_name"], own["locked"], own["source"]["note"]) == ("Bob", True, "a <b>\n#tag")
    assert (own["source"]["privacy"], own["source"]["language"]) == ("unlisted", "es")
    assert [(f["name"], f["value"]) for f in own["source"]["fields"]] == [("Web", "https://example.org")]
    assert bob.get("/api/v1/preferences") == {
        "posting:default:visibility": "unlisted", "posting:default:sensitive": False, "posting:default:language": "es",
        "reading:expand:media": "default", "reading:expand:spoilers": False, "reading:autoplay:gifs": False}
    own = bob.form("PATCH", f"{ACCOUNTS}/update_credentials", **{"fields_attributes[0][name]": "Home", "fields_attributes[0][value]": "Ulm",
                                                                 "locked": "False"})
    assert (own["display_name"], own["locked"], [f["name"] for f in own["fields"]]) == ("Bob", False, ["Home"])
    in_order = [("fields_attributes[][name]", "A"), ("fields_attributes[][value]", "1"), ("fields_attributes[][name]", "B"),
                ("fields_attributes[][value]", "2")]
    own = bob.ask("PATCH", f"{ACCOUNTS}/update_credentials", data=in_order).json
    assert [(f["name"], f["value"]) for f in own["source"]["fields"]] == [("A", "1"), ("B", "2")]
    answer = bob.ask("PATCH", f"{ACCOUNTS}/update_credentials", files={"display_name": (None, "")})
    assert (answer.json["display_name"], answer.json["source"]["note"]) == ("", "a <b>\n#tag")
    for wrong in ({"display_name": "x" * 51}, {"note": "x" * 501}, {"source": {"privacy": "secret"}}, {"source": {"language": "xx"}},
                  {"avatar": "data:image/png;base64,AAAA"}):
        assert "Validation failed" in bob.patch(f"{ACCOUNTS}/update_credentials", expect=422, **wrong, locked=True)["error"]
    assert bob.get(f"{ACCOUNTS}/verify_credentials")["locked"] is False, "nothing of what was refused was done"
    Api(server).get(f"{ACCOUNTS}/verify_credentials", expect=401)
    Api.of(server, bob.name, "read:statuses").get(f"{ACCOUNTS}/verify_credentials", expect=403)
    Api.of(server, bob.name, "read").patch(f"{ACCOUNTS}/update_credentials", expect=403, note="x")


def test_how_one_is_found(server, member, unique):
    """bot, discoverable, indexable, hide_collections: said by the API and on the page, kept, and true of what others find."""
    bob, carol, dan, nobody = member("bob"), member("carol"), member("dan"), Api(server)
    switches = ("bot", "discoverable", "indexable", "hide_collections")
    assert [bob.account[name] for name in switches] == [False, True, True, False]
    word = unique("word")
    post = bob.post("/api/v1/statuses", status=f"the {word}")
    act(bob, carol, "follow")
    act(dan, bob, "follow")
    act(carol, bob, "follow")
    act(dan, carol, "follow")
    hits = lambda api: ids(api.get("/api/v2/search", q=word, type="statuses")["statuses"])
    wait_until(lambda: hits(carol) == [post["id"]], 10, "the index")
    wait_until(lambda: len(dan.get(f"{ACCOUNTS}/{bob.id}/followers")) == 2, 10, "the other side")
    page, reader = Browser(server).sign_in(bob.name), Browser(server).sign_in(dan.name)
    profile = lambda: reader.get(f"/@{bob.name}")
    assert not profile().all(".badge") and profile().all(".common-known")
    own = check(bob.patch(f"{ACCOUNTS}/update_credentials", bot=True, discoverable="0", hide_collections=1), "CredentialAccount")
    assert [own[name] for name in switches] == [True, False, True, True]
    assert [own["source"][name] for name in switches[1:]] == [False, True, True]
    form = page.get("/settings/profile").form("form.settings-found")
    assert [form.values[name] for name in switches] == ["yes", "no", "yes", "yes"]
    assert hits(carol) == [post["id"]]
    assert page.submit(form, indexable="no").flash
    for reads in (carol, nobody):
        shown = check(reads.get(f"{ACCOUNTS}/{bob.id}"), "Account")
        assert [shown[name] for name in switches] == [True, False, False, True]
        assert reads.get(f"{ACCOUNTS}/{bob.id}/followers") == [] == reads.get(f"{ACCOUNTS}/{bob.id}/following")
        assert reads.get(f"/api/v1/statuses/{post['id']}")["account"]["bot"] is True
    assert (shown["followers_count"], shown["following_count"]) == (2, 1), "how many is no secret"
    assert ids(carol.get(f"{ACCOUNTS}/search", q=bob.name)) == [bob.id], "who looks for him finds him"
    assert hits(carol) == [] and hits(bob) == [post["id"]]
    assert len(bob.get(f"{ACCOUNTS}/{bob.id}/followers")) == 2 and len(bob.get(f"{ACCOUNTS}/{bob.id}/following")) == 1
    assert dan.get(f"{ACCOUNTS}/familiar_followers", id=[bob.id])[0]["accounts"] == []
    assert profile().one(".badge").text == "Automated" and not profile().all("p.common-known, p.common, p.common-following")
    assert reader.get(f"/@{bob.name}/followers").one(".empty").text == "These people are shown to nobody else."
    assert not reader.get(f"/@{bob.name}/following").all(".account-row") and page.get(f"/@{bob.name}/followers").all(".account-row")
    own = bob.patch(f"{ACCOUNTS}/update_credentials", bot="no idea", discoverable=True, indexable="true", hide_collections="False")
    assert [own[name] for name in switches] == [True, True, True, False], "what is no boolean changes nothing"
    assert hits(carol) == [post["id"]] and len(carol.get(f"{ACCOUNTS}/{bob.id}/followers")) == 2


def test_many_relationships(member):
    """Eighty at a time, as apps ask for them; also those that are there among many that are not."""
    ann, bob = member("ann"), member("bob")
    unknown = [str((1900000000000 << 16) + i) for i in range(78)]
    for name in ("id[]", "id"):
        answer = ann.ask("GET", f"{ACCOUNTS}/relationships", params=[(name, one) for one in [ann.id, *unknown, bob.id]])
        assert [one["id"] for one in answer.json] == [ann.id, bob.id]


def test_others(server, member):
    """Somebody by id and name, with his numbers; several in the order asked for; nobody."""
    bob, carol, nobody = member("bob"), member("carol"), Api(server)
    carol.post("/api/v1/statuses", status="one")
    last = carol.post("/api/v1/statuses", status="two")
    act(bob, carol, "follow")
    for reader in (bob, nobody):
        found = check(reader.get(f"{ACCOUNTS}/{carol.id}"), "Account")
        assert (found["statuses_count"], found["followers_count"], found["following_count"]) == (2, 1, 0)
        assert found["last_status_at"] == last["created_at"][:10]
        for name in (carol.name, carol.name.upper(), f"@{carol.name}", f"{carol.name}@{server.url.split('//')[1]}"):
            assert reader.get(f"{ACCOUNTS}/lookup", acct=name) == found
        assert ids(check(reader.get(ACCOUNTS, id=[carol.id, "7", bob.id]), ["Account"])) == [carol.id, bob.id]
        reader.get(f"{ACCOUNTS}/lookup", expect=404, acct=f"{carol.name}@elsewhere.example")
        for nothing in ("0", "7", "x", str(int(carol.id) + 1)):
            assert reader.get(f"{ACCOUNTS}/{nothing}", expect=404) == {"error": "Record not found"}
            reader.get(f"{ACCOUNTS}/{nothing}/statuses", expect=404)
            reader.get(f"{ACCOUNTS}/{nothing}/followers", expect=404)
        assert reader.get(f"{ACCOUNTS}/lookup", expect=404)
    found = bob.get(f"{ACCOUNTS}/search", q=carol.name)
    assert ids(check(found, ["Account"])) == [carol.id]
    assert found[0]["statuses_count"] == 2
    bob.get(f"{ACCOUNTS}/{'9' * 18}/follow", expect=405)
    bob.post(f"{ACCOUNTS}/{int(carol.id) + 1}/follow", expect=404)


def test_following(member):
    """Each change shows at once, twice is no mistake, and the other side sees it."""
    bob, carol = member("bob"), member("carol")
    assert stand(bob, carol) == set()
    for _ in range(2):
        assert true_of(act(bob, carol, "follow", reblogs=1, notify=0)) == {"following", "showing_reblogs"}
    wait_until(lambda: stand(carol, bob) == {"followed_by"}, 10, "the other side")
    act(carol, bob, "follow")
    wait_until(lambda: stand(bob, carol) == {"following", "showing_reblogs", "followed_by"}, 10, "the other side")
    for _ in range(2):
        assert "followed_by" not in act(bob, carol, "remove_from_followers") or not stand(bob, carol) & {"followed_by"}
    for _ in range(2):
        assert true_of(act(bob, carol, "unfollow")) == set()
    assert bob.post(f"{ACCOUNTS}/{bob.id}/follow", expect=403)["error"] == "This action is not allowed"
    both = bob.get(f"{ACCOUNTS}/relationships", id=[carol.id, "7", bob.id, carol.id])
    assert ids(both) == [carol.id, bob.id, carol.id]
    assert bob.get(f"{ACCOUNTS}/relationships") == []


def relation(api, other):
    """All that one's Relationship says."""
    return check(api.get(f"{ACCOUNTS}/relationships", id=[other.id]), ["Relationship"])[0]


def test_notes(server, member):
    """What one notes about somebody: for oneself alone, in any encoding, about anybody there, whatever stands between both."""
    bob, carol = member("bob"), member("carol")
    assert relation(bob, carol)["note"] == ""
    text = "<b>tall</b> & \u00e9\u4e2d\n\nsecond line"
    assert act(bob, carol, "note", comment=f"  {text}\r\n ")["note"] == text == relation(bob, carol)["note"]
    assert relation(carol, bob)["note"] == "" and text not in str(carol.get(f"{ACCOUNTS}/{carol.id}"))
    for _ in range(2):
        assert bob.form("POST", f"{ACCOUNTS}/{carol.id}/note", comment="x" * 2000)["note"] == "x" * 2000
    assert "Validation failed" in act(bob, carol, "note", expect=422, comment="\u00e9" * 2001)["error"]
    act(bob, carol, "note", expect=422, comment="a\x07b")
    assert relation(bob, carol)["note"] == "x" * 2000, "what was refused changed nothing"
    act(carol, bob, "block")
    wait_until(lambda: "blocked_by" in stand(bob, carol), 10, "the block")
    assert act(bob, carol, "note", comment="she blocks me")["note"] == "she blocks me"
    act(bob, bob, "note", expect=403, comment="me")
    bob.post(f"{ACCOUNTS}/{int(carol.id) + 1}/note", expect=404, comment="nobody")
    for empty in ({"comment": ""}, {}, {"comment": "\u3000 \n"}):
        assert act(bob, carol, "note", **empty)["note"] == ""
    small = Api.of(server, bob.name, "read write:follows")
    act(small, carol, "note", expect=403, comment="x")
    act(Api(server), carol, "note", expect=401, comment="x")
    act(bob, carol, "note", comment="she will go")
    server.cli("user", "delete", carol.name, "--yes")
    act(bob, carol, "note", expect=404, comment="gone")
    assert bob.get(f"{ACCOUNTS}/relationships", id=[carol.id]) == []
    server.cli("user", "delete", bob.name, "--yes")
    with server.engine() as engine:
        wait_until(lambda: not engine.keys(f"*:remarks:{bob.id}"), 10, "the clean-up")


def test_endorsements(server, member):
    """Whom one recommends: only whom one follows, for everybody to see, to the end by Link, until one does not follow any more."""
    bob, others, nobody = member("bob"), [member(f"e{n}") for n in range(4)], Api(server)
    own, path = "/api/v1/endorsements", f"{ACCOUNTS}/{bob.id}/endorsements"
    for what in ("pin", "endorse"):
        assert "must follow" in act(bob, others[0], what, expect=422)["error"]
        act(bob, bob, what, expect=403)
    assert nobody.get(path) == [] == bob.get(own)
    for other in others:
        act(bob, other, "follow")
        for what in ("pin", "endorse"):
            assert act(bob, other, what)["endorsed"] is True
    newest_first = [other.id for other in reversed(others)]
    for reader, where in ((bob, own), (nobody, path), (others[0], path)):
        assert ids(check(reader.all(where, limit=3), ["Account"])) == newest_first
        assert ids(reader.all_back(where, limit=3, min_id=1)) == newest_first
        reader.get(where, expect=400, limit=-1)
    assert others[0].get(own) == []
    for what in ("unpin", "unendorse", "unpin"):
        assert act(bob, others[3], what)["endorsed"] is False
    act(bob, others[2], "unfollow")
    act(others[1], bob, "block")
    wait_until(lambda: ids(nobody.get(path)) == [others[0].id], 10, "the block")
    assert relation(bob, others[1])["endorsed"] is False
    act(bob, others[0], "block")
    assert nobody.get(path) == []
    act(bob, others[0], "unblock")
    act(bob, others[0], "follow")
    assert relation(bob, others[0])["endorsed"] is False, "what ended does not come back"
    act(bob, others[0], "endorse")
    act(bob, others[3], "block")
    wait_until(lambda: "blocked_by" in stand(others[3], bob), 10, "the block")
    assert ids(nobody.get(path)) == [others[0].id] and others[3].get(path) == []
    nobody.get(f"{ACCOUNTS}/{int(bob.id) + 1}/endorsements", expect=404)
    server.cli("user", "delete", others[0].name, "--yes")
    wait_until(lambda: nobody.get(path) == [], 10, "the clean-up")
    small = Api.of(server, bob.name, "write:follows")
    act(small, others[3], "pin", expect=403)
    small.get(own, expect=403)


def test_follow_options(member):
    """Which boosts and languages of somebody stand in one's home: in effect at once, kept until they are changed, ended with following."""
    bob, carol, dan = member("bob"), member("carol"), member("dan")
    home = lambda: ids(bob.get("/api/v1/timelines/home"))
    options = lambda found: (found["following"], found["showing_reblogs"], found["languages"])
    hers = dan.post("/api/v1/statuses", status="from afar", language="es")
    assert options(act(bob, carol, "follow", reblogs=False)) == (True, False, None)
    plain = carol.post("/api/v1/statuses", status="plain", language="en")
    boost = carol.post(f"/api/v1/statuses/{hers['id']}/reblog")
    wait_until(lambda: plain["id"] in home(), 10, "the post")
    assert home() == [plain["id"]]
    assert options(act(bob, carol, "follow")) == (True, False, None), "what is not said stays"
    assert options(act(bob, carol, "follow", reblogs="no idea")) == (True, False, None)
    assert options(bob.form("POST", f"{ACCOUNTS}/{carol.id}/follow", reblogs="1")) == (True, True, None)
    assert home() == [boost["id"], plain["id"]]
    assert options(act(bob, carol, "follow", languages=["ES", "pt-BR", "es"])) == (True, True, ["es", "pt"])
    assert home() == [boost["id"]]
    unsaid = carol.post("/api/v1/statuses", status="in no language", language="")
    assert options(relation(bob, carol)) == (True, True, ["es", "pt"])
    for wrong in (["english"], ["e"], ["en", "!"], [f"{a}{b}" for a in "abcde" for b in "vwxyz"]):
        assert "Validation failed" in act(bob, carol, "follow", expect=422, languages=wrong)["error"]
    assert options(bob.form("POST", f"{ACCOUNTS}/{carol.id}/follow", **{"languages[]": "en"})) == (True, True, ["en"])
    assert boost["id"] not in home() and plain["id"] in home()
    assert options(bob.form("POST", f"{ACCOUNTS}/{carol.id}/follow", **{"languages[]": ""})) == (True, True, None)
    assert set(home()) == {boost["id"], plain["id"], unsaid["id"]}
    act(bob, carol, "follow", reblogs=False, languages=["ro"])
    assert options(act(bob, carol, "unfollow")) == (False, False, None)
    assert options(act(bob, carol, "follow")) == (True, True, None)
    carol.patch(f"{ACCOUNTS}/update_credentials", locked=True)
    eve = member("eve")
    assert act(eve, carol, "follow", reblogs=False)["requested"]
    wait_until(lambda: ids(carol.get("/api/v1/follow_requests")) == [eve.id], 10, "the request")
    carol.post(f"/api/v1/follow_requests/{eve.id}/authorize")
    wait_until(lambda: options(relation(eve, carol)) == (True, False, None), 10, "what was said when she asked")


def test_being_told(server, member):
    """notify: of each new post of his but answers to others, boosts and what is for single people; gone with the post, and with notify."""
    bob, carol, dan = member("bob"), member("carol"), member("dan")
    told = lambda api, **q: [(n["type"], n["status"]["id"]) for n in check(api.get("/api/v1/notifications", **q), ["Notification"]) if "status" in n]
    answer = act(bob, carol, "follow", notify=True)
    assert answer["notifying"] is True and relation(bob, carol)["notifying"] is True
    act(dan, carol, "follow")
    first = carol.post("/api/v1/statuses", status="first", visibility="private")
    hers = dan.post("/api/v1/statuses", status="hers")
    carol.post("/api/v1/statuses", status=f"@{dan.name} an answer", in_reply_to_id=hers["id"])
    carol.post("/api/v1/statuses", status=f"@{dan.name} psst", visibility="direct")
    carol.post(f"/api/v1/statuses/{hers['id']}/reblog")
    mention = carol.post("/api/v1/statuses", status=f"hello @{bob.name}")
    more = carol.post("/api/v1/statuses", status="more", in_reply_to_id=first["id"])
    wanted = [("status", more["id"]), ("mention", mention["id"]), ("status", first["id"])]
    wait_until(lambda: told(bob) == wanted, 10, "the notices")
    assert told(bob, types=["status"]) == [wanted[0], wanted[2]] and told(dan, types=["status"]) == []
    assert Browser(server).sign_in(bob.name).get("/notifications").text.count(f"/@{carol.name}/{more['id']}")
    assert act(bob, carol, "follow", reblogs=False)["notifying"] is True, "what is not said stays"
    carol.delete(f"/api/v1/statuses/{more['id']}")
    wait_until(lambda: told(bob) == wanted[1:], 10, "the clean-up")
    assert act(bob, carol, "follow", notify="0")["notifying"] is False
    quiet = carol.post("/api/v1/statuses", status="quiet")
    assert ("status", quiet["id"]) not in told(bob)
    carol.delete(f"/api/v1/statuses/{first['id']}")
    wait_until(lambda: told(bob) == wanted[1:2], 10, "the clean-up after who is told no more")
    act(bob, carol, "follow", notify=True)
    act(bob, carol, "unfollow")
    assert act(bob, carol, "follow")["notifying"] is False
    late = carol.post("/api/v1/statuses", status="late")
    act(bob, carol, "follow", notify=True)
    again = carol.post("/api/v1/statuses", status="again")
    wait_until(lambda: ("status", again["id"]) in told(bob), 10, "the notice")
    assert ("status", late["id"]) not in told(bob)
    act(carol, bob, "block")
    wait_until(lambda: told(bob) == [], 10, "the block")
    assert relation(bob, carol)["notifying"] is False
    with server.engine() as engine:
        assert not engine("ZRANGE", engine.one_key(f"*:watchers:{carol.id}"), "(0", "+inf", "BYSCORE")
    act(dan, carol, "follow", notify=1)
    server.cli("user", "delete", carol.name, "--yes")
    with server.engine() as engine:
        wait_until(lambda: not engine.keys(f"*:watchers:{carol.id}") and not engine.keys(f"*:ties:{dan.id}"), 10, "the clean-up")


def test_no_room_to_tell(server, member):
    """Somebody whom as many want to be told of as may: the next one learns that he is not."""
    bob, carol = member("bob"), member("carol")
    act(bob, carol, "follow", reblogs=False)
    with server.engine() as engine:
        watchers = engine.one_key(f"*:followers:{carol.id}").replace("followers", "watchers")
        engine("ZADD", watchers, *[word for n in range(1, 501) for word in (n, n)])
        try:
            assert true_of(act(bob, carol, "follow", notify=True)) == {"following"}
            engine("ZREM", watchers, 7)
            assert act(bob, carol, "follow", notify=True)["notifying"] is True
        finally:
            engine("ZREM", watchers, *range(1, 501))


def test_languages_on_pages(server, people):
    """In which languages one wants the posts of somebody, chosen on the profile, without JavaScript."""
    bob, carol = people(server, "bob", "carol")
    api, other = Api.of(server, bob.name), Api.of(server, carol.name)
    assert not bob.get(f"/@{carol.name}").all("form.speaks")
    act(api, other, "follow", reblogs=False)
    form = lambda: bob.get(f"/@{carol.name}").form("form.speaks")
    wanted = lambda: [relation(api, other)[name] for name in ("following", "showing_reblogs", "languages")]
    for typed, kept in (("EN, pt-BR,\nen", ["en", "pt"]), ("es zh", ["es", "zh"])):
        assert bob.submit(form(), languages=typed).form("form.speaks").values["languages"] == ",".join(kept)
        assert wanted() == [True, False, kept]
    for wrong in ("english", "en !", ",".join(f"{a}{b}" for a in "abcde" for b in "vwxyz")):
        assert "20" in bob.submit(form(), languages=wrong).one(".flash").text
        assert wanted() == [True, False, ["es", "zh"]]
    bob.action(f"/@{carol.name}/follow", reblogs="true")
    assert wanted() == [True, True, ["es", "zh"]], "what is not said stays"
    assert not bob.submit(form(), languages="").form("form.speaks").values["languages"]
    assert wanted() == [True, True, None]


def test_kept_on_pages(server, people):
    """The note, the recommendation and the boosts that one does not want, on the profile and without JavaScript."""
    bob, carol = people(server, "bob", "carol")
    profile = lambda: bob.get(f"/@{carol.name}")
    api = Api.of(server, bob.name)
    other = Api.of(server, carol.name)
    assert not profile().all("form.wishes") and not profile().one("details.person-note").get("open")
    noted = bob.submit(profile().form("form.remark"), comment=" tall\n<b> ")
    assert noted.flash and noted.form("form.remark").values["comment"] == "tall\n<b>"
    assert relation(api, other)["note"] == "tall\n<b>"
    refused = bob.submit(profile().form("form.remark"), comment="x" * 2001)
    assert refused.status == 422 and refused.one("#field-comment-error") and refused.form("form.remark").values["comment"] == "x" * 2001
    assert profile().form("form.remark").values["comment"] == "tall\n<b>"
    assert not carol.get(f"/@{bob.name}").form("form.remark").values["comment"]
    assert not bob.get(f"/@{bob.name}").all("form.remark") and not Browser(server).get(f"/@{carol.name}").all("form.remark")
    assert "follow" in bob.action(f"/@{carol.name}/endorse").flash and not relation(api, other)["endorsed"]
    bob.follow(carol.name)
    assert bob.submit(profile().form("form.remark"), comment="").form("form.remark").values["comment"] == ""
    for reblogs, shows in (("false", False), ("true", True)):
        assert profile().one("button.boosts")["value"] == reblogs
        bob.action(f"/@{carol.name}/follow", reblogs=reblogs, next=f"/@{carol.name}")
        assert relation(api, other)["showing_reblogs"] is shows
    for tells, told in (("true", True), ("false", False)):
        assert profile().one("button.tells")["value"] == tells
        bob.action(f"/@{carol.name}/follow", notify=tells, next=f"/@{carol.name}")
        assert relation(api, other)["notifying"] is told
    for act_now, endorsed in (("endorse", True), ("unendorse", False)):
        assert profile().one("button.endorse")["formaction"].endswith(f"/{act_now}")
        assert bob.action(f"/@{carol.name}/{act_now}").flash and relation(api, other)["endorsed"] is endorsed
    assert bob.action(f"/@{bob.name}/note", comment="me").flash and relation(api, api)["note"] == ""


def test_apart(server, member):
    """Blocks end following on both sides and forbid it; mutes with and without notifications, and with an end."""
    bob, carol = member("bob"), member("carol")
    act(bob, carol, "follow")
    act(carol, bob, "follow")
    wait_until(lambda: "followed_by" in stand(bob, carol), 10, "the other side")
    for _ in range(2):
        assert true_of(act(bob, carol, "block")) == {"blocking"}
    assert ids(check(bob.get("/api/v1/blocks"), ["Account"])) == [carol.id]
    wait_until(lambda: stand(carol, bob) == {"blocked_by"}, 10, "the other side")
    act(carol, bob, "follow", expect=403)
    for _ in range(2):
        assert true_of(act(bob, carol, "unblock")) == set()
    assert bob.get("/api/v1/blocks") == []
    for _ in range(2):
        assert true_of(act(bob, carol, "mute")) == {"muting", "muting_notifications"}
    assert true_of(act(bob, carol, "mute", notifications=False, duration=3600)) == {"muting"}
    (muted,) = check(bob.get("/api/v1/mutes"), ["Account"])
    assert muted["id"] == carol.id and muted["mute_expires_at"]
    assert true_of(bob.form("POST", f"{ACCOUNTS}/{carol.id}/mute", notifications="0", duration="0")) == {"muting"}
    assert bob.get("/api/v1/mutes")[0]["mute_expires_at"] is None
    for _ in range(2):
        assert true_of(act(bob, carol, "unmute")) == set()
    small = Api.of(server, bob.name, "read write:follows")
    for what in ("block", "unblock", "mute", "unmute"):
        act(small, carol, what, expect=403)
        act(Api(server), carol, what, expect=401)
    assert stand(bob, carol) == set()


def test_requests(member):
    """A locked account: asking, taking it back, letting in, rejecting."""
    bob, carol = member("bob"), member("carol")
    carol.patch(f"{ACCOUNTS}/update_credentials", locked=True)
    for _ in range(2):
        assert true_of(act(bob, carol, "follow")) == {"requested"}
    wait_until(lambda: ids(carol.get("/api/v1/follow_requests")) == [bob.id], 10, "the request")
    assert stand(carol, bob) == {"requested_by"}
    assert carol.get(f"{ACCOUNTS}/verify_credentials")["source"]["follow_requests_count"] == 1
    check(carol.post(f"/api/v1/follow_requests/{bob.id}/reject"), "Relationship")
    assert carol.post(f"/api/v1/follow_requests/{bob.id}/reject", expect=404)
    wait_until(lambda: stand(bob, carol) == set(), 10, "the answer")
    assert true_of(act(bob, carol, "follow")) == {"requested"}, "again"
    carol.post(f"/api/v1/follow_requests/{bob.id}/reject")
    wait_until(lambda: true_of(act(bob, carol, "follow")) == {"requested"}, 10, "once more")
    wait_until(lambda: ids(carol.get("/api/v1/follow_requests")) == [bob.id], 10, "the request")
    carol.post(f"/api/v1/follow_requests/{bob.id}/authorize")
    wait_until(lambda: "following" in stand(bob, carol) and stand(carol, bob) == {"followed_by"}, 10, "the answer")
    act(bob, carol, "unfollow")
    dan = member("dan")
    assert true_of(act(dan, carol, "follow")) == {"requested"}
    wait_until(lambda: ids(carol.get("/api/v1/follow_requests")) == [dan.id], 10, "the request")
    assert "requested_by" not in true_of(carol.post(f"/api/v1/follow_requests/{dan.id}/authorize"))
    wait_until(lambda: "following" in stand(dan, carol), 10, "the answer")
    assert stand(carol, dan) == {"followed_by"}
    act(bob, carol, "follow")
    assert true_of(act(bob, carol, "unfollow")) == set(), "asks no more"


def test_lists_of_people(server, member):
    """Followers and following to the end by Link, and back; lists, familiar followers."""
    bob, others = member("bob"), [member(f"o{n}") for n in range(5)]
    for other in others:
        act(bob, other, "follow")
        act(other, bob, "follow")
    newest_first = [other.id for other in reversed(others)]
    for kind in ("followers", "following"):
        path = f"{ACCOUNTS}/{bob.id}/{kind}"
        wait_until(lambda path=path: ids(others[0].get(path)) == newest_first, 10, "both sides")
        assert ids(check(others[0].all(path, limit=2), ["Account"])) == newest_first
        assert ids(others[0].all_back(path, limit=2, min_id=1)) == newest_first
        assert all(found["followers_count"] == 1 for found in others[0].get(path))
        others[0].get(path, expect=400, limit=-1)
    for other in others:
        act(bob, other, "mute")
    assert sorted(ids(bob.all("/api/v1/mutes", limit=2))) == sorted(newest_first)
    browser = Browser(server)
    browser.sign_in(bob.name)
    on, off = browser.make_list("On", others[0].name), browser.make_list("Off", others[1].name)
    assert [on.split("/")[-1], off.split("/")[-1]] == [check(bob.get(f"{ACCOUNTS}/{other.id}/lists"), ["List"])[0]["id"] for other in others[:2]]
    assert bob.get(f"{ACCOUNTS}/{others[2].id}/lists") == []
    act(others[1], others[0], "follow")
    wait_until(lambda: len(bob.get(f"{ACCOUNTS}/{others[0].id}/followers")) == 2, 10, "the other side")
    (known,) = bob.get(f"{ACCOUNTS}/familiar_followers", id=[others[0].id])
    assert known["id"] == others[0].id
    assert ids(check(known["accounts"], ["Account"])) == [others[1].id]


def test_statuses(server, member):
    """Somebody's posts: all, without answers, without boosts, pinned, with a tag, as each reader may see them."""
    bob, carol, nobody = member("bob"), member("carol"), Api(server)
    path = f"{ACCOUNTS}/{bob.id}/statuses"
    plain = bob.post("/api/v1/statuses", status="plain #chess")
    hers = carol.post("/api/v1/statuses", status="hers")
    answer = bob.post("/api/v1/statuses", status="answer", in_reply_to_id=hers["id"])
    own = bob.post("/api/v1/statuses", status="to myself", in_reply_to_id=plain["id"])
    boost = bob.post(f"/api/v1/statuses/{hers['id']}/reblog")
    secret = bob.post("/api/v1/statuses", status="secret", visibility="private")
    everything = [secret["id"], boost["id"], own["id"], answer["id"], plain["id"]]
    assert ids(check(bob.get(path), ["Status+"])) == everything
    for reader in (carol, nobody):
        assert ids(reader.get(path)) == everything[1:]
        assert ids(reader.get(path, exclude_replies="True")) == [boost["id"], own["id"], plain["id"]]
        assert ids(reader.get(path, exclude_reblogs=1)) == [own["id"], answer["id"], plain["id"]]
        assert ids(reader.get(path, exclude_replies=1, exclude_reblogs=1)) == [own["id"], plain["id"]]
        assert reader.get(path, only_media=True) == [] == reader.get(path, pinned=True)
        assert ids(reader.all(path, limit=1, exclude_reblogs=1)) == [own["id"], answer["id"], plain["id"]]
        assert ids(reader.all_back(path, limit=1, exclude_replies=1, min_id=1)) == [boost["id"], own["id"], plain["id"]]
        assert ids(reader.get(path, min_id=plain["id"], limit=1)) == [answer["id"]]
        assert ids(reader.get(path, since_id=own["id"])) == [boost["id"]]
    bob.post(f"/api/v1/statuses/{plain['id']}/pin")
    assert ids(carol.get(path, pinned=True)) == [plain["id"]]
    assert ids(carol.get(path, tagged="chess")) == [plain["id"]]
    assert carol.get(path, tagged="other") == []
    act(bob, carol, "block")
    wait_until(lambda: ids(carol.get(path)) == [], 10, "the block")


# --- people whom nobody looked for ---


def write(who, text):
    """The id of a public post."""
    return who.post("/api/v1/statuses", status=text)["id"]


def test_suggestions(server, member):
    """Who wrote in public last, each once; not oneself, whom one follows or has blocked, who does not want it, or was dismissed."""
    writers, bob = [member("writer") for _ in range(6)], member("bob")
    for who in (*writers, bob):
        write(who, "something")
    followed, blocked, shy, dismissed, once, twice = writers
    act(bob, followed, "follow")
    act(bob, blocked, "block")
    shy.patch(f"{ACCOUNTS}/update_credentials", discoverable=False)
    write(twice, "something else")

    def mine():
        return [p["id"] for p in bob.get("/api/v1/suggestions", limit=80) if p["id"] in [w.id for w in (*writers, bob)]]

    assert mine() == [twice.id, once.id, dismissed.id]
    assert bob.delete(f"/api/v1/suggestions/{dismissed.id}") == {} and bob.delete(f"/api/v1/suggestions/{dismissed.id}") == {}
    assert mine() == [twice.id, once.id]
    found = bob.get("/api/v2/suggestions", limit=80)
    assert [s["account"]["id"] for s in found][:2] == [twice.id, once.id] and {s["source"] for s in found} == {"global"}
    assert len(bob.get("/api/v2/suggestions", limit=1)) == 1
    bob.delete("/api/v1/suggestions/nobody", expect=404)
    bob.delete(f"/api/v1/suggestions/{int(bob.id) + 7}", expect=404)
    Api(bob.server).get("/api/v1/suggestions", expect=401)
    server.cli("user", "delete", bob.name, "--yes")
    with server.engine() as engine:
        wait_until(lambda: not engine.keys(f"*:unsuggested:{bob.id}"), 10, "the clean-up")


def test_directory(member):
    """Newest first, or who wrote last; by offset to the end; not who does not want to be found, or stands apart."""
    first, shy, blocked, bob = [member(stem) for stem in ("first", "shy", "blocked", "bob")]
    shy.patch(f"{ACCOUNTS}/update_credentials", discoverable=False)
    for who in (bob, blocked, shy, first):
        write(who, "here")
    act(bob, blocked, "block")
    everybody = [who.id for who in (first, shy, blocked, bob)]

    def listed(api, **query):
        return [p["id"] for p in api.get("/api/v1/directory", limit=80, **query) if p["id"] in everybody]

    nobody = Api(bob.server)
    assert listed(bob, order="new") == [bob.id, first.id] and listed(bob) == [first.id, bob.id] == listed(bob, order="active", local=True)
    assert listed(nobody, order="new") == [bob.id, blocked.id, first.id]
    whole, pages = ids(nobody.get("/api/v1/directory", order="new", limit=80)), []
    while page := ids(nobody.get("/api/v1/directory", order="new", limit=3, offset=len(pages))):
        pages += page
    assert pages[:80] == whole and len(set(pages)) == len(pages)
    assert nobody.get("/api/v1/directory", offset=10**15) == []
    nobody.get("/api/v1/directory", offset=-1, expect=400)


# --- what Mastodon's API has no words for ---


def test_many_are_followed_at_once(member):
    """One answer for each id: there or not, oneself, blocked, locked, sent twice; a hundred at most."""
    bob, open_one, locked, blocker, known = [member(stem) for stem in ("bob", "open", "locked", "blocker", "known")]
    locked.patch(f"{ACCOUNTS}/update_credentials", locked=True)
    act(blocker, bob, "block")
    act(bob, known, "follow")
    nobody = str(int(bob.id) + 7)

    def ask(what, *these, expect=200):
        answer = bob.post(f"/api/retwis/v1/{what}", expect=expect, id=list(these))
        return {one["id"]: one["result"] for one in answer} if expect == 200 else answer

    found = ask("follow", open_one.id, open_one.id, locked.id, blocker.id, known.id, nobody, bob.id)
    assert list(found) == [open_one.id, locked.id, blocker.id, known.id, nobody, bob.id]
    assert list(found.values()) == ["followed", "requested", "refused", "unchanged", "unknown", "self"]
    assert "following" in stand(bob, open_one) and "requested" in stand(bob, locked)
    assert set(ask("unfollow", open_one.id, known.id, locked.id).values()) == {"unfollowed"}
    assert not {"following", "requested"} & (stand(bob, open_one) | stand(bob, locked))
    assert ask("unfollow", open_one.id) == {open_one.id: "unchanged"}
    ask("follow", *[str(int(bob.id) + i) for i in range(101)], expect=422)
    ask("follow", *[str(int(bob.id) + i) for i in range(1000)], expect=400)
    ask("follow", "somebody", expect=422)
    ask("follow", expect=422)


def test_in_common(member):
    """Who follows both, whom one knows among the other's followers, whom both follow; nothing of who hides it."""
    bob, other, third = member("bob"), member("other"), member("third")
    for one, follows in ((bob, third), (third, bob), (third, other), (other, third)):
        act(one, follows, "follow")

    def shared(kind):
        found = bob.get(f"/api/retwis/v1/accounts/{other.id}/common")[kind]
        return found["count"], ids(found["accounts"])

    wait_until(lambda: shared("followers") == (1, [third.id]), 10, "the other side of following")
    assert shared("known") == shared("following") == (1, [third.id])
    other.patch(f"{ACCOUNTS}/update_credentials", hide_collections=True)
    assert [shared(kind) for kind in ("followers", "known", "following")] == [(0, [])] * 3
    bob.get(f"/api/retwis/v1/accounts/{int(bob.id) + 7}/common", expect=404)


def test_where_posts_came_from(member):
    """Written by oneself, by whom one follows, boosted by him, with a tag that one follows; and what does not stand in the home."""
    bob, friend, stranger = member("bob"), member("friend"), member("stranger")
    tag = "t" + bob.name
    act(bob, friend, "follow")
    bob.post(f"/api/v1/tags/{tag}/follow")
    own, by_friend = write(bob, "mine"), write(friend, f"both #{tag}")
    tagged, other = write(stranger, f"a #{tag}"), write(stranger, "nothing")
    secret = stranger.post("/api/v1/statuses", status="few", visibility="private")["id"]
    boost = friend.post(f"/api/v1/statuses/{other}/reblog")["id"]
    german = friend.post("/api/v1/statuses", status="nur so", language="de")["id"]

    def reasons():
        """As told, and none but for what stands in the home."""
        answer = bob.get("/api/retwis/v1/timelines/home/origins", id=[own, by_friend, tagged, other, secret, boost, german])
        why = {one["id"]: [(r["kind"], r.get("tag") or r["account"]["id"]) for r in one["reasons"]] for one in answer}
        assert {one["id"] for one in bob.get("/api/v1/timelines/home") if one["id"] in why} == {i for i, some in why.items() if some}
        return why

    every = {own: [("own", bob.id)], by_friend: [("following", friend.id), ("tag", tag)], tagged: [("tag", tag)], other: [],
             boost: [("boost", friend.id)], german: [("following", friend.id)]}
    assert reasons() == every
    bob.post(f"{ACCOUNTS}/{friend.id}/follow", reblogs=False, languages=["en"])
    assert reasons() == {**every, boost: [], german: []}
    bob.post(f"{ACCOUNTS}/{friend.id}/follow", reblogs=True, languages=[])
    list_id = bob.post("/api/v1/lists", title="apart", exclusive=True)["id"]
    bob.post(f"/api/v1/lists/{list_id}/accounts", account_ids=[friend.id])
    assert reasons() == {**every, by_friend: [], boost: [], german: []}


def test_numbers_of_the_site(member):
    """Those of /about."""
    bob = member("bob")
    assert bob.get("/api/retwis/v1/site")["users"] == bob.get("/api/v1/instance")["stats"]["user_count"] > 0
