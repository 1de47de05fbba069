/*
 * final_work.h - floating-point operations and bytes of GCC's final statements, and their counters (flops=count).
 */
#ifndef PROF_GCC_FINAL_WORK_H
#define PROF_GCC_FINAL_WORK_H

#include "compat.h"

#include "code_work.h"

/* statement_work.cc: adds what one execution of a statement does. */
void prof_work_of_statement(gimple *statement, struct prof_work *work);

/* loop_work.cc: finds the loop of each piece of a function's final code. */
class prof_work_loops {
public:
  explicit prof_work_loops(function *fun);
  ~prof_work_loops();
  void block_begin(basic_block block);
  void pass(gimple *statement); /* a statement of the block: it may be the mark of a loop */
  uint64_t key() const;         /* of the loop here; 0: none */

private:
  int mapped(class loop *loop);
  function *fun;
  bool owns_loops;
  auto_vec<int> records; /* by loop number: record, -1 none, -2 not looked for yet */
  auto_vec<unsigned> open;
  int around;
};

/* work_counts.cc: puts counters into a function; adds their object to the unit's text.  While loops' probes are marks.
 */
void prof_work_count(function *fun, uint64_t key);
/* The text for the end of the unit. */
const char *prof_work_text(void);

#endif
