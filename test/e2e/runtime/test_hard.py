#!/usr/bin/env python3
"""Places where a probe is hard: every call is recorded, and the program runs as it did."""
import run

options = run.arguments()
faults = run.Faults()
program = faults.folder / "hard"
for source, output, flags in (("hard.c", program, ()), ("hard_library.c", f"{program}.so", ("-shared", "-fPIC"))):
    built = run.build(options, source, output, *flags)
    faults.check(f"{source} compiles", built.returncode == 0, built.stderr)

for case, count in (("small_stacks", 20), ("signal_stacks", 50), ("vectors", 200000), ("libraries", 300), ("exits", 3),
                    ("cancels", 50)):
    data = faults.folder / case
    result = run.run([options.prof, "record", "-o", data, program, case, count])
    faults.check(f"{case}: runs", result.returncode == 0 and result.stdout.startswith("calls "), result.stdout + result.stderr)
    recorded = run.report(options, data).get("counted")
    faults.check(f"{case}: counts", result.stdout == f"calls {recorded}\n", f"{result.stdout} recorded {recorded}")
faults.finish()
