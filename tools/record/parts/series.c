/*
 * tools/record/parts/series.c - see parts.h.
 */
#include "record/parts/series.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/diag.h"
#include "record/clock/ticks.h"
#include "record/process_stat.h"
#include "trace/part_names.h"
#include "trace/write/write_ring.h"

/* The folder of a part beside the present one, which the user may have moved meanwhile. */
static bool beside(const struct prof_series *parts, uint32_t number, char out[PATH_MAX]) {
  const char *slash = strrchr(parts->folder, '/');
  int length = slash != NULL ? (int)(slash - parts->folder) : 0;
  return snprintf(out, PATH_MAX, "%.*s/" PROF_PART_FORMAT, length, parts->folder, number) < PATH_MAX;
}

static prof_status make(const char *folder, struct prof_diag *diag) {
  if (mkdir(folder, 0700) == 0)
    return PROF_OK;
  return prof_diag_system(diag, errno, folder, "cannot make the folder for the next part",
                          "free space, or record to another disk with -o DIR; parts so far are readable");
}

/* CPU time of the program and the children that it waited for, in steps of the system's clock.  False: it is gone. */
static bool program_times(pid_t program, uint64_t *user_ns, uint64_t *system_ns) {
  struct prof_process_stat stat;
  if (program <= 0 || !prof_process_stat_of(program, &stat))
    return false;
  *user_ns = stat.user_ns + stat.child_user_ns;
  *system_ns = stat.system_ns + stat.child_system_ns;
  return true;
}

prof_status prof_series_begin(struct prof_series *parts, const struct prof_series_wish *wish, const char *folder,
                              struct prof_diag *diag) {
  *parts =
      (struct prof_series){.wish = *wish, .number = wish->mode == PROF_SERIES_STREAM, .begin_ns = prof_steady_ns()};
  if (wish->mode != PROF_SERIES_STREAM)
    return PROF_OK;
  if (snprintf(parts->folder, sizeof parts->folder, "%s/" PROF_PART_FORMAT, folder, 1u) >= (int)sizeof parts->folder)
    return prof_diag_fill(diag, PROF_USAGE, folder, PROF_NO_OFFSET, "choose a shorter -o", "too long a name");
  return make(parts->folder, diag);
}

prof_status prof_series_snapshot(struct prof_series *series, const char *folder, struct prof_diag *diag) {
  if (snprintf(series->folder, sizeof series->folder, "%s/" PROF_SNAPSHOT_FORMAT, folder, series->number + 1) >=
      (int)sizeof series->folder)
    return prof_diag_fill(diag, PROF_USAGE, folder, PROF_NO_OFFSET, "choose a shorter -o", "too long a name");
  prof_status status = make(series->folder, diag);
  series->number += status == PROF_OK;
  return status;
}

/* A ring's laps: the oldest one is dropped as a whole. */
enum { LAPS = 8 };

static bool is_lap_full(const struct prof_series *series, const prof_writer *writer, uint64_t now_ns) {
  const struct prof_series_wish *wish = &series->wish;
  return (wish->keep_bytes > 0 && prof_writer_lap_bytes(writer) >= wish->keep_bytes / LAPS) ||
         (wish->keep_ns > 0 && now_ns - series->begin_ns >= wish->keep_ns / LAPS);
}

bool prof_series_due(const struct prof_series *parts, const prof_writer *writer, uint64_t now_ns) {
  if (parts->wish.mode == PROF_SERIES_RING)
    return is_lap_full(parts, writer, now_ns);
  return (parts->wish.split_ns > 0 && now_ns - parts->begin_ns >= parts->wish.split_ns) ||
         (parts->wish.split_bytes > 0 && prof_writer_bytes(writer) >= parts->wish.split_bytes);
}

static uint64_t since(uint64_t now, uint64_t before) {
  return now > before ? now - before : 0;
}

