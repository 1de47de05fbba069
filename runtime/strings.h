/* strings.h - arguments and returned values that are texts. */
#ifndef PROF_RUNTIME_STRINGS_H
#define PROF_RUNTIME_STRINGS_H

#include <stdint.h>

/* Writes the events of the text at `address` (wire/point.h).  Called by a trampoline, which has saved what C changes.
 */
void prof_string_value(uint64_t address, uint32_t site);

#endif
