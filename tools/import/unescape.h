/*
 * tools/import/unescape.h - names as our text exports write them (export/plain_text.h), read back.
 */
#ifndef PROF_IMPORT_UNESCAPE_H
#define PROF_IMPORT_UNESCAPE_H

/* Each \xNN becomes its byte, in place, where NN is a byte that our exporters never leave as it is. */
void prof_unescape(char *name);

#endif
