/*
 * tools/viewer/view_old.c - see view_old.h.
 *
 * Rows of functions are matched as `prof diff` matches them: by name and the name of the file.  Call paths are matched
 * as `prof flame --against` does: by the key of a name, in which instances of a template are one.
 */
#include "viewer/view_old.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "analysis/compare/key_table.h"
#include "base/diag.h"
#include "names/loop_frames.h"
#include "viewer/columns.h"

struct identities { /* what functions have in common in all builds; zero: empty */
  PROF_VEC(const char *) texts;
  PROF_VEC(uint32_t) firsts; /* the first number with the text */
  struct prof_index_map known;
  struct prof_arena arena;
  bool failed; /* no memory */
};

static void identities_fini(struct identities *identities) {
  prof_vec_fini(&identities->texts);
  prof_vec_fini(&identities->firsts);
  prof_index_fini(&identities->known);
  prof_arena_fini(&identities->arena);
}

static uint32_t hash_of(const char *text) {
  uint32_t hash = 2166136261u; /* FNV-1a */
  for (; *text; text++)
    hash = (hash ^ (uint8_t)*text) * 16777619u;
  return hash;
}

/* "zone\nNAME\nFILE" */
static const char *identity(char out[static 2 * PROF_RUN_NAME_BYTES], bool zone, const char *name, const char *file) {
  char plain[PROF_RUN_NAME_BYTES];
  snprintf(out, 2 * PROF_RUN_NAME_BYTES, "%s\n%s\n%.4000s", zone ? "zone" : "", prof_run_plain_name(plain, name),
           prof_run_base(file));
  return out;
}

static const char *identity_of(char out[static 2 * PROF_RUN_NAME_BYTES], const struct prof_recording *recording,
                               uint32_t frame) {
  return identity(out, prof_names_is_zone(recording->names, frame), prof_names_plain(recording->names, frame),
                  prof_names_file(recording->names, frame));
}

static uint32_t find(const struct identities *identities, const char *text) {
  const uint32_t at = prof_index_find(&identities->known, hash_of(text), i, !strcmp(identities->texts.items[i], text));
  return at == UINT32_MAX ? PROF_NONE : identities->firsts.items[at];
}

/* The first number with this text: the one that was there, or `number`. */
static uint32_t meet(struct identities *identities, const char *text, uint32_t number) {
  const uint32_t known = find(identities, text);
  if (known != PROF_NONE)
    return known;
  const char *copy = prof_arena_copy(&identities->arena, text, strlen(text));
  identities->failed |= !copy || !prof_vec_push(&identities->texts, copy) ||
                        !prof_vec_push(&identities->firsts, number) ||
                        !prof_index_add(&identities->known, hash_of(text), (uint32_t)identities->texts.count - 1);
  return number;
}

/* ---- numbers ---- */

/* All frames of a recording by identity: those that are in the page already first. */
static void identify(const struct prof_view_frames *page, struct identities *out) {
  char text[2 * PROF_RUN_NAME_BYTES];
  size_t functions;
  prof_trace_functions(page->recording->trace, &functions);
  for (int shown = 1; shown >= 0; shown--)
    for (uint32_t frame = 0; frame < page->count && !out->failed; frame++)
      if (frame != functions && (page->of[frame] != PROF_NONE) == shown)
        (void)meet(out, identity_of(text, page->recording, frame), frame);
}

static void number_one(struct prof_view_frames *page, const struct identities *here, uint32_t frame,
                       struct prof_view_frames *old) {
  char text[2 * PROF_RUN_NAME_BYTES];
  size_t functions;
  prof_trace_functions(old->recording->trace, &functions);
  if (frame == PROF_NONE || frame == functions) {
    old->of[functions] = prof_view_frame(page, PROF_NONE);
    return;
  }
  if (frame >= old->count || old->of[frame] != PROF_NONE) /* a group, or known */
    return;
  const uint32_t same = find(here, identity_of(text, old->recording, frame));
  old->of[frame] = same != PROF_NONE ? prof_view_frame(page, same)
                                     : prof_view_extra_frame(page, prof_names_function(old->recording->names, frame));
}

