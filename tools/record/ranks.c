/*
 * tools/record/ranks.c - see ranks.h.
 */
#include "record/ranks.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static const struct launcher {
  const char *rank;
  const char *job[3]; /* together they name the job; the first must be set */
} launchers[] = {
    {"OMPI_COMM_WORLD_RANK", {"PMIX_NAMESPACE"}},
    {"OMPI_COMM_WORLD_RANK", {"OMPI_MCA_ess_base_jobid"}},
    {"PMIX_RANK", {"PMIX_NAMESPACE"}},
    {"SLURM_PROCID", {"SLURM_JOB_ID", "SLURM_STEP_ID", "SLURM_RESTART_COUNT"}},
    {"PMI_RANK", {"PMI_JOBID"}},
    {"PMI_RANK", {"PMI_PORT"}},
    /* without a job name */
    {"OMPI_COMM_WORLD_RANK", {NULL}},
    {"PMI_RANK", {NULL}},
    {"PMIX_RANK", {NULL}},
};

static bool number_of(const char *text, uint32_t *out) {
  char *end;
  if (text == NULL || *text < '0' || *text > '9')
    return false;
  unsigned long value = strtoul(text, &end, 10);
  *out = (uint32_t)value;
  return *end == 0 && value <= 100000000;
}

void prof_rank_find(struct prof_rank *rank) {
  *rank = (struct prof_rank){0};
  for (size_t i = 0; i < sizeof launchers / sizeof *launchers && !rank->there; i++) {
    const struct launcher *launcher = &launchers[i];
    const char *first = launcher->job[0] != NULL ? getenv(launcher->job[0]) : "";
    if (first == NULL || !number_of(getenv(launcher->rank), &rank->number))
      continue;
    rank->there = true;
    rank->certain = launcher->job[0] != NULL;
    size_t used = 0;
    for (size_t j = 0; j < 3 && launcher->job[j] != NULL && used < sizeof rank->job; j++) {
      const char *value = getenv(launcher->job[j]);
      used += (size_t)snprintf(rank->job + used, sizeof rank->job - used, "%s%s", j > 0 ? "." : "",
                               value != NULL ? value : "");
    }
    if (!rank->certain)
      snprintf(rank->job, sizeof rank->job, "session %ld, parent %ld", (long)getsid(0), (long)getppid());
  }
}
