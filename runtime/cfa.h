/*
 * cfa.h - rules for the canonical frame address (CFA) of a function, from .eh_frame.
 */
#ifndef PROF_RUNTIME_CFA_H
#define PROF_RUNTIME_CFA_H

#include "arch.h"

/* Reads the rule that holds at `pc` from the .eh_frame behind `eh_frame_hdr` (NULL: unknown). */
struct prof_cfa prof_cfa_read(const uint8_t *eh_frame_hdr, const uint8_t *pc);

/*
 * Writes an .eh_frame_hdr for an .eh_frame to `header` (NULL: only counts), within 2 GB of the code.  Returns its
 * bytes; 0: unknown contents.
 */
size_t prof_cfa_table_write(const uint8_t *eh_frame, size_t bytes, uint8_t *header);

#endif
