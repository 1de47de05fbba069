#!/usr/bin/env python3
"""A trial exporter, command, analysis and event kind: each is added to a copy of the tree, which is built and asked.

What each touches is counted: MOST says how many files it may be.  Help, completion and the lists of man pages and errors
have to name the new one by its row alone.  The copy stays in the build folder, so that a next run compiles little.
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import tree

HERE = pathlib.Path(__file__).resolve().parent
# How many files each may touch.
MOST = {"exporter": 2, "analysis": 2, "command": 3, "kind": 6}

# The last special step of the format, and its code: the trial's comes after it.
LAST, CODE = re.findall(r"PROF_FORMAT_(\w+) = (\d+),\n\};\n\n/\* The step of a special code",
                        (tree.ROOT / "tools/trace/format.h").read_text())[0]

# What each trial adds: (a new file, its text), or (existing files, [(how a line in one begins, what goes behind it), ...]).
TRIALS = {
    "exporter": [
        ("tools/export/trial.c", """/* tools/export/trial.c - how many events there are. */
#include "exporters.h"

static prof_status write_trial(FILE *file, const struct prof_export_source *source, struct prof_diag *diag) {
  (void)diag;
  fprintf(file, "trial %llu\\n", (unsigned long long)prof_trace_info(source->trace)->events);
  return PROF_OK;
}

const struct prof_exporter prof_exporter_trial = {
    .name = "trial", .summary = "how many events there are", .write = write_trial};
"""),
        ("tools/export/exporters.c", [
            ("extern const struct prof_exporter prof_exporter_json;", "extern const struct prof_exporter prof_exporter_trial;"),
            ("const struct prof_exporter *const prof_exporters[] = {", "    &prof_exporter_trial,"),
        ]),
    ],
    "analysis": [
        ("tools/analysis/trial.h", """/* tools/analysis/trial.h - how many events are there? */
#include "proftrace.h"

unsigned long long prof_trial_count(const prof_trace *);
"""),
        ("tools/analysis/trial.c", """/* tools/analysis/trial.c - see trial.h. */
#include "trial.h"

unsigned long long prof_trial_count(const prof_trace *trace) {
  return prof_trace_info(trace)->events;
}
"""),
    ],
    "command": [
        ("tools/command/trial.c", """/* tools/command/trial.c - `prof trial`: how many events there are. */
#include "analysis/trial.h"

#include "command.h"
#include "options/common.h"
#include "options/option_take.h"
#include "reader.h"

struct settings {
  struct prof_common common;
  bool twice;
};

