/*
 * tools/record/sampling/sampling.c - see sampling.h: images, strands and the clock; sampling_write.c: chunks.
 */
#include "record/sampling/sampling.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/order.h"
#include "record/region/region.h"
#include "record/sampling/sampling_pmu.h"
#include "record/sampling/sampling_write.h"

#define DRAIN_NS 10000000u /* between two reads of the kernel's buffers */
#define PAIR_ERROR_TICKS 20000u
#define PAIR_TRIES 3

void prof_sampling_open(struct prof_sampling *sampling, const struct prof_perf_wish *wish, enum prof_ticks_of of) {
  *sampling = (struct prof_sampling){.figures = {.asked_hz = wish->hz, .reason = ""}, .attached = !wish->on_exec};
  if (wish->hz == 0)
    return;
  sampling->pairs[0] = sampling->pairs[1] = prof_clock_pair_read(of);
  sampling->clock = of;
  sampling->stacks.nearest = wish->nearest;
  if (prof_perf_open(&sampling->perf, wish, sampling->reason)) {
    sampling->figures.method = PROF_SAMPLER_PERF;
    sampling->figures.period_ns = 1000000000u / wish->hz;
    sampling->figures.extra_period_ns = sampling->perf.layout.extra_ns;
    sampling->figures.kernel = sampling->perf.kernel;
    sampling->figures.switches = true;
    if (!wish->nearest) /* else only lines lack something */
      memcpy(sampling->reason, sampling->perf.no_stacks, sizeof sampling->reason);
  }
  if (sampling->figures.method == PROF_SAMPLER_NONE)
    sampling->figures.method = PROF_SAMPLER_TIMER; /* the threads sample themselves */
  sampling->figures.reason = sampling->reason;
}

void prof_sampling_begin(struct prof_sampling *sampling, prof_writer *writer, struct prof_modules *modules,
                         const struct prof_slices *slices) {
  sampling->writer = writer;
  sampling->slices = slices;
  sampling->maps.modules = modules;
  prof_sampling_describe(sampling);
}

/* The system sets the rate of a thread's timer: it is measured when threads have ended. */
void prof_sampling_describe(struct prof_sampling *sampling) {
  if (sampling->figures.method == PROF_SAMPLER_TIMER && sampling->own_samples > 0)
    sampling->figures.period_ns = sampling->own_cpu_ns / sampling->own_samples;
  if (sampling->writer != NULL)
    (void)prof_writer_sampler(sampling->writer, &sampling->figures);
  if (sampling->writer != NULL)
    prof_sampling_write_pmus(sampling);
}

/* ---- the clock ---- */

static uint64_t interpolate(const struct prof_clock_pair *a, const struct prof_clock_pair *b, uint64_t ns) {
  int64_t span_ns = (int64_t)(b->monotonic_ns - a->monotonic_ns), at_ns = (int64_t)(ns - a->monotonic_ns);
  if (span_ns <= 0)
    return a->ticks;
  return a->ticks + (uint64_t)(int64_t)((__int128)at_ns * (int64_t)(b->ticks - a->ticks) / span_ns);
}

static uint64_t distance(uint64_t a, uint64_t b) {
  return a > b ? a - b : b - a;
}

/* Reads a new pair; the previous pair's distance from the line between its neighbours is an error. */
static void read_pair(struct prof_sampling *sampling) {
  struct prof_clock_pair *pairs = sampling->pairs, now = {0};
  uint64_t error = 0;
  for (int i = 0; i < PAIR_TRIES; i++) { /* repeat interrupted readings */
    now = prof_clock_pair_read(sampling->clock);
    bool first = pairs[0].monotonic_ns == pairs[1].monotonic_ns;
    error = first ? 0 : distance(interpolate(&pairs[0], &now, pairs[1].monotonic_ns), pairs[1].ticks);
    if (error < PAIR_ERROR_TICKS)
      break;
  }
  if (error > sampling->figures.error_ticks)
    sampling->figures.error_ticks = error > UINT32_MAX ? UINT32_MAX : (uint32_t)error;
  pairs[0] = pairs[1];
  pairs[1] = now;
}

/* ---- images and strands ---- */

static uint32_t hash(uint32_t tid) {
  return tid % PROF_SAMPLING_HASH;
}

