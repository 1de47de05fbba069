/*
 * tools/command/ctl.c - `prof ctl`: asks a recording in progress how far it is, for a snapshot, or changes it.
 */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "budget_value.h"
#include "command.h"
#include "options/values.h"
#include "record/keep/kept_functions.h"
#include "record_filter.h"
#include "recorder_choose.h"

#define WORDS "status snapshot start stop overhead filter"
#define FIELD "\x1f"

struct settings { /* of `filter` */
  struct prof_texts patterns[PROF_KEPT_FLAGS];
  uint32_t depth;
  uint64_t min_ns, slow_ns;
};

static bool is_word(const char *text) {
  const char *const words[] = {"status", "snapshot", "start", "stop", "overhead", "filter"};
  bool found = false;
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    found |= strcmp(words[i], text) == 0;
  return found;
}

/* ---- what is asked, as the recorder reads it (record/pump/orders.h) ---- */

struct request {
  char text[PROF_CONTROL_LINE_BYTES - 600];
  size_t used;
  bool too_long;
};

static __attribute__((format(printf, 2, 3))) void add(struct request *request, const char *format, ...) {
  va_list values;
  size_t room = sizeof request->text - request->used;
  va_start(values, format);
  int bytes = vsnprintf(request->text + request->used, room, format, values);
  va_end(values);
  request->too_long |= bytes < 0 || (size_t)bytes >= room;
  request->used += request->too_long ? 0 : (size_t)bytes;
}

static void add_patterns(struct request *request, const char *key, const struct prof_texts *patterns) {
  for (size_t i = 0; i < patterns->count; i++)
    add(request, FIELD "%s=%s", key, patterns->items[i]);
  request->too_long |= patterns->count > PROF_KEPT_MOST;
}

static prof_status add_filter(struct request *request, const struct settings *settings, struct prof_diag *diag) {
  static const char *const keys[] = {
      [PROF_KEPT_ONLY] = "only", [PROF_KEPT_WITHOUT] = "without", [PROF_KEPT_UNDER] = "only-under",
      [PROF_KEPT_FILE] = "file", [PROF_KEPT_MODULE] = "module",   [PROF_KEPT_CALLER] = "caller",
  };
  bool chooses = settings->patterns[PROF_KEPT_ONLY].count > 0 || settings->patterns[PROF_KEPT_UNDER].count > 0;
  for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
    add_patterns(request, keys[i], &settings->patterns[i]);
  if (settings->depth > 0)
    add(request, FIELD "depth=%u", settings->depth);
  if (settings->min_ns > 0)
    add(request, FIELD "time-filter=%" PRIu64, settings->min_ns);
  if (settings->slow_ns > 0)
    add(request, FIELD "slower-than=%" PRIu64, settings->slow_ns);
  if (settings->slow_ns > 0 && !chooses)
    return prof_command_usage(diag, "say whose calls: -F handle --slower-than=10ms",
                              "--slower-than needs -F or --only-under");
  if (request->too_long || strpbrk(request->text, "\n") != NULL)
    return prof_command_usage(diag, "give fewer or shorter patterns: '*part*'",
                              "the filter is too long for one message");
  return prof_record_filter_pairs(settings->patterns, diag);
}

/* `given`: the argument after the word, or NULL. */
static prof_status make_request(struct request *request, const char *word, const char *given,
                                const struct settings *settings, struct prof_diag *diag) {
  double budget = 0;
  bool is_filter = strcmp(word, "filter") == 0, off = given != NULL && strcmp(given, "off") == 0;
  add(request, "%s", word);
  if (is_filter && (given == NULL || off)) {
    prof_status status = add_filter(request, settings, diag);
    if (status == PROF_OK && off == (request->used > strlen(word)))
      return prof_command_usage(diag, "as in: prof ctl server filter -F handle, or filter off",
                                off ? "filter off takes no filters" : "which filter?");
    return status;
  }
  if (is_filter || (given == NULL) == (strcmp(word, "overhead") == 0))
    return prof_command_usage(diag, "as in: prof ctl server stop, prof ctl server overhead 2%",
                              given != NULL ? "prof ctl %.40s: too many words" : "prof ctl %.40s: how much?", word);
  if (given == NULL)
    return PROF_OK;
  prof_status status = prof_budget_value("overhead", given, &budget, diag);
  if (status == PROF_OK && budget <= 0)
    return prof_command_usage(diag, "give 1% to 50%, production or dev", "a running recording can't become full");
  add(request, " %.6f", budget);
  return status;
}

/* The recorder says why, and maybe after a tab what to do. */
static prof_status refused(const char *answer, struct prof_diag *diag) {
  char why[256], remedy[256];
  size_t length = strcspn(answer, "\t");
  prof_text_escape(why, sizeof why, answer, length);
  const char *rest = answer[length] != 0 ? answer + length + 1 : "record with --mode=ring or --split";
  prof_text_escape(remedy, sizeof remedy, rest, strlen(rest));
  return prof_command_usage(diag, remedy, "%.200s", why);
}

