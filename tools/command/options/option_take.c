/*
 * tools/command/options/option_take.c - see option_take.h.
 */
#include "option_take.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "command/command.h"
#include "values.h"

struct taking { /* a value to store */
  const struct prof_option *row;
  const char *flag; /* with dashes */
  const char *value;
  void *member, *settings;
  struct prof_diag *diag;
};

/* Members are bool, enum, int or uint32_t, or uint64_t. */
static prof_status store(const struct taking *to, uint64_t number) {
  if (to->row->member.bytes == sizeof(bool))
    *(bool *)to->member = number != 0;
  else if (to->row->member.bytes == sizeof(uint32_t))
    memcpy(to->member, &(uint32_t){(uint32_t)number}, sizeof(uint32_t));
  else
    memcpy(to->member, &number, sizeof number);
  return PROF_OK;
}

/* ---- the kinds ---- */

static prof_status take_flag(const struct taking *to) {
  return store(to, true);
}

static prof_status take_text(const struct taking *to) {
  const struct prof_option *row = to->row;
  size_t bytes = strlen(to->value);
  if (bytes < row->low || (row->high && bytes > row->high))
    return prof_command_usage(to->diag, row->remedy, bytes < row->low ? "%s is empty" : "%s is too long", to->flag);
  memcpy(to->member, &to->value, sizeof to->value);
  return PROF_OK;
}

static prof_status take_texts(const struct taking *to) {
  struct prof_texts *texts = to->member;
  const char **items = realloc(texts->items, (texts->count + 1) * sizeof *items);
  if (!items)
    return prof_diag_memory(to->diag);
  texts->items = items;
  items[texts->count++] = to->value;
  return PROF_OK;
}

static prof_status store_from_low(const struct taking *to, uint64_t number) {
  const struct prof_option *row = to->row;
  if (row->too_low && number < row->low && !(row->or_zero && number == 0))
    return prof_command_usage(to->diag, row->remedy, "%s=%s %s", to->flag, to->value, row->too_low);
  return store(to, number);
}

static prof_status number_of(const struct taking *to, uint64_t *number) {
  const struct prof_option *row = to->row;
  uint64_t most = row->member.bytes == sizeof(uint64_t) ? UINT64_MAX : UINT32_MAX;
  return prof_value_count(to->flag, to->value, row->too_low ? 0 : row->low, row->high ? row->high : most, number,
                          to->diag);
}

static prof_status take_count(const struct taking *to) {
  uint64_t number = 0;
  prof_status status = number_of(to, &number);
  return status == PROF_OK ? store_from_low(to, number) : status;
}

static prof_status take_size(const struct taking *to) {
  uint64_t bytes = 0;
  prof_status status = prof_value_size(to->flag, to->value, &bytes, to->diag);
  return status == PROF_OK ? store_from_low(to, bytes) : status;
}

static prof_status take_duration(const struct taking *to) {
  uint64_t ns = 0;
  prof_status status = prof_value_duration(to->flag, to->value, &ns, to->diag);
  return status == PROF_OK ? store_from_low(to, ns) : status;
}

static prof_status take_share(const struct taking *to) {
  return prof_value_share(to->flag, to->value, to->member, to->diag);
}

static prof_status take_range(const struct taking *to) {
  return prof_value_range(to->flag, to->value, to->member, to->diag);
}

static prof_status word_of(const struct taking *to, int *index) {
  const char *words[PROF_OPTION_MOST_WORDS + 1];
  prof_option_words(to->row, words);
  return prof_value_word(to->flag, to->value, words, index, to->diag);
}

static prof_status take_word(const struct taking *to) {
  int index = 0;
  const char **other = to->row->other ? (const char **)(void *)((char *)to->settings + to->row->other) : NULL;
  prof_status status = word_of(to, &index);
  if (other)
    *other = status == PROF_OK ? NULL : to->value;
  if (status != PROF_OK)
    return other ? PROF_OK : status;
  return store(to, (uint64_t)index + to->row->low);
}