void prof_series_times(const struct prof_series *parts, uint64_t now_ns, struct prof_end_record *end) {
  uint64_t user_ns, system_ns;
  end->wall_ns = since(now_ns, parts->begin_ns);
  if (!program_times(parts->program, &user_ns, &system_ns))
    return;
  end->user_ns = since(user_ns, parts->user_ns);
  end->system_ns = since(system_ns, parts->system_ns);
}

static uint64_t delete_part(const char *folder) {
  char trace[PATH_MAX + 8];
  struct stat status;
  snprintf(trace, sizeof trace, "%s/trace", folder);
  uint64_t bytes = stat(trace, &status) == 0 ? (uint64_t)status.st_size : 0;
  unlink(trace);
  rmdir(folder); /* what else is in it stays */
  return bytes;
}

static bool delete_number(struct prof_series *parts, uint32_t number) {
  char folder[PATH_MAX];
  if (!beside(parts, number, folder))
    return false;
  parts->bytes = since(parts->bytes, delete_part(folder));
  parts->deleted++;
  return true;
}

/* false: there is none to delete. */
static bool delete_oldest(struct prof_series *parts) {
  if (!delete_number(parts, parts->oldest + 1))
    return false;
  parts->oldest++;
  if (parts->gap_begin < parts->gap_end && parts->oldest + 1 == parts->gap_begin)
    parts->oldest = parts->gap_end - 1;
  return true;
}

/* The part that has just ended goes. */
static void delete_last(struct prof_series *parts) {
  if (!delete_number(parts, parts->number))
    return;
  if (parts->gap_end != parts->number) /* what was before it is deleted */
    parts->gap_begin = parts->number;
  parts->gap_end = parts->number + 1;
}

static bool is_oldest_full(const struct prof_series *parts) {
  return parts->full != 0 && parts->oldest + 1 == parts->full;
}

/* The present part has ended; one more is to come. */
static void make_room(struct prof_series *parts, uint64_t events) {
  const uint32_t keep = parts->wish.keep;
  parts->full = events > 0 ? parts->number : parts->full;
  while (keep > 0 && parts->number - parts->deleted >= keep && !is_oldest_full(parts) && delete_oldest(parts)) {
  }
  if (keep > 0 && parts->number - parts->deleted >= keep && parts->full != parts->number)
    delete_last(parts);
}

void prof_series_trim(struct prof_series *parts, const prof_writer *writer) {
  const uint32_t keep = parts->wish.keep;
  if (keep == 0 || parts->number - parts->deleted <= keep || prof_writer_events(writer) == 0)
    return;
  (void)prof_writer_find(writer, parts->folder, sizeof parts->folder);
  while (parts->number - parts->deleted > keep && delete_oldest(parts)) {
  }
}

prof_status prof_series_next(struct prof_series *parts, prof_writer *writer, uint64_t now_ns) {
  if (parts->wish.mode == PROF_SERIES_SUMMARY) {
    parts->begin_ns = now_ns;
    return prof_writer_error(writer, NULL);
  }
  if (parts->wish.mode == PROF_SERIES_RING) {
    parts->begin_ns = now_ns;
    return prof_writer_next_lap(writer, now_ns, parts->wish.keep_bytes, parts->wish.keep_ns);
  }
  struct prof_diag diag = {0};
  char next[PATH_MAX];
  (void)prof_writer_find(writer, parts->folder, sizeof parts->folder);
  parts->bytes += prof_writer_bytes(writer);
  parts->events += prof_writer_events(writer);
  (void)program_times(parts->program, &parts->user_ns, &parts->system_ns);
  make_room(parts, prof_writer_events(writer));
  prof_status status = PROF_USAGE;
  if (beside(parts, parts->number + 1, next))
    status = make(next, &diag);
  if (status != PROF_OK)
    return prof_writer_give_up(writer, &diag);
  status = prof_writer_next(writer, next, 0, &diag);
  if (status != PROF_OK) {
    rmdir(next); /* if nothing is in it */
    return status;
  }
  memcpy(parts->folder, next, sizeof parts->folder);
  parts->number++;
  parts->begin_ns = now_ns;
  return PROF_OK;
}
