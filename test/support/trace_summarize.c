/*
 * test/support/trace_summarize.c - makes of a recording what `prof record --mode=summary` would have kept of it.
 *
 * In: the folder of a recording, the folder to make.  Out: a trace with the same facts, SUMMARY, MEASURES,
 * TRACKS and PMU_SUMS in place of events and samples.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/diag.h"
#include "estimate/summarize.h"
#include "tally/sums.h"
#include "tally/track_tally.h"
#include "trace/write/facts.h"
#include "trace/write/write_stretch.h"
#include "trace/write/write_tables.h"

static void check(prof_status status, const struct prof_diag *diag) {
  if (status == PROF_OK)
    return;
  fprintf(stderr, "trace_summarize: %s (%s)\n", diag->what, diag->file);
  exit(1);
}

static uint8_t *read_file(const char *folder, size_t *count) {
  char path[4096];
  struct stat status;
  snprintf(path, sizeof path, "%s/trace", folder);
  FILE *file = fopen(path, "rb");
  if (file == NULL || fstat(fileno(file), &status) != 0)
    exit(2);
  uint8_t *bytes = malloc((size_t)status.st_size + 1);
  *count = bytes != NULL ? fread(bytes, 1, (size_t)status.st_size, file) : 0;
  fclose(file);
  return bytes;
}

static bool is_kept(uint16_t kind, bool facts) {
  return facts ? prof_facts_hold(kind) || prof_facts_are_latest(kind) : kind == PROF_FORMAT_STATES;
}

/* Copies the chunks that a summary has too behind `to`, which has the header: facts, or those that change; *end gets
 * END.  Returns the end. */
static size_t keep(const uint8_t *bytes, size_t count, bool facts, uint8_t *to, size_t kept,
                   struct prof_end_record *end) {
  for (size_t at = sizeof(struct prof_format_file); at + sizeof(struct prof_format_chunk) <= count;) {
    struct prof_format_chunk head;
    memcpy(&head, bytes + at, sizeof head);
    size_t padded = (head.packed_bytes + PROF_FORMAT_ALIGNMENT - 1) & ~(size_t)(PROF_FORMAT_ALIGNMENT - 1);
    size_t size = sizeof head + padded;
    if (head.kind == PROF_FORMAT_END)
      end->reason = 1;
    if (is_kept(head.kind, facts)) {
      memcpy(to + kept, bytes + at, size);
      kept += size;
    }
    at += size;
  }
  return kept;
}

int main(int argc, char **argv) {
  struct prof_diag diag = {0};
  struct prof_summary summary;
  struct prof_tally_sums sums;
  struct prof_track_tally tally = {.part_count = 0};
  struct prof_payload payload = {0}, measures = {0}, tracks = {0}, counted = {0};
  struct prof_stretch_sums written = {.summary = &payload, .measures = &measures};
  prof_trace *trace;
  prof_writer *writer;
  uint64_t size;
  if (argc != 3)
    return 2;
  check(prof_trace_open(argv[1], &diag, &trace), &diag);
  check(prof_summary_init(&summary), &diag);
  check(prof_summarize(trace, NULL, &diag, &summary), &diag);
  check(prof_tally_sums_init(&sums), &diag);
  check(prof_tally_sums_add(&sums, trace, &diag), &diag);
  prof_tally_sums_write(&sums, &measures);
  prof_tally_sums_fini(&sums);
  check(prof_track_tally_add(&tally, trace, &diag), &diag);
  if (tally.tracks.count > 0) {
    prof_track_tally_write(&tally, &tracks);
    written.tracks = &tracks;
  }
  prof_track_tally_fini(&tally);
  prof_summary_write(&summary, &payload);
  if (summary.counted.count > 0) {
    prof_summary_write_counted(&summary, &counted);
    written.pmu_sums = &counted;
  }
  prof_summary_fini(&summary);
  const struct prof_trace_info *info = prof_trace_info(trace);
  struct prof_end_record end = {.wait_status = (uint32_t)info->wait_status,
                                .wall_ns = info->wall_ns,
                                .user_ns = info->user_ns,
                                .system_ns = info->system_ns,
                                .recorder_cpu_ns = info->recorder_cpu_ns,
                                .events = info->events,
                                .lost = info->lost};
  size_t count;
  uint8_t *bytes = read_file(argv[1], &count);
  uint8_t *kept = malloc(count + 1);
  if (kept == NULL)
    return 2;
  memcpy(kept, bytes, sizeof(struct prof_format_file));
  const size_t facts_end = keep(bytes, count, true, kept, sizeof(struct prof_format_file), &end);
  const size_t kept_end = keep(bytes, count, false, kept, facts_end, &end);
  const struct prof_held_stretch stretch = {.bytes = kept, .count = kept_end, .facts_end = facts_end};
  mkdir(argv[2], 0700);
  check(prof_stretch_write(&stretch, argv[2], &written, end.reason ? &end : NULL, &diag, &writer, &size), &diag);
  check(prof_writer_close(writer, &diag), &diag);
  prof_trace_close(trace);
  free(kept);
  free(bytes);
  return 0;
}
