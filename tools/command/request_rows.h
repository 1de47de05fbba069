/* tools/command/request_rows.h - `prof report --by=request`. */
#ifndef PROF_COMMAND_REQUEST_ROWS_H
#define PROF_COMMAND_REQUEST_ROWS_H

#include "options/values.h"
#include "ranked.h"

/* limits: of --slo, whose name is "request". */
prof_status prof_request_report(const struct prof_ranked *, const struct prof_texts *limits, const struct prof_reader *,
                                int *result, struct prof_diag *) PROF_MUST_CHECK;

#endif
