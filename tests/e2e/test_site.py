"""What every page has: language, headers, errors that look like the site, assets that are kept for good, health."""

import gzip
import json
import re

import pytest
import requests

from retwis_server import Browser, Server, limit, wait_until

STRANGERS_PAGES = ["/", "/public", "/about", "/auth/sign_in", "/auth/sign_up", "/tags/x"]

SECURITY = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}


def assert_safe_headers(answer):
    """The headers that are on every answer, whatever its status."""
    for name, value in SECURITY.items():
        assert answer.headers[name] == value, (name, answer)
    policy = dict(part.strip().split(" ", 1) for part in answer.headers["Content-Security-Policy"].split(";") if part)
    assert policy["default-src"] == "'none'" and policy["script-src"] == "'self'" and policy["style-src"] == "'self'"
    assert policy["form-action"] == "'self'" and policy["base-uri"] == "'none'"
    assert policy["frame-ancestors"] == "'none'" and policy["object-src"] == "'none'"
    assert "unsafe" not in answer.headers["Content-Security-Policy"]
    assert "Permissions-Policy" in answer.headers
    assert re.fullmatch(r"[0-9a-f]{16}", answer.headers["X-Request-Id"])
    assert "Server" not in answer.headers and "Access-Control-Allow-Origin" not in answer.headers
    assert "Strict-Transport-Security" not in answer.headers, "not without HTTPS"
    if answer.status != 304 and answer.body:
        assert "charset=utf-8" in answer.headers["Content-Type"] or answer.headers["Content-Type"].startswith("image/")


def test_headers_on_every_answer(server, people):
    """Pages, redirects, refusals, assets, errors."""
    member, stranger = people(server, "member"), Browser(server)
    css = stranger.get("/").one("link[rel=stylesheet]")["href"]
    for path in STRANGERS_PAGES + ["/nothing", "/@no_such_person", "/home", css, "/health", "/robots.txt", "/favicon.ico",
                                   "/static/x/none.css", "/posts", "/public?max_id=x"]:
        assert_safe_headers(stranger.get(path, expect=None, follow=False))
    for path in ("/home", f"/@{member.name}", f"/@{member.name}/following", "/settings/sessions", "/"):
        page = member.get(path, expect=None, follow=False)
        assert_safe_headers(page)
        assert page.headers["Cache-Control"] == "no-store"
    assert_safe_headers(stranger.request("POST", "/posts", data={"status": "x"}))
    assert_safe_headers(stranger.request("DELETE", "/home"))
    assert_safe_headers(stranger.request("PROPFIND", "/home"))


def test_errors_look_like_the_site(server):
    """A page that does not exist has the site's look, a number and a way back."""
    for path in ("/nothing", "/@no_such_person", "/@no_such_person/123", "/home/x", "/static/x/y.css/z", "/auth", "/@"):
        page = Browser(server).get(path, expect=None)
        assert page.status in (400, 404), path
        if page.headers["Content-Type"].startswith("text/html"):
            assert page.one(".error-page")["data-code"] == str(page.status)
            assert page.first(".error-page a")["href"] == "/"
            assert page.headers["X-Request-Id"] in page.text


def test_methods(server):
    """405 with what is allowed; OPTIONS says it too; HEAD is GET without the body."""
    stranger = Browser(server, **{"Accept-Encoding": "identity"})  # what is given again may be compressed otherwise
    page = stranger.request("POST", "/public", data={"csrf_token": stranger.token()})
    assert page.status == 405 and set(re.split(", *", page.headers["Allow"])) >= {"GET", "HEAD", "OPTIONS"}
    page = stranger.get("/posts", expect=405)
    assert "POST" in page.headers["Allow"] and "GET" not in page.headers["Allow"]
    page = stranger.request("OPTIONS", "/posts")
    assert page.status in (200, 204) and "POST" in page.headers["Allow"]
    css = stranger.get("/").one("link[rel=stylesheet]")["href"]
    for path in STRANGERS_PAGES + [css, "/health", "/nothing"]:
        get, head = stranger.get(path, expect=None), stranger.request("HEAD", path)
        assert head.status == get.status and head.body == b""
        assert head.headers["Content-Type"] == get.headers["Content-Type"]
        assert abs(int(head.headers["Content-Length"]) - int(get.headers["Content-Length"])) < 20, path


