/*
 * tools/export/exporters.c - the table of formats.
 */
#include "exporters.h"

extern const struct prof_exporter prof_exporter_folded;
extern const struct prof_exporter prof_exporter_speedscope;
extern const struct prof_exporter prof_exporter_chrome;
extern const struct prof_exporter prof_exporter_perfetto;
extern const struct prof_exporter prof_exporter_csv;
extern const struct prof_exporter prof_exporter_json;
extern const struct prof_exporter prof_exporter_callgrind;
extern const struct prof_exporter prof_exporter_pprof;
extern const struct prof_exporter prof_exporter_sqlite;
extern const struct prof_exporter prof_exporter_dot;
extern const struct prof_exporter prof_exporter_firefox;
extern const struct prof_exporter prof_exporter_otf2;

const struct prof_exporter *const prof_exporters[] = {
    &prof_exporter_folded,
    &prof_exporter_speedscope,
    &prof_exporter_chrome,
    &prof_exporter_perfetto,
    &prof_exporter_csv,
    &prof_exporter_json,
    &prof_exporter_callgrind,
    &prof_exporter_pprof,
    &prof_exporter_sqlite,
    &prof_exporter_dot,
    &prof_exporter_firefox,
    &prof_exporter_otf2,
    NULL,
};
