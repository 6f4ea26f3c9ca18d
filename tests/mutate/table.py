"""The tables of changes, and whether they fit the sources: tests/mutate/table.py, or check() for `make lint`.

A table is a text file beside this one, named after its area. Each block is a change that a real mistake could have made:

    # what the change stands for (lines, as many as it needs)
    src/folder/file.c
    - the old text
    + the new text
    by unit/test_x e2e/test_y.py::test_z

Old and new are lines of the file, or parts of one line; how far a line is indented does not matter. The old text must occur
exactly once in the file. New text may be missing: then the old is left out. `by` names the tests that should notice it: unit
test programs, and files or tests for pytest. A change that no test can notice, because the program does the same, has
a line `equivalent: why` instead. Blank lines end a block; lines that begin with `#` and stand alone are remarks.
"""

import hashlib
import re
import sys
from dataclasses import dataclass, field
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
AREAS = ["social", "scripts", "store", "http", "pages", "view"]


@dataclass
class Mutant:
    area: str
    number: int = 0
    line: int = 0
    what: str = ""
    path: str = ""
    old: list = field(default_factory=list)
    new: list = field(default_factory=list)
    suites: list = field(default_factory=list)
    equivalent: str = ""

    @property
    def name(self):
        return f"{self.area} {self.number}"

    @property
    def place(self):
        return f"tests/mutate/{self.area}.txt:{self.line}"

    def pattern(self):
        return re.compile(r"\n[ \t]*".join(re.escape(line) for line in self.old))

    def apply(self, text):
        """The changed text. ValueError: the table does not fit the source any more."""
        found = self.pattern().findall(text)
        if len(found) != 1:
            raise ValueError(f"{self.place}: the old text occurs {len(found)} times in {self.path}, not once")
        return self.pattern().sub(lambda _: "\n".join(self.new), text)

    def key(self, root):
        """What a result was found with: another one when the change, its file or its tests are others."""
        words = [self.path, *self.old, "+", *self.new, *self.suites]
        for name in [self.path, *(source_of(s) for s in self.suites)]:
            words.append(hashlib.sha256((root / name).read_bytes()).hexdigest())
        return hashlib.sha256("\n".join(words).encode()).hexdigest()[:20]


def source_of(suite):
    name = suite.split("::")[0]
    return f"tests/{name}" if name.endswith(".py") else f"tests/{name}.c"


def _read_line(m, line):
    words = line.split()
    if line.startswith("#"):
        m.what = f"{m.what} {line[1:].strip()}".strip()
    elif line[:2] in ("- ", "+ "):
        (m.old if line[0] == "-" else m.new).append(line[2:].strip())
    elif line.startswith("equivalent:"):
        m.equivalent = line.partition(":")[2].strip()
    elif words[0] == "by":
        m.suites = words[1:]
    elif line.startswith("src/") and len(words) == 1 and not m.path:
        m.path = line
    else:
        raise ValueError(f"tests/mutate/{m.area}.txt: not understood: {line}")


def read(area):
    """The mutants of an area, numbered from 1."""
    found, m = [], Mutant(area)
    for number, line in enumerate([*(HERE / f"{area}.txt").read_text().splitlines(), ""], 1):
        if line.strip():
            m.line = m.line or number
            _read_line(m, line.strip())
        elif m.path or m.old:
            m.number = len(found) + 1
            found.append(m)
            m = Mutant(area)
        else:
            m = Mutant(area)
    return found


def read_all():
    return [m for area in AREAS for m in read(area)]


def mistakes(m):
    """What is wrong with a block of a table."""
    if not (m.what and m.path and m.old) or bool(m.suites) == bool(m.equivalent):
        return [f"{m.place}: needs `# what`, a file, `- old` and either `by …` or `equivalent: …`"]
    if not (ROOT / m.path).is_file():
        return [f"{m.place}: there is no {m.path}"]
    wrong = [f"{m.place}: there is no {source_of(s)}" for s in m.suites if not (ROOT / source_of(s)).is_file()]
    for suite in m.suites:
        test = suite.partition("::")[2].partition("[")[0]
        if test and not wrong and f"def {test}(" not in (ROOT / source_of(suite)).read_text():
            wrong.append(f"{m.place}: there is no {suite}")
    try:
        text = (ROOT / m.path).read_text()
        if m.apply(text) == text:
            wrong.append(f"{m.place}: changes nothing")
    except ValueError as e:
        wrong.append(str(e))
    return wrong


def check():
    """(number of mutants, mistakes): what `make lint` asks."""
    try:
        mutants = read_all()
    except ValueError as e:
        return 0, [str(e)]
    return len(mutants), [wrong for m in mutants for wrong in mistakes(m)]


if __name__ == "__main__":
    number, wrong = check()
    for line in wrong:
        print(line, file=sys.stderr)
    print(f"{number} changes, {len(wrong)} mistakes")
    sys.exit(1 if wrong else 0)
