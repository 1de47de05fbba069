/*
 * test/gpu/programs/plain.c - no CUDA: prints how often the collector's or CUPTI's name is in its memory map.
 */
#include <stdio.h>
#include <string.h>

static int count_in_map(const char *name) {
  char line[4096];
  int found = 0;
  FILE *map = fopen("/proc/self/maps", "r");
  while (map != NULL && fgets(line, sizeof line, map) != NULL)
    found += strstr(line, name) != NULL;
  if (map != NULL)
    fclose(map);
  return found;
}

int main(void) {
  printf("%d %d %d\n", count_in_map("libprof-gpu"), count_in_map("libcu"), count_in_map("prof-runtime") > 0);
  return 0;
}
