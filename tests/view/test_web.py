"""The rules that web/ must keep without a server: run by pytest, or alone with python3.

Reads the templates, catalogues and samples as text. What the pages look like and do is tests/browser's business.
"""
import json
import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
WEB = ROOT / "web"
TEMPLATES = {path.stem: path.read_text() for path in sorted((WEB / "templates").glob("*.html"))}
CATALOGUES = {path.stem: json.loads(path.read_text()) for path in sorted((WEB / "locales").glob("*.json"))}
SAMPLES = {path.stem: json.loads(path.read_text()) for path in sorted((ROOT / "tests/view/samples").glob("*.json"))}
# Kept in step with "The language" in web/templates/README.md.
ROOT_ONLY = {"assets_version", "csrf_token", "errors", "focus", "form", "list", "locale", "page", "path", "signed_in",
             "site", "t", "unread", "viewer"}


def placeholders(text):
    return sorted(re.findall(r"\{\w+\}", text))


def in_english(key):
    """The key whose English text says the same: English has no third plural form."""
    return key[:-len("few")] + "other" if key.endswith("_few") else key


def test_catalogues_agree():
    english = CATALOGUES["en"]
    for code, catalogue in CATALOGUES.items():
        assert {in_english(key) for key in catalogue} == english.keys(), code
        for key, text in catalogue.items():
            assert text, (code, key)
            assert placeholders(text) == placeholders(english[in_english(key)]), (code, key)


def test_keys_are_in_the_catalogue():
    for name, text in TEMPLATES.items():
        for key in re.findall(r"\{\{[#^/]?t\.(\w+)\}\}", text):
            assert key in CATALOGUES["en"], (name, key)
            assert not placeholders(CATALOGUES["en"][key]) or key.startswith("js_"), (name, key)


def test_no_key_is_idle():
    """What no template uses must be one of the kinds that the server or the scripts look up."""
    used = set(re.findall(r"\{\{t\.(\w+)\}\}", " ".join(TEMPLATES.values())))
    kinds = ("title_", "error_", "flash_", "http_", "elapsed_", "month_", "short_", "retry_", "result_", "common_",
             "count_", "preference_", "apart_", "notice_", "notifications_all", "search_", "tag_posts_", "tag_people_", "filter_place_", "scope_", "oauth_no_")
    others = ("boosted_by", "filtered_by", "filter_blur", "compose_hint", "compose_language_other", "joined", "locale_name",
              "message_own")
    idle = [key for key in CATALOGUES["en"]
            if key not in used and not key.startswith(kinds) and key not in others]
    assert not idle, idle


def test_words_come_from_the_catalogue():
    for name, text in TEMPLATES.items():
        words = re.sub(r"(?s)<!.*?>|<[^>]*>|\{\{.*?\}\}", " ", text)
        assert not re.search(r"[A-Za-z]{2,}", words), (name, re.findall(r"[A-Za-z]{2,}", words))


def test_unescaped_in_three_places():
    found = [(name, use) for name, text in TEMPLATES.items() for use in re.findall(r"\{\{\{(.*?)\}\}\}|\{\{&(.*?)\}\}", text)]
    assert [(name, first) for name, (first, _) in found] == [("profile", "account.note"), ("profile", "value"), ("status_content", "content")]


def test_sections_are_closed():
    for name, text in TEMPLATES.items():
        stack = []
        for kind, key in re.findall(r"\{\{([#^/])([\w.]+)\}\}", text):
            if kind != "/":
                stack.append(key)
            else:
                assert stack and stack.pop() == key, (name, key)
        assert not stack, (name, stack)


def test_partials_exist_and_do_not_recurse():
    uses = {name: set(re.findall(r"\{\{> (\w+)\}\}", text)) for name, text in TEMPLATES.items()}

    def walk(name, above):
        assert name in TEMPLATES, name
        assert name not in above, name
        for partial in uses[name]:
            walk(partial, above | {name})

    for name in TEMPLATES:
        walk(name, set())


