/* beside.h - where the other libraries of this release lie. */
#ifndef PROF_RUNTIME_BESIDE_H
#define PROF_RUNTIME_BESIDE_H

#include <stdbool.h>

#define PROF_BESIDE_BYTES 4096

/* The path of `file` beside the runtime or, in a build tree, in its folder `built`.  false: it isn't there. */
bool prof_beside_find(const char *file, const char *built, char out[PROF_BESIDE_BYTES]);

#endif
