/*
 * tools/command/doctor/doctor.c - `prof doctor`: is this machine fit to measure, and what to do about it?
 *
 * A check is a function and a row.  Exit status: 0 fit, maybe with notes; 1 unfit.
 */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/json.h"
#include "command/command.h"
#include "command/doctor/machine.h"
#include "command/doctor/peaks.h"
#include "command/options/common.h"
#include "command/output.h"
#include "view/table.h"
#include "view/units.h"

enum { VALUE_BYTES = 320, UNFIT = 1 };

#define BUSY 0.5     /* load by cores: timings are disturbed */
#define STOLEN 0.005 /* of CPU time */
#define LEAST_FREE 0.1

struct settings {
  enum prof_format format;
  const char *root;
  bool no_peaks;
};

enum state { FIT, NOTE, BAD };
static const char *const states[] = {[FIT] = "ok", [NOTE] = "note", [BAD] = "bad"};

struct findings {
  struct prof_machine machine;
  bool tried;
  struct prof_machine_trial trial;
  bool measured;
  struct prof_peaks peaks;
};

struct check {
  enum state state;
  char value[VALUE_BYTES]; /* "": not known, and not shown */
  const char *remedy;      /* NULL: none */
};

__attribute__((format(printf, 4, 5))) static void set(struct check *check, enum state state, const char *remedy,
                                                      const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(check->value, sizeof check->value, format, arguments);
  va_end(arguments);
  check->state = state;
  check->remedy = remedy;
}

/* ---- checks ---- */

static void kernel(const struct findings *found, struct check *check) {
  if (found->machine.kernel[0])
    set(check, FIT, NULL, "Linux %s", found->machine.kernel);
}

static void processor(const struct findings *found, struct check *check) {
  if (found->machine.cores)
    set(check, FIT, NULL, "%s, %u core%s", found->machine.processor, found->machine.cores,
        found->machine.cores == 1 ? "" : "s");
}

static void virtual_machine(const struct findings *found, struct check *check) {
  const struct prof_machine *machine = &found->machine;
  if (machine->is_virtual)
    set(check, NOTE, "compare builds within one run, in turn; not with other days", "yes%s%s%s",
        machine->product[0] ? " (" : "", machine->product, machine->product[0] ? ")" : "");
  else if (machine->cores)
    set(check, FIT, NULL, "no");
}

static void stolen(const struct findings *found, struct check *check) {
  double steal = found->machine.steal;
  if (steal >= 0 && (found->machine.is_virtual || steal > 0))
    set(check, steal > STOLEN ? NOTE : FIT, steal > STOLEN ? "use CPU time, or a machine of your own" : NULL,
        "%.2f%% of CPU time since the start", 100 * steal);
}

static void paranoid(const struct findings *found, struct check *check) {
  int level = found->machine.paranoid;
  if (level == PROF_MACHINE_UNKNOWN)
    return;
  const char *what = level > 2   ? "no samples for users"
                     : level > 1 ? "no samples in the kernel for users"
                                 : "allows samples";
  set(check,
      level > 2   ? BAD
      : level > 1 ? NOTE
                  : FIT,
      level > 1 ? "sysctl kernel.perf_event_paranoid=1" : NULL, "%d: %s", level, what);
  if (found->tried && found->trial.has_kernel_samples) { /* root may all the same */
    check->state = FIT;
    check->remedy = NULL;
  }
}

static void samples(const struct findings *found, struct check *check) {
  if (!found->tried)
    return;
  if (!found->trial.has_samples)
    set(check, BAD, "prof then samples with a timer: no waiting time, no kernel", "%s", found->trial.refused);
  else if (!found->trial.has_kernel_samples)
    set(check, NOTE, "sysctl kernel.perf_event_paranoid=1", "in user code only");
  else
    set(check, FIT, NULL, "in user code and in the kernel");
}

static void stacks(const struct findings *found, struct check *check) {
  if (found->tried && found->trial.has_samples)
    set(check, found->trial.has_stacks ? FIT : NOTE, NULL, "%s",
        found->trial.has_stacks ? "samples carry stacks (record --overhead)" : found->trial.refused);
}

static void counters(const struct findings *found, struct check *check) {
  if (!found->tried)
    return;
  if (found->trial.has_cycles)
    set(check, FIT, NULL, "%s", found->trial.counters);
  else
    set(check, NOTE, "the kernel has some: prof record --counters=page-faults,context-switches",
        "none, as in most virtual machines");
}

static void clock_source(const struct findings *found, struct check *check) {
  if (!found->tried)
    return;
  if (found->trial.tsc_chosen)
    set(check, FIT, NULL, "time stamp counter, the cores agree");
  else
    set(check, NOTE, "recordings read CLOCK_MONOTONIC: events cost more", "%s", found->trial.clock_fault);
}

