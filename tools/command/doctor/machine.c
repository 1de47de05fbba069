/*
 * tools/command/doctor/machine.c - see machine.h.
 */
#include "command/doctor/machine.h"

#include <ctype.h>
#include <dlfcn.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "record/clock/clock_check.h"
#include "record/pmu/pmu_plan.h"
#include "record/sampling/perf_rings.h"

enum { MOST_CORES = 4096, PATH_BYTES = 512, LINE_BYTES = 4096 };

/* ---- files ---- */

static FILE *open_below(const char *root, const char *path) {
  char whole[PATH_BYTES];
  return snprintf(whole, sizeof whole, "%s%s", root, path) < (int)sizeof whole ? fopen(whole, "re") : NULL;
}

/* The first line without its end; "": there is none. */
static bool read_line(const char *root, const char *path, char *out, size_t bytes) {
  FILE *file = open_below(root, path);
  bool done = file && fgets(out, (int)bytes, file);
  if (file)
    fclose(file);
  out[done ? strcspn(out, "\n") : 0] = 0;
  return done;
}

static int read_number(const char *root, const char *path) {
  char line[64], *end;
  if (!read_line(root, path, line, sizeof line))
    return PROF_MACHINE_UNKNOWN;
  long number = strtol(line, &end, 10);
  return end > line && number >= -1 && number <= 1000000 ? (int)number : PROF_MACHINE_UNKNOWN;
}

/* The text behind "key<blanks>: "; NULL: the line is another one. */
static char *value_of(char *line, const char *key) {
  size_t bytes = strlen(key);
  if (strncmp(line, key, bytes) != 0)
    return NULL;
  char *at = line + bytes + strspn(line + bytes, " \t");
  if (*at != ':')
    return NULL;
  at++;
  at[strcspn(at, "\n")] = 0;
  return at + strspn(at, " \t");
}

static void read_processor(const char *root, struct prof_machine *out) {
  char line[LINE_BYTES];
  FILE *file = open_below(root, "/proc/cpuinfo");
  while (file && fgets(line, sizeof line, file)) {
    char *model = value_of(line, "model name"), *flags = model ? NULL : value_of(line, "flags");
    out->cores += model != NULL;
    if (model && !out->processor[0])
      snprintf(out->processor, sizeof out->processor, "%s", model);
    out->is_virtual |= flags && strstr(flags, " hypervisor");
  }
  if (file)
    fclose(file);
}

static void read_memory(const char *root, struct prof_machine *out) {
  char line[256];
  FILE *file = open_below(root, "/proc/meminfo");
  while (file && fgets(line, sizeof line, file)) {
    char *all = value_of(line, "MemTotal"), *left = all ? NULL : value_of(line, "MemAvailable");
    if (all)
      out->memory_bytes = strtoull(all, NULL, 10) << 10;
    if (left)
      out->free_bytes = strtoull(left, NULL, 10) << 10;
  }
  if (file)
    fclose(file);
}

/* cpu  user nice system idle iowait irq softirq steal */
static double read_steal(const char *root) {
  char line[512];
  double sum = 0, steal = 0;
  if (!read_line(root, "/proc/stat", line, sizeof line) || strncmp(line, "cpu ", 4) != 0)
    return PROF_MACHINE_UNKNOWN;
  char *at = line + 4;
  for (int i = 0; i < 8; i++) {
    char *end;
    double value = strtod(at, &end);
    if (end == at)
      return PROF_MACHINE_UNKNOWN;
    sum += value;
    steal = value;
    at = end;
  }
  return sum > 0 ? steal / sum : PROF_MACHINE_UNKNOWN;
}

static void read_governors(const char *root, struct prof_machine *out) {
  for (int core = 0; core < MOST_CORES; core++) {
    char path[128], line[32];
    snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu%d/cpufreq/scaling_governor", core);
    if (!read_line(root, path, line, sizeof line))
      return;
    if (core == 0)
      snprintf(out->governor, sizeof out->governor, "%s", line);
    out->governors_differ += strcmp(line, out->governor) != 0;
  }
}

static int read_boost(const char *root) {
  int off = read_number(root, "/sys/devices/system/cpu/intel_pstate/no_turbo");
  return off != PROF_MACHINE_UNKNOWN ? off == 0 : read_number(root, "/sys/devices/system/cpu/cpufreq/boost");
}

