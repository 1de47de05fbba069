/*
 * test/support/trace_make.c - makes a trace: from readable text, or a big one of a made-up program.
 *
 *   trace_make --text=FILE -o DIR
 *   trace_make --events=N [--threads=N] [--functions=N] [--jitter=N] [--seed=N] -o DIR
 *
 * DIR is made if missing; a trace in it is replaced.
 */
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "match/matcher.h"
#include "row.h"
#include "synthetic.h"
#include "tracetext.h"

#define START_TICKS 1000000000ull
#define FREQUENCY_HZ 2250000000ull
#define SLOTS 4096

struct settings {
  const char *text, *directory;
  uint64_t events, seed;
  uint32_t threads, functions, jitter;
};

static void fail(const char *what) {
  fprintf(stderr, "trace_make: %s\n", what);
  exit(1);
}

static void check(prof_status status, const struct prof_diag *diag) {
  if (status == PROF_OK)
    return;
  fprintf(stderr, "trace_make: %s (%s", diag->what, diag->file);
  if (diag->offset != UINT64_MAX)
    fprintf(stderr, ":%llu", (unsigned long long)diag->offset);
  fprintf(stderr, ")\n");
  exit(1);
}

static char *read_text(const char *path) {
  FILE *file = fopen(path, "r");
  char *text = NULL;
  size_t size = 0;
  if (!file || getdelim(&text, &size, 0, file) < 0)
    fail("cannot read the text");
  fclose(file);
  return text;
}

static void write_facts(prof_writer *writer, const struct settings *settings) {
  struct prof_function_record *functions = calloc(settings->functions, sizeof *functions);
  struct prof_site_record *sites = calloc(2 * (size_t)settings->functions, sizeof *sites);
  char(*names)[16] = calloc(settings->functions, sizeof *names);
  if (!functions || !sites || !names)
    fail("out of memory");
  for (uint32_t i = 0; i < settings->functions; i++) {
    snprintf(names[i], sizeof *names, "f%u", i);
    functions[i] = (struct prof_function_record){.key = i + 1,
                                                 .line = i + 1,
                                                 .statements = 10,
                                                 .language = PROF_LANGUAGE_C,
                                                 .name = prof_span(names[i]),
                                                 .file = prof_span("made.c")};
    sites[2 * i] = (struct prof_site_record){0x1000 + i * 64, PROF_PROBE_ENTRY, i + 1, i};
    sites[2 * i + 1] = (struct prof_site_record){0x1020 + i * 64, PROF_PROBE_EXIT, i + 1, i};
  }
  struct prof_setting_record command = {"command", {"made\0--up", 10}};
  struct prof_clock_record clock = {START_TICKS, 0, 0, FREQUENCY_HZ, 22, PROF_FORMAT_CLOCK_INVARIANT, 1};
  struct prof_process_record process = {.process = 1,
                                        .pid = 100,
                                        .ppid = 1,
                                        .start_ticks = START_TICKS,
                                        .event_cost = 30000,
                                        .executable = prof_span("made")};
  struct prof_module_record module = {.module = 1,
                                      .path = prof_span("/made"),
                                      .compiler = prof_span("GNU C 12"),
                                      .functions = functions,
                                      .function_count = settings->functions,
                                      .sites = sites,
                                      .site_count = 2 * settings->functions};
  struct prof_load_record load = {1, 1, 1, 2 * settings->functions, 0x400000, 0x400000, 0x400000 + (8 << 20), 0};
  (void)prof_writer_settings(writer, &command, 1);
  (void)prof_writer_clock(writer, &clock);
  (void)prof_writer_process(writer, &process);
  (void)prof_writer_module(writer, &module);
  (void)prof_writer_load(writer, &load);
  free(functions);
  free(sites);
  free(names);
}