static void governor(const struct findings *found, struct check *check) {
  const struct prof_machine *machine = &found->machine;
  bool steady = !strcmp(machine->governor, "performance") && machine->governors_differ == 0;
  if (machine->governor[0])
    set(check, steady ? FIT : NOTE, steady ? NULL : "cpupower frequency-set -g performance", "%s%s", machine->governor,
        machine->governors_differ ? ", not on all cores" : "");
}

static void boost(const struct findings *found, struct check *check) {
  if (found->machine.boost != PROF_MACHINE_UNKNOWN)
    set(check, found->machine.boost ? NOTE : FIT,
        found->machine.boost ? "for steady times: cpupower set --turbo-boost 0" : NULL, "%s",
        found->machine.boost ? "on: the clock depends on heat and on other cores" : "off");
}

static void siblings(const struct findings *found, struct check *check) {
  if (found->machine.siblings != PROF_MACHINE_UNKNOWN)
    set(check, found->machine.siblings > 0 ? NOTE : FIT,
        found->machine.siblings > 0 ? "pin to one thread of each core: taskset" : NULL, "%s",
        found->machine.siblings > 0 ? "on: two threads share a core" : "off");
}

static void load(const struct findings *found, struct check *check) {
  const struct prof_machine *machine = &found->machine;
  if (machine->load < 0 || machine->cores == 0)
    return;
  double busy = machine->load / machine->cores;
  set(check, busy > BUSY ? NOTE : FIT,
      busy > BUSY ? "stop other programs, or compare CPU time instead of elapsed" : NULL, "%.2f threads on %u core%s",
      machine->load, machine->cores, machine->cores == 1 ? "" : "s");
}

static void memory(const struct findings *found, struct check *check) {
  char all[PROF_UNITS_BYTES], left[PROF_UNITS_BYTES];
  const struct prof_machine *machine = &found->machine;
  if (!machine->memory_bytes)
    return;
  bool little = (double)machine->free_bytes < LEAST_FREE * (double)machine->memory_bytes;
  set(check, little ? NOTE : FIT, little ? "the machine may swap: stop other programs" : NULL, "%s of %s free",
      prof_units_bytes(left, machine->free_bytes), prof_units_bytes(all, machine->memory_bytes));
}

static void objdump(const struct findings *found, struct check *check) {
  if (found->tried)
    set(check, found->trial.has_objdump ? FIT : NOTE, found->trial.has_objdump ? NULL : "apt-get install binutils",
        "%s", found->trial.has_objdump ? "for prof advise and annotate --asm" : "missing: prof advise can't read code");
}

static void gpu(const struct findings *found, struct check *check) {
  const struct prof_machine *machine = &found->machine;
  if (machine->gpu_driver[0])
    set(check, machine->gpu_admin_only ? NOTE : FIT,
        machine->gpu_admin_only ? "options nvidia NVreg_RestrictProfilingToAdminUsers=0, for --gpu-lines" : NULL,
        "NVIDIA driver %s%s", machine->gpu_driver, machine->gpu_admin_only ? ", counters for root only" : "");
  else if (found->tried)
    set(check, FIT, NULL, "%s", found->trial.has_cuda ? "a CUDA driver without its kernel module" : "none");
}

static const struct {
  const char *key, *title;
  void (*check)(const struct findings *, struct check *);
} rows[] = {
    {"kernel", "kernel", kernel},
    {"processor", "processor", processor},
    {"virtual", "virtual machine", virtual_machine},
    {"stolen", "stolen time", stolen},
    {"paranoid", "perf_event_paranoid", paranoid},
    {"samples", "samples", samples},
    {"stacks", "stacks", stacks},
    {"counters", "hardware counters", counters},
    {"clock", "clock", clock_source},
    {"governor", "frequency governor", governor},
    {"boost", "boost", boost},
    {"siblings", "hyper-threads", siblings},
    {"load", "load", load},
    {"memory", "memory", memory},
    {"objdump", "objdump", objdump},
    {"gpu", "GPU", gpu},
};
#define ROWS (sizeof rows / sizeof *rows)

static const char *verdict(const struct check checks[ROWS], bool *unfit) {
  bool noted = false;
  *unfit = false;
  for (size_t i = 0; i < ROWS; i++) {
    noted |= checks[i].value[0] && checks[i].state == NOTE;
    *unfit |= checks[i].value[0] && checks[i].state == BAD;
  }
  return *unfit ? "unfit" : noted ? "noted" : "fit";
}

/* ---- output ---- */

