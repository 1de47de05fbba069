/*
 * tools/command/flame_change.h - `prof flame --against`: the picture's change since another profile.
 */
#ifndef PROF_COMMAND_FLAME_CHANGE_H
#define PROF_COMMAND_FLAME_CHANGE_H

#include "analysis/compare/comparison.h"
#include "import/importers.h"
#include "reader.h"

enum prof_flame_format { PROF_FLAME_SVG, PROF_FLAME_FOLDED, PROF_FLAME_JSON };
enum prof_flame_frames { PROF_FLAME_FRAMES_BY_FORMAT, PROF_FLAME_FRAMES_ALL, PROF_FLAME_FRAMES_KNOWN };

struct prof_flame_change { /* what was asked for; texts are borrowed */
  const struct prof_common *common;
  const char *against; /* a recording, or a file of another tool */
  uint32_t importer;   /* its number, from 1; 0: by content */
  const char *event;
  enum prof_flame_frames frames;
  enum prof_flame_format format;
  bool absolute, reverse, icicle, gpu;
  double min_share;
  uint32_t deepest;
  const char *title; /* NULL: made here */
};

/* The paths of an opened recording, as `change` asks for them.  Free *out with prof_path_sums_fini. */
typedef prof_status prof_flame_paths(const struct prof_flame_change *, const struct prof_reader *,
                                     struct prof_path_sums *out, struct prof_diag *);

struct prof_flame_other { /* the other profile */
  struct prof_path_sums paths;
  bool known_only;           /* frames that the recording doesn't know lost their weight to their callers */
  double outside;            /* weight that was left out then */
  char command[256];         /* recorded command; "": a file of another tool */
  struct prof_path_sums all; /* before frames were left out; empty if none were */
};

/* Reads the other profile, and prints warnings about it.  Free *out with prof_flame_other_fini, but not after a
 * failure. */
prof_status prof_flame_other_open(const struct prof_flame_change *, const struct prof_reader *, prof_flame_paths *,
                                  struct prof_flame_other *out, struct prof_diag *) PROF_MUST_CHECK;
void prof_flame_other_fini(struct prof_flame_other *);

/* Writes the comparison of an opened recording's paths with the other profile. */
prof_status prof_flame_change_write(FILE *, const struct prof_flame_change *, const struct prof_reader *,
                                    const struct prof_path_sums *after, const struct prof_flame_other *,
                                    struct prof_diag *) PROF_MUST_CHECK;

/* The recorded command, its arguments separated by blanks; "": unknown. */
void prof_flame_command(const prof_trace *, char *out, size_t bytes);

#endif
