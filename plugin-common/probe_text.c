/*
 * probe_text.c - see probe_text.h.
 *
 * A macro and not plain text: one line per probe keeps the compiler's estimate of the statement's size near the
 * truth (it counts lines), its output small, and `\@` makes labels unique even when a pass duplicates the statement.
 *
 * Section flags: "o" ties rows and facts to the function's text, so that --gc-sections drops them together; "?" puts
 * them into the function's COMDAT group, so that a dropped copy takes them along.  The linked-to symbol is a function
 * and not the sled, and one function for all that share a text section: the assembler makes one section per linked-to
 * symbol, and looks through all of them for each new one.
 */
#include "probe_text.h"

#include "version.h"

#define TEXT_OF(x) #x
#define TEXT(x) TEXT_OF(x)
#define PROBE_MACRO "__prof_probe_v" TEXT(PROF_WIRE_VERSION)
#define ROW_KIND_BITS "0xf"

_Static_assert(PROF_ROW_KIND_MASK == 0xf, "the probe macro masks the kind with this");

void prof_probe_macros(struct prof_text *text, const struct prof_arch *arch) {
  prof_text_add(text, "\t.macro " PROBE_MACRO " anchor, kind, line, key\n");
  prof_text_add(text, arch->sled);
  prof_text_format(text,
                   "\t.pushsection " PROF_ROWS_SECTION ",\"ao?\",@progbits,\\anchor\n"
                   "\t.p2align 2\n"
                   "\t.long .Lprof\\@-.\n"
                   "\t.long \\kind\n"
                   "\t.popsection\n"
                   "\t.pushsection " PROF_FACTS_SECTION ",\"o?\",@progbits,\\anchor\n"
                   "\t.p2align 3\n"
                   "\t.long %zu\n"
                   "\t.value %d,%d\n"
                   "\t.quad .Lprof\\@,\\key\n"
                   "\t.long \\kind,\\line\n"
                   "\t.popsection\n"
                   "\t.endm\n",
                   sizeof(struct prof_fact_probe), PROF_FACT_PROBE, PROF_FACT_VERSION);
}

void prof_probe_add(struct prof_text *text, const struct prof_function *function, uint64_t key, uint32_t kind,
                    uint32_t line) {
  prof_text_format(text, PROBE_MACRO " %s,%u,%u,0x%llx", function->anchor, kind, line, (unsigned long long)key);
}

void prof_probe_add_facts(struct prof_text *text, struct prof_unit *unit, const struct prof_function *function,
                          uint64_t key) {
  prof_text_format(text, "\n\t.pushsection " PROF_FACTS_SECTION ",\"o?\",@progbits,%s\n", function->anchor);
  if (prof_unit_fact_is_due(unit, function->in_group))
    prof_facts_add_unit(text, unit->compiler, *unit->source ? unit->source : function->unit);
  prof_facts_add_function(text, key, function);
  prof_text_add(text, "\t.popsection");
}
