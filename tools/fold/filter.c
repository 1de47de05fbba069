/*
 * tools/fold/filter.c - see filter.h: patterns against the names of a trace.
 */
#include "fold/filter.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/diag.h"
#include "base/text.h"
#include "names/name_patterns.h"
#include "names/names.h"
#include "names/process_names.h"
#include "row.h"

/* Sets `flag` in flags[function] where a pattern matches; *missed: index of the first pattern that matched none. */
static prof_status mark(const prof_trace *trace, const char *const *patterns, size_t count, uint8_t flag,
                        uint8_t *flags, size_t *missed) {
  size_t function_count;
  const struct prof_function *functions = prof_trace_functions(trace, &function_count);
  const struct prof_module *modules = prof_trace_modules(trace, NULL);
  struct prof_name_forms forms = {0};
  uint8_t *used = calloc(count ? count : 1, 1);
  bool ok = used != NULL;
  for (size_t i = 0; ok && i < function_count; i++) {
    ok = prof_name_forms_make(&forms, &functions[i], modules[functions[i].module].path);
    for (size_t j = 0; ok && j < count; j++)
      if (prof_name_forms_match(&forms, patterns[j])) {
        flags[i] |= flag;
        used[j] = 1;
      }
  }
  for (*missed = 0; ok && *missed < count && used[*missed];)
    ++*missed;
  prof_name_forms_free(&forms);
  free(used);
  return ok ? PROF_OK : PROF_NO_MEMORY;
}

static prof_status no_match(const prof_trace *trace, const char *flag, const char *pattern, struct prof_diag *diag) {
  size_t function_count;
  const struct prof_function *functions = prof_trace_functions(trace, &function_count);
  struct prof_near_miss miss;
  struct prof_name_forms forms = {0};
  prof_near_miss_init(&miss, pattern);
  for (size_t i = 0; i < function_count && prof_name_forms_make(&forms, &functions[i], ""); i++)
    prof_name_forms_offer(&forms, &miss);
  prof_name_forms_free(&forms);
  char text[256];
  prof_near_miss_text(&miss, text, sizeof text);
  return prof_diag_fill(diag, PROF_USAGE, NULL, PROF_NO_OFFSET,
                        text[0] ? text : "patterns are globs on the whole name: try '*part-of-the-name*'",
                        "%s %s: no function of this recording has such a name", flag, pattern);
}

static prof_status match(const prof_trace *trace, const char *flag, const char *const *patterns, size_t count,
                         uint8_t bit, struct prof_diag *diag, uint8_t *flags) {
  size_t missed;
  if (mark(trace, patterns, count, bit, flags, &missed) != PROF_OK)
    return prof_diag_memory(diag);
  return missed < count ? no_match(trace, flag, patterns[missed], diag) : PROF_OK;
}

prof_status prof_filter_match(const prof_trace *trace, const char *flag, const char *const *patterns, size_t count,
                              struct prof_diag *diag, uint8_t **out) {
  size_t function_count;
  prof_trace_functions(trace, &function_count);
  *out = calloc(function_count + 1, 1);
  if (!*out)
    return prof_diag_memory(diag);
  prof_status status = match(trace, flag, patterns, count, 1, diag, *out);
  if (status != PROF_OK) {
    free(*out);
    *out = NULL;
  }
  return status;
}

prof_status prof_filter_match_names(const char *const *names, size_t count, const char *pattern, uint8_t *fits) {
  struct prof_name_forms forms = {0};
  bool ok = true;
  for (size_t i = 0; ok && i < count; i++) {
    struct prof_function function = {.name = names[i], .language = PROF_LANGUAGE_UNKNOWN};
    ok = prof_name_forms_make(&forms, &function, "");
    fits[i] = ok && prof_name_forms_match(&forms, pattern);
  }
  prof_name_forms_free(&forms);
  return ok ? PROF_OK : PROF_NO_MEMORY;
}

/* ---- which threads ---- */

