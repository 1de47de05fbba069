/*
 * tools/study/data_objects.h - variables of a program, by its symbol table.
 */
#ifndef PROF_STUDY_DATA_OBJECTS_H
#define PROF_STUDY_DATA_OBJECTS_H

#include "base/arena.h"
#include "study/symbols.h"

struct prof_data_object {
  const char *name; /* in the arena */
  uint64_t address, bytes;
};

/* The global or static variable at a link-time address of a module; false: none is known. */
bool prof_data_object_find(struct prof_symbols *, uint32_t module, uint64_t address, struct prof_arena *,
                           struct prof_data_object *out);

#endif
