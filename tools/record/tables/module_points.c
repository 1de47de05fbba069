/*
 * tools/record/tables/module_points.c - see module_points.h.
 */
#include "record/tables/module_points.h"

#include <stdlib.h>

bool prof_module_points_write(prof_writer *writer, uint32_t module, const struct prof_elf_module *file) {
  if (file == NULL || file->point_count == 0)
    return true;
  struct prof_point_record *points = calloc(file->point_count, sizeof *points);
  struct prof_point_site_record *sites = calloc((size_t)file->site_count + 1, sizeof *sites);
  bool good = points != NULL && sites != NULL;
  uint32_t site_count = 0;
  for (uint32_t i = 0; good && i < file->point_count; i++) {
    const struct prof_elf_point *from = &file->points[i];
    points[i] = (struct prof_point_record){.what = from->what,
                                           .line = from->line,
                                           .name = prof_span(from->name),
                                           .unit = prof_span(from->unit),
                                           .file = prof_span(from->file)};
  }
  for (uint32_t i = 0; good && i < file->site_count; i++)
    if (file->sites[i].point != PROF_ELF_NO_POINT)
      sites[site_count++] = (struct prof_point_site_record){i, file->sites[i].point};
  if (good)
    (void)prof_writer_points(writer, &(struct prof_points_record){.module = module,
                                                                  .points = points,
                                                                  .point_count = file->point_count,
                                                                  .sites = sites,
                                                                  .site_count = site_count});
  free(points);
  free(sites);
  return good;
}
