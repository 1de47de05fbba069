/*
 * tools/trace/read/read.c - opens a trace and answers questions about its facts (include/proftrace.h).
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/diag.h"
#include "base/order.h"
#include "memory.h"
#include "part_list.h"
#include "trace.h"
#include "trace/file_lock.h"

/* Ranks of an MPI job write into folders rank-N; the recorder writes the job's name into a file beside them. */
static bool has_ranks(const char *path) {
  int folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  bool found = folder >= 0 && faccessat(folder, "job", F_OK, 0) == 0;
  if (folder >= 0)
    close(folder);
  return found;
}

/* The trace in a folder, or in one in it; `part` "": its own.  NULL: no memory. */
static char *name_inside(struct prof_trace *trace, const char *path, const char *part) {
  size_t length = strlen(path), bytes = length + strlen(part) + sizeof "//trace";
  char *inside = prof_arena_alloc(&trace->arena, bytes);
  if (inside)
    snprintf(inside, bytes, "%s%s%s%strace", path, length && path[length - 1] == '/' ? "" : "/", part,
             *part ? "/" : "");
  return inside;
}

/* part: the folder in this one, "": none. */
static prof_status open_file(struct prof_trace *trace, const char *path, const char *part, struct prof_diag *diag) {
  static const char remedy[] = "give the folder that `prof record` wrote",
                    rank_remedy[] = "it has the ranks of an MPI job; give one, as in -i DIR/rank-0";
  struct stat status;
  if (stat(path, &status))
    return prof_diag_system(diag, errno, path, "cannot open the recording",
                            errno == ENOENT ? "make one with: prof record PROGRAM" : remedy);
  const char *name = path;
  char *inside = NULL;
  if (S_ISDIR(status.st_mode)) {
    inside = name_inside(trace, path, part);
    if (!inside)
      return prof_diag_memory(diag);
    name = inside;
  }
  trace->path = trace->info.path = prof_arena_copy(&trace->arena, name, strlen(name));
  if (!trace->path)
    return prof_diag_memory(diag);
  trace->fd = open(name, O_RDONLY | O_CLOEXEC | O_NONBLOCK); /* a FIFO of that name must not block */
  if (trace->fd < 0) {
    if (errno == ENOENT && inside)
      return prof_diag_fill(diag, PROF_NOT_FOUND, path, PROF_NO_OFFSET, has_ranks(path) ? rank_remedy : remedy,
                            "no trace in this folder");
    return prof_diag_system(diag, errno, name, "cannot open the trace", "make it readable for you");
  }
  trace->was_locked = prof_file_is_locked(trace->fd); /* later the writer may have ended it, behind what is read */
  if (fstat(trace->fd, &status))
    return prof_diag_system(diag, errno, name, "cannot open the trace", NULL);
  if (!S_ISREG(status.st_mode))
    return prof_diag_fill(diag, PROF_NOT_A_TRACE, name, PROF_NO_OFFSET, remedy, "this is not a plain file");
  trace->info.file_bytes = (uint64_t)status.st_size;
  return PROF_OK;
}

static struct prof_trace *new_trace(void) {
  struct prof_trace *trace = calloc(1, sizeof *trace);
  if (!trace)
    return NULL;
  trace->fd = -1;
  trace->info.kernel_clock = "";
  trace->damage.first_offset = UINT64_MAX;
  return trace;
}

/* Takes all chunks.  The trace is closed if it fails. */
static prof_status take_all(struct prof_trace *trace, struct prof_diag *diag, prof_trace **out) {
  prof_status status = prof_trace_header(trace, diag, &trace->first_chunk);
  if (status == PROF_OK)
    status = prof_trace_scan(trace, trace->first_chunk, diag);
  if (status == PROF_OK) {
    prof_trace_settle_part(trace);
    prof_trace_settle_readings(trace);
    if (prof_trace_settle_summary(trace) != PROF_OK)
      status = prof_diag_memory(diag);
  }
  if (status == PROF_OK)
    status = prof_trace_index(trace, diag);
  if (status == PROF_OK) {
    prof_trace_gpu_index(trace);
    prof_trace_settle_sampler(trace);
    prof_trace_index_states(trace);
    prof_trace_index_rates(trace);
    prof_trace_settle_progress(trace);
    prof_chunk_kinds_settle(&trace->kinds);
  }
  if (status == PROF_OK && (!prof_trace_index_maps(trace) || !prof_trace_index_light(trace)))
    status = prof_diag_memory(diag);
  if (status == PROF_OK)
    *out = trace;
  else
    prof_trace_close(trace);
  return status;
}

