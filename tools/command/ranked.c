/*
 * tools/command/ranked.c - see ranked.h.
 */
#include "ranked.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/diag.h"
#include "cover_lines.h"
#include "export/unfinished.h"
#include "view/units.h"
#include "view/width.h"

uint64_t prof_ranked_limit(const struct prof_ranked *ranked, size_t in_table) {
  return ranked->has_count ? ranked->count : prof_ranked_is_table(ranked) ? in_table : 0;
}

size_t prof_ranked_count(const struct prof_ranked *ranked, size_t in_table, size_t rows) {
  uint64_t limit = prof_ranked_limit(ranked, in_table);
  return limit && limit < rows ? (size_t)limit : rows;
}

/* Prints the title of a part, or begins its JSON object. */
static void begin_section(const struct prof_section *section, const struct prof_output *output) {
  const struct prof_function_row *row = section->row;
  char time[PROF_UNITS_BYTES], share[PROF_UNITS_BYTES], count[PROF_UNITS_BYTES], line[700], more[64] = "";
  if (section->json) {
    prof_json_object(section->json, NULL);
    prof_json_text(section->json, "name", row->name);
    if (section->by_command)
      prof_json_count(section->json, "processes", row->processes);
    else
      prof_json_count(section->json, "pid", row->pid);
    prof_json_text(section->json, "program", row->program);
    prof_json_count(section->json, "self_ns", row->self_ns);
    prof_json_number(section->json, "self_share", row->self_share);
    return;
  }
  char *title = prof_text_escaped(section->title);
  if (section->by_command)
    snprintf(more, sizeof more, ", %s process%s", prof_units_count(count, row->processes),
             row->processes == 1 ? "" : "es");
  snprintf(line, sizeof line, "%.500s: %s %s (%s)%s", title ? title : "", prof_units_duration(time, row->self_ns),
           prof_time_words[section->time], prof_units_share(share, row->self_share), more);
  free(title);
  fputs(section->first ? "" : "\n", output->file);
  prof_output_line(output, line);
}

static void section_csv(const struct prof_section *section, const struct prof_table *table, FILE *file) {
  char pid[16];
  snprintf(pid, sizeof pid, "%" PRIu32, section->row->pid);
  const struct prof_table_lead leads[] = {{section->by_command ? "command" : "process", section->row->name},
                                          {"pid", pid}};
  prof_table_csv_after(table, file, leads, section->by_command ? 1 : 2, section->first);
}

static bool show_json(const struct prof_table *table, const struct prof_ranked_view *view, FILE *file) {
  struct prof_json whole, *json = view->section ? view->section->json : &whole;
  if (view->section) {
    begin_section(view->section, NULL);
  } else {
    prof_unfinished_begin(json, file, 2, view->trace);
  }
  if (view->says_corrected)
    prof_json_bool(json, "corrected", prof_cover_is_corrected(view->cover));
  prof_table_json(table, json, view->key);
  bool good = !view->members || view->members(view->context, json);
  prof_cover_json(view->cover, json, "cover");
  prof_json_object_end(json);
  return good;
}

prof_status prof_ranked_show(const struct prof_ranked *ranked, struct prof_table *table,
                             const struct prof_ranked_view *view, const struct prof_output *output,
                             struct prof_diag *diag) {
  bool good = table && !prof_table_failed(table);
  if (!good) {
    prof_table_free(table);
    return prof_diag_memory(diag);
  }
  if (prof_ranked_is_table(ranked)) {
    if (view->section)
      begin_section(view->section, output);
    else if (view->above)
      view->above(view->context, output);
    else
      prof_cover_lines(view->cover, output);
    prof_table_print(table, output->file, &output->style);
    if (view->hidden)
      fprintf(output->file, "... and %zu more %s%s: -n 0 shows all\n", view->hidden,
              view->rows && view->hidden > 1 ? view->rows : view->row, view->rows || view->hidden == 1 ? "" : "s");
    if (view->below)
      view->below(view->context, output);
  } else if (ranked->common.format == PROF_FORMAT_JSON) {
    good = show_json(table, view, output->file);
  } else if (view->section) {
    section_csv(view->section, table, output->file);
  } else {
    prof_table_csv(table, output->file);
  }
  prof_table_free(table);
  return good ? PROF_OK : prof_diag_memory(diag);
}
