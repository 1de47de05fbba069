/*
 * tools/viewer/sections.h - the frame of the view format: named sections, one after another.
 *
 * In: sections as bytes.  Out: the format of docs/view-format.md, in memory, packed with gzip or plain.
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

struct prof_sections *prof_sections_new(bool packs); /* NULL: no memory */
void prof_sections_free(struct prof_sections *);     /* NULL: nothing */

/* The name has at most 15 bytes. */
void prof_sections_add(struct prof_sections *, const char *name, const void *bytes, size_t count);

/* A section that is written as text: its stream, NULL without memory; it is added when it ends. */
FILE *prof_sections_begin(struct prof_sections *, const char *name);
void prof_sections_end(struct prof_sections *);

/* Adds `end`, and hands over the bytes, which the caller frees.  false: no memory, now or before. */
bool prof_sections_take(struct prof_sections *, uint8_t **bytes, size_t *count);

#endif
