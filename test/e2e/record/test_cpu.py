#!/usr/bin/env python3
"""Processor time of threads that never tell it themselves, as OpenMP's workers: no more than the process used."""
import recording
from recording import equal


def parked(bench):
    program = bench.folder / "parked"
    bench.build("parked.c", program)
    for way in ("exit", "_exit", "kill"):
        bench.record(way, program=program)
        info = bench.info()
        threads = info["thread_list"]
        used = info["user_ns"] + info["system_ns"]
        equal(f"{way}: threads", len(threads), 2)
        equal(f"{way}: CPU of threads {[row['cpu_ns'] for row in threads]} within the process's {used}",
              sum(row["cpu_ns"] for row in threads) <= used, True)


if __name__ == "__main__":
    recording.main([parked])
