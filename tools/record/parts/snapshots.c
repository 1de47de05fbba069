/*
 * tools/record/parts/snapshots.c - see snapshots.h.
 */
#include "record/parts/snapshots.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/text.h"
#include "record/clock/ticks.h"
#include "trace/part_names.h"

enum { END_SNAPSHOT = 6, STATUS_UNKNOWN = -1 };

void prof_snapshots_ask(struct prof_snapshots *snapshots) {
  __atomic_store_n(&snapshots->asked, 1, __ATOMIC_RELEASE);
}

void prof_snapshots_ask_look(struct prof_snapshots *snapshots) {
  __atomic_store_n(&snapshots->look_asked, 1, __ATOMIC_RELEASE);
}

bool prof_snapshots_look_folder(const struct prof_snapshots *snapshots, char out[PATH_MAX]) {
  char trace[PATH_MAX + 8];
  if (snprintf(out, PATH_MAX, "%s/" PROF_LOOK_FOLDER, snapshots->base(snapshots->context)) >= PATH_MAX)
    return false;
  snprintf(trace, sizeof trace, "%s/trace", out);
  unlink(trace);
  return mkdir(out, 0700) == 0 || errno == EEXIST;
}

void prof_snapshots_tell_look(struct prof_snapshots *snapshots, const char *folder) {
  snprintf(snapshots->look, sizeof snapshots->look, "%s", folder != NULL ? folder : "");
  __atomic_fetch_add(&snapshots->looks, 1, __ATOMIC_RELEASE);
}

bool prof_snapshots_asked(const struct prof_snapshots *snapshots) {
  return (__atomic_load_n(&snapshots->asked, __ATOMIC_ACQUIRE) != 0 ||
          __atomic_load_n(&snapshots->look_asked, __ATOMIC_ACQUIRE) != 0) &&
         __atomic_load_n(&snapshots->busy, __ATOMIC_ACQUIRE) == 0;
}

void prof_snapshots_tell(struct prof_snapshots *snapshots, const char *what, const char *text) {
  char line[PATH_MAX + 512], safe[PATH_MAX];
  prof_text_escape(safe, sizeof safe, text, strlen(text));
  snprintf(line, sizeof line, "%s%s", what, safe);
  snprintf(snapshots->last, sizeof snapshots->last, "%s", line);
  if (snapshots->say != NULL)
    snapshots->say(line);
  __atomic_fetch_add(&snapshots->done, 1, __ATOMIC_RELEASE);
}

static prof_status write_it(struct prof_snapshots *snapshots, struct prof_diag *diag) {
  uint64_t bytes = 0;
  prof_status status = prof_snapshot_write(snapshots->snapshot, snapshots->folder, &snapshots->end, diag, &bytes);
  snapshots->bytes += snapshots->is_look ? 0 : bytes;
  if (status != PROF_OK)
    rmdir(snapshots->folder); /* if nothing is in it */
  prof_snapshot_free(snapshots->snapshot);
  snapshots->snapshot = NULL;
  return status;
}

static void *run(void *context) {
  struct prof_snapshots *snapshots = context;
  struct prof_diag diag = {0};
  const bool good = write_it(snapshots, &diag) == PROF_OK;
  if (snapshots->is_look)
    prof_snapshots_tell_look(snapshots, good ? snapshots->folder : NULL);
  else if (good)
    prof_snapshots_tell(snapshots, "snapshot written: ", snapshots->folder);
  else
    prof_snapshots_tell(snapshots, "no snapshot: ", diag.what);
  __atomic_store_n(&snapshots->busy, 0, __ATOMIC_RELEASE);
  return NULL;
}

/* Takes a snapshot of the ended laps, with a folder for it. */
static prof_status prepare(struct prof_snapshots *snapshots, struct prof_series *series, prof_writer *writer,
                           struct prof_diag *diag) {
  prof_status status = prof_snapshot_take(writer, 0, diag, &snapshots->snapshot);
  if (status == PROF_OK)
    status = prof_series_snapshot(series, snapshots->base(snapshots->context), diag);
  if (status == PROF_OK) {
    memcpy(snapshots->folder, series->folder, sizeof snapshots->folder);
    return PROF_OK;
  }
  prof_snapshot_free(snapshots->snapshot);
  snapshots->snapshot = NULL;
  return status;
}

