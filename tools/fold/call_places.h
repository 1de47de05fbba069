/*
 * tools/fold/call_places.h - from where functions were called: one number per function and return address.
 *
 * Job: while chunks are folded, their call edges become numbers that mean the same in all chunks and processes; then
 * the numbers get an order of their own, which does not depend on which worker folded which chunk.  In: edges of
 * chunks.  Out: an array of struct prof_call_place.  Place 0 stands for unknown edges.  prof_call_places_number may be
 * called by several threads at once, the rest not.
 */
#ifndef PROF_FOLD_CALL_PLACES_H
#define PROF_FOLD_CALL_PLACES_H

#include <stdbool.h>
#include <stdint.h>

#include "proftrace.h"

struct prof_call_place {
  uint32_t function; /* that was called: index, of a loop its number (loop_frames.h); PROF_NONE unknown */
  uint32_t module;   /* that the call stands in: index; PROF_NONE: uninstrumented code, or not known */
  uint64_t address;  /* link-time return address: the call lies right before it; 0 without module */
};

struct prof_call_places;

/* loops: each loop is a place too, of no module; else their edges have place 0.  NULL: no memory. */
struct prof_call_places *prof_call_places_new(const prof_trace *, bool loops);
void prof_call_places_free(struct prof_call_places *);

/* The number of a place, which is added if need be; UINT32_MAX: no memory. */
uint32_t prof_call_places_add(struct prof_call_places *, struct prof_call_place);

/* The place of each edge of a chunk of that process (index).  false: no memory. */
bool prof_call_places_number(struct prof_call_places *, uint32_t process, const struct prof_edge *, uint32_t edge_count,
                             uint32_t *numbers);
/* How many there are now; another thread may add more. */
uint32_t prof_call_places_count(struct prof_call_places *);

/* What is called there. */
uint32_t prof_call_places_function(struct prof_call_places *, uint32_t number);

/*
 * Orders places by function, module and address, unknown ones last, and hands the array to the caller, who frees it.
 * *moved (the caller's to free, too): the new index of each number.  false: no memory.
 */
bool prof_call_places_finish(struct prof_call_places *, struct prof_call_place **out, uint32_t **moved);

#endif
