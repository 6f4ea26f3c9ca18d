"""Search on a site of many posts: what the index takes, how long it is built, the first page of several questions; and what a post costs more
with it than without."""

import contextlib
import itertools
import os
import random
import time

from fill import Fill, key
from tools import Author, Server, median, percentile, socket_path

POSTS, POSTS_FULL = 100_000, 1_000_000
WORDS_OF_POST = 12
AUTHORS = 1000
VOCABULARY = 200_000
STEP_MS = 5000  # between posts: a million of them are 58 days
SYLLABLES = [a + b for a in "bdfgklmnprstvz" for b in "aeiou"]
ASKED = 30  # times each question
WRITTEN = 1500  # posts by each author whose acknowledgements are compared

# By rank in the vocabulary, whose n-th word is used about 1/n as often as the first, which is in more than half of all posts.
QUESTIONS = {
    "a rare word": "{30000}",
    "a common word": "{1}",
    "two common words": "{2} {3}",
    "a phrase of common words": '"{4} {5}"',
    "a phrase that is hardly there": '"{150} {151}"',
    "a common and a rare word": "{1} {30000}",
    "two words that hardly meet": "{900} {901}",
    "eight words": "{1} {2} {3} {4} {5} {6} {7} {8}",
    "no such word": "xylophone",
}


def word(rank):
    """The rank-th word: the frequent ones are short."""
    text = ""
    while rank:
        rank, syllable = divmod(rank - 1, len(SYLLABLES))
        text += SYLLABLES[syllable]
    return text


def _texts(count):
    """Posts of words that are as frequent as words are."""
    r = random.Random(7)
    vocabulary = [word(rank) for rank in range(1, VOCABULARY + 1)]
    weights = list(itertools.accumulate(1 / rank for rank in range(1, VOCABULARY + 1)))
    for _ in range(0, count, 1000):
        words = r.choices(vocabulary, cum_weights=weights, k=1000 * WORDS_OF_POST)
        for at in range(0, len(words), WORDS_OF_POST):
            yield " ".join(words[at:at + WORDS_OF_POST])


def _write(server, count):
    """The posts, as they lie when they were written by a server that had search switched off."""
    with Fill(socket_path(server)) as f:
        authors = f.people([f"author_{n}" for n in range(AUTHORS)])
        ms = f.next_ms()
        for n, text in enumerate(_texts(count)):
            uid = authors[n * 7 % AUTHORS]
            number = (ms + n * STEP_MS) << 16 | uid & 0xFFC0
            f.add("HSET", key("post", number), "author", uid, "text", text)
            f.add("ZADD", key("posts", uid), 0, number)


def _cpu(server):
    """Seconds that the engine has worked."""
    with server.engine() as engine:
        return float(engine.info("used_cpu_user")) + float(engine.info("used_cpu_sys"))


def _cpu_ms(pid):
    """Milliseconds that all threads of a process have run."""
    total = 0
    for task in os.listdir(f"/proc/{pid}/task"):
        with contextlib.suppress(OSError), open(f"/proc/{pid}/task/{task}/schedstat", encoding="ascii") as f:
            total += int(f.read().split()[0])
    return total / 1e6


def _question(text):
    """Words in the place of their ranks."""
    parts = [part.split("}") for part in text.split("{")]
    return parts[0][0] + "".join(word(int(rank)) + rest for rank, rest in parts[1:])


def measure(table, options):
    """Index and questions."""
    count = POSTS_FULL if options.full else POSTS
    with Server(mode="push", env={"RETWIS_REDIS_MEMORY_LIMIT": "4096"}) as server:
        engine = server.engine()
        _write(server, count)
        before, cpu, start = int(engine.info("used_memory")), _cpu(server), time.monotonic()
        server.cli("search", "rebuild")
        seconds, cpu = time.monotonic() - start, _cpu(server) - cpu
        size = (int(engine.info("used_memory")) - before) / count
        table.add(f"index of {count:,} posts of {WORDS_OF_POST} words", f"{size:.0f} bytes a post", "<= 200", size <= 200)
        table.add("the same built anew", f"{seconds:.0f} s: {count / seconds:,.0f} posts/s; {cpu / count * 1e6:.1f} us of the engine each")
        _measure_questions(table, server)
    _measure_writing(table)


def _measure_questions(table, server):
    with contextlib.closing(Author(server, "reader")) as reader:
        for what, text in QUESTIONS.items():
            pids = server.process.pid, server.engine_pid()
            times, found, before = [], 0, [_cpu_ms(pid) for pid in pids]
            for _ in range(ASKED):
                page = reader.browser.get("/search", params={"q": _question(text)})
                found = len(page.statuses)
                times.append(float(server.access(page)["ms"]))
            good = median(times) <= 20
            cpu = [(_cpu_ms(pid) - was) / ASKED for pid, was in zip(pids, before)]
            table.add(f"search for {what}", f"{median(times):.1f} ms, at most {max(times):.1f} ({found} found; server and engine worked "
                      f"{cpu[0]:.1f} and {cpu[1]:.1f} ms)", "<= 20 ms", good)


def _measure_writing(table):
    """Posts by two authors in turn, of a site with search and of one without."""
    texts = list(_texts(1000 * ((2 * WRITTEN) // 1000 + 1)))
    with contextlib.ExitStack() as stack:
        sites = [stack.enter_context(Server(mode="push", env={"RETWIS_SEARCH_ENABLED": on})) for on in ("yes", "no")]
        authors = [stack.enter_context(Author(server, "author")) for server in sites]
        times, cpu = ([], []), [_cpu(server) for server in sites]
        for n in range(WRITTEN):
            for author, of in zip(authors, times):
                of.append(author.post(texts[n]))
        cpu = [(_cpu(server) - was) / WRITTEN * 1e6 for server, was in zip(sites, cpu)]
    for percent in (50, 99):
        with_it, without = (percentile(of, percent) for of in times)
        table.add(f"a post acknowledged with search / without, p{percent}", f"{with_it:.2f} / {without:.2f} ms: "
                  f"{with_it / without:.2f} times", "<= 1.1 times" if percent == 50 else "",
                  with_it <= 1.1 * without if percent == 50 else None)
    table.add("engine per post with search / without", f"{cpu[0]:.0f} / {cpu[1]:.0f} us")
