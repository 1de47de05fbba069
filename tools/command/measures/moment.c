/*
 * tools/command/measures/moment.c - see moment.h.
 */
#include "moment.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/marks.h"
#include "base/diag.h"
#include "base/text.h"
#include "base/whole.h"
#include "command/command.h"
#include "command/options/values.h"

#define MOMENT_BYTES 1024

static const char remedy[] = "moments look like 1s~2s, 25%~75%, loaded~served, main#10~main#20";

/* A time or share, ns since the start; false: it is none. */
static bool time_of(const char *text, uint64_t length_ns, uint64_t *ns) {
  struct prof_diag ignored = {0};
  const size_t bytes = strlen(text);
  double share;
  if (text[0] < '0' || text[0] > '9')
    return false;
  if (text[bytes - 1] != '%')
    return prof_value_duration("", text, ns, &ignored) == PROF_OK;
  if (prof_value_share("", text, &share, &ignored) != PROF_OK)
    return false;
  *ns = prof_whole(share * (double)length_ns);
  return true;
}

/* "name#3": splits off the number, else 1. */
static uint64_t number_of(char *text) {
  char *hash = strrchr(text, '#'), *end;
  const uint64_t number = hash && hash[1] ? strtoull(hash + 1, &end, 10) : 0;
  if (number == 0 || *end)
    return 1;
  *hash = 0;
  return number;
}

static prof_status find(char *text, const struct prof_reader *reader, const struct prof_marks *marks, uint64_t *ticks,
                        struct prof_diag *diag) {
  const prof_trace *trace = reader->recording.trace;
  const struct prof_trace_info *info = prof_trace_info(trace);
  uint64_t ns, number;
  if (!time_of(text, prof_trace_ns(trace, info->last_ticks - info->start_ticks), &ns)) {
    number = number_of(text);
    if (!prof_marks_time(marks, text, number, &ns))
      return prof_diag_fill(diag, PROF_EMPTY, info->path, PROF_NO_OFFSET,
                            "prof memory --over-time=marks lists marks; frames count too",
                            "the recording has no mark %s", text);
  }
  *ticks = info->start_ticks + prof_trace_ticks(trace, ns);
  return PROF_OK;
}

prof_status prof_moments_parse(const char *flag, const char *text, const struct prof_reader *reader, uint64_t ticks[2],
                               struct prof_diag *diag) {
  const prof_trace *trace = reader->recording.trace;
  char first[MOMENT_BYTES], second[MOMENT_BYTES];
  const char *tilde = strchr(text, '~');
  if (!tilde || strlen(text) >= MOMENT_BYTES)
    return prof_command_usage(diag, remedy, "%s=%s has no two moments", flag, text);
  snprintf(first, sizeof first, "%.*s", (int)(tilde - text), text);
  snprintf(second, sizeof second, "%s", tilde + 1);
  ticks[0] = prof_trace_info(trace)->start_ticks;
  ticks[1] = UINT64_MAX;
  struct prof_marks marks;
  prof_status status = prof_marks_find(trace, true, diag, &marks);
  if (status == PROF_OK && first[0])
    status = find(first, reader, &marks, &ticks[0], diag);
  if (status == PROF_OK && second[0])
    status = find(second, reader, &marks, &ticks[1], diag);
  prof_marks_fini(&marks);
  if (status == PROF_OK && ticks[0] >= ticks[1])
    return prof_command_usage(diag, remedy, "%s=%s: the second moment isn't after the first", flag, text);
  return status;
}