struct choice { /* threads are shown that fit one of the words */
  const prof_trace *trace;
  const char *flag;
  bool (*fits)(const struct choice *, uint32_t thread, size_t word);
  size_t count; /* of words; 0: all threads fit */
  const uint32_t *numbers;
  const char *const *patterns;
};

static const struct prof_thread_info *thread_of(const prof_trace *trace, uint32_t thread) {
  size_t count;
  return &prof_trace_threads(trace, &count)[thread];
}

static uint32_t pid_of(const prof_trace *trace, uint32_t thread) {
  size_t count;
  const struct prof_process *processes = prof_trace_processes(trace, &count);
  uint32_t process = thread_of(trace, thread)->process;
  return process < count ? processes[process].pid : 0;
}

static bool fits_tid(const struct choice *choice, uint32_t thread, size_t word) {
  return thread_of(choice->trace, thread)->tid == choice->numbers[word];
}

static bool fits_pid(const struct choice *choice, uint32_t thread, size_t word) {
  return pid_of(choice->trace, thread) == choice->numbers[word];
}

static bool fits_command(const struct choice *choice, uint32_t thread, size_t word) {
  return prof_process_matches(choice->trace, thread_of(choice->trace, thread)->process, choice->patterns[word]);
}

/* A thread fits none of the words: what there is instead. */
static prof_status nothing_fits(const struct choice *choice, size_t word, struct prof_diag *diag) {
  char some[256] = "the recording has", names[8][48], *name;
  size_t thread_count, used = strlen(some), said = 0;
  prof_trace_threads(choice->trace, &thread_count);
  for (uint32_t i = 0; i < thread_count && said < 8 && used < sizeof some - 1; i++) {
    name = names[said];
    if (choice->fits == fits_command) {
      const char *program = prof_process_name(choice->trace, thread_of(choice->trace, i)->process);
      prof_text_escape(name, sizeof names[0], program, strlen(program));
    } else {
      snprintf(name, sizeof names[0], "%u",
               choice->fits == fits_pid ? pid_of(choice->trace, i) : thread_of(choice->trace, i)->tid);
    }
    size_t same = 0;
    while (strcmp(names[same], name) != 0)
      same++;
    if (same < said)
      continue;
    used += (size_t)snprintf(some + used, sizeof some - used, "%s %s", said++ ? "," : "", name);
  }
  const char *what = choice->fits == fits_tid ? "thread" : "process";
  if (choice->patterns)
    return prof_diag_fill(diag, PROF_USAGE, NULL, PROF_NO_OFFSET, some, "%s %s: no %s of this recording", choice->flag,
                          choice->patterns[word], what);
  return prof_diag_fill(diag, PROF_USAGE, NULL, PROF_NO_OFFSET, some, "%s %u: no %s of this recording", choice->flag,
                        choice->numbers[word], what);
}

/* Threads that fit no word are shown no more. */
static prof_status choose(const struct choice *choice, uint8_t *threads, struct prof_diag *diag) {
  size_t thread_count;
  prof_trace_threads(choice->trace, &thread_count);
  if (choice->count == 0)
    return PROF_OK;
  uint8_t *fits = calloc(thread_count + 1, 1);
  if (!fits)
    return prof_diag_memory(diag);
  prof_status status = PROF_OK;
  for (size_t word = 0; word < choice->count && status == PROF_OK; word++) {
    bool any = false;
    for (uint32_t i = 0; i < thread_count; i++)
      if (choice->fits(choice, i, word)) {
        fits[i] = 1;
        any = true;
      }
    if (!any)
      status = nothing_fits(choice, word, diag);
  }
  for (size_t i = 0; i < thread_count; i++)
    threads[i] &= fits[i];
  free(fits);
  return status;
}

