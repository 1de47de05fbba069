/*
 * tools/decide/baseline.c - see baseline.h.
 */
#include "decide/baseline.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/diag.h"
#include "base/order.h"
#include "base/plain_file.h"

#define MAGIC "prof baseline "
#define VERSION 1
#define MOST_FIELDS 16
#define MOST_BYTES ((off_t)64 << 20) /* of a file that is read */
#define MOST_RUNS 10000u
enum { FLAG_SWITCHES = 1, FLAG_BUDGET = 2, FLAG_INCOMPLETE = 4, MEASURES_BIT = 3, MEASURES = 31, BUDGET_BIT = 8 };

struct prof_run *prof_run_group_add(struct prof_run_group *group) {
  struct prof_run *grown = realloc(group->runs, (group->count + 1) * sizeof *grown);
  if (!grown)
    return NULL;
  group->runs = grown;
  grown[group->count] = (struct prof_run){.path = "", .command = "", .machine = ""};
  return &grown[group->count++];
}

void prof_run_group_fini(struct prof_run_group *group) {
  for (size_t i = 0; i < group->count; i++)
    prof_run_fini(&group->runs[i]);
  free(group->runs);
  *group = (struct prof_run_group){0};
}

/* ---- writing ---- */

static void put_text(FILE *file, const char *text) {
  fputc('\t', file);
  for (const char *c = text; *c; c++)
    if (*c == '\t' || *c == '\n' || *c == '\\')
      fprintf(file, "\\%c", *c == '\t' ? 't' : *c == '\n' ? 'n' : '\\');
    else
      fputc(*c, file);
}

static void put_run(FILE *file, const struct prof_run *run) {
  const int flags = (run->has_switches ? FLAG_SWITCHES : 0) | (run->has_budget ? FLAG_BUDGET : 0) |
                    (run->incomplete ? FLAG_INCOMPLETE : 0) | (int)(run->measures << MEASURES_BIT) |
                    (int)(run->budget_permille << BUDGET_BIT);
  fprintf(file, "run");
  const uint64_t numbers[] = {run->begin_ns, run->wall_ns, run->cpu_ns,     run->overhead_ns,
                              run->raw_ns,   run->self_ns, run->waiting_ns, run->peak_bytes};
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
    fprintf(file, "\t%" PRIu64, numbers[i]);
  fprintf(file, "\t%.6g\t%.6g\t%d", run->overhead_doubt, run->clock_step_ns, flags);
  put_text(file, run->command);
  put_text(file, run->machine);
  if (run->measures & PROF_RUN_HAS_MEMORY)
    fprintf(file, "\t%" PRIu64 "\t%" PRIu64, run->allocations, run->allocated_bytes);
  fputc('\n', file);
}

