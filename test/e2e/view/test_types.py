#!/usr/bin/env python3
"""The page's TypeScript has no type errors: test_types.py --preact FOLDER."""
import argparse
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile

SKIPPED = 77
VIEWER = pathlib.Path(__file__).resolve().parents[3] / "viewer"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--preact", required=True, type=pathlib.Path)
    preact = parser.parse_args().preact
    types = next((path for path in (preact / "src/preact.d.ts", preact / "src/index.d.ts") if path.exists()), None)
    if not shutil.which("tsc") or not types:
        print("skipped: no tsc, or preact has no types (make setup-all installs node-typescript)")
        return SKIPPED
    with tempfile.TemporaryDirectory() as folder:
        settings = pathlib.Path(folder) / "tsconfig.json"
        settings.write_text(json.dumps({"extends": str(VIEWER / "tsconfig.json"), "include": [str(VIEWER / "src")],
                                        "compilerOptions": {"baseUrl": "/", "paths": {"preact": [str(types)]}, "typeRoots": []}}))
        run = subprocess.run(["tsc", "-p", settings], stdout=subprocess.PIPE, text=True, check=False)
    print(run.stdout)
    return run.returncode


sys.exit(main())
