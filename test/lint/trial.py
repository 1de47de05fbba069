#!/usr/bin/env python3
"""A trial exporter, command, analysis and event kind: each is added to a copy of the tree, which is built and asked.

What each touches is counted: MOST says how many files it may be.  Help, completion and the lists of man pages and errors
have to name the new one by its row alone.  The copy stays in the build folder, so that a next run compiles little.
"""
import os
import pathlib
import shutil
import subprocess
import sys
import tree

HERE = pathlib.Path(__file__).resolve().parent
MOST = {"exporter": 2, "analysis": 2, "command": 3}

# What each trial adds: a file by its text, or (a line of a file, what goes behind that line), ...
TRIALS = {
    "exporter": {
        "tools/export/trial.c": """/* tools/export/trial.c - how many events there are. */
#include "exporters.h"

static prof_status write_trial(FILE *file, const struct prof_export_source *source, struct prof_diag *diag) {
  (void)diag;
  fprintf(file, "trial %llu\\n", (unsigned long long)prof_trace_info(source->trace)->events);
  return PROF_OK;
}

const struct prof_exporter prof_exporter_trial = {
    .name = "trial", .summary = "how many events there are", .write = write_trial};
""",
        "tools/export/exporters.c": [
            ("extern const struct prof_exporter prof_exporter_json;", "extern const struct prof_exporter prof_exporter_trial;"),
            ("const struct prof_exporter *const prof_exporters[] = {", "    &prof_exporter_trial,"),
        ],
    },
    "analysis": {
        "tools/analysis/trial.h": """/* tools/analysis/trial.h - how many events are there? */
#include "proftrace.h"

unsigned long long prof_trial_count(const prof_trace *);
""",
        "tools/analysis/trial.c": """/* tools/analysis/trial.c - see trial.h. */
#include "trial.h"

unsigned long long prof_trial_count(const prof_trace *trace) {
  return prof_trace_info(trace)->events;
}
""",
    },
    "command": {
        "tools/command/trial.c": """/* tools/command/trial.c - `prof trial`: how many events there are. */
#include "analysis/trial.h"

#include "command.h"
#include "common.h"
#include "option_take.h"
#include "reader.h"

struct settings {
  struct prof_common common;
  bool twice;
};

static prof_status show(void *argument, const struct prof_reader *reader, int *result, struct prof_diag *diag) {
  const struct settings *settings = argument;
  (void)diag;
  printf("%llu events\\n", prof_trial_count(reader->trace) * (settings->twice ? 2 : 1));
  *result = PROF_EXIT_OK;
  return PROF_OK;
}

#define IN(member) PROF_MEMBER(struct settings, member)
static const struct prof_option options[] = {
    {"twice", 0, NULL, "count each event twice", PROF_OPTION_FLAG, IN(twice)},
    {0},
};

const struct prof_command prof_command_trial = {
    .name = "trial",
    .summary = "Count the events",
    .group = "Look",
    .options = options,
    .filters = true,
    .settings_bytes = sizeof(struct settings),
    .show = show,
};
""",
        "tools/main.c": [
            ("extern const struct prof_command prof_command_report;", "extern const struct prof_command prof_command_trial;"),
            ("const struct prof_command *const prof_commands[] = {", "    &prof_command_trial,"),
        ],
        "docs/man/prof-trial.1.scd": """prof-trial(1)

# NAME

prof-trial - count the events

# OPTIONS

*-h, --help*
	Show the flags.

*--twice*
	Count each event twice.
""",
    },
}

TRACE = "test/golden/traces/two_threads.txt"


def edited(path, text, edits):
    lines = text.split("\n")
    for line, added in edits:
        if lines.count(line) != 1:
            raise ValueError(f"{path}: no line, or several, '{line}'")
        lines.insert(lines.index(line) + 1, added)
    return "\n".join(lines)


