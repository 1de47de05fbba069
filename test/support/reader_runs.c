/*
 * test/support/reader_runs.c - see reader_runs.h.
 */
#include "reader_runs.h"

#include <stdio.h>
#include <string.h>

#include "command/dispatch.h"

const struct reader_run reader_runs[] = {
    {READER_ANY, {"report"}},
    {READER_ANY | READER_JSON, {"report", "--format=json"}},
    {READER_ANY, {"report", "--format=csv", "-n", "0"}},
    {READER_ANY, {"report", "--by=file"}},
    {READER_ANY, {"report", "--by=module", "--format=csv"}},
    {READER_ANY | READER_JSON, {"report", "--by=thread", "--format=json"}},
    {READER_ANY, {"report", "--cpu", "--raw"}},
    {0, {"report", "-F", "*a*", "-t", "100ns"}},
    {0, {"report", "--range=20%~60%", "-D", "3"}},
    {READER_ANY, {"tree"}},
    {READER_ANY | READER_JSON, {"tree", "--format=json"}},
    {READER_ANY, {"tree", "--format=csv", "--loops"}},
    {READER_ANY, {"tree", "--cpu", "--loops"}},
    {0, {"tree", "--callers", "*"}},
    {0, {"lines"}},
    {READER_JSON, {"lines", "--format=json"}},
    {0, {"lines", "--format=csv", "--inlined-at"}},
    {0, {"lines", "--gpu"}},
    {READER_JSON, {"lines", "--gpu", "--format=json"}},
    {0, {"loops"}},
    {READER_JSON, {"loops", "--format=json"}},
    {0, {"loops", "--format=csv"}},
    {0, {"annotate", "main"}},
    {READER_JSON, {"annotate", "main", "--format=json"}},
    {READER_PROGRAMS, {"annotate", "main", "--asm"}},
    {0, {"annotate", "*", "--gpu"}},
    {0, {"gpu"}},
    {READER_JSON, {"gpu", "--format=json", "--by=path"}},
    {0, {"gpu", "--format=csv", "--show=kernels"}},
    {0, {"gpu", "--nvtx", "*"}},
    {READER_ANY, {"info"}},
    {READER_ANY | READER_JSON, {"info", "--format=json"}},
    {READER_ANY, {"info", "--format=csv"}},
    {READER_ANY, {"advise"}},
    {READER_ANY | READER_JSON, {"advise", "--format=json"}},
    {READER_JUDGES, {"verify"}},
    {READER_JUDGES | READER_JSON, {"verify", "--format=json"}},
    {READER_ANY, {"replay", "--limit=300"}},
    {READER_ANY | READER_JSON, {"replay", "--limit=300", "--format=json"}},
    {READER_ANY, {"replay", "--limit=300", "--loops", "--format=csv"}},
    {0, {"io", "--by=file"}},
    {READER_JSON, {"io", "--format=json"}},
    {0, {"locks"}},
    {0, {"openmp"}},
    {READER_JSON, {"openmp", "--by=thread", "--format=json"}},
    {0, {"locks", "--all"}},
    {READER_JSON, {"locks", "--format=json"}},
    {0, {"memory"}},
    {READER_JSON, {"memory", "--format=json", "--paths"}},
    {0, {"memory", "--gpu"}},
    {READER_JSON, {"memory", "--over-time", "--format=json"}},
    {READER_ANY, {"slowest"}},
    {READER_ANY | READER_JSON, {"slowest", "--format=json", "--loops"}},
    {0, {"frames"}},
    {READER_JSON, {"frames", "--format=json", "-n", "3"}},
    {0, {"report", "--by=frame"}},
    {READER_JSON, {"report", "--by=request", "--format=json"}},
    {READER_JSON, {"report", "--by=span", "--format=json"}},
    {READER_ANY, {"flame", "-o", "-"}},
    {READER_ANY, {"flame", "-o", "-", "--reverse", "--icicle"}},
    {READER_ANY, {"flame", "-o", "-", "--lines", "--loops"}},
    {0, {"flame", "-o", "-", "--gpu"}},
    {READER_ANY, {"flame", "-o", "-", "--against=@"}},
    {READER_ANY | READER_JSON, {"flame", "--against=@", "--format=json", "--reverse"}},
    {0, {"view", "-o", "-"}}, /* a build without the page fails */
    {0, {"view", "-o", "-", "--loops", "--range=20%~60%"}},
    {READER_ANY, {"export", "--format=folded"}},
    {READER_ANY, {"export", "--format=folded", "--lines", "--loops"}},
    {READER_ANY | READER_JSON, {"export", "--format=speedscope"}},
    {READER_ANY | READER_JSON, {"export", "--format=speedscope", "--timeline"}},
    {READER_ANY | READER_JSON, {"export", "--format=chrome"}},
    {READER_ANY, {"export", "--format=csv"}},
    {READER_ANY | READER_JSON, {"export", "--format=json"}},
    {READER_ANY, {"export", "--format=csv", "--timeline"}},
    {READER_ANY, {"export", "--format=callgrind", "--lines", "--loops"}},
    {READER_ANY, {"export", "--format=pprof"}},
    {READER_ANY, {"export", "--format=pprof", "--lines"}},
    {READER_ANY, {"export", "--format=perfetto"}},
    {READER_ANY, {"export", "--format=dot"}},
    {READER_ANY | READER_JSON, {"export", "--format=firefox"}},
    {READER_ANY | READER_DEAR, {"export", "--list"}},
    {READER_WRITES, {"pack"}},
    {READER_ANY, {"report", "--format=csv"}}, /* of the packed recording */
};
const size_t reader_run_count = sizeof reader_runs / sizeof *reader_runs;