def test_trailing_slash(server, people):
    """Tolerated everywhere."""
    member = people(server, "slash")
    for path in ("/public/", "/about/", f"/@{member.name}/", f"/@{member.name}/followers/", "/auth/sign_in/", "/health/"):
        Browser(server).get(path)


def test_health(server):
    """200 and a word for programs; no cookie is set."""
    page = Browser(server).get("/health")
    assert page.text == "OK" and page.headers["Content-Type"].startswith("text/plain")
    assert "Set-Cookie" not in page.headers and page.headers["Cache-Control"] == "no-store"


def test_every_link_leads_somewhere(people):
    """All addresses on all pages of a site of its own: none is broken. Nor is an id there twice, or a label without
    field."""
    with Server() as server:
        crawl(server, *people(server, "crawler", "other"))


def crawl(server, member, other):
    """Follows every link."""
    member.follow(other.name)
    post = member.post(f"#tag hello @{other.name} https://example.org/")
    other.reply(member.name, post, "answer")
    todo, seen = ["/", "/home", "/public"], set()
    while todo:
        path = todo.pop()
        if path in seen or len(seen) > 150:
            continue
        seen.add(path)
        page = member.get(path)
        if not page.headers["Content-Type"].startswith("text/html"):
            continue
        ids = [e["id"] for e in page.tree.below() if "id" in e]
        assert len(ids) == len(set(ids)), f"{path}: {sorted(i for i in ids if ids.count(i) > 1)}"
        for label in page.all("label"):
            assert label.first("input") or label["for"] in ids, (path, label.text)
        for element in page.tree.below():
            for name in ("href", "src"):
                target = element.get(name, "")
                if target.startswith(server.url):
                    target = target[len(server.url):]
                if target.startswith("/"):
                    todo.append(target.split("#")[0])
                elif target.startswith("#"):
                    assert target[1:] in ids, (path, target)
                else:
                    assert not target or target.startswith("https://example.org/"), (path, target)
    assert any(p.startswith("/static/") for p in seen) and "/settings/password" in seen


# --- kept pages ---

def test_strangers_pages_are_kept(push_server, people):
    """A stranger's browser may keep public pages and is told when they are still the same; a change, another language or
    signing in bring another one. What members get is kept nowhere."""
    author = people(push_server, "kept")
    post = author.post("first")
    stranger = Browser(push_server)
    for path in (f"/@{author.name}", f"/@{author.name}/{post}", "/about", f"/@{author.name}/followers", "/tags/nothing_has_it"):
        stranger.get(path)  # the first page brings the cookie that forms are bound to
        page = stranger.get(path)
        assert page.headers["Cache-Control"] == "private, no-cache", path
        known = {"If-None-Match": page.headers["ETag"]}
        again = stranger.get(path, headers=known, expect=304)
        assert again.body == b"" and again.headers["ETag"] == page.headers["ETag"] and "Content-Length" not in again.headers
        assert stranger.get(path, headers={**known, "Accept-Language": "ro"}).one("html")["lang"] == "ro"
        assert Browser(push_server).get(path, headers=known).status == 200
        mine = author.get(path, headers=known)
        assert mine.headers["Cache-Control"] == "no-store" and "ETag" not in mine.headers
    page = stranger.get(f"/@{author.name}")
    second = author.post("second")
    fresh = stranger.get(f"/@{author.name}", headers={"If-None-Match": page.headers["ETag"]})
    assert second in fresh.ids and fresh.headers["ETag"] != page.headers["ETag"]
    author.delete(second)
    assert second not in stranger.get(f"/@{author.name}", headers={"If-None-Match": fresh.headers["ETag"]}).ids
    for path in ("/auth/sign_in", "/auth/sign_up", "/settings/language", "/nothing"):
        page = stranger.get(path, expect=None)
        assert page.headers["Cache-Control"] == "no-store" and "ETag" not in page.headers, path


