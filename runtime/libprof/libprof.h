/* libprof.h - what hooks.c and unload.c share. */
#ifndef PROF_LIBPROF_H
#define PROF_LIBPROF_H

#include "instrument.h"

extern struct prof_instrument prof_libprof __attribute__((visibility("hidden")));

#endif