/* Takes the parts of "12,13" one by one. */
static prof_status take_parts(const struct taking *to, prof_status (*take)(const struct taking *)) {
  char part[32];
  struct taking one = *to;
  one.value = part;
  for (const char *at = to->value;; at++) {
    size_t length = strcspn(at, ",");
    snprintf(part, sizeof part, "%.*s", length < sizeof part ? (int)length : (int)sizeof part - 1, at);
    prof_status status = take(&one);
    at += length;
    if (status != PROF_OK || !*at)
      return status;
  }
}

static prof_status take_one_count(const struct taking *to) {
  struct prof_counts *counts = to->member;
  uint64_t number = 0;
  prof_status status = prof_value_count(to->flag, to->value, to->row->low, UINT32_MAX, &number, to->diag);
  if (status != PROF_OK)
    return status;
  uint32_t *items = realloc(counts->items, (counts->count + 1) * sizeof *items);
  if (!items)
    return prof_diag_memory(to->diag);
  counts->items = items;
  items[counts->count++] = (uint32_t)number;
  return PROF_OK;
}

static prof_status take_counts(const struct taking *to) {
  return take_parts(to, take_one_count);
}

static prof_status take_one_word(const struct taking *to) {
  int index = 0;
  prof_status status = word_of(to, &index);
  if (status == PROF_OK)
    *(uint32_t *)to->member |= 1u << index;
  return status;
}

static prof_status take_words(const struct taking *to) {
  return take_parts(to, take_one_word);
}

static prof_status (*const takers[])(const struct taking *) = {
    [PROF_OPTION_FLAG] = take_flag,   [PROF_OPTION_TEXT] = take_text,         [PROF_OPTION_TEXTS] = take_texts,
    [PROF_OPTION_COUNT] = take_count, [PROF_OPTION_COUNTS] = take_counts,     [PROF_OPTION_SIZE] = take_size,
    [PROF_OPTION_WORD] = take_word,   [PROF_OPTION_DURATION] = take_duration, [PROF_OPTION_SHARE] = take_share,
    [PROF_OPTION_WORDS] = take_words, [PROF_OPTION_RANGE] = take_range,
};

/* ---- rows ---- */

prof_status prof_option_take(const struct prof_option *row, void *settings, const char *value, struct prof_diag *diag) {
  char flag[40];
  snprintf(flag, sizeof flag, "--%s", row->name);
  struct taking to = {row, flag, value, (char *)settings + row->member.offset, settings, diag};
  prof_status status = row->take ? row->take(settings, value, diag) : PROF_OK;
  if (status == PROF_OK && row->kind != PROF_OPTION_OWN)
    status = takers[row->kind](&to);
  if (status == PROF_OK && row->given)
    *((bool *)settings + row->given) = true;
  return status;
}

void prof_option_free(const struct prof_option *row, void *settings) {
  void *member = (char *)settings + row->member.offset;
  if (row->kind == PROF_OPTION_TEXTS)
    free(((struct prof_texts *)member)->items);
  if (row->kind == PROF_OPTION_COUNTS)
    free(((struct prof_counts *)member)->items);
}

size_t prof_option_words(const struct prof_option *row, const char *words[static PROF_OPTION_MOST_WORDS + 1]) {
  size_t count = 0;
  struct prof_named named;
  for (; row->words && row->words[count] && count < PROF_OPTION_MOST_WORDS; count++)
    words[count] = row->words[count];
  for (; row->named && row->named(count, &named) && count < PROF_OPTION_MOST_WORDS; count++)
    words[count] = named.name;
  words[count] = NULL;
  return count;
}

const char *prof_option_join(char *out, size_t bytes, const char *const *words, const char *separator,
                             const char *last_separator) {
  out[0] = 0;
  for (size_t i = 0, used = 0; words[i] && used < bytes; i++)
    used += (size_t)snprintf(out + used, bytes - used, "%s%s",
                             i == 0         ? ""
                             : words[i + 1] ? separator
                                            : last_separator,
                             words[i]);
  return out;
}

const char *prof_option_argument(const struct prof_option *row, char *out, size_t bytes) {
  const char *words[PROF_OPTION_MOST_WORDS + 1];
  if (row->argument || !prof_option_words(row, words))
    return row->argument;
  return prof_option_join(out, bytes, words, "|", "|");
}