def copy(folder):
    """The tree with all trials in it; only what changed is written."""
    wanted = {str(path): (tree.ROOT / path).read_bytes() for path in tree.files()}
    for trial in TRIALS.values():
        for path, change in trial.items():
            wanted[path] = (change if isinstance(change, str) else
                            edited(path, wanted[path].decode(), change)).encode()
    for path in folder.rglob("*"):
        if path.is_file() and str(path.relative_to(folder)) not in wanted:
            path.unlink()
    for name, data in wanted.items():
        path = folder / name
        if not path.is_file() or path.read_bytes() != data:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
            shutil.copymode(tree.ROOT / name if (tree.ROOT / name).exists() else HERE / "tree.py", path)


def must(*command, **more):
    done = subprocess.run([str(word) for word in command], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, **more)
    if done.returncode:
        print(f"{' '.join(map(str, command))}: status {done.returncode}\n{done.stdout[-4000:]}")
        sys.exit(1)
    return done.stdout


def build(source, target):
    """Builds prof of the copy; its path."""
    environment = {**os.environ, "CCACHE_BASEDIR": str(source.parent), "CCACHE_NOHASHDIR": "1"}
    if not (target / "CMakeCache.txt").exists():
        launcher = [f"-DCMAKE_{language}_COMPILER_LAUNCHER=ccache" for language in ("C", "CXX") if shutil.which("ccache")]
        generator = ["-G", "Ninja"] if shutil.which("ninja") else []
        must("cmake", "-S", source, "-B", target, *generator, *launcher, "-DPROF_TESTS=OFF", "-DPROF_WERROR=ON",
             "-DCMAKE_BUILD_TYPE=None", "-DCMAKE_C_FLAGS=-O0", "-DPROF_GCC_MAJORS=", "-DPROF_CLANG_MAJORS=", env=environment)
    must("cmake", "--build", target, "--parallel", os.cpu_count() or 2, "--target", "prof", env=environment)
    return target / "tools" / "prof"


def ask(prof, source, trace_make, folder):
    """Whether the new ones answer, and are named where their rows are read."""
    recording, faults = folder / "recording", []
    must(trace_make, f"--text={tree.ROOT / TRACE}", "-o", recording)

    def check(what, text, *command, status=0, **more):
        done = subprocess.run([str(word) for word in command], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, **more)
        if done.returncode != status or text not in done.stdout:
            faults.append(f"{what}: no '{text}' in what {' '.join(map(str, command))} printed, or status {done.returncode}"
                          f":\n{done.stdout[-2000:]}")

    check("exporter", "trial ", prof, "export", "-i", recording, "--format=trial")
    check("exporter's help", "trial", prof, "export", "--help")
    check("exporter's error", "trial", prof, "export", "-i", recording, "--format=trail", status=2)
    check("exporter's completion", 'values="trial ', prof, "completion", "bash")
    check("exporter's man page", "export --format\ttrial\t", prof, "--dump-lists")
    check("command", " events", prof, "trial", "-i", recording, "--twice")
    check("command's help", "Count the events", prof, "--help")
    check("command's own help", "count each event twice", prof, "trial", "--help")
    check("command's completion", "    trial)", prof, "completion", "bash")
    check("command's man page", "commands\tprof-trial\t", prof, "--dump-lists")
    for lint in ("options", "layers", "folders", "links"):
        check(f"lint.{lint}", "0 faults", sys.executable, "-B", HERE / f"{lint}.py",
              env={**os.environ, "PROF_LINT_ROOT": str(source), "PROF": str(prof), "GIT_DIR": os.devnull})
    return faults


def main():
    folder, trace_make = os.environ.get("PROF_TRIAL"), os.environ.get("TRACE_MAKE")
    if not folder or not trace_make or not shutil.which("cmake"):
        tree.skip("no build folder to work in")
    folder = pathlib.Path(folder).resolve()
    source, target = folder / "tree", folder / "build"
    source.mkdir(parents=True, exist_ok=True)
    copy(source)
    faults = ask(build(source, target), source, trace_make, folder)
    for name, trial in TRIALS.items():
        print(f"{name}: {len(trial)} files, at most {MOST[name]}: {' '.join(trial)}")
        if len(trial) > MOST[name]:
            faults.append(f"{name}: {len(trial)} files instead of {MOST[name]}")
    tree.finish(faults, len(TRIALS))


main()