static prof_status open_part(const char *path, const char *part, struct prof_diag *diag, prof_trace **out) {
  *out = NULL;
  struct prof_trace *trace = new_trace();
  if (!trace)
    return prof_diag_memory(diag);
  prof_status status = open_file(trace, path, part, diag);
  if (status == PROF_OK)
    return take_all(trace, diag, out);
  prof_trace_close(trace);
  return status;
}

/* An open frame is an event. */
static bool holds_calls(const prof_trace *trace) {
  return trace->info.events > 0;
}

/*
 * The newest part has ended just after a cut, or has gone on where no probe is: the newest one before it with calls
 * takes its place, if there is one that can be read.
 */
static void take_older(const struct prof_part_list *list, const char *path, prof_trace **trace) {
  for (size_t i = 1; i < list->parts.count && !holds_calls(*trace); i++) {
    struct prof_diag ignored;
    prof_trace *older;
    if (open_part(path, list->parts.items[i].name, &ignored, &older) != PROF_OK)
      continue;
    bool holds = holds_calls(older);
    prof_trace_close(holds ? *trace : older);
    if (holds)
      *trace = older;
  }
}

prof_status prof_trace_open(const char *path, struct prof_diag *diag, prof_trace **out) {
  struct prof_part_list list;
  *out = NULL;
  bool good = prof_part_list_read(&list, path);
  prof_status status =
      good ? open_part(path, list.parts.count ? list.parts.items[0].name : "", diag, out) : prof_diag_memory(diag);
  if (status == PROF_OK)
    take_older(&list, path, out);
  prof_part_list_fini(&list);
  return status;
}

prof_status prof_trace_open_memory(const uint8_t *bytes, size_t count, struct prof_diag *diag, prof_trace **out) {
  *out = NULL;
  struct prof_trace *trace = new_trace();
  if (!trace)
    return prof_diag_memory(diag);
  trace->memory = bytes;
  trace->info.file_bytes = count;
  trace->path = trace->info.path = "";
  return take_all(trace, diag, out);
}

void prof_trace_close(prof_trace *trace) {
  if (!trace)
    return;
  if (trace->fd >= 0)
    close(trace->fd);
  prof_vec_fini(&trace->settings);
  prof_vec_fini(&trace->modules);
  prof_vec_fini(&trace->module_sites);
  prof_vec_fini(&trace->functions);
  prof_vec_fini(&trace->sites);
  prof_vec_fini(&trace->loops);
  prof_vec_fini(&trace->points);
  prof_vec_fini(&trace->processes);
  prof_vec_fini(&trace->threads);
  prof_vec_fini(&trace->loads);
  prof_vec_fini(&trace->loads_by_site);
  prof_vec_fini(&trace->called);
  prof_index_fini(&trace->called_functions);
  prof_index_fini(&trace->named_zones);
  prof_index_fini(&trace->called_sites);
  prof_vec_fini(&trace->notes);
  prof_vec_fini(&trace->files);
  prof_vec_fini(&trace->controls);
  prof_vec_fini(&trace->slices);
  prof_vec_fini(&trace->counts);
  prof_vec_fini(&trace->counts_sites);
  prof_vec_fini(&trace->chunks);
  prof_trace_gpu_fini(trace);
  prof_trace_samples_fini(trace);
  prof_trace_bursts_fini(trace);
  prof_vec_fini(&trace->part_threads);
  prof_trace_free_readings(trace);
  prof_trace_free_pmus(trace);
  prof_vec_fini(&trace->packs);
  prof_index_fini(&trace->module_index);
  prof_index_fini(&trace->process_index);
  prof_index_fini(&trace->thread_index);
  free(trace->thread_chunks);
  prof_arena_fini(&trace->arena);
  free(trace);
}

const struct prof_trace_info *prof_trace_info(const prof_trace *trace) {
  return &trace->info;
}

const struct prof_lacking *prof_trace_lacking(const prof_trace *trace, size_t *count) {
  *count = trace->kinds.lacking_count;
  return trace->kinds.lacking;
}