/* The latest strand of a thread id; NULL: none. */
static struct prof_sampling_strand *find_strand(struct prof_sampling *sampling, uint32_t tid) {
  for (uint32_t at = sampling->heads[hash(tid)]; at != 0; at = sampling->strands.items[at - 1].next)
    if (sampling->strands.items[at - 1].tid == tid)
      return &sampling->strands.items[at - 1];
  return NULL;
}

static uint32_t new_image(struct prof_sampling *sampling, uint32_t pid, uint64_t begin) {
  struct prof_sampling_image image = {.pid = pid, .begin = begin, .used = true};
  for (uint32_t i = 0; i < sampling->images.count; i++)
    if (!sampling->images.items[i].used) {
      sampling->images.items[i] = image;
      return i;
    }
  return prof_vec_push(&sampling->images, image) ? (uint32_t)sampling->images.count - 1 : UINT32_MAX;
}

/* The current image of a process: that of one of its live strands; UINT32_MAX: none. */
static uint32_t image_of(const struct prof_sampling *sampling, uint32_t pid) {
  for (size_t i = sampling->strands.count; i > 0; i--) {
    const struct prof_sampling_strand *strand = &sampling->strands.items[i - 1];
    if (strand->used && strand->pid == pid && strand->end == 0)
      return strand->image;
  }
  return UINT32_MAX;
}

static struct prof_sampling_strand *new_strand(struct prof_sampling *sampling, uint32_t pid, uint32_t tid,
                                               uint32_t image, uint64_t begin) {
  struct prof_sampling_strand strand = {
      .pid = pid, .tid = tid, .image = image, .begin = begin, .used = true, .written_ns = sampling->drained_ns};
  uint32_t at = 0;
  while (at < sampling->strands.count && sampling->strands.items[at].used)
    at++;
  if (image == UINT32_MAX || (at == sampling->strands.count && !prof_vec_push(&sampling->strands, strand)))
    return NULL;
  strand.next = sampling->heads[hash(tid)];
  sampling->heads[hash(tid)] = at + 1;
  sampling->strands.items[at] = strand;
  sampling->images.items[image].strands++;
  return &sampling->strands.items[at];
}

static void take_off(struct prof_sampling_strand *strand, uint64_t time_ns) {
  strand->ran_ns += strand->on_ns != 0 && time_ns > strand->on_ns ? time_ns - strand->on_ns : 0;
  strand->on_ns = 0;
}

/* At `time`, which is time_ns of the kernel's clock. */
static void end_strand(struct prof_sampling *sampling, struct prof_sampling_strand *strand, uint64_t time,
                       uint64_t time_ns) {
  if (strand == NULL || strand->end != 0)
    return;
  take_off(strand, time_ns);
  strand->end = time;
  strand->ended_ns = sampling->drained_ns;
}

/* The live strand of `tid`, made if needed, with time 0 if its process is unknown. */
static struct prof_sampling_strand *live_strand(struct prof_sampling *sampling, uint32_t pid, uint32_t tid,
                                                uint64_t time) {
  struct prof_sampling_strand *strand = find_strand(sampling, tid);
  if (strand != NULL && strand->end == 0 && strand->pid == pid)
    return strand;
  bool again = strand != NULL;
  uint32_t image = image_of(sampling, pid);
  if (image == UINT32_MAX) {
    image = new_image(sampling, pid, again ? time : 0);
    if (image != UINT32_MAX && sampling->attached && sampling->perf.layout.stack_bytes > 0)
      prof_stack_maps_read(&sampling->images.items[image].stack_maps, &sampling->stacks.files, (pid_t)pid);
  }
  return new_strand(sampling, pid, tid, image, again ? time : 0);
}

/* Keeps the name: the strand is freed soon after its end. */
static void keep_name(struct prof_sampling *sampling, const struct prof_sampling_strand *strand) {
  struct prof_sampling_name name = {.thread = strand->thread};
  if (strand->thread == 0 || strand->name[0] == 0)
    return;
  memcpy(name.name, strand->name, sizeof name.name);
  (void)prof_vec_push(&sampling->names, name);
}

