/*
 * test/support/trace_text.c - prints a trace as text, through libproftrace.  test/support/decode.py prints the same,
 * written from docs/trace-format.md alone.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "proftrace.h"
#include "trace_text_summary.h"

/* Writes bytes that aren't printable ASCII, and backslashes, as \xNN. */
static void put_text(const char *text, size_t bytes) {
  for (size_t i = 0; i < bytes; i++) {
    unsigned char c = (unsigned char)text[i];
    if (c < 32 || c > 126 || c == '\\')
      printf("\\x%02x", c);
    else
      putchar(c);
  }
}

static void put_string(const char *before, const char *text) {
  fputs(before, stdout);
  put_text(text, strlen(text));
}

static void put_loops(const prof_trace *trace, const struct prof_module *module) {
  size_t count;
  const struct prof_loop *loops = prof_trace_loops(trace, &count);
  for (uint32_t i = 0; i < module->loop_count; i++) {
    const struct prof_loop *loop = &loops[module->first_loop + i];
    printf("  loop %u lines=%u-%u depth=%u parent=%d function=%d flags=0x%x iterations=%llu", i, loop->line,
           loop->last_line, loop->depth, loop->parent == PROF_NONE ? -1 : (int)(loop->parent - module->first_loop),
           loop->function == PROF_NONE ? -1 : (int)(loop->function - module->first_function), loop->flags,
           (unsigned long long)loop->iterations);
    put_string(" name=", loop->name);
    put_string(" file=", loop->file);
    putchar('\n');
  }
}

static void put_sample_chunk(const prof_trace *trace, size_t index, struct prof_sample_chunk *chunk) {
  size_t count;
  const struct prof_sample_chunk_ref *ref = &prof_trace_sample_chunks(trace, &count)[index];
  const char *kind = ref->kind == PROF_SAMPLE_SAMPLES ? "samples" : "switches";
  if (prof_sample_chunk_load(trace, index, NULL, chunk) != PROF_OK) {
    printf("%s damaged\n", kind);
    return;
  }
  printf("%s process=%u thread=%u tid=%u\n", kind, prof_trace_processes(trace, &count)[chunk->process].number,
         ref->thread == PROF_NONE ? 0 : prof_trace_threads(trace, &count)[ref->thread].number, chunk->tid);
  for (uint32_t i = 0; i < chunk->count; i++) {
    printf("  %llu 0x%llx flags=%u processor=%u", (unsigned long long)chunk->times[i],
           chunk->addresses ? (unsigned long long)chunk->addresses[i] : 0, chunk->flags[i], chunk->processors[i]);
    if (chunk->paths && chunk->paths[i] != 0)
      printf(" path=%u", chunk->paths[i]);
    putchar('\n');
  }
}

static void put_window(const prof_trace *trace, const struct prof_window_chunk *chunk,
                       const struct prof_window *window) {
  printf("window %llu to %llu seed=%llu part=%u%s\n", (unsigned long long)window->begin,
         (unsigned long long)window->end, (unsigned long long)window->seed, window->part,
         window->flags & PROF_WINDOW_COUNTED ? " counts" : "");
  for (uint32_t i = 0; i < window->thread_count; i++) {
    const struct prof_window_thread *thread = &chunk->threads[window->first_thread + i];
    printf("  thread=%u events=%llu\n", prof_trace_threads(trace, NULL)[thread->thread].number,
           (unsigned long long)thread->events);
    for (uint32_t j = 0; j < thread->row_count; j++) {
      const struct prof_window_row *row = &chunk->rows[thread->first_row + j];
      printf("    site=%u caller=0x%x calls=%llu iterations=%llu\n", row->site, row->caller,
             (unsigned long long)row->calls, (unsigned long long)row->iterations);
    }
  }
}