const char *prof_trace_setting(const prof_trace *trace, const char *key, size_t *bytes) {
  for (size_t i = 0; i < trace->settings.count; i++)
    if (!strcmp(trace->settings.items[i].key, key)) {
      if (bytes)
        *bytes = trace->settings.items[i].bytes;
      return trace->settings.items[i].value;
    }
  return NULL;
}

void prof_trace_damage(const prof_trace *trace, struct prof_damage *out) {
  *out = trace->damage;
  out->chunks_damaged = __atomic_load_n(&trace->damage.chunks_damaged, __ATOMIC_RELAXED);
  out->first_offset = __atomic_load_n(&trace->damage.first_offset, __ATOMIC_RELAXED);
}

PROF_TRACE_GIVE(prof_trace_modules, struct prof_module, modules)
PROF_TRACE_GIVE(prof_trace_functions, struct prof_function, functions)
PROF_TRACE_GIVE(prof_trace_loops, struct prof_loop, loops)
PROF_TRACE_GIVE(prof_trace_points, struct prof_point, points)
PROF_TRACE_GIVE(prof_trace_processes, struct prof_process, processes)
PROF_TRACE_GIVE(prof_trace_threads, struct prof_thread_info, threads)
PROF_TRACE_GIVE(prof_trace_loads, struct prof_load, loads)
PROF_TRACE_GIVE(prof_trace_notes, char *const, notes)
PROF_TRACE_GIVE(prof_trace_files, struct prof_file_name, files)
PROF_TRACE_GIVE(prof_trace_controls, struct prof_control_event, controls)
PROF_TRACE_GIVE(prof_trace_slices, struct prof_slice, slices)
PROF_TRACE_GIVE(prof_trace_counts, struct prof_count_block, counts)
PROF_TRACE_GIVE(prof_trace_chunks, struct prof_chunk_ref, chunks)

const uint32_t *prof_trace_thread_chunks(const prof_trace *trace) {
  return trace->thread_chunks;
}

struct prof_site_info prof_trace_site(const prof_trace *trace, uint32_t site) {
  /* the last load that begins at or before the site */
  size_t low = prof_search(0, trace->loads_by_site.count, middle,
                           trace->loads.items[trace->loads_by_site.items[middle]].first_site <= site);
  if (low) {
    const struct prof_load *load = &trace->loads.items[trace->loads_by_site.items[low - 1]];
    uint32_t at = site - load->first_site;
    if (at < load->site_count && at < trace->modules.items[load->module].site_count)
      return trace->sites.items[trace->module_sites.items[load->module] + at];
  }
  uint32_t called = prof_index_of(&trace->called_sites, site);
  return called != PROF_NONE ? trace->called.items[called]
                             : (struct prof_site_info){.function = PROF_NONE, .loop = PROF_NONE, .point = PROF_NONE};
}

/* The address in [begin, end) with these low 32 bits; false: none. */
static bool complete_address(const struct prof_load *load, uint32_t low, uint64_t *address) {
  uint64_t candidate = (load->begin & ~(uint64_t)UINT32_MAX) | low;
  if (candidate < load->begin)
    candidate += (uint64_t)1 << 32;
  *address = candidate;
  return candidate >= load->begin && candidate < load->end;
}

#define ANCESTORS_LIMIT 64 /* longest chain of forks that is searched for loads */

bool prof_trace_caller(const prof_trace *trace, uint32_t process, uint32_t caller, uint32_t *module,
                       uint64_t *address) {
  for (int i = 0; caller && i < ANCESTORS_LIMIT && process < trace->processes.count; i++) {
    for (size_t at = trace->loads.count; at--;) { /* the last load at that address is valid */
      const struct prof_load *load = &trace->loads.items[at];
      uint64_t full;
      if (load->process == process && complete_address(load, caller, &full)) {
        *module = load->module;
        *address = full - load->bias;
        return true;
      }
    }
    if (!trace->processes.items[process].forked)
      break;
    process = trace->processes.items[process].parent;
  }
  return false;
}

uint64_t prof_trace_ns(const prof_trace *trace, uint64_t duration_ticks) {
  return prof_clock_ns(&trace->clock, duration_ticks);
}

uint64_t prof_trace_ticks(const prof_trace *trace, uint64_t ns) {
  return prof_clock_ticks(&trace->clock, ns);
}
