"""What is declared and not used, and names that are used for two things: tests/lint/run prints them.

Without a compiler: clang-format has put the name of each function that is defined, or declared in a header, on a line that begins at
the margin, and the brace of a body on a line of its own.

- A function or variable that a header offers is used in another file of src/ than those that declare and define it, or by what
  embed/ makes. Tests alone are no use.
- The name of a function, static or not, is defined once in src/.
- Each key of the catalogues in web/locales occurs in a template, a script or a source.
"""

import json
import re
from pathlib import Path

# What is offered all the same (the whole name matches), each with the reason.
UNUSED = {
    "guard_recv": "civetweb calls it: packaging/deps/civetweb_guard.h",
    "guard_send": "civetweb calls it: packaging/deps/civetweb_guard.h",
    "guard_accept": "civetweb calls it: packaging/deps/civetweb_guard.h",
    "guard_head": "civetweb calls it: packaging/deps/civetweb_guard.h",
    "templates_compile": "tests and the fuzzer give it texts of their own",
    r"event_listener_(new|step|free)": "a test steps a listener of its own",
    "job_id_text": "tests find a job by it",
    "memory_group_limit": "a test gives it files of its own",
    "turn_waiting": "a test waits for it",
    "compress_count": "a test counts them",
    "listen_parse": "a test gives it texts of its own",
    "locales_read": "a test gives it catalogues of its own",
    "app_check": "tests/fuzz holds it against the rules",
    "map_over": "a test gives it nodes of its own",
    r"script_call_\w+": "embed/calls.c makes the calls",
    "store_over": "a test gives it a link of its own",
}

# Keys that are put together at run time: what they look like, and where that is done.
COMPOSED = [
    (r"http_\d+_(title|text)", "pages/page.c"),
    (r"month_\d+", "view/locale_words.c"),
    (r"short_month_\d+", "view/locale_words.c"),
    (r"preference_\w+", "pages/preferences.c"),
    (r"common_\w+_least_(one|other)", "pages/people.c"),
    (r"filter_place_\w+", "pages/filters.c"),
    (r"scope_\w+", "pages/oauth.c"),
    (r"notice_(favourite|boost|mention|reply|follow|request|update|status)(_more_(one|other))?", "view/decoration_notice.c"),
]

COMMENT = re.compile(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'', re.DOTALL)
BODY = re.compile(r"^(?!typedef|#)[A-Za-z_][\w \t\*]*?[ \*](\w+)\(([^;{}#]*)\)\n\{", re.MULTILINE)
OFFER = re.compile(r"^(?!typedef|static|#)[A-Za-z_][\w \t\*]*?[ \*](\w+)\((?!\*)([^;{}#]*)\)[^;{}]*;", re.MULTILINE)
DATA = re.compile(r"^extern [\w \t\*]*?[ \*](\w+)(?:\[[^\]]*\])?((?:, \*?\w+(?:\[[^\]]*\])?)*);", re.MULTILINE)
WORD = re.compile(r"\w+")


def bare(text):
    """The text without comments and strings, of the same number of lines."""
    return COMMENT.sub(lambda m: " " + "\n" * m.group().count("\n"), text)


def defined(texts):
    """Where each function is defined: {name: [path]}."""
    found = {}
    for path, text in texts.items():
        for m in BODY.finditer(text):
            found.setdefault(m.group(1), []).append(path)
    return found


def offered(texts):
    """What each header offers: [(name, path)]."""
    found = []
    for path, text in texts.items():
        if path.suffix != ".h":
            continue
        names = [m.group(1) for m in OFFER.finditer(text)]
        for m in DATA.finditer(text):
            names += [m.group(1), *WORD.findall(re.sub(r"\[[^\]]*\]", "", m.group(2)))]
        found += [(name, path) for name in names]
    return found


def check_offers(texts):
    where = {}
    for path, text in texts.items():
        for word in set(WORD.findall(text)):
            where.setdefault(word, set()).add(path)
    for path in Path("embed").glob("*.[ch]"):  # what it makes calls these
        for word in set(WORD.findall(path.read_text())):
            where.setdefault(word, set()).add(path)
    bodies = defined({p: t for p, t in texts.items() if p.suffix == ".c"})
    lines, met = [], set()
    for name, header in offered(texts):
        own = {header, *bodies.get(name, [])}
        data = re.compile(rf"^(?!extern)[A-Za-z_][\w \t\*]*[ \*]{name}(?:\[[^\]]*\])* =", re.MULTILINE)
        own |= {p for p in where[name] if p.suffix == ".c" and data.search(texts.get(p, ""))}
        inside = len(re.findall(rf"\b{name}\b", texts[header])) > 1  # a macro or an inline function of the header
        if where[name] - own or inside:
            continue
        reasons = {form for form in UNUSED if re.fullmatch(form, name)}
        met |= reasons
        if not reasons:
            lines.append(f"{header}: {name} is used in no other file of src/")
    return lines, [f"tests/lint/names.py: {form} is used, or gone" for form in sorted(UNUSED.keys() - met)]


def check_twice(texts):
    return [f"{name}() is the name of {len(paths)} functions: {', '.join(map(str, sorted(paths)))}"
            for name, paths in sorted(defined(texts).items()) if len(paths) > 1]


def check_catalogue(paths):
    web = [p for p in Path("web").rglob("*") if p.suffix in (".html", ".js")]
    words = {word for path in web for word in WORD.findall(path.read_text())}
    words |= {word for path in paths for word in re.findall(r'"(\w+)"', path.read_text())}
    lines = []
    for key in json.loads(Path("web/locales/en.json").read_text()):
        name = re.sub(r"_(one|few|other)$", "", key)  # a plural
        is_problem = name.startswith("error_") and name.removeprefix("error_") in words  # problem.h: the rule's name
        if not {key, name} & words and not is_problem and not any(re.fullmatch(form, key) for form, _ in COMPOSED):
            lines.append(f"web/locales: {key} is used nowhere")
    return lines


def check(paths):
    """Lines for the findings in these files of src/ and in the catalogues, and for the warnings."""
    texts = {path: bare(path.read_text()) for path in paths}
    unused, reasons = check_offers(texts)
    return check_twice(texts) + check_catalogue(paths) + unused, reasons
