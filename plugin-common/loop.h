/*
 * loop.h - describes a loop, decides whether it gets probes, and gives the reason.
 *
 * In: the options, and one loop at a time, outer ones before those in them.  Out: PROF_LOOP_REASON_PROBED or the first
 * reason against it.  Strings are borrowed and live as long as the call.
 */
#ifndef PROF_PLUGIN_LOOP_H
#define PROF_PLUGIN_LOOP_H

#include "arguments.h"
#include "candidate.h"

#ifdef __cplusplus
extern "C" {
#endif

struct prof_candidate_loop {
  uint64_t key;                /* prof_facts_loop_key */
  uint64_t parent;             /* key of the loop around it; 0: none */
  uint64_t iterations;         /* of each entry if flags say PROF_LOOP_CONSTANT, else 0 */
  uint32_t line;               /* where its statement begins; 0 unknown */
  uint32_t last_line;          /* at least `line` */
  uint32_t flags;              /* PROF_LOOP_ of wire/row.h */
  uint32_t statements;         /* of its body, those of inner loops included */
  uint32_t exits;              /* edges out of it */
  uint16_t depth;              /* 1: outermost */
  bool has_calls;              /* to functions that aren't the compiler's own */
  bool has_inner;              /* loops */
  bool annotated;              /* by `#pragma prof loop` or the attribute prof_loops of its function */
  bool in_probed;              /* a loop around it has an entry and an exit */
  bool nest_is_asked_for;      /* a loop around it is annotated */
  bool nest_has_calls;         /* a loop around it has calls */
  bool made_by_goto;           /* by no loop statement */
  bool is_swap;                /* retries a compare-and-swap of one atomic operation */
  bool has_no_edge;            /* control enters it by edges that can't hold a probe */
  const char *source_function; /* assembler name of the function that it was inlined from; "" none */
  const char *file;            /* as given to the compiler; "" unknown */
  const char *recorded_file;   /* the same after -ffile-prefix-map */
};

/* In the order of the tests. */
enum prof_loop_reason {
  PROF_LOOP_REASON_PROBED = 0,
  PROF_LOOP_REASON_NO_EDGE,
  PROF_LOOP_REASON_SWAP,
  PROF_LOOP_REASON_NONE,
  PROF_LOOP_REASON_FEW_STATEMENTS,
  PROF_LOOP_REASON_INNER,
  PROF_LOOP_REASON_GOTO,
  PROF_LOOP_REASON_LEFT,
  PROF_LOOP_REASON_TRIVIAL,
  PROF_LOOP_REASON_SHORT,
  PROF_LOOP_REASON_COUNT
};

enum prof_loop_reason prof_loop_select(const struct prof_arguments *arguments, const struct prof_candidate_loop *loop);

/*
 * Is a loop with this reason, which has no events, counted at the exits of the instrumented loop around it?  Don't call
 * it for a loop whose counts follow from that loop's and cost nothing.
 */
bool prof_loop_is_counted(const struct prof_arguments *arguments, enum prof_loop_reason reason,
                          const struct prof_candidate_loop *loop);

/* A few words for the listing; static. */
const char *prof_loop_reason_text(enum prof_loop_reason reason);

#ifdef __cplusplus
}
#endif

#endif