static bool show_table(const struct findings *found, const struct check checks[ROWS],
                       const struct prof_output *output) {
  static const struct prof_column columns[] = {{NULL, "STATE", PROF_CELL_TEXT},
                                               {NULL, "WHAT", PROF_CELL_TEXT},
                                               {NULL, "HERE", PROF_CELL_TEXT, PROF_CUT_NAME},
                                               {NULL, "WHAT TO DO", PROF_CELL_TEXT, PROF_CUT_NAME}};
  struct prof_table *table = prof_table_new(columns, sizeof columns / sizeof *columns);
  bool unfit;
  char rate[PROF_UNITS_BYTES];
  const char *word = verdict(checks, &unfit);
  fprintf(output->file, "%s\n\n",
          unfit                  ? "this machine is not fit to measure"
          : !strcmp(word, "fit") ? "this machine is fit to measure"
                                 : "this machine is fit to measure, with notes");
  for (size_t i = 0; table && i < ROWS; i++) {
    if (!checks[i].value[0])
      continue;
    prof_table_text(table, states[checks[i].state]);
    prof_table_text(table, rows[i].title);
    prof_table_text(table, checks[i].value);
    prof_table_text(table, checks[i].remedy ? checks[i].remedy : "");
  }
  bool done = table && !prof_table_failed(table);
  if (done)
    prof_table_print(table, output->file, &output->style);
  prof_table_free(table);
  if (found->measured)
    fprintf(output->file,
            "\none thread, at least: reads %s/s of memory, %.2f billion scalar floating-point operations/s\n",
            prof_units_bytes(rate, (uint64_t)found->peaks.read_bytes_per_second), found->peaks.flops / 1e9);
  return done;
}

static void show_json(const struct findings *found, const struct check checks[ROWS], FILE *file) {
  struct prof_json json;
  bool unfit;
  prof_json_init(&json, file, 2);
  prof_json_object(&json, NULL);
  prof_json_text(&json, "verdict", verdict(checks, &unfit));
  prof_json_array(&json, "checks");
  for (size_t i = 0; i < ROWS; i++) {
    if (!checks[i].value[0])
      continue;
    prof_json_object(&json, NULL);
    prof_json_text(&json, "key", rows[i].key);
    prof_json_text(&json, "state", states[checks[i].state]);
    prof_json_text(&json, "value", checks[i].value);
    prof_json_text(&json, "remedy", checks[i].remedy ? checks[i].remedy : "");
    prof_json_object_end(&json);
  }
  prof_json_array_end(&json);
  if (found->measured) {
    prof_json_number(&json, "read_bytes_per_second", found->peaks.read_bytes_per_second);
    prof_json_number(&json, "flops", found->peaks.flops);
  }
  prof_json_object_end(&json);
}

static int run(void *argument, int argc, char **argv) {
  const struct settings *settings = argument;
  struct findings found = {.tried = settings->root == NULL, .measured = !settings->root && !settings->no_peaks};
  struct check checks[ROWS] = {0};
  struct prof_output output;
  struct prof_common common = {.format = settings->format};
  bool unfit, done = true;
  (void)argc, (void)argv;
  prof_machine_read(settings->root ? settings->root : "", &found.machine);
  if (found.tried)
    prof_machine_try(&found.trial);
  if (found.measured)
    prof_peaks_measure(&found.peaks);
  for (size_t i = 0; i < ROWS; i++)
    rows[i].check(&found, &checks[i]);
  verdict(checks, &unfit);
  prof_output_begin(&output, &common);
  if (settings->format == PROF_FORMAT_JSON)
    show_json(&found, checks, output.file);
  else
    done = show_table(&found, checks, &output);
  int result = prof_output_end(&output);
  if (!done)
    return prof_command_fail(&(struct prof_diag){.status = PROF_NO_MEMORY, .what = "out of memory"});
  return result == PROF_EXIT_OK && unfit ? UNFIT : result;
}

#define IN(member) PROF_MEMBER(struct settings, member)
static const struct prof_option options[] = {
    {"no-peaks", 0, NULL, "don't measure memory bandwidth and floating point", PROF_OPTION_FLAG, IN(no_peaks)},
    {"format", 0, NULL, "output format (default: table)", PROF_OPTION_WORD, IN(format), PROF_WORDS("table", "json")},
    {"root", 0, "DIR", NULL, PROF_OPTION_TEXT, IN(root)}, /* for tests: a folder with proc and sys; tries nothing */
    {0},
};

const struct prof_command prof_command_doctor = {
    .name = "doctor",
    .instead = "it takes flags only: prof doctor --help",
    .summary = "Check whether this machine is fit to measure, and what to do",
    .group = "Set up",
    .options = options,
    .settings_bytes = sizeof(struct settings),
    .run = run,
};