static void settle_texts(struct prof_sampling *sampling) {
  size_t left = 0;
  for (size_t i = 0; i < sampling->texts.count; i++) {
    const struct prof_sampling_text text = sampling->texts.items[i];
    struct prof_sampling_image *found = NULL;
    for (size_t k = 0; k < sampling->images.count && found == NULL; k++)
      if (sampling->images.items[k].used && sampling->images.items[k].process == text.process)
        found = &sampling->images.items[k];
    if (found == NULL) {
      sampling->texts.items[left++] = text;
      continue;
    }
    prof_stack_maps_add_text(&found->stack_maps, &sampling->stacks.files, text.begin, text.end, text.bias, text.path);
    free(text.path);
  }
  sampling->texts.count = left;
}

/* Assigns reported processes to images, and reported threads to strands: of several with the same number the latest
 * that had begun by then.  Call it after the kernel's records up to the program's report were taken. */
static void settle(struct prof_sampling *sampling) {
  size_t left = 0;
  for (size_t i = 0; i < sampling->processes.count; i++) {
    const struct prof_sampling_process *process = &sampling->processes.items[i];
    struct prof_sampling_image *found = NULL;
    for (size_t k = 0; k < sampling->images.count; k++) {
      struct prof_sampling_image *image = &sampling->images.items[k];
      if (image->used && image->pid == process->pid && image->begin <= process->start &&
          (found == NULL || image->begin > found->begin))
        found = image;
    }
    if (found == NULL) {
      sampling->processes.items[left++] = *process;
      continue;
    }
    found->process = process->number;
    found->known_ns = sampling->drained_ns;
  }
  sampling->processes.count = left;
  settle_texts(sampling);
  left = 0;
  for (size_t i = 0; i < sampling->threads.count; i++) {
    const struct prof_sampling_thread *thread = &sampling->threads.items[i];
    struct prof_sampling_strand *found = NULL;
    for (uint32_t at = sampling->heads[hash(thread->tid)]; at != 0; at = sampling->strands.items[at - 1].next) {
      struct prof_sampling_strand *strand = &sampling->strands.items[at - 1];
      if (strand->tid == thread->tid && strand->pid == thread->pid && strand->begin <= thread->start &&
          (found == NULL || strand->begin > found->begin))
        found = strand;
    }
    if (found == NULL)
      sampling->threads.items[left++] = *thread;
    else {
      found->thread = thread->number;
      keep_name(sampling, found);
    }
  }
  sampling->threads.count = left;
}

/* ---- records, in time order ---- */

/* A forked process has its parent's maps. */
static void inherit_maps(struct prof_sampling *sampling, uint32_t image, uint32_t parent_pid) {
  uint32_t parent = image_of(sampling, parent_pid);
  if (image != UINT32_MAX && parent != UINT32_MAX && parent != image)
    prof_stack_maps_copy(&sampling->images.items[image].stack_maps, &sampling->images.items[parent].stack_maps);
}

static void take_fork(struct prof_sampling *sampling, const struct prof_perf_record *record, uint64_t time) {
  struct prof_sampling_strand *strand = find_strand(sampling, record->tid);
  end_strand(sampling, strand, time, record->time_ns); /* of an earlier owner of the number */
  uint32_t image =
      record->tid == record->pid ? new_image(sampling, record->pid, time) : image_of(sampling, record->pid);
  if (image == UINT32_MAX)
    image = new_image(sampling, record->pid, time);
  if (sampling->perf.layout.stack_bytes > 0 && record->tid == record->pid)
    inherit_maps(sampling, image, record->parent_pid);
  strand = new_strand(sampling, record->pid, record->tid, image, time);
  if (strand != NULL)
    strand->knows_runs = true;
}

static void take_exec(struct prof_sampling *sampling, const struct prof_perf_record *record, uint64_t time) {
  for (size_t i = 0; i < sampling->strands.count; i++)
    if (sampling->strands.items[i].used && sampling->strands.items[i].pid == record->pid)
      end_strand(sampling, &sampling->strands.items[i], time, record->time_ns);
  struct prof_sampling_strand *strand =
      new_strand(sampling, record->pid, record->tid, new_image(sampling, record->pid, time), time);
  if (strand == NULL)
    return;
  strand->knows_runs = true;
  strand->on_ns = record->time_ns;
}

static void take_name(struct prof_sampling *sampling, const struct prof_perf_record *record) {
  struct prof_sampling_strand *strand = find_strand(sampling, record->tid);
  if (strand == NULL || strand->end != 0 || strand->pid != record->pid)
    return;
  memcpy(strand->name, record->name, sizeof strand->name);
  keep_name(sampling, strand);
}

