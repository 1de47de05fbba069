/* statement_text.h - the text of a database statement without its values. */
#ifndef PROF_MEASURES_STATEMENT_TEXT_H
#define PROF_MEASURES_STATEMENT_TEXT_H

#include <stddef.h>

#define PROF_STATEMENT_BYTES 1000 /* of a text, with its end; longer ones are cut, and end in "..." */

/*
 * Writes the statement with ? in place of each literal, one blank for white space and comments, and ", ..." for the
 * rest of a list of values or of rows.  Names, keywords and parameters such as :id and $1 stay.  Any bytes are valid.
 * No memory, any context.
 */
void prof_statement_normalise(const char *text, char out[PROF_STATEMENT_BYTES]);

#endif
