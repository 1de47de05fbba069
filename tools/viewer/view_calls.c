/*
 * tools/viewer/view_calls.c - see view_calls.h.
 */
#include "viewer/view_calls.h"

#include "analysis/arguments.h"
#include "analysis/call_values.h"
#include "viewer/columns.h"

#define AT(member) offsetof(struct prof_frame_name, figures.member)
static const struct prof_column_row columns[] = {
    {"count", PROF_COLUMN_U64, AT(count), PROF_COLUMN_ALWAYS},
    {"total_ns", PROF_COLUMN_U64, AT(total_ns), PROF_COLUMN_ALWAYS},
    {"avg_ns", PROF_COLUMN_U64, AT(avg_ns), PROF_COLUMN_ALWAYS},
    {"min_ns", PROF_COLUMN_U64, AT(min_ns), PROF_COLUMN_ALWAYS},
    {"p50_ns", PROF_COLUMN_U64, AT(p50_ns), PROF_COLUMN_ALWAYS},
    {"p95_ns", PROF_COLUMN_U64, AT(p95_ns), PROF_COLUMN_ALWAYS},
    {"p99_ns", PROF_COLUMN_U64, AT(p99_ns), PROF_COLUMN_ALWAYS},
    {"max_ns", PROF_COLUMN_U64, AT(max_ns), PROF_COLUMN_ALWAYS},
    {NULL, 0, 0, 0},
};
#undef AT

prof_status prof_view_calls_write(struct prof_view_frames *frames, struct prof_diag *diag, struct prof_json *json) {
  const struct prof_recording *recording = frames->recording;
  struct prof_argument_rows calls;
  if (!prof_call_values_any(recording->trace))
    return PROF_OK;
  prof_status status = prof_arguments_find(recording->trace, recording->names, &recording->filter, false, diag, &calls);
  if (status == PROF_EMPTY)
    return PROF_OK;
  if (status != PROF_OK)
    return status;
  size_t shown = calls.rows.count < PROF_VIEW_CALLS ? calls.rows.count : PROF_VIEW_CALLS;
  prof_json_array(json, "name");
  for (size_t i = 0; i < shown; i++)
    prof_view_text(frames, json, NULL, calls.rows.rows[i].name);
  prof_json_array_end(json);
  prof_columns_write(json, columns, calls.rows.rows, shown, sizeof *calls.rows.rows);
  prof_json_count(json, "all", calls.rows.count);
  prof_arguments_free(&calls);
  return PROF_OK;
}
