"""What Clang's coverage of the source says of lines on which prof and gcov differ.

In: the name of a whole program, and how it is built and run.  Out: (path, line) -> how often its most frequent code ran.
It counts by the syntax, not by blocks: no line of it depends on where a compiler puts a jump, a merged return or the
condition of a statement over several lines.  What it can't know are calls that don't come back.
"""
import json
import os
import pathlib
import shutil
import subprocess
import sys

FLAGS = ["-O0", "-fprofile-instr-generate", "-fcoverage-mapping"]


def find(compilers):
    """The newest Clang with what is needed for it, or None."""
    for clang in sorted((name for name in compilers if name.startswith("clang-")), key=lambda name: -int(name[6:])):
        tried = subprocess.run([clang, *FLAGS, "-x", "c", "-", "-o", os.devnull], input="int main(void) { return 0; }\n", text=True,
                               capture_output=True, check=False)
        if tried.returncode == 0 and all(shutil.which(f"llvm-{tool}-{clang[6:]}") for tool in ("profdata", "cov")):
            return clang
    return None


def first_columns(path):
    """By line: the column of the first character that isn't blank; 0: there is none."""
    texts = pathlib.Path(path).read_text(errors="replace").splitlines()
    return [len(text) - len(text.lstrip()) + 1 if text.strip() else 0 for text in texts]


def lines_of(path, segments):
    """line -> the largest count of the code on it.  A segment: line, column, count, has a count, begins a region, is a gap."""
    counts, at, now = {}, 0, None
    for line, column in enumerate(first_columns(path), 1):
        found = []
        while column and at < len(segments) and (segments[at][0], segments[at][1]) <= (line, column):
            now = segments[at]
            at += 1
        if column and now and now[3]:
            found.append(now[2])
        while at < len(segments) and segments[at][0] == line:
            now = segments[at]
            found += [now[2]] if now[3] and now[4] else []
            at += 1
        if found:
            counts[line] = max(found)
    return counts


def read(clang, program, folder):
    """Counts of what `program` did, whose raw profiles are in `folder`."""
    number, data = clang[6:], str(pathlib.Path(folder, "profile"))
    profiles = [str(path) for path in pathlib.Path(folder).glob("*.profraw")]
    subprocess.run([f"llvm-profdata-{number}", "merge", "-o", data, *profiles], check=True)
    shown = subprocess.run([f"llvm-cov-{number}", "export", "-skip-expansions", "-skip-functions", "-instr-profile", data, str(program)],
                           check=True, capture_output=True, text=True).stdout
    counts = {}
    for file in json.loads(shown)["data"][0]["files"]:
        path = os.path.realpath(file["filename"])
        counts.update({(path, line): count for line, count in lines_of(path, file["segments"]).items()})
    return counts or sys.exit("the judge counted nothing")
