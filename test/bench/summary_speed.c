/*
 * test/bench/summary_speed.c - what a recorder does in --mode=summary, without a program beside it: nanoseconds of CPU
 * time for an event.
 *
 *   summary_speed [--events=N] [--rounds=N] TRACE...
 *
 * The events of each trace's busiest thread go through matcher, columns and fold, stretch by stretch, as in a recorder.
 * They come from memory that no other processor writes to.  Prints the fastest round, and a checksum of the summary.
 */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <zlib.h>

#include "estimate/stretch_span.h"
#include "estimate/summarize.h"
#include "match/matcher.h"
#include "ring_stream.h"
#include "trace/read/memory.h"
#include "trace/write/facts.h"
#include "trace/write/write_ring.h"
#include "trace/write/write_stretch.h"
#include "trace/write/write_tables.h"

#define SEGMENT_SLOTS 4027
#define STRETCH_BYTES (2u << 20) /* as record/summary/summaries.h, of small trees */

static void need(int fine, const char *what) {
  if (!fine) {
    fprintf(stderr, "summary_speed: %s\n", what);
    exit(1);
  }
}

static double nanoseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

struct facts {
  uint8_t *bytes;
  size_t count; /* with the file's header */
};

/* A trace's chunks with names, sites, threads and the like. */
static struct facts facts_of(const char *folder) {
  char path[4096];
  struct stat status;
  snprintf(path, sizeof path, "%s/trace", folder);
  FILE *file = fopen(path, "rb");
  need(file != NULL && fstat(fileno(file), &status) == 0, "cannot read the trace");
  uint8_t *bytes = malloc((size_t)status.st_size + 1);
  need(bytes && fread(bytes, 1, (size_t)status.st_size, file) == (size_t)status.st_size, "cannot read the trace");
  fclose(file);
  struct facts facts = {bytes, sizeof(struct prof_format_file)};
  for (size_t at = facts.count; at + sizeof(struct prof_format_chunk) <= (size_t)status.st_size;) {
    struct prof_format_chunk head;
    memcpy(&head, bytes + at, sizeof head);
    size_t size =
        sizeof head + (((size_t)head.packed_bytes + PROF_FORMAT_ALIGNMENT - 1) & ~(PROF_FORMAT_ALIGNMENT - 1u));
    if (prof_facts_hold(head.kind) || prof_facts_are_latest(head.kind)) {
      memmove(bytes + facts.count, bytes + at, size);
      facts.count += size;
    }
    at += size;
  }
  return facts;
}

struct spent { /* nanoseconds */
  double match, hold, fold;
};

struct run {
  const struct prof_ring_stream *stream;
  const struct facts *facts;
  prof_writer *writer;
  prof_packer *packer;
  prof_matcher *matcher;
  struct prof_summary summary;
  struct prof_held_stretch stretch;
  uint64_t begin; /* of the present stretch */
  uint8_t *whole; /* a stretch with facts */
  size_t capacity;
  struct spent spent;
};

static void fold_stretch(struct run *run, uint64_t end) {
  struct prof_diag diag = {0};
  prof_trace *trace;
  size_t head = sizeof(struct prof_format_file), count = run->facts->count + run->stretch.count - head;
  if (count + PROF_STRETCH_PADDING > run->capacity) {
    run->capacity = 2 * count + PROF_STRETCH_PADDING;
    free(run->whole);
    run->whole = calloc(1, run->capacity);
    need(run->whole != NULL, "out of memory");
  }
  memcpy(run->whole, run->facts->bytes, run->facts->count);
  memcpy(run->whole + run->facts->count, run->stretch.bytes + head, run->stretch.count - head);
  double begin = nanoseconds();
  const struct prof_stretch_span span = {.begin = run->begin, .end = end};
  need(prof_trace_open_memory(run->whole, count, &diag, &trace) == PROF_OK, "a stretch is damaged");
  need(prof_summarize(trace, &span, &diag, &run->summary) == PROF_OK, "a stretch can't be folded");
  prof_trace_close(trace);
  run->spent.fold += nanoseconds() - begin;
}

