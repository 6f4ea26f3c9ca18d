"""Every way in which the data of a site may be broken by hand, one function for each, by the finding that `retwis check` must
report: see test_check.py."""

import time

from retwis_process import wait_until
from retwis_server import Browser


class Town:
    """A server with people whose data may be broken, one thing at a time."""

    def __init__(self, server):
        self.server = server
        self.people = {name: Browser(server).sign_up(name) for name in ("alice", "bobby", "carol", "daisy")}
        self.uid = {name: person.cookie.split(".")[0] for name, person in self.people.items()}
        alice, bobby, carol = (self.people[n] for n in ("alice", "bobby", "carol"))
        alice.follow("bobby")
        carol.follow_many("alice,bobby")
        bobby.follow("alice")
        self.posts = {"bobby": [bobby.post(f"number {i} #town") for i in range(4)], "carol": [carol.post("carol's")]}
        alice.reply("bobby", self.posts["bobby"][0], "an answer")
        for person in (alice, carol):
            for verb in ("favourite", "bookmark"):
                person.action(f"/posts/{self.posts['bobby'][1]}/{verb}")
        self.direct = carol.post("@alice psst", visibility="direct")
        self.list = alice.make_list("Friends", "bobby, carol").rsplit("/", 1)[1]
        for person in self.people.values():
            person.get("/home")
        self.engine = server.engine()
        self.engine("DEL", "{0}:health")  # it would run out between two looks that are compared

    def key(self, word, name):
        """A key of somebody's."""
        return f"{{{bucket(self, name)}}}:{word}:{self.uid[name] if word != 'name' else name}"

    def post_key(self, name, number):
        """A post record."""
        return f"{{{bucket(self, name)}}}:post:{self.posts[name][number]}"

    def favourites(self, name, number):
        """The key of who has favourited somebody's post."""
        return f"{{{bucket(self, name)}}}:favourites:{self.posts[name][number]}"

    def list_key(self, word):
        """A key of alice's list."""
        return f"{{{bucket(self, 'alice')}}}:{word}:{self.list}"

    def check(self, *options):
        """Findings by word, as (class, count), and the exit status."""
        done = self.server.cli("check", *options, expect=None)
        assert done.stderr == "" or "WRONGTYPE" in done.stderr, done
        lines = [line.split() for line in done.stdout.splitlines()[:-1]]
        return {word: (kind, int(count)) for kind, word, count, *_ in lines}, done.returncode, done.stdout


BREAKS = {}


def breaks(word):
    """Registers a way to break the data."""
    def register(function):
        BREAKS.setdefault(word, []).append(function)
        return function
    return register


@breaks("key_type")
def a_list_of_followers(t):
    t.engine("DEL", t.key("followers", "bobby"))
    t.engine("RPUSH", f"{{{t.uid['bobby'] and bucket(t, 'bobby')}}}:followers:{t.uid['bobby']}", "x")


@breaks("key_astray")
def a_post_in_another_bucket(t):
    t.engine("HSET", f"{{{(bucket(t, 'bobby') + 1) % 1024}}}:post:{t.posts['bobby'][0]}", "author", t.uid["bobby"])


@breaks("key_astray")
def a_name_in_another_bucket(t):
    t.engine("SET", "{7}:name:alice", t.uid["alice"])


@breaks("member_strange")
def a_follower_with_a_name(t):
    t.engine("ZADD", t.key("followers", "bobby"), 5, "carol")


@breaks("member_strange")
def a_word_in_the_public_timeline(t):
    t.engine("LPUSH", "{0}:timeline", "hello")


@breaks("member_score")
def a_post_out_of_order(t):
    t.engine("ZADD", t.key("posts", "bobby"), 3, t.posts["bobby"][1])


@breaks("member_score")
def a_tag_out_of_order(t):
    t.engine("ZADD", t.engine.one_key("*:tag:town"), 3, t.posts["bobby"][1])


@breaks("name_orphan")
def a_name_without_a_user(t):
    t.engine("SET", f"{{{bucket_of_name('nobody_at_all')}}}:name:nobody_at_all", "123456789012345678")


@breaks("name_orphan")
def a_record_without_its_name(t):
    t.engine("HDEL", t.key("user", "daisy"), "name")