/* The same of its last seconds. */
static bool prepare_look(struct prof_snapshots *snapshots, prof_writer *writer, uint64_t now_ns) {
  const uint64_t since_ns = now_ns > PROF_SNAPSHOTS_LOOK_NS ? now_ns - PROF_SNAPSHOTS_LOOK_NS : 0;
  if (!prof_snapshots_look_folder(snapshots, snapshots->folder))
    return false;
  return prof_snapshot_take(writer, since_ns, NULL, &snapshots->snapshot) == PROF_OK;
}

static void join(struct prof_snapshots *snapshots) {
  if (snapshots->started)
    pthread_join(snapshots->thread, NULL);
  snapshots->started = false;
}

void prof_snapshots_take(struct prof_snapshots *snapshots, struct prof_series *series, prof_writer *writer,
                         uint64_t now_ns) {
  struct prof_diag diag = {0};
  if (!prof_snapshots_asked(snapshots))
    return;
  snapshots->is_look = __atomic_exchange_n(&snapshots->asked, 0, __ATOMIC_ACQ_REL) == 0;
  if (snapshots->is_look)
    __atomic_store_n(&snapshots->look_asked, 0, __ATOMIC_RELEASE);
  if (snapshots->is_look && series->wish.mode != PROF_SERIES_RING)
    return;
  if (series->wish.mode != PROF_SERIES_RING) { /* the cut itself was asked for */
    snprintf(snapshots->last, sizeof snapshots->last, "the recording goes on in %.*s", PATH_MAX - 1, series->folder);
    __atomic_fetch_add(&snapshots->done, 1, __ATOMIC_RELEASE);
    return;
  }
  join(snapshots);
  if (snapshots->is_look && !prepare_look(snapshots, writer, now_ns)) {
    prof_snapshots_tell_look(snapshots, NULL);
    return;
  }
  if (!snapshots->is_look && prepare(snapshots, series, writer, &diag) != PROF_OK) {
    prof_snapshots_tell(snapshots, "no snapshot: ", diag.what);
    return;
  }
  snapshots->end = (struct prof_end_record){.reason = END_SNAPSHOT,
                                            .wait_status = (uint32_t)STATUS_UNKNOWN,
                                            .wall_ns = now_ns - prof_snapshot_begin_ns(snapshots->snapshot)};
  __atomic_store_n(&snapshots->busy, 1, __ATOMIC_RELEASE);
  snapshots->started = pthread_create(&snapshots->thread, NULL, run, snapshots) == 0; /* the pump blocks all signals */
  if (!snapshots->started)
    (void)run(snapshots);
}

prof_status prof_snapshots_finish(struct prof_snapshots *snapshots, struct prof_series *series, prof_writer *writer,
                                  const struct prof_end_record *end, struct prof_diag *diag) {
  join(snapshots);
  snapshots->is_look = false;
  uint64_t now_ns = prof_steady_ns();
  prof_status status = prof_writer_next_lap(writer, now_ns, series->wish.keep_bytes, series->wish.keep_ns);
  if (status == PROF_OK)
    status = prepare(snapshots, series, writer, diag);
  if (status != PROF_OK)
    return status;
  snapshots->end = *end;
  snapshots->end.wall_ns = now_ns - prof_snapshot_begin_ns(snapshots->snapshot);
  snapshots->end.user_ns = snapshots->end.system_ns = 0; /* of the whole program */
  return write_it(snapshots, diag);
}

void prof_snapshots_forget_look(const struct prof_snapshots *snapshots) {
  if (snapshots->look[0] == 0)
    return;
  char folder[PATH_MAX];
  if (prof_snapshots_look_folder(snapshots, folder))
    rmdir(folder);
}