static void put_bursts(const prof_trace *trace) {
  size_t count;
  struct prof_window_chunk chunk = {0};
  struct prof_diag diag;
  const struct prof_state_change *states = prof_trace_states(trace, &count);
  for (size_t i = 0; i < count; i++)
    printf("state %llu site=%u state=%u\n", (unsigned long long)states[i].time, states[i].site, states[i].state);
  const struct prof_rate_change *rates = prof_trace_rates(trace, &count);
  for (size_t i = 0; i < count; i++)
    printf("rate %llu %u\n", (unsigned long long)rates[i].time, rates[i].rate + (rates[i].lacks_switches ? 4 : 0));
  prof_trace_window_chunks(trace, &count);
  for (size_t i = 0; i < count; i++) {
    if (prof_window_chunk_load(trace, i, &diag, &chunk) != PROF_OK)
      printf("windows damaged\n");
    else
      for (uint32_t j = 0; j < chunk.count; j++)
        put_window(trace, &chunk, &chunk.windows[j]);
  }
  prof_window_chunk_free(&chunk);
}

static void put_samples(const prof_trace *trace) {
  const struct prof_sampler *sampler = prof_trace_sampler(trace);
  struct prof_sample_chunk chunk = {0};
  size_t count;
  if (sampler && sampler->method != PROF_SAMPLER_UNKNOWN) {
    printf("sampler method=%d hz=%u period=%llu flags=%d error=%u lost=%llu throttled=%llu foreign=%llu unsampled=%llu",
           sampler->method, sampler->asked_hz, (unsigned long long)sampler->period_ns,
           sampler->kernel + 2 * sampler->switches, sampler->error_ticks, (unsigned long long)sampler->lost,
           (unsigned long long)sampler->throttled, (unsigned long long)sampler->foreign,
           (unsigned long long)sampler->unsampled);
    put_string(" reason=", sampler->reason);
    printf(" extra=%llu\n", (unsigned long long)sampler->extra_period_ns);
  }
  const struct prof_path *paths = prof_trace_paths(trace, &count);
  for (size_t i = 1; i < count; i++)
    if (paths[i].address != 0)
      printf("path %zu 0x%llx parent=%u\n", i, (unsigned long long)paths[i].address, paths[i].parent);
  put_bursts(trace);
  prof_trace_sample_chunks(trace, &count);
  for (size_t i = 0; i < count; i++)
    put_sample_chunk(trace, i, &chunk);
  prof_sample_chunk_free(&chunk);
  const struct prof_thread_info *threads = prof_trace_threads(trace, &count);
  for (uint32_t thread = 0; thread < count; thread++) {
    size_t slice_count;
    const struct prof_light_slice *slices = prof_trace_light_slices(trace, thread, &slice_count);
    for (size_t i = 0; i < slice_count; i++)
      printf("light thread=%u begin=%llu end=%llu events=%llu\n", threads[thread].number,
             (unsigned long long)slices[i].begin, (unsigned long long)slices[i].end,
             (unsigned long long)slices[i].events);
  }
}