@breaks("user_unnamed")
def a_user_without_a_name(t):
    t.engine("DEL", t.key("name", "alice"))


@breaks("user_unnamed")
def a_name_that_leads_elsewhere(t):
    t.engine("SET", t.key("name", "alice"), t.uid["bobby"])


@breaks("user_damaged")
def a_record_with_nothing(t):
    uid = another(t.uid["alice"], 1)
    t.engine("HSET", f"{{{bucket(t, 'alice')}}}:user:{uid}", "bio", "nobody")


@breaks("user_twice")
def two_of_one_name(t):
    uid = another(t.uid["alice"], 2)
    t.engine("HSET", f"{{{bucket(t, 'alice')}}}:user:{uid}", "name", "Alice")
    t.engine("ZADD", f"{{{bucket(t, 'alice')}}}:users", 0, uid)


@breaks("user_unlisted")
def a_user_in_no_index(t):
    t.engine("ZREM", f"{{{bucket(t, 'alice')}}}:users", t.uid["alice"])


@breaks("user_unreal")
def an_index_of_nobody(t):
    t.engine("ZADD", f"{{{bucket(t, 'alice')}}}:users", 0, another(t.uid["alice"], 3))


@breaks("newest_behind")
def a_mark_behind(t):
    t.engine("SET", t.key("newest", "bobby"), int(t.posts["bobby"][-1]) - 1)


@breaks("posted_wrong")
def another_number_of_posts(t):
    t.engine("SET", f"{{{bucket(t, 'bobby')}}}:posted", 99)


@breaks("newest_behind")
def a_mark_of_nothing(t):
    t.engine("SET", t.key("newest", "carol"), 0)


@breaks("user_remains")
def a_deleted_user_with_a_post(t):
    server = t.server
    ghost = Browser(server).sign_up(f"ghost_{time.monotonic_ns() % 10**9}")
    uid = ghost.cookie.split(".")[0]
    server.cli("user", "delete", ghost.name, "--yes")
    bucket_number = bucket_of(uid)
    post = another(uid, 4)
    t.engine("HSET", f"{{{bucket_number}}}:post:{post}", "author", uid, "text", "boo")
    t.engine("ZADD", f"{{{bucket_number}}}:posts:{uid}", 0, post)
    t.engine("ZADD", f"{{{bucket_number}}}:followers:{uid}", 5, t.uid["carol"], 6, another(uid, 24))
    t.engine("ZADD", f"{{{bucket_number}}}:following:{uid}", 5, another(uid, 25))


@breaks("owner_gone")
def a_following_of_nobody(t):
    uid = another(t.uid["alice"], 5)
    t.engine("ZADD", f"{{{bucket(t, 'alice')}}}:following:{uid}", 1, t.uid["bobby"])


@breaks("post_damaged")
def a_post_without_an_author(t):
    post = another(t.uid["alice"], 6)
    t.engine("HSET", f"{{{bucket(t, 'alice')}}}:post:{post}", "text", "by nobody")


@breaks("post_ownerless")
def a_post_by_nobody(t):
    post, uid = another(t.uid["alice"], 7), another(t.uid["alice"], 8)
    t.engine("HSET", f"{{{bucket(t, 'alice')}}}:post:{post}", "text", "by nobody", "author", uid)
    t.engine("LPUSH", "{0}:timeline", post)


@breaks("post_unlisted")
def a_post_in_no_list(t):
    t.engine("ZREM", t.key("posts", "bobby"), t.posts["bobby"][2])


@breaks("post_missing")
def an_entry_without_a_post(t):
    t.engine("ZADD", t.key("posts", "bobby"), 0, another(t.uid["bobby"], 9))


@breaks("post_stranger")
def an_entry_of_another_author(t):
    if "neighbour" not in t.uid:
        name = next(n for n in (f"n_{i}" for i in range(10**6)) if bucket_of_name(n) == bucket(t, "carol"))
        t.people["neighbour"] = Browser(t.server).sign_up(name)
        t.uid["neighbour"] = t.people["neighbour"].cookie.split(".")[0]
    t.engine("ZADD", t.key("posts", "neighbour"), 0, t.posts["carol"][0])


