/*
 * tools/estimate/spin_waits.c - see spin_waits.h.
 */
#include "estimate/spin_waits.h"

#include <stdlib.h>
#include <string.h>

bool prof_spin_is_runtime(const char *path) {
  static const char *const names[] = {"libgomp", "libomp", "libiomp"};
  const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    size_t length = strlen(names[i]);
    const char *rest = name + length;
    if (strncmp(name, names[i], length) != 0 || !strstr(rest, ".so"))
      continue;
    if (*rest == '.' || *rest == '-' || *rest == '5') /* libgomp-a34b3233.so.1.0.0 of a package, libomp5.so */
      return true;
  }
  return false;
}

struct seen { /* samples of a node */
  uint32_t all, spinning;
};

static bool is_of_frame(const struct prof_fold_mark *mark, const struct prof_node *nodes) {
  return mark->counts && mark->state == PROF_MARK_PLACED && mark->node != PROF_NONE && nodes[mark->node].parent != 0;
}

static uint64_t part_of(uint64_t ticks, double part) {
  uint64_t rounded = (uint64_t)((double)ticks * part);
  return rounded < ticks ? rounded : ticks;
}

bool prof_spin_waits_add(struct prof_node *nodes, uint32_t count, const struct prof_fold_marks *marks,
                         size_t mark_count, uint64_t *spun_ticks) {
  bool any = false;
  *spun_ticks = 0;
  for (size_t i = 0; i < mark_count && !any; i++)
    any = marks->items[i].spins;
  struct seen *seen = any ? calloc(count, sizeof *seen) : NULL;
  for (size_t i = 0; seen && i < mark_count; i++) {
    const struct prof_fold_mark *mark = &marks->items[i];
    if (!is_of_frame(mark, nodes))
      continue;
    seen[mark->node].all++;
    seen[mark->node].spinning += mark->spins;
  }
  for (uint32_t i = 1; seen && i < count; i++) {
    if (seen[i].spinning == 0 || nodes[i].cold) /* a cold node's functions are not known to spin */
      continue;
    double part = (double)seen[i].spinning / (double)seen[i].all;
    uint64_t ran = part_of(prof_node_self(&nodes[i], PROF_TIME_RUNNING), part);
    uint64_t preempted = part_of(nodes[i].self_off.preempted, part);
    nodes[i].self_off.preempted -= preempted;
    nodes[i].self_off.waiting += ran + preempted;
    *spun_ticks += ran + preempted;
  }
  free(seen);
  return seen != NULL || !any;
}
