#!/usr/bin/env python3
"""A name stands for one thing: no struct whose name begins with prof_ is defined in two headers of the product."""
import collections
import re
import tree

DEFINED = re.compile(r"^\s*(?:typedef )?struct (prof_\w+) \{")


def main():
    headers = [p for p in tree.files({".h"}) if p.parts[0] != "test"]
    places = collections.defaultdict(list)
    for path in headers:
        for number, line in enumerate(tree.lines(path), 1):
            if found := DEFINED.match(line):
                places[found[1]].append(f"{path}:{number}")
    faults = [f"struct {tag} is defined twice: {', '.join(where)}" for tag, where in sorted(places.items()) if len(where) > 1]
    tree.finish(faults, len(headers))


main()
