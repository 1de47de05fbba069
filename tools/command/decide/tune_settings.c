/*
 * tools/command/decide/tune_settings.c - see tune_settings.h.
 */
#include "command/decide/tune_settings.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "command/command.h"

#define REMEDY "settings look like THREADS=1..8, SIZE=1..64*2, MODE=fast,slow"
#define WORD_BYTES 4096

static bool is_name(const char *name, size_t bytes) {
  for (size_t i = 0; i < bytes; i++)
    if (!isalnum((unsigned char)name[i]) && name[i] != '_')
      return false;
  return bytes > 0;
}

static prof_status add_value(struct prof_tune_settings *settings, struct prof_tune_setting *setting, const char *text,
                             size_t bytes, struct prof_diag *diag) {
  const char *value = prof_arena_copy(&settings->texts, text, bytes);
  if (!value || !prof_vec_push(&setting->values, value))
    return prof_diag_memory(diag);
  return setting->values.count <= PROF_TUNE_MOST
             ? PROF_OK
             : prof_command_usage(diag, "take larger steps, as in 1..64*2", "%s has over %u values", setting->name,
                                  PROF_TUNE_MOST);
}

/* "1..8", "1..64*2", "0..100+25"; *is: it is a range. */
static prof_status take_range(struct prof_tune_settings *settings, struct prof_tune_setting *setting, const char *text,
                              bool *is, struct prof_diag *diag) {
  char *end, number[32];
  errno = 0;
  const long first = strtol(text, &end, 10);
  if ((*is = end != text && !strncmp(end, "..", 2) && !errno) == false)
    return PROF_OK;
  const char *second = end + 2;
  const long last = strtol(second, &end, 10);
  const char how = *end;
  const long by = how ? strtol(end + 1, &end, 10) : 1;
  const bool wrong = end == second || *end || (how && how != '+' && how != '*') || errno || first > last ||
                     by < 1 + (how == '*') || (how == '*' && first < 1) || last > 1000000000;
  if (wrong)
    return prof_command_usage(diag, REMEDY, "the range '%s' can't be used", text);
  prof_status status = PROF_OK;
  for (long value = first; status == PROF_OK && value <= last; value = how == '*' ? value * by : value + by)
    status = add_value(settings, setting, number, (size_t)snprintf(number, sizeof number, "%ld", value), diag);
  return status;
}

static prof_status take_list(struct prof_tune_settings *settings, struct prof_tune_setting *setting, const char *text,
                             struct prof_diag *diag) {
  prof_status status = PROF_OK;
  for (const char *at = text; status == PROF_OK && at;) {
    const size_t bytes = strcspn(at, ",");
    status = add_value(settings, setting, at, bytes, diag);
    at = at[bytes] ? at + bytes + 1 : NULL;
  }
  return status;
}

static prof_status take_setting(struct prof_tune_settings *settings, const char *text, struct prof_diag *diag) {
  const char *equals = strchr(text, '=');
  bool range = false;
  if (!equals || !equals[1] || !is_name(text, (size_t)(equals - text)))
    return prof_command_usage(diag, REMEDY, "--set=%s can't be used", text);
  if (settings->count == PROF_TUNE_MOST_SETTINGS)
    return prof_command_usage(diag, "tune some of them first", "there are over %u settings", PROF_TUNE_MOST_SETTINGS);
  struct prof_tune_setting *setting = &settings->items[settings->count++];
  setting->name = prof_arena_copy(&settings->texts, text, (size_t)(equals - text));
  if (!setting->name)
    return prof_diag_memory(diag);
  prof_status status = take_range(settings, setting, equals + 1, &range, diag);
  return status != PROF_OK || range ? status : take_list(settings, setting, equals + 1, diag);
}

