/*
 * tools/study/kept_files.h - are the programs and sources of a recording still there, as they were?
 *
 * In: symbols of an open recording.  Out: counts, and the first of each kind, whose text lives as long as symbols and
 * names.  Sources: one path for each file that a recorded function stands in.  What was packed is there.
 */
#ifndef PROF_STUDY_KEPT_FILES_H
#define PROF_STUDY_KEPT_FILES_H

#include "study/symbols.h"

struct prof_kept_list {
  uint64_t count;
  const char *first; /* a path; NULL: none */
};

struct prof_kept_files {
  struct prof_kept_list modules_gone;    /* no file, or another one in its place */
  struct prof_kept_list modules_bare;    /* no debug information: no lines */
  struct prof_kept_list sources_gone;    /* not found */
  struct prof_kept_list sources_changed; /* newer than the program or the recording */
};

prof_status prof_kept_files_find(struct prof_symbols *, struct prof_diag *,
                                 struct prof_kept_files *out) PROF_MUST_CHECK;

#endif
