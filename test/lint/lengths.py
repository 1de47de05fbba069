#!/usr/bin/env python3
"""No file over 500 lines, no function over 60 without a reason in the comment above it (`Long: ...`)."""
import re
import tree

FILE_LINES, FUNCTION_LINES = 500, 60
EXEMPT_FILES = {"LICENSE", "CHANGELOG.md"}
TEXTS = {".md", ".scd", ".txt", ".cmake", ""}
# In our layout a function's head begins in the first column, its body's last brace stands there alone.
HEAD = re.compile(r"^[A-Za-z_].*\)[^;=]*\{\s*(//.*|/\*.*)?$|^[A-Za-z_][^;=]*\(.*[^;]$")
NO_FUNCTION = re.compile(r"^(struct|union|enum|typedef|namespace|extern \"C\"|#)\b[^()]*\{?\s*$")


def functions(text):
    """(first line, last line, comment above) of each function; lines count from 1."""
    start = None
    for i, line in enumerate(text):
        if start is None:
            if HEAD.match(line) and not NO_FUNCTION.match(line):
                start = i
        elif line.startswith("}"):
            yield start + 1, i + 1, comment_above(text, start)
            start = None
        elif line.endswith(";") and not any("{" in head for head in text[start:i + 1]):
            start = None  # a declaration over several lines


def comment_above(text, start):
    above = []
    for line in reversed(text[:start]):
        stripped = line.strip()
        if not stripped or not (stripped.startswith(("/*", "*", "//")) or stripped.endswith("*/") or above
                                and not above[-1].strip().startswith("/*")):
            break
        above.append(line)
    return "\n".join(above)


def main():
    faults = []
    paths = [p for p in tree.files() if p.suffix in tree.CODE | tree.SCRIPTS | TEXTS]
    for path in paths:
        if path.name in EXEMPT_FILES or "corpus" in path.parts:
            continue
        text = tree.lines(path)
        if len(text) > FILE_LINES:
            faults.append(f"{path}:{FILE_LINES}: {len(text)} lines, at most {FILE_LINES}")
        if path.suffix not in tree.CODE:
            continue
        for first, last, comment in functions(text):
            if last - first + 1 > FUNCTION_LINES and "Long:" not in comment:
                faults.append(f"{path}:{first}: a function of {last - first + 1} lines, at most {FUNCTION_LINES}")
    tree.finish(faults, len(paths))


main()
