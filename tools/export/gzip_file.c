/*
 * tools/export/gzip_file.c - see gzip_file.h.
 */
#include "gzip_file.h"

#include <stdint.h>
#include <stdlib.h>
#include <zlib.h>

#define OUT_BYTES 65536
#define AS_GZIP 16 /* added to zlib's window bits */

struct prof_gzip_file {
  FILE *file;
  z_stream stream;
  unsigned char out[OUT_BYTES];
};

struct prof_gzip_file *prof_gzip_file_new(FILE *file) {
  struct prof_gzip_file *gzip = calloc(1, sizeof *gzip);
  if (!gzip)
    return NULL;
  gzip->file = file;
  if (deflateInit2(&gzip->stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, MAX_WBITS + AS_GZIP, MAX_MEM_LEVEL,
                   Z_DEFAULT_STRATEGY) != Z_OK) {
    free(gzip);
    return NULL;
  }
  return gzip;
}

static void pass_on(struct prof_gzip_file *gzip, int flush) {
  do {
    gzip->stream.next_out = gzip->out;
    gzip->stream.avail_out = OUT_BYTES;
    (void)deflate(&gzip->stream, flush); /* without input: Z_BUF_ERROR, and nothing to write */
    fwrite(gzip->out, 1, OUT_BYTES - gzip->stream.avail_out, gzip->file);
  } while (gzip->stream.avail_out == 0);
}

void prof_gzip_file_write(struct prof_gzip_file *gzip, const void *from, size_t bytes) {
  gzip->stream.next_in = (unsigned char *)(uintptr_t)from;
  for (size_t left = bytes; left;) {
    size_t now = left < OUT_BYTES ? left : OUT_BYTES;
    gzip->stream.avail_in = (unsigned)now;
    pass_on(gzip, Z_NO_FLUSH);
    left -= now;
  }
}

void prof_gzip_file_end(struct prof_gzip_file *gzip) {
  if (!gzip)
    return;
  pass_on(gzip, Z_FINISH);
  deflateEnd(&gzip->stream);
  free(gzip);
}