static void read_gpu(const char *root, struct prof_machine *out) {
  char line[256];
  if (read_line(root, "/proc/driver/nvidia/version", line, sizeof line)) {
    char *number = strstr(line, "Module  ");
    snprintf(out->gpu_driver, sizeof out->gpu_driver, "%.60s", number ? number + 8 : line);
    out->gpu_driver[strcspn(out->gpu_driver, " ")] = 0;
  }
  FILE *file = open_below(root, "/proc/driver/nvidia/params");
  while (file && fgets(line, sizeof line, file)) {
    char *value = value_of(line, "RmProfilingAdminOnly");
    out->gpu_admin_only |= value && value[0] == '1';
  }
  if (file)
    fclose(file);
}

void prof_machine_read(const char *root, struct prof_machine *out) {
  char line[64];
  *out = (struct prof_machine){.load = PROF_MACHINE_UNKNOWN};
  read_line(root, "/proc/sys/kernel/osrelease", out->kernel, sizeof out->kernel);
  read_line(root, "/sys/class/dmi/id/product_name", out->product, sizeof out->product);
  read_processor(root, out);
  read_memory(root, out);
  read_governors(root, out);
  read_gpu(root, out);
  out->paranoid = read_number(root, "/proc/sys/kernel/perf_event_paranoid");
  out->siblings = read_number(root, "/sys/devices/system/cpu/smt/active");
  out->boost = read_boost(root);
  out->steal = read_steal(root);
  if (read_line(root, "/proc/loadavg", line, sizeof line) && isdigit((unsigned char)line[0]))
    out->load = strtod(line, NULL);
}

/* ---- trials ---- */

static bool count_cycles(void) {
  struct perf_event_attr attributes = {.type = PERF_TYPE_HARDWARE,
                                       .size = sizeof attributes,
                                       .config = PERF_COUNT_HW_CPU_CYCLES,
                                       .exclude_kernel = 1,
                                       .exclude_hv = 1};
  int fd = (int)syscall(SYS_perf_event_open, &attributes, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
  uint64_t cycles = 0;
  bool counted = fd >= 0 && read(fd, &cycles, sizeof cycles) == (ssize_t)sizeof cycles && cycles > 0;
  if (fd >= 0)
    close(fd);
  return counted;
}

/* Generic names of the processor's counters that the kernel opens; as many as there is room for. */
static void find_counters(char *out, size_t bytes) {
  size_t at = 0;
  for (uint32_t i = 0; prof_pmu_name(i) != NULL; i++) {
    struct prof_pmu_event event[PROF_PMU_MOST];
    struct prof_pmu_set set;
    uint32_t count;
    if (prof_pmu_names_parse(prof_pmu_name(i), NULL, event, &count) != PROF_OK || prof_pmu_is_software(event))
      continue;
    prof_pmu_plan(&set, event, count, &prof_pmu_kernel);
    if (!set.counters[0].refused && at < bytes)
      at += (size_t)snprintf(out + at, bytes - at, "%s%s", at > 0 ? ", " : "", event->name);
  }
}

static bool is_in_path(const char *program) {
  const char *path = getenv("PATH");
  for (size_t bytes; path && *path; path += bytes + (path[bytes] == ':')) {
    char whole[PATH_BYTES];
    bytes = strcspn(path, ":");
    if (snprintf(whole, sizeof whole, "%.*s/%s", (int)bytes, path, program) < (int)sizeof whole && !access(whole, X_OK))
      return true;
  }
  return false;
}

static void try_samples(struct prof_machine_trial *out) {
  struct prof_perf perf;
  char reason[128];
  const struct prof_perf_wish wish = {.pid = getpid(), .hz = 997, .stack_bytes = 8192};
  out->has_samples = prof_perf_open(&perf, &wish, reason);
  out->has_kernel_samples = out->has_samples && perf.kernel;
  out->has_stacks = out->has_samples && !perf.no_stacks[0];
  snprintf(out->refused, sizeof out->refused, "%s", out->has_samples ? perf.no_stacks : reason);
  if (out->has_samples)
    prof_perf_close(&perf);
}

void prof_machine_try(struct prof_machine_trial *out) {
  struct prof_clock_facts clock;
  const char *why = NULL;
  *out = (struct prof_machine_trial){0};
  try_samples(out);
  out->has_cycles = count_cycles();
  if (out->has_cycles)
    find_counters(out->counters, sizeof out->counters);
  out->has_objdump = is_in_path("objdump");
  void *cuda = dlopen("libcuda.so.1", RTLD_LAZY | RTLD_LOCAL);
  out->has_cuda = cuda != NULL;
  if (cuda)
    dlclose(cuda);
  prof_clock_facts_find(&clock);
  out->tsc_chosen = prof_clock_choose_tsc(&clock, PROF_CLOCK_AUTO, &why);
  snprintf(out->clock_fault, sizeof out->clock_fault, "%s", why ? why : "");
}
