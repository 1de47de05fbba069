/*
 * tools/command/warning.c - see warning.h.
 */
#include "warning.h"

#include <stdio.h>
#include <string.h>

#include "view/units.h"

struct line {
  char *text;
  size_t used;
};

static void say(struct line *line, const char *number, const char *what) {
  int bytes = snprintf(line->text + line->used, PROF_WARNING_BYTES - line->used, "%s%s%s%s", line->used ? ", " : "",
                       number, number[0] ? " " : "", what);
  line->used += (size_t)bytes < PROF_WARNING_BYTES - line->used ? (size_t)bytes : 0;
}

static void say_more(struct line *line, const char *what) {
  int bytes = snprintf(line->text + line->used, PROF_WARNING_BYTES - line->used, "%s", what);
  line->used += (size_t)bytes < PROF_WARNING_BYTES - line->used ? (size_t)bytes : 0;
}

const char *prof_warning_unfinished(const prof_trace *trace, char text[PROF_WARNING_BYTES]) {
  const struct prof_trace_info *info = prof_trace_info(trace);
  struct prof_damage damage;
  char age[PROF_UNITS_BYTES];
  prof_trace_damage(trace, &damage);
  if (!damage.cut)
    return NULL;
  if (info->in_progress)
    snprintf(text, PROF_WARNING_BYTES, "recording in progress, data up to %s ago",
             prof_units_duration(age, info->age_ns));
  else
    snprintf(text, PROF_WARNING_BYTES, "recording cut short");
  return text;
}

#define KINDS_NAMED 3

void prof_warning_lacking(const prof_trace *trace, char text[PROF_WARNING_BYTES]) {
  size_t count;
  const struct prof_lacking *lacking = prof_trace_lacking(trace, &count);
  struct line line = {.text = text};
  char kind[100];
  text[0] = 0;
  for (size_t i = 0; i < count && i < KINDS_NAMED; i++) {
    snprintf(kind, sizeof kind, "%u of %u %s", lacking[i].missing, lacking[i].written, lacking[i].kind);
    say(&line, "", kind);
  }
  if (count > KINDS_NAMED) {
    snprintf(kind, sizeof kind, "some of %zu more kinds", count - KINDS_NAMED);
    say(&line, "", kind);
  }
}

void prof_warning_losses(const prof_trace *trace, char text[PROF_WARNING_BYTES]) {
  struct prof_damage damage;
  struct line line = {.text = text};
  char number[PROF_UNITS_BYTES], kinds[PROF_WARNING_BYTES];
  uint64_t lost = prof_trace_info(trace)->lost;
  text[0] = 0;
  prof_trace_damage(trace, &damage);
  if (lost)
    say(&line, prof_units_count(number, lost), lost == 1 ? "event lost" : "events lost");
  if (damage.bytes_skipped)
    say(&line, prof_units_bytes(number, damage.bytes_skipped), "of the file unreadable");
  if (damage.chunks_damaged)
    say(&line, prof_units_count(number, damage.chunks_damaged),
        damage.chunks_damaged == 1 ? "damaged chunk skipped" : "damaged chunks skipped");
  prof_warning_lacking(trace, kinds);
  if (kinds[0]) {
    say(&line, "the file lacks", kinds);
    say_more(&line, " chunks");
  }
}

void prof_warning_text(const prof_trace *trace, char text[PROF_WARNING_BYTES]) {
  char end[PROF_WARNING_BYTES];
  prof_warning_losses(trace, text);
  struct line line = {.text = text, .used = strlen(text)};
  if (prof_warning_unfinished(trace, end))
    say(&line, "", end);
}

void prof_warning_print(const prof_trace *trace) {
  char text[PROF_WARNING_BYTES];
  prof_warning_text(trace, text);
  if (text[0])
    fprintf(stderr, "prof: %s\n", text);
}
