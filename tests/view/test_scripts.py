"""What the head of a Lua script may say (src/store/scripts/README.md): a mistake ends the build, with its place and the reason."""

import os
import re
import subprocess
from pathlib import Path

import pytest

EMBED = Path(os.environ["RETWIS"]).parent / "embed"
GOOD = """#!lua
-- A script.
--: key   user   USER uid
--: arg   uid    id
--: arg   how    fast|slow
--: reply OK
if how == 'fast' then
    redis.call('HSET', user, USER_BIO, 'x')
end
return {OK}
"""


def build(folder, text, how="--calls"):
    """What embed says of a script of this text, and the C header that it makes."""
    script = folder / "one.lua"
    script.write_text(text)
    done = subprocess.run([EMBED, how, folder, script], capture_output=True, text=True)
    return done.returncode, done.stderr, (folder / "calls.h").read_text() if done.returncode == 0 else ""


def test_good(tmp_path):
    """Keys are made inside; C gets the arguments by name."""
    status, said, header = build(tmp_path, GOOD, "--lint")
    assert (status, said) == (0, "")
    assert "uint64_t uid;" in header and "ONE_HOW_SLOW" in header and "script_one_add(" in header


@pytest.mark.parametrize("old, new, said", [
    ("USER uid", "NOBODY uid", "keys.h has no key NOBODY"),
    ("USER uid", "USER who", "no argument that it can be made of"),
    ("uid    id", "uid    uuid", "there is no type uuid"),
    ("reply OK", "reply FINE", "its word stands in answer.h"),
    ("USER_BIO", "USER_SHOE_SIZE", "one.lua:8: USER_SHOE_SIZE is no word"),
    ("USER_BIO", "'bio'", "'bio' is spelled here and declared nowhere"),
    ("{OK}", "{GONE}", "it answers GONE, which it does not declare"),
    ("HSET', user", "HSET', usr", "usr is not declared"),
    ("'fast' then", "'quick' then", "'quick' is spelled here"),
    ("--: arg   uid", "--: argument uid", "a declaration begins with"),
])
def test_mistakes(tmp_path, old, new, said):
    """Each of them, as it would be made."""
    assert GOOD.count(old) == 1
    status, stderr, _ = build(tmp_path, GOOD.replace(old, new))
    assert status == 1 and said in stderr, stderr


def test_unused(tmp_path):
    """What is declared and not used is told, and ends `make lint`."""
    text = GOOD.replace("--: reply OK", "--: arg   more   text\n--: reply OK")
    assert build(tmp_path, text)[0] == 0
    status, said, _ = build(tmp_path, text, "--lint")
    assert status == 1 and "argument more is declared and not used" in said


MODULES = {
    "retwis.js": 'import "./other.js";\nimport {\n    one,\n    two,\n} from "./page.js";\none();\n',
    "other.js": 'import { two } from "./page.js";\nconst three = two + 1;\nfor (const one of []) {\n}\n',
    "page.js": 'export async function one() {\n}\nexport const two = 2;\nexport { two };\n',
}


def bundle(folder, changes=()):
    """What embed says of these modules, and the C file that it makes."""
    (folder / "web/js").mkdir(parents=True, exist_ok=True)
    for name, text in {**MODULES, **dict(changes)}.items():
        (folder / "web/js" / name).write_text(text)
    paths = [f"web/js/{name}" for name in (*MODULES, "alone.js")]
    done = subprocess.run([EMBED, "out.c", *paths[: 4 if "alone.js" in dict(changes) else 3]], cwd=folder, capture_output=True, text=True)
    return done.returncode, done.stderr, (folder / "out.c").read_text() if done.returncode == 0 else ""


def test_modules_become_one(tmp_path):
    """Each once and after what it imports, without import and export; what nobody imports is not there."""
    status, said, made = bundle(tmp_path, {"alone.js": "const alone = 1;\n"}.items())
    text = "".join(re.findall(r'^ {4}"(.*?)\\n"', made, re.M))
    assert (status, said) == (0, "") and '"web/js/page.js"' not in made and "alone" not in made
    assert text.startswith("async function one() {}const two = 2;const three = two + 1;for (const one of []) {}one();"), text


@pytest.mark.parametrize("name, old, new, said", [
    ("other.js", "const three", "const two", '"two" is declared in web/js/page.js, too'),
    ("page.js", "const two", "let one", '"one" is declared in web/js/page.js, too'),
    ("other.js", "{ two }", "{ two as deux }", "does not understand"),
    ("other.js", "./page.js", "https://example.org/page.js", "does not understand"),
    ("page.js", "export const", 'import "./other.js";\nexport const', "modules that import each other"),
    ("page.js", "export const two", "export const { two }", "does not see what is declared"),
    ("retwis.js", "other.js", "gone.js", "gone.js: No such file"),
])
def test_modules_refused(tmp_path, name, old, new, said):
    """What one file of them would mean something else by, or nothing."""
    assert MODULES[name].count(old) == 1
    status, stderr, _ = bundle(tmp_path, {name: MODULES[name].replace(old, new)}.items())
    assert status == 1 and said in stderr, stderr


def test_styles_are_squeezed(tmp_path):
    """No blank that means nothing, no comment; what stands in quotes stays, and a blank before a colon, which means something."""
    (tmp_path / "one.css").write_text('/* a */\na :hover,\nb > c {\n    color: red; /* b */\n    content: "x: y; } {";\n}\n\n@media (a: b) {\n    .d { margin: 0 1px; }\n}\n')
    subprocess.run([EMBED, "out.c", "one.css"], cwd=tmp_path, check=True)
    made = (tmp_path / "out.c").read_text().replace("\\073", ";")
    assert r'"a :hover,b > c{color:red;content:\042x: y; } {\042}@media (a:b){.d{margin:0 1px}}"' in made, made
