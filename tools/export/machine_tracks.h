/*
 * tools/export/machine_tracks.h - the machine's and processes' figures (--machine) as counters of a timeline.
 */
#ifndef PROF_EXPORT_MACHINE_TRACKS_H
#define PROF_EXPORT_MACHINE_TRACKS_H

#include "exporters.h"
#include "perfetto_file.h"
#include "perfetto_gpu.h"

/* Chrome's format: the machine's are those of a process 0. */
void prof_chrome_machine_write(FILE *, const struct prof_export_source *);
/* Takes uuids from uuids->others on. */
void prof_perfetto_machine_write(struct prof_perfetto_file *, const struct prof_export_source *,
                                 struct prof_perfetto_uuids *);

#endif
