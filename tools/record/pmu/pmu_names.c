/*
 * tools/record/pmu/pmu_names.c - see pmu_names.h.
 */
#include "record/pmu/pmu_names.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "base/library.h"

#define LIBPFM "libpfm.so.4"
#define USAGE "as in --counters=cycles,instructions,cache-misses,page-faults"

struct row {
  const char *name;
  uint32_t type;
  uint64_t config;
};

#define CACHE(what, operation, result)                                                                                 \
  PERF_TYPE_HW_CACHE, PERF_COUNT_HW_CACHE_##what | (PERF_COUNT_HW_CACHE_OP_##operation << 8) |                         \
                          (PERF_COUNT_HW_CACHE_RESULT_##result << 16)
#define HARDWARE(what) PERF_TYPE_HARDWARE, PERF_COUNT_HW_##what
#define SOFTWARE(what) PERF_TYPE_SOFTWARE, PERF_COUNT_SW_##what

static const struct row rows[] = {
    {"cycles", HARDWARE(CPU_CYCLES)},
    {"cpu-cycles", HARDWARE(CPU_CYCLES)},
    {"instructions", HARDWARE(INSTRUCTIONS)},
    {"cache-references", HARDWARE(CACHE_REFERENCES)},
    {"cache-misses", HARDWARE(CACHE_MISSES)},
    {"branches", HARDWARE(BRANCH_INSTRUCTIONS)},
    {"branch-instructions", HARDWARE(BRANCH_INSTRUCTIONS)},
    {"branch-misses", HARDWARE(BRANCH_MISSES)},
    {"bus-cycles", HARDWARE(BUS_CYCLES)},
    {"stalled-cycles-frontend", HARDWARE(STALLED_CYCLES_FRONTEND)},
    {"stalled-cycles-backend", HARDWARE(STALLED_CYCLES_BACKEND)},
    {"ref-cycles", HARDWARE(REF_CPU_CYCLES)},
    {"L1-dcache-loads", CACHE(L1D, READ, ACCESS)},
    {"L1-dcache-load-misses", CACHE(L1D, READ, MISS)},
    {"L1-dcache-stores", CACHE(L1D, WRITE, ACCESS)},
    {"L1-dcache-prefetches", CACHE(L1D, PREFETCH, ACCESS)},
    {"L1-icache-loads", CACHE(L1I, READ, ACCESS)},
    {"L1-icache-load-misses", CACHE(L1I, READ, MISS)},
    {"LLC-loads", CACHE(LL, READ, ACCESS)},
    {"LLC-load-misses", CACHE(LL, READ, MISS)},
    {"LLC-stores", CACHE(LL, WRITE, ACCESS)},
    {"LLC-store-misses", CACHE(LL, WRITE, MISS)},
    {"dTLB-loads", CACHE(DTLB, READ, ACCESS)},
    {"dTLB-load-misses", CACHE(DTLB, READ, MISS)},
    {"dTLB-stores", CACHE(DTLB, WRITE, ACCESS)},
    {"dTLB-store-misses", CACHE(DTLB, WRITE, MISS)},
    {"iTLB-loads", CACHE(ITLB, READ, ACCESS)},
    {"iTLB-load-misses", CACHE(ITLB, READ, MISS)},
    {"branch-loads", CACHE(BPU, READ, ACCESS)},
    {"branch-load-misses", CACHE(BPU, READ, MISS)},
    {"node-loads", CACHE(NODE, READ, ACCESS)},
    {"node-load-misses", CACHE(NODE, READ, MISS)},
    {"page-faults", SOFTWARE(PAGE_FAULTS)},
    {"faults", SOFTWARE(PAGE_FAULTS)},
    {"minor-faults", SOFTWARE(PAGE_FAULTS_MIN)},
    {"major-faults", SOFTWARE(PAGE_FAULTS_MAJ)},
    {"context-switches", SOFTWARE(CONTEXT_SWITCHES)},
    {"cs", SOFTWARE(CONTEXT_SWITCHES)},
    {"cpu-migrations", SOFTWARE(CPU_MIGRATIONS)},
    {"migrations", SOFTWARE(CPU_MIGRATIONS)},
    {"alignment-faults", SOFTWARE(ALIGNMENT_FAULTS)},
    {"emulation-faults", SOFTWARE(EMULATION_FAULTS)},
    {"task-clock", SOFTWARE(TASK_CLOCK)},
    {"cpu-clock", SOFTWARE(CPU_CLOCK)},
};
enum { ROWS = sizeof rows / sizeof *rows };

const char *prof_pmu_name(uint32_t index) {
  return index < ROWS ? rows[index].name : NULL;
}

/* ---- names without libpfm4 ---- */

static bool is_raw(const char *name, size_t length, uint64_t *config) {
  char *end;
  if (length < 2 || name[0] != 'r' || strspn(name + 1, "0123456789abcdefABCDEF") < length - 1)
    return false;
  *config = strtoull(name + 1, &end, 16);
  return end == name + length;
}

static bool find_generic(struct prof_pmu_event *event) {
  size_t length = strcspn(event->name, ":");
  const char *suffix = event->name + length;
  if (suffix[0] != 0 && strcmp(suffix, ":u") != 0 && strcmp(suffix, ":k") != 0)
    return false;
  bool found = is_raw(event->name, length, &event->config);
  event->type = PERF_TYPE_RAW;
  for (size_t i = 0; i < ROWS && !found; i++)
    if (strlen(rows[i].name) == length && strncmp(rows[i].name, event->name, length) == 0) {
      event->type = rows[i].type;
      event->config = rows[i].config;
      found = true;
    }
  event->no_kernel = suffix[0] != 0 && suffix[1] == 'u';
  event->no_user = suffix[0] != 0 && suffix[1] == 'k';
  return found;
}

/* ---- libpfm4 ---- */

struct encoding { /* pfm_perf_encode_arg_t of perfmon/pfmlib_perf_event.h */
  struct perf_event_attr *attr;
  char **text;
  size_t bytes;
  int index, processor, flags;
};
enum { PFM_USER_AND_KERNEL = 0x9, PFM_OS_PERF_EVENT_EXT = 2, PFM_SUCCESS = 0 };

struct pfm {
  int (*initialize)(void);
  int (*encode)(const char *name, int levels, int system, void *arguments);
  const char *(*error)(int code);
  bool tried;
};

/* Its functions; encode is NULL where it is not installed.  It stays loaded. */
static const struct pfm *load_pfm(void) {
  static const struct prof_library_function functions[] = {
      {"pfm_initialize", offsetof(struct pfm, initialize)},
      {"pfm_strerror", offsetof(struct pfm, error)},
      {"pfm_get_os_event_encoding", offsetof(struct pfm, encode)},
      {0},
  };
  static struct pfm pfm;
  if (pfm.tried)
    return &pfm;
  pfm.tried = true;
  if (!prof_library_load(LIBPFM, functions, &pfm) || pfm.initialize() != PFM_SUCCESS)
    pfm.encode = NULL;
  return &pfm;
}

/* *reason: why not. */
static bool find_pfm(struct prof_pmu_event *event, const char **reason) {
  const struct pfm *pfm = load_pfm();
  struct perf_event_attr attr = {.size = sizeof attr};
  struct encoding encoding = {.attr = &attr, .bytes = sizeof encoding};
  *reason = "libpfm4, which knows more names, is not installed";
  if (pfm->encode == NULL)
    return false;
  int code = pfm->encode(event->name, PFM_USER_AND_KERNEL, PFM_OS_PERF_EVENT_EXT, &encoding);
  *reason = code == PFM_SUCCESS ? "" : pfm->error(code);
  if (code != PFM_SUCCESS)
    return false;
  event->type = attr.type;
  event->config = attr.config;
  event->config1 = attr.config1;
  event->config2 = attr.config2;
  event->no_kernel = attr.exclude_kernel;
  event->no_user = attr.exclude_user;
  return true;
}

/* ---- the list ---- */

static prof_status usage(struct prof_diag *diag, const char *name, const char *what) {
  return prof_diag_fill(diag, PROF_USAGE, NULL, PROF_NO_OFFSET, USAGE, "--counters: '%.40s' %s", name, what);
}

/* Linux (6.18) gives samples of both to the first one. */
static bool has_twin(const struct prof_pmu_event *events, uint32_t count, const struct prof_pmu_event *event) {
  bool found = false;
  for (uint32_t i = 0; i < count && !found; i++)
    found = prof_pmu_is_software(event) && prof_pmu_is_software(&events[i]) && events[i].config == event->config;
  return found;
}

prof_status prof_pmu_names_parse(const char *list, struct prof_diag *diag, struct prof_pmu_event events[PROF_PMU_MOST],
                                 uint32_t *count) {
  *count = 0;
  for (const char *word = list; word != NULL;) {
    size_t length = strcspn(word, ",");
    struct prof_pmu_event event = {.type = PERF_TYPE_RAW};
    const char *reason;
    char what[160];
    if (length >= sizeof event.name)
      return usage(diag, word, "is too long");
    memcpy(event.name, word, length);
    if (length == 0)
      return usage(diag, list, "has an empty name");
    for (uint32_t i = 0; i < *count; i++)
      if (strcmp(events[i].name, event.name) == 0)
        return usage(diag, event.name, "is there twice");
    if (*count == PROF_PMU_MOST)
      return usage(diag, event.name, "is one too many: 32 at most");
    if (!find_generic(&event) && !find_pfm(&event, &reason)) {
      snprintf(what, sizeof what, "is no counter (%s)", reason);
      return usage(diag, event.name, what);
    }
    if (has_twin(events, *count, &event))
      return usage(diag, event.name, "counts what another one of them counts");
    events[(*count)++] = event;
    word = word[length] == ',' ? word + length + 1 : NULL;
  }
  return PROF_OK;
}