# --- assets ---

def test_assets_are_kept_for_good(server):
    """Their address changes with their content, so they are never asked for again; gzip for those who can."""
    stranger = Browser(server)
    page = stranger.get("/")
    paths = [page.one("link[rel=stylesheet]")["href"], page.one("script")["src"], page.one("link[rel=icon]")["href"]]
    for path in paths:
        plain = stranger.get(path, headers={"Accept-Encoding": "identity"})
        assert "immutable" in plain.headers["Cache-Control"] and "max-age=31536000" in plain.headers["Cache-Control"]
        assert "Content-Encoding" not in plain.headers and plain.headers["ETag"]
        raw = requests.get(server.url + path, headers={"Accept-Encoding": "gzip"}, stream=True, timeout=limit(10))
        body = raw.raw.read(decode_content=False)
        if raw.headers.get("Content-Encoding") == "gzip":
            assert gzip.decompress(body) == plain.body and len(body) < len(plain.body)
            assert "Accept-Encoding" in raw.headers["Vary"]
        for encoding in ("identity", "gzip"):
            etag = stranger.get(path, headers={"Accept-Encoding": encoding}).headers["ETag"]
            again = stranger.get(path, headers={"Accept-Encoding": encoding, "If-None-Match": etag}, expect=304)
            assert again.body == b""
    css = stranger.get(paths[0], headers={"Accept-Encoding": "gzip"})
    assert css.headers["Content-Encoding"] == "gzip" and css.headers["Content-Type"].startswith("text/css")
    assert stranger.get(paths[1]).headers["Content-Type"].startswith("text/javascript")


@pytest.mark.parametrize("path", ["templates/home.html", "locales/en.json", "../retwis.ini", "css/../templates/home.html",
                                  "css/%2e%2e/templates/home.html", "..%2f..%2fetc/passwd", "css/", "css", "", ".",
                                  "css/retwis.css%00", "css\\retwis.css", "CSS/RETWIS.CSS"])
def test_only_assets_are_served(server, path):
    """Neither templates nor catalogues nor anything else of the machine."""
    version = Browser(server).get("/").one("script")["src"].split("/")[2]
    page = Browser(server).get(f"/static/{version}/{path}", expect=None)
    assert page.status in (400, 404)


def test_old_version_of_an_asset(server):
    """A page from before an upgrade still gets its style, but not for good."""
    answer = Browser(server).get("/static/0123456789ab/css/retwis.css")
    assert "immutable" not in answer.headers["Cache-Control"]


# --- language ---

def test_language_by_browser(server):
    """The best of what the browser asks for; English when there is none."""
    for accept, expected in (("zh-CN,zh;q=0.9,en;q=0.8", "zh-CN"), ("zh", "zh-CN"), ("zh-Hans", "zh-CN"),
                             ("en", "en"), ("en-GB", "en"), ("fr,de;q=0.5", "en"), ("fr, zh-cn;q=0.2", "zh-CN"),
                             ("en;q=0, zh-CN;q=0.1", "zh-CN"), ("", "en"), ("*", "en"), (";;q=x,,", "en")):
        page = Browser(server, **{"Accept-Language": accept}).get("/public")
        assert page.one("html")["lang"] == expected, accept