@breaks("relation_half")
def a_follow_that_the_other_does_not_know(t):
    t.engine("ZREM", t.key("followers", "bobby"), t.uid["alice"])


@breaks("relation_half")
def a_follower_who_does_not_follow(t):
    t.engine("ZADD", t.key("followers", "bobby"), 17, t.uid["daisy"])


@breaks("relation_nobody")
def a_follow_of_nobody(t):
    t.engine("ZADD", t.key("following", "alice"), 17, another(t.uid["bobby"], 11))


@breaks("relation_nobody")
def a_follower_of_nobody(t):
    t.engine("ZADD", t.key("followers", "alice"), 17, another(t.uid["bobby"], 12))


@breaks("tie_strange")
def a_wish_about_somebody_not_followed(t):
    t.engine("HSET", t.key("ties", "daisy"), t.uid["carol"], "r")


@breaks("tie_strange")
def a_wish_that_says_nothing(t):
    t.engine("HSET", t.key("ties", "alice"), t.uid["bobby"], "r:en,x")


@breaks("tie_strange")
def a_recommendation_of_somebody_not_followed(t):
    t.engine("ZADD", t.key("endorsed", "daisy"), 5, t.uid["carol"])


@breaks("tie_half")
def who_wants_to_be_told_and_is_not(t):
    t.engine("HSET", t.key("ties", "alice"), t.uid["bobby"], "rt")


@breaks("tie_half")
def who_is_told_and_does_not_want_to(t):
    t.engine("ZADD", t.key("watchers", "bobby"), 70, t.uid["carol"])


@breaks("remark_nobody")
def a_note_about_nobody(t):
    t.engine("HSET", t.key("remarks", "daisy"), another(t.uid["bobby"], 27), "nobody")


@breaks("remark_deleted")
def a_note_about_a_deleted_user(t):
    ghost = Browser(t.server).sign_up(f"ghost_{time.monotonic_ns() % 10**9}")
    t.server.cli("user", "delete", ghost.name, "--yes")
    t.engine("HSET", t.key("remarks", "daisy"), ghost.cookie.split(".")[0], "gone")


@breaks("apart_half")
def a_block_that_the_other_does_not_know(t):
    t.engine("HSET", t.key("apart", "daisy"), t.uid["carol"], "b")
    t.engine("HDEL", t.key("apart", "carol"), t.uid["daisy"])


@breaks("apart_half")
def a_block_by_somebody_who_does_not_know(t):
    t.engine("HSET", t.key("apart", "carol"), t.uid["alice"], "Bm")


@breaks("apart_follows")
def a_follow_across_a_block(t):
    t.engine("HSET", t.key("apart", "daisy"), t.uid["bobby"], "b")
    t.engine("HSET", t.key("apart", "bobby"), t.uid["daisy"], "B")
    t.engine("ZADD", t.key("following", "daisy"), 19, t.uid["bobby"])
    t.engine("ZADD", t.key("followers", "bobby"), 19, t.uid["daisy"])


@breaks("apart_damaged")
def a_mute_of_no_known_sort(t):
    t.engine("HSET", t.key("apart", "daisy"), t.uid["alice"], "mx")


@breaks("apart_damaged")
def a_mute_of_oneself(t):
    t.engine("HSET", t.key("apart", "daisy"), t.uid["daisy"], "m")


@breaks("apart_nobody")
def a_mute_of_nobody(t):
    t.engine("HSET", t.key("apart", "daisy"), another(t.uid["bobby"], 26), "mn:5")


@breaks("apart_deleted")
def a_mute_of_a_deleted_user(t):
    ghost = Browser(t.server).sign_up(f"ghost_{time.monotonic_ns() % 10**9}")
    t.server.cli("user", "delete", ghost.name, "--yes")
    t.engine("HSET", t.key("apart", "daisy"), ghost.cookie.split(".")[0], "m")


@breaks("relation_time")
def two_at_one_time(t):
    t.engine("ZADD", t.key("followers", "bobby"), 1234, t.uid["alice"], 1234, t.uid["carol"])


@breaks("relation_self")
def who_follows_himself(t):
    t.engine("ZADD", t.key("following", "alice"), 17, t.uid["alice"])
    t.engine("ZADD", t.key("followers", "alice"), 17, t.uid["alice"])


