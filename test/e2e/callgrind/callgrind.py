"""Reads the call counts out of a callgrind output file.

Format: the manual's "Callgrind Format Specification".  Names are given once as "(id) name" and then as "(id)"; a
"calls=N" line counts calls from the current fn in ob to the last cfn in cob (absent: the same ob).
"""
import collections
import re

NAME = re.compile(r"\((\d+)\)(?: (.*))?")
COLD = re.compile(r"\.cold(\.\d+)?$")
RECURSION = re.compile(r"'\d+$")  # f'2 is f called from f
# Names of objects and of functions are numbered apart.
TABLE = {"ob": "object", "cob": "object", "fn": "function", "cfn": "function"}


def read_calls(path):
    """Counter: (caller, callee), each (object, assembler name) -> calls."""
    names = {"object": {}, "function": {}}
    edges = collections.Counter()
    now = {"ob": "", "fn": "", "cob": None, "cfn": ""}
    for line in open(path, encoding="utf-8", errors="replace"):
        key, _, rest = line.rstrip("\n").partition("=")
        if key in TABLE:
            table = names[TABLE[key]]
            match = NAME.match(rest)
            if match and match[2]:
                table[match[1]] = match[2]
            name = table[match[1]] if match else rest
            now[key] = RECURSION.sub("", name)
        elif key == "calls":
            callee_object = now["ob"] if now["cob"] is None else now["cob"]
            edges[(now["ob"], now["fn"]), (callee_object, now["cfn"])] += int(rest.split()[0])
            now["cob"] = None
    return edges


def calls_per_function(edges, binary):
    """Calls of each function of one object.  A jump to or from the cold part of a function stays inside it."""
    calls = collections.Counter()
    for ((_, caller), (callee_object, callee)), count in edges.items():
        if callee_object != binary or COLD.search(callee):
            continue
        if COLD.search(caller) and COLD.sub("", caller) == callee:
            continue
        calls[callee] += count
    return calls