static void put_facts(const prof_trace *trace) {
  const struct prof_trace_info *info = prof_trace_info(trace);
  printf("clock hz=%llu start=%llu step=%u\n", (unsigned long long)info->frequency_hz,
         (unsigned long long)info->start_ticks, info->clock_step_ticks);
  size_t count;
  const struct prof_process *processes = prof_trace_processes(trace, &count);
  for (size_t i = 0; i < count; i++) {
    printf("process %u pid=%u ppid=%u parent=%u forked=%d start=%llu cost=%.3f", processes[i].number, processes[i].pid,
           processes[i].ppid, processes[i].parent == PROF_NONE ? 0 : processes[processes[i].parent].number,
           processes[i].forked, (unsigned long long)processes[i].start_ticks, processes[i].event_cost_ticks);
    if (processes[i].event_cost_among_ticks > 0)
      printf(" among=%.3f", processes[i].event_cost_among_ticks);
    if (processes[i].count_cost_ticks > 0)
      printf(" count=%.3f count-among=%.3f", processes[i].count_cost_ticks, processes[i].count_cost_among_ticks);
    put_string(" exe=", processes[i].executable);
    putchar('\n');
  }
  const struct prof_function *functions = prof_trace_functions(trace, &count);
  const struct prof_module *modules = prof_trace_modules(trace, &count);
  for (size_t i = 0; i < count; i++) {
    printf("module sites=%u", modules[i].site_count);
    put_string(" path=", modules[i].path);
    putchar('\n');
    for (uint32_t f = 0; f < modules[i].function_count; f++) {
      const struct prof_function *function = &functions[modules[i].first_function + f];
      printf("  function line=%u language=%u", function->line, function->language);
      put_string(" name=", function->name);
      put_string(" file=", function->file);
      putchar('\n');
    }
    put_loops(trace, &modules[i]);
  }
  const struct prof_load *loads = prof_trace_loads(trace, &count);
  for (size_t i = 0; i < count; i++)
    printf("load process=%u module=%u sites=%u+%u bias=0x%llx\n", processes[loads[i].process].number,
           loads[i].module + 1, loads[i].first_site, loads[i].site_count, (unsigned long long)loads[i].bias);
  const struct prof_map *maps = prof_trace_maps(trace, &count);
  for (size_t i = 0; i < count; i++)
    printf("map process=%u module=%u own=%d start=%llu begin=0x%llx end=0x%llx bias=0x%llx\n",
           processes[maps[i].process].number, maps[i].module + 1, maps[i].own, (unsigned long long)maps[i].start_ticks,
           (unsigned long long)maps[i].begin, (unsigned long long)maps[i].end, (unsigned long long)maps[i].bias);
  put_samples(trace);
  const struct prof_slice *slices = prof_trace_slices(trace, &count);
  for (size_t i = 0; i < count; i++)
    printf("slice process=%u begin=%llu end=%llu\n", processes[slices[i].process].number,
           (unsigned long long)slices[i].begin_ticks, (unsigned long long)slices[i].end_ticks);
  const struct prof_file_name *files = prof_trace_files(trace, &count);
  for (size_t i = 0; i < count; i++) {
    printf("file process=%u %u", processes[files[i].process].number, files[i].file);
    put_string(" ", files[i].name);
    putchar('\n');
  }
  const char *const *notes = prof_trace_notes(trace, &count);
  for (size_t i = 0; i < count; i++) {
    put_string("note ", notes[i]);
    putchar('\n');
  }
}

/* A function's name; or a loop's index in the trace, and the site's kind. */
static void put_name(const prof_trace *trace, uint32_t site) {
  size_t count;
  struct prof_site_info info = prof_trace_site(trace, site);
  if (info.loop != PROF_NONE)
    printf(" loop %u kind=0x%x", info.loop, info.kind);
  else
    put_string(" ", info.function == PROF_NONE ? "?" : prof_trace_functions(trace, &count)[info.function].name);
}

static void put_edge(const prof_trace *trace, const char *before, const struct prof_chunk *chunk, uint32_t edge) {
  fputs(before, stdout);
  put_name(trace, chunk->edges[edge].site);
  printf(" from=0x%x", chunk->edges[edge].caller);
}

static void put_step(const prof_trace *trace, const struct prof_chunk *chunk, const struct prof_step *step) {
  static const char *const names[] = {[PROF_OP_EXIT] = "exit",         [PROF_OP_ENTRY] = "enter",
                                      [PROF_OP_LANDED] = "landed",     [PROF_OP_UNMATCHED] = "unmatched",
                                      [PROF_OP_STALL_BEGIN] = "stall", [PROF_OP_STALL_END] = "resume",
                                      [PROF_OP_GAP] = "gap",           [PROF_OP_STOP] = "stop",
                                      [PROF_OP_NOTHING] = "nothing",   [PROF_OP_VALUE] = "value",
                                      [PROF_OP_MEASURE] = "measure",   [PROF_OP_EXIT_AROUND] = "around"};
  printf("  %llu %s", (unsigned long long)step->time, names[step->op]);
  if (step->op == PROF_OP_ENTRY)
    put_edge(trace, "", chunk, step->value);
  else if (step->op == PROF_OP_UNMATCHED || step->op == PROF_OP_VALUE)
    put_name(trace, step->value);
  else if (step->op == PROF_OP_MEASURE)
    printf(" %u %llu %llu", step->value, (unsigned long long)step->operands[0], (unsigned long long)step->operands[1]);
  if (step->count)
    printf(" %llu", (unsigned long long)step->count);
  putchar('\n');
}

