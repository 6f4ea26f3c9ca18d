"""`retwis demo fill`: invented people, relations and posts; what pages show of them is what the data say."""

import re

import pytest

from api_client import Api
from retwis_server import Browser, Server

PASSWORD = "retwis demo"
SMALL = ["--users", "120", "--posts", "1500", "--followers-max", "70", "--seed", "7"]


class Data:
    """Everything of a site, read past the server."""

    def __init__(self, server):
        self.server = server
        with server.engine() as engine:
            keys = engine.keys()
            self.names = {}
            self.records = {}
            for key in keys:
                if "}:user:" in key:
                    fields = engine("HGETALL", key)
                    record = {k.decode(): v.decode() for k, v in zip(fields[::2], fields[1::2])}
                    uid = key.rsplit(":", 1)[1]
                    self.names[uid] = record["name"]
                    self.records[record["name"]] = record
            self.following = self._sets(engine, keys, "following")
            self.followers = self._sets(engine, keys, "followers")
            self.posts, self.boosts = {}, {}
            for name, ids in self._sets(engine, keys, "posts", names=False).items():
                self.posts[name] = sorted(ids)
            self.text, self.post = {}, {}
            for key in keys:
                if "}:post:" in key:
                    fields = engine("HGETALL", key)
                    record = {k.decode(): v.decode() for k, v in zip(fields[::2], fields[1::2])}
                    post = key.rsplit(":", 1)[1]
                    if "boost" in record:
                        self.boosts[post] = record
                    else:
                        self.post[post] = record
                        self.text[post] = record["text"]
            self.apart = {self.names[key.rsplit(":", 1)[1]]: {self.names[uid.decode()] for uid in engine("HKEYS", key)}
                          for key in keys if "}:apart:" in key}
            self.taggers = {self.names[key.rsplit(":", 1)[1]] for key in keys if "}:interests:" in key}
            self.pins = self._sets(engine, keys, "pins", names=False)
            self.own = {name: own for name, ids in self.posts.items() if (own := [i for i in ids if i in self.post])}

    def _sets(self, engine, keys, word, names=True):
        out = {}
        for key in keys:
            if f"}}:{word}:" in key:
                ids = [m.decode() for m in engine("ZRANGE", key, 0, -1)]
                out[self.names[key.rsplit(":", 1)[1]]] = {self.names[i] for i in ids} if names else ids
        return out

    def public(self):
        """Ids of the posts that are for all."""
        return {post for post, record in self.post.items() if not record.get("visibility")}

    def story(self):
        """What follows from the seed: people, relations, and who wrote what in which order."""
        people = {name: (r["display"], r["bio"]) for name, r in self.records.items()}
        texts = {name: [self.text[i] for i in ids] for name, ids in self.own.items()}
        boosts = {(self.names[r["author"]], self.text[r["boost"]]) for r in self.boosts.values()}
        return people, self.following, texts, boosts

    def home(self, name):
        """Ids of somebody's home, newest first."""
        return self.home_of(name, self.following.get(name, set()))

    def home_of(self, name, followed):
        """The same of whoever follows these: without what they answered to others."""
        def is_shown(author, post):
            to = self.post[post].get("reply_author", ":").split(":")[1]
            return not to or author == name or to in followed | {name, author}
        return sorted((i for n in followed | {name} for i in self.own.get(n, []) if is_shown(n, i)), reverse=True)


    def boosted_home(self, name, shown):
        """Whether the pages of a home show all of that, and what those people boosted, each once or, far apart, again; of whom he keeps apart
        nothing."""
        home, people = self.home(name), self.following.get(name, set()) | {name}
        boosted = {r["boost"] for r in self.boosts.values() if self.names[r["author"]] in people
                   and self.names[self.post[r["boost"]]["author"]] not in self.apart.get(name, set())}
        once = [i for i in shown if i not in boosted]
        return once == [i for i in home if i not in boosted] and set(shown) == set(home) | boosted


@pytest.fixture(name="town", scope="module")
def fixture_town():
    """A filled site; the tests only read."""
    with Server() as server:
        server.cli("demo", "fill", *SMALL)
        yield server, Data(server)


