"""running + waiting + preempted + probe overhead = elapsed: in all and of each thread; of each function without overhead."""

PARTS = ("running_ns", "waiting_ns", "preempted_ns")


def check(what, report):
    """report(*arguments): the document of `prof report --format=json` with these.  Asserts; returns the threads."""
    insides, threads = [], []
    for arguments in ((), ("--raw",), ("--by=thread",), ("--time=elapsed",)):
        document = report(*arguments)
        cover = document["cover"]
        if "waiting_ns" not in cover:  # no scheduler switches
            assert cover["time"] == "elapsed", (what, arguments, cover)
            return threads
        insides.append(cover["elapsed_ns"])
        rows = document.get("functions") or document["threads"]
        parts = sum(cover[key] for key in PARTS)
        assert parts == cover["inside_ns"] and parts + cover["probe_ns"] == cover["elapsed_ns"], (what, arguments, cover)
        for row in rows:
            assert sum(row[key] for key in PARTS) == row["total_ns"], (what, arguments, row)
            assert sum(row["self_" + key] for key in PARTS) == row["self_ns"], (what, arguments, row)
        if "--by=thread" in arguments:
            threads = rows
            assert all(row["total_ns"] + row["probe_ns"] == row["elapsed_ns"] for row in rows), (what, rows)
            for key in PARTS + ("probe_ns", "elapsed_ns"):
                assert abs(sum(row[key] for row in rows) - cover[key]) <= len(rows), (what, key, cover, rows)
        own = sum(row["self_share"] for row in rows)
        assert abs(own - 1) < 1e-3 or own == 0, (what, arguments, own)
    # The measured time is the same with every correction; a thread's samples are rounded.
    assert max(insides) - min(insides) <= 1000 + max(insides) // 10**6, (what, insides)
    return threads


def check_calls(what, report):
    """A row is consistent: MIN <= AVG <= MAX, percentiles between them, and one call took the total."""
    for arguments in ((), ("--raw",)):
        for row in report(*arguments)["functions"]:
            if row["min_ns"] is None:
                continue
            order = [row[key] for key in ("min_ns", "p50_ns", "p95_ns", "p99_ns", "max_ns")]
            assert order == sorted(order) and order[0] <= row["avg_ns"] <= order[-1], (what, arguments, row)
            if row["calls"] == 1:
                assert order[0] == order[-1] <= row["total_ns"], (what, arguments, row)


def check_tree(document):
    """The same for each path of `prof tree --format=json`; no check without scheduler switches."""
    cover, paths = document["cover"], list(document["roots"])
    if "waiting_ns" not in cover:
        return
    parts = sum(cover[key] for key in PARTS)
    assert parts == cover["inside_ns"] and parts + cover["probe_ns"] == cover["elapsed_ns"], cover
    while paths:
        path = paths.pop()
        paths += path["children"]
        assert sum(path[key] for key in PARTS) == path["total_ns"], path
        assert sum(path["self_" + key] for key in PARTS) == path["self_ns"], path
