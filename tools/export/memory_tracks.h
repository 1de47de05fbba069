/*
 * tools/export/memory_tracks.h - what lives of each process' heap and mappings (--memory) as counters of a timeline.
 */
#ifndef PROF_EXPORT_MEMORY_TRACKS_H
#define PROF_EXPORT_MEMORY_TRACKS_H

#include "exporters.h"
#include "perfetto_file.h"
#include "perfetto_gpu.h"

prof_status prof_chrome_memory_write(FILE *, const struct prof_export_source *, struct prof_diag *) PROF_MUST_CHECK;
/* Takes uuids from uuids->others on. */
prof_status prof_perfetto_memory_write(struct prof_perfetto_file *, const struct prof_export_source *,
                                       struct prof_perfetto_uuids *, struct prof_diag *) PROF_MUST_CHECK;

#endif
