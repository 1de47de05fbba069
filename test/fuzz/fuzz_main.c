/*
 * test/fuzz/fuzz_main.c - runs a fuzz harness without a fuzzer: every file of the folders given, and mutants of each.
 *
 *   fuzz_X MUTANTS FOLDER...
 *
 * The same mutants in every run.  On a crash the last input is in the file named at the start.
 */
#include <dirent.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define INPUT_LIMIT ((size_t)1 << 20)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes);

static uint64_t state = 88172645463325252u;
static uint32_t below(size_t limit) { /* xorshift64, G. Marsaglia 2003 */
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return limit ? (uint32_t)((state >> 20) % limit) : 0;
}

static void mutate_number(uint8_t *data, size_t bytes) {
  static const uint32_t values[] = {0,       1,         2,          3,          7,          8,         252,
                                    253,     254,       255,        256,        65535,      65536,     65537,
                                    1 << 24, 256 << 20, 0x7fffffff, 0x80000000, 0xfffffffe, 0xffffffff};
  uint32_t value = values[below(sizeof values / sizeof *values)];
  size_t at = below(bytes / 4) * 4;
  if (bytes >= at + 4)
    memcpy(data + at, &value, 4);
}

static size_t mutate_length(uint8_t *data, size_t bytes) {
  size_t from = below(bytes), length = below(bytes - from);
  if (below(2) && bytes + length <= INPUT_LIMIT) { /* twice */
    memmove(data + from + length, data + from, bytes - from);
    return bytes + length;
  }
  memmove(data + from, data + from + length, bytes - from - length);
  return bytes - length;
}

static size_t mutate(uint8_t *data, size_t bytes) {
  for (uint32_t times = 1 + below(4); times && bytes; times--) {
    switch (below(6)) {
    case 0:
      data[below(bytes)] ^= (uint8_t)(1u << below(8));
      break;
    case 1:
      data[below(bytes)] = (uint8_t)below(256);
      break;
    case 2:
      data[below(bytes)] = 0xff;
      break;
    case 3:
      bytes = below(8) ? bytes : below(bytes);
      break;
    case 4:
      bytes = below(4) ? bytes : mutate_length(data, bytes);
      break;
    default:
      mutate_number(data, bytes);
    }
  }
  return bytes;
}

static char keep_path[] = "/tmp/fuzz-input.XXXXXX";
static int keep;

static void run(const uint8_t *data, size_t bytes) {
  if (pwrite(keep, data, bytes, 0) < 0 || ftruncate(keep, (off_t)bytes))
    perror(keep_path);
  uint8_t *exact = malloc(bytes ? bytes : 1); /* so that a sanitizer sees a read beyond it */
  if (!exact)
    abort();
  memcpy(exact, data, bytes);
  LLVMFuzzerTestOneInput(exact, bytes);
  free(exact);
}

static unsigned long replay(const char *folder, unsigned long mutants) {
  static uint8_t original[INPUT_LIMIT], mutant[INPUT_LIMIT];
  struct dirent **entries;
  int count = scandir(folder, &entries, NULL, alphasort);
  unsigned long inputs = 0;
  for (int i = 0; i < count; i++) {
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", folder, entries[i]->d_name);
    FILE *file = entries[i]->d_type == DT_REG ? fopen(path, "rb") : NULL;
    free(entries[i]);
    if (!file)
      continue;
    size_t bytes = fread(original, 1, sizeof original, file);
    fclose(file);
    run(original, bytes);
    inputs++;
    for (unsigned long m = 0; m < mutants; m++, inputs++) {
      memcpy(mutant, original, bytes);
      run(mutant, mutate(mutant, bytes));
    }
  }
  if (count >= 0)
    free(entries);
  return inputs;
}

int main(int argc, char **argv) {
  keep = mkstemp(keep_path);
  if (argc < 3 || keep < 0) {
    fputs("usage: fuzz_X MUTANTS FOLDER...\n", stderr);
    return 2;
  }
  printf("last input: %s\n", keep_path);
  fflush(stdout);
  unsigned long inputs = 0;
  for (int i = 2; i < argc; i++)
    inputs += replay(argv[i], strtoul(argv[1], NULL, 0));
  printf("%lu inputs\n", inputs);
  unlink(keep_path);
  return inputs ? 0 : 1;
}
