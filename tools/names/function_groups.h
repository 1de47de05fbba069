/*
 * tools/names/function_groups.h - functions of the same file or module.
 */
#ifndef PROF_NAMES_FUNCTION_GROUPS_H
#define PROF_NAMES_FUNCTION_GROUPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "names/names.h"

/* Fills `of` for functions [0, count): the first function of the same file (else: module).  false: no memory. */
bool prof_function_groups(struct prof_names *, bool by_file, size_t count, uint32_t *of);

#endif
