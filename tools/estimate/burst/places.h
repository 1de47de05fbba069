/*
 * tools/estimate/burst/places.h - from which places estimated calls came.
 *
 * The calls of a function from another are divided among the places that windows saw, as their calls were.  In: a
 * profile with places, and what windows counted.  Out: its estimated_places; places that no event has are added.
 */
#ifndef PROF_ESTIMATE_BURST_PLACES_H
#define PROF_ESTIMATE_BURST_PLACES_H

#include "estimate/burst/sums.h"
#include "estimate/profile.h"

/* Sorts the counted places.  Of a profile without places nothing changes.  false: no memory. */
bool prof_burst_places(struct prof_profile *, struct prof_burst_counted_places *);

#endif