static prof_status ask(const char *wanted, const char *word, struct prof_diag *diag) {
  struct prof_control_list list = {0};
  const struct prof_control_found *found = NULL;
  char answer[PROF_CONTROL_LINE_BYTES], safe[PROF_CONTROL_LINE_BYTES];
  prof_status status = prof_control_find(&list, diag);
  if (status == PROF_OK)
    status = prof_recorder_choose(&list, wanted, diag, &found);
  if (status == PROF_OK) {
    status = prof_control_ask(found, word, diag, answer);
    prof_text_escape(safe, sizeof safe, answer, strlen(answer));
    if (status == PROF_OK)
      printf("%s\n", safe);
    else if (status == PROF_USAGE)
      status = refused(answer, diag);
  }
  prof_vec_fini(&list.items);
  return status;
}

/* Without arguments: all of them. */
static prof_status show_all(struct prof_diag *diag) {
  struct prof_control_list list = {0};
  prof_status status = prof_control_find(&list, diag);
  size_t shown = 0;
  for (size_t i = 0; i < list.items.count && status == PROF_OK; i++) {
    char answer[PROF_CONTROL_LINE_BYTES], safe[PROF_CONTROL_LINE_BYTES];
    if (prof_control_is_stopped(&list.items.items[i])) {
      printf("process %ld: prof record (%ld) is stopped\n", (long)list.items.items[i].program,
             (long)list.items.items[i].recorder);
      shown++;
      continue;
    }
    if (prof_control_ask(&list.items.items[i], "status", NULL, answer) != PROF_OK)
      continue; /* another user's, or it ended meanwhile */
    prof_text_escape(safe, sizeof safe, answer, strlen(answer));
    printf("%s\n", safe);
    shown++;
  }
  if (status == PROF_OK && shown == 0)
    fprintf(stderr, "prof: none of your programs is being recorded\n");
  prof_vec_fini(&list.items);
  return status;
}

static int run(void *argument, int argc, char **argv) {
  const struct settings *settings = argument;
  struct prof_diag diag = {0};
  struct request request = {0};
  prof_status status = PROF_OK;
  const char *word = argc > 1 ? argv[1] : "status";
  if (argc > 3)
    status = prof_command_usage(&diag, "as in: prof ctl 312 snapshot", "prof ctl takes a program and a word");
  else if (!is_word(word))
    status = prof_command_usage(&diag, "give one of: " WORDS, "prof ctl %.40s: unknown word '%.40s'", argv[0], word);
  else if (argc > 0)
    status = make_request(&request, word, argc > 2 ? argv[2] : NULL, settings, &diag);
  if (status == PROF_OK)
    status = argc > 0 ? ask(argv[0], request.text, &diag) : show_all(&diag);
  return status == PROF_OK ? PROF_EXIT_OK : prof_command_fail(&diag);
}

#define IN(member) PROF_MEMBER(struct settings, member)
static const struct prof_option options[] = {
    {"only", 'F', "GLOB", "filter: record only these functions and their callees; may be repeated", PROF_OPTION_TEXTS,
     IN(patterns[PROF_KEPT_ONLY])},
    {"without", 'N', "GLOB", "filter: leave out these functions and their callees; may be repeated", PROF_OPTION_TEXTS,
     IN(patterns[PROF_KEPT_WITHOUT])},
    {"only-under", 0, "GLOB", "filter: record only what runs beneath this function or zone; may be repeated",
     PROF_OPTION_TEXTS, IN(patterns[PROF_KEPT_UNDER])},
    {"file", 0, "GLOB", "filter: record only functions of these source files; may be repeated", PROF_OPTION_TEXTS,
     IN(patterns[PROF_KEPT_FILE])},
    {"module", 0, "GLOB", "filter: record only functions of these programs and libraries; may be repeated",
     PROF_OPTION_TEXTS, IN(patterns[PROF_KEPT_MODULE])},
    {"caller", 'C', "GLOB", "filter: record only calls of these functions and the calls that led to them",
     PROF_OPTION_TEXTS, IN(patterns[PROF_KEPT_CALLER])},
    {"depth", 'D', "N", "filter: record at most N levels of calls", PROF_OPTION_COUNT, IN(depth), .low = 1},
    {"time-filter", 't', "MIN", "filter: leave out calls shorter than this, as in 10us", PROF_OPTION_DURATION,
     IN(min_ns)},
    {"slower-than", 0, "TIME", "filter: of faster calls of -F record only that there was one", PROF_OPTION_DURATION,
     IN(slow_ns)},
    {0},
};

const struct prof_command prof_command_ctl = {
    .name = "ctl",
    .arguments = "[PID|NAME [status|snapshot|start|stop|overhead N%|filter ...]]",
    .summary = "Ask a recording in progress how far it is, for a snapshot, or change it",
    .group = "Record",
    .options = options,
    .settings_bytes = sizeof(struct settings),
    .run = run,
};