def test_language_by_choice(server, people):
    """The switch on each page wins, stays on the page, and is kept in a cookie."""
    stranger = Browser(server, **{"Accept-Language": "en"})
    page = stranger.get("/public")
    assert page.one("h1").text == "Public timeline"
    assert {b["value"] for b in page.all("form.locale button")} >= {"en", "zh-CN"}
    assert page.one("form.locale button[aria-current=true]")["value"] == "en"
    page = stranger.submit(page.form("form.locale"), locale="zh-CN")
    assert page.path == "/public" and page.one("html")["lang"] == "zh-CN"
    assert page.one("h1").text != "Public timeline" and page.flash
    assert stranger.get("/auth/sign_up").one("html")["lang"] == "zh-CN"
    assert stranger.get("/nothing", expect=404).one("html")["lang"] == "zh-CN"
    error = stranger.try_sign_in("nobody_here", "wrong password")
    assert error.errors and all(re.search("[\u4e00-\u9fff]", text) for text in error.errors.values())
    member = people(server, "language")
    page = member.submit(member.get("/settings/preferences").form("/settings/preferences"), locale="zh-CN")
    assert page.one("html")["lang"] == "zh-CN"
    assert re.search("[\u4e00-\u9fff]", member.try_post("x" * 501).errors["status"])


def test_language_by_address(server, people):
    """?lang= on any address: this page and the next ones, by a cookie; forms do not lead back to it."""
    stranger = Browser(server, **{"Accept-Language": "en"})
    page = stranger.get("/public?lang=ro")
    assert page.one("html")["lang"] == "ro" and page.headers["Cache-Control"] == "private, no-cache"
    assert stranger.get("/about").one("html")["lang"] == "ro"
    assert stranger.get("/nothing?lang=es", expect=404).one("html")["lang"] == "es"
    page = stranger.get("/about?x=1&lang=es&y=2")
    assert page.one("html")["lang"] == "es" and page.one("form.locale input[name=next]")["value"] == "/about?x=1&y=2"
    page = stranger.submit(stranger.get("/public?lang=ES").form("form.locale"), locale="en")
    assert page.path == "/public" and page.one("html")["lang"] == "en"
    for unknown in ("xx", "", "zh_CN", "../en", "es%0d%0aX: y"):
        page = stranger.get("/public?lang=" + unknown)
        assert page.one("html")["lang"] == "en" and "Set-Cookie" not in page.headers, unknown
    links = {a["lang"]: a["href"] for a in stranger.get("/").all(".site-footer .locale a")}
    assert links.keys() == {"en", "es", "ro", "zh-CN"}
    for code, path in links.items():
        assert stranger.get(path).one(".locale a[aria-current=true]")["lang"] == code
        assert stranger.get("/public").one("html")["lang"] == code


@pytest.mark.parametrize("language, count, text", [("en", 1, "1 other session is signed out."),
                                                   ("en", 2, "2 other sessions are signed out."),
                                                   ("ro", 1, "A fost închisă 1 sesiune."),
                                                   ("ro", 19, "Au fost închise 19 sesiuni."),
                                                   ("ro", 20, "Au fost închise 20 de sesiuni.")])
def test_messages_have_plurals(server, language, count, text):
    stranger = Browser(server)
    stranger.session.cookies.set("retwis_flash", f"flash_sessions_revoked~{count}")
    assert stranger.get(f"/about?lang={language}").flash == text


def test_language_that_one_prefers(server, people):
    """It is the member's, in whatever browser; the foot leads to the choice, an address only shows a page."""
    member = people(server, "polyglot")
    member.submit(member.get("/settings/preferences").form("/settings/preferences"), locale="ro")
    assert "Cont creat" in member.get(f"/@{member.name}").text
    elsewhere = Browser(server, **{"Accept-Language": "en"}).sign_in(member.name)
    assert elsewhere.get("/home").one("html")["lang"] == "ro"
    assert elsewhere.get("/public?lang=es").one("html")["lang"] == "es"
    assert elsewhere.get("/public").one("html")["lang"] == "ro"
    assert "/settings/preferences" in [a["href"] for a in elsewhere.get("/public").all(".site-footer a")]
    elsewhere.action("/locale", locale="zh-CN", next="/public")
    assert member.get("/home").one("html")["lang"] == "zh-CN"
    member.submit(member.get("/settings/preferences").form("/settings/preferences"), locale="")
    assert member.get("/home").one("html")["lang"] == "en"


