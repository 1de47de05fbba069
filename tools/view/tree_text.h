/*
 * tools/view/tree_text.h - the branches before the lines of a tree.
 *
 *    ├─ parse
 *    │  └─ next_token
 *    └─ run
 *
 * The caller walks its tree depth first and passes each node's depth, and whether it is its parent's last child.
 */
#ifndef PROF_VIEW_TREE_TEXT_H
#define PROF_VIEW_TREE_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define PROF_TREE_TEXT_LEVELS 48 /* deeper nodes show their depth as a number instead of further branches */

struct prof_tree_text {
  bool utf8;
  bool open[PROF_TREE_TEXT_LEVELS]; /* the node at this depth has a sibling to come */
};

void prof_tree_text_init(struct prof_tree_text *, bool utf8);

/*
 * Writes the next node's branch to out (PROF_TREE_TEXT_BYTES suffice), none at depth 0 (a root).  Returns its columns.
 */
#define PROF_TREE_TEXT_BYTES (PROF_TREE_TEXT_LEVELS * 8 + 32)
size_t prof_tree_text_branch(struct prof_tree_text *, uint32_t depth, bool last, char *out, size_t size);

#endif