static prof_status choose_threads(struct prof_filter *filter, const prof_trace *trace,
                                  const struct prof_filter_spec *spec, struct prof_diag *diag) {
  const struct choice choices[] = {
      {trace, "--tid", fits_tid, spec->tid_count, spec->tids, NULL},
      {trace, "--pid", fits_pid, spec->pid_count, spec->pids, NULL},
      {trace, "--command", fits_command, spec->command_count, NULL, spec->commands},
  };
  size_t thread_count;
  prof_trace_threads(trace, &thread_count);
  filter->threads = malloc(thread_count + 1);
  if (!filter->threads)
    return prof_diag_memory(diag);
  for (uint32_t i = 0; i <= thread_count; i++)
    filter->threads[i] = i == thread_count || !thread_of(trace, i)->hidden;
  prof_status status = PROF_OK;
  for (size_t i = 0; i < sizeof choices / sizeof *choices && status == PROF_OK; i++)
    status = choose(&choices[i], filter->threads, diag);
  return status;
}

/* --under: patterns of zones alone. */
static prof_status match_zones(const prof_trace *trace, const struct prof_filter_spec *spec, struct prof_diag *diag,
                               uint8_t *flags) {
  size_t count, missed = 0;
  const struct prof_function *functions = prof_trace_functions(trace, &count);
  if (mark(trace, spec->under, spec->under_count, PROF_FILTER_UNDER, flags, &missed) != PROF_OK)
    return prof_diag_memory(diag);
  bool any = false;
  for (size_t i = 0; i < count; i++) {
    if (!(functions[i].flags & PROF_FUNCTION_ZONE))
      flags[i] &= (uint8_t)~PROF_FILTER_UNDER;
    any |= (flags[i] & PROF_FILTER_UNDER) != 0;
  }
  if (spec->under_count == 0 || (missed == spec->under_count && any))
    return PROF_OK;
  return prof_diag_fill(diag, PROF_USAGE, NULL, PROF_NO_OFFSET, "prof report --by=zone shows its zones",
                        "--under %s: no zone of this recording has such a name",
                        spec->under[missed < spec->under_count ? missed : 0]);
}

/* --file, --module: functions of others are hidden; so are those of unknown files. */
static prof_status match_places(const prof_trace *trace, const char *flag, const char *const *patterns, size_t count,
                                bool of_module, struct prof_diag *diag, uint8_t *flags) {
  size_t function_count, module_count;
  const struct prof_function *functions = prof_trace_functions(trace, &function_count);
  const struct prof_module *modules = prof_trace_modules(trace, &module_count);
  bool any = count == 0;
  for (size_t i = 0; i <= function_count && count > 0; i++) {
    const struct prof_function *function = i < function_count ? &functions[i] : NULL;
    const char *path = !function                         ? ""
                       : !of_module                      ? function->file
                       : function->module < module_count ? modules[function->module].path
                                                         : "";
    bool fits = false;
    for (size_t j = 0; j < count && !fits; j++)
      fits = path[0] && prof_path_matches(path, patterns[j]);
    flags[i] |= fits ? 0 : PROF_FILTER_ELSEWHERE;
    any |= fits;
  }
  return any ? PROF_OK
             : prof_diag_fill(diag, PROF_USAGE, NULL, PROF_NO_OFFSET, "globs on a path or its last part: '*part*'",
                              "%s %s: no function of this recording lies there", flag, patterns[0]);
}

/* A part of a longer recording shows no more than its own. */
static void take_part(struct prof_filter *filter, const prof_trace *trace) {
  const struct prof_part *part = prof_trace_part(trace);
  if (!part)
    return;
  if (part->begin_ticks > filter->begin_ticks)
    filter->begin_ticks = part->begin_ticks;
  if (part->end_ticks < filter->end_ticks)
    filter->end_ticks = part->end_ticks;
  filter->active |= part->begin_ticks > 0 || part->end_ticks != UINT64_MAX;
  for (uint32_t i = 0; i < part->thread_count; i++)
    filter->active |= part->threads[i].hidden;
}

