/*
 * test/lines/lines_text.c - what tools/source says about addresses, as text that a script compares.
 *
 *   lines_text MODULE [ROOT]     < addresses in hexadecimal, one a line
 *
 * Out: for each address its frames from the innermost on, `function<TAB>file<TAB>line<TAB>column`, `-` for what is
 * unknown, the symbol as `symbol<TAB>NAME`, and an empty line.  At the end on stderr what prof_debug_facts says.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "source/dwarf/debug.h"

static const char *or_dash(const char *text) {
  return text == NULL || *text == 0 ? "-" : text;
}

int main(int argc, char **argv) {
  struct prof_diag diag;
  struct prof_debug *debug;
  const char *roots[] = {argc > 2 ? argv[2] : "/usr/lib/debug", NULL};
  struct prof_debug_options options = {.roots = roots};
  if (argc < 2 || prof_debug_open(argv[1], &options, &diag, &debug) != PROF_OK) {
    fprintf(stderr, "lines_text: %s\n", argc < 2 ? "usage: lines_text MODULE [ROOT]" : diag.what);
    return 1;
  }
  char line[64];
  while (fgets(line, sizeof line, stdin) != NULL) {
    struct prof_debug_chain chain;
    uint64_t address = strtoull(line, NULL, 16), low, high;
    if (prof_debug_find(debug, address, &chain) == PROF_NO_MEMORY)
      return 1;
    for (uint32_t i = 0; i < chain.count; i++)
      printf("%s\t%s\t%" PRIu32 "\t%" PRIu32 "\n", or_dash(chain.frames[i].function), or_dash(chain.frames[i].file),
             chain.frames[i].line, chain.frames[i].column);
    printf("symbol\t%s\n\n", or_dash(prof_debug_symbol(debug, address, &low, &high)));
  }
  struct prof_debug_facts facts = prof_debug_facts(debug);
  fprintf(stderr, "origin %d, %s, %u of %u units read%s%s, %u split units missing\n", facts.origin, or_dash(facts.path),
          facts.units_read, facts.units, facts.damaged ? ", damaged" : "",
          facts.alternate_missing ? ", alternate file missing" : "", facts.splits_missing);
  prof_debug_close(debug);
  return 0;
}
