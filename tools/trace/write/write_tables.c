/*
 * tools/trace/write/write_tables.c - writes chunks of settings, clock, processes, modules, loops, loads, threads, end,
 * notes.
 *
 * In: the structs of write.h.  Out: chunks of an open writer, packed if that makes them smaller.
 */
#include "write_tables.h"

#include <string.h>
#include <zstd.h>

#include "trace/chunk_kinds.h"
#include "writer_state.h"

struct prof_span prof_span(const char *text) {
  return (struct prof_span){text, text ? strlen(text) : 0};
}

static void put_span(struct prof_payload *payload, struct prof_span span) {
  prof_payload_string(payload, span.text, span.bytes);
}

prof_status prof_writer_payload(prof_writer *writer, struct prof_format_chunk *head, struct prof_payload *payload) {
  const void *packed = payload->items;
  size_t packed_bytes = payload->count;
  void *buffer = NULL;
  prof_status status;
  if (payload->failed || payload->count > PROF_FORMAT_TABLE_RAW_LIMIT) {
    status = prof_writer_memory(writer);
    goto out;
  }
  if (payload->count >= PROF_WRITER_PACK_FROM_BYTES && (buffer = malloc(ZSTD_compressBound(payload->count)))) {
    size_t result = ZSTD_compress(buffer, ZSTD_compressBound(payload->count), payload->items, payload->count, 3);
    if (!ZSTD_isError(result) && result < payload->count) {
      packed = buffer;
      packed_bytes = result;
      head->codec = PROF_FORMAT_ZSTD;
    }
  }
  head->raw_bytes = (uint32_t)payload->count;
  head->packed_bytes = (uint32_t)packed_bytes;
  status = prof_writer_append(writer, head, packed);
  if (status == PROF_OK)
    status = prof_writer_keep_fact(writer, head, payload->items, packed);
out:
  free(buffer);
  prof_vec_fini(payload);
  return status;
}

static prof_status finish(prof_writer *writer, uint16_t kind, uint32_t thread, struct prof_payload *payload) {
  struct prof_format_chunk head = {.kind = kind, .thread = thread, .codec = PROF_FORMAT_STORED};
  return prof_writer_payload(writer, &head, payload);
}

prof_status prof_writer_settings(prof_writer *writer, const struct prof_setting_record *settings, uint32_t count) {
  struct prof_payload payload = {0};
  prof_payload_u32(&payload, count);
  for (uint32_t i = 0; i < count; i++) {
    put_span(&payload, prof_span(settings[i].key));
    put_span(&payload, settings[i].value);
  }
  return finish(writer, PROF_FORMAT_SETTINGS, 0, &payload);
}

prof_status prof_writer_clock(prof_writer *writer, const struct prof_clock_record *clock) {
  struct prof_payload payload = {0};
  prof_payload_u64s(&payload, clock->ticks, clock->monotonic_ns, clock->realtime_ns, clock->frequency_hz);
  prof_payload_u32s(&payload, clock->step_ticks, clock->flags, clock->source, clock->skew_ticks);
  put_span(&payload, clock->kernel_clock);
  return finish(writer, PROF_FORMAT_CLOCK, 0, &payload);
}

prof_status prof_writer_process(prof_writer *writer, const struct prof_process_record *process) {
  struct prof_payload payload = {0};
  prof_payload_u32s(&payload, process->process, process->parent, process->pid, process->ppid);
  prof_payload_u64(&payload, process->start_ticks);
  prof_payload_u32s(&payload, process->event_cost, process->flags);
  put_span(&payload, process->executable);
  prof_payload_u32(&payload, process->event_cost_among);
  if (process->count_cost != 0)
    prof_payload_u32s(&payload, process->count_cost, process->count_cost_among);
  return finish(writer, PROF_FORMAT_PROCESS, 0, &payload);
}

static void put_function(struct prof_payload *payload, const struct prof_function_record *function) {
  prof_payload_u64(payload, function->key);
  prof_payload_u32s(payload, function->line, function->statements, function->flags);
  prof_payload_u16(payload, function->language);
  prof_payload_u16(payload, 0);
  put_span(payload, function->name);
  put_span(payload, function->file);
}

