"""
Expected trees, and the tree that was recorded.

A .tree file has lines `key: values` about the program, then runs with the tree that each is expected to give:

    flags: -std=c++20          for the compiler
    families: gcc | why        compiled by these only
    shapes: exe shared | why   in these shapes only; the text behind | says why
    libraries: one two         built from one.c and two.c as ./one.so and ./two.so
    record: --max-size=1M      for `prof record`
    ignore: std::*             functions that aren't looked at; what they call counts as called by their caller
    parts: count               functions that a compiler splits into several of the same name: a part that is called by a
                               part counts as one with it, and how often they are called isn't looked at
    run words -> status        arguments, exit status (below 0: signal); then, optionally, `if WORD`: holds where the
                               plain program prints this word.  A run whose first word is `unlooked` has no tree
    main 1                     function and calls ("?": of parts); indented by two: called by the one above
                               a function that was open at a fork counts for the parent only
"""
import collections
import fnmatch
import json
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "support"))
import time_parts  # noqa: E402

Run = collections.namedtuple("Run", "words status condition tree")


class Node:
    def __init__(self, name):
        self.name, self.calls, self.children = name, 0, {}

    def child(self, name):
        return self.children.setdefault(name, Node(name))

    def lines(self, depth=0):
        for node in sorted(self.children.values(), key=lambda each: each.name):
            yield "  " * depth + f"{node.name} {'?' if node.calls is None else node.calls}"
            yield from node.lines(depth + 1)

    def totals(self):
        """{function: calls}"""
        found = collections.Counter()
        for node in self.children.values():
            if node.calls is not None:
                found[node.name] += node.calls
            found += node.totals()
        return found


class Expected:
    """What a .tree file says."""

    def __init__(self, path):
        self.path, self.keys, self.runs = path, {}, []
        stack = []
        for number, line in enumerate(path.read_text().splitlines(), 1):
            if not line.strip() or line.startswith("#"):
                continue
            words = line.split()
            if words[0] == "run":
                self.runs.append(self._run(line))
                stack = [self.runs[-1].tree]
            elif words[0].endswith(":") and not self.runs:
                self.keys[words[0][:-1]] = line.split(":", 1)[1].strip()
            else:
                self._node(line, number, stack)

    @staticmethod
    def _run(line):
        match = re.fullmatch(r"run (.*)-> (-?\d+)(?: if (\S+))?", line)
        assert match, f"not a run: {line}"
        return Run(match[1].split(), int(match[2]), match[3], Node(""))

    def _node(self, line, number, stack):
        match = re.fullmatch(r"( *)(.+?) (\d+|\?)", line)
        depth = len(match[1]) // 2 if match else 0
        assert match and stack and depth < len(stack), f"{self.path}:{number}: not a node: {line}"
        del stack[depth + 1:]
        node = stack[-1].child(match[2])
        node.calls = None if match[3] == "?" else node.calls + int(match[3])
        stack.append(node)

    def words(self, key):
        """(words, reason): reason is what stands behind a |."""
        text, _, reason = self.keys.get(key, "").partition("|")
        return text.split(), reason.strip()


def plain_name(name):
    """Without parameters, and without what compilers append to clones."""
    name = re.sub(r" ?\[clone [^]]*\]|(\.(cold|part|constprop|isra|llvm|lto_priv|\d+))+\b.*$", "", name)
    depth, kept = 0, []
    for character in name.replace("operator()", "operator<call>").replace("(anonymous namespace)", "<anonymous>"):
        depth += character == "("
        if depth == 0:
            kept.append(character)
        depth -= character == ")"
    return "main" if "".join(kept) == "matrix_main" else "".join(kept).removesuffix(" const")


def _add(to, rows, expected):
    for row in rows:
        name = plain_name(row["name"])
        is_part = name in expected.words("parts")[0]
        if any(fnmatch.fnmatchcase(name, pattern) for pattern in expected.words("ignore")[0]) or is_part and name == to.name:
            _add(to, row["children"], expected)
            continue
        node = to.child(name)
        node.calls = None if is_part else node.calls + row["calls"]
        _add(node, row["children"], expected)


def recorded(text, expected):
    """(tree, cover) of what `prof tree --format=json` wrote."""
    read = json.loads(text)
    time_parts.check_tree(read)
    tree = Node("")
    _add(tree, read["roots"], expected)
    return tree, read["cover"]
