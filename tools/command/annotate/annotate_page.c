/*
 * tools/command/annotate/annotate_page.c - see annotate_page.h.
 */
#include "annotate_page.h"

#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "view/units.h"

static const char *text_of(void *context, uint32_t line, size_t *bytes) {
  return prof_source_text_line(context, line, bytes);
}

/* Keeps only lines with a cost, for a page without source. */
static void keep_costly(struct prof_annotated *annotated) {
  uint32_t kept = 0;
  for (uint32_t i = 0; i < annotated->count; i++)
    if (annotated->lines[i].costs)
      annotated->lines[kept++] = annotated->lines[i];
  annotated->count = kept;
}

static void write_title(const struct prof_annotate_figures *of, const struct prof_annotate_target *target,
                        uint32_t last, char *out, size_t size) {
  char function[512], file[1024];
  const char *path = prof_shown_path(of->reader->recording.paths, target->file);
  prof_text_escape(file, sizeof file, path, strlen(path));
  prof_text_escape(function, sizeof function, target->function ? target->function : "",
                   target->function ? strlen(target->function) : 0);
  snprintf(out, size, "%s%s%s:%u-%u", function, function[0] ? "  " : "", file, target->first, last);
}

/* The last line to show. */
static uint32_t last_line(const struct prof_annotate_figures *of, const struct prof_annotate_target *target,
                          const struct prof_source_text *source) {
  uint32_t first, last = target->last;
  if (last == 0 && source->bytes)
    last = source->line_count;
  else if (last == 0)
    last = prof_annotate_extent(of->rows, target->file, &first);
  if (!target->function && source->bytes && last > source->line_count)
    last = source->line_count;
  return last < target->first ? target->first : last;
}

/* Reads the source, and the figures of its lines. */
static prof_status read(const struct prof_annotate_figures *of, const struct prof_annotate_target *target,
                        bool assembly, struct prof_diag *diag, struct prof_annotate_made *made) {
  int64_t built = prof_symbols_built(of->symbols, target->module);
  prof_status status = prof_source_text_read(of->symbols, target->file, built, diag, &made->source);
  if (status == PROF_OK)
    status = prof_annotate_select(of->rows, target->file, target->first, last_line(of, target, &made->source), diag,
                                  &made->annotated);
  if (status == PROF_OK)
    prof_annotate_loops(&made->annotated, of->loops, of->rows);
  if (status == PROF_OK && assembly)
    status = prof_annotate_code_read(target, of->profile, of->samples, of->symbols, diag, &made->code);
  return status;
}

uint32_t prof_annotate_counter_key(const struct prof_counter_columns *counters, const char *file, uint32_t line) {
  return counters->count ? prof_counter_line_key(&counters->sums, file, line, "") : PROF_NONE;
}

static const char *counter_text(const void *context, uint32_t line, size_t column, char out[PROF_UNITS_BYTES + 1]) {
  const struct prof_annotate_made *made = context;
  return prof_counter_text(made->counters, &made->counters->items[column],
                           prof_annotate_counter_key(made->counters, made->annotated.file, line), out);
}

static void add_counters(const struct prof_counter_columns *counters, struct prof_annotate_made *made) {
  struct prof_annotate_extra *extra = &made->page.extra;
  made->counters = counters;
  extra->text = counter_text;
  extra->context = made;
  for (size_t i = 0; counters && i < counters->count && extra->count < PROF_ANNOTATE_MOST_EXTRA; i++)
    extra->titles[extra->count++] = counters->items[i].column.title;
}

prof_status prof_annotate_page_make(const struct prof_annotate_figures *of, const struct prof_annotate_target *target,
                                    bool assembly, bool code_by_address, struct prof_diag *diag,
                                    struct prof_annotate_made *made) {
  uint32_t first;
  *made = (struct prof_annotate_made){0};
  prof_status status = read(of, target, assembly, diag, made);
  if (status != PROF_OK)
    return status;
  const struct prof_recording *recording = &of->reader->recording;
  made->beyond = made->source.bytes && prof_annotate_extent(of->rows, target->file, &first) > made->source.line_count;
  write_title(of, target, made->annotated.lines[made->annotated.count - 1].line, made->title, sizeof made->title);
  made->annotated.function = target->function;
  if (!made->source.bytes)
    keep_costly(&made->annotated);
  if (code_by_address)
    prof_annotate_code_by_address(&made->code);
  made->page = (struct prof_annotate_page){
      .annotated = &made->annotated,
      .title = made->title,
      .text = text_of,
      .context = &made->source,
      .instructions = made->code.list.items,
      .instruction_count = made->code.list.count,
      .has_budget = of->reader->recording.has_budget,
      .has_switches = recording->has_switches,
      .all_ns = (double)prof_trace_ns(recording->trace, prof_node_total(&of->profile->nodes[0], recording->time))};
  add_counters(of->counters, made);
  return PROF_OK;
}

void prof_annotate_page_fini(struct prof_annotate_made *made) {
  prof_annotate_code_fini(&made->code);
  prof_annotated_free(&made->annotated);
  prof_source_text_free(&made->source);
}

void prof_annotate_page_flaw(const struct prof_annotate_made *made, char out[PROF_ANNOTATE_FLAW_BYTES]) {
  const struct prof_source_text *source = &made->source;
  char path[1024];
  prof_text_escape(path, sizeof path, made->annotated.file, strlen(made->annotated.file));
  out[0] = 0;
  if (!source->bytes)
    snprintf(out, PROF_ANNOTATE_FLAW_BYTES, "prof: no source at %s; if it lies elsewhere: --path-map=OLD=NEW",
             source->tried);
  else if (made->beyond)
    snprintf(out, PROF_ANNOTATE_FLAW_BYTES, "prof: %s has changed since the program was built: it has %u lines only",
             path, source->line_count);
  else if (source->newer)
    snprintf(out, PROF_ANNOTATE_FLAW_BYTES, "prof: %s has changed since the program was built: lines may have moved",
             path);
}

/* Is `end` the path, or its last components? */
static bool is_file(const char *path, const char *end) {
  size_t length = strlen(path), bytes = strlen(end);
  return bytes <= length && strcmp(path + length - bytes, end) == 0 &&
         (bytes == length || path[length - bytes - 1] == '/');
}

void prof_annotate_page_wait(const struct prof_annotate_figures *of, const struct prof_annotate_target *target,
                             size_t *at, char out[PROF_ANNOTATE_FLAW_BYTES]) {
  char function[512], waiting[PROF_UNITS_BYTES];
  out[0] = 0;
  for (; target->function && *at < of->rows->count; ++*at) {
    const struct prof_line_row *row = &of->rows->rows[*at];
    if (row->line || !row->self.waiting || strcmp(row->function, target->function) != 0 ||
        !is_file(target->file, row->file))
      continue;
    prof_text_escape(function, sizeof function, target->function, strlen(target->function));
    snprintf(out, PROF_ANNOTATE_FLAW_BYTES, "%s itself waited %s; on which lines is not recorded", function,
             prof_units_duration(waiting, row->self.waiting));
    ++*at;
    return;
  }
}
