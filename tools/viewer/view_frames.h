/*
 * tools/viewer/view_frames.h - numbers of frames and files in the view format, given in the order of their first use.
 *
 * In: frame numbers (names/loop_frames.h) and paths.  Out: the section `frames`.
 */
#ifndef PROF_VIEWER_VIEW_FRAMES_H
#define PROF_VIEWER_VIEW_FRAMES_H

#include "base/index_map.h"
#include "base/json.h"
#include "base/vec.h"
#include "study/recording.h"

#define PROF_VIEW_NAME_MOST 1024 /* bytes of a name or path; the rest is cut */

struct prof_view_frames {
  const struct prof_recording *recording;
  uint32_t *of;                                 /* by frame number: its number in the format; PROF_NONE: none yet */
  uint32_t count;                               /* of `of` */
  PROF_VEC(uint32_t) numbers;                   /* by number in the format */
  PROF_VEC(const char *) files, modules, extra; /* extra: names that are of no function, as of kernels */
  PROF_VEC(const char *) paths;                 /* of files: as debug information or the compiler has it */
  struct prof_index_map known_files, known_modules, known_extra;
  uint64_t long_names;
  bool failed; /* no memory */
};

/* The recording must outlive it.  false: no memory. */
bool prof_view_frames_init(struct prof_view_frames *, const struct prof_recording *);
void prof_view_frames_fini(struct prof_view_frames *);

uint32_t prof_view_frame(struct prof_view_frames *, uint32_t frame); /* PROF_NONE is the unknown function */

/* The frame number of a number in the format; PROF_NONE: it is of no function or loop. */
uint32_t prof_view_frame_number(const struct prof_view_frames *, uint32_t id);

/* The name of a number in the format that was given. */
const char *prof_view_frame_name(const struct prof_view_frames *, uint32_t id);

/* The number of a frame that is no function; the name must live as long. */
uint32_t prof_view_extra_frame(struct prof_view_frames *, const char *name);

/* The number of a source file by its path, as debug information or the compiler has it; PROF_NONE: "" or NULL. */
uint32_t prof_view_file(struct prof_view_frames *, const char *path);

/* A text of the traced program, in an array or with a key: cut to PROF_VIEW_NAME_MOST. */
void prof_view_text(struct prof_view_frames *, struct prof_json *, const char *key, const char *text);

struct prof_view_known { /* how many of each the page has */
  uint64_t frames, files, modules;
};

/* Members of the open object: frames, files and modules from `known` on; NULL: all. */
void prof_view_frames_write(struct prof_view_frames *, const struct prof_view_known *known, struct prof_json *);

#endif
