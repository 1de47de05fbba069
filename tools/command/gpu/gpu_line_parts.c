/*
 * tools/command/gpu/gpu_line_parts.c - see gpu_line_parts.h.
 */
#include "gpu_line_parts.h"

#include <stddef.h>

#include "view/units.h"

const char *prof_gpu_stalls_text(char *out, size_t bytes, const struct prof_gpu_line_rows *rows,
                                 const struct prof_gpu_line_row *row) {
  enum { SHOWN = 3 };
  char share[PROF_UNITS_BYTES];
  size_t used = 0;
  *out = 0;
  for (size_t i = 0; i < row->reason_count && i < SHOWN && row->samples > 0 && used < bytes; i++) {
    const struct prof_gpu_reason *reason = &rows->reasons[row->first_reason + i];
    if (reason->samples > 0)
      used += (size_t)snprintf(out + used, bytes - used, "%s%.40s %s", i > 0 ? ", " : "", reason->name,
                               prof_units_share(share, (double)reason->samples / (double)row->samples));
  }
  return out;
}

void prof_gpu_line_json(const struct prof_gpu_line_rows *rows, const struct prof_gpu_line_row *row,
                        struct prof_json *json) {
  prof_json_count(json, "samples", row->samples);
  prof_json_number(json, "share", row->share);
  prof_json_count(json, "not_issued", row->idle);
  prof_json_array(json, "stalls");
  for (size_t i = 0; i < row->reason_count; i++) {
    const struct prof_gpu_reason *reason = &rows->reasons[row->first_reason + i];
    prof_json_object(json, NULL);
    prof_json_text(json, "reason", reason->name);
    prof_json_count(json, "samples", reason->samples);
    prof_json_count(json, "not_issued", reason->idle);
    prof_json_object_end(json);
  }
  prof_json_array_end(json);
}

static const struct {
  const char *key, *words; /* words: behind the count, when it isn't 0; NULL: only in JSON */
  size_t offset;
} members[] = {
#define MEMBER(name, words)                                                                                            \
  { #name, words, offsetof(struct prof_gpu_line_rows, name) }
    MEMBER(samples, NULL),
    MEMBER(taken, NULL),
    MEMBER(cycles, NULL),
    MEMBER(no_cubin, "samples in GPU programs missing from the recording"),
    MEMBER(no_lines, "samples without a line: compile with nvcc -lineinfo"),
    MEMBER(unknown, "samples at unknown lines"),
    MEMBER(dropped, "samples dropped by the hardware"),
    MEMBER(foreign, "samples in kernels of other programs"),
    MEMBER(full, "overflows of the hardware's sample buffer"),
    MEMBER(cubins_lost, "GPU programs lost"),
    MEMBER(damaged, "damaged chunks"),
#undef MEMBER
};
enum { MEMBERS = sizeof members / sizeof *members };

static uint64_t value_of(const struct prof_gpu_line_rows *rows, size_t member) {
  return *(const uint64_t *)(const void *)((const char *)rows + members[member].offset);
}

void prof_gpu_line_cover_lines(const struct prof_gpu_line_rows *rows, const struct prof_output *output) {
  FILE *file = output->file;
  char count[PROF_UNITS_BYTES];
  const char *between = "! ";
  fprintf(file, "%s samples of kernels", prof_units_count(count, rows->samples));
  if (rows->cycles > 0)
    fprintf(file, ", one every %s cycles of each multiprocessor", prof_units_count(count, rows->cycles));
  fputc('\n', file);
  for (size_t i = 0; i < MEMBERS; i++)
    if (members[i].words != NULL && value_of(rows, i) > 0) {
      fprintf(file, "%s%s %s", between, prof_units_count(count, value_of(rows, i)), members[i].words);
      between = output->verbose ? "\n! " : "; ";
    }
  fputs(*between == '!' ? "" : "\n", file);
}

void prof_gpu_line_cover_json(const struct prof_gpu_line_rows *rows, struct prof_json *json) {
  prof_json_object(json, "gpu_samples");
  for (size_t i = 0; i < MEMBERS; i++)
    prof_json_count(json, members[i].key, value_of(rows, i));
  prof_json_object_end(json);
}
