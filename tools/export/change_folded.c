/*
 * tools/export/change_folded.c - see change_folded.h.
 */
#include "export/change_folded.h"

#include "base/vec.h"
#include "export/folded_name.h"

static void put_weight(FILE *file, double weight) {
  const bool whole = weight < 1e15 && weight == (double)(uint64_t)weight;
  fprintf(file, whole ? " %.0f" : " %.6g", weight);
}

prof_status prof_change_folded_write(FILE *file, const struct prof_comparison_tree *tree) {
  PROF_VEC(const char *) names = {0}; /* from the outermost frame to the current one */
  bool done = true;
  for (uint32_t i = 1; done && i < tree->count && !ferror(file); i++) {
    const struct prof_comparison_node *node = &tree->nodes[i];
    names.count = node->depth - 1; /* depth-first: those above are there */
    done = prof_vec_push(&names, node->name);
    if (!done || (node->self[PROF_BEFORE] <= 0 && node->self[PROF_AFTER] <= 0))
      continue;
    for (size_t n = 0; n < names.count; n++) {
      if (n)
        putc(';', file);
      prof_folded_name_put(file, names.items[n]);
    }
    put_weight(file, node->self[PROF_BEFORE]);
    put_weight(file, node->self[PROF_AFTER]);
    putc('\n', file);
  }
  prof_vec_fini(&names);
  return done ? PROF_OK : PROF_NO_MEMORY;
}
