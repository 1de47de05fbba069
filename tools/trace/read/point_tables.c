/*
 * tools/trace/read/point_tables.c - takes POINTS and NAMED chunks into a trace.
 *
 * As in loop_tables.c: a payload is taken as a whole or not at all.
 */
#include "trace.h"
#include "trace/bytes.h"

#define POINT_LEAST_BYTES 20
#define SITE_BYTES 8

/* Takes one point; its room is reserved. */
static prof_status take_point(struct prof_trace *trace, struct prof_byte_reader *reader, uint32_t module) {
  struct prof_point point = {.module = module, .kind = prof_byte_reader_u32(reader)};
  point.line = prof_byte_reader_u32(reader);
  point.name = prof_trace_take_text(&trace->arena, reader);
  point.unit = prof_trace_take_text(&trace->arena, reader);
  point.file = prof_trace_take_text(&trace->arena, reader);
  if (reader->bad)
    return PROF_CORRUPT;
  if (!point.name || !point.unit || !point.file)
    return PROF_NO_MEMORY;
  trace->points.items[trace->points.count++] = point;
  return PROF_OK;
}

static prof_status take_list(struct prof_trace *trace, struct prof_byte_reader *reader, uint32_t module,
                             uint32_t point_count, uint32_t site_count) {
  const uint32_t first = (uint32_t)trace->points.count, first_site = trace->module_sites.items[module];
  prof_status status = PROF_OK;
  for (uint32_t i = 0; i < point_count && status == PROF_OK; i++)
    status = take_point(trace, reader, module);
  if (status == PROF_OK && !prof_byte_reader_fits(reader, site_count, SITE_BYTES))
    status = PROF_CORRUPT;
  for (uint32_t i = 0; i < site_count && status == PROF_OK; i++) {
    uint32_t site = prof_byte_reader_u32(reader), point = prof_byte_reader_u32(reader);
    if (site < trace->modules.items[module].site_count && point < point_count)
      trace->sites.items[first_site + site].point = first + point;
  }
  if (status != PROF_OK)
    trace->points.count = first; /* drop all of it */
  return status;
}

prof_status prof_trace_take_points(struct prof_trace *trace, struct prof_byte_reader *reader) {
  uint32_t module = prof_index_of(&trace->module_index, prof_byte_reader_u32(reader));
  uint32_t point_count = prof_byte_reader_u32(reader), site_count = prof_byte_reader_u32(reader);
  if (reader->bad || module == PROF_NONE || !prof_byte_reader_fits(reader, point_count, POINT_LEAST_BYTES) ||
      !prof_byte_reader_fits(reader, site_count, SITE_BYTES))
    return PROF_CORRUPT;
  if (!prof_vec_reserve(&trace->points, point_count))
    return PROF_NO_MEMORY;
  return take_list(trace, reader, module, point_count, site_count);
}

prof_status prof_trace_take_named(struct prof_trace *trace, struct prof_byte_reader *reader) {
  prof_byte_reader_u32(reader); /* process: site ids are unique without it */
  struct prof_point point = {
      .module = prof_index_of(&trace->module_index, prof_byte_reader_u32(reader)), .unit = "", .file = ""};
  uint32_t id = prof_byte_reader_u32(reader);
  struct prof_site_info site = {.function = PROF_NONE,
                                .loop = PROF_NONE,
                                .point = (uint32_t)trace->points.count,
                                .kind = prof_byte_reader_u32(reader)};
  point.kind = prof_byte_reader_u32(reader);
  point.name = prof_trace_take_text(&trace->arena, reader);
  if (reader->bad || point.module == PROF_NONE)
    return PROF_CORRUPT;
  if (prof_index_of(&trace->called_sites, id) != PROF_NONE)
    return PROF_OK;
  bool kept = point.name && prof_vec_push(&trace->points, point) && prof_vec_push(&trace->called, site) &&
              prof_index_add(&trace->called_sites, id, (uint32_t)trace->called.count - 1);
  return kept ? PROF_OK : PROF_NO_MEMORY;
}
