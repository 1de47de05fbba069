#!/usr/bin/env python3
"""Programs that are rough with themselves (programs/rough.c): the same output and end as plain, and every call accounted for."""
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "e2e" / "record"))
import recording  # noqa: E402
from recording import equal  # noqa: E402

REFUSE = HERE.parent / "e2e" / "sample" / "programs" / "refuse.c"
PERF = "298"  # its system call on x86-64
INTERRUPTED = {"handler_leaves": 1, "thread_leaves": 3}  # threads that may have been in the middle of an event at the end
DROP = ("--when-full=drop", "--buffer=1M")


def compare(bench, way, options=(), refused=False):
    """The same as plain; (what it has printed, what prof info says)."""
    empty = bench.folder / "empty"
    empty.mkdir(exist_ok=True)
    plain = bench.run([bench.folder / "plain-rough", way, empty])
    command = [bench.prof, "record", *options, bench.folder / "rough", way, empty]
    result = bench.run([bench.folder / "refuse", PERF, *command] if refused else command)
    equal(f"{way} {options}: output and end", (result.stdout, result.returncode), (plain.stdout, plain.returncode))
    info = bench.info()
    equal(f"{way} {options}: complete, damaged", (info["complete"], info["damaged_chunks"]), (True, 0))
    return plain.stdout, info


def whole(way):
    def case(bench):
        output, info = compare(bench, way)
        equal("lost", info["lost_events"], 0)
        if info["torn_events"] > INTERRUPTED.get(way, 0):
            raise AssertionError(f"{info['torn_events']} events are torn")
        if "called " in output:
            equal("calls", f"called {bench.calls_of('leaf')}", output.splitlines()[-1])
    case.__name__ = way
    return case


def dropping(way):
    """Each call is in the trace, or its two events are among the lost."""
    def case(bench):
        output, info = compare(bench, way, DROP)
        events = 2 * int(output.split()[-1])
        if info["events"] + info["lost_events"] < events:
            raise AssertionError(f"{info['events']} recorded and {info['lost_events']} lost are less than {events}")
    case.__name__ = f"{way}_dropping"
    return case


def no_memory(bench):
    """Nobody makes space, and there is no memory for what is dropped then."""
    dropping("no_memory")(bench)
    if bench.info()["lost_events"] < 1000000:
        raise AssertionError(f"only {bench.info()['lost_events']} events are lost, though the recorder was stopped")


def pid_namespace(bench):
    """What the kernel says here of its numbers is of others: nobody is taken for gone, or for running."""
    output, info = compare(bench, "pid_namespace")
    if "called" not in output:
        print("pid_namespace: no right to make one")
        return
    equal("lost and torn", (info["lost_events"], info["torn_events"]), (0, 0))
    equal("calls", f"called {bench.calls_of('leaf')}", output.splitlines()[-1])
    result = bench.record("pid_namespace", bench.folder / "empty", program=bench.folder / "rough")
    if "still run" in result.stderr:
        raise AssertionError(result.stderr)


def handler_jumps(bench):
    """A jump out of a handler may leave the event that it came between unfinished: that is counted."""
    info = compare(bench, "handler_jumps")[1]
    equal("lost", info["lost_events"], 0)
    if info["torn_events"] > 50:
        raise AssertionError(f"{info['torn_events']} events are torn by 50 jumps")


def small_signal_stack(bench):
    """Its own handler's frame just fits: no timer's may come on top of it.  Said, as one thread that isn't sampled."""
    info = compare(bench, "small_signal_stack", refused=True)[1]
    equal("lost", info["lost_events"], 0)
    equal("threads without samples", info["sampling"]["unsampled_threads"], 1)


def main():
    bench = recording.Bench()
    source = HERE / "programs" / "rough.c"
    bench.build(source, bench.folder / "rough")
    bench.build(source, bench.folder / "plain-rough", plugin=False)
    subprocess.run(["gcc", "-O2", REFUSE, "-o", bench.folder / "refuse"], check=True)
    for way in ("closes", "no_descriptors", "no_files", "no_rights", "daemonises", "vforks", "clones", "many_children",
                "main_leaves", "thread_leaves", "handler_leaves", "contexts"):
        bench.case(whole(way))
    for way in ("closes", "no_rights", "daemonises", "many_children"):
        bench.case(dropping(way))
    for case in (no_memory, pid_namespace, handler_jumps, small_signal_stack):
        bench.case(case)
    bench.finish()


main()
