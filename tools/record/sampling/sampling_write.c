/*
 * tools/record/sampling/sampling_write.c - see sampling_write.h.
 */
#include "record/sampling/sampling_write.h"

#include <stdlib.h>
#include <string.h>

#include "base/order.h"
#include "record/sampling/sampling_pmu.h"

#define WRITE_NS 250000000u   /* between two checks */
#define AGE_NS 1000000000u    /* samples are in the file after at most this, if their thread is known */
#define SETTLE_NS 1000000000u /* after its end a thread gets no more records */
#define MAPS_NS 300000000u    /* a module's own record comes soon after its map, and has more facts */
#define FULL_RECORDS 16384u   /* in one chunk */
#define MOST_RECORDS 1048576u /* maximum that wait for their thread */
#define MOST_PATHS 65536u     /* that each stretch of a summary begins with */
#define HEAD_BYTES 104u       /* of a chunk */
#define MAP_BYTES 256u        /* of a MAP chunk, and a MODULE chunk without functions */

static int by_time(const void *left, const void *right) {
  uint64_t a = ((const struct prof_sample_record *)left)->time, b = ((const struct prof_sample_record *)right)->time;
  return prof_order(a, b);
}

/* Moves those within the process's slices to the front.  Returns their number. */
static size_t keep_recorded(const struct prof_slices *slices, uint32_t process, struct prof_sample_record *records,
                            size_t count) {
  size_t kept = 0;
  for (size_t i = 0; i < count; i++)
    if (prof_slices_have(slices, process, records[i].time))
      records[kept++] = records[i];
  return kept;
}

static void write_records(struct prof_sampling *sampling, const struct prof_sampling_strand *strand,
                          enum prof_sample_kind kind, struct prof_sample_record *records, size_t count) {
  count = keep_recorded(sampling->slices, sampling->images.items[strand->image].process, records, count);
  if (count > 0)
    qsort(records, count, sizeof *records, by_time);
  for (size_t at = 0; at < count; at += FULL_RECORDS) {
    struct prof_samples_record chunk = {.kind = kind,
                                        .thread = strand->thread,
                                        .process = sampling->images.items[strand->image].process,
                                        .tid = strand->tid,
                                        .records = records + at,
                                        .count = (uint32_t)(count - at < FULL_RECORDS ? count - at : FULL_RECORDS)};
    uint64_t left_out = prof_writer_left_out(sampling->writer);
    (void)prof_writer_samples(sampling->writer, &chunk);
    if (kind == PROF_SAMPLE_SAMPLES && prof_writer_left_out(sampling->writer) > left_out)
      sampling->perf.layout.lost += chunk.count;
  }
}

/* Sorts; returns how many lie before `until`. */
static size_t before(struct prof_sample_record *records, size_t count, uint64_t until) {
  if (count > 0)
    qsort(records, count, sizeof *records, by_time);
  return prof_search(0, count, i, records[i].time < until);
}

/* The first ones were written. */
static size_t drop(struct prof_sample_record *records, size_t count, size_t written) {
  if (count > written)
    memmove(records, records + written, (count - written) * sizeof *records);
  return count - written;
}

/* What lies before `until`. */
static void write_strand(struct prof_sampling *sampling, struct prof_sampling_strand *strand, uint64_t now_ns,
                         uint64_t until) {
  size_t samples = before(strand->samples.items, strand->samples.count, until);
  size_t switches = before(strand->switches.items, strand->switches.count, until);
  if (switches > 0)
    strand->written_switch = strand->switches.items[switches - 1];
  if (sampling->images.items[strand->image].process == 0) {
    sampling->figures.foreign += samples;
  } else {
    write_records(sampling, strand, PROF_SAMPLE_SAMPLES, strand->samples.items, samples);
    write_records(sampling, strand, PROF_SAMPLE_SWITCHES, strand->switches.items, switches);
  }
  strand->samples.count = drop(strand->samples.items, strand->samples.count, samples);
  strand->switches.count = drop(strand->switches.items, strand->switches.count, switches);
  prof_sampling_write_counted(sampling, strand);
  strand->written_ns = now_ns;
}

