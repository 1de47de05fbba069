/*
 * line_times.c - slots for the lines of a module with lines=time (wire/times.h).
 *
 * In: rows of kind PROF_PROBE_LINE, each with its PROF_PROBE_PLACE behind it.  Out: a COUNTS record in the log that
 * holds a slot for each, its place, and the texts.  Runs at attach, under the lock; the recorder reads the slots while
 * programs add to them.
 */
#include <string.h>

#include "arch.h"
#include "calibrate.h"
#include "counts_move.h"
#include "line_times.h"
#include "log.h"
#include "state.h"

/* The texts of a module: from the first to the end of the last. */
struct texts {
  const char *begin, *end;
};

static uint32_t kind_of(const struct prof_row *row) {
  return row->kind & PROF_ROW_KIND_MASK;
}

/* The text of a LINE; NULL: it has none within the module. */
static const char *text_of(const struct prof_attached_module *module, size_t row) {
  if (row + 1 >= module->row_count || kind_of(&module->rows[row]) != PROF_PROBE_LINE ||
      kind_of(&module->rows[row + 1]) != PROF_PROBE_PLACE)
    return NULL;
  const char *text = (const char *)prof_row_sled(&module->rows[row + 1]), *end = (const char *)module->end;
  return text >= (const char *)module->begin && text < end && memchr(text, 0, (size_t)(end - text)) ? text : NULL;
}

/* The conditions of trampolines_write, but for the slot. */
bool prof_times_is_line(const struct prof_attached_module *module, size_t row) {
  const uint8_t *sled = prof_row_sled(&module->rows[row]);
  return sled >= module->begin && sled + PROF_SLED_BYTES <= module->end && prof_sled_is_plain(sled) &&
         text_of(module, row) != NULL;
}

static uint32_t lines_find(const struct prof_attached_module *module, struct texts *texts) {
  uint32_t count = 0;
  for (size_t i = 0; i < module->row_count; i++) {
    if (kind_of(&module->rows[i]) != PROF_PROBE_LINE || !prof_times_is_line(module, i))
      continue;
    const char *text = text_of(module, i), *end = text + strlen(text) + 1;
    texts->begin = count == 0 || text < texts->begin ? text : texts->begin;
    texts->end = count == 0 || end > texts->end ? end : texts->end;
    count++;
  }
  return count;
}

static void places_write(const struct prof_attached_module *module, const char *texts, struct prof_times_place *place) {
  for (size_t i = 0; i < module->row_count; i++)
    if (kind_of(&module->rows[i]) == PROF_PROBE_LINE && prof_times_is_line(module, i))
      *place++ = (struct prof_times_place){
          .line = module->rows[i + 1].kind >> PROF_ROW_PLACE_LINE_SHIFT,
          .kind = module->rows[i].kind,
          .text = (uint32_t)(text_of(module, i) - texts),
          .site = module->first_site + (uint32_t)i,
      };
}

struct prof_times_slot *prof_times_attach(const struct prof_attached_module *module) {
  static struct prof_calibrated_cost cost; /* of this image; found when the first module needs it */
  struct texts texts = {NULL, NULL};
  uint32_t count = lines_find(module, &texts);
  if (count == 0)
    return NULL;
  if (cost.alone == 0) /* before there is a record that waits for it */
    cost = prof_calibrate_line();
  uint64_t text_bytes = (uint64_t)(texts.end - texts.begin);
  uint64_t bytes = sizeof(struct prof_times_object) +
                   count * (uint64_t)(sizeof(struct prof_times_slot) + sizeof(struct prof_times_place)) + text_bytes;
  struct prof_log_counts *record = text_bytes <= UINT32_MAX ? prof_counts_record_new(module, bytes) : NULL;
  if (!record) {
    prof_log_error("lines of a module are not timed: it has too many for a recording");
    return NULL;
  }
  struct prof_times_object *object = (struct prof_times_object *)(record + 1);
  struct prof_times_slot *slots = (struct prof_times_slot *)(object + 1);
  struct prof_times_place *places = (struct prof_times_place *)(slots + count);
  *object = (struct prof_times_object){
      .magic = PROF_TIMES_MAGIC,
      .slot_count = count,
      .text_bytes = (uint32_t)text_bytes,
      .cost_ticks_x1000 = cost.alone,
      .among_cost_ticks_x1000 = cost.among,
  };
  places_write(module, texts.begin, places);
  memcpy(places + count, texts.begin, text_bytes);
  prof_counts_record_publish(record);
  return slots;
}
