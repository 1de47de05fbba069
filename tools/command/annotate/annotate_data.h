/*
 * tools/command/annotate/annotate_data.h - pages of `prof annotate` as JSON or CSV.
 */
#ifndef PROF_COMMAND_ANNOTATE_DATA_H
#define PROF_COMMAND_ANNOTATE_DATA_H

#include "analysis/cover.h"
#include "annotate_target.h"
#include "base/csv.h"
#include "base/json.h"
#include "command/options/common.h"
#include "view/annotate_text.h"

struct prof_annotate_data {
  enum prof_format format;
  struct prof_json json;
  struct prof_csv csv;
  const struct prof_counter_columns *counters; /* by line */
};

void prof_annotate_data_begin(struct prof_annotate_data *, FILE *, const struct prof_reader *,
                              const struct prof_counter_columns *);
/* found: the source exists; changed: it is newer than the program.  false: no memory. */
bool prof_annotate_data_add(struct prof_annotate_data *, const struct prof_annotate_page *,
                            const struct prof_annotate_target *, bool found, bool changed);
void prof_annotate_data_end(struct prof_annotate_data *, const struct prof_cover *);

#endif
