/*
 * clang_input.c - finds by the command line that Clang compiles intermediate code (.ll, .bc, or -save-temps' second
 * step).
 *
 * Clang loads the plugin there too, but doesn't run its action: without this warning the lack of probes would be
 * silent.  In: /proc/self/cmdline of `clang` or of its own `clang -cc1`.  Out: at most one line on standard error.
 */
#include "clang_input.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { COMMAND_BYTES = 1 << 20 };

static bool ends_with(const char *text, const char *end) {
  size_t length = strlen(text), most = strlen(end);
  return length > most && !strcmp(text + length - most, end);
}

/* The intermediate code that the words name; NULL: none, or code that has its probes already (ThinLTO). */
static const char *intermediate_input(const char *words, size_t bytes) {
  static const char *const with_value[] = {"-o", "-main-file-name", "-dumpbase", "-MF", "-MT", "-MQ"};
  const char *found = NULL, *last = "";
  bool is_ir = false, skip = false;
  for (const char *word = words; word < words + bytes; word += strlen(word) + 1) {
    if (!strncmp(word, "-fthinlto-index", 15))
      return NULL;
    if (!skip && *word != '-' && (ends_with(word, ".ll") || ends_with(word, ".bc")))
      found = word;
    is_ir = is_ir || (!strcmp(last, "-x") && !strcmp(word, "ir"));
    skip = false;
    for (unsigned i = 0; i < sizeof with_value / sizeof *with_value; i++)
      skip = skip || !strcmp(word, with_value[i]);
    last = word;
  }
  return found ? found : is_ir ? last : NULL;
}

void prof_clang_input_check(void) {
  static char words[COMMAND_BYTES];
  FILE *file = fopen("/proc/self/cmdline", "re");
  if (!file)
    return;
  size_t bytes = fread(words, 1, sizeof words - 1, file);
  fclose(file);
  const char *input = intermediate_input(words, bytes);
  if (input)
    fprintf(stderr, "prof: warning: '%s' gets no probes: Clang runs plugins on sources; compile in one step\n", input);
}
