/*
 * tools/trace/read/loop_tables.c - takes LOOPS chunks into a trace.
 *
 * As in tables.c: a payload is taken as a whole or not at all, and counts are compared with the payload's size.
 */
#include "trace.h"
#include "trace/bytes.h"

#define LOOP_LEAST_BYTES 48
#define PROBE_BYTES 8

/* Takes one loop; its room is reserved.  `parent` stays as in the file. */
static prof_status take_loop(struct prof_trace *trace, struct prof_byte_reader *reader, uint32_t module) {
  struct prof_loop loop = {.module = module, .key = prof_byte_reader_u64(reader)};
  uint32_t function = prof_byte_reader_u32(reader);
  loop.parent = prof_byte_reader_u32(reader);
  loop.iterations = prof_byte_reader_u64(reader);
  loop.line = prof_byte_reader_u32(reader);
  loop.last_line = prof_byte_reader_u32(reader);
  loop.flags = prof_byte_reader_u32(reader);
  loop.depth = prof_byte_reader_u32(reader);
  loop.name = prof_trace_take_text(&trace->arena, reader);
  loop.file = prof_trace_take_text(&trace->arena, reader);
  if (reader->bad)
    return PROF_CORRUPT;
  if (!loop.name || !loop.file)
    return PROF_NO_MEMORY;
  const struct prof_module *in = &trace->modules.items[module];
  loop.function = function < in->function_count ? in->first_function + function : PROF_NONE;
  trace->loops.items[trace->loops.count++] = loop;
  return PROF_OK;
}

/* Makes parents indices of the trace.  Chains of parents must end, so a parent is less deep than its loop. */
static void join_parents(struct prof_trace *trace, uint32_t first) {
  uint32_t count = (uint32_t)trace->loops.count - first;
  for (uint32_t i = 0; i < count; i++) {
    struct prof_loop *loop = &trace->loops.items[first + i];
    uint32_t parent = loop->parent;
    loop->parent =
        parent < count && trace->loops.items[first + parent].depth < loop->depth ? first + parent : PROF_NONE;
  }
}

static prof_status take_loop_list(struct prof_trace *trace, struct prof_byte_reader *reader, uint32_t module,
                                  uint32_t loop_count, uint32_t probe_count) {
  prof_status status = PROF_OK;
  for (uint32_t i = 0; i < loop_count && status == PROF_OK; i++)
    status = take_loop(trace, reader, module);
  if (status != PROF_OK)
    return status;
  if (!prof_byte_reader_fits(reader, probe_count, PROBE_BYTES))
    return PROF_CORRUPT;
  uint32_t first_loop = (uint32_t)trace->loops.count - loop_count, first_site = trace->module_sites.items[module];
  for (uint32_t i = 0; i < probe_count; i++) {
    uint32_t site = prof_byte_reader_u32(reader), loop = prof_byte_reader_u32(reader);
    if (site < trace->modules.items[module].site_count && loop < loop_count)
      trace->sites.items[first_site + site].loop = first_loop + loop;
  }
  return PROF_OK;
}

prof_status prof_trace_take_loops(struct prof_trace *trace, struct prof_byte_reader *reader) {
  uint32_t module = prof_index_of(&trace->module_index, prof_byte_reader_u32(reader));
  uint32_t loop_count = prof_byte_reader_u32(reader), probe_count = prof_byte_reader_u32(reader);
  if (reader->bad || module == PROF_NONE || trace->modules.items[module].loop_count ||
      !prof_byte_reader_fits(reader, loop_count, LOOP_LEAST_BYTES) ||
      !prof_byte_reader_fits(reader, probe_count, PROBE_BYTES))
    return PROF_CORRUPT;
  if (!prof_vec_reserve(&trace->loops, loop_count))
    return PROF_NO_MEMORY;
  uint32_t first = (uint32_t)trace->loops.count;
  prof_status status = take_loop_list(trace, reader, module, loop_count, probe_count);
  if (status != PROF_OK) { /* drop all of it */
    trace->loops.count = first;
    return status;
  }
  join_parents(trace, first);
  trace->modules.items[module].first_loop = first;
  trace->modules.items[module].loop_count = loop_count;
  return PROF_OK;
}
