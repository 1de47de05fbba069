/*
 * hottest.c - the ten functions of a recording with the most self time, and what called the first of them.
 *
 *    cc hottest.c $(pkg-config --cflags --libs profstudy) -o hottest
 *    ./hottest prof.data
 */
#include <prof_study.h>
#include <stdio.h>

#define MOST 10

static int fail(const struct prof_diag *diag) {
  fprintf(stderr, "hottest: %s%s%s\n", diag->file, diag->file[0] ? ": " : "", diag->what);
  return 1;
}

/* Names come from the recorded program: replaces control characters, which would reach the terminal. */
static void print_name(const char *name) {
  for (; *name; name++)
    putchar((unsigned char)*name < ' ' || *name == 0x7f ? '?' : *name);
}

/* Prints the path from the root to a node. */
static void print_path(prof_study *study, const struct prof_tree_node *nodes, uint32_t at) {
  if (nodes[at].parent == PROF_NONE)
    return;
  print_path(study, nodes, nodes[at].parent);
  printf("%*s", (int)nodes[at].depth * 2, "");
  print_name(prof_study_function_name(study, nodes[at].function));
  printf(" %.1f%%\n", 100 * nodes[at].share);
}

int main(int argc, char **argv) {
  struct prof_diag diag;
  prof_study *study;
  const struct prof_function_row *rows;
  const struct prof_tree_node *nodes;
  size_t count;
  uint32_t node_count;
  if (prof_study_open(argc > 1 ? argv[1] : "prof.data", NULL, &diag, &study) != PROF_OK)
    return fail(&diag);
  if (prof_study_functions(study, PROF_BY_FUNCTION, PROF_SORT_SELF, &diag, &rows, &count) != PROF_OK ||
      prof_study_tree(study, 0.001, &diag, &nodes, &node_count) != PROF_OK) {
    prof_study_close(study);
    return fail(&diag);
  }
  for (size_t i = 0; i < count && i < MOST; i++) {
    printf("%5.1f%% %12.3f ms %12llu calls  ", 100 * rows[i].self_share, (double)rows[i].self_ns / 1e6,
           (unsigned long long)rows[i].calls);
    print_name(rows[i].name);
    putchar('\n');
  }
  for (uint32_t i = 1; count && i < node_count; i++)
    if (nodes[i].function == rows[0].index) {
      print_path(study, nodes, i);
      break;
    }
  prof_study_close(study);
  return 0;
}
