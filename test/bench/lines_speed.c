/*
 * test/bench/lines_speed.c - how fast tools/source answers for a module: processor seconds to the first answer, to read
 * all units, look-ups per second after that, peak memory.
 *
 *   lines_speed MODULE [LOOKUPS]
 *
 * The first answer is timed in a process of its own.  Look-ups are for addresses all over the code, in random order.  A
 * row for people; nothing is asserted.
 */
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/vec.h"
#include "source/dwarf/debug.h"
#include "source/elf_file.h"

struct part {
  uint64_t low, high;
};

static double seconds_now(void) { /* of the processor: one thread, and files that were read before */
  struct timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static struct prof_debug *open_module(const char *path) {
  struct prof_diag diag;
  struct prof_debug *debug;
  if (prof_debug_open(path, NULL, &diag, &debug) == PROF_OK)
    return debug;
  fprintf(stderr, "lines_speed: %s\n", diag.what);
  exit(1);
}

/* Addresses drawn evenly from the sections of instructions. */
static uint64_t *draw(const char *path, size_t count) {
  struct prof_elf *elf;
  PROF_VEC(struct part) parts = {0};
  uint64_t *out = malloc(count * sizeof *out), total = 0, state = 88172645463325252u;
  size_t at = 0;
  if (out == NULL || prof_elf_open(path, NULL, &elf) != PROF_OK)
    exit(1);
  for (struct part part; prof_elf_code_next(elf, &at, &part.low, &part.high);) {
    total += part.high - part.low;
    if (!prof_vec_push(&parts, part))
      exit(1);
  }
  prof_elf_close(elf);
  for (size_t i = 0; i < count && total > 0; i++) {
    state ^= state << 13; /* xorshift64, G. Marsaglia 2003 */
    state ^= state >> 7;
    state ^= state << 17;
    uint64_t left = state % total;
    size_t part = 0;
    for (; left >= parts.items[part].high - parts.items[part].low; part++)
      left -= parts.items[part].high - parts.items[part].low;
    out[i] = parts.items[part].low + left;
  }
  prof_vec_fini(&parts);
  return out;
}

static uint64_t look(struct prof_debug *debug, const uint64_t *addresses, size_t count) {
  uint64_t frames = 0;
  for (size_t i = 0; i < count; i++) {
    struct prof_debug_chain chain;
    if (prof_debug_find(debug, addresses[i], &chain) == PROF_OK)
      frames += chain.count;
  }
  return frames;
}

static void time_first(const char *path, uint64_t address) {
  fflush(stdout);
  pid_t child = fork();
  if (child == 0) {
    double begin = seconds_now();
    struct prof_debug *debug = open_module(path);
    double opened = seconds_now();
    look(debug, &address, 1);
    printf("opened after %.3f s, first answer after %.3f s; ", opened - begin, seconds_now() - begin);
    fflush(stdout);
    _exit(0);
  }
  waitpid(child, NULL, 0);
}

int main(int argc, char **argv) {
  if (argc < 2) {
    fprintf(stderr, "usage: lines_speed MODULE [LOOKUPS]\n");
    return 1;
  }
  size_t count = argc > 2 ? strtoull(argv[2], NULL, 0) : 1000000;
  uint64_t *addresses = draw(argv[1], count);
  time_first(argv[1], addresses[0]);
  double begin = seconds_now();
  struct prof_debug *debug = open_module(argv[1]);
  if (prof_debug_read_all(debug) != PROF_OK)
    return 1;
  double indexed = seconds_now() - begin;
  uint64_t frames = look(debug, addresses, count); /* names functions and files, each once */
  double warm = seconds_now();
  frames += look(debug, addresses, count);
  double taken = seconds_now() - warm;
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  printf("all %u units after %.2f s; %.2fM look-ups/s, %.1f frames each; peak %.0f MB\n", prof_debug_facts(debug).units,
         indexed, (double)count / taken / 1e6, (double)frames / 2 / (double)count, (double)usage.ru_maxrss / 1024);
  prof_debug_close(debug);
  free(addresses);
  return 0;
}
