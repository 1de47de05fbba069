/*
 * tools/analysis/measures/lock_name.c - see lock_name.h.
 *
 * Compilers keep a named critical section of OpenMP in a variable whose name has the section's name in it.
 */
#include "analysis/measures/lock_name.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "tally/sums.h"

#define CRITICAL_BEGIN ".gomp_critical_user_"
#define CRITICAL_END ".var"
#define NO_NAME "critical section without a name"

static const char *const kinds[] = {[PROF_MEASURE_MUTEX] = "mutex",
                                    [PROF_MEASURE_WRITER] = "read-write lock",
                                    [PROF_MEASURE_SPIN] = "spin lock",
                                    [PROF_MEASURE_CONDITION] = "condition",
                                    [PROF_MEASURE_SEMAPHORE] = "semaphore",
                                    [PROF_MEASURE_JOIN] = "join",
                                    [PROF_MEASURE_BARRIER] = "barrier",
                                    [PROF_MEASURE_SLEEP] = "sleep",
                                    [PROF_MEASURE_POLL] = "poll",
                                    [PROF_MEASURE_INPUT] = "input",
                                    [PROF_MEASURE_FUTEX] = "futex",
                                    [PROF_MEASURE_OMP_BARRIER] = "OpenMP barrier",
                                    [PROF_MEASURE_OMP_TASKS] = "OpenMP tasks",
                                    [PROF_MEASURE_CRITICAL] = "critical section",
                                    [PROF_MEASURE_OMP_LOCK] = "OpenMP lock",
                                    [PROF_MEASURE_ORDERED] = "ordered section",
                                    [PROF_MEASURE_CHILD] = "child process"};

const char *prof_lock_kind(uint64_t kind) {
  const char *word = kind < sizeof kinds / sizeof *kinds ? kinds[kind] : NULL;
  return word ? word : "lock";
}

bool prof_lock_namer_init(struct prof_lock_namer *namer, const prof_trace *trace, struct prof_names *names,
                          const struct prof_line_source *source, struct prof_symbols *symbols,
                          const struct prof_call_sites *sites) {
  *namer =
      (struct prof_lock_namer){.trace = trace, .names = names, .source = source, .symbols = symbols, .sites = sites};
  return prof_file_names_init(&namer->files, trace);
}

void prof_lock_namer_fini(struct prof_lock_namer *namer) {
  prof_file_names_fini(&namer->files);
  prof_arena_fini(&namer->arena);
}

static const char *file_name(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

/* Whether the address is that of data. */
static bool is_data(const struct prof_lock *lock) {
  switch (lock->kind) {
  case PROF_MEASURE_JOIN:
  case PROF_MEASURE_SLEEP:
  case PROF_MEASURE_POLL:
  case PROF_MEASURE_INPUT:
  case PROF_MEASURE_OMP_BARRIER:
  case PROF_MEASURE_OMP_TASKS:
  case PROF_MEASURE_ORDERED:
  case PROF_MEASURE_CHILD:
    return false;
  default:
    return lock->address > PROF_MEASURE_ATOMIC;
  }
}

/* The variable that a lock lies in; NULL: none is known. */
static const struct prof_data_object *variable_of(struct prof_lock_namer *namer, const struct prof_lock *lock,
                                                  uint64_t *offset) {
  struct prof_place at;
  struct prof_data_object *object = &namer->object;
  uint64_t now = prof_trace_info(namer->trace)->last_ticks;
  if (!is_data(lock) || !prof_trace_place(namer->trace, lock->process, lock->address, now, &at))
    return NULL;
  if (object->bytes == 0 || at.module != namer->object_module || at.address - object->address >= object->bytes) {
    object->bytes = 0;
    if (!prof_data_object_find(namer->symbols, at.module, at.address, &namer->arena, object))
      return NULL;
    namer->object_module = at.module;
  }
  *offset = at.address - object->address;
  return object;
}

/* < 0: no memory. */
static int name_critical(const char *variable, char **out) {
  const char *name = variable + strlen(CRITICAL_BEGIN);
  size_t bytes = strlen(name), end = strlen(CRITICAL_END);
  if (bytes >= end && strcmp(name + bytes - end, CRITICAL_END) == 0)
    bytes -= end;
  return bytes ? asprintf(out, "critical section %.*s", (int)bytes, name) : asprintf(out, NO_NAME);
}

/* Without a variable.  < 0: no memory. */
static int name_by_place(const struct prof_lock_namer *namer, const struct prof_lock *lock, char **out) {
  const char *kind = prof_lock_kind(lock->kind);
  struct prof_measured_place place;
  if (lock->address == PROF_TALLY_OTHER_LOCK)
    return asprintf(out, "%s [other]", kind);
  const char *endpoint =
      lock->kind == PROF_MEASURE_INPUT ? prof_file_name_of(&namer->files, lock->process, (uint32_t)lock->address) : "";
  if (*endpoint)
    return asprintf(out, "%s from %s", kind, endpoint);
  if (lock->kind == PROF_MEASURE_CRITICAL && lock->address <= PROF_MEASURE_ATOMIC)
    return asprintf(out, lock->address == PROF_MEASURE_ATOMIC ? "atomic operations" : NO_NAME);
  if (lock->first_site == UINT32_MAX)
    return asprintf(out, "%s 0x%" PRIx64, kind, lock->address);
  if (prof_call_site_place(namer->trace, &namer->sites->items.items[lock->first_site], namer->names, namer->source,
                           &place) != PROF_OK)
    return -1;
  return place.line ? asprintf(out, "%s at %s:%u", kind, file_name(place.file), place.line)
                    : asprintf(out, "%s in %s", kind, *place.via ? place.via : place.function);
}

prof_status prof_lock_name(struct prof_lock_namer *namer, const struct prof_lock *lock, char **out) {
  uint64_t offset;
  *out = NULL;
  const struct prof_data_object *object = variable_of(namer, lock, &offset);
  const char *variable = object ? prof_names_other(namer->names, object->name) : NULL;
  int bytes;
  if (variable && strncmp(variable, CRITICAL_BEGIN, strlen(CRITICAL_BEGIN)) == 0)
    bytes = name_critical(variable, out);
  else if (variable)
    bytes = offset ? asprintf(out, "%s+%" PRIu64, variable, offset) : asprintf(out, "%s", variable);
  else
    bytes = name_by_place(namer, lock, out);
  return bytes < 0 ? PROF_NO_MEMORY : PROF_OK;
}
