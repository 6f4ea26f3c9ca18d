"""What the head of a Lua script may say (src/store/scripts/README.md): a mistake ends the build, with its place and the reason."""

import os
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