static void take_map(struct prof_sampling *sampling, struct prof_waiting_record *event, uint64_t time) {
  const struct prof_perf_record *record = &event->record;
  struct prof_sampling_strand *strand = live_strand(sampling, record->pid, record->tid, time);
  struct prof_mapped mapped = {time, record->address, record->address + record->bytes, record->offset, event->path};
  if (strand == NULL)
    return;
  struct prof_sampling_image *image = &sampling->images.items[strand->image];
  if (sampling->perf.layout.stack_bytes > 0)
    prof_stack_maps_add(&image->stack_maps, &sampling->stacks.files, &mapped, record->device, record->inode);
  if (event->path != NULL && prof_vec_push(&image->maps, mapped))
    event->path = NULL; /* the image owns it now */
}

/* Sets the path, and the flag of the profiler's own code.  Of a process with a runtime: others' samples are dropped. */
static void unwind(struct prof_sampling *sampling, const struct prof_waiting_record *event, uint32_t image_index,
                   struct prof_sample_record *out) {
  struct prof_sampling_image *image = &sampling->images.items[image_index];
  if (event->stack == 0 || (!image->stack_maps.has_runtime && image->process == 0))
    return;
  struct prof_unwind_sample stack = prof_stack_copies_get(&sampling->waiting.copies, event->stack);
  bool own;
  out->path = prof_stacks_path(&sampling->stacks, &image->stack_maps, (pid_t)image->pid, &stack, &own);
  out->flags |= own ? PROF_SAMPLE_PROBE : 0;
}

static void take(struct prof_sampling *sampling, struct prof_waiting_record *event) {
  const struct prof_perf_record *record = &event->record;
  uint64_t time = interpolate(&sampling->pairs[0], &sampling->pairs[1], record->time_ns);
  struct prof_sample_record sample = {
      .time = time, .address = record->address, .processor = record->processor, .flags = record->flags};
  struct prof_sampling_strand *strand;
  switch (record->kind) {
  case PROF_PERF_SAMPLE:
    sampling->sampled++;
    strand = live_strand(sampling, record->pid, record->tid, time);
    if (strand == NULL)
      break;
    unwind(sampling, event, strand->image, &sample);
    (void)prof_vec_push(&strand->samples, sample);
    break;
  case PROF_PERF_COUNTED:
    strand = live_strand(sampling, record->pid, record->tid, time);
    if (strand != NULL)
      (void)prof_vec_push(
          &strand->counted,
          ((struct prof_sampling_counted){{time, record->address, record->weight, record->flags}, record->counter}));
    break;
  case PROF_PERF_SWITCH:
    sampling->switches++;
    strand = find_strand(sampling, record->tid);
    if (strand == NULL && sampling->attached) /* of a thread that ran before, which may have no sample yet */
      strand = live_strand(sampling, record->pid, record->tid, time);
    if (strand == NULL || strand->end != 0)
      break;
    take_off(strand, record->time_ns);
    if (record->flags == PROF_SWITCH_ON)
      strand->on_ns = record->time_ns;
    (void)prof_vec_push(&strand->switches, sample);
    strand->last_switch = sample;
    break;
  case PROF_PERF_MAP:
    take_map(sampling, event, time);
    break;
  case PROF_PERF_EXEC:
    take_exec(sampling, record, time);
    break;
  case PROF_PERF_NAME:
    take_name(sampling, record);
    break;
  case PROF_PERF_FORK:
    take_fork(sampling, record, time);
    break;
  case PROF_PERF_EXIT:
    end_strand(sampling, find_strand(sampling, record->tid), time, record->time_ns);
    break;
  }
}

/* Text that the recorder switches is the file's still; other memory that isn't a file's may lie where a file's lay. */
static bool is_kept(const struct prof_sampling *sampling, const struct prof_perf_record *record) {
  return record->kind != PROF_PERF_MAP || prof_map_is_file(record->path) ||
         (sampling->perf.layout.stack_bytes > 0 && strstr(record->path, "/memfd:" PROF_REGION_FILE) != record->path);
}

static void keep(void *context, const struct prof_perf_record *record) {
  struct prof_sampling *sampling = context;
  if (is_kept(sampling, record))
    prof_record_order_add(&sampling->waiting, record, record->kind == PROF_PERF_MAP && prof_map_is_file(record->path));
}

