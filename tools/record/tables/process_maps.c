/*
 * tools/record/tables/process_maps.c - see process_maps.h.
 */
#include "record/tables/process_maps.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/vec.h"

#define VDSO "[vdso]"

bool prof_map_is_file(const char *path) {
  return (path[0] == '/' && path[1] != '/' && strncmp(path, "/memfd:", 7) != 0 && strncmp(path, "/dev/zero", 9) != 0) ||
         strcmp(path, VDSO) == 0;
}

static const char *name_of(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash != NULL ? slash + 1 : path;
}

bool prof_map_is_runtime(const char *path) {
  return strncmp(name_of(path), "libprof-runtime.so", 18) == 0;
}

bool prof_map_is_own(const char *path) {
  const char *name = name_of(path);
  return prof_map_is_runtime(path) || strncmp(name, "libprof-gpu.so", 14) == 0 ||
         strncmp(name, "libprof-measures.so", 19) == 0 || strncmp(name, "libprof.so", 10) == 0;
}

struct prof_elf *prof_map_open(const char *path, pid_t pid) {
  char place[4200];
  struct prof_elf *file = NULL;
  if (prof_elf_open(path, NULL, &file) == PROF_OK)
    return file;
  snprintf(place, sizeof place, "/proc/%ld/root%s", (long)pid, path);
  return prof_elf_open(place, NULL, &file) == PROF_OK ? file : NULL;
}

/* ---- a file's span of addresses ---- */

enum { PAGE_BYTES = 4096 };

struct span {           /* of the file that was mapped last */
  char *path;           /* owned; NULL: none yet */
  uint64_t begin, bias; /* of its first map; bias: once it was opened */
  bool is_opened;
  PROF_VEC(struct prof_elf_load) loads; /* its instructions; none: unreadable, or the first map isn't its beginning */
};

static void span_fini(struct span *span) {
  prof_vec_fini(&span->loads);
  free(span->path);
  *span = (struct span){0};
}

/* The process has this map of a file. */
static void span_take(struct span *span, uint64_t begin, uint64_t offset, const char *path) {
  if (span->path != NULL && strcmp(span->path, path) == 0) /* a segment may begin in its first page again */
    return;
  span_fini(span);
  *span = (struct span){.begin = begin, .path = offset == 0 ? strdup(path) : NULL};
}

static void open_file(struct span *span, pid_t pid) {
  struct prof_elf_load load;
  struct prof_elf *elf = prof_map_open(span->path, pid);
  span->is_opened = true;
  if (elf == NULL)
    return;
  if (prof_elf_load_first(elf, &load) && load.offset == 0) {
    span->bias = span->begin - load.address;
    for (size_t at = 0; prof_elf_load_next(elf, &at, &load);)
      (void)prof_vec_push(&span->loads, load); /* without memory its text stays unknown */
  }
  prof_elf_close(elf);
}

/* Where in the span's file its contents at [begin, end) lie.  False: nowhere. */
static bool span_has(struct span *span, pid_t pid, uint64_t begin, uint64_t end, uint64_t *offset) {
  if (span->path == NULL)
    return false;
  if (!span->is_opened)
    open_file(span, pid);
  for (size_t i = 0; i < span->loads.count; i++) {
    const struct prof_elf_load *load = &span->loads.items[i];
    uint64_t first = (span->bias + load->address) & ~(uint64_t)(PAGE_BYTES - 1);
    uint64_t behind = (span->bias + load->address + load->bytes + PAGE_BYTES - 1) & ~(uint64_t)(PAGE_BYTES - 1);
    if (begin >= first && end <= behind) {
      *offset = begin - span->bias - load->address + load->offset;
      return true;
    }
  }
  return false;
}

/* ---- maps ---- */

/* The path of a line without its end; NULL: it is none. */
static char *map_parse(char *line, struct prof_mapped *out, bool *executes) {
  unsigned long long begin, end, offset;
  char rights[8];
  int path = 0;
  if (sscanf(line, "%llx-%llx %7s %llx %*s %*s %n", &begin, &end, rights, &offset, &path) < 4 || path == 0)
    return NULL;
  line[strcspn(line, "\n")] = 0;
  *out = (struct prof_mapped){0, begin, end, offset, line + path};
  *executes = strchr(rights, 'x') != NULL;
  return line + path;
}

void prof_maps_of_process(pid_t pid, void (*take)(void *, const struct prof_mapped *), void *context) {
  char name[64], *line = NULL;
  size_t size = 0;
  struct span span = {0};
  struct prof_mapped mapped;
  bool executes;
  snprintf(name, sizeof name, "/proc/%ld/maps", (long)pid);
  FILE *file = fopen(name, "re");
  while (file != NULL && getline(&line, &size, file) > 0) {
    const char *path = map_parse(line, &mapped, &executes);
    if (path == NULL)
      continue;
    bool is_file = prof_map_is_file(path);
    if (is_file && *path == '/')
      span_take(&span, mapped.begin, mapped.offset, path);
    if (executes && !is_file && *path != '[' && span_has(&span, pid, mapped.begin, mapped.end, &mapped.offset)) {
      mapped.path = span.path;
      is_file = true;
    }
    if (executes && is_file)
      take(context, &mapped);
  }
  span_fini(&span);
  free(line);
  if (file != NULL)
    fclose(file);
}
