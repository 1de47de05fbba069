/* twice.h - names of functions that return more than once; with -fno-builtin compilers don't mark them. */
#ifndef PROF_PLUGIN_TWICE_H
#define PROF_PLUGIN_TWICE_H

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/* `name`: of the symbol of a function that is defined elsewhere. */
bool prof_name_returns_twice(const char *name);

#ifdef __cplusplus
}
#endif

#endif
