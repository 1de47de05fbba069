/*
 * tools/export/gzip_file.h - writes gzip into a FILE, for formats whose readers take it (RFC 1952).
 */
#ifndef PROF_EXPORT_GZIP_FILE_H
#define PROF_EXPORT_GZIP_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct prof_gzip_file;

/* NULL: no memory.  The FILE is borrowed; its errors are found by ferror. */
struct prof_gzip_file *prof_gzip_file_new(FILE *);
void prof_gzip_file_write(struct prof_gzip_file *, const void *, size_t bytes);
/* Writes what is left and frees it; NULL: nothing. */
void prof_gzip_file_end(struct prof_gzip_file *);

#endif
