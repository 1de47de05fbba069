/*
 * wire/point.h - points: what a program reports of itself by include/prof.h.
 *
 * A point's sled has a row of kind POINT (or LOOP_COUNT with ZONE, which reads no clock) and a POINT fact, but no PROBE
 * fact.  As for zones (row.h), names are addresses of loaded read-only data.
 *
 * Arguments and returned values are points that a plugin leaves: a row of kind VALUE, a PROBE fact with the key of
 * their function, and a VALUE fact.  Those of a call lie right behind its ENTRY, in the order of the source, or right
 * before an EXIT.
 *
 * A text is several POINT_VALUEs of its site, each 8 of its bytes, the first byte lowest.  The last one has a zero byte
 * behind the text.  They lie between a STALL_BEGIN and a STALL_END: it takes the thread so long to read the text.  A
 * longer text than PROF_POINT_TEXT_BYTES is cut, and ends in U+2026.
 */
#ifndef PROF_WIRE_POINT_H
#define PROF_WIRE_POINT_H

#include "row.h"

enum prof_point_class {
  PROF_POINT_MARK = 1,       /* a moment */
  PROF_POINT_FRAME = 2,      /* a moment that ends one frame and begins the next */
  PROF_POINT_COUNTER = 3,    /* the value of something from now on */
  PROF_POINT_VALUE = 4,      /* a value that belongs to the call that is open */
  PROF_POINT_REQUEST = 5,    /* the request that a zone works for; its sled is the zone's ENTRY */
  PROF_POINT_SPAN_BEGIN = 6, /* something with this number begins, */
  PROF_POINT_SPAN_END = 7,   /* and ends, maybe in another thread */
  PROF_POINT_ARGUMENT = 8,   /* of the call that is open */
  PROF_POINT_RETURNED = 9,   /* by the call that is open, which ends now; its name is "returned" */
};

#define PROF_POINT_NAME_BYTES 127             /* of an argument's name */
#define PROF_POINT_TEXT_BYTES 63              /* without the zero */
#define PROF_POINT_TEXT_NULL UINT64_MAX       /* in place of a text: the address is 0; */
#define PROF_POINT_TEXT_BAD (UINT64_MAX - 1u) /* there is no memory at the address */

struct prof_fact_point { /* beside its sled */
  struct prof_fact head;
  uint64_t sled; /* link-time address of the sled (R_X86_64_64), as of the texts: */
  uint64_t name;
  uint64_t unit; /* of its value; a NUL: none */
  uint64_t file;
  uint32_t line;
  uint16_t language; /* enum prof_language */
  uint16_t what;     /* enum prof_point_class */
};
_Static_assert(sizeof(struct prof_fact_point) == 48, "prof_fact_point is 48 bytes");

struct prof_fact_value { /* beside its sled */
  struct prof_fact head;
  uint64_t sled; /* link-time address of the sled (R_X86_64_64) */
  /* then: name NUL, zeros up to length; of what is returned it is empty */
};
_Static_assert(sizeof(struct prof_fact_value) == 16, "prof_fact_value is 16 bytes");

#endif
