/*
 * tools/record/control/asked.c - see asked.h.
 */
#include "record/control/asked.h"

#include <stdlib.h>
#include <time.h>

#include "record/pump/orders.h"

#define TURN_NS 10000000

/* Waits for what comes of it, until the recording ends. */
static bool answer_snapshot(struct prof_asked *asked, char *text, size_t text_bytes) {
  struct prof_snapshots *snapshots = &asked->pump->snapshots;
  const struct timespec turn = {0, TURN_NS};
  uint32_t before = __atomic_load_n(&snapshots->done, __ATOMIC_ACQUIRE);
  bool done = false;
  if (asked->pump->options.parts == NULL) {
    snprintf(text, text_bytes, "this recording has no snapshots: everything is written");
    return false;
  }
  prof_pump_snapshot(asked->pump);
  while (!done && !__atomic_load_n(&asked->ends, __ATOMIC_ACQUIRE)) {
    nanosleep(&turn, NULL);
    done = __atomic_load_n(&snapshots->done, __ATOMIC_ACQUIRE) != before;
  }
  snprintf(text, text_bytes, "%s", done ? snapshots->last : "the program has ended, which is a snapshot too");
  return true;
}

/* Of a ring or a summary: its last seconds, as a recording of their own; PROF_LOOK_SHOWN. */
static bool answer_look(struct prof_asked *asked, char *text, size_t text_bytes) {
  struct prof_snapshots *snapshots = &asked->pump->snapshots;
  const struct timespec turn = {0, TURN_NS};
  const uint32_t before = __atomic_load_n(&snapshots->looks, __ATOMIC_ACQUIRE);
  bool done = false;
  if (asked->pump->options.parts == NULL || asked->pump->options.parts->wish.mode == PROF_SERIES_STREAM) {
    snprintf(text, text_bytes, "this recording is not kept in memory\tread it as it is");
    return false;
  }
  prof_pump_look(asked->pump);
  while (!done && !__atomic_load_n(&asked->ends, __ATOMIC_ACQUIRE)) {
    nanosleep(&turn, NULL);
    done = __atomic_load_n(&snapshots->looks, __ATOMIC_ACQUIRE) != before;
  }
  char *whole = done ? realpath(snapshots->look, NULL) : NULL;
  if (whole != NULL)
    snprintf(text, text_bytes, PROF_LOOK_SHOWN, snapshots->look_ticks, whole);
  else
    snprintf(text, text_bytes, "%s",
             done ? PROF_LOOK_FAILED "\tfree space on the disk of the recording"
                  : "the recording ends\tprof report shows what was recorded");
  free(whole);
  return done && snapshots->look[0] != 0;
}

/* The folder as it is named now, for a process with another working directory. */
static bool answer_where(const struct prof_asked *asked, char *text, size_t text_bytes) {
  char *whole = realpath(asked->folder, NULL);
  snprintf(text, text_bytes, "%s", whole != NULL ? whole : asked->folder);
  free(whole);
  return true;
}

static bool answer(void *context, const char *word, char *text, size_t text_bytes) {
  struct prof_asked *asked = context;
  const struct prof_series *series = asked->pump->options.parts;
  if (strcmp(word, "snapshot") == 0)
    return answer_snapshot(asked, text, text_bytes);
  if (strcmp(word, "look") == 0)
    return answer_look(asked, text, text_bytes);
  if (strcmp(word, "where") == 0)
    return answer_where(asked, text, text_bytes);
  if (strcmp(word, "status") != 0)
    return prof_orders_give(asked->pump, word, &asked->ends, text, text_bytes);
  char state[PROF_CONTROL_LINE_BYTES];
  bool rings = series != NULL && series->wish.mode == PROF_SERIES_RING;
  bool is_summary = series != NULL && series->wish.mode == PROF_SERIES_SUMMARY;
  double seconds = (double)(prof_steady_ns() - asked->begin_ns) / 1e9;
  double megabytes = (double)prof_writer_bytes(asked->pump->options.writer) / 1048576.0;
  int used = snprintf(text, text_bytes, "process %ld, recorded for %.1f s, %.1f MiB %s %s", (long)asked->program,
                      seconds, megabytes,
                      rings        ? "through a ring for"
                      : is_summary ? "folded for"
                                   : "in",
                      asked->folder);
  if (series != NULL && series->wish.mode != PROF_SERIES_SUMMARY && used > 0 && (size_t)used < text_bytes)
    used += snprintf(text + used, text_bytes - (size_t)used, ", %s %u", rings ? "snapshots:" : "part",
                     __atomic_load_n(&series->number, __ATOMIC_RELAXED));
  if (used > 0 && (size_t)used < text_bytes &&
      prof_orders_give(asked->pump, "state", &asked->ends, state, sizeof state))
    snprintf(text + used, text_bytes - (size_t)used, "%s", state);
  return true;
}

void prof_asked_begin(struct prof_asked *asked, struct prof_pump *pump, const char *folder, pid_t program) {
  *asked = (struct prof_asked){.pump = pump, .folder = folder, .program = program, .begin_ns = prof_steady_ns()};
  prof_control_server_start(&asked->server, program, answer, asked);
}

void prof_asked_end(struct prof_asked *asked) {
  __atomic_store_n(&asked->ends, 1, __ATOMIC_RELEASE);
  prof_control_server_stop(&asked->server);
}