prof_status prof_view_old_number(const struct prof_view_old *of, struct prof_view_frames *page, struct prof_diag *diag,
                                 struct prof_view_frames *out) {
  struct identities here = {.failed = false};
  if (!prof_view_frames_init(out, of->recording))
    return prof_diag_memory(diag);
  identify(page, &here);
  for (size_t i = 0; i < of->functions->count; i++)
    number_one(page, &here, of->functions->rows[i].index, out);
  for (uint32_t i = 1; i < of->tree->node_count; i++)
    number_one(page, &here, of->tree->nodes[i].function, out);
  const bool failed = here.failed || page->failed;
  identities_fini(&here);
  return failed ? prof_diag_memory(diag) : PROF_OK;
}

/* ---- the section ---- */

static void put_number(struct prof_json *json, const char *key, bool known, double value) {
  prof_json_number(json, key, known ? value : (double)NAN);
}

static void put_program(const struct prof_view_old *of, struct prof_view_frames *page, struct prof_json *json) {
  const struct prof_recording *recording = of->recording;
  const struct prof_trace_info *info = prof_trace_info(recording->trace);
  prof_view_text(page, json, "recording", info->path);
  prof_json_count(json, "start_realtime_ns", info->start_realtime_ns);
  prof_json_count(json, "wall_ns", info->wall_ns);
  prof_json_count(json, "events", info->events);
  prof_json_bool(json, "has_switches", recording->has_switches);
  prof_json_bool(json, "judged", of->diff != NULL);
  if (!of->diff)
    return;
  const struct prof_diff_row *program = &of->diff->program;
  prof_json_count(json, "old_runs", of->runs[PROF_OLD]);
  prof_json_count(json, "new_runs", of->runs[PROF_NEW]);
  prof_json_text(json, "program_verdict", prof_verdict_words[program->verdict]);
  put_number(json, "program_ratio", program->has_ratio, program->ratio);
  put_number(json, "program_low", program->has_ratio, program->low);
  put_number(json, "program_high", program->has_ratio, program->high);
  prof_json_bool(json, "recorded_differently", of->diff->modes_differ);
  prof_json_bool(json, "machines_differ", of->diff->machines_differ);
  prof_json_bool(json, "incomplete", of->diff->incomplete);
}

struct judged { /* a row of decide, of a function of the page */
  const struct prof_diff_row *row;
  uint32_t frame;
  const char *verdict, *metric, *guess;
  double ratio, low, high; /* NAN: not known */
  uint64_t runs_needed;
  bool other_work;
};

#define AT(member) offsetof(struct judged, member)
static const struct prof_column_row judged_columns[] = {
    {"frame", PROF_COLUMN_INDEX, AT(frame), PROF_COLUMN_ALWAYS},
    {"metric", PROF_COLUMN_TEXT, AT(metric), PROF_COLUMN_ALWAYS},
    {"verdict", PROF_COLUMN_TEXT, AT(verdict), PROF_COLUMN_ALWAYS},
    {"ratio", PROF_COLUMN_DOUBLE, AT(ratio), PROF_COLUMN_ALWAYS},
    {"low", PROF_COLUMN_DOUBLE, AT(low), PROF_COLUMN_ALWAYS},
    {"high", PROF_COLUMN_DOUBLE, AT(high), PROF_COLUMN_ALWAYS},
    {"runs_needed", PROF_COLUMN_U64, AT(runs_needed), PROF_COLUMN_ALWAYS},
    {"other_work", PROF_COLUMN_BOOL, AT(other_work), PROF_COLUMN_ALWAYS},
    {"guess", PROF_COLUMN_TEXT, AT(guess), PROF_COLUMN_ALWAYS},
    {NULL, 0, 0, 0},
};
#undef AT