def theme_of(page):
    """The theme that a page says it has, wherever it says so: of its root, its colours, and the switch."""
    chosen = page.one("html").get("data-theme")
    assert page.one("meta[name=color-scheme]")["content"] == (chosen or "light dark")
    assert len(page.all("meta[name=theme-color]")) == (1 if chosen else 2)
    if page.first("form.theme") is not None:
        assert page.one("form.theme button[aria-current=true]")["value"] == (chosen or "system")
    return chosen


def test_theme(server, people):
    """Strangers' is kept in a cookie, members' in whatever browser; on every page, also on those where nobody is known."""
    stranger = Browser(server)
    assert theme_of(stranger.get("/")) is None
    page = stranger.submit(stranger.get("/public?lang=en").form("form.theme"), theme="dark")
    assert page.path == "/public" and theme_of(page) == "dark"
    for path, status in (("/", 200), ("/auth/sign_in", 200), ("/nothing", 404)):
        assert theme_of(stranger.get(path, expect=status)) == "dark"
    assert theme_of(stranger.submit(page.form("form.theme"), theme="light")) == "light"
    answer = stranger.action("/theme", follow=False, theme="system", next="/public")
    assert "retwis_theme=;" in answer.headers["Set-Cookie"] and "Max-Age=0" in answer.headers["Set-Cookie"]
    assert theme_of(stranger.get("/public")) is None
    for word in ("blue", "", "dark\r\nX: y", "DARK", '"><b>'):
        assert stranger.action("/theme", follow=False, theme=word).status in (400, 422), word
        stranger.session.cookies.set("retwis_theme", re.sub(r"[^A-Za-z]", "", word))
        assert theme_of(stranger.get("/public")) is None, word
    member = people(server, "dusk")
    page = member.submit(member.get("/settings/preferences").form("/settings/preferences"), theme="dark")
    assert theme_of(page) == "dark" and page.form("/settings/preferences").values["theme"] == "dark"
    elsewhere = Browser(server).sign_in(member.name)
    assert theme_of(elsewhere.get("/home")) == "dark"
    elsewhere.action("/theme", theme="light", next="/home")
    assert theme_of(member.get("/home")) == "light"
    member.submit(member.get("/settings/preferences").form("/settings/preferences"), theme="system")
    assert theme_of(member.get("/home")) is None
    assert stranger.get("/public").form("form.theme").values["next"] == "/public"


def test_compose_box_as_one_prefers(server, people):
    """Audience and language stand there already; an answer is never for more people than one likes, or than the post."""
    member, other = people(server, "careful", "open")
    page = member.submit(member.get("/settings/preferences").form("/settings/preferences"), visibility="unlisted", language="es")
    assert page.flash and page.form("/settings/preferences").values == {
        "csrf_token": page.form("/settings/preferences").values["csrf_token"], "visibility": "unlisted", "language": "es", "locale": "",
        "home_replies": "followed", "theme": "system", "sensitive": "no"}
    box = member.get("/home").form("#compose").values
    assert (box["visibility"], box["language"]) == ("unlisted", "es")
    public, private = other.post("for all"), other.action("/posts", status="@" + member.name, visibility="private").statuses[0].id
    for post, visibility in ((public, "unlisted"), (private, "private")):
        assert member.get(f"/@{other.name}/{post}").form("#compose").values["visibility"] == visibility
    assert other.get("/home").form("#compose").values["visibility"] == "public"
    sent = member.action("/posts", status="", visibility="public", language="pt", next="/home")
    box = sent.form("#compose").values
    assert sent.status == 422 and (box["visibility"], box["language"]) == ("public", "pt")


def test_preference_that_is_none(server, people):
    member = people(server, "doubter")
    page = member.action("/settings/preferences", visibility="direct", locale="tlh", language="en")
    assert page.status == 422 and page.errors.keys() == {"visibility", "locale"}
    assert page.form("/settings/preferences").values["language"] == "en"
    assert member.get("/settings/preferences").form("/settings/preferences").values["language"] == ""