/* 0: not known; such a distance would be none of a function. */
static uint32_t from_begin(const struct prof_site_record *site) {
  uint64_t bytes = site->address - site->begin;
  return site->begin && site->begin <= site->address && bytes < UINT32_MAX ? (uint32_t)bytes + 1 : 0;
}

prof_status prof_writer_module(prof_writer *writer, const struct prof_module_record *module) {
  struct prof_payload payload = {0};
  prof_payload_u32s(&payload, module->module, module->build_id_bytes);
  prof_payload_bytes(&payload, module->build_id, module->build_id_bytes);
  put_span(&payload, module->path);
  put_span(&payload, module->compiler);
  prof_payload_u32s(&payload, module->function_count, module->site_count);
  for (uint32_t i = 0; i < module->function_count; i++)
    put_function(&payload, &module->functions[i]);
  for (uint32_t i = 0; i < module->site_count; i++) {
    const struct prof_site_record *site = &module->sites[i];
    prof_payload_u64(&payload, site->address);
    prof_payload_u32s(&payload, site->kind, site->line, site->function);
  }
  for (uint32_t i = 0; i < module->site_count; i++)
    if ((module->sites[i].kind & PROF_SITE_KIND_MASK) == PROF_SITE_ENTRY)
      prof_payload_u32s(&payload, from_begin(&module->sites[i]));
  return finish(writer, PROF_FORMAT_MODULE, 0, &payload);
}

static void put_loop(struct prof_payload *payload, const struct prof_loop_record *loop) {
  prof_payload_u64(payload, loop->key);
  prof_payload_u32s(payload, loop->function, loop->parent);
  prof_payload_u64(payload, loop->iterations);
  prof_payload_u32s(payload, loop->line, loop->last_line, loop->flags, loop->depth);
  put_span(payload, loop->name);
  put_span(payload, loop->file);
}

prof_status prof_writer_loops(prof_writer *writer, const struct prof_loops_record *loops) {
  struct prof_payload payload = {0};
  prof_payload_u32s(&payload, loops->module, loops->loop_count, loops->probe_count);
  for (uint32_t i = 0; i < loops->loop_count; i++)
    put_loop(&payload, &loops->loops[i]);
  for (uint32_t i = 0; i < loops->probe_count; i++) {
    prof_payload_u32s(&payload, loops->probes[i].site, loops->probes[i].loop);
  }
  return finish(writer, PROF_FORMAT_LOOPS, 0, &payload);
}

prof_status prof_writer_points(prof_writer *writer, const struct prof_points_record *points) {
  struct prof_payload payload = {0};
  prof_payload_u32s(&payload, points->module, points->point_count, points->site_count);
  for (uint32_t i = 0; i < points->point_count; i++) {
    const struct prof_point_record *point = &points->points[i];
    prof_payload_u32s(&payload, point->what, point->line);
    put_span(&payload, point->name);
    put_span(&payload, point->unit);
    put_span(&payload, point->file);
  }
  for (uint32_t i = 0; i < points->site_count; i++)
    prof_payload_u32s(&payload, points->sites[i].site, points->sites[i].point);
  return finish(writer, PROF_FORMAT_POINTS, 0, &payload);
}

prof_status prof_writer_load(prof_writer *writer, const struct prof_load_record *load) {
  struct prof_payload payload = {0};
  prof_payload_u32s(&payload, load->process, load->module, load->first_site, load->site_count);
  prof_payload_u64s(&payload, load->bias, load->begin, load->end);
  prof_payload_u32(&payload, load->skipped);
  return finish(writer, PROF_FORMAT_LOAD, 0, &payload);
}

prof_status prof_writer_sites(prof_writer *writer, const struct prof_sites_record *sites) {
  struct prof_payload payload = {0};
  prof_payload_u32s(&payload, sites->process, sites->module, sites->count);
  for (uint32_t i = 0; i < sites->count; i++) {
    prof_payload_u32(&payload, sites->called[i].site);
    prof_payload_u64(&payload, sites->called[i].address);
    prof_payload_u32(&payload, sites->called[i].number);
    put_function(&payload, &sites->called[i].function);
  }
  return finish(writer, PROF_FORMAT_SITES, 0, &payload);
}

