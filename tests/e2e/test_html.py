"""Every page is valid HTML, as html-validate (of tests/clients) sees it: with its standard rules, which are those of the specification."""

import json
import subprocess

from retwis_browser import Browser
from retwis_clients import path as path_of
from retwis_process import limit

RULES = {"extends": ["html-validate:standard"], "root": True}


def fill(server, people):
    """Somebody with something on each page; and the addresses of all pages that there are."""
    me, ann, ben = people(server, "me", "ann", "ben")
    me.follow(ann.name)
    ben.follow(me.name)
    ann.follow(me.name)
    post = ann.post(f'<b>words</b> & "quotes" of @{me.name} #tag https://example.org/?a=1&b=2', spoiler_text="wait")
    mine = me.post("mine #tag", lat="48.85", long="2.29", language="ro")
    me.reply(ann.name, post, "an answer")
    answer = me.get(f"/@{me.name}/replies").ids[0]
    ben.reply(me.name, answer, "another")
    for verb in ("favourite", "boost", "bookmark"):
        me.action(f"/posts/{post}/{verb}", next="/home")
        ann.action(f"/posts/{mine}/{verb}", next="/home")
    me.action(f"/posts/{mine}/pin", next="/home")
    me.action(f"/posts/{answer}/edit", status="an edited answer", next="/home")
    me.action("/settings/filters", phrase="another", filter_action="warn", home="true", thread="true")
    me.action("/settings/locked", locked="true")
    people(server, "asks").action(f"/@{me.name}/follow", next="/home")
    me.action(f"/@{ben.name}/mute", next="/home", notifications="true")
    me.action("/tags/tag/follow", next="/home")
    me.action(f"/@{people(server, 'gone').name}/block", next="/home")
    people_list = me.make_list("Some & <others>", ann.name)
    for n in range(22):
        ann.post_quickly(f"{n} of many")
    settings = ("profile", "password", "sessions", "preferences", "blocks", "mutes", "filters", "apps")
    own = ["/home", f"/home?max_id={answer}", "/welcome", "/compose", "/notifications", "/requests", "/lists", people_list,
           f"{people_list}/members", "/favourites", "/bookmarks", "/messages", f"/posts/{mine}/edit", f"/posts/{mine}/menu",
           *(f"/settings/{name}" for name in settings)]
    both = ["/", "/public", "/about", "/keys", "/tags", "/tags/tag", "/search", f"/search?q={ann.name}", "/search?q=words&type=statuses",
            f"/@{ann.name}", f"/@{ann.name}/replies", f"/@{ann.name}/following", f"/@{ann.name}/followers", f"/@{me.name}",
            f"/@{ann.name}/{post}", f"/@{me.name}/{answer}", f"/posts/{post}/menu", f"/posts/{post}/favourites", f"/posts/{post}/boosts",
            f"/posts/{answer}/history", "/developers", "/nothing", f"/@{ben.name}"]
    return me, own + both, both + ["/auth/sign_in", "/auth/sign_up"]


def test_pages_are_valid(server, people, tmp_path):
    """Of members and of strangers, with something on each; forms with errors too."""
    me, own, strangers = fill(server, people)
    pages = [(me, path) for path in own] + [(Browser(server), path) for path in strangers]
    for number, (browser, path) in enumerate(pages):
        page = browser.get(path, expect=None)
        assert page.status in (200, 404), (path, page.summary)
        (tmp_path / f"{number:03d}.html").write_text(page.text)
    wrong = [me.try_post(""), me.action("/settings/filters", expect=None, phrase=""), me.action("/lists", expect=None, title="")]
    for number, page in enumerate(wrong):
        assert page.status == 422, page.summary
        (tmp_path / f"wrong{number}.html").write_text(page.text)
    (tmp_path / ".htmlvalidate.json").write_text(json.dumps(RULES))
    program = path_of("html-validate", "bin", "html-validate.mjs")
    done = subprocess.run(["node", program, "--formatter", "text", "."], cwd=tmp_path, capture_output=True, text=True, timeout=limit(120), check=False)
    names = {f"{number:03d}": path for number, (_, path) in enumerate(pages)}
    assert done.returncode == 0 and done.stderr == "", f"{done.stdout}{done.stderr}\n{names}"
