/*
 * tools/command/decide/ledger.c - see ledger.h.
 */
#include "command/decide/ledger.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/diag.h"
#include "base/plain_file.h"
#include "base/text.h"
#include "command/decide/diff_show.h"

#define FIELDS 10
#define TEXT_BYTES 1024

static void put_text(FILE *file, const char *text, bool last) {
  char escaped[TEXT_BYTES], blank[TEXT_BYTES];
  snprintf(blank, sizeof blank, "%s", text);
  for (char *c = blank; *c; c++)
    *c = *c == '\t' || *c == '\n' || *c == '\r' ? ' ' : *c;
  prof_text_escape(escaped, sizeof escaped, blank, strlen(blank));
  fprintf(file, "%s%c", escaped, last ? '\n' : '\t');
}

static void put_number(FILE *file, double number) {
  if (isfinite(number))
    fprintf(file, "%.4g\t", number);
  else
    fprintf(file, "\t");
}

prof_status prof_ledger_add(const char *path, const struct prof_ledger_entry *entry, struct prof_diag *diag) {
  char *line = NULL, when[32];
  size_t bytes = 0;
  const time_t now = time(NULL);
  struct tm parts;
  FILE *text = open_memstream(&line, &bytes);
  if (!text)
    return prof_diag_memory(diag);
  gmtime_r(&now, &parts);
  strftime(when, sizeof when, "%Y-%m-%d %H:%M", &parts);
  const char *const first[] = {when, entry->title, entry->command, entry->verdict};
  const char *const last[] = {entry->old, entry->new, entry->row};
  for (size_t i = 0; i < 4; i++)
    put_text(text, first[i], false);
  put_number(text, entry->ratio);
  put_number(text, entry->low);
  put_number(text, entry->high);
  for (size_t i = 0; i < 3; i++)
    put_text(text, last[i], i == 2);
  prof_status status = fclose(text) ? prof_diag_memory(diag) : PROF_OK;
  FILE *file = status == PROF_OK ? fopen(path, "ae") : NULL;
  if (status == PROF_OK && (!file || fwrite(line, 1, bytes, file) != bytes || fclose(file)))
    status = prof_diag_system(diag, errno, path, "can't write the ledger", "go to a folder that you may write in");
  free(line);
  return status;
}

/* "" -> NAN */
static double number_of(const char *text) {
  char *end;
  const double number = strtod(text, &end);
  return *text && !*end ? number : (double)NAN;
}

static prof_status take_line(struct prof_ledger *ledger, const char *line, size_t bytes, struct prof_diag *diag) {
  char *at = prof_arena_copy(&ledger->texts, line, bytes);
  const char *fields[FIELDS] = {0};
  size_t count = 0;
  if (!at)
    return prof_diag_memory(diag);
  for (char *field; count < FIELDS && (field = strsep(&at, "\t"));)
    fields[count++] = field;
  if (count < FIELDS || at) {
    ledger->strange += bytes > 0;
    return PROF_OK;
  }
  const struct prof_ledger_entry entry = {.time = fields[0],
                                          .title = fields[1],
                                          .command = fields[2],
                                          .verdict = fields[3],
                                          .ratio = number_of(fields[4]),
                                          .low = number_of(fields[5]),
                                          .high = number_of(fields[6]),
                                          .old = fields[7],
                                          .new = fields[8],
                                          .row = fields[9]};
  return prof_vec_push(&ledger->entries, entry) ? PROF_OK : prof_diag_memory(diag);
}

prof_status prof_ledger_read(const char *path, struct prof_diag *diag, struct prof_ledger *ledger) {
  *ledger = (struct prof_ledger){0};
  const int descriptor = prof_plain_file_open(path, NULL);
  FILE *file = descriptor < 0 ? NULL : fdopen(descriptor, "r");
  if (!file) {
    const int error = errno;
    if (descriptor >= 0)
      close(descriptor);
    return prof_diag_system(diag, error, path, "there is no ledger here", "prof compare --note=TITLE writes into it");
  }
  char *line = NULL;
  size_t room = 0;
  prof_status status = PROF_OK;
  for (ssize_t bytes; status == PROF_OK && (bytes = getline(&line, &room, file)) > 0;)
    status = take_line(ledger, line, (size_t)bytes - (line[bytes - 1] == '\n'), diag);
  free(line);
  fclose(file);
  return status;
}

void prof_ledger_fini(struct prof_ledger *ledger) {
  prof_vec_fini(&ledger->entries);
  prof_arena_fini(&ledger->texts);
}

const char *prof_ledger_row(const struct prof_diff *diff, char out[PROF_LEDGER_ROW_BYTES]) {
  char change[PROF_CHANGE_BYTES];
  const struct prof_diff_row *first = diff->rows.count ? &diff->rows.items[0] : NULL;
  out[0] = 0;
  if (first && first->verdict >= PROF_VERDICT_FASTER)
    snprintf(out, PROF_LEDGER_ROW_BYTES, "%.180s %s", first->name, prof_change_text(change, first->ratio));
  return out;
}
