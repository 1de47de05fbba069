/* iteration.c - see iteration.h. */
#include "iteration.h"

#include <string.h>

#include "facts.h"
#include "probe_text.h"
#include "version.h"

void prof_iteration_name(struct prof_text *text, const struct prof_iteration *loop) {
  const char *slash = strrchr(loop->recorded_file, '/');
  prof_text_format(text, "loop %s:%u in %s", slash ? slash + 1 : loop->recorded_file, loop->line, loop->function);
}

/* Equal for the copies of a loop in several units: a function of a header. */
static uint64_t key_of(const char *name, const struct prof_iteration *loop) {
  return prof_facts_hash(prof_facts_hash(prof_facts_hash(0, "iteration"), name), loop->recorded_file);
}

void prof_iteration_probe(struct prof_text *text, const struct prof_arch *arch, const char *label,
                          const struct prof_iteration *loop, bool begins) {
  struct prof_text name = {0};
  prof_iteration_name(&name, loop);
  const struct prof_candidate zone = {.anchor = label,
                                      .assembler_name = prof_text_string(&name),
                                      .recorded_file = loop->recorded_file,
                                      .line = loop->line,
                                      .flags = PROF_FUNCTION_ZONE | PROF_FUNCTION_ITERATION,
                                      .language = loop->language};
  uint64_t key = key_of(zone.assembler_name, loop);
  uint32_t kind = PROF_ROW_ZONE | (uint32_t)(begins ? PROF_PROBE_ENTRY : PROF_PROBE_EXIT);
  prof_probe_add_plain(text, arch, label, &zone, key, kind, loop->line);
  if (begins) {
    prof_text_format(text, "\t.pushsection " PROF_FACTS_SECTION ",\"o?\",@progbits,%s\n", label);
    prof_facts_add_function(text, key, &zone);
    prof_text_add(text, "\t.popsection\n");
  }
  text->failed |= name.failed;
  prof_text_fini(&name);
}