prof_status prof_filter_init(struct prof_filter *filter, const prof_trace *trace, const struct prof_filter_spec *spec,
                             struct prof_diag *diag) {
  size_t function_count;
  prof_trace_functions(trace, &function_count);
  const struct prof_trace_info *info = prof_trace_info(trace);
  memset(filter, 0, sizeof *filter);
  filter->flags = calloc(function_count + 1, 1);
  if (!filter->flags)
    return prof_diag_memory(diag);
  filter->loops = spec->loops;
  filter->wants = (uint8_t)((spec->only_count ? PROF_FILTER_ONLY : 0) | (spec->under_count ? PROF_FILTER_UNDER : 0));
  filter->has_only = filter->wants != 0;
  filter->by_name = spec->without_count > 0;
  filter->by_place = spec->file_count > 0 || spec->module_count > 0;
  filter->by_caller = spec->caller_count > 0;
  filter->hides = filter->by_name || filter->by_place || filter->by_caller;
  filter->depth = spec->depth;
  filter->min_ticks = prof_trace_ticks(trace, spec->min_ns);
  filter->begin_ticks = spec->begin_ns ? info->start_ticks + prof_trace_ticks(trace, spec->begin_ns) : 0;
  filter->end_ticks =
      spec->end_ns == UINT64_MAX ? UINT64_MAX : info->start_ticks + prof_trace_ticks(trace, spec->end_ns);
  filter->active = spec->only_count || spec->under_count || spec->without_count || spec->tid_count || spec->pid_count ||
                   spec->file_count || spec->module_count || spec->caller_count || spec->command_count || spec->depth ||
                   spec->min_ns || spec->begin_ns || spec->end_ns != UINT64_MAX;
  filter->asked = filter->active;
  take_part(filter, trace);
  prof_status status = match(trace, "-F", spec->only, spec->only_count, PROF_FILTER_ONLY, diag, filter->flags);
  if (status == PROF_OK)
    status = match(trace, "-N", spec->without, spec->without_count, PROF_FILTER_WITHOUT, diag, filter->flags);
  if (status == PROF_OK)
    status = match(trace, "--caller", spec->callers, spec->caller_count, PROF_FILTER_CALLER, diag, filter->flags);
  if (status == PROF_OK)
    status = match_places(trace, "--file", spec->files, spec->file_count, false, diag, filter->flags);
  if (status == PROF_OK)
    status = match_places(trace, "--module", spec->modules, spec->module_count, true, diag, filter->flags);
  if (status == PROF_OK)
    status = match_zones(trace, spec, diag, filter->flags);
  if (status == PROF_OK)
    status = choose_threads(filter, trace, spec, diag);
  if (status != PROF_OK)
    prof_filter_fini(filter);
  return status;
}

static uint64_t ticks_at(const prof_trace *trace, uint64_t ns) {
  uint64_t start = prof_trace_info(trace)->start_ticks, ticks = prof_trace_ticks(trace, ns);
  return ticks < UINT64_MAX - start ? start + ticks : UINT64_MAX;
}

struct prof_filter prof_filter_within(const struct prof_filter *filter, const prof_trace *trace, uint64_t begin_ns,
                                      uint64_t end_ns) {
  struct prof_filter within = *filter;
  uint64_t begin = begin_ns ? ticks_at(trace, begin_ns) : 0,
           end = end_ns == UINT64_MAX ? UINT64_MAX : ticks_at(trace, end_ns);
  within.begin_ticks = begin > filter->begin_ticks ? begin : filter->begin_ticks;
  within.end_ticks = end < filter->end_ticks ? end : filter->end_ticks;
  within.asked = filter->asked || begin_ns > 0 || end_ns != UINT64_MAX;
  within.active = filter->active || within.begin_ticks > 0 || within.end_ticks != UINT64_MAX;
  return within;
}

void prof_filter_fini(struct prof_filter *filter) {
  free(filter->flags);
  free(filter->threads);
  memset(filter, 0, sizeof *filter);
}

