/*
 * tools/viewer/sections.h - the frame of the view format: named sections, one after another.
 *
 * In: sections as bytes.  Out: the format of docs/view-format.md, packed with gzip, in memory.
 */
#ifndef PROF_VIEWER_SECTIONS_H
#define PROF_VIEWER_SECTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define PROF_VIEW_VERSION 1
#define PROF_VIEW_NAME_BYTES 16

struct prof_sections;

struct prof_sections *prof_sections_new(void);   /* NULL: no memory */
void prof_sections_free(struct prof_sections *); /* NULL: nothing */

/* The name has at most 15 bytes. */
void prof_sections_add(struct prof_sections *, const char *name, const void *bytes, size_t count);

/* A section that is written as text: its stream, NULL without memory; it is added when it ends. */
FILE *prof_sections_begin(struct prof_sections *, const char *name);
void prof_sections_end(struct prof_sections *);

/* Adds `end`.  The packed bytes live as long as the sections; NULL: no memory, now or before. */
const uint8_t *prof_sections_finish(struct prof_sections *, size_t *count);

#endif
