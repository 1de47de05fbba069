/*
 * loop_parts.cc - finds loops of the source that GCC represents as several nested ones.
 *
 * A loop may have several back edges, as with `continue`.  If a variable doesn't change on one of them, GCC makes it
 * the back edge of an inner loop: both begin at the same test, and the outer loop has the other back edges.  To the
 * user it is one loop.  In: loops before tests are moved to their ends.  Out: the parts of each loop, by GCC's numbers.
 */
#include "blocks.h"
#include "loops.h"

namespace {

struct part {
  int loop, inner;
};

vec<part> parts; /* of one function */
int parts_function = -1;

/* Does an iteration of `loop` begin with `inner`? */
bool begin_alike(class loop *loop, class loop *inner) {
  basic_block block = loop->header;
  while (block != inner->header && prof_block_is_empty(block) && flow_bb_inside_loop_p(loop, single_succ(block)) &&
         single_succ(block) != loop->header)
    block = single_succ(block);
  return block == inner->header;
}

class loop *part_find(class loop *loop) {
  for (class loop *inner = loop->inner; inner; inner = inner->next)
    if (inner->latch && begin_alike(loop, inner) && !prof_loop_has_goto_label(inner) &&
        prof_loop_lacks_statement(inner, loop))
      return inner;
  return NULL;
}

/* From a loop with a statement on inwards. */
void parts_follow(class loop *loop) {
  class loop *outermost = loop;
  for (class loop *inner; (inner = part_find(loop)) != NULL; loop = inner) {
    if (loop == outermost && prof_loop_lacks_statement(loop, loop))
      return;
    parts.safe_push({loop->num, inner->num});
  }
}

} // namespace

void prof_loop_parts_note(function *fun) {
  class loop *loop;
  parts_function = fun->funcdef_no;
  parts.truncate(0);
  for (unsigned i = 1; i < number_of_loops(fun); i++)
    if ((loop = get_loop(fun, i)) && loop->header && loop->latch && !prof_loop_is_part(loop))
      parts_follow(loop);
}

void prof_loop_parts_note_once(function *fun) {
  if (parts_function != fun->funcdef_no)
    prof_loop_parts_note(fun);
}

class loop *prof_loop_part_in(class loop *loop) {
  for (unsigned i = 0; i < parts.length(); i++)
    if (parts[i].loop == loop->num)
      for (class loop *inner = loop->inner; inner; inner = inner->next)
        if (inner->num == parts[i].inner)
          return inner;
  return NULL;
}

class loop *prof_loop_part_innermost(class loop *loop) {
  class loop *inner;
  while ((inner = prof_loop_part_in(loop)) != NULL)
    loop = inner;
  return loop;
}

class loop *prof_loop_part_outermost(class loop *loop) {
  while (loop_outer(loop) && prof_loop_part_in(loop_outer(loop)) == loop)
    loop = loop_outer(loop);
  return loop;
}

bool prof_loop_is_part(class loop *loop) {
  for (unsigned i = 0; i < parts.length(); i++)
    if (parts[i].loop == loop->num || parts[i].inner == loop->num)
      return true;
  return false;
}
