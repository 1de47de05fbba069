/*
 * tools/viewer/view_locks.c - see view_locks.h.
 */
#include "viewer/view_locks.h"

#include "analysis/measures/lock_waits.h"
#include "viewer/columns.h"

#define AT(member) offsetof(struct prof_lock_interval, member)
static const struct prof_column_row columns[] = {
    {"thread", PROF_COLUMN_U32, AT(thread), PROF_COLUMN_ALWAYS},
    {"begin_ns", PROF_COLUMN_U64, AT(begin_ns), PROF_COLUMN_ALWAYS},
    {"end_ns", PROF_COLUMN_U64, AT(end_ns), PROF_COLUMN_ALWAYS},
    {"lock", PROF_COLUMN_U32, AT(name), PROF_COLUMN_ALWAYS},
    {"holder", PROF_COLUMN_INDEX, AT(holder), PROF_COLUMN_ALWAYS},
    {"released_ns", PROF_COLUMN_U64, AT(released_ns), AT(has_release)},
    {NULL, 0, 0, 0},
};
#undef AT

static void write_waits(const struct prof_lock_waits *waits, struct prof_view_frames *frames, struct prof_json *json) {
  prof_columns_write(json, columns, waits->items.items, waits->items.count, sizeof *waits->items.items);
  prof_json_array(json, "holder_frame");
  for (size_t i = 0; i < waits->items.count; i++) {
    const uint32_t function = waits->items.items[i].holder_function;
    if (function == PROF_NONE)
      prof_columns_minus(json);
    else
      prof_json_count(json, NULL, prof_view_frame(frames, function));
  }
  prof_json_array_end(json);
  prof_json_array(json, "names");
  for (size_t i = 0; i < waits->names.count; i++)
    prof_view_text(frames, json, NULL, waits->names.items[i]);
  prof_json_array_end(json);
}

prof_status prof_view_locks_write(struct prof_view_frames *frames, struct prof_symbols *symbols, size_t most,
                                  struct prof_diag *diag, struct prof_json *json, uint64_t *left_out) {
  const struct prof_recording *recording = frames->recording;
  struct prof_lock_waits waits;
  prof_status status =
      prof_lock_waits_find(recording->trace, &recording->filter, recording->names, symbols, most, diag, &waits);
  if (status == PROF_OK && waits.items.count > 0)
    write_waits(&waits, frames, json);
  *left_out = waits.all > waits.items.count ? waits.all - waits.items.count : 0;
  prof_lock_waits_fini(&waits);
  return status;
}