int reader_run(const struct reader_run *run, const char *input) {
  enum { MOST = sizeof run->words / sizeof *run->words };
  char words[MOST + 3][256], *argv[MOST + 4];
  int argc = 0;
  snprintf(words[argc++], sizeof *words, "prof");
  for (size_t i = 0; i < MOST && run->words[i]; i++) {
    const char *input_at = strchr(run->words[i], '@');
    snprintf(words[argc++], sizeof *words, "%.*s%s",
             input_at ? (int)(input_at - run->words[i]) : (int)sizeof *words - 1, run->words[i], input_at ? input : "");
    if (i == 0) {
      snprintf(words[argc++], sizeof *words, "-i");
      snprintf(words[argc++], sizeof *words, "%s", input);
    }
  }
  for (int i = 0; i < argc; i++)
    argv[i] = words[i];
  argv[argc] = NULL;
  return prof_command_main(argc, argv);
}

void reader_run_name(const struct reader_run *run, char *to, size_t bytes) {
  size_t used = 0;
  to[0] = 0;
  for (size_t i = 0; i < sizeof run->words / sizeof *run->words && run->words[i] && used < bytes; i++)
    used += (size_t)snprintf(to + used, bytes - used, "%s%s", i ? " " : "", run->words[i]);
}

/* ---- JSON: RFC 8259, by recursive descent ---- */

struct text {
  const char *at, *end;
};

#define DEPTH 4000

static bool take(struct text *text, char wanted) {
  while (text->at < text->end && strchr(" \t\r\n", *text->at) && *text->at)
    text->at++;
  if (text->at == text->end || *text->at != wanted)
    return false;
  text->at++;
  return true;
}

static bool take_text(struct text *text) {
  if (!take(text, '"'))
    return false;
  for (; text->at < text->end && *text->at != '"'; text->at++) {
    if ((unsigned char)*text->at < 0x20)
      return false;
    if (*text->at != '\\')
      continue;
    if (++text->at == text->end || !*text->at || !strchr("\"\\/bfnrtu", *text->at))
      return false;
    for (int i = 0; *text->at == 'u' && i < 4; i++)
      if (text->end - text->at <= i + 1 || !text->at[i + 1] || !strchr("0123456789abcdefABCDEF", text->at[i + 1]))
        return false;
  }
  return take(text, '"');
}

static bool take_number(struct text *text) {
  const char *begin = text->at;
  static const char *const parts[] = {"-", "0123456789", ".", "0123456789", "eE", "+-", "0123456789"};
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
    bool digits = parts[i][0] == '0';
    while (text->at < text->end && *text->at && strchr(parts[i], *text->at)) {
      text->at++;
      if (!digits)
        break;
    }
  }
  return text->at > begin && text->at[-1] >= '0' && text->at[-1] <= '9';
}

static bool take_value(struct text *text, int depth) {
  static const char *const words[] = {"true", "false", "null"};
  if (depth > DEPTH)
    return false;
  if (take(text, '[')) {
    if (take(text, ']'))
      return true;
    do
      if (!take_value(text, depth + 1))
        return false;
    while (take(text, ','));
    return take(text, ']');
  }
  if (take(text, '{')) {
    if (take(text, '}'))
      return true;
    do
      if (!take_text(text) || !take(text, ':') || !take_value(text, depth + 1))
        return false;
    while (take(text, ','));
    return take(text, '}');
  }
  for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
    size_t length = strlen(words[i]);
    if ((size_t)(text->end - text->at) >= length && !memcmp(text->at, words[i], length)) {
      text->at += length;
      return true;
    }
  }
  return text->at < text->end && *text->at == '"' ? take_text(text) : take_number(text);
}

bool reader_json_is_right(const char *text, size_t bytes) {
  struct text all = {text, text + bytes};
  bool right = take_value(&all, 0);
  (void)take(&all, 0); /* blanks */
  return right && all.at == all.end;
}