/* Takes what the kernel wrote before now; the last time, all: then the clock is read afterwards. */
static void drain(struct prof_sampling *sampling, uint64_t now_ns, bool last) {
  sampling->drained_ns = now_ns;
  if (!last)
    read_pair(sampling);
  prof_perf_drain(&sampling->perf, keep, sampling);
  if (last)
    read_pair(sampling);
  size_t count = prof_record_order_before(&sampling->waiting, sampling->pairs[1].monotonic_ns);
  for (size_t i = 0; i < count; i++)
    take(sampling, &sampling->waiting.items.items[i]);
  prof_record_order_drop(&sampling->waiting, count);
  settle(sampling);
  sampling->figures.lost = sampling->perf.layout.lost;
  sampling->figures.throttled = sampling->perf.layout.throttled;
}

/* ---- the programs' own records ---- */

void prof_sampling_process(struct prof_sampling *sampling, const struct prof_log_process *record) {
  struct prof_sampling_process process = {(uint32_t)record->pid, record->process, record->start};
  bool ours = !(record->flags & PROF_PROCESS_OTHER_PIDS);
  if (ours && (sampling->figures.method == PROF_SAMPLER_TIMER || sampling->attached))
    prof_map_read(&sampling->maps, record->process, record->pid);
  if (ours && sampling->figures.method == PROF_SAMPLER_PERF)
    (void)prof_vec_push(&sampling->processes, process); /* without memory its samples are foreign */
}

/* Where the recording follows the process from its start, the kernel's records have told what the text is a copy of. */
void prof_sampling_module(struct prof_sampling *sampling, const struct prof_log_module *record, const char *path) {
  if (!sampling->attached || sampling->perf.layout.stack_bytes == 0 || record->text == 0 ||
      record->text_bytes > UINT64_MAX - record->text_begin)
    return;
  struct prof_sampling_text text = {record->process, record->text_begin, record->text_begin + record->text_bytes,
                                    record->bias, strdup(path)};
  if (text.path == NULL || !prof_vec_push(&sampling->texts, text))
    free(text.path);
}

void prof_sampling_thread(struct prof_sampling *sampling, uint32_t pid, uint32_t tid, uint64_t start_ticks,
                          uint32_t number) {
  struct prof_sampling_thread thread = {pid, tid, number, start_ticks};
  if (sampling->figures.method == PROF_SAMPLER_PERF)
    (void)prof_vec_push(&sampling->threads, thread); /* without memory its samples have no thread with events */
}

bool prof_sampling_drain(struct prof_sampling *sampling, uint64_t now_ns, bool last) {
  if (sampling->figures.method != PROF_SAMPLER_PERF || (!last && now_ns - sampling->drained_ns < DRAIN_NS))
    return false;
  drain(sampling, now_ns, last);
  if (last) {
    prof_sampling_read_pmus(sampling);
    prof_perf_close(&sampling->perf);
  }
  return true;
}

void prof_sampling_take_all(struct prof_sampling *sampling, uint64_t now_ns) {
  if (sampling->figures.method == PROF_SAMPLER_PERF)
    drain(sampling, now_ns, false);
}

void prof_sampling_own(struct prof_sampling *sampling, const struct prof_samples_record *samples) {
  (void)prof_writer_samples(sampling->writer, samples);
}

void prof_sampling_own_time(struct prof_sampling *sampling, uint64_t cpu_ns, uint64_t samples) {
  sampling->own_cpu_ns += samples > 0 ? cpu_ns : 0;
  sampling->own_samples += samples;
}

static void note_unknown(struct prof_sampling *sampling) {
  char text[160];
  if (sampling->stacks.unknown == 0)
    return;
  snprintf(text, sizeof text, "the callers of %llu samples are not recorded: there are too many call chains",
           (unsigned long long)sampling->stacks.unknown);
  (void)prof_writer_note(sampling->writer, &(struct prof_note_record){.text = prof_span(text)});
}

void prof_sampling_finish(struct prof_sampling *sampling, uint32_t unsampled) {
  sampling->figures.unsampled = unsampled;
  sampling->figures.lost = sampling->perf.layout.lost; /* includes samples dropped for lack of room */
  prof_sampling_describe(sampling);
  note_unknown(sampling);
  settle(sampling);
  prof_sampling_look_unrecorded(sampling);
  prof_map_table_fini(&sampling->maps);
  prof_sampling_free(sampling);
}
