/*
 * test/fuzz/fuzz_import.c - any bytes as a profile of another tool: by content and as each format, then compared.
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "analysis/compare/comparison.h"
#include "import/importers.h"

#define INSIST(condition)                                                                                              \
  do {                                                                                                                 \
    if (!(condition)) {                                                                                                \
      fprintf(stderr, "fuzz_import: not so: %s (line %d)\n", #condition, __LINE__);                                    \
      abort();                                                                                                         \
    }                                                                                                                  \
  } while (0)

static bool is_near(double left, double right) {
  const double slack = 1e-9 * (left + right) + 1e-6;
  return left - right <= slack && right - left <= slack;
}

/* With nothing, with itself, and with its functions. */
static void compare(const struct prof_path_sums *paths) {
  struct prof_path_sums none;
  if (!prof_path_sums_init(&none))
    return;
  for (int form = PROF_COMPARISON_PATHS; form <= PROF_COMPARISON_FLAT; form++) {
    const struct prof_comparison_options options = {.form = (enum prof_comparison_form)form, .depth = 20};
    for (int with_itself = 0; with_itself < 2; with_itself++) {
      struct prof_comparison comparison;
      INSIST(prof_comparison_make(with_itself ? paths : &none, paths, &options, NULL, &comparison) == PROF_OK);
      for (int of = PROF_COMPARISON_ALL; of <= PROF_COMPARISON_GONE; of++) {
        struct prof_comparison_tree tree;
        double sum = 0;
        INSIST(prof_comparison_select(&comparison, (enum prof_comparison_of)of, NULL, &tree) == PROF_OK);
        for (uint32_t i = 1; i < tree.count; i++) {
          INSIST(tree.nodes[i].parent < i && tree.nodes[i].depth == tree.nodes[tree.nodes[i].parent].depth + 1);
          INSIST(!with_itself || tree.nodes[i].change == 0);
          sum += tree.nodes[i].depth == 1 ? tree.nodes[i].total[PROF_AFTER] : 0;
        }
        INSIST(of == PROF_COMPARISON_GONE ? tree.count == 1 : is_near(sum, prof_path_sums_total(paths)));
        prof_comparison_tree_free(&tree);
      }
      prof_comparison_free(&comparison);
    }
  }
  prof_path_sums_fini(&none);
}

static bool read_as(int fd, const struct prof_importer *importer, const char *event) {
  struct prof_path_sums paths;
  struct prof_diag diag = {.status = PROF_OK};
  INSIST(lseek(fd, 0, SEEK_SET) == 0);
  if (prof_import_open_file(fd, "input", importer, event, &diag, &paths) != PROF_OK) {
    INSIST(diag.status != PROF_OK && diag.what[0]);
    return false;
  }
  for (size_t i = 1; i < paths.nodes.count; i++)
    INSIST(paths.nodes.items[i].parent < i && paths.nodes.items[i].frame < paths.frames.count &&
           paths.nodes.items[i].self >= 0);
  for (size_t i = 0; i < paths.frames.count; i++)
    INSIST(paths.frames.items[i].name[0]);
  if (paths.nodes.count < 5000)
    compare(&paths);
  prof_path_sums_fini(&paths);
  return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes) {
  static bool is_whole; /* the first input is: the harness must look where answers are */
  int fd = memfd_create("fuzz_import", MFD_CLOEXEC);
  bool any = false;
  if (fd < 0 || write(fd, data, bytes) != (ssize_t)bytes)
    abort();
  any |= read_as(fd, NULL, NULL);
  for (size_t i = 0; prof_importers[i]; i++)
    any |= read_as(fd, prof_importers[i], NULL);
  (void)read_as(fd, NULL, "cycles");
  close(fd);
#ifdef FUZZ_CORPUS_FIRST
  INSIST(is_whole || any);
#endif
  is_whole |= any;
  return 0;
}
