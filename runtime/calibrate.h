/* calibrate.h - the cost of an event. */
#ifndef PROF_RUNTIME_CALIBRATE_H
#define PROF_RUNTIME_CALIBRATE_H

#include "state.h"

/* The region's, if a process has measured it; else measures it, which takes some milliseconds. */
struct prof_calibrated_cost prof_calibrate(void);
struct prof_calibrated_cost prof_calibrate_line(void);  /* of one LINE */
struct prof_calibrated_cost prof_calibrate_count(void); /* of a call that is counted; 0: no site counts */

#endif