static struct judged judge(const struct prof_diff_row *row, uint32_t frame) {
  const double unknown = (double)NAN;
  return (struct judged){.row = row,
                         .frame = frame,
                         .verdict = prof_verdict_words[row->verdict],
                         .metric = prof_diff_metric_words[row->metric],
                         .guess = row->guess == PROF_GUESS_NONE ? "" : prof_guess_words[row->guess],
                         .ratio = row->has_ratio ? row->ratio : unknown,
                         .low = row->has_ratio ? row->low : unknown,
                         .high = row->has_ratio ? row->high : unknown,
                         .runs_needed = row->runs_needed,
                         .other_work = row->other_work};
}

/* Of functions and zones, in the order of `prof diff`. */
static prof_status put_rows(const struct prof_view_old *of, struct prof_view_frames *page,
                            const struct identities *rows, struct prof_diag *diag, struct prof_json *json) {
  char text[2 * PROF_RUN_NAME_BYTES];
  PROF_VEC(struct judged) judged = {0};
  bool done = true;
  for (size_t i = 0; done && of->diff && i < of->diff->rows.count; i++) {
    const struct prof_diff_row *row = &of->diff->rows.items[i];
    const bool zone = !strcmp(row->kind, prof_run_kind_words[PROF_RUN_ZONE]);
    if (!zone && strcmp(row->kind, prof_run_kind_words[PROF_RUN_FUNCTION]) != 0)
      continue;
    const uint32_t frame = find(rows, identity(text, zone, row->name, row->file));
    done = frame == PROF_NONE || prof_vec_push(&judged, judge(row, frame));
  }
  if (done) {
    prof_columns_write(json, judged_columns, judged.items, judged.count, sizeof *judged.items);
    prof_json_array(json, "guess_name");
    for (size_t i = 0; i < judged.count; i++)
      prof_view_text(page, json, NULL, judged.items[i].row->guess_name);
    prof_json_array_end(json);
  }
  prof_vec_fini(&judged);
  return done ? PROF_OK : prof_diag_memory(diag);
}

/* Per frame of the page: the one that stands for it among rows, and on call paths. */
static prof_status put_same(struct prof_view_frames *page, struct identities *rows, struct prof_diag *diag,
                            struct prof_json *json) {
  char text[2 * PROF_RUN_NAME_BYTES];
  struct prof_key_table keys = {.scratch = NULL};
  PROF_VEC(uint32_t) row_as = {0}, path_as = {0}, firsts = {0};
  bool done = true;
  for (uint32_t id = 0; done && id < page->numbers.count; id++) {
    const uint32_t number = prof_view_frame_number(page, id);
    const uint32_t key = prof_key_table_add(&keys, prof_view_frame_name(page, id));
    const uint32_t row = number == PROF_NONE ? id : meet(rows, identity_of(text, page->recording, number), id);
    done = key != UINT32_MAX && (key < firsts.count || prof_vec_push(&firsts, id)) &&
           prof_vec_push(&path_as, firsts.items[key]) && prof_vec_push(&row_as, row);
  }
  done = done && !rows->failed;
  if (done) {
    prof_columns_indices(json, "row_as", row_as.items, row_as.count);
    prof_columns_indices(json, "path_as", path_as.items, path_as.count);
  }
  prof_key_table_fini(&keys);
  prof_vec_fini(&row_as);
  prof_vec_fini(&path_as);
  prof_vec_fini(&firsts);
  return done ? PROF_OK : prof_diag_memory(diag);
}

prof_status prof_view_old_write(const struct prof_view_old *of, struct prof_view_frames *page,
                                const struct prof_view_frames *old, struct prof_diag *diag, struct prof_json *json) {
  char text[2 * PROF_RUN_NAME_BYTES];
  struct identities rows = {.failed = false};
  put_program(of, page, json);
  prof_status status = put_same(page, &rows, diag, json);
  for (uint32_t frame = 0; status == PROF_OK && frame < old->count; frame++) /* those that only it has */
    if (old->of[frame] != PROF_NONE && prof_view_frame_number(page, old->of[frame]) == PROF_NONE)
      (void)meet(&rows, identity_of(text, of->recording, frame), old->of[frame]);
  if (status == PROF_OK)
    status = rows.failed ? prof_diag_memory(diag) : put_rows(of, page, &rows, diag, json);
  identities_fini(&rows);
  return status;
}
