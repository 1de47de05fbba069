/*
 * wire/point.h - points: what a program reports of itself by include/prof.h.
 *
 * A point's sled has a row of kind POINT (or LOOP_COUNT with ZONE, which reads no clock) and a POINT fact, but no PROBE
 * fact.  As for zones (row.h), names are addresses of loaded read-only data.
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
};

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

#endif
