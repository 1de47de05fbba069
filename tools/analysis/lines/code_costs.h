/*
 * tools/analysis/lines/code_costs.h - the instructions of functions, with what each cost.
 *
 * Job: for `prof annotate --asm` and the page.  In: a profile with places, its samples, symbols.  Out: one row per
 * instruction in the order of addresses; which line it belongs to, the caller asks the line source.
 */
#ifndef PROF_ANALYSIS_CODE_COSTS_H
#define PROF_ANALYSIS_CODE_COSTS_H

#include "analysis/lines/call_instructions.h"
#include "analysis/lines/sample_addresses.h"
#include "study/code.h"

struct prof_code_row {
  uint64_t address;
  const char *text;
  uint64_t samples;
  double share;                /* of all samples shown */
  uint64_t outside_ns;         /* as of a line: of the samples that it led to */
  uint64_t calls, total_ticks; /* by it, of instrumented functions */
  struct prof_off_ticks off;   /* parts of total_ticks */
  bool calls_estimated;        /* these, or parts of them */
  const char *probe;           /* kind of the probe whose sled it is; NULL: none */
  uint32_t probe_line;         /* its line by the compiler; 0: none */
};

struct prof_code_costs { /* of several functions: sums by address are made once */
  const struct prof_profile *profile;
  struct prof_symbols *symbols;
  struct prof_sample_addresses samples, outside;
  struct prof_call_instructions calls;
  uint32_t module; /* that `calls` are of; PROF_NONE: none yet */
};

struct prof_code_rows {
  PROF_VEC(struct prof_code_row) list;
  struct prof_instructions instructions; /* owns the texts */
};

/* samples may be NULL: none.  Borrows the others.  To be freed in any case. */
prof_status prof_code_costs_init(struct prof_code_costs *, const struct prof_profile *, const struct prof_samples *,
                                 struct prof_symbols *, struct prof_diag *) PROF_MUST_CHECK;
void prof_code_costs_fini(struct prof_code_costs *);

/* Of the function that has a probe at this address of a module.  Statuses as of prof_code_read. */
prof_status prof_code_costs_read(struct prof_code_costs *, uint32_t module, uint64_t address, struct prof_diag *,
                                 struct prof_code_rows *) PROF_MUST_CHECK;
void prof_code_rows_fini(struct prof_code_rows *); /* may be zeroed */

#endif
