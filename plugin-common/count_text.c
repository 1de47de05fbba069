/* count_text.c - see count_text.h. */
#include "count_text.h"

#include "row.h"

void prof_count_row_add(struct prof_text *text, const char *anchor) {
  prof_text_format(text,
                   "\n\t.pushsection " PROF_ROWS_SECTION ",\"ao?\",@progbits,%s\n"
                   "\t.p2align 2\n"
                   "\t.long " PROF_COUNTS_SWITCH "-.\n"
                   "\t.long %d\n"
                   "\t.popsection",
                   anchor, PROF_PROBE_COUNTS);
}
