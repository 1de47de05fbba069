/*
 * tools/trace/part_names.h - the folders of a recording in several parts.
 */
#ifndef PROF_TRACE_PART_NAMES_H
#define PROF_TRACE_PART_NAMES_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define PROF_PART_FORMAT "part-%04u"         /* a recording goes on in the next */
#define PROF_NEXT_FILE "trace.next"          /* takes the place of `trace` once it is whole */
#define PROF_LOOK_FOLDER "look"              /* of a recording kept in memory: its last seconds, for prof top */
#define PROF_SNAPSHOT_FORMAT "snapshot-%04u" /* each has the latest of a recording */

/* The number in such a name; 0: it is none. */
static inline uint32_t prof_part_number(const char *name) {
  static const char *const prefixes[] = {"part-", "snapshot-"};
  for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++) {
    size_t length = strlen(prefixes[i]);
    size_t digits = strncmp(name, prefixes[i], length) == 0 ? strspn(name + length, "0123456789") : 0;
    if (digits >= 4 && digits <= 9 && name[length + digits] == 0)
      return (uint32_t)strtoul(name + length, NULL, 10);
  }
  return 0;
}

#endif