@breaks("relation_self")
def who_is_followed_by_himself(t):
    t.engine("ZADD", t.key("followers", "bobby"), 17, t.uid["bobby"])


@breaks("session_unlisted")
def a_login_in_no_list(t):
    t.engine("DEL", t.key("sessions", "daisy"))
    t.people["daisy"] = None


@breaks("session_endless")
def a_login_for_ever(t):
    t.engine("PERSIST", t.engine.one_key(f"*:session:{t.uid['alice']}:*"))


@breaks("token_unlisted")
def a_token_in_no_list(t):
    t.engine("HSET", t.key("token", "daisy") + ":abc", "app", another(t.uid["daisy"], 5), "created", 1)


@breaks("favourite_half")
def a_favourite_that_the_post_does_not_have(t):
    t.engine("ZREM", t.favourites("bobby", 1), t.uid["alice"])


@breaks("favourite_half")
def a_favourite_of_the_post_that_is_nobodys(t):
    t.engine("ZADD", t.favourites("bobby", 1), 77, t.uid["daisy"])


@breaks("favourite_nobody")
def a_favourite_of_nobody(t):
    t.engine("ZADD", t.favourites("bobby", 1), 78, another(t.uid["daisy"], 5))


@breaks("favourite_gone")
def a_favourite_of_no_post(t):
    t.engine("ZADD", t.key("favourited", "daisy"), 79, another(t.posts["bobby"][1], 1))


@breaks("favourite_gone")
def favourites_of_no_post(t):
    t.engine("ZADD", f"{{{bucket(t, 'bobby')}}}:favourites:{another(t.posts['bobby'][1], 2)}", 80, t.uid["daisy"])


@breaks("relation_time")
def two_favourites_at_one_time(t):
    t.engine("ZADD", t.favourites("bobby", 1), 81, t.uid["alice"], 81, t.uid["carol"])


@breaks("bookmark_gone")
def a_bookmark_of_no_post(t):
    t.engine("ZADD", t.key("bookmarks", "daisy"), 82, another(t.posts["bobby"][1], 3))


def slot_of(t, word):
    """The key in which the index of search has a word; other breaks may have taken it from there."""
    if t.engine("EXISTS", "{0}:fresh"):
        t.server.cli("search", "rebuild")
    found = [key for key in t.engine.keys("*}:words:*") if t.engine("HEXISTS", key, word) == 1]
    assert found, f"search does not have {word}"
    return found[0]


def named(t, name):
    """The key in which search has somebody's name, and the entry."""
    return t.engine.one_key(f"*}}:people:{name[0]}"), f"{name}:{t.uid[name]}"


@breaks("words_lack")
def a_word_that_finds_nothing(t):
    t.engine("HDEL", slot_of(t, "number"), "number")


@breaks("words_lack")
def a_post_that_a_word_does_not_find(t):
    t.engine("HSET", slot_of(t, "answer"), "answer", "aaaaaaaa")


@breaks("index_gone")
def a_post_that_never_was_waits_for_search(t):
    t.engine("HSET", "{0}:fresh", another(t.uid["alice"], 12), " word ")


@breaks("names_lack")
def somebody_whom_nobody_finds(t):
    t.engine("ZREM", *named(t, "carol"))


@breaks("word_damaged")
def posts_of_a_word_cut_off(t):
    t.engine("HSET", slot_of(t, "number"), "number", "abc")


@breaks("word_damaged")
def a_word_whose_parts_are_gone(t):
    t.engine("HSET", slot_of(t, "number"), "number", "1" * 9)


@breaks("word_left")
def part_of_a_word_that_has_none(t):
    t.engine("SET", slot_of(t, "number").replace(":words:", ":wordpart:") + "|0|number", "a" * 8)


@breaks("names_gone")
def a_name_that_is_not_his(t):
    t.engine("ZADD", named(t, "carol")[0], 0, f"cecil:{t.uid['carol']}")


@breaks("names_gone")
def a_name_of_nobody(t):
    t.engine("ZADD", named(t, "carol")[0], 0, "cecil")


@breaks("tagname_gone")
def a_tag_of_no_post(t):
    t.engine("ZADD", t.engine.one_key("*}:tagnames:t"), 0, "tower:tower")


