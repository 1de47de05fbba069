/*
 * tools/export/memory_tracks.c - see memory_tracks.h.
 */
#include "memory_tracks.h"

#include <inttypes.h>

#include "analysis/measures/memory_times.h"

#define MOST_POINTS 20000 /* of a curve */

prof_status prof_chrome_memory_write(FILE *file, const struct prof_export_source *source, struct prof_diag *diag) {
  const struct prof_process *processes = prof_trace_processes(source->trace, NULL);
  struct prof_memory_curves curves;
  prof_status status = prof_memory_curves_find(source->trace, source->filter, MOST_POINTS, diag, &curves);
  for (size_t i = 0; status == PROF_OK && i < curves.points.count; i++) {
    const struct prof_memory_point *point = &curves.points.items[i];
    fprintf(file,
            ",\n{\"ph\":\"C\",\"pid\":%" PRIu32 ",\"ts\":%" PRIu64 ".%03" PRIu64
            ",\"cat\":\"memory\",\"name\":\"%s\",\"args\":{\"bytes\":%" PRIu64 "}}",
            processes[point->process].pid, point->time_ns / 1000, point->time_ns % 1000,
            prof_memory_curve_names[point->mapped], point->bytes);
  }
  prof_memory_curves_fini(&curves);
  return status;
}

prof_status prof_perfetto_memory_write(struct prof_perfetto_file *out, const struct prof_export_source *source,
                                       struct prof_perfetto_uuids *uuids, struct prof_diag *diag) {
  struct prof_memory_curves curves;
  prof_status status = prof_memory_curves_find(source->trace, source->filter, MOST_POINTS, diag, &curves);
  for (size_t i = 0; status == PROF_OK && i < curves.points.count; i++) {
    const struct prof_memory_point *point = &curves.points.items[i];
    if (i == 0 || point[-1].process != point->process || point[-1].mapped != point->mapped) {
      prof_perfetto_counter_track(out, uuids->others, uuids->processes + point->process,
                                  prof_memory_curve_names[point->mapped], "bytes");
      prof_perfetto_sequence(out, uuids->others++);
    }
    prof_perfetto_count(out, point->time_ns, (double)point->bytes);
  }
  prof_memory_curves_fini(&curves);
  return status;
}
