/*
 * test/bench/codec_speed.c - how fast and how small: ring events into chunks and back, one core.
 *
 *   codec_speed [--events=N] [--functions=N] [--rounds=N] [TRACE...]
 *
 * Streams: a made-up interpreter (test/support/synthetic.h) with the stepping clock, the same with each reading off by
 * up to 16 ticks, and every TRACE given, fed again as it was recorded and jittered.  Prints the median round.
 */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "match/matcher.h"
#include "ring_stream.h"
#include "trace/read/cursor_inline.h"

#define SEGMENT_SLOTS 4091
#define ROUNDS_LIMIT 99

static void need(int fine, const char *what) {
  if (!fine) {
    fprintf(stderr, "codec_speed: %s\n", what);
    exit(1);
  }
}

static double seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static int compare(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return x < y ? -1 : x > y;
}

static double median(double *values, int count) {
  qsort(values, (size_t)count, sizeof *values, compare);
  return values[count / 2];
}

static double encode(const struct prof_ring_stream *stream, const char *directory, uint64_t *bytes) {
  static struct prof_event slots[SEGMENT_SLOTS];
  char path[256];
  snprintf(path, sizeof path, "%s/trace", directory);
  unlink(path);
  prof_writer *writer;
  need(prof_writer_open(directory, NULL, NULL, &writer) == PROF_OK, "cannot write");
  prof_packer *packer = prof_packer_new(writer);
  prof_matcher *matcher = packer ? prof_matcher_new(packer, 1) : NULL;
  need(matcher != NULL, "out of memory");
  struct prof_site_map map = {stream->functions, stream->site_count};
  double used = 0;
  for (size_t at = 0; at < stream->count;) {
    size_t count = stream->count - at < SEGMENT_SLOTS ? stream->count - at : SEGMENT_SLOTS;
    memcpy(slots, stream->events + at, count * sizeof *slots);
    double begin = seconds();
    prof_matcher_drain(matcher, slots, count, &map, false);
    used += seconds() - begin;
    at += count;
  }
  double begin = seconds();
  need(prof_encoder_flush(prof_matcher_encoder(matcher), true) == PROF_OK, "cannot write");
  used += seconds() - begin;
  *bytes = prof_writer_bytes(writer);
  prof_matcher_free(matcher);
  prof_packer_free(packer);
  need(prof_writer_close(writer, NULL) == PROF_OK, "cannot write");
  return used;
}

struct decoded {
  double load, cursor, times;
  uint64_t sum;
};

static void decode(const char *directory, struct decoded *out) {
  prof_trace *trace;
  need(prof_trace_open(directory, NULL, &trace) == PROF_OK, "cannot read back");
  size_t count;
  prof_trace_chunks(trace, &count);
  struct prof_chunk chunk = {0};
  memset(out, 0, sizeof *out);
  for (size_t i = 0; i < count; i++) {
    double begin = seconds();
    need(prof_chunk_load(trace, i, NULL, &chunk) == PROF_OK, "a chunk is damaged");
    double loaded = seconds();
    struct prof_cursor cursor;
    struct prof_step step;
    prof_cursor_begin(&cursor, &chunk);
    while (prof_cursor_next(&cursor, &step))
      out->sum += step.op + step.value;
    double walked = seconds();
    struct prof_times position;
    uint64_t times[256];
    prof_times_begin(&position, &chunk);
    while (prof_times_next(&position, times, 256))
      out->sum += times[0];
    out->times += seconds() - walked;
    out->load += loaded - begin;
    out->cursor += walked - loaded;
  }
  prof_chunk_free(&chunk);
  prof_trace_close(trace);
}

static void measure(const char *name, const struct prof_ring_stream *stream, int rounds) {
  char directory[] = "/tmp/codec_speed.XXXXXX", path[64];
  need(mkdtemp(directory) != NULL, "cannot make a folder in /tmp");
  snprintf(path, sizeof path, "%s/trace", directory);
  double encoded[ROUNDS_LIMIT], load[ROUNDS_LIMIT], cursor[ROUNDS_LIMIT], times[ROUNDS_LIMIT];
  uint64_t bytes = 0, sum = 0;
  for (int i = 0; i < rounds; i++) {
    struct decoded decoded;
    encoded[i] = encode(stream, directory, &bytes);
    decode(directory, &decoded);
    load[i] = decoded.load;
    cursor[i] = decoded.cursor;
    times[i] = decoded.times;
    sum += decoded.sum;
  }
  unlink(path);
  rmdir(directory);
  double million = (double)stream->count / 1e6;
  printf("%-28s %9.1f %8.3f %8.0f %8.0f %8.0f %8.0f   (%llx)\n", name, million, (double)bytes / (double)stream->count,
         million / median(encoded, rounds), million / median(load, rounds), million / median(times, rounds),
         million / median(cursor, rounds), (unsigned long long)sum & 0xfff);
  fflush(stdout);
}

int main(int argc, char **argv) {
  static const struct option options[] = {{"events", required_argument, NULL, 'e'},
                                          {"functions", required_argument, NULL, 'f'},
                                          {"rounds", required_argument, NULL, 'r'},
                                          {NULL, 0, NULL, 0}};
  size_t events = 8000000;
  uint32_t functions = 400;
  int rounds = 5;
  for (int letter; (letter = getopt_long(argc, argv, "", options, NULL)) != -1;) {
    if (letter == 'e')
      events = strtoull(optarg, NULL, 0);
    else if (letter == 'f')
      functions = (uint32_t)strtoul(optarg, NULL, 0);
    else if (letter == 'r')
      rounds = atoi(optarg);
    else
      return 2;
  }
  need(events && functions > 1 && rounds > 0 && rounds <= ROUNDS_LIMIT, "a number is out of range");
  printf("%-28s %9s %8s %8s %8s %8s %8s   millions of events per second of CPU time\n", "stream", "M events", "B/event",
         "encode", "load", "times", "cursor");
  struct prof_ring_stream stream = prof_ring_stream_made_up(events, functions, 0);
  measure("made up, stepping clock", &stream, rounds);
  prof_ring_stream_free(&stream);
  stream = prof_ring_stream_made_up(events, functions, 16);
  measure("made up, +-16 ticks", &stream, rounds);
  prof_ring_stream_free(&stream);
  for (int i = optind; i < argc; i++) {
    stream = prof_ring_stream_recorded(argv[i], events);
    measure(argv[i], &stream, rounds);
    prof_ring_stream_jitter(&stream, 16);
    measure("  the same, +-16 ticks", &stream, rounds);
    prof_ring_stream_free(&stream);
  }
  return 0;
}