@breaks("job_unlisted")
def a_job_in_no_queue(t):
    job = another(t.uid["alice"], 13)
    t.engine("HSET", f"{{{bucket(t, 'alice')}}}:job:{job}", "type", "signup", "uid", t.uid["alice"], "cursor", "0")


@breaks("job_missing")
def a_queue_without_a_job(t):
    t.engine("ZADD", f"{{{bucket(t, 'alice')}}}:jobs", int(time.time() * 1000) + 60_000, another(t.uid["alice"], 14))


@breaks("job_dead")
def a_job_given_up(t):
    job = another(t.uid["alice"], 15)
    t.engine("HSET", f"{{{bucket(t, 'alice')}}}:job:{job}", "type", "signup", "uid", t.uid["alice"], "cursor", "0",
             "attempts", "11")
    t.engine("LPUSH", f"{{{bucket(t, 'alice')}}}:dead", job)


@breaks("job_damaged")
def a_job_of_nobody(t):
    job = another(t.uid["alice"], 26)
    t.engine("ZADD", f"{{{bucket(t, 'alice')}}}:jobs", int(time.time() * 1000) + 60_000, job)
    t.engine("HSET", f"{{{bucket(t, 'alice')}}}:job:{job}", "type", "signup", "cursor", "0")


@breaks("job_damaged")
def a_dead_job_of_no_type(t):
    job = another(t.uid["alice"], 27)
    t.engine("LPUSH", f"{{{bucket(t, 'alice')}}}:dead", job)
    t.engine("HSET", f"{{{bucket(t, 'alice')}}}:job:{job}", "uid", t.uid["alice"], "cursor", "0")


@breaks("index_lacks")
def a_post_not_in_public(t):
    t.engine("LREM", "{0}:timeline", 0, t.posts["bobby"][2])


@breaks("index_lacks")
def a_post_not_under_its_tag(t):
    t.engine("ZREM", t.engine.one_key("*:tag:town"), t.posts["bobby"][2])


@breaks("index_lacks")
def a_reply_not_among_replies(t):
    t.engine("DEL", f"{{{bucket(t, 'bobby')}}}:replies:{t.posts['bobby'][0]}")


@breaks("index_stranger")
def a_post_under_a_tag_of_others(t):
    t.engine("ZADD", t.engine.one_key("*:tag:town"), 0, t.posts["carol"][0])


@breaks("index_stranger")
def a_post_among_replies_of_others(t):
    t.engine("ZADD", f"{{{bucket(t, 'bobby')}}}:replies:{t.posts['bobby'][0]}", 0, t.posts["carol"][0])


@breaks("latest_lacks")
def a_newest_user_who_is_not_listed(t):
    t.engine("LREM", "{0}:latest", 0, t.uid["bobby"])


@breaks("key_endless")
def a_request_remembered_for_ever(t):
    t.engine("PERSIST", t.engine.keys("*:request:*")[0])


@breaks("celebrity_unlisted")
def a_celebrity_nobody_asks(t):
    t.engine("HSET", t.key("user", "alice"), "celebrity", "1")


@breaks("home_damaged")
def a_home_with_a_word(t):
    t.people["alice"].get("/home", expect=None)
    t.engine("LPUSH", t.key("home", "alice"), "hello")


@breaks("home_twice")
def a_home_with_a_post_twice(t):
    t.people["alice"].get("/home", expect=None)
    t.engine("LPUSH", t.key("home", "alice"), t.posts["bobby"][3])


@breaks("home_long")
def a_home_that_was_never_cut(t):
    t.people["alice"].get("/home", expect=None)
    home = t.key("home", "alice")
    t.engine("RPUSH", home, *[t.engine("LINDEX", home, 0)] * 6000)


@breaks("home_gone")
def a_home_with_a_deleted_post(t):
    t.people["alice"].get("/home", expect=None)
    t.engine("LPUSH", t.key("home", "alice"), another(t.uid["bobby"], 16))


@breaks("home_stranger")
def a_home_with_a_stranger(t):
    t.people["alice"].get("/home", expect=None)
    t.engine("LPUSH", t.key("home", "alice"), t.posts["carol"][0])


