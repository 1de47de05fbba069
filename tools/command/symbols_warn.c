/*
 * tools/command/symbols_warn.c - see symbols_warn.h.
 */
#include "symbols_warn.h"

#include <stdio.h>
#include <string.h>

#include "base/text.h"

/* Skips uninstrumented libraries, which rarely have debug information. */
static void warn_module(struct prof_symbols *symbols, uint32_t index, const struct prof_module *recorded) {
  struct prof_symbols_facts facts = prof_symbols_facts(symbols, index);
  char path[512];
  const char *shown = prof_symbols_module_path(symbols, index);
  if (!facts.asked || (recorded->site_count == 0 && recorded->called_count == 0))
    return;
  prof_text_escape(path, sizeof path, shown, strlen(shown));
  if (facts.flags & PROF_PACKED_UNREADABLE) {
    fprintf(stderr, "prof: no lines of %s (%s)\n", path, facts.reason);
    fprintf(stderr, "  %s\n", facts.remedy[0] ? facts.remedy : "if it lies elsewhere now: --path-map");
  } else if (facts.flags & PROF_PACKED_NO_LINES) {
    fprintf(stderr, "prof: %s has no debug information: figures are per function; compile with -g\n", path);
  } else if (facts.flags & PROF_PACKED_DAMAGED) {
    fprintf(stderr, "prof: debug information of %s is damaged in part: some lines may be missing\n", path);
  }
  if (facts.splits_missing)
    fprintf(stderr, "prof: %s: %u .dwo files are gone: their inlined calls are not shown\n", path,
            facts.splits_missing);
  if (facts.flags & PROF_PACKED_PARTS_GONE)
    fprintf(stderr, "prof: %s: dwz's file of shared parts is gone: names may be missing\n", path);
}

void prof_symbols_warn(struct prof_symbols *symbols) {
  size_t count;
  const struct prof_module *modules = prof_trace_modules(prof_symbols_recording(symbols)->trace, &count);
  for (size_t i = 0; i < count; i++)
    warn_module(symbols, (uint32_t)i, &modules[i]);
}
