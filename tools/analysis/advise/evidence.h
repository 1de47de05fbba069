/*
 * tools/analysis/advise/evidence.h - what rules look at: figures of functions, calls of libraries, loops, code.
 *
 * For the rules.  Everything is computed once; the code of a function is read when a rule asks for it first.
 */
#ifndef PROF_ANALYSIS_EVIDENCE_H
#define PROF_ANALYSIS_EVIDENCE_H

#include "analysis/advise/advice.h"
#include "analysis/advise/call_classes.h"
#include "analysis/advise/code_text.h"
#include "analysis/advise/evidence_measured.h"
#include "analysis/loops.h"
#include "base/index_map.h"
#include "estimate/interval.h"
#include "study/code.h"

/* ---- figures of a function, its loops included ---- */

struct prof_function_evidence {
  uint64_t calls;                                   /* 0: not known, where some were counted nowhere */
  uint64_t running_ticks, waiting_ticks;            /* own time */
  uint64_t waits;                                   /* how often it waited */
  uint32_t waiting_threads;                         /* in how many threads */
  struct prof_weighted samples;                     /* in it, and in what it called without probes */
  struct prof_weighted calls_of[PROF_CALL_CLASSES]; /* of these, in such functions of libraries */
  struct prof_weighted kernel;                      /* of these, in the kernel, entered from an unknown place */
  uint32_t module;                                  /* index; PROF_NONE: unknown */
  uint64_t address;                                 /* of its first probe */
};

/* ---- samples in instrumented code ---- */

struct prof_code_sample {
  uint32_t function, module;
  uint64_t address;
  struct prof_weighted met;
};

/* ---- code ---- */

struct prof_code_line {
  struct prof_instruction instruction;
  struct prof_code_facts facts;
};
struct prof_code_loop { /* from the target of a jump backwards to the jump: indices of lines, both in it */
  uint32_t first, last;
  bool is_innermost;
  struct prof_weighted met; /* samples in it; of an outer loop in its inner ones too */
  struct prof_weighted own; /* those of which it is the shortest loop around */
};
struct prof_code {
  struct prof_instructions instructions;
  PROF_VEC(struct prof_code_line) lines; /* by address */
  PROF_VEC(struct prof_code_loop) loops;
  bool is_read; /* else: it can't be */
};

struct prof_evidence {
  const struct prof_recording *recording;
  const struct prof_advice_options *options;
  struct prof_symbols *symbols;
  struct prof_profile *profile; /* with loops as nodes */
  struct prof_samples *samples;
  struct prof_loop_rows loops;
  struct prof_function_evidence *functions;
  size_t function_count;
  PROF_VEC(struct prof_code_sample) code_samples; /* by function, module, address */
  struct prof_weighted all;                       /* samples */
  uint64_t running_ticks, span_ticks;             /* of all threads; from first to last event */
  double event_ticks, event_taken_ticks; /* calibrated cost of an event: at most, among other work; 0: not known */
  struct prof_code **codes;              /* by function; NULL: not asked for yet */
  struct prof_measured_evidence measured;
  struct prof_advice_list *out;
};

prof_status prof_evidence_make(struct prof_evidence *, uint64_t max_bytes, struct prof_diag *) PROF_MUST_CHECK;
void prof_evidence_free(struct prof_evidence *);

/* The function of a node of the profile, of a loop the one that it is in; PROF_NONE: unknown. */
uint32_t prof_evidence_owner(const struct prof_evidence *, uint32_t node);

/* ---- questions of rules ---- */

/* Share of all CPU time, by samples; low and high: its 95% interval. */
double prof_evidence_share(const struct prof_evidence *, const struct prof_weighted *part);
struct prof_interval prof_evidence_interval(const struct prof_evidence *, const struct prof_weighted *part);
/* The same of a share that is known otherwise: as if by as many samples as there are. */
struct prof_interval prof_evidence_spread(const struct prof_evidence *, double share);

/* Share of the elapsed time in which no thread ran or was preempted; it may be more.  0: not known. */
double prof_evidence_idle(const struct prof_evidence *);

/* NULL: it can't be read, or there is no memory. */
const struct prof_code *prof_evidence_code(struct prof_evidence *, uint32_t function);

/* The line of the source that the address belongs to in the function's own file or what was inlined into it. */
struct prof_line_frame prof_evidence_line(struct prof_evidence *, uint32_t function, uint64_t address);

/* Does the function's code call a library function of that class?  *at: index of the line with the first call. */
bool prof_evidence_calls(struct prof_evidence *, uint32_t function, enum prof_call_class, uint32_t *at);

/*
 * How often the function executes line `at` of its code: iterations of the innermost loop of the recording around it;
 * without one, its calls.  0: not known.
 */
uint64_t prof_evidence_executions(struct prof_evidence *, uint32_t function, uint32_t at);

/* ---- what rules say ---- */

/* Begins a piece of advice; NULL: no memory, and prof_evidence_failed.  Valid until the next one. */
struct prof_advice *prof_advice_add(struct prof_evidence *, const struct prof_advice_rule *, uint32_t function);
/* Begins a piece of advice about a place; NULL: no memory. */
struct prof_advice *prof_advice_add_place(struct prof_evidence *, const struct prof_advice_rule *,
                                          const struct prof_measured_place *);
/* "add (app.c:30)", as a text of the list. */
const char *prof_advice_place_text(struct prof_evidence *, const struct prof_measured_place *);
void prof_advice_figure_add(struct prof_advice *, enum prof_advice_unit, double value, const char *text);
/* A text that lives as long as the list; "" without memory. */
const char *prof_advice_text(struct prof_evidence *, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Sets share, factor, and where it is: the line of an address of its code. */
void prof_advice_weigh(struct prof_advice *, struct prof_interval share, double factor_low, double factor_high);
void prof_advice_place(struct prof_evidence *, struct prof_advice *, uint64_t address);

/* Fills the list's share of idle time, and what threads waited for.  False: no memory. */
bool prof_measured_evidence_waits(struct prof_evidence *);

#endif