@breaks("home_nobody")
def a_home_of_nobody(t):
    t.engine("RPUSH", f"{{{bucket(t, 'alice')}}}:home:{another(t.uid['alice'], 17)}", "0")


@breaks("public_twice")
def a_post_twice_in_public(t):
    t.engine("LPUSH", "{0}:timeline", t.posts["bobby"][1])


@breaks("index_gone")
def a_deleted_post_in_public(t):
    t.engine("LPUSH", "{0}:timeline", another(t.uid["bobby"], 18))


@breaks("index_gone")
def a_deleted_post_with_a_tag(t):
    t.engine("ZADD", t.engine.one_key("*:tag:town"), 0, another(t.uid["bobby"], 19))


@breaks("index_gone")
def a_deleted_reply(t):
    t.engine("ZADD", t.engine.one_key("*:replies:*"), 0, another(t.uid["bobby"], 20))


@breaks("index_long")
def too_many_in_public(t):
    for _ in range(11):
        t.engine("RPUSH", "{0}:timeline", *[t.posts["bobby"][0]] * 100)


@breaks("index_long")
def too_many_notices(t):
    t.engine("ZADD", t.key("notices", "daisy"), *[word for day in range(1, 1002) for word in (day, f"F:{day}")])


@breaks("index_long")
def too_many_dismissed_notices(t):
    t.engine("ZADD", t.key("noticegone", "daisy"), *[word for day in range(1, 1002) for word in (day, f"F:{day}")])


@breaks("index_long")
def too_many_tags_followed(t):
    t.engine("ZADD", t.key("interests", "daisy"), *[word for n in range(51) for word in (n, f"tag{n}")])


@breaks("index_long")
def too_many_tags_on_a_profile(t):
    t.engine("ZADD", t.key("featured", "daisy"), *[word for n in range(11) for word in (n, f"tag{n}")])


@breaks("index_long")
def too_many_trends(t):
    t.engine("ZADD", t.engine.one_key("*:trends:day"), *[word for n in range(1001) for word in (1, f"tag{n}")])


@breaks("key_endless")
def people_of_a_trend_for_ever(t):
    t.engine("PERSIST", t.engine.one_key("*:trendpeople:day|town"))


@breaks("key_endless")
def popular_posts_for_ever(t):
    wait_until(lambda: t.engine("KEYS", "*:popular:*"), 60, "the post that two have favourited")
    t.engine("PERSIST", t.engine.one_key("*:popular:*"))


@breaks("interest_strange")
def no_tag_followed(t):
    t.engine("ZADD", t.key("interests", "alice"), 5, "No tag", 6, "Tag")


@breaks("featured_strange")
def no_tag_on_a_profile(t):
    t.engine("ZADD", t.key("featured", "alice"), 5, "No tag", 6, "Tag")


@breaks("notice_strange")
def a_notice_of_nothing(t):
    t.engine("ZADD", t.key("notices", "alice"), 5, "F:yesterday")


@breaks("notice_gone")
def a_notice_of_a_deleted_post(t):
    t.engine("ZADD", t.key("notices", "alice"), 5, f"m:{another(t.uid['bobby'], 24)}")


@breaks("talk_lacks")
def a_direct_post_that_alice_lacks(t):
    t.engine("ZREM", t.key("talkposts", "alice"), t.direct)


@breaks("talk_stranger")
def a_post_of_no_talk(t):
    t.engine("ZADD", t.key("talkposts", "alice"), 5, t.posts["carol"][0])


@breaks("talk_stranger")
def a_talk_of_others(t):
    [talk] = t.engine("ZRANGE", t.key("talks", "carol"), 0, -1)
    t.engine("ZADD", t.key("talkposts", "daisy"), talk, t.direct)


@breaks("talk_astray")
def a_talk_without_posts(t):
    t.engine("ZADD", t.key("talks", "alice"), 5, 77)


@breaks("talk_astray")
def a_talk_at_another_time(t):
    [talk] = t.engine("ZRANGE", t.key("talks", "carol"), 0, -1)
    t.engine("ZADD", t.key("talks", "carol"), 5, talk)


@breaks("talk_astray")
def people_of_no_talk(t):
    t.engine("HSET", t.key("talkpeople", "alice"), 78, t.uid["bobby"])