static void end_stretch(struct run *run, uint64_t ticks, bool last) {
  double begin = nanoseconds();
  if (last)
    need(prof_encoder_flush(prof_matcher_encoder(run->matcher), true) == PROF_OK, "cannot write");
  else
    prof_matcher_cut(run->matcher, ticks, 0);
  double held = nanoseconds();
  need(prof_writer_take_stretch(run->writer, ticks, &run->stretch) == PROF_OK, "out of memory");
  run->spent.match += held - begin;
  run->spent.hold += nanoseconds() - held;
  fold_stretch(run, last ? UINT64_MAX : ticks);
  run->begin = ticks;
}

static void feed(struct run *run) {
  static struct prof_event slots[SEGMENT_SLOTS];
  const struct prof_ring_stream *stream = run->stream;
  struct prof_site_map map = {stream->functions, stream->site_count};
  uint64_t ticks = 0;
  for (size_t at = 0; at < stream->count;) {
    size_t count = stream->count - at < SEGMENT_SLOTS ? stream->count - at : SEGMENT_SLOTS;
    memcpy(slots, stream->events + at, count * sizeof *slots);
    ticks = slots[count - 1].time;
    double begin = nanoseconds();
    prof_matcher_drain(run->matcher, slots, count, &map, false);
    run->spent.match += nanoseconds() - begin;
    at += count;
    if (prof_writer_lap_bytes(run->writer) >= STRETCH_BYTES)
      end_stretch(run, ticks, false);
  }
  end_stretch(run, ticks + 1, true);
}

/* *checksum: of the summary. */
static struct spent measure(const struct prof_ring_stream *stream, const struct facts *facts, uint32_t *checksum) {
  struct run run = {.stream = stream, .facts = facts};
  struct prof_diag diag = {0};
  struct prof_payload payload = {0};
  const struct prof_writer_options options = {.start_realtime_ns = 1};
  need(prof_writer_open_stretches(&options, &diag, &run.writer) == PROF_OK, "out of memory");
  run.packer = prof_packer_new(run.writer);
  run.matcher = run.packer ? prof_matcher_new(run.packer, stream->thread) : NULL;
  need(run.matcher && prof_summary_init(&run.summary) == PROF_OK, "out of memory");
  feed(&run);
  prof_summary_write(&run.summary, &payload);
  *checksum = (uint32_t)crc32(0, payload.items, (uInt)payload.count);
  prof_vec_fini(&payload);
  prof_summary_fini(&run.summary);
  prof_matcher_free(run.matcher);
  prof_packer_free(run.packer);
  need(prof_writer_close(run.writer, NULL) == PROF_OK, "cannot write");
  prof_stretch_free(&run.stretch);
  free(run.whole);
  return run.spent;
}

static double all_of(const struct spent *spent) {
  return spent->match + spent->hold + spent->fold;
}

static void measure_trace(const char *path, size_t events, int rounds) {
  struct prof_ring_stream stream = prof_ring_stream_recorded(path, events);
  struct facts facts = facts_of(path);
  struct spent best = {0};
  uint32_t checksum = 0;
  for (int i = 0; i < rounds; i++) {
    struct spent spent = measure(&stream, &facts, &checksum);
    if (i == 0 || all_of(&spent) < all_of(&best))
      best = spent;
  }
  double count = (double)stream.count;
  printf("%-28s %9.1f %8.2f %8.2f %8.2f %8.2f   (%08x)\n", path, count / 1e6, best.match / count, best.hold / count,
         best.fold / count, all_of(&best) / count, (unsigned)checksum);
  fflush(stdout);
  free(facts.bytes);
  prof_ring_stream_free(&stream);
}

int main(int argc, char **argv) {
  static const struct option options[] = {
      {"events", required_argument, NULL, 'e'}, {"rounds", required_argument, NULL, 'r'}, {NULL, 0, NULL, 0}};
  size_t events = 16000000;
  int rounds = 5;
  for (int letter; (letter = getopt_long(argc, argv, "", options, NULL)) != -1;) {
    if (letter == 'e')
      events = strtoull(optarg, NULL, 0);
    else if (letter == 'r')
      rounds = atoi(optarg);
    else
      return 2;
  }
  need(events && rounds > 0 && optind < argc, "usage: summary_speed [--events=N] [--rounds=N] TRACE...");
  printf("%-28s %9s %8s %8s %8s %8s   nanoseconds of CPU time for an event\n", "trace", "M events", "match", "hold",
         "fold", "all");
  for (int i = optind; i < argc; i++)
    measure_trace(argv[i], events, rounds);
  return 0;
}