/* Whether an older recording stands where `prof record` moves it: DIR.old, of the one in DIR/trace. */
static bool has_older(const char *path, char *older, size_t older_bytes) {
  const char *slash = strrchr(path, '/');
  char trace[sizeof((struct prof_diag *)NULL)->file + 16];
  int length = slash ? (int)(slash - path) : 0;
  if (!slash || snprintf(older, older_bytes, "%.*s.old", length, path) >= (int)older_bytes)
    return false;
  return snprintf(trace, sizeof trace, "%s/trace", older) < (int)sizeof trace && access(trace, R_OK) == 0;
}

/* "-N --range": the filters in force. */
static const char *filters_text(const prof_trace *trace, const struct prof_filter *filter, size_t thread_count,
                                char *out, size_t out_bytes) {
  static const struct prof_part whole = {.end_ticks = UINT64_MAX};
  const struct prof_part *part = prof_trace_part(trace) ?: &whole;
  bool some_threads = false;
  for (size_t i = 0; i < thread_count; i++)
    some_threads |= !filter->threads[i] && !thread_of(trace, (uint32_t)i)->hidden;
  const struct {
    const char *flag;
    bool is_set;
  } flags[] = {
      {"-F", filter->wants & PROF_FILTER_ONLY},
      {"--under", filter->wants & PROF_FILTER_UNDER},
      {"-N", filter->by_name},
      {"--file --module", filter->by_place},
      {"--caller", filter->by_caller},
      {"-t", filter->min_ticks > 0},
      {"-D", filter->depth > 0},
      {"--tid --pid --command", some_threads},
      {"--range", filter->begin_ticks > part->begin_ticks || filter->end_ticks < part->end_ticks},
  };
  size_t used = 0;
  for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
    if (flags[i].is_set)
      used += (size_t)snprintf(out + used, out_bytes - used, "%s%s", used ? " " : "", flags[i].flag);
  return out;
}

/* Do -N, --file and --module hide every function? */
static bool hides_all(const prof_trace *trace, const struct prof_filter *filter) {
  size_t count, shown = 0;
  prof_trace_functions(trace, &count);
  for (size_t i = 0; i < count; i++)
    shown += !(filter->flags[i] & (PROF_FILTER_WITHOUT | PROF_FILTER_ELSEWHERE));
  return count > 0 && shown == 0;
}

/* What to do about a recording without calls, and without an older one to look at instead. */
static const char *no_calls_remedy(const prof_trace *trace) {
  size_t count, thread_count;
  const struct prof_thread_info *threads = prof_trace_threads(trace, &thread_count);
  for (size_t i = 0; i < thread_count; i++)
    if (threads[i].left_out > 0)
      return "no call passed the filters of the recording; `prof info` shows its options";
  prof_trace_functions(trace, &count);
  return count > 0 ? "no instrumented function was called meanwhile; " PROF_FILTER_OPEN_CALLS
                   : "was the program compiled with the plugin? `prof info` says what was recorded";
}

prof_status prof_filter_empty(const prof_trace *trace, const struct prof_filter *filter, struct prof_diag *diag) {
  bool narrowed = filter && filter->asked;
  const char *path = prof_trace_info(trace)->path;
  char older[128], remedy[256];
  if (narrowed && hides_all(trace, filter))
    return prof_diag_fill(diag, PROF_EMPTY, path, PROF_NO_OFFSET, "give -N fewer names: it matches every function",
                          "-N hides all functions of this recording");
  if (narrowed) {
    char flags[80];
    size_t thread_count;
    prof_trace_threads(trace, &thread_count);
    snprintf(remedy, sizeof remedy, "drop or widen: %s",
             filters_text(trace, filter, thread_count, flags, sizeof flags));
    return prof_diag_fill(diag, PROF_EMPTY, path, PROF_NO_OFFSET, remedy,
                          "no call of this recording passes the filters");
  }
  if (has_older(path, older, sizeof older))
    snprintf(remedy, sizeof remedy, "the recording before it: -i %s", older);
  else
    snprintf(remedy, sizeof remedy, "%s", no_calls_remedy(trace));
  return prof_diag_fill(diag, PROF_EMPTY, path, PROF_NO_OFFSET, remedy, "the recording holds no calls");
}
