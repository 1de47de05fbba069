/*
 * tools/import/path_sums.h - a profile of call paths, of any tool: weights along paths, and their unit.
 *
 * Importers make one from a file, analysis/compare one from a recording.  A path is a node: its frame, and the node
 * that called it.  Formats without call paths (callgrind) give functions as outermost nodes, and edges between them.
 * Texts may have any bytes but NUL; they live as long as the profile.
 */
#ifndef PROF_IMPORT_PATH_SUMS_H
#define PROF_IMPORT_PATH_SUMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/index_map.h"
#include "base/vec.h"

#define PROF_PATHS_UNKNOWN "[unknown]" /* name of a frame without one */
#define PROF_PATHS_INLINED "[inlined]" /* module of a frame that is no call: the code is part of its caller */

/* What weights count, the least telling first: of several events an importer takes the most telling one. */
enum prof_path_sums_unit {
  PROF_PATHS_COUNTS,  /* the file doesn't say */
  PROF_PATHS_SAMPLES, /* each counts 1 */
  PROF_PATHS_EVENTS,  /* of the event that `event` names */
  PROF_PATHS_INSTRUCTIONS,
  PROF_PATHS_CYCLES,
  PROF_PATHS_NS,
};
#define PROF_PATHS_UNITS 6
extern const char *const prof_paths_unit_words[PROF_PATHS_UNITS]; /* plural nouns: "samples", "ns" */

struct prof_path_sums_frame { /* told apart by all three */
  const char *name;           /* never empty */
  const char *module;         /* path of the program or library; "": unknown; or PROF_PATHS_INLINED */
  const char *file;           /* of the source; "": unknown */
};

struct prof_path_sums_node {
  uint32_t parent; /* a smaller index; PROF_PATHS_NO_PARENT for node 0 */
  uint32_t frame;  /* index; of node 0 unused */
  double self;     /* weight of the path that ends here, 0 or more */
  bool estimated;  /* so is this weight, in a recording with a budget */
};
#define PROF_PATHS_NO_PARENT UINT32_MAX

struct prof_path_sums_edge { /* without call paths: calls from one function to another */
  uint32_t caller, callee;   /* frames */
  double calls;
  double total; /* inclusive weight of these calls */
};

struct prof_path_sums_event { /* of a file with several */
  const char *name;
  uint64_t samples; /* 0 where the format has none */
};

struct prof_path_sums {
  const char *format; /* name of its importer; NULL: a recording */
  bool has_paths;     /* false: nodes are functions, without callers */
  enum prof_path_sums_unit unit;
  const char *event; /* whose weights these are; NULL: the format has no events */
  const char *times; /* how a recording's times were had, in words; NULL: there is one way only, or it isn't known */
  PROF_VEC(struct prof_path_sums_frame) frames;
  PROF_VEC(struct prof_path_sums_node) nodes; /* [0] is the parent of the outermost ones */
  PROF_VEC(struct prof_path_sums_edge) edges;
  PROF_VEC(struct prof_path_sums_event) events; /* all that the file has */
  uint64_t lost;                                /* samples that the file says are lost */
  struct prof_index_map known_frames, known_nodes, known_edges;
  struct prof_arena texts;
};

bool prof_path_sums_init(struct prof_path_sums *); /* false: no memory, nothing to free */
void prof_path_sums_fini(struct prof_path_sums *); /* may be zeroed */

/* These find or add; UINT32_MAX: no memory.  An empty name becomes [unknown]; module and file may be NULL. */
uint32_t prof_path_sums_frame(struct prof_path_sums *, const char *name, const char *module, const char *file);
uint32_t prof_path_sums_child(struct prof_path_sums *, uint32_t parent, uint32_t frame);
uint32_t prof_path_sums_edge(struct prof_path_sums *, uint32_t caller, uint32_t callee);

/* Sum of all weights. */
double prof_path_sums_total(const struct prof_path_sums *);

/* Hash of a text, for maps of texts. */
uint32_t prof_path_sums_hash(const char *text);

#endif
