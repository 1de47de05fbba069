/*
 * tools/command/sections.c - see sections.h.
 */
#include "sections.h"

#include <stdlib.h>

#include "base/diag.h"
#include "cover_lines.h"
#include "export/unfinished.h"
#include "view/units.h"

#define MOST_SECTIONS 10 /* in a table, unless -n 0 */

/* Limits the part's filter to threads of the group. */
static void choose_threads(const struct prof_reader *reader, uint32_t group, struct prof_reader *part) {
  size_t thread_count;
  prof_trace_threads(reader->recording.trace, &thread_count);
  part->recording.filter.active = true;
  for (size_t i = 0; i < thread_count; i++)
    part->recording.filter.threads[i] =
        reader->recording.filter.threads[i] && reader->recording.groups.of_thread[i] == group;
}

static uint32_t group_of(const struct prof_process_groups *groups, const struct prof_function_row *row) {
  uint32_t group = 0;
  while (group + 1 < groups->count && groups->items[group].process != row->index)
    group++;
  return group;
}

struct sections {
  const struct prof_ranked *ranked;
  const struct prof_reader *reader;
  prof_section_show *show;
  const void *context;
  struct prof_function_rows rows;
  struct prof_reader part;
  struct prof_json json;
};

/* PROF_EMPTY: no section has rows; *diag is the last one's. */
static prof_status show_rows(struct sections *sections, const struct prof_output *output, struct prof_diag *diag) {
  const struct prof_ranked *ranked = sections->ranked;
  bool is_table = prof_ranked_is_table(ranked), has_limit = is_table && !(ranked->has_count && ranked->count == 0);
  size_t shown = 0, i = 0;
  for (; i < sections->rows.count && !(has_limit && shown == MOST_SECTIONS); i++) {
    const struct prof_function_row *row = &sections->rows.rows[i];
    uint32_t group = group_of(&sections->reader->recording.groups, row);
    const struct prof_section section = {.row = row,
                                         .title = sections->reader->recording.groups.items[group].title,
                                         .time = sections->reader->recording.time,
                                         .by_command = sections->reader->recording.groups.by_command,
                                         .first = shown == 0,
                                         .json = ranked->common.format == PROF_FORMAT_JSON ? &sections->json : NULL};
    choose_threads(sections->reader, group, &sections->part);
    prof_status status = sections->show(sections->context, &sections->part, &section, output, diag);
    if (status != PROF_OK && status != PROF_EMPTY)
      return status;
    shown += status == PROF_OK;
  }
  if (i < sections->rows.count) {
    char number[PROF_UNITS_BYTES];
    const char *word = sections->reader->recording.groups.by_command ? "command" : "process";
    size_t left = sections->rows.count - i;
    fprintf(output->file, "\n... and %s more %s%s: -n 0 shows all\n", prof_units_count(number, left), word,
            left == 1                                       ? ""
            : sections->reader->recording.groups.by_command ? "s"
                                                            : "es");
  }
  return shown ? PROF_OK : PROF_EMPTY;
}

static prof_status show_document(struct sections *sections, const struct prof_profile *profile, int *result,
                                 struct prof_diag *diag) {
  struct prof_output output;
  struct prof_cover cover;
  prof_cover_of(profile, sections->reader->recording.time, &cover);
  prof_output_begin(&output, &sections->ranked->common);
  prof_reader_warn(sections->reader, &output);
  if (prof_ranked_is_table(sections->ranked))
    prof_cover_lines(&cover, &output);
  if (sections->ranked->common.format == PROF_FORMAT_JSON) {
    prof_unfinished_begin(&sections->json, output.file, 3, sections->reader->recording.trace);
    prof_json_array(&sections->json, sections->reader->recording.groups.by_command ? "commands" : "processes");
  }
  prof_status status = show_rows(sections, &output, diag);
  if (sections->ranked->common.format == PROF_FORMAT_JSON) {
    prof_json_array_end(&sections->json);
    prof_cover_json(&cover, &sections->json, "cover");
    prof_json_object_end(&sections->json);
    status = status == PROF_EMPTY ? PROF_OK : status; /* the empty list shows it */
  }
  *result = prof_output_end(&output);
  return status;
}

prof_status prof_sections_show(const struct prof_ranked *ranked, const struct prof_reader *reader,
                               prof_section_show *show, const void *context, int *result, struct prof_diag *diag) {
  struct sections sections = {.ranked = ranked, .reader = reader, .show = show, .context = context, .part = *reader};
  struct prof_profile *profile = NULL;
  size_t thread_count;
  prof_trace_threads(reader->recording.trace, &thread_count);
  sections.part.recording.filter.threads = calloc(thread_count + 1, 1);
  prof_status status =
      sections.part.recording.filter.threads ? prof_reader_fold(reader, &profile, diag) : prof_diag_memory(diag);
  if (status == PROF_OK)
    status = prof_functions_rank(profile, NULL, reader->recording.names,
                                 reader->recording.groups.by_command ? PROF_BY_COMMAND : PROF_BY_PROCESS,
                                 reader->recording.time, PROF_SORT_SELF, diag, &sections.rows);
  if (status == PROF_OK)
    status = show_document(&sections, profile, result, diag);
  free(sections.part.recording.filter.threads);
  prof_functions_free(&sections.rows);
  prof_profile_free(profile);
  return status;
}
