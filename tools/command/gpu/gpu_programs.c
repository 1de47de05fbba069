/*
 * tools/command/gpu/gpu_programs.c - see gpu_programs.h.
 */
#include "gpu_programs.h"

#include <stdlib.h>

#include "source/cubin.h"

struct program {
  bool is_opened;
  uint8_t *bytes;
  struct prof_cubin *cubin; /* NULL: not read yet, or unreadable */
};

struct prof_gpu_programs {
  const struct prof_reader *reader;
  const struct prof_gpu_cubin_ref *refs;
  size_t count;
  struct program *programs;
};

struct prof_gpu_programs *prof_gpu_programs_new(const struct prof_reader *reader) {
  struct prof_gpu_programs *programs = calloc(1, sizeof *programs);
  if (programs == NULL)
    return NULL;
  programs->reader = reader;
  programs->refs = prof_trace_gpu_cubins(reader->recording.trace, &programs->count);
  programs->programs = calloc(programs->count + 1, sizeof *programs->programs);
  if (programs->programs == NULL) {
    free(programs);
    return NULL;
  }
  return programs;
}

void prof_gpu_programs_free(struct prof_gpu_programs *programs) {
  if (programs == NULL)
    return;
  for (size_t i = 0; i < programs->count; i++) {
    prof_cubin_close(programs->programs[i].cubin);
    free(programs->programs[i].bytes);
  }
  free(programs->programs);
  free(programs);
}

static struct prof_cubin *open_at(struct prof_gpu_programs *programs, size_t index) {
  struct program *program = &programs->programs[index];
  size_t byte_count = 0;
  if (program->is_opened)
    return program->cubin;
  program->is_opened = true;
  if (prof_gpu_cubin_load(programs->reader->recording.trace, index, NULL, &program->bytes, &byte_count) != PROF_OK ||
      prof_cubin_open(program->bytes, byte_count, NULL, &program->cubin) != PROF_OK)
    program->cubin = NULL;
  return program->cubin;
}

static enum prof_gpu_place find_raw(void *context, uint32_t source, uint64_t number, const char *function,
                                    uint64_t address, const char **file, uint32_t *line) {
  struct prof_gpu_programs *programs = context;
  struct prof_cubin *cubin = NULL;
  struct prof_cubin_place place;
  for (size_t i = 0; i < programs->count && cubin == NULL; i++)
    if (programs->refs[i].cubin == number && programs->refs[i].source == source)
      cubin = open_at(programs, i);
  if (cubin == NULL)
    return PROF_GPU_PLACE_NO_CUBIN;
  if (!prof_cubin_has_lines(cubin))
    return PROF_GPU_PLACE_NO_LINES;
  if (!prof_cubin_find(cubin, function, address, &place))
    return PROF_GPU_PLACE_UNKNOWN;
  *file = place.file;
  *line = place.line;
  return PROF_GPU_PLACE_FOUND;
}

static enum prof_gpu_place find(void *context, uint32_t source, uint64_t number, const char *function, uint64_t address,
                                const char **file, uint32_t *line) {
  struct prof_gpu_programs *programs = context;
  enum prof_gpu_place found = find_raw(context, source, number, function, address, file, line);
  if (found == PROF_GPU_PLACE_FOUND)
    *file = prof_names_path(programs->reader->recording.names, *file);
  return found;
}

struct prof_gpu_line_source prof_gpu_programs_source(struct prof_gpu_programs *programs) {
  return (struct prof_gpu_line_source){programs, find};
}

struct prof_gpu_line_source prof_gpu_programs_raw_source(struct prof_gpu_programs *programs) {
  return (struct prof_gpu_line_source){programs, find_raw};
}

bool prof_gpu_programs_extent(struct prof_gpu_programs *programs, const char *linkage, const char **file,
                              uint32_t *first, uint32_t *last) {
  for (size_t i = 0; i < programs->count; i++) {
    struct prof_cubin *cubin = open_at(programs, i);
    struct prof_cubin_place place;
    if (cubin == NULL || !prof_cubin_extent(cubin, linkage, &place, last))
      continue;
    *file = prof_names_path(programs->reader->recording.names, place.file);
    *first = place.line;
    return true;
  }
  return false;
}
