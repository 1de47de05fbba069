/*
 * loops.h - records of loops from their marks to their probes, and of loop statements.
 *
 * Two passes make a loop's probes.  loops_placed.cpp marks the places before the passes that change loops, so that
 * entries and iterations are the source's.  loops_put.cpp turns the marks into probes when the function gets its own,
 * and records what became of the loops.  loop_statements.cpp notes the parts of each loop statement.
 */
#ifndef PROF_CLANG_LOOPS_H
#define PROF_CLANG_LOOPS_H

#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "loop.h"
#include "source_place.h"

namespace llvm {
class DILocation;
class Function;
} // namespace llvm

/* A for, while, do or range-for; all places in the file of its keyword. */
struct prof_loop_statement {
  prof_source_place begin, body, body_end; /* the end: begin of its last token */
  prof_source_place step, step_end;        /* third part of a for; line 0: none */
  prof_source_place element, element_end;  /* declaration of a range-for, the first part of its body; line 0: none */
  std::vector<prof_source_place> parts;    /* beginnings of the statements in the body */
  std::string file;                        /* last part of its path */
  bool is_asked_for;                       /* #pragma prof loop */
  bool is_one_place;                       /* all of it comes from one macro */
};

/* A loop of IR, as it was found. */
struct prof_loop_note {
  struct prof_candidate_loop loop; /* its strings are those below */
  enum prof_loop_reason reason;
  std::string source_function, file;
  const llvm::DILocation *begin;        /* of its statement; NULL: none, or not known */
  const llvm::DILocation *start;        /* its place in LLVM's remarks at that time */
  const prof_loop_statement *statement; /* NULL: not known; of prof_loops */
  bool is_told;                         /* it or a loop of its nest is instrumented */
};

/* Of one unit. */
struct prof_loops {
  std::vector<std::unique_ptr<prof_loop_note>> notes;                             /* the marks in IR have the index */
  std::unordered_map<const llvm::Function *, std::pair<size_t, size_t>> notes_of; /* of functions looked at: range */
  std::unordered_map<std::string, prof_loop_statement> statements;                /* by prof_statement_key */
};

/* `file`: a path; only its last part is used. */
std::string prof_statement_key(const std::string &file, prof_source_place begin);

/* A mark is an asm statement of this text, the note's index, the kind with its flags, and the line.  Its operand is the
 * probe's. */
#define PROF_LOOP_MARK "# prof loop "

#endif