@breaks("talk_astray")
def a_talk_without_people(t):
    t.engine("DEL", t.key("talkpeople", "alice"))


@breaks("talk_count")
def unread_talks_that_are_not(t):
    t.engine("HSET", t.key("homestate", "alice"), "talks", 9)


@breaks("owner_gone")
def talks_of_nobody(t):
    t.engine("ZADD", f"{{{bucket(t, 'alice')}}}:talks:{another(t.uid['alice'], 25)}", 5, 7)


@breaks("owner_gone")
def notices_of_nobody(t):
    t.engine("ZADD", f"{{{bucket(t, 'alice')}}}:notices:{another(t.uid['alice'], 25)}", 5, "F:20000")


@breaks("replies_nobody")
def replies_to_nothing(t):
    t.engine("ZADD", f"{{{bucket(t, 'alice')}}}:replies:{another(t.uid['alice'], 21)}", 0, t.posts["bobby"][0])


@breaks("latest_gone")
def a_newest_user_who_is_not(t):
    t.engine("LPUSH", "{0}:latest", another(t.uid["alice"], 22))


@breaks("celebrity_gone")
def a_celebrity_who_is_not(t):
    t.engine("ZADD", "{0}:celebrities", 5, another(t.uid["alice"], 23))


@breaks("list_ownerless")
def a_list_without_an_owner(t):
    t.engine("HSET", f"{{{bucket(t, 'alice')}}}:list:{another(t.uid['alice'], 30)}", "title", "nobody's")
    t.engine("ZADD", f"{{{bucket(t, 'alice')}}}:members:{another(t.uid['alice'], 30)}", 5, t.uid["bobby"])


@breaks("list_ownerless")
def a_list_of_somebody_who_is_not(t):
    t.engine("HSET", f"{{{bucket(t, 'alice')}}}:list:{another(t.uid['alice'], 31)}", "title", "x", "owner",
             another(t.uid["alice"], 32))


@breaks("list_unlisted")
def a_list_that_is_not_listed(t):
    t.engine("ZREM", t.key("lists", "alice"), t.list)


@breaks("list_untitled")
def a_list_without_a_title(t):
    t.engine("HDEL", t.list_key("list"), "title")


@breaks("list_missing")
def an_entry_without_a_list(t):
    t.engine("ZADD", t.key("lists", "bobby"), 0, another(t.uid["bobby"], 33))


@breaks("list_missing")
def somebody_elses_list(t):
    t.engine("ZADD", t.key("lists", "carol"), 0, t.list)


@breaks("member_score")
def a_list_out_of_order(t):
    t.engine("ZADD", t.key("lists", "alice"), 3, t.list)


@breaks("members_orphan")
def members_of_no_list(t):
    t.engine("ZADD", f"{{{bucket(t, 'alice')}}}:members:{another(t.uid['alice'], 34)}", 5, t.uid["bobby"])


@breaks("member_nobody")
def a_member_who_is_not(t):
    t.engine("ZADD", t.list_key("members"), 5, another(t.uid["alice"], 35))


@breaks("member_strange")
def a_member_with_a_name(t):
    t.engine("ZADD", t.list_key("members"), 5, "carol")


@breaks("relation_time")
def two_members_of_the_same_time(t):
    t.engine("ZADD", t.list_key("members"), "XX", 500, t.uid["bobby"], 500, t.uid["carol"])


@breaks("key_type")
def a_list_that_is_a_string(t):
    t.engine("SET", f"{{{bucket(t, 'bobby')}}}:list:{another(t.uid['bobby'], 36)}", "x")


def bucket_of(any_id):
    """The bucket that is in an id."""
    return int(any_id) >> 6 & 1023


def bucket(t, name):
    """Somebody's bucket."""
    return bucket_of(t.uid[name])


def another(any_id, number):
    """An id that nothing has, in the same bucket."""
    return str((int(any_id) >> 16) - 1000 - number << 16 | bucket_of(any_id) << 6)


def bucket_of_name(name):
    """As id_bucket_of_name."""
    h = 14695981039346656037
    for c in name.encode():
        h = (h ^ c) * 1099511628211 % 2**64
    return (h ^ h >> 32) & 1023