def test_counts(town):
    """As many as wanted, everything on both sides, and the data keep their rules."""
    server, data = town
    assert len(data.records) == 120 and len(data.post) == 1500
    assert sum(map(len, data.own.values())) == 1500
    assert 20 < len(data.boosts) < 150 and set(r["boost"] for r in data.boosts.values()) <= set(data.post)
    sizes = sorted((len(f) for f in data.followers.values()), reverse=True)
    assert sizes[0] == 70 and sizes[len(sizes) // 2] < 20, "few have many, many have few"
    assert {(a, b) for a, them in data.following.items() for b in them} == \
        {(a, b) for b, them in data.followers.items() for a in them}
    assert not any(name in them for name, them in data.following.items())
    assert server.cli("check", "--homes").count("\n") == 1


def test_choices(town):
    """Some have a list of people whom they do not follow, exclusive or not, and some have muted a conversation of theirs."""
    server, data = town
    with server.engine() as engine:
        lists = [dict(zip(r[::2], r[1::2])) for key in engine.keys("*:list:*")
                 for r in [[word.decode() for word in engine("HGETALL", key)]]]
        quiet = [root.decode() for key in engine.keys("*:quiet:*") for root in engine("ZRANGE", key, 0, -1)]
    assert len(lists) > 3 and {r.get("exclusive", "0") for r in lists} == {"0", "1"}
    assert len({r["owner"] for r in lists}) == len(lists)
    assert len(quiet) > 5 and set(quiet) <= set(data.post)


def test_followed_tags(town):
    """Some follow tags, of those that posts have."""
    server, _ = town
    with server.engine() as engine:
        followed = [tag.decode() for key in engine.keys("*:interests:*") for tag in engine("ZRANGE", key, 0, -1)]
        used = {key.split(":tag:")[1] for key in engine.keys("*:tag:*")}
    assert len(followed) > 5 and len(set(followed) & used) > 3
    assert Browser(server).get("/tags").all(".tag-use"), "some tags are used by many"


def test_safety(town):
    """Some keep others apart, never those whom they follow; some are locked and asked; some filter; some prefer. Both sides say the same."""
    _, data = town
    with data.server.engine() as engine:
        letters = {value.decode()[0] for key in engine.keys("*:apart:*") for value in engine("HVALS", key)}
        asked = {(key.rsplit(":", 1)[1], uid.decode()) for key in engine.keys("*:asked:*") for uid in engine("ZRANGE", key, 0, -1)}
        asks = {(uid.decode(), key.rsplit(":", 1)[1]) for key in engine.keys("*:requests:*") for uid in engine("ZRANGE", key, 0, -1)}
        assert len(engine.keys("*:filters:*")) > 2
    assert {"b", "B", "m"} <= letters
    assert not any(data.apart[name] & (data.following.get(name, set()) | data.followers.get(name, set())) for name in data.apart)
    locked = {uid for uid, name in data.names.items() if data.records[name].get("locked") == "1"}
    assert len(asks) > 2 and asks == asked and {to for _, to in asks} <= locked
    assert {r.get("theme") for r in data.records.values()} >= {"dark", "light"}


def test_reactions(town):
    """Favourites, bookmarks, pins and edits of new posts, some of which say where they were written; and people were told of what concerns them."""
    server, data = town
    with data.server.engine() as engine:
        sizes = {word: len(engine.keys(f"*:{word}:*")) for word in ("favourites", "favourited", "bookmarks", "pins", "history", "notices")}
    assert sizes["favourites"] > 100 and sizes["bookmarks"] > 20 and sizes["history"] > 10 and sizes["pins"] > 5
    assert len([r for r in data.post.values() if r.get("place")]) > 10
    told = {data.names[r["reply_author"].split(":")[0]] for r in data.post.values()
            if "reply_to" in r and r["reply_author"].split(":")[0] != r["author"]}
    name = sorted(told - set(data.apart))[0]
    assert Browser(server).sign_in(name, PASSWORD).get("/notifications").all("[data-kind=reply]")


def test_times(town):
    """In the past, some of them lately, and nobody wrote before he was there."""
    _, data = town
    uids = {name: uid for uid, name in data.names.items()}
    for name, ids in data.own.items():
        assert int(ids[0]) >> 16 > int(uids[name]) >> 16
        assert all(int(i) >> 6 & 1023 == int(uids[name]) >> 6 & 1023 for i in ids)
    newest = max(int(i) >> 16 for i in data.post)
    oldest = min(int(i) >> 16 for i in data.post)
    assert newest - oldest > 300 * 86400_000
    assert sum(newest - (int(i) >> 16) < 7 * 86400_000 for i in data.post) > 100


def test_plausible(town):
    """Several scripts and languages; mentions, tags, links and answers, all of them real."""
    _, data = town
    texts = list(data.text.values())
    everything = "\n".join(texts + [r["display"] + r["bio"] for r in data.records.values()])
    for letters in ("[\u4e00-\u9fff]", "[\u3040-\u30ff]", "[\u0430-\u044f]", "[ăâîșț]", "[ñáéíóú]", "[a-z]{4}"):
        assert re.search(letters, everything), letters
    assert len(set(texts)) > 1000
    assert all(0 < len(t) <= 500 and "{" not in t for t in texts)
    assert sum("#" in t for t in texts) > 300 and sum("https://example.org/" in t for t in texts) > 80
    for post, record in data.post.items():
        if "reply_to" in record:
            parent = data.post[record["reply_to"]]
            assert record["reply_author"] == f"{parent['author']}:{data.names[parent['author']]}"
            assert int(record["reply_to"]) < int(post)
        for name, uid in (m.split(":") for m in record.get("mentions", "").split()):
            assert data.names[uid] == name and f"@{name}" in record["text"]
    assert sum("reply_to" in r for r in data.post.values()) > 200
    assert sum("mentions" in r for r in data.post.values()) > 300


def test_directory_of_all(town):
    """Programs page through all people who want to be found, in two round trips a page, whatever the order; the site counts its posts."""
    server, data = town
    nobody = Api(server)
    stats = nobody.get("/api/v1/instance")["stats"]  # counts, once a minute
    assert stats["user_count"] == len(data.records) > 100 and stats["status_count"] == sum(len(ids) for ids in data.posts.values())
    expected = {name for name, record in data.records.items() if record.get("discoverable") != "no" and not record.get("state")}
    for order in ("new", "active"):
        found = []
        for offset in range(0, 400, 40):
            answer = nobody.ask("GET", "/api/v1/directory", params={"order": order, "limit": 40, "offset": offset})
            assert server.trips(answer) <= 2
            found += [person["acct"] for person in answer.json]
        assert len(found) == len(set(found)) and set(found) == expected, order


def test_pages(town):
    """Public, profile, tag, thread and newest users show what there is."""
    server, data = town
    visitor = Browser(server)
    public = data.public()
    assert visitor.timeline_ids("/public") == sorted(public, reverse=True)[:1000]
    busiest = max(data.own, key=lambda n: len(data.own[n]))
    for_all = [i for i in data.posts[busiest][::-1]
               if i in data.boosts or data.post[i].get("visibility", "") in ("", "unlisted")]
    for_all = [data.boosts[i]["boost"] if i in data.boosts else i for i in for_all]
    pinned = data.pins.get(busiest, [])[::-1]
    assert visitor.timeline_ids(f"/@{busiest}/replies") == for_all
    shown = visitor.timeline_ids(f"/@{busiest}")
    assert shown[:len(pinned)] == pinned and [i for i in for_all if "reply_to" not in data.post[i]] == \
        [i for i in shown[len(pinned):] if "reply_to" not in data.post[i]], "answers have a page of their own"
    assert visitor.get(f"/@{busiest}").counts["statuses"] == len(data.posts[busiest])
    tagged = [i for i, t in data.text.items() if i in public and re.search(r"#gardening\b", t)]
    assert tagged and visitor.timeline_ids("/tags/gardening") == sorted(tagged, reverse=True)
    parent = next(r["reply_to"] for r in data.post.values() if "reply_to" in r)
    answers = [i for i, r in data.post.items() if r.get("reply_to") == parent]
    shown = visitor.get(f"/@{data.names[data.post[parent]['author']]}/{parent}").ids
    assert set(answers) <= set(shown)
    said_to = data.names[data.post[parent]["author"]]
    for answer in answers:
        page = visitor.get(f"/@{data.names[data.post[answer]['author']]}/{answer}")
        link = page.first(".status-large .in-reply-to a")
        assert link["href"] == f"/@{said_to}/{parent}" and link.text.endswith(f"@{said_to}")
    assert len(visitor.get("/public").all(".latest .account-row")) == 10


@pytest.mark.parametrize("mode", ["push", "pull", "hybrid"])
def test_homes_are_the_truth(mode):
    """Each home has everything of oneself and those one follows, from the first page to the last."""
    with Server(mode=mode, env={"RETWIS_TIMELINE_CELEBRITY_FOLLOWERS": "10", "RETWIS_TIMELINE_SIZE": "200"}) as server:
        server.cli("demo", "fill", *SMALL)
        data = Data(server)
        alike = sorted(set(data.names.values()) - data.taggers) # homes of the others have more
        names = alike[::25] + [max(set(data.following) & set(alike), key=lambda n: len(data.following[n]))]
        for name in names:
            me = Browser(server).sign_in(name, PASSWORD)
            assert data.boosted_home(name, me.timeline_ids("/home")), name
        for name in names:
            me = Browser(server).sign_in(name, PASSWORD)
            post = me.post("a real one")
            assert me.get("/home").ids[0] == post
        assert "no errors" in server.cli("check", "--homes")


def test_seed():
    """The same seed tells the same story, whatever the order of threads; another one another."""
    stories = []
    for seed in ("7", "7", "8"):
        with Server() as server:
            server.cli("demo", "fill", *SMALL[:-1], seed)
            stories.append(Data(server).story())
    assert stories[0] == stories[1]
    for ours, others in zip(stories[0], stories[2]):
        assert ours != others


def test_not_twice():
    """A site with users is left alone, whoever they are; who means it gets other people, with a password of their own."""
    with Server() as server:
        tiny = ["--users", "30", "--posts", "100"]
        server.cli("demo", "fill", *tiny)
        before = server.cli("user", "list")
        done = server.cli("demo", "fill", *tiny, expect=None)
        assert done.returncode == 1 and "--force" in done.stderr and done.stdout == ""
        other = server.cli("demo", "fill", *tiny, "--seed", "9", expect=None)
        assert other.returncode == 1 and "has 30 users" in other.stderr
        assert server.cli("user", "list") == before
        assert "nothing to do" in server.cli("demo", "fill", *tiny, "--if-empty")
        assert server.cli("user", "list") == before
        said = server.cli("demo", "fill", *tiny, "--force")
        assert server.cli("user", "list").count("\n") == 61
        name, password = re.search(r'sign in as (\w+) with the password "(.*)"', said).groups()
        assert password != PASSWORD and len(password) > 20, "what everybody can read in the manual is no password"
        Browser(server).sign_in(name, password)
        assert server.cli("check", "--homes").count("\n") == 1


def test_into_a_running_site(people):
    """Real people stay as they are; what they had before them is not stale."""
    with Server() as server:
        ann = people(server, "ann")
        post = ann.post("real")
        assert ann.get("/public").ids == [post]
        server.cli("demo", "fill", "--users", "20", "--posts", "50", "--password", "another good one", "--force")
        data = Data(server)
        assert ann.get("/public").ids[0] == post and set(ann.timeline_ids("/public")) == data.public()
        assert len(data.post) == 51 and not data.boosts.keys() & data.public() and ann.get("/home").ids == [post]
        best = max(data.followers, key=lambda n: len(data.followers[n]))
        ann.follow(best)
        data.following[ann.name] = {best}
        assert data.boosted_home(ann.name, ann.timeline_ids("/home"))
        Browser(server).sign_in(best, "another good one")
        assert [e["data-name"] for e in ann.get("/public").all(".latest .account-row")][0] == ann.name


@pytest.mark.parametrize("options, hint", [
    (["--users", "0"], "from 1 to"), (["--posts", "-1"], "from 0 to"), (["--seed", "x"], "--seed takes"),
    (["--password", "short"], "password"), (["now"], "too many arguments"),
])
def test_wrong_usage(push_server, options, hint):
    """Nothing happens, and the status is 2."""
    done = push_server.cli("demo", "fill", *options, expect=None)
    assert done.returncode == 2 and hint in done.stderr


def test_one_user():
    """The smallest of all."""
    with Server() as server:
        assert "1 users, 0 relations and 3 posts" in server.cli("demo", "fill", "--users", "1", "--posts", "3")
        assert server.cli("check", "--homes").count("\n") == 1
