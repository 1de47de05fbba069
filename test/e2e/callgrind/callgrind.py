"""Reads the call counts out of a callgrind output file.

Format: the manual's "Callgrind Format Specification".  Names are given once as "(id) name" and then as "(id)"; a
"calls=N" line counts calls from the current fn to the last cfn.
"""
import collections
import re

NAME = re.compile(r"\((\d+)\)(?: (.*))?")
COLD = re.compile(r"\.cold(\.\d+)?$")


def read_calls(path):
    """Counter: (caller, callee) -> calls, by assembler name."""
    names, edges = {}, collections.Counter()
    caller = callee = None
    for line in open(path, encoding="utf-8", errors="replace"):
        if line.startswith(("fn=", "cfn=")):
            key, _, rest = line.rstrip("\n").partition("=")
            match = NAME.match(rest)
            if match and match[2]:
                names[match[1]] = match[2]
            name = names[match[1]] if match else rest
            name = name.split("'")[0]  # 'N: levels of recursion, when they are told apart
            caller, callee = (name, callee) if key == "fn" else (caller, name)
        elif line.startswith("calls="):
            edges[caller, callee] += int(line[6:].split()[0])
    return edges


def calls_per_function(edges):
    """Calls of each function.  A jump to or from the cold part of one function stays inside it."""
    calls = collections.Counter()
    for (caller, callee), count in edges.items():
        if COLD.search(callee):
            continue
        if COLD.search(caller) and COLD.sub("", caller) == callee:
            continue
        calls[callee] += count
    return calls
