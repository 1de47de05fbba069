/*
 * tools/trace/part_names.h - the folders of a recording in several parts.
 */
#ifndef PROF_TRACE_PART_NAMES_H
#define PROF_TRACE_PART_NAMES_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define PROF_PART_FORMAT "part-%04u"

/* The number in a part's name; 0: it is no such name. */
static inline uint32_t prof_part_number(const char *name) {
  static const char prefix[] = "part-";
  size_t length = sizeof prefix - 1,
         digits = strncmp(name, prefix, length) == 0 ? strspn(name + length, "0123456789") : 0;
  return digits >= 4 && digits <= 9 && name[length + digits] == 0 ? (uint32_t)strtoul(name + length, NULL, 10) : 0;
}

#endif