def test_language_that_is_none(server):
    """An unknown code changes nothing."""
    stranger = Browser(server, **{"Accept-Language": "en"})
    for code in ("xx", "", "../../etc", "zh-CN\r\nX: y", "zh_CN"):
        page = stranger.action("/locale", follow=False, locale=code, next="/public")
        assert page.status in (303, 400, 422), code
        assert stranger.get("/public").one("html")["lang"] == "en"


def test_no_key_is_missing(people):
    """In each language, on every page: no text stands there by its name in the catalogue."""
    with Server() as server:
        look_for_keys(*people(server, "catalogue", "other"))


def look_for_keys(member, other):
    """Names of keys and placeholders, in what is to be read."""
    member.follow(other.name)
    post = member.post("#x text")
    for language in ("en", "es", "ro", "zh-CN"):
        member.action("/locale", locale=language, next="/home")
        for path in ("/home", "/public", f"/@{member.name}", f"/@{other.name}", f"/@{member.name}/following",
                     f"/@{other.name}/followers", f"/@{member.name}/{post}", "/tags/x", "/settings/profile",
                     "/settings/password", "/settings/sessions", "/settings/preferences", "/about", "/nothing"):
            text = member.get(path, expect=None).one("html").text
            assert not re.search(r"\b(t|error|flash|title|empty|result|http|settings|preference|elapsed)[._][a-z0-9]+_?[a-z_]*\b",
                                 text.replace(member.name, "")), (language, path)
            assert "{" not in re.sub(r"\{(count|max)\}", "", text), (language, path)


# --- profile and about ---

def test_profile_settings(any_server, people):
    """Display name and bio: shown, limited, refused when they would turn the page round."""
    member = people(any_server, "profile")
    def save(**fields):
        return member.submit(member.get("/settings/profile").form("/settings/profile"), **fields)

    page = save(display_name="Ann O'Nym <b>", bio="line one\nline two https://example.org #tag")
    assert page.path == "/settings/profile" and page.flash
    profile = Browser(any_server).get(f"/@{member.name}")
    assert profile.one("h1").text == "Ann O'Nym <b>"
    assert profile.one(".bio").first("a")["href"] == "https://example.org"
    assert "Joined" in profile.one(".joined").text
    for field, value in (("display_name", "x" * 51), ("bio", "y" * 501), ("display_name", "a\u202eb"), ("bio", "\u2066x"),
                         ("display_name", "two\nlines")):
        page = save(**{"display_name": "ok", "bio": "ok", field: value})
        assert page.status == 422 and field in page.errors, (field, value)
        assert page.form("/settings/profile").values[field].replace("\r", "") == value
    save(display_name="😀" * 50, bio="")
    assert Browser(any_server).get(f"/@{member.name}").one("h1").text == "😀" * 50
    save(display_name="", bio="")
    assert Browser(any_server).get(f"/@{member.name}").one("h1").text == member.name


def test_settings_of_the_site():
    """What the administrator sets is on the pages within a second, escaped, in every server process."""
    with Server() as server:
        member = Browser(server).sign_up("member")
        server.cli("settings", "set", "site.name", "Tea & <Biscuits>")
        server.cli("settings", "set", "site.rules", "Be kind\nNo <script>")
        server.cli("settings", "set", "posts.length", "10")
        wait_until(lambda: "10" in member.get("/home").one("#compose-hint").text, 2, "the last setting is picked up")
        page = member.get("/about")
        assert "Tea & <Biscuits>" in page.one("title").text
        assert [e.text for e in page.all(".rules li")] == ["Be kind", "No <script>"]
        page = member.try_post("x" * 11)
        assert page.status == 422 and "11" in page.errors["status"]
        member.post("x" * 10)


