/*
 * loops.h - shared by the files about loops.
 *
 * A loop's probes are put in while GCC's loops are still the user's (before pass `loop`; without optimisation at the
 * end).  They are marks: asm statements without text, with a name, the number of the loop's record, and the kind of the
 * probe.  At the end of the passes marks and their copies get their text, or are removed.
 */
#ifndef PROF_GCC_LOOPS_H
#define PROF_GCC_LOOPS_H

#include "compat.h"

#include "backend.h"
#include "probe_text.h"
#include "source_place.h"

/* One loop; lives as long as the compiler. */
struct loop_record {
  struct prof_candidate_loop facts;
  enum prof_loop_reason reason;
  int function;     /* funcdef_no of the function that it was found in */
  int number;       /* GCC's, in that function */
  bool had_vectors; /* in the source, before GCC made any */
};

extern vec<loop_record> prof_loop_records;

/* loop_marks.cc: a probe without text.  `value`: NULL_TREE, or the value of its register. */
gasm *prof_loop_mark_new(unsigned record, uint32_t kind, tree value);
/* Is `statement` one?  Then its record and kind. */
bool prof_loop_mark_read(gimple *statement, unsigned *record, uint32_t *kind);

/*
 * loop_shape.cc: the begin of the body.  A loop that tests first has blocks before its body; if control leaves it from
 * one of them, the header began no iteration.
 */
bool prof_loop_leaves_before_body(class loop *loop, edge exit);
/* Edges from the first tests into the body; none: the body begins with the header. */
void prof_loop_body_edges(class loop *loop, auto_vec<edge> *edges);
/* Passes before `cunrolli`, before `ifcombine`, before `ch`, which rotates loops, and behind it. */
enum prof_loop_shape_step { PROF_LOOP_SHAPE_READ, PROF_LOOP_SHAPE_FENCE, PROF_LOOP_SHAPE_PARTS, PROF_LOOP_SHAPE_OPEN };
opt_pass *prof_loop_shape_pass_new(enum prof_loop_shape_step step);
/* loop_threads.cc: a pass that delays jump threading through loops, or allows it again. */
opt_pass *prof_loop_threads_pass_new(bool holds);
/* Does its body begin with a user's label? */
bool prof_loop_has_goto_label(class loop *loop);
/* The condition at the end of a block that leaves `loop`, and the edge on which control stays; NULL: no such
 * condition. */
gcond *prof_loop_test_of(class loop *loop, basic_block block, edge *stays);

/* loop_statements.cc */
void prof_loop_statements_register(const char *plugin);
/* Did the parser see this function?  Else the statements of its loops are unknown. */
bool prof_loop_statements_are_known(tree function);
/* The innermost statement around all of `places` that isn't among `taken`; -1: none. */
int prof_loop_statement_find(const char *file, const vec<prof_source_place> *places, const vec<int> *taken);
/* Its begin, and the last place of its test before each iteration; {0, 0}: no test. */
prof_source_place prof_loop_statement_condition(int statement, prof_source_place *last);
/* Does it test before each iteration and do nothing else? */
bool prof_loop_statement_is_only_condition(int statement);
void prof_loop_statement_lines(int statement, uint32_t *first, uint32_t *last);

/* loop_place.cc: did GCC make the function from an OpenMP directive?  Its blocks are in another order. */
bool prof_loop_is_shared_out(tree declaration);
/* The innermost inlined function that a statement lies in, as the block of its scope; NULL_TREE: the function itself.
 */
tree prof_loop_scope_of(gimple *statement);
/* Lines, file, inlined function of the loop, made_by_goto; returns that function's declaration, or NULL_TREE. */
tree prof_loop_place(class loop *loop, struct prof_candidate_loop *facts);

/* Does the parser know no statement for the loop, in the function of `outer`, the loop around it? */
bool prof_loop_lacks_statement(class loop *loop, class loop *outer);

/* Blocks of the loop statement's first test, by their places, and the block behind them; NULL: the body is empty.
 * False: unknown, or no test. */
bool prof_loop_condition_read(class loop *loop, auto_vec<basic_block, 4> *tests, basic_block *body);

/*
 * loop_parts.cc: GCC may make several nested loops of one of the source.  Notes those of the current function, before
 * tests are moved.
 */
void prof_loop_parts_note(function *fun);
void prof_loop_parts_note_once(function *fun); /* unless that has been done */
/* The loop in `loop` that is a part of the same source loop; NULL: none. */
class loop *prof_loop_part_in(class loop *loop);
/* The innermost part; `loop` itself if it is whole. */
class loop *prof_loop_part_innermost(class loop *loop);
/* The outermost. */
class loop *prof_loop_part_outermost(class loop *loop);
/* Is it one of several parts? */
bool prof_loop_is_part(class loop *loop);

/* loop_values.cc: sets COUNTABLE, CONSTANT and iterations. */
void prof_loop_count_known(class loop *loop, struct prof_candidate_loop *facts);
/*
 * Puts a loop's probes on the edges into it and out of it, with its values and the counts of inner loops (sets
 * COUNTED).  The caller commits edges and updates SSA.
 */
void prof_loop_probes_put(class loop *loop, unsigned record);

/* loops.cc: may any loop of the function get probes? */
bool prof_loops_are_wanted(function *fun);

/* The record of a loop of the current function; -1: none. */
int prof_loop_record_find(class loop *loop);
/* Number of the first record of the current function, or of the next record if `fun` is another. */
unsigned prof_loop_records_begin(function *fun);
/* loop_fate.cc: does the loop, inner ones excluded, use vectors? */
bool prof_loop_has_vectors(class loop *loop);
/* loop_fate.cc: is an instrumented loop still a loop?  `entry_blocks`: end with its entry. */
void prof_loop_fate_note(function *fun, unsigned record, const vec<basic_block> *entry_blocks);
/* Does the source select any loop? */
extern bool prof_loops_annotated;
/* Attribute of functions that hold a `#pragma prof loop`: its line. */
#define PROF_LOOP_LINE_ATTRIBUTE "prof loop line"

/* For functions.cc: puts marks unless the pass did. */
void prof_loops_early(function *fun);
/* Exits for a landing at the begin of `block`, or at its end. */
void prof_loops_landing(function *fun, basic_block block, bool at_end, auto_vec<gasm *> *probes);
/* The instrumented loops that control is in where the block begins, as records.  `first`: of several calls, with the
 * same blocks. */
void prof_loops_open_in(function *fun, basic_block block, bool first, vec<unsigned> *records);
/* Gives marks their text; fills `loops` with the facts that belong to them. */
void prof_loops_late(function *fun, const struct prof_candidate *facts, uint64_t key,
                     vec<struct prof_candidate_loop> *loops);
void prof_loops_remove(function *fun);

opt_pass *prof_loops_pass_new(void);
opt_pass *prof_loops_vectorised_pass_new(void);
/* loop_idle.cc */
opt_pass *prof_loops_idle_pass_new(void);
/* loop_source.cc: attribute, pragma, passes; `plugin`: its base name. */
void prof_loops_register(const char *plugin);

#endif