prof_status prof_writer_named(prof_writer *writer, const struct prof_named_record *named) {
  struct prof_payload payload = {0};
  prof_payload_u32s(&payload, named->process, named->module, named->site, named->kind, named->what);
  put_span(&payload, named->name);
  return finish(writer, PROF_FORMAT_NAMED, 0, &payload);
}

prof_status prof_writer_thread(prof_writer *writer, const struct prof_thread_record *thread) {
  struct prof_payload payload = {0};
  prof_payload_u32s(&payload, thread->thread, thread->process, thread->tid, thread->flags);
  prof_payload_u64s(&payload, thread->start_ticks, thread->end_ticks, thread->lost, thread->stalled_ticks,
                    thread->inversions, thread->torn, thread->unmatched, thread->skipped);
  put_span(&payload, thread->name);
  prof_payload_u64s(&payload, thread->cpu_ns, thread->cpu_ticks, thread->moves, thread->line_readings);
  if (thread->too_deep != 0 || thread->left_out != 0) /* rare */
    prof_payload_u64(&payload, thread->too_deep);
  if (thread->left_out != 0)
    prof_payload_u64(&payload, thread->left_out);
  return finish(writer, PROF_FORMAT_THREAD, thread->thread, &payload);
}

prof_status prof_writer_end(prof_writer *writer, const struct prof_end_record *end) {
  struct prof_payload payload = {0};
  prof_payload_u32s(&payload, end->reason, end->wait_status);
  prof_payload_u64s(&payload, end->wall_ns, end->user_ns, end->system_ns, end->recorder_cpu_ns, end->events, end->lost);
  uint32_t kinds[PROF_FORMAT_KINDS];
  prof_writer_kinds(writer, kinds);
  prof_chunk_kinds_put(&payload, kinds);
  if (end->minor_faults + end->peak_bytes > 0) /* a program that ran has faults */
    prof_payload_u64s(&payload, end->minor_faults, end->major_faults, end->waits, end->preemptions, end->peak_bytes,
                      end->attach_ns);
  return finish(writer, PROF_FORMAT_END, 0, &payload);
}

prof_status prof_writer_note(prof_writer *writer, const struct prof_note_record *note) {
  struct prof_payload payload = {0};
  prof_payload_u32s(&payload, note->process, note->code);
  put_span(&payload, note->text);
  return finish(writer, PROF_FORMAT_NOTE, 0, &payload);
}

prof_status prof_writer_control(prof_writer *writer, const struct prof_control_record *control) {
  struct prof_payload payload = {0};
  prof_payload_u64(&payload, control->ticks);
  prof_payload_u32(&payload, control->what);
  put_span(&payload, control->text);
  return finish(writer, PROF_FORMAT_CONTROL, 0, &payload);
}

prof_status prof_writer_file(prof_writer *writer, const struct prof_file_record *file) {
  struct prof_payload payload = {0};
  prof_payload_u32s(&payload, file->process, file->file);
  put_span(&payload, file->name);
  return finish(writer, PROF_FORMAT_FILE, 0, &payload);
}

prof_status prof_writer_counts(prof_writer *writer, const struct prof_counts_record *counts) {
  struct prof_payload payload = {0};
  prof_payload_u32s(&payload, counts->process, counts->first_site);
  put_span(&payload, counts->objects);
  return finish(writer, PROF_FORMAT_COUNTS, 0, &payload);
}

prof_status prof_writer_slices(prof_writer *writer, uint32_t process, const struct prof_slice_record *slices,
                               uint32_t count) {
  struct prof_payload payload = {0};
  prof_payload_u32s(&payload, process, count);
  for (uint32_t i = 0; i < count; i++) {
    prof_payload_u64s(&payload, slices[i].begin, slices[i].end);
  }
  return finish(writer, PROF_FORMAT_SLICES, 0, &payload);
}
