#!/usr/bin/env python3
"""`prof advise` names copies of pageable memory, and says nothing about pinned memory."""
import doubles
from doubles import equal

D = doubles.Doubles()


def pageable():
    D.record(D.build("copies"))
    rows = D.read("advise")["advice"]
    equal("kinds", [row["kind"] for row in rows], ["pageable-copies"])
    equal("function", rows[0]["function"], "send")
    equal("copies", rows[0]["evidence"].startswith("400 copies host to device of pageable memory; 25.0 MiB"), True)
    equal("order", 1 < rows[0]["speedup_low"] < rows[0]["speedup_high"], True)


def pinned():
    D.record(D.build("copies"), "pinned")
    equal("kinds", D.read("advise")["advice"], [])


D.main([(case.__name__, case) for case in (pageable, pinned)])