static bool is_due(const struct prof_sampling *sampling, const struct prof_sampling_strand *strand, uint64_t now_ns) {
  size_t most = strand->samples.count > strand->switches.count ? strand->samples.count : strand->switches.count;
  most = most > strand->counted.count ? most : strand->counted.count;
  if (strand->end != 0 && now_ns - strand->ended_ns > SETTLE_NS)
    return true;
  if (strand->thread == 0 || sampling->images.items[strand->image].process == 0)
    return most >= MOST_RECORDS;
  return most >= FULL_RECORDS || (most > 0 && now_ns - strand->written_ns > AGE_NS);
}

static void free_maps(struct prof_sampling_image *image) {
  for (size_t i = 0; i < image->maps.count; i++)
    free(image->maps.items[i].path);
  prof_vec_fini(&image->maps);
}

/* After an exec, files are mapped first; then an instrumented program reports itself. */
static void look_unrecorded(struct prof_sampling *sampling, const struct prof_sampling_image *image) {
  if (image->process == 0)
    prof_unrecorded_look(&sampling->unrecorded, image->maps.items, image->maps.count);
}

void prof_sampling_look_unrecorded(struct prof_sampling *sampling) {
  for (size_t i = 0; i < sampling->images.count; i++)
    if (sampling->images.items[i].used)
      look_unrecorded(sampling, &sampling->images.items[i]);
  prof_unrecorded_fini(&sampling->unrecorded);
}

static void free_strand(struct prof_sampling *sampling, uint32_t index) {
  struct prof_sampling_strand *strand = &sampling->strands.items[index];
  uint32_t *link = &sampling->heads[strand->tid % PROF_SAMPLING_HASH];
  while (*link != 0 && *link != index + 1)
    link = &sampling->strands.items[*link - 1].next;
  *link = strand->next;
  struct prof_sampling_ended ended = {strand->thread, strand->begin, strand->end, strand->ran_ns, strand->knows_runs};
  if (strand->thread != 0)
    (void)prof_vec_push(&sampling->ended, ended); /* its process may live on, after an exec */
  struct prof_sampling_image *image = &sampling->images.items[strand->image];
  if (--image->strands == 0) {
    look_unrecorded(sampling, image);
    free_maps(image);
    prof_stack_maps_fini(&image->stack_maps);
    image->used = false;
  }
  prof_vec_fini(&strand->samples);
  prof_vec_fini(&strand->switches);
  prof_vec_fini(&strand->counted);
  *strand = (struct prof_sampling_strand){0};
}

static void write_maps(struct prof_sampling *sampling, uint64_t now_ns, bool last) {
  for (size_t i = 0; i < sampling->images.count; i++) {
    struct prof_sampling_image *image = &sampling->images.items[i];
    if (!image->used || image->process == 0 || image->maps.count == 0 || (!last && now_ns - image->known_ns < MAPS_NS))
      continue;
    for (size_t m = 0; m < image->maps.count; m++)
      prof_map_write(&sampling->maps, image->process, (pid_t)image->pid, &image->maps.items[m]);
    free_maps(image);
    image->known_ns = now_ns;
  }
}

void prof_sampling_write(struct prof_sampling *sampling, uint64_t now_ns, bool last) {
  if (!last && now_ns - sampling->written_ns < WRITE_NS)
    return;
  sampling->written_ns = now_ns;
  prof_paths_write(&sampling->stacks.paths, sampling->writer);
  write_maps(sampling, now_ns, last);
  for (uint32_t i = 0; i < sampling->strands.count; i++) {
    struct prof_sampling_strand *strand = &sampling->strands.items[i];
    if (!strand->used || (!last && !is_due(sampling, strand, now_ns)))
      continue;
    bool over = strand->end != 0 && now_ns - strand->ended_ns > SETTLE_NS;
    if (over) /* its last strand frees its image */
      write_maps(sampling, now_ns, true);
    write_strand(sampling, strand, now_ns, UINT64_MAX);
    if (over)
      free_strand(sampling, i);
  }
}

/* If the strand is off its processor at `cut`, both files get a switch there: of one time, the one off comes first.
 * If it went off after the cut, and this file has that already, the next one gets it too. */
