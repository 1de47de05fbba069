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
#include "synthetic.h"
#include "trace/read/cursor_inline.h"

#define SEGMENT_SLOTS 4091
#define ROUNDS_LIMIT 99

struct stream {
  struct prof_event *events;
  size_t count, capacity;
  uint32_t *functions; /* by site */
  uint32_t site_count;
};

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

static double encode(const struct stream *stream, const char *directory, uint64_t *bytes) {
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

static void measure(const char *name, const struct stream *stream, int rounds) {
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

static struct stream made_up(size_t count, uint32_t functions, uint32_t jitter) {
  struct prof_synthetic *synthetic =
      prof_synthetic_new(&(struct prof_synthetic_options){functions, jitter, 1, 1000000000});
  struct stream stream = {malloc(count * sizeof *stream.events), count, count,
                          calloc(2 * (size_t)functions + 1, sizeof *stream.functions), 2 * functions + 1};
  need(synthetic && stream.events && stream.functions, "out of memory");
  for (uint32_t i = 0; i < functions; i++)
    stream.functions[1 + 2 * i] = stream.functions[2 + 2 * i] = i;
  prof_synthetic_fill(synthetic, stream.events, count);
  prof_synthetic_free(synthetic);
  return stream;
}

/* ---- a recorded trace as ring events again: its busiest thread ---- */

static void put(struct stream *stream, uint64_t time, uint32_t what, uint32_t aux) {
  if (stream->count == stream->capacity) {
    stream->capacity = stream->capacity ? stream->capacity * 2 : 1 << 20;
    stream->events = realloc(stream->events, stream->capacity * sizeof *stream->events);
    need(stream->events != NULL, "out of memory");
  }
  stream->events[stream->count++] = (struct prof_event){time, what, aux};
}

struct replayed {
  const prof_trace *trace;
  struct stream stream;
  uint32_t *exits, *landings; /* by entry site: a site of that kind in the same function; 0 none */
  uint32_t *stack;            /* entry sites */
  uint32_t depth;
};
#define STACK_LIMIT (1u << 20)

static void find_sites(struct replayed *replayed) {
  struct stream *stream = &replayed->stream;
  size_t functions, loads;
  prof_trace_functions(replayed->trace, &functions);
  const struct prof_load *load = prof_trace_loads(replayed->trace, &loads);
  for (size_t i = 0; i < loads; i++)
    if (load[i].first_site + load[i].site_count > stream->site_count)
      stream->site_count = load[i].first_site + load[i].site_count;
  stream->functions = calloc(stream->site_count + 1, sizeof *stream->functions);
  replayed->exits = calloc(stream->site_count + 1, sizeof *replayed->exits);
  replayed->landings = calloc(stream->site_count + 1, sizeof *replayed->landings);
  replayed->stack = calloc(STACK_LIMIT, sizeof *replayed->stack);
  uint32_t(*of_kind)[4] = calloc(functions + 1, sizeof *of_kind);
  need(stream->functions && replayed->exits && replayed->landings && replayed->stack && of_kind, "out of memory");
  for (uint32_t site = 1; site < stream->site_count; site++) {
    struct prof_site_info info = prof_trace_site(replayed->trace, site);
    stream->functions[site] = info.function == PROF_NONE ? PROF_MATCHER_NO_FUNCTION : info.function;
    if (info.function != PROF_NONE)
      of_kind[info.function][info.kind & 3] = site;
  }
  for (uint32_t site = 1; site < stream->site_count; site++)
    if (stream->functions[site] != PROF_MATCHER_NO_FUNCTION) {
      replayed->exits[site] = of_kind[stream->functions[site]][PROF_EVENT_EXIT];
      replayed->landings[site] = of_kind[stream->functions[site]][PROF_EVENT_LANDED];
    }
  free(of_kind);
}

/* The event that made this step; a frame's address is its depth. */
static void take_step(struct replayed *replayed, const struct prof_chunk *chunk, const struct prof_step *step) {
  struct stream *stream = &replayed->stream;
  if (step->op == PROF_OP_ENTRY && replayed->depth < STACK_LIMIT) {
    const struct prof_edge *edge = &chunk->edges[step->value];
    replayed->stack[replayed->depth++] = edge->site;
    put(stream, step->time, prof_event_what(edge->site, PROF_EVENT_ENTRY), edge->caller);
    if (replayed->landings[edge->site])
      put(stream, step->time, prof_event_what(edge->site, PROF_EVENT_FRAME), replayed->depth);
  } else if (step->op == PROF_OP_EXIT && step->count < replayed->depth) {
    replayed->depth -= (uint32_t)step->count + 1;
    put(stream, step->time, prof_event_what(replayed->exits[replayed->stack[replayed->depth]], PROF_EVENT_EXIT), 0);
  } else if (step->op == PROF_OP_LANDED && step->count < replayed->depth) {
    replayed->depth -= (uint32_t)step->count;
    uint32_t site = replayed->landings[replayed->stack[replayed->depth - 1]];
    put(stream, step->time, prof_event_what(site, PROF_EVENT_LANDED), replayed->depth);
  }
}

static struct stream recorded(const char *path, size_t limit) {
  struct replayed replayed = {0};
  struct prof_diag diag;
  prof_trace *trace;
  need(prof_trace_open(path, &diag, &trace) == PROF_OK, "cannot open the trace");
  replayed.trace = trace;
  size_t busiest = 0, threads;
  const struct prof_thread_info *thread = prof_trace_threads(trace, &threads);
  for (size_t i = 0; i < threads; i++)
    if (thread[i].events > thread[busiest].events)
      busiest = i;
  need(threads > 0, "there are no threads in the trace");
  find_sites(&replayed);
  const uint32_t *order = prof_trace_thread_chunks(trace) + thread[busiest].first_chunk;
  struct prof_chunk chunk = {0};
  for (uint32_t i = 0; i < thread[busiest].chunk_count && replayed.stream.count < limit; i++) {
    if (prof_chunk_load(trace, order[i], NULL, &chunk) != PROF_OK)
      continue;
    struct prof_cursor cursor;
    struct prof_step step;
    prof_cursor_begin(&cursor, &chunk);
    while (prof_cursor_next(&cursor, &step))
      take_step(&replayed, &chunk, &step);
  }
  prof_chunk_free(&chunk);
  free(replayed.exits);
  free(replayed.landings);
  free(replayed.stack);
  prof_trace_close(trace);
  return replayed.stream;
}

static void jitter(struct stream *stream, unsigned ticks) {
  uint64_t last = 0, state = 88172645463325252ull;
  for (size_t i = 0; i < stream->count; i++) {
    state ^= state << 13; /* xorshift64, G. Marsaglia 2003 */
    state ^= state >> 7;
    state ^= state << 17;
    uint64_t time = stream->events[i].time + (state >> 20) % (2 * ticks + 1) - ticks;
    last = stream->events[i].time = time < last ? last : time;
  }
}

static void free_stream(struct stream *stream) {
  free(stream->events);
  free(stream->functions);
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
  struct stream stream = made_up(events, functions, 0);
  measure("made up, stepping clock", &stream, rounds);
  free_stream(&stream);
  stream = made_up(events, functions, 16);
  measure("made up, +-16 ticks", &stream, rounds);
  free_stream(&stream);
  for (int i = optind; i < argc; i++) {
    stream = recorded(argv[i], events);
    measure(argv[i], &stream, rounds);
    jitter(&stream, 16);
    measure("  the same, +-16 ticks", &stream, rounds);
    free_stream(&stream);
  }
  return 0;
}
