/*
 * tools/import/perf_line.c - see perf_line.h.
 */
#include "import/perf_line.h"

#include <string.h>

#include "import/weight_text.h"

static char *skip_blanks(char *at) {
  return at + strspn(at, " \t");
}

static size_t word(const char *at) {
  return strcspn(at, " \t");
}

static char *next(char *at) {
  return skip_blanks(at + word(at));
}

/* "26583" or "26583/26590" */
static bool is_thread(const char *at, size_t bytes) {
  const char *slash = memchr(at, '/', bytes);
  uint64_t number;
  if (!slash)
    return prof_count_parse(at, bytes, &number);
  const size_t first = (size_t)(slash - at);
  return prof_count_parse(at, first, &number) && prof_count_parse(slash + 1, bytes - first - 1, &number);
}

static bool is_processor(const char *at, size_t bytes) {
  uint64_t number;
  return bytes > 2 && at[0] == '[' && at[bytes - 1] == ']' && prof_count_parse(at + 1, bytes - 2, &number);
}

/* "1624.237173:" */
static bool is_time(const char *at, size_t bytes) {
  const char *dot = memchr(at, '.', bytes);
  uint64_t number;
  if (!dot || at[bytes - 1] != ':')
    return false;
  const size_t first = (size_t)(dot - at);
  return prof_count_parse(at, first, &number) && bytes > first + 2 &&
         prof_count_parse(dot + 1, bytes - first - 2, &number);
}

/* What follows the number of the thread. */
static bool behind_thread(char *at, struct prof_perf_head *out) {
  if (is_processor(at, word(at)))
    at = next(at);
  if (word(at) && is_time(at, word(at)))
    at = next(at);
  out->has_period = prof_count_parse(at, word(at), &out->period);
  if (out->has_period)
    at = next(at);
  const size_t bytes = word(at);
  if (bytes < 2 || at[bytes - 1] != ':' || prof_is_digit(at[0]))
    return false;
  out->event = at;
  out->rest = next(at);
  at[bytes - 1] = 0;
  return true;
}

bool prof_perf_head_parse(char *line, struct prof_perf_head *out) {
  char *command = skip_blanks(line);
  for (char *at = next(command); *at; at = next(at))
    if (is_thread(at, word(at)) && behind_thread(next(at), out)) {
      char *end = at;
      while (end > command && (end[-1] == ' ' || end[-1] == '\t'))
        end--;
      *end = 0;
      out->command = command;
      return true;
    }
  return false;
}

/* The bracket that opens the last group of a frame's line: module paths may have brackets. */
static char *last_group(char *at) {
  int depth = 0;
  for (char *end = at + strlen(at); end > at; end--) {
    depth += (end[-1] == ')') - (end[-1] == '(');
    if (depth == 0)
      return end[-1] == '(' && end - 1 > at && end[-2] == ' ' ? end - 1 : NULL;
  }
  return NULL;
}

/* "f+0x1c" -> "f" */
static void cut_offset(char *name) {
  char *plus = strrchr(name, '+');
  if (plus && plus > name && plus[1] == '0' && plus[2] == 'x' && plus[3] &&
      strspn(plus + 3, "0123456789abcdef") == strlen(plus + 3))
    *plus = 0;
}

static void cut_blanks(char *begin, char *end) {
  while (end > begin && (end[-1] == ' ' || end[-1] == '\t'))
    end--;
  *end = 0;
}

bool prof_perf_frame_parse(char *line, struct prof_perf_frame *out) {
  char *at = skip_blanks(line);
  size_t bytes = word(at);
  for (size_t i = 0; i < bytes; i++)
    if (!prof_is_hex(at[i]))
      return false;
  char *name = at + bytes;
  if (bytes == 0 || bytes > 16 || (*name && *skip_blanks(name) == 0))
    return false;
  name = skip_blanks(name);
  cut_blanks(name, name + strlen(name));
  *out = (struct prof_perf_frame){.name = name, .module = name + strlen(name)};
  char *group = last_group(name);
  if (group) {
    out->module = group + 1;
    group[strlen(group) - 1] = 0;
    cut_blanks(name, group);
    out->inlined = !strcmp(out->module, "inlined");
    if (out->inlined)
      out->module = name + strlen(name);
  }
  cut_offset(name);
  return true;
}
