#!/usr/bin/env python3
"""`prof gate`: a seeded regression fails with the function's name, the same build passes, and doubt has a status of its own."""
import sys
import tempfile
import xml.etree.ElementTree as tree

from runs import Bench, check_keys

RULES = """baseline = "main"  # of make_runs
limits = ["self share of work_7 < 40%", "calls of work_1 <= 1.05x baseline", "p99 of work_* < 1ms"]
"""


def check_rules(bench):
    """A wrong rule is reported with its line; the status is 2."""
    for text, message in (('limits = ["p99 of work_1 < 5"]', "needs a time"), ('limits = ["p98 of work_1 < 5ms"]', "is not known"),
                          ("limit = 1", "line 1"), ("\nbaseline = 5", "line 2"), ("", "no rules"), ('limits = "a"', "line 1"),
                          ('baseline = "absent"', "no baseline 'absent'"), ("limits = [", "line 1"), ('least_change = "x"', "2%"), ('must_show = "x"', "10%")):
        (bench.folder / "wrong.toml").write_text(text)
        said = bench.run("gate", "--rules=wrong.toml", "good.0", status=2)
        assert message in said, (text, said)
    assert "gate.toml" in bench.run("gate", "--rules=absent/gate.toml", "good.0", status=2)
    assert "no recording" in bench.run("gate", status=2)
    (bench.folder / "near.toml").write_text('limits = ["calls of work_11 < 5"]')
    near = bench.run("gate", "--rules=near.toml", "good.0", status=2)
    assert "did you mean work_1?" in near, near


def check_baselines(bench):
    for words, message in ((["save", "a/b", "good.0"], "name"), (["save", "main"], "needed"), (["load", "x", "y"], "load"),
                           (["save", "x", "absent.*"], "absent")):
        assert message in bench.run("baseline", *words, status=2), words
    file = bench.folder / "prof.baselines/main.baseline"
    assert file.stat().st_size <= 200000
    text = file.read_text()
    for broken in (text[:len(text) // 2].rsplit("\n", 1)[0] + "\nin\t0", "prof baseline 9\n", text.replace("row\tfunction", "row\tthing", 1)):
        (bench.folder / "broken.baseline").write_text(broken)
        assert "broken.baseline" in bench.run("diff", "broken.baseline", "good.?", status=1)
    same = bench.json("diff", file, "base.?")
    assert same["called"] == 0 and same["rows"][0]["ratio"] == 1, same["rows"][0]


def check_noise(bench):
    """A row that varies too much is not kept: the check names it, and how many runs would tell; `must_show` allows more."""
    bench.make_runs("noisy", 5, 4, noisy="work_5")
    rules = 'baseline = "main"\n'
    (bench.folder / "noise.toml").write_text(rules)
    unknown = bench.json("gate", "--rules=noise.toml", "noisy.?", status=2)
    checks = {check["rule"]: check for check in unknown["checks"]}
    assert unknown["result"] == "unknown" and set(checks) == {"function work_5 is no slower"}, unknown
    said = checks["function work_5 is no slower"]["measured"]
    assert "too noisy; about " in said and "runs a side would tell" in said, said
    for share in ("500%", "off"):
        (bench.folder / "noise.toml").write_text(rules + f'must_show = "{share}"\n')
        assert bench.json("gate", "--rules=noise.toml", "noisy.?")["result"] == "kept", share
    (bench.folder / "noise.toml").write_text('baseline = "main"\nregressions = false\nlimits = ["mean of work_5 < 1ms"]\n')
    assert bench.json("gate", "--rules=noise.toml", "noisy.?")["result"] == "kept"  # an absolute limit, met


def main():
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(folder)
        (bench.folder / "gate.toml").write_text(RULES)
        bench.make_runs("base", 6, 1)
        bench.make_runs("good", 5, 2)
        bench.make_runs("bad", 5, 3, work_2=1.3)
        bench.run("baseline", "save", "main", "base.?")
        kept = bench.json("gate", "good.?")
        assert kept["result"] == "kept" and {check["result"] for check in kept["checks"]} == {"kept"}, kept
        broken = bench.run("gate", "bad.?", status=1)
        assert "function work_2 is slower" in broken and broken.startswith("broken\n"), broken
        annotated = bench.run("gate", "bad.?", "--format=github", status=1)
        assert annotated.startswith("::error file=app.c,line=40,title=function work_2 is slower::+"), annotated
        suite = tree.fromstring(bench.run("gate", "bad.?", "--format=junit", status=1)).find("testsuite")
        failed = [case.get("name") for case in suite if case.find("failure") is not None]
        assert failed == ["function work_2 is slower"] and suite.get("failures") == "1", failed
        assert "| **broken** | function work\\_2 is slower |" in bench.run("gate", "bad.?", "--format=markdown", status=1)
        bench.run("gate", "good.?", "--format=junit", "-o", "gate.xml")
        assert len(tree.parse(bench.folder / "gate.xml").getroot().find("testsuite")) == 4
        one = bench.run("gate", "good.0", status=2)
        assert "3 runs or more" in one and "calls of work_1 <= 1.05x baseline" in one, one
        (bench.folder / "calls.toml").write_text('limits = ["calls of work_1 <= 60", "calls of work_1 > 60"]')
        exact = bench.run("gate", "--rules=calls.toml", "good.0", status=1)
        assert exact.splitlines()[2].startswith("kept") and exact.splitlines()[3].startswith("broken"), exact
        check_keys("prof gate", kept)
        check_noise(bench)
        check_rules(bench)
        check_baselines(bench)
    return 0


sys.exit(main())
