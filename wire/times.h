/*
 * wire/times.h - measured times of lines that were compiled with lines=time.
 *
 * A LINE row (wire/row.h) stands where control comes to another line, before a call and behind it.  Its trampoline
 * reads the clock once, adds the time since the last such reading to the thread's current slot, makes its own slot the
 * current one, and counts the visit.  EXITs with PROF_ROW_ENDS_LINE and all LANDEDs end the line: then the thread has
 * no slot until the next LINE.  So no state is kept per frame, and a frame that is never left falsifies no line's time.
 *
 * The PLACE row of a LINE leads to a text in PROF_PLACES_SECTION: assembler name of the line's function in the source,
 * LF, its path as debug information has it, NUL.
 *
 * The slots of a module lie in the shared region, in a COUNTS record of the log (wire/control.h), as one object:
 *
 *     0     struct prof_times_object
 *     64    slot_count slots: struct prof_times_slot; in row order, one for each LINE that was switched on
 *           slot_count places: struct prof_times_place
 *           text_bytes of texts
 *           zeros up to a multiple of 8
 *
 * Programs add to them there; so figures outlive the process, and those of forked processes add up.
 */
#ifndef PROF_WIRE_TIMES_H
#define PROF_WIRE_TIMES_H

#include <stdint.h>

#define PROF_PLACES_SECTION "prof_places_v1"

#define PROF_TIMES_MAGIC 0x314d49544c465250ull /* "PRFLTIM1" */

struct prof_times_object {
  uint64_t magic;
  uint32_t slot_count;
  uint32_t text_bytes;
  uint32_t cost_ticks_x1000;       /* of one LINE among nothing else, thousandths of a tick; 0: not known */
  uint32_t among_cost_ticks_x1000; /* the same among other work, which hides part of it; 0: not known */
  uint8_t pad[64 - 24];
};
_Static_assert(sizeof(struct prof_times_object) == 64, "prof_times_object is 64 bytes");

struct prof_times_slot {
  uint64_t ticks;  /* from its LINEs to the next reading */
  uint64_t visits; /* how often control came to the line */
};

struct prof_times_place {
  uint32_t line;
  uint32_t kind; /* of the row: PROF_ROW_LINE_ flags */
  uint32_t text; /* offset */
  uint32_t site; /* id of the row, which gives the function whose code it stands in; 0: not known */
};

#endif
