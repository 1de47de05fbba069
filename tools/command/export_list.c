/*
 * tools/command/export_list.c - see export_list.h.
 *
 * Each format is written, and its bytes are counted and thrown away; a format that needs a file gets a temporary one.
 * Of time lines only the first MOST_EVENTS events are written, and the size is scaled to all calls.
 */
#include "export_list.h"

#include <errno.h>
#include <ftw.h>
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "estimate/profile_build.h"
#include "estimate/samples_fold.h"
#include "view/table.h"
#include "view/units.h"

#define MOST_EVENTS 400000 /* of a time line: a second at most, and enough for compressed formats */

struct size {
  uint64_t bytes;
  bool known, estimated;
};

static ssize_t count_bytes(void *cookie, const char *from, size_t bytes) {
  uint64_t *sum = cookie;
  (void)from;
  *sum += bytes;
  return (ssize_t)bytes;
}

/* Into a stream that counts. */
static prof_status measure_stream(const struct prof_exporter *exporter, const struct prof_export_source *source,
                                  uint64_t *bytes, struct prof_diag *diag) {
  FILE *file = fopencookie(bytes, "w", (cookie_io_functions_t){.write = count_bytes});
  if (file == NULL)
    return prof_diag_memory(diag);
  prof_status status = exporter->write(file, source, diag);
  fclose(file);
  return status;
}

static uint64_t folder_bytes; /* sum of remove_file: nftw has no context */

static int remove_file(const char *path, const struct stat *facts, int kind, struct FTW *level) {
  (void)level;
  folder_bytes += kind == FTW_F ? (uint64_t)facts->st_size : 0;
  return remove(path);
}

/* Adds up what is below a temporary path, and removes it. */
static uint64_t take_away(const char *path) {
  folder_bytes = 0;
  (void)nftw(path, remove_file, 16, FTW_DEPTH | FTW_PHYS);
  return folder_bytes;
}

static prof_status measure_file(const struct prof_exporter *exporter, struct prof_export_source *source,
                                uint64_t *bytes, struct prof_diag *diag) {
  const char *folder = getenv("TMPDIR");
  char whole[4096], path[4096 + 8];
  snprintf(whole, sizeof whole, "%s/prof-export-XXXXXX", folder != NULL && folder[0] ? folder : "/tmp");
  if (mkdtemp(whole) == NULL)
    return prof_diag_system(diag, errno, whole, "can't make a temporary folder", "set TMPDIR to a folder with room");
  snprintf(path, sizeof path, "%s/out", whole);
  FILE *file = exporter->needs_folder ? NULL : fopen(path, "w");
  prof_status status = PROF_OK;
  if (file == NULL && !exporter->needs_folder)
    status = prof_diag_system(diag, errno, path, "can't write a temporary file", "set TMPDIR to a folder with room");
  source->path = path;
  if (status == PROF_OK)
    status = exporter->write(file, source, diag);
  source->path = NULL;
  if (file != NULL)
    fclose(file);
  *bytes = take_away(whole);
  return status;
}

/* source: without `done`, `limit` and `timeline`. */
static prof_status measure(const struct prof_exporter *exporter, struct prof_export_source source, bool timeline,
                           struct size *size, struct prof_diag *diag) {
  _Atomic uint64_t done = 0;
  const uint64_t events = 2 * source.profile->coverage.calls; /* a call has two; estimated calls have none */
  source.done = &done;
  source.timeline = timeline && !exporter->only_timeline;
  source.limit = timeline ? MOST_EVENTS : 0;
  *size = (struct size){.known = true};
  prof_status status = exporter->needs_file ? measure_file(exporter, &source, &size->bytes, diag)
                                            : measure_stream(exporter, &source, &size->bytes, diag);
  if (timeline && done >= MOST_EVENTS && events > done) {
    size->estimated = true;
    size->bytes = (uint64_t)((double)size->bytes / (double)done * (double)events);
  }
  size->known = status == PROF_OK;
  return status == PROF_EMPTY ? PROF_OK : status;
}

static void put_size(struct prof_table *table, const struct size *size) {
  char text[PROF_UNITS_BYTES], marked[PROF_UNITS_BYTES + 2] = "-";
  if (size->known)
    snprintf(marked, sizeof marked, "%s%s", size->estimated ? "~" : "", prof_units_bytes(text, size->bytes));
  prof_table_text(table, marked);
}

/* source: NULL without a recording. */
static prof_status add_row(struct prof_table *table, const struct prof_exporter *exporter,
                           const struct prof_export_source *source, struct prof_diag *diag) {
  struct size sums = {.known = false}, calls = {.known = false};
  prof_status status = PROF_OK;
  char summary[200];
  const char *lacks = prof_exporter_lacks(exporter);
  if (source && !lacks && !exporter->only_timeline)
    status = measure(exporter, *source, false, &sums, diag);
  if (source && !lacks && exporter->has_timeline && status == PROF_OK && !prof_trace_summary(source->trace, NULL))
    status = measure(exporter, *source, true, &calls, diag);
  prof_table_text(table, exporter->name);
  put_size(table, &sums);
  put_size(table, &calls);
  snprintf(summary, sizeof summary, "%s%s%s", exporter->summary,
           exporter->missing ? "; not built in: "
           : lacks           ? "; missing: "
                             : "",
           lacks ? lacks : "");
  prof_table_text(table, summary);
  return status;
}

static prof_status print_rows(const struct prof_export_source *source, const struct prof_common *common,
                              struct prof_output *output, struct prof_diag *diag) {
  static const struct prof_column columns[] = {{"format", "FORMAT", PROF_CELL_TEXT},
                                               {"bytes", "SIZE", PROF_CELL_TEXT},
                                               {"timeline_bytes", "EVERY CALL", PROF_CELL_TEXT},
                                               {"summary", "WHAT", PROF_CELL_TEXT}};
  prof_status status = PROF_OK;
  struct prof_table *table = prof_table_new(columns, sizeof columns / sizeof *columns);
  for (size_t i = 0; prof_exporters[i] && status == PROF_OK && table != NULL; i++)
    status = add_row(table, prof_exporters[i], source, diag);
  if (status == PROF_OK && (table == NULL || prof_table_failed(table)))
    status = prof_diag_memory(diag);
  if (status == PROF_OK) {
    prof_output_begin(output, common);
    prof_table_print(table, output->file, &output->style);
  }
  prof_table_free(table);
  return status;
}

prof_status prof_export_list(const struct prof_reader *reader, double min_share, struct prof_output *output,
                             struct prof_diag *diag) {
  struct prof_profile *profile = NULL;
  struct prof_samples *samples = NULL;
  uint64_t too_deep = 0;
  prof_status status = prof_reader_fold_samples(reader, false, &profile, &samples, diag);
  const struct prof_export_source source = {.trace = reader->recording.trace,
                                            .filter = &reader->recording.filter,
                                            .names = reader->recording.names,
                                            .profile = profile,
                                            .samples = reader->recording.has_switches ? samples : NULL,
                                            .groups = &reader->recording.groups,
                                            .time = reader->recording.time,
                                            .min_share = min_share,
                                            .too_deep = &too_deep};
  if (status == PROF_OK)
    status = print_rows(&source, reader->common, output, diag);
  prof_samples_free(samples);
  prof_profile_free(profile);
  return status;
}

prof_status prof_export_list_formats(const struct prof_common *common, struct prof_output *output,
                                     struct prof_diag *diag) {
  return print_rows(NULL, common, output, diag);
}
