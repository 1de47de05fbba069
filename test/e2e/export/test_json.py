#!/usr/bin/env python3
"""docs/json.md, json-measures.md and json-time.md against what the commands print: its examples, and every key.  --rewrite writes the examples anew."""
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

REWRITE = "--rewrite" in sys.argv
sys.argv = [word for word in sys.argv if word != "--rewrite"]

from recordings import Bench  # noqa: E402 (reads sys.argv)

PAGES = [pathlib.Path(__file__).resolve().parents[3] / "docs" / name for name in ("json.md", "json-measures.md", "json-time.md")]
COMMANDS = {  # section: command lines whose keys it must name
    "cover": [],
    "prof report": [["report", f"--by={by}"] for by in ("function", "file", "module", "thread", "process", "command")]
    + [["report", "--max-memory=1K"]],
    "prof tree": [["tree"], ["tree", "--callers=*"], ["tree", "--loops"], ["tree", "--by=process"]],
    "prof flame": [["flame", "--against=two_threads", "--time=elapsed"], ["flame", "--against=bursts", "--time=elapsed"], ["flame", "--against=forked", "--time=elapsed", "--absolute", "--reverse"]],
    "prof loops": [["loops"], ["loops", "--by=process"], ["loops", "--by=command"], ["loops", "--flops"]],
    "prof lines": [["lines"], ["lines", "--by=process"], ["lines", "--by=command"]],
    "prof info": [["info"], ["info", "--verbose"]],
    "prof advise": [["advise"]],
    "prof verify": [["verify"]],
    "prof replay": [["replay"], ["replay", "--range=200ns~400ns"], ["replay", "--loops"]],
    "prof slowest": [["slowest"], ["slowest", "--loops"]],
    "prof memory": [["memory"], ["memory", "--paths"], ["memory", "--over-time=marks"], ["memory", "--by=size"], ["memory", "--by=zone"], ["memory", "--by=request"], ["memory", "--between=~50%"]],
    "prof locks": [["locks"], ["locks", "--paths"]],
    "prof openmp": [["openmp"], ["openmp", "--by=thread"]],
    "prof io": [["io"], ["io", "--paths"]],
    "prof queries": [["queries"], ["queries", "--paths"]],
    "prof counters": [["counters"], ["counters", "--by=loop"], ["counters", "--by=line"], ["counters", "--by=module"]],
    "prof frames": [["frames"]],
    "prof report --by=counter": [["report", "--by=counter"]],
    "prof top": [["top"]],
    "prof hints": [["hints"]],
    "prof export --format=json": [["export"], ["export", "--loops"]],
}
ONLY = {"prof advise": ["unequal", "waiting"], "prof loops": ["loops", "loop_waits", "bursts", "work", "pmu"], "prof memory": ["memory", "memory_growth", "gpu_and_host"], "prof locks": ["locks"], "prof openmp": ["openmp"], "prof io": ["io"], "prof queries": ["queries"], "prof counters": ["pmu"],
        "prof frames": ["points"], "prof report --by=counter": ["machine", "points", "memory_growth"]}  # recordings that have something of that kind
# Keys of what no recording here has, by the test that looks at them.
ELSEWHERE = {
    r"gpu_(lines|samples|sampling)\b": "gpu.lines",
    r"slices\[\]\.": "e2e.bounds",
    r"calls\[\]": "golden.arguments",
    r"hot_loops\[\]\.": "e2e.advise.some",
    r"(.*\.)?lines\[\]\.(instructions\[\]\.)?outside_ns$": "e2e.outside",
    r"^part\.": "golden.part",
    r"slo\[\]": "golden.slo",
    r"requests\[\]|durations\.|spans\[\]$|unfinished_spans$|unmatched_ends$": "golden.requests",
    r"frames\[\]$": "golden.points",  # --by frame
    r"before\.(event|lost_samples|outside)$": "golden.against, unit.test_import",
    r"events\[\]\.(device|thread)_called$": "gpu.ranges",
    r"machine\[\]|(minor|major)_faults$|waits$|preemptions$|peak_rss_bytes$|processor_energy_joules$": "e2e.record.machine, unit.test_machine",
    r"((gpu_)?energy_joules|carbon_g)$": "golden.gpu_memory",
}


def keys_of(value, path=""):
    """Names of all members: a.b, a[].b; the tree's levels are one."""
    found = set()
    if isinstance(value, dict):
        for key, member in value.items():
            found |= keys_of(member, f"{path}.{key}" if path else key)
    elif isinstance(value, list):
        found.add(path + "[]")
        for member in value:
            found |= keys_of(member, path + "[]")
    else:
        found.add(path)
    return found


