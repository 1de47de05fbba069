/*
 * lto_mark.c - see lto_mark.h.
 *
 * One assembler file may have marks of several units; the first one makes their shared part.  A section
 * `.gnu.warning.SYMBOL` makes GNU ld print its text at references to SYMBOL (GNU ld manual, "Warning symbols").
 */
#include "lto_mark.h"

#include <string.h>

#include "version.h"

#define BEGIN "\t.pushsection " PROF_LTO_SECTION ",\"\",@progbits\n"
#define ONCE ".Lprof_lto_once"
#define WARNING "prof: units compiled with -flto get no probes in this link; give it -fplugin=prof.so"

void prof_lto_mark_add(struct prof_text *text, const struct prof_unit *unit) {
  prof_text_add(text, BEGIN);
  prof_facts_add_lto(text, unit->compiler, unit->source);
  prof_text_add(text, "\t.popsection\n"
                      "\t.ifndef " ONCE "\n"
                      "\t.set " ONCE ",1\n"
                      "\t.weak " PROF_LTO_WARNED "\n"
                      "\t.hidden " PROF_LTO_WARNED "\n"
                      "\t.pushsection .gnu.warning." PROF_LTO_WARNED ",\"\",@progbits\n"
                      "\t.ascii \"" WARNING "\"\n"
                      "\t.popsection\n"
                      "\t.endif\n");
}

bool prof_lto_mark_is(const char *text, size_t byte_count) {
  return byte_count >= strlen(BEGIN) && !memcmp(text, BEGIN, strlen(BEGIN));
}
