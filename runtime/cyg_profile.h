/* cyg_profile.h - functions that call hooks, because their compiler has no plugin. */
#ifndef PROF_RUNTIME_CYG_PROFILE_H
#define PROF_RUNTIME_CYG_PROFILE_H

#include "instrument.h"

void prof_instrument_attach(struct prof_instrument *);

#endif
