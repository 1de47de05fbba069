/*
 * tools/names/point_value.h - the value that a point reports: bits whose meaning its site has.
 */
#ifndef PROF_NAMES_POINT_VALUE_H
#define PROF_NAMES_POINT_VALUE_H

#include <stdbool.h>

#include "base/json.h"
#include "proftrace.h"

enum { PROF_POINT_VALUE_BYTES = 32 };

/* NULL: the site has no point. */
const struct prof_point *prof_point_of(const prof_trace *, const struct prof_site_info *site);
/* "mark", "frame", "counter", "value", "request", "span-begin", "span-end", "argument", "returned"; "point" for a kind
 * of a later version. */
const char *prof_point_kind(const struct prof_point *);
/* Does the site report a value? */
bool prof_point_has_value(const struct prof_site_info *site);
/* The value as a number; a large integer loses digits. */
double prof_point_number(const struct prof_site_info *site, uint64_t value);
/* All digits that tell it apart from others; "nan", "inf", "-inf" for what is no number.  Returns `out`. */
const char *prof_point_text(const struct prof_site_info *site, uint64_t value, char out[PROF_POINT_VALUE_BYTES]);

/*
 * As the source would have it: a number as above, true, 'x', 0x7f2a..., "text" with escapes, NULL, or ? where the
 * program had no memory at the address.  `text`: of a walk's event.  Returns `out`.
 */
enum { PROF_POINT_SHOWN_BYTES = 300 };
const char *prof_point_shown(const struct prof_site_info *site, uint64_t value, const char *text,
                             char out[PROF_POINT_SHOWN_BYTES]);
/* " = 5 items": what stands behind a point's name, of a value as above; escaped.  Returns `out`. */
enum { PROF_POINT_TAIL_BYTES = PROF_POINT_SHOWN_BYTES + 100 };
const char *prof_point_tail(const struct prof_point *, const char *shown, char out[PROF_POINT_TAIL_BYTES]);

/* Adds "n=3" to a call's arguments "a=1, b=2"; *list: NULL or from malloc.  The name is escaped here.  What is longer
 * than PROF_POINT_LIST_BYTES ends with "...".  false: no memory, and *list is as before. */
enum { PROF_POINT_LIST_BYTES = 1000 }; /* with the NUL */
bool prof_point_list_add(char **list, const char *name, const char *shown);
/* Is it shown as a number? */
bool prof_point_is_number(const struct prof_site_info *site);

/* A number, null for what is no number; true or false; else a text without quotes, null for NULL. */
void prof_point_json(struct prof_json *, const char *key, const struct prof_site_info *site, uint64_t value,
                     const char *text);
/* The same without quotes; "" for what is no number, NULL. */
const char *prof_point_word(const struct prof_site_info *site, uint64_t value, const char *text,
                            char out[PROF_POINT_SHOWN_BYTES]);

#endif