static void put_memory(FILE *file, size_t run, const struct prof_run_row *row) {
  fprintf(file, "in\t%zu\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64 "\n", run, row->calls, row->bytes, row->peak_bytes);
}

static void put_row(FILE *file, const struct prof_run_group *group, const struct prof_run_row *row) {
  fprintf(file, "row\t%s\t%u", prof_run_kind_words[row->kind], row->line);
  put_text(file, row->name);
  put_text(file, row->file);
  put_text(file, row->caller);
  fputc('\n', file);
  for (size_t i = 0; i < group->count; i++) {
    const uint32_t at = prof_run_find(&group->runs[i], row);
    if (at == UINT32_MAX)
      continue;
    const struct prof_run_row *of = &group->runs[i].rows.items[at];
    if (prof_run_is_memory(row->kind)) {
      put_memory(file, i, of);
      continue;
    }
    const uint64_t first[] = {of->calls, of->raw_ns, of->self_ns, of->waiting_ns, of->preempted_ns, of->events};
    const uint64_t last[] = {of->total_ns, of->p50_ns, of->p95_ns, of->p99_ns, of->max_ns};
    fprintf(file, "in\t%zu", i);
    for (size_t j = 0; j < sizeof first / sizeof *first; j++)
      fprintf(file, "\t%" PRIu64, first[j]);
    fprintf(file, "\t%.6g\t%.4g", of->median_ns, of->noise);
    for (size_t j = 0; j < sizeof last / sizeof *last; j++)
      fprintf(file, "\t%" PRIu64, last[j]);
    fputc('\n', file);
  }
}

struct sums { /* of all rows; of memory by lines, too, which are other rows of the same */
  double ns, calls, bytes, peak_bytes;
};

static void sum_up(struct sums *sums, const struct prof_run_row *row) {
  const bool memory = prof_run_is_memory(row->kind);
  sums->ns += (double)(row->raw_ns + row->waiting_ns);
  sums->calls += memory ? (double)row->calls : 0;
  sums->bytes += (double)row->bytes;
  sums->peak_bytes += (double)row->peak_bytes;
}

static double part(double of, double all) {
  return all > 0 ? of / all : 0;
}

/* Its part of the time, or the largest one of allocations. */
static double cost_of(const struct prof_run_row *row, const struct sums *sums) {
  if (!prof_run_is_memory(row->kind))
    return part((double)(row->raw_ns + row->waiting_ns), sums->ns);
  return fmax(fmax(part((double)row->calls, sums->calls), part((double)row->bytes, sums->bytes)),
              part((double)row->peak_bytes, sums->peak_bytes));
}

static int costly_first(const void *left, const void *right, void *context) {
  const struct prof_run_row *a = left, *b = right;
  return prof_order(cost_of(b, context), cost_of(a, context)) ?: strcmp(a->name, b->name);
}

/* All rows of the runs, each once, with its times summed; they belong to *all. */
static bool join_rows(const struct prof_run_group *group, struct prof_run *all) {
  for (size_t i = 0; i < group->count; i++)
    for (size_t j = 0; j < group->runs[i].rows.count; j++)
      if (!prof_run_add(all, &group->runs[i].rows.items[j]))
        return false;
  struct sums sums = {0};
  for (size_t i = 0; i < all->rows.count; i++)
    sum_up(&sums, &all->rows.items[i]);
  if (all->rows.count)
    qsort_r(all->rows.items, all->rows.count, sizeof *all->rows.items, costly_first, &sums);
  return true;
}

bool prof_baseline_write(FILE *file, const struct prof_run_group *group, size_t *omitted) {
  struct prof_run all = {0};
  char *text = NULL;
  size_t bytes = 0, used = 0, written = 0;
  FILE *rows = open_memstream(&text, &bytes);
  bool done = rows && join_rows(group, &all);
  for (size_t i = 0; done && i < group->count; i++)
    put_run(rows, &group->runs[i]);
  for (size_t i = 0; done && i < all.rows.count; i++) {
    put_row(rows, group, &all.rows.items[i]);
    done = fflush(rows) == 0;
    if (bytes > PROF_BASELINE_BYTES - 64)
      break;
    used = bytes;
    written++;
  }
  if (rows && fclose(rows))
    done = false;
  if (done) {
    *omitted = all.rows.count - written;
    fprintf(file, MAGIC "%d\nomitted\t%zu\n", VERSION, *omitted);
    fwrite(text, 1, used, file);
  }
  free(text);
  prof_run_fini(&all);
  return done;
}

/* ---- reading ---- */

struct reading {
  const char *path;
  size_t line, first; /* first: the group's runs that were there before */
  struct prof_run_row row;
  bool has_row;
  struct prof_run_group *group;
  struct prof_diag *diag;
};

static prof_status corrupt(const struct reading *reading, const char *what) {
  return prof_diag_fill(reading->diag, PROF_CORRUPT, reading->path, PROF_NO_OFFSET,
                        "save it anew with: prof baseline save", "line %zu of the baseline: %s", reading->line, what);
}

/* Splits a line at its tabs, in place, and resolves escapes. */
static size_t split(char *line, char *fields[MOST_FIELDS]) {
  size_t count = 0;
  for (char *at = line; at && count < MOST_FIELDS;) {
    char *tab = strchr(at, '\t'), *to = at;
    if (tab)
      *tab = 0;
    fields[count++] = at;
    for (const char *from = at; *from; from++)
      if (*from == '\\' && from[1])
        from++, *to++ = *from == 't' ? '\t' : *from == 'n' ? '\n' : *from;
      else
        *to++ = *from;
    *to = 0;
    at = tab ? tab + 1 : NULL;
  }
  return count;
}

/* false: one of them is no number. */
static bool take_counts(char *const *fields, uint64_t *const *out, size_t count) {
  for (size_t i = 0; i < count; i++) {
    char *end;
    errno = 0;
    *out[i] = strtoull(fields[i], &end, 10);
    if (*end || end == fields[i] || fields[i][0] == '-' || errno)
      return false;
  }
  return true;
}

static bool take_number(const char *field, double *out) {
  char *end;
  *out = strtod(field, &end);
  return !*end && end != field && *out >= 0 && *out < 1e300;
}

static prof_status take_run(struct reading *reading, char *const *fields, size_t count) {
  uint64_t flags = 0;
  struct prof_run *run = reading->group->count - reading->first < MOST_RUNS ? prof_run_group_add(reading->group) : NULL;
  if (!run)
    return prof_diag_memory(reading->diag);
  uint64_t *const counts[] = {&run->begin_ns, &run->wall_ns, &run->cpu_ns,     &run->overhead_ns,
                              &run->raw_ns,   &run->self_ns, &run->waiting_ns, &run->peak_bytes};
  uint64_t *const last[] = {&flags};
  uint64_t *const memory[] = {&run->allocations, &run->allocated_bytes};
  if ((count != 14 && count != 16) || !take_counts(fields + 1, counts, 8) ||
      !take_number(fields[9], &run->overhead_doubt) || !take_number(fields[10], &run->clock_step_ns) ||
      !take_counts(fields + 11, last, 1) || (count == 16 && !take_counts(fields + 14, memory, 2)))
    return corrupt(reading, "a run has wrong fields");
  run->has_switches = flags & FLAG_SWITCHES;
  run->has_budget = flags & FLAG_BUDGET;
  run->incomplete = flags & FLAG_INCOMPLETE;
  run->measures = (unsigned)(flags >> MEASURES_BIT) & MEASURES;
  run->budget_permille = (unsigned)(flags >> BUDGET_BIT) & 0xffff;
  run->path = prof_arena_copy(&run->texts, reading->path, strlen(reading->path));
  run->command = prof_arena_copy(&run->texts, fields[12], strlen(fields[12]));
  run->machine = prof_arena_copy(&run->texts, fields[13], strlen(fields[13]));
  return run->path && run->command && run->machine ? PROF_OK : prof_diag_memory(reading->diag);
}

/* The fields live until the next row: see `kept` below. */
static prof_status take_row(struct reading *reading, char *const *fields, size_t count) {
  uint64_t line = 0;
  uint64_t *const out[] = {&line};
  int kind = 0;
  if (count != 6 || !take_counts(fields + 2, out, 1) || !fields[3][0])
    return corrupt(reading, "a row has wrong fields");
  while (prof_run_kind_words[kind] && strcmp(prof_run_kind_words[kind], fields[1]) != 0)
    kind++;
  if (!prof_run_kind_words[kind])
    return corrupt(reading, "a row has an unknown kind");
  reading->row = (struct prof_run_row){.kind = (enum prof_run_kind)kind,
                                       .line = (uint32_t)line,
                                       .name = fields[3],
                                       .file = fields[4],
                                       .caller = fields[5]};
  reading->has_row = true;
  return PROF_OK;
}

static prof_status take_figures(struct reading *reading, char *const *fields, size_t count) {
  struct prof_run_row row = reading->row;
  uint64_t run = 0;
  uint64_t *const first[] = {&run,       &row.calls, &row.raw_ns, &row.self_ns, &row.waiting_ns, &row.preempted_ns,
                             &row.events};
  uint64_t *const last[] = {&row.total_ns, &row.p50_ns, &row.p95_ns, &row.p99_ns, &row.max_ns};
  if (!reading->has_row || count != 15 || !take_counts(fields + 1, first, 7) ||
      !take_number(fields[8], &row.median_ns) || !take_number(fields[9], &row.noise) ||
      !take_counts(fields + 10, last, 5) || run >= reading->group->count - reading->first)
    return corrupt(reading, "figures of a row are wrong");
  return prof_run_add(&reading->group->runs[reading->first + run], &row) ? PROF_OK : prof_diag_memory(reading->diag);
}

static prof_status take_allocations(struct reading *reading, char *const *fields, size_t count) {
  struct prof_run_row row = reading->row;
  uint64_t run = 0;
  uint64_t *const out[] = {&run, &row.calls, &row.bytes, &row.peak_bytes};
  if (count != 5 || !take_counts(fields + 1, out, 4) || run >= reading->group->count - reading->first)
    return corrupt(reading, "allocations of a row are wrong");
  return prof_run_add(&reading->group->runs[reading->first + run], &row) ? PROF_OK : prof_diag_memory(reading->diag);
}

static prof_status take_line(struct reading *reading, char *line, char **kept) {
  char *fields[MOST_FIELDS];
  if (!strncmp(line, "row\t", 4)) { /* its texts are needed by the lines that follow */
    free(*kept);
    *kept = strdup(line);
    if (!*kept)
      return prof_diag_memory(reading->diag);
    return take_row(reading, fields, split(*kept, fields));
  }
  const size_t count = split(line, fields);
  if (reading->has_row && !strcmp(fields[0], "in") && prof_run_is_memory(reading->row.kind))
    return take_allocations(reading, fields, count);
  return !strcmp(fields[0], "in")        ? take_figures(reading, fields, count)
         : !strcmp(fields[0], "run")     ? take_run(reading, fields, count)
         : !strcmp(fields[0], "omitted") ? PROF_OK
                                         : corrupt(reading, "it begins with an unknown word");
}

static FILE *open_file(const char *path) {
  struct stat facts;
  const int descriptor = prof_plain_file_open(path, &facts);
  FILE *file = descriptor < 0 ? NULL : fdopen(descriptor, "r");
  if (descriptor >= 0 && (!file || facts.st_size > MOST_BYTES)) {
    if (file)
      fclose(file);
    else
      close(descriptor);
    errno = EFBIG;
    return NULL;
  }
  return file;
}

bool prof_baseline_is(const char *path) {
  char begin[sizeof MAGIC] = "";
  FILE *file = open_file(path);
  if (!file)
    return false;
  const bool is = fread(begin, 1, sizeof begin - 1, file) == sizeof begin - 1 && !strcmp(begin, MAGIC);
  fclose(file);
  return is;
}

prof_status prof_baseline_read(const char *path, struct prof_diag *diag, struct prof_run_group *group) {
  struct reading reading = {.path = path, .first = group->count, .group = group, .diag = diag};
  char *line = NULL, *kept = NULL;
  size_t room = 0;
  prof_status status = PROF_OK;
  FILE *file = open_file(path);
  if (!file)
    return prof_diag_system(diag, errno, path, "can't open the baseline", "make one with: prof baseline save NAME");
  for (ssize_t bytes; status == PROF_OK && (bytes = getline(&line, &room, file)) > 0;) {
    line[bytes - 1] = line[bytes - 1] == '\n' ? 0 : line[bytes - 1];
    if (reading.line++ == 0)
      status = strncmp(line, MAGIC, strlen(MAGIC)) ? corrupt(&reading, "it is no baseline")
               : atoi(line + strlen(MAGIC)) != VERSION
                   ? prof_diag_fill(diag, PROF_UNSUPPORTED, path, PROF_NO_OFFSET, "save it anew",
                                    "the baseline is of another version of prof")
                   : PROF_OK;
    else
      status = take_line(&reading, line, &kept);
  }
  if (status == PROF_OK && group->count == reading.first)
    status = corrupt(&reading, "it has no runs");
  free(line);
  free(kept);
  fclose(file);
  return status;
}