static void cut_strand(struct prof_sampling_strand *strand, uint64_t cut) {
  size_t early = before(strand->switches.items, strand->switches.count, cut);
  struct prof_sample_record off = early > 0 ? strand->switches.items[early - 1] : strand->written_switch;
  strand->cut_off = (struct prof_sample_record){0};
  if (off.time == 0 || off.flags == PROF_SWITCH_ON || (strand->end != 0 && strand->end <= cut))
    return;
  if (off.time >= cut) {
    strand->cut_off = off;
    return;
  }
  strand->cut_off = (struct prof_sample_record){.time = cut, .processor = off.processor, .flags = off.flags};
  struct prof_sample_record on = {.time = cut - 1, .flags = PROF_SWITCH_ON};
  (void)prof_vec_push(&strand->switches, on);
}

void prof_sampling_cut_end(struct prof_sampling *sampling, uint64_t now_ns, uint64_t ticks,
                           const struct prof_sampling_cut *cuts, size_t cut_count) {
  prof_paths_write(&sampling->stacks.paths, sampling->writer);
  write_maps(sampling, now_ns, true);
  for (uint32_t i = 0; i < sampling->strands.count; i++) {
    struct prof_sampling_strand *strand = &sampling->strands.items[i];
    strand->cut_off = (struct prof_sample_record){0};
    if (!strand->used || sampling->images.items[strand->image].process == 0)
      continue;
    size_t at = prof_search(0, cut_count, j, cuts[j].thread < strand->thread);
    uint64_t cut = at < cut_count && cuts[at].thread == strand->thread ? cuts[at].ticks : ticks;
    cut_strand(strand, cut);
    write_strand(sampling, strand, now_ns, cut);
  }
}

void prof_sampling_cut_begin(struct prof_sampling *sampling) {
  for (uint32_t i = 0; i < sampling->strands.count; i++)
    if (sampling->strands.items[i].cut_off.time != 0)
      (void)prof_vec_push(&sampling->strands.items[i].switches, sampling->strands.items[i].cut_off);
}

bool prof_sampling_cut_paths(struct prof_sampling *sampling) {
  if (prof_paths_written(&sampling->stacks.paths) < MOST_PATHS)
    return false;
  prof_paths_renew(&sampling->stacks.paths);
  for (uint32_t i = 0; i < sampling->strands.count; i++) {
    struct prof_sampling_strand *strand = &sampling->strands.items[i];
    for (size_t k = 0; k < strand->samples.count; k++)
      strand->samples.items[k].path = 0;
  }
  return true;
}

uint64_t prof_sampling_waiting_bytes(const struct prof_sampling *sampling) {
  uint64_t each = PROF_SAMPLE_BYTES + (sampling->perf.layout.stack_bytes > 0 ? PROF_SAMPLE_PATH_BYTES : 0);
  uint64_t bytes = prof_perf_waiting(&sampling->perf) * each;
  bytes += prof_paths_waiting_bytes(&sampling->stacks.paths);
  for (uint32_t i = 0; i < sampling->strands.count; i++) {
    const struct prof_sampling_strand *strand = &sampling->strands.items[i];
    if (strand->used && sampling->images.items[strand->image].process != 0) /* others are never written */
      bytes += HEAD_BYTES * ((strand->samples.count > 0) + (strand->switches.count > 0)) +
               each * (strand->samples.count + strand->switches.count + strand->counted.count);
  }
  for (size_t i = 0; i < sampling->images.count; i++)
    if (sampling->images.items[i].used && sampling->images.items[i].process != 0)
      bytes += sampling->images.items[i].maps.count * MAP_BYTES;
  return bytes;
}

void prof_sampling_free(struct prof_sampling *sampling) {
  for (size_t i = 0; i < sampling->strands.count; i++) {
    prof_vec_fini(&sampling->strands.items[i].samples);
    prof_vec_fini(&sampling->strands.items[i].switches);
    prof_vec_fini(&sampling->strands.items[i].counted);
  }
  for (size_t i = 0; i < sampling->images.count; i++) {
    free_maps(&sampling->images.items[i]);
    prof_stack_maps_fini(&sampling->images.items[i].stack_maps);
  }
  for (size_t i = 0; i < sampling->texts.count; i++)
    free(sampling->texts.items[i].path);
  prof_vec_fini(&sampling->texts);
  prof_stacks_fini(&sampling->stacks);
  prof_vec_fini(&sampling->strands);
  prof_vec_fini(&sampling->images);
  prof_record_order_fini(&sampling->waiting);
  prof_vec_fini(&sampling->threads);
  prof_vec_fini(&sampling->processes);
  prof_vec_fini(&sampling->names);
  prof_vec_fini(&sampling->ended);
}