static uint64_t write_thread(prof_writer *writer, prof_packer *packer, const struct settings *settings,
                             uint32_t index) {
  uint32_t *functions = calloc(2 * (size_t)settings->functions + 1, sizeof *functions);
  prof_matcher *matcher = prof_matcher_new(packer, index + 1);
  struct prof_synthetic *synthetic = prof_synthetic_new(
      &(struct prof_synthetic_options){settings->functions, settings->jitter, settings->seed + index, START_TICKS});
  if (!functions || !matcher || !synthetic)
    fail("out of memory");
  for (uint32_t i = 0; i < settings->functions; i++)
    functions[1 + 2 * i] = functions[2 + 2 * i] = i;
  struct prof_site_map map = {functions, 2 * settings->functions + 1};
  static struct prof_event slots[SLOTS];
  for (uint64_t left = settings->events / settings->threads; left;) {
    size_t count = left < SLOTS ? (size_t)left : SLOTS;
    prof_synthetic_fill(synthetic, slots, count);
    prof_matcher_drain(matcher, slots, count, &map, false);
    left -= count;
  }
  (void)prof_encoder_flush(prof_matcher_encoder(matcher), true);
  struct prof_matcher_figures figures;
  prof_matcher_figures(matcher, &figures);
  char name[24];
  snprintf(name, sizeof name, "made-%u", index + 1);
  struct prof_thread_record thread = {.thread = index + 1,
                                      .process = 1,
                                      .tid = 100 + index,
                                      .flags = PROF_FORMAT_THREAD_ENDED,
                                      .start_ticks = START_TICKS,
                                      .end_ticks = figures.last_ticks,
                                      .inversions = figures.inversions,
                                      .unmatched = figures.unmatched,
                                      .skipped = figures.skipped,
                                      .name = prof_span(name)};
  (void)prof_writer_thread(writer, &thread);
  prof_matcher_free(matcher);
  prof_synthetic_free(synthetic);
  free(functions);
  return figures.events;
}

static void make(const struct settings *settings) {
  struct prof_diag diag;
  prof_writer *writer;
  check(prof_writer_open(settings->directory, NULL, &diag, &writer), &diag);
  prof_packer *packer = prof_packer_new(writer);
  if (!packer)
    fail("out of memory");
  write_facts(writer, settings);
  struct prof_end_record end = {.reason = 1};
  for (uint32_t i = 0; i < settings->threads; i++)
    end.events += write_thread(writer, packer, settings, i);
  (void)prof_writer_end(writer, &end);
  prof_packer_free(packer);
  check(prof_writer_close(writer, &diag), &diag);
}

int main(int argc, char **argv) {
  static const struct option options[] = {
      {"text", required_argument, NULL, 't'},    {"events", required_argument, NULL, 'e'},
      {"threads", required_argument, NULL, 'n'}, {"functions", required_argument, NULL, 'f'},
      {"jitter", required_argument, NULL, 'j'},  {"seed", required_argument, NULL, 's'},
      {"output", required_argument, NULL, 'o'},  {NULL, 0, NULL, 0},
  };
  struct settings settings = {.threads = 1, .functions = 400, .seed = 1};
  for (int letter; (letter = getopt_long(argc, argv, "o:", options, NULL)) != -1;) {
    switch (letter) {
    case 't':
      settings.text = optarg;
      break;
    case 'o':
      settings.directory = optarg;
      break;
    case 'e':
      settings.events = strtoull(optarg, NULL, 0);
      break;
    case 's':
      settings.seed = strtoull(optarg, NULL, 0);
      break;
    case 'n':
      settings.threads = (uint32_t)strtoul(optarg, NULL, 0);
      break;
    case 'f':
      settings.functions = (uint32_t)strtoul(optarg, NULL, 0);
      break;
    case 'j':
      settings.jitter = (uint32_t)strtoul(optarg, NULL, 0);
      break;
    default:
      return 2;
    }
  }
  if (!settings.directory || !settings.text == !settings.events || !settings.threads || settings.functions < 2 ||
      settings.functions > 100000)
    fail("usage: trace_make --text=FILE | --events=N [--threads=N] [--functions=N] [--jitter=N] [--seed=N]  -o DIR");
  char path[4096];
  snprintf(path, sizeof path, "%s/trace", settings.directory);
  if (mkdir(settings.directory, 0777) && errno != EEXIST)
    fail("cannot make the folder");
  if (unlink(path) && errno != ENOENT)
    fail("cannot replace the trace");
  if (settings.text) {
    char *text = read_text(settings.text);
    struct prof_diag diag;
    check(prof_tracetext_write(text, settings.text, settings.directory, &diag), &diag);
    free(text);
  } else {
    make(&settings);
  }
  return 0;
}
