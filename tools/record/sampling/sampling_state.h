/*
 * tools/record/sampling/sampling_state.h - what sampling.c takes from the kernel and sampling_write.c writes.
 *
 *    image    a process between exec (or fork) and its end: has maps, becomes a PROCESS if a runtime is in it
 *    strand   a system thread within an image: becomes a THREAD if it writes events
 */
#ifndef PROF_RECORD_SAMPLING_STATE_H
#define PROF_RECORD_SAMPLING_STATE_H

#include "control.h"
#include "record/clock/ticks.h"
#include "record/sampling/perf_rings.h"
#include "record/sampling/record_order.h"
#include "record/sampling/slices.h"
#include "record/sampling/stacks.h"
#include "record/sampling/unrecorded.h"
#include "record/tables/map_table.h"
#include "trace/write/write_pmu.h"
#include "trace/write/write_samples.h"

struct prof_sampling_image {
  uint32_t pid;
  uint32_t process; /* number; 0: not known (yet) */
  uint64_t begin, known_ns;
  uint32_t strands; /* live ones */
  bool used;
  PROF_VEC(struct prof_mapped) maps; /* not written yet */
  struct prof_stack_maps stack_maps; /* where samples have stacks */
};

struct prof_sampling_counted { /* a sample of a counter */
  struct prof_pmu_record record;
  uint32_t counter; /* index in the set */
};

struct prof_sampling_strand {
  uint32_t pid, tid, image, next;            /* next: index + 1 of the next one with the same hash, or next free one */
  uint32_t thread;                           /* number; 0: not known (yet) */
  uint64_t begin, end, ended_ns, written_ns; /* end: 0: it lives */
  uint64_t on_ns, ran_ns; /* by its switches: since when it runs, 0: it doesn't; how long it ran before */
  bool knows_runs;        /* from its begin on */
  bool used;
  struct prof_sample_record last_switch;    /* time 0: there was none */
  struct prof_sample_record written_switch; /* the last one in the file; likewise */
  struct prof_sample_record cut_off;        /* with which the next file begins; time 0: it isn't off then */
  char name[PROF_THREAD_NAME_BYTES];        /* set while it ran; "": none */
  PROF_VEC(struct prof_sample_record) samples;
  PROF_VEC(struct prof_sample_record) switches;
  PROF_VEC(struct prof_sampling_counted) counted;
};

struct prof_sampling_thread { /* a THREAD without a strand so far */
  uint32_t pid, tid, number;
  uint64_t start;
};
struct prof_sampling_process {
  uint32_t pid, number;
  uint64_t start;
};

struct prof_sampling_text { /* text in the region, of a process whose maps were read late */
  uint32_t process;
  uint64_t begin, end, bias;
  char *path; /* owned */
};

struct prof_sampling_name { /* the kernel's last name of a THREAD that changed it */
  uint32_t thread;
  char name[PROF_THREAD_NAME_BYTES];
};

struct prof_sampling_ended { /* what is kept of a THREAD's strand when it is freed */
  uint32_t thread;
  uint64_t begin, end, ran_ns;
  bool knows_runs;
};

#define PROF_SAMPLING_HASH 1024u
#define PROF_SAMPLE_BYTES 10u /* of one sample in the trace, about: 4 of time, 4 of its address, flags, processor */
#define PROF_SAMPLE_PATH_BYTES 3u

struct prof_sampling {
  struct prof_sampler figures; /* as they will be written */
  uint64_t switches;           /* of threads, onto a processor or off it, that the kernel wrote */
  uint64_t sampled;            /* samples that it wrote */
  bool lacks_switches;         /* for some time it wrote no switches */
  char reason[128];
  struct prof_perf perf;
  prof_writer *writer;
  struct prof_map_table maps;
  const struct prof_slices *slices; /* the recorded parts of processes */
  enum prof_ticks_of clock;
  bool attached;                   /* to a running process: its earlier maps are unknown */
  struct prof_clock_pair pairs[2]; /* the previous two */
  uint64_t drained_ns, written_ns;
  struct prof_record_order waiting;
  PROF_VEC(struct prof_sampling_image) images;
  PROF_VEC(struct prof_sampling_strand) strands;
  uint32_t heads[PROF_SAMPLING_HASH]; /* index + 1 */
  PROF_VEC(struct prof_sampling_thread) threads;
  PROF_VEC(struct prof_sampling_process) processes;
  PROF_VEC(struct prof_sampling_name) names;
  PROF_VEC(struct prof_sampling_ended) ended;
  PROF_VEC(struct prof_sampling_text) texts; /* of processes without an image so far */
  struct prof_unrecorded unrecorded;
  struct prof_pmu pmus[PROF_PMU_MOST]; /* last read */
  struct prof_stacks stacks;
  uint64_t own_cpu_ns, own_samples; /* of threads that sampled themselves */
};

#endif
