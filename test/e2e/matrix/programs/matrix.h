/*
 * matrix.h - a program of the matrix counts its own calls, by hand.
 *
 * It begins with  #define FUNCTIONS(F) F(label, "name as it is shown") ...  and includes this; COUNT(label) stands
 * first in each function.  $MATRIX_CALLS names a file (MATRIX_BYTES of zeros) in which all processes of a run count;
 * without it they count for themselves.  Nothing here is probed.
 */
#ifndef MATRIX_H
#define MATRIX_H

#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define UNPROBED __attribute__((no_instrument_function))
#define NOINLINE __attribute__((noinline))
/* Keeps a call from being merged, moved or left out, and what follows it from making it a tail call. */
#define BARRIER() __asm__ volatile("" ::: "memory")

#define MATRIX_BYTES 8192
struct matrix_entry {
  char name[56];
  uint64_t count;
};

#define MATRIX_ENUM(label, name) MATRIX_##label,
#define MATRIX_NAME(label, name) name,
enum matrix_label { FUNCTIONS(MATRIX_ENUM) MATRIX_LABELS };
static const char *const matrix_names[] = {FUNCTIONS(MATRIX_NAME) ""};
static struct matrix_entry matrix_own[MATRIX_LABELS];
static struct matrix_entry *matrix_at[MATRIX_LABELS + 1];

/* Before the first constructor has run, counts go to matrix_own. */
#define COUNT(label)                                                                                                   \
  __atomic_fetch_add(matrix_at[MATRIX_##label] ? &matrix_at[MATRIX_##label]->count                                     \
                                               : &matrix_own[MATRIX_##label].count,                                    \
                     1, __ATOMIC_RELAXED)

UNPROBED __attribute__((constructor(101))) static void matrix_start(void) {
  const char *path = getenv("MATRIX_CALLS");
  int fd = path ? open(path, O_RDWR | O_CLOEXEC) : -1;
  void *map = fd >= 0 ? mmap(NULL, MATRIX_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0) : MAP_FAILED;
  struct matrix_entry *entries = (struct matrix_entry *)map;
  if (fd >= 0)
    close(fd);
  if (map == MAP_FAILED)
    return;
  for (int label = 0; label < MATRIX_LABELS; label++) {
    struct matrix_entry *entry = entries;
    while (entry->name[0] && strcmp(entry->name, matrix_names[label]))
      entry++;
    strcpy(entry->name, matrix_names[label]);
    matrix_at[label] = entry;
  }
}

#ifdef MATRIX_SHARED /* main is called matrix_main then, and an unprobed program calls it */
#ifdef __cplusplus
extern "C"
#endif
    int
    main(int argc, char **argv);
#endif

#endif
