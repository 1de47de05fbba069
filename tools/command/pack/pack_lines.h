/*
 * tools/command/pack/pack_lines.h - collects the source lines of a module's addresses for `prof pack`.
 */
#ifndef PROF_COMMAND_PACK_LINES_H
#define PROF_COMMAND_PACK_LINES_H

#include "base/arena.h"
#include "base/vec.h"
#include "estimate/profile.h"
#include "estimate/samples.h"
#include "study/symbols.h"

struct prof_pack_files { /* paths as debug information has them, each once; they live as long as the symbols */
  PROF_VEC(const char *) list;
};
bool prof_pack_files_add(struct prof_pack_files *, const char *file); /* false: no memory */
void prof_pack_files_fini(struct prof_pack_files *);

struct prof_pack_lines {
  struct prof_packed_lines packed; /* points into the lists */
  PROF_VEC(struct prof_packed_address) addresses;
  PROF_VEC(struct prof_packed_frame) frames;
  PROF_VEC(struct prof_packed_extent) extents;
};

/* Collects the module's addresses of calls and samples, and its called functions. */
prof_status prof_pack_lines_make(struct prof_symbols *, const struct prof_profile *, const struct prof_samples *,
                                 uint32_t module, struct prof_pack_files *, struct prof_diag *,
                                 struct prof_pack_lines *) PROF_MUST_CHECK;
void prof_pack_lines_free(struct prof_pack_lines *);

#endif