def simplified(keys, section):
    """As the page names them."""
    simple = set()
    for key in keys:
        if section == "prof report":
            key = re.sub(r"^(files|modules|threads|processes|commands)\[\]", "functions[]", key)
            key = re.sub(r"^hottest_loop\..*", "hottest_loop", key)  # keys of prof loops
        if section == "prof memory":
            key = re.sub(r"^(sizes|zones|requests)\[\]\.(calls|bytes|live_|peak_|temporary|kind|before_|after_)", r"sites[].\2", key)
        if section in ("prof lines", "prof loops"):  # --by: the section's members again, in objects
            key = re.sub(r"^(processes|commands)\[\]\.((lines|loops|cover)\b|corrected|never_entered)", r"\2", key)
            key = re.sub(r"^commands\[\]", "processes[]", key)
        if section == "prof loops":
            key = re.sub(r"^functions\[\]\.(flops|bytes_|gflops)", r"loops[].\1", key)  # the same keys
        if section == "prof frames":
            key = re.sub(r"^frames\[\]\.slowest\[\]\..*", "frames[].slowest[]", key)  # keys of prof slowest
        if section != "prof counters":  # names of counters
            key = re.sub(r"(^|\.)(cycles|instructions|cache-references|cache-misses|page-faults)(_total)?$", r"\1COUNTER\3", key)
            key = re.sub(r"(^|\.)(instructions_per_cycle|cache_miss_share|cache_misses_per_1000)$", r"\1RATIO", key)
        if section in ("prof tree", "prof flame"):
            key = re.sub(r"^roots\[\]\.", "", key)
            key = re.sub(r"^(children\[\]\.)+", "", key)
        if key in ("unfinished", "data_age_ns"):  # of every object, at the page's top
            continue
        if section == "prof info" and key in ("module_list[]", "thread_list[]", "slices[]"):
            continue
        if section.startswith("prof export") and key in ("threads[]", "functions[]", "nodes[]"):
            continue
        if key in ("unfinished", "data_age_ns"):  # of every command; described above all sections
            continue
        simple.add("cover" if key.startswith("cover.") and section != "cover" else key)
    return simple


def sections(page):
    parts = re.split(r"^## (.*)$", page, flags=re.M)
    return dict(zip(parts[1::2], parts[2::2]))


def named(section):
    """Keys in the first column of a section's table."""
    return {key for row in re.findall(r"^\| (`.*?) \|", section, re.M) for key in re.findall(r"`([^`]+)`", row)}


def check_keys(bench, page):
    faults = []
    covered = set()
    for title, body in sections(page).items():
        printed = set()
        for recording in ONLY.get(title, bench.recordings):
            for command in COMMANDS.get(title, []):
                try:
                    keys = keys_of(json.loads(bench.prof(*command, "-i", recording, "--format=json")))
                except subprocess.CalledProcessError as error:
                    if error.returncode == 1 and command[0] == "verify":  # not whole
                        printed |= keys_of(json.loads(error.stdout))
                        continue
                    if error.returncode == 1 and any(word.startswith(("--range", "--flops")) for word in command):  # nothing of it
                        continue
                    raise
                covered |= {key[6:] for key in keys if key.startswith("cover.")}
                printed |= keys
        if title == "cover":
            cover_body = body
        elif title in COMMANDS:
            printed = simplified(printed, title)
            faults += [f"{title}: `{key}` is printed, not described" for key in sorted(printed - named(body))]
            faults += [f"{title}: `{key}` is described, never printed" for key in sorted(named(body) - printed)
                       if not any(re.match(pattern, key) for pattern in ELSEWHERE)]
    faults += [f"cover: `{key}` is not described" for key in sorted(covered - named(cover_body))]
    faults += [f"cover: `{key}` is never printed" for key in sorted(named(cover_body) - covered)]
    return faults


def run_examples(bench, page):
    """The page with each example's output as it is printed now."""
    environment = {**os.environ, "PATH": f"{bench.prof_path.parent}:{os.environ['PATH']}", "TZ": "UTC", "LC_ALL": "C.UTF-8"}
    out = []
    skipping = False
    for line in page.splitlines():
        if line.startswith("    $ "):
            result = subprocess.run(["sh", "-c", line[6:]], cwd=bench.folder, env=environment, stdin=subprocess.DEVNULL,
                                    stdout=subprocess.PIPE, text=True, check=True)
            out += [line] + ["    " + printed for printed in result.stdout.splitlines()]
            skipping = True
        elif not (skipping and line.startswith("    ")):
            out.append(line)
            skipping = False
    return "\n".join(out) + "\n"


def main():
    pages = [page.read_text() for page in PAGES]
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(folder)
        faults = check_keys(bench, "\n".join(pages))
        new = [run_examples(bench, page) for page in pages]
    for path, old_page, new_page in zip(PAGES, pages, new):
        if REWRITE:
            path.write_text(new_page)
        elif new_page != old_page:
            differing = [(old, now) for old, now in zip(old_page.splitlines(), new_page.splitlines()) if old != now]
            faults.append("example: the page has\n  %s\nbut it is\n  %s" % differing[0] if differing else f"{path.name}: examples are cut")
    print("\n".join(faults) or f"{sum(page.count('    $ ') for page in pages)} examples, all keys")
    return 1 if faults else 0


sys.exit(main())