def test_strict_policy():
    for name, text in TEMPLATES.items():
        assert not re.search(r"\s(style|on\w+)=", text), name
        assert "<style" not in text and "javascript:" not in text, name
        for script in re.findall(r"<script[^>]*>.*?</script>", text, re.S):
            assert re.fullmatch(r'<script type="module" src=/static/[^\s>"]*></script>', script), name
    scripts = "".join(path.read_text() for path in (WEB / "js").glob("*.js"))
    assert not re.search(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\b", scripts)


def test_dark_is_dark():
    """Who chooses dark has what a dark browser has."""
    css = (WEB / "css/retwis.css").read_text()
    wished = re.search(r'(?s)prefers-color-scheme: dark\) \{\s*:root:not\(\[data-theme="light"\]\) \{(.*?)\}', css).group(1)
    chosen = re.search(r'(?s):root\[data-theme="dark"\] \{\s*color-scheme: dark;(.*?)\}', css).group(1)
    assert wished.split() == chosen.split() and wished.count("--") > 10


def test_attributes_are_quoted():
    """Values from the document, that is: but for ids, handles and the version, which are digits and letters, and sections over words of
    our own. (Quotes that are not needed are left out of the page.) ?lang={{code}} is part of an address."""
    for name, text in TEMPLATES.items():
        assert not re.search(r"(?<![?&\w])\w+=(?!(post-)?\{\{(id|#key|#reblogged|#favourited|#bookmarked)\}\}|/static/\{\{assets_version\}\}/|/@\{\{username\}\}/|\{\{href\}\}#reply>|/posts\{\{#compose.edits\}\})[^\s\">]*\{\{", text), name


def test_forms_carry_the_token():
    for name, text in TEMPLATES.items():
        for form in re.findall(r"(?s)<form.*?</form>", text):
            if 'role="search"' in form:  # it changes nothing, and what it found has an address
                assert 'action="/search"' in form and "method=" not in form and "csrf_token" not in form, name
                continue
            assert 'method="post"' in form, name
            form = form.replace("{{> acts_form}}", TEMPLATES["acts_form"])
            assert form.count('name="csrf_token" value="{{csrf_token}}"') == 1, name
            assert form.count("<form") == 1, (name, "a form in a form")


def test_comments_can_be_left_out():
    """The program carries scripts and styles without comments and indentation, cut out by a rule that knows no quotes."""
    for path in [*(WEB / "js").glob("*.js"), *(WEB / "css").glob("*.css")]:
        code = re.sub(r"(?s)(^|(?<=\s))/\*.*?\*/", "", path.read_text())
        assert "/*" not in code and "*/" not in code, path
        for line in code.splitlines():
            assert line.count("`") % 2 == 0, (path, "a text over several lines would lose its indentation", line)


def test_assets_exist():
    for name, text in TEMPLATES.items():
        for path in re.findall(r"/static/\{\{assets_version\}\}/([\w./-]+)", text):
            assert (WEB / path).is_file(), (name, path)


def test_icons_exist():
    """Each has its picture in the style, the names that the server chooses too, and none is idle."""
    style = (WEB / "css/retwis.css").read_text()
    drawn = set(re.findall(r"\.i-([\w-]+)(?=[^{}]*\{ --icon: url)", style))
    server = "".join(path.read_text() for path in (ROOT / "src/view").glob("decoration*.c"))
    chosen = set(re.findall(r'\[NOTICE_\w+\] = "([\w-]+)"|"visibility_\w+", "([\w-]+)"', server))
    used = {icon for text in TEMPLATES.values() for icon in re.findall(r'[" ]i-([\w-]+)(?=[" ])', text)}
    used |= {icon for pair in chosen for icon in pair if icon}
    assert len(used) > 20 and used <= drawn, used - drawn
    assert drawn - used <= {"bookmark", "more"}, drawn - used  # those of buttons by their names


def test_samples_cover_the_pages():
    partials = {use for text in TEMPLATES.values() for use in re.findall(r"\{\{> (\w+)\}\}", text)}
    pages = {name for name in TEMPLATES if name not in partials}
    assert {name.split(".")[0] for name in SAMPLES} == pages


def test_samples_keep_the_reserved_names():
    def walk(value, where, top):
        if isinstance(value, list):
            for item in value:
                walk(item, where, False)
        elif isinstance(value, dict):
            assert top or not ROOT_ONLY & value.keys() or where in ("errors", "focus", "form"), where
            for key, item in value.items():
                walk(item, key, False)

    for name, document in SAMPLES.items():
        if TEMPLATES[name.split(".")[0]].startswith("<?xml"):
            continue
        assert {"title", "page", "site", "csrf_token", "path", "locale", "locales", "assets_version"} <= document.keys(), name
        walk(document, name, True)


if __name__ == "__main__":
    for test, function in list(globals().items()):
        if test.startswith("test_"):
            function()
            print("ok", test)