static bool put_chunk(const prof_trace *trace, size_t index, struct prof_chunk *chunk) {
  size_t count;
  const struct prof_chunk_ref *ref = &prof_trace_chunks(trace, &count)[index];
  if (prof_chunk_load(trace, index, NULL, chunk) != PROF_OK) {
    printf(" chunk %u damaged\n", ref->sequence);
    return false;
  }
  printf(" chunk %u events=%u base=%llu last=%llu stalled=%llu omitted=%u inversions=%u", ref->sequence,
         chunk->event_count, (unsigned long long)chunk->base_time, (unsigned long long)ref->last_time,
         (unsigned long long)chunk->stalled_before, chunk->frames_omitted, chunk->inversions);
  if (ref->untimed)
    printf(" untimed=%u", ref->untimed);
  puts(ref->flags & PROF_CHUNK_RESUMED ? " resumed" : "");
  for (uint32_t i = 0; i < chunk->frame_count; i++) {
    put_edge(trace, "  open", chunk, chunk->frames[i].edge);
    printf(" entry=%llu stalled=%llu\n", (unsigned long long)chunk->frames[i].entry,
           (unsigned long long)chunk->frames[i].stalled);
  }
  struct prof_cursor cursor;
  struct prof_step step;
  prof_cursor_begin(&cursor, chunk);
  while (prof_cursor_next(&cursor, &step))
    put_step(trace, chunk, &step);
  return true;
}

int main(int argc, char **argv) {
  struct prof_diag diag;
  prof_trace *trace;
  if (argc != 2) {
    fputs("usage: trace_text DIR\n", stderr);
    return 2;
  }
  if (prof_trace_open(argv[1], &diag, &trace) != PROF_OK) {
    fprintf(stderr, "trace_text: %s (%s)\n  %s\n", diag.what, diag.file, diag.remedy);
    return 1;
  }
  put_facts(trace);
  size_t thread_count, process_count;
  const struct prof_thread_info *threads = prof_trace_threads(trace, &thread_count);
  const struct prof_process *processes = prof_trace_processes(trace, &process_count);
  const uint32_t *order = prof_trace_thread_chunks(trace);
  struct prof_chunk chunk = {0};
  for (size_t i = 0; i < thread_count; i++) {
    const struct prof_thread_info *thread = &threads[i];
    printf("thread %u process=%u tid=%u lost=%llu stalled=%llu inversions=%llu torn=%llu unmatched=%llu skipped=%llu",
           thread->number, processes[thread->process].number, thread->tid, (unsigned long long)thread->lost,
           (unsigned long long)thread->stalled_ticks, (unsigned long long)thread->inversions,
           (unsigned long long)thread->torn, (unsigned long long)thread->unmatched,
           (unsigned long long)thread->skipped);
    put_string(" name=", thread->name);
    if (thread->cpu_ticks != 0)
      printf(" cpu=%llu@%llu moves=%llu", (unsigned long long)thread->cpu_ns, (unsigned long long)thread->cpu_ticks,
             (unsigned long long)thread->moves);
    putchar('\n');
    for (uint32_t c = 0; c < thread->chunk_count; c++)
      put_chunk(trace, order[thread->first_chunk + c], &chunk);
  }
  prof_chunk_free(&chunk);
  trace_text_summary(trace);
  struct prof_damage damage;
  prof_trace_damage(trace, &damage);
  size_t lacking_count;
  const struct prof_lacking *lacking = prof_trace_lacking(trace, &lacking_count);
  for (size_t i = 0; i < lacking_count; i++)
    printf("lacks %u of %u %s\n", lacking[i].missing, lacking[i].written, lacking[i].kind);
  printf("end complete=%d reason=%u status=%d\n", prof_trace_info(trace)->complete, prof_trace_info(trace)->end_reason,
         prof_trace_info(trace)->wait_status);
  if (damage.bytes_skipped || damage.chunks_damaged)
    printf("damage skipped=%llu chunks=%llu\n", (unsigned long long)damage.bytes_skipped,
           (unsigned long long)damage.chunks_damaged);
  prof_trace_close(trace);
  return 0;
}