def test_about_has_numbers(server):
    """How many people there are."""
    numbers = [e.text for e in Browser(server).get("/about").all(".counts strong")]
    assert len(numbers) == 1 and numbers[0].isdigit()


def test_kept_like_a_program(server):
    """The manifest and what it names: a phone takes the site among its programs."""
    visitor = Browser(server)
    page = visitor.get("/public")
    [link] = [e for e in page.all("link") if e["rel"] == "manifest"]
    answer = visitor.get(link["href"])
    assert answer.headers["Content-Type"].startswith("application/manifest+json")
    manifest = json.loads(answer.body)
    assert manifest["name"] == "Retwis" and manifest["start_url"] == "/home" and manifest["display"] == "standalone"
    for icon in manifest["icons"]:
        png = visitor.get(icon["src"])
        assert png.headers["Content-Type"] == "image/png" and int(png.headers["Content-Length"]) > 1000
    ico = visitor.get("/favicon.ico")
    assert ico.headers["Content-Type"] == "image/x-icon"


def test_links_shown_elsewhere(server, people):
    """What other sites show of a link: of posts and people that everybody may read, the warning in place of what is behind it."""
    me = people(server, "share")

    def told(path, by=None):
        metas = (by or Browser(server)).get(path).all("meta")
        return {e["property"]: e["content"] for e in metas if "property" in e.attributes}

    post, warned = me.post('Said "aloud" & <b>clearly</b>'), me.post("the butler", spoiler_text="who did it")
    card = told(f"/@{me.name}/{post}")
    assert card["og:description"] == 'Said "aloud" & <b>clearly</b>' and card["og:url"].endswith(f"/@{me.name}/{post}")
    assert told(f"/@{me.name}/{warned}")["og:description"] == "who did it"
    assert told(f"/@{me.name}")["og:title"] == me.name
    private = me.post("for followers", visibility="private")
    assert told(f"/@{me.name}/{private}", me) == {}
    assert told("/public") == {}


def test_fields_of_a_profile(server, people):
    """Up to four lines, with links that say whose they are; what is wrong comes back as it was typed."""
    member = people(server, "fielder")
    form = member.get("/settings/profile").form("/settings/profile")
    page = member.submit(form, field_1_name="Web", field_1_value="https://fields.example/me", field_3_name="Said", field_3_value="<b>&")
    assert page.flash and page.form("/settings/profile").values["field_2_value"] == "<b>&"
    profile = Browser(server).get(f"/@{member.name}")
    assert [(e.first("dt").text, e.first("dd").text) for e in profile.all(".fields div")] == [
        ("Web", "https://fields.example/me"), ("Said", "<b>&")]
    link = profile.one(".fields a")
    assert (link["href"], link["rel"]) == ("https://fields.example/me", "me nofollow noopener")
    page = member.submit(page.form("/settings/profile"), field_1_name="", field_2_value="x" * 256)
    assert page.status == 422 and page.errors.keys() == {"field_1_name", "field_2_value"}
    assert page.form("/settings/profile").values["field_2_value"] == "x" * 256
    member.action("/settings/profile", display_name="Shown", bio="")
    assert len(member.get(f"/@{member.name}").all(".fields div")) == 2


def test_newest_posts_on_the_first_page():
    """Strangers see what people say; what is gone, or not for all, is not there, though the list is remembered."""
    with Server() as server:
        stranger, me = Browser(server), Browser(server).sign_up("newest_1")
        assert not stranger.get("/").all(".newest")
        posts = [me.post(f"number {i}") for i in range(6)]
        me.post("for followers", visibility="private")
        me.post("not on public pages", visibility="unlisted")
        assert [s.id for s in stranger.get("/").statuses] == posts[:0:-1]
        assert any(server.trips(stranger.get("/")) == 0 for _ in range(50)), "mostly it costs the engine nothing"
        me.action(f"/posts/{posts[5]}/delete")
        assert posts[5] not in [s.id for s in stranger.get("/").statuses]
        assert stranger.get("/").first(".newest form") is None