prof_status prof_tune_settings_make(const char *const *texts, size_t count, struct prof_diag *diag,
                                    struct prof_tune_settings *settings) {
  prof_status status = PROF_OK;
  *settings = (struct prof_tune_settings){.combinations = 1};
  for (size_t i = 0; status == PROF_OK && i < count; i++)
    status = take_setting(settings, texts[i], diag);
  for (size_t i = 0; status == PROF_OK && i < settings->count; i++) {
    settings->combinations *= settings->items[i].values.count;
    if (settings->combinations > PROF_TUNE_MOST)
      status = prof_command_usage(diag, "take larger steps, as in 1..64*2", "there are over %u combinations",
                                  PROF_TUNE_MOST);
  }
  if (status == PROF_OK && settings->combinations < 2)
    status = prof_command_usage(diag, REMEDY, "there is nothing to choose from: give --set with several values");
  return status;
}

void prof_tune_settings_fini(struct prof_tune_settings *settings) {
  for (size_t i = 0; i < settings->count; i++)
    prof_vec_fini(&settings->items[i].values);
  prof_arena_fini(&settings->texts);
}

const char *prof_tune_value(const struct prof_tune_settings *settings, size_t combination, size_t setting) {
  for (size_t i = settings->count; i-- > setting + 1;)
    combination /= settings->items[i].values.count;
  return settings->items[setting].values.items[combination % settings->items[setting].values.count];
}

const char *prof_tune_title(struct prof_tune_settings *settings, size_t combination) {
  char text[WORD_BYTES] = "";
  size_t used = 0;
  for (size_t i = 0; i < settings->count && used + 1 < sizeof text; i++)
    used += (size_t)snprintf(text + used, sizeof text - used, "%s%.200s=%.200s", i ? " " : "", settings->items[i].name,
                             prof_tune_value(settings, combination, i));
  return prof_arena_copy(&settings->texts, text, strlen(text));
}

/* The setting whose {NAME} stands here; its index, or the count. */
static size_t setting_at(const struct prof_tune_settings *settings, const char *at, size_t *bytes) {
  for (size_t i = 0; *at == '{' && i < settings->count; i++) {
    const size_t name = strlen(settings->items[i].name);
    *bytes = name + 2;
    if (!strncmp(at + 1, settings->items[i].name, name) && at[name + 1] == '}')
      return i;
  }
  return settings->count;
}

static char *fill_in(struct prof_tune_settings *settings, size_t combination, const char *word) {
  char text[WORD_BYTES];
  size_t used = 0, bytes;
  for (const char *at = word; *at && used + 1 < sizeof text;) {
    const size_t setting = setting_at(settings, at, &bytes);
    if (setting == settings->count) {
      text[used++] = *at++;
      continue;
    }
    const char *value = prof_tune_value(settings, combination, setting);
    const size_t room = sizeof text - used - 1, length = strlen(value) < room ? strlen(value) : room;
    memcpy(text + used, value, length);
    used += length;
    at += bytes;
  }
  return prof_arena_copy(&settings->texts, text, used);
}

char **prof_tune_words(struct prof_tune_settings *settings, size_t combination, char *const *words) {
  size_t count = 0;
  while (words[count])
    count++;
  char **filled = prof_arena_array(&settings->texts, count + 1, sizeof *filled);
  for (size_t i = 0; filled && i < count; i++) {
    filled[i] = fill_in(settings, combination, words[i]);
    if (!filled[i])
      return NULL;
  }
  return filled;
}

prof_status prof_tune_check(const struct prof_tune_settings *settings, char *const *words, struct prof_diag *diag) {
  bool used[PROF_TUNE_MOST_SETTINGS] = {0};
  size_t bytes;
  for (size_t i = 0; words[i]; i++) {
    if (strlen(words[i]) >= WORD_BYTES / 2)
      continue; /* too long to be filled in */
    for (const char *at = words[i]; *at; at++) {
      const size_t setting = setting_at(settings, at, &bytes);
      if (setting < settings->count)
        used[setting] = true;
    }
  }
  for (size_t i = 0; i < settings->count; i++)
    if (!used[i])
      return prof_command_usage(diag, "prof tune --set='THREADS=1..8' -- ./app -j {THREADS}",
                                "no word of the command has {%s}", settings->items[i].name);
  return PROF_OK;
}
