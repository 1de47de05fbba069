/*
 * beside.c - see beside.h.  Runs in the start-up text only.
 */
#include <dlfcn.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include "beside.h"

/* Appends `text` at `at`; NULL: no room. */
static char *append(char *at, const char *end, const char *text, size_t bytes) {
  if (!at || bytes >= (size_t)(end - at))
    return NULL;
  memcpy(at, text, bytes);
  at[bytes] = 0;
  return at + bytes;
}

static bool exists(const char *folder, size_t folder_bytes, const char *between, const char *file,
                   char out[PROF_BESIDE_BYTES]) {
  const char *end = out + PROF_BESIDE_BYTES;
  char *at = append(out, end, folder, folder_bytes);
  if (*between) {
    at = append(at, end, "../", 3);
    at = append(at, end, between, strlen(between));
    at = append(at, end, "/", 1);
  }
  return append(at, end, file, strlen(file)) && access(out, R_OK) == 0;
}

bool prof_beside_find(const char *file, const char *built, char out[PROF_BESIDE_BYTES]) {
  Dl_info own;
  const char *slash = dladdr((void *)(uintptr_t)prof_beside_find, &own) ? strrchr(own.dli_fname, '/') : NULL;
  size_t folder_bytes = slash ? (size_t)(slash + 1 - own.dli_fname) : 0;
  return slash &&
         (exists(own.dli_fname, folder_bytes, "", file, out) || exists(own.dli_fname, folder_bytes, built, file, out));
}