static prof_status show(void *argument, const struct prof_reader *reader, int *result, struct prof_diag *diag) {
  const struct settings *settings = argument;
  (void)diag;
  printf("%llu events\\n", prof_trial_count(reader->recording.trace) * (settings->twice ? 2 : 1));
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
"""),
        ("tools/main.c", [
            ("extern const struct prof_command prof_command_report;", "extern const struct prof_command prof_command_trial;"),
            ("const struct prof_command *const prof_commands[] = {", "    &prof_command_trial,"),
        ]),
        ("docs/man/prof-trial.1.scd", """prof-trial(1)

# NAME

prof-trial - count the events

# OPTIONS

*-h, --help*
	Show the flags.

*--twice*
	Count each event twice.
"""),
    ],
    # An event that the runtime writes, and that readers see between calls; its site is its value.
    "kind": [
        ("wire/event.h", [("PROF_EVENT_SAMPLE = 15,", "  PROF_EVENT_TRIAL = 63,")]),
        ("runtime/*.c", [("static void stop_append(", "  event_append(cell, cell->held_stop, PROF_EVENT_TRIAL, 0);")]),
        ("tools/match/matcher_rules.c", [
            ("/* ---- the thread as a whole ---- */", """
static void take_trial(struct prof_matcher *matcher, const struct prof_event *event) {
  prof_matcher_emit(matcher, event->time, PROF_OP_TRIAL, prof_event_site(event->what), 0);
}
"""),
            ("[PROF_EVENT_OPERAND] =", "    [PROF_EVENT_TRIAL] = take_trial,"),
        ]),
        ("tools/trace/format.h", [
            (f"PROF_FORMAT_{LAST} = {CODE},", f"  PROF_FORMAT_TRIAL = {int(CODE) + 1},"),
            (f"[PROF_FORMAT_{LAST}] =", "      [PROF_FORMAT_TRIAL] = {PROF_OP_TRIAL, true, false},"),
        ]),
        ("docs/trace-format.md", [(f"| {CODE} | {LAST} |", f"| {int(CODE) + 1} | TRIAL | varint site | the thread passed a mark |")]),
        ("include/proftrace.h", [("PROF_OP_NOTHING,", "  PROF_OP_TRIAL,")]),
    ],
}
# Asks for the kind: through the matcher into a file, and read again.
HARNESS = [
    ("test/trial_kind.c", """#include <stdio.h>

#include "match/matcher.h"

int main(int argc, char **argv) {
  static const uint32_t functions[] = {PROF_MATCHER_NO_FUNCTION, 0, 0};
  static const struct prof_site_map map = {functions, 3};
  struct prof_event slots[] = {{10, prof_event_what(1, PROF_EVENT_ENTRY), 0},
                               {20, prof_event_what(2, PROF_EVENT_TRIAL), 0},
                               {30, prof_event_what(2, PROF_EVENT_EXIT), 0}};
  prof_writer *writer;
  prof_trace *trace;
  struct prof_chunk chunk = {0};
  struct prof_cursor cursor;
  struct prof_step step;
  if (argc != 2 || prof_writer_open(argv[1], NULL, NULL, &writer) != PROF_OK)
    return 1;
  prof_packer *packer = prof_packer_new(writer);
  prof_matcher *matcher = prof_matcher_new(packer, 1);
  prof_matcher_drain(matcher, slots, 3, &map, false);
  if (prof_encoder_flush(prof_matcher_encoder(matcher), true) != PROF_OK || prof_writer_close(writer, NULL) != PROF_OK ||
      prof_trace_open(argv[1], NULL, &trace) != PROF_OK || prof_chunk_load(trace, 0, NULL, &chunk) != PROF_OK)
    return 1;
  prof_cursor_begin(&cursor, &chunk);
  while (prof_cursor_next(&cursor, &step))
    printf("%s %u at %llu\\n", step.op == PROF_OP_TRIAL ? "trial" : "call", step.value, (unsigned long long)step.time);
  return 0;
}
"""),
    ("tools/CMakeLists.txt", [("endforeach()", """add_executable(trial_kind ${PROJECT_SOURCE_DIR}/test/trial_kind.c)
target_link_libraries(trial_kind PRIVATE prof_match prof_trace_read)""")]),
]

TRACE = "test/golden/traces/two_threads.txt"


def apply(path, change, wanted):
    """Changes a file, or those of a pattern that have the lines; their paths."""
    if isinstance(change, str):
        wanted[path] = change.encode()
        return [path]
    touched = []
    for name in [name for name in wanted if pathlib.PurePosixPath(name).match(path)]:
        lines = wanted[name].decode().split("\n")
        for begin, added in change:
            for at in [at for at, line in enumerate(lines) if line.strip().startswith(begin)][:1]:
                lines.insert(at + 1, added)
                touched.append(name)
        wanted[name] = "\n".join(lines).encode()
    missing = len(change) * len(set(touched)) - len(touched)
    if missing or not touched:
        tree.finish([f"{path}: {missing or len(change)} of the lines are not there: {[begin for begin, _ in change]}"], 1)
    return sorted(set(touched))


def copy(folder):
    """The tree with all trials in it, of which only what changed is written; the files that each trial touches."""
    wanted = {str(path): (tree.ROOT / path).read_bytes() for path in tree.files()}
    touched = {name: [path for part in trial for path in apply(*part, wanted)] for name, trial in TRIALS.items()}
    for part in HARNESS:
        apply(*part, wanted)
    for path in folder.rglob("*"):
        if path.is_file() and str(path.relative_to(folder)) not in wanted:
            path.unlink()
    for name, data in wanted.items():
        path = folder / name
        if not path.is_file() or path.read_bytes() != data:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
            shutil.copymode(tree.ROOT / name if (tree.ROOT / name).exists() else HERE / "tree.py", path)
    return touched


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
        # A kind that a switch leaves out is a fault; other warnings are the compiler's own affair.
        must("cmake", "-S", source, "-B", target, *generator, *launcher, "-DPROF_TESTS=OFF", "-DCMAKE_BUILD_TYPE=None",
             "-DCMAKE_C_FLAGS=-O0 -Werror=switch", "-DPROF_GCC_MAJORS=", "-DPROF_CLANG_MAJORS=", env=environment)
    must("cmake", "--build", target, "--parallel", os.cpu_count() or 2, "--target", "prof", "prof_runtime", "trial_kind",
         env=environment)
    return target / "tools" / "prof"


def ask(prof, source, trace_make, folder):
    """Whether the new ones answer, and are named where their rows are read."""
    recording, kind, faults = folder / "recording", folder / "kind", []
    kind.mkdir()
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
    check("kind", "trial 2 at 20", prof.parent / "trial_kind", kind)
    for lint in ("options", "layers", "folders", "links", "trace_format"):
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
    touched = copy(source)
    prof = build(source, target)
    with tempfile.TemporaryDirectory(prefix="prof-trial-") as recordings:
        faults = ask(prof, source, trace_make, pathlib.Path(recordings))
    for name, paths in touched.items():
        print(f"{name}: {len(paths)} files, at most {MOST[name]}: {' '.join(paths)}")
        if len(paths) > MOST[name]:
            faults.append(f"{name}: {len(paths)} files instead of {MOST[name]}")
    tree.finish(faults, len(TRIALS))


main()
