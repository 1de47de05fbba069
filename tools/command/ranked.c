/*
 * tools/command/ranked.c - see ranked.h.
 */
#include "ranked.h"

#include <stdio.h>

#include "base/diag.h"
#include "base/json.h"
#include "cover_lines.h"
#include "export/unfinished.h"
#include "sections.h"

uint64_t prof_ranked_limit(const struct prof_ranked *ranked, size_t in_table) {
  return ranked->has_count ? ranked->count : prof_ranked_is_table(ranked) ? in_table : 0;
}

size_t prof_ranked_count(const struct prof_ranked *ranked, size_t in_table, size_t rows) {
  uint64_t limit = prof_ranked_limit(ranked, in_table);
  return limit && limit < rows ? (size_t)limit : rows;
}

static bool show_json(const struct prof_table *table, const struct prof_ranked_view *view, FILE *file) {
  struct prof_json whole, *json = view->section ? view->section->json : &whole;
  if (view->section) {
    prof_section_begin(view->section, NULL);
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
      prof_section_begin(view->section, output);
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
    prof_section_csv(view->section, table, output->file);
  } else {
    prof_table_csv(table, output->file);
  }
  prof_table_free(table);
  return good ? PROF_OK : prof_diag_memory(diag);
}
