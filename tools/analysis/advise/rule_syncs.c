/*
 * tools/analysis/advise/rule_syncs.c - a file is forced to the disk again and again.
 *
 * Evidence: events of --io: many fsync or fdatasync at one place, which take much of their threads' time.
 */
#include <math.h>
#include <string.h>

#include "analysis/advise/evidence.h"

#define LEAST_SYNCS 20u

extern const struct prof_advice_rule prof_rule_syncs;

static bool find(struct prof_evidence *evidence) {
  const struct prof_io *io = &evidence->measured.io;
  for (size_t i = 0; i < io->count; i++) {
    const struct prof_io_row *row = &io->rows[i];
    bool is_sync = strcmp(row->operation, prof_io_operation(PROF_MEASURE_FSYNC)) == 0 ||
                   strcmp(row->operation, prof_io_operation(PROF_MEASURE_FDATASYNC)) == 0;
    double share = row->threads_ns ? fmin((double)row->wait_ns / (double)row->threads_ns, 1) : 0;
    if (!is_sync || row->calls < LEAST_SYNCS || share < 2 * evidence->options->min_share)
      continue;
    struct prof_advice *advice = prof_advice_add_place(evidence, &prof_rule_syncs, &row->place);
    if (!advice)
      return false;
    const struct prof_interval interval = {share * 0.9, share};
    prof_advice_weigh(advice, interval, 4, HUGE_VAL);
    prof_advice_figure_add(advice, PROF_ADVICE_SHARE, share,
                           prof_advice_text(evidence, "of these threads' time in %s", row->operation));
    prof_advice_figure_add(advice, PROF_ADVICE_COUNT, (double)row->calls, "calls");
    prof_advice_figure_add(advice, PROF_ADVICE_NS, (double)row->wait_ns / (double)row->calls, "each");
    if (row->path[0])
      prof_advice_figure_add(advice, PROF_ADVICE_WORDS, 0, prof_advice_text(evidence, "file %s", row->path));
  }
  return true;
}

const struct prof_advice_rule prof_rule_syncs = {
    .kind = "syncs",
    .title = "A file is forced to the disk again and again",
    .of = "these threads' time",
    .why = "Each call waits for the disk, however little was written. Write many records, then call it once for all; "
           "confirm them to their senders after that.",
    .before = "for (i = 0; i < n; i++) {\n  write(fd, record[i], size);\n  fdatasync(fd);\n}",
    .after = "for (i = 0; i < n; i++)\n  write(fd, record[i], size);\nfdatasync(fd);",
    .check = "io",
    .find = find,
};
