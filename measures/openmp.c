/*
 * openmp.c - wraps OpenMP's run-time libraries, GNU's (GOMP_) and LLVM's (__kmpc_): parallel regions with each thread's
 * part, barriers, critical sections, locks, ordered parts, waits for tasks.
 *
 * A region's function is replaced by one that tells the begin and end of a thread's part.  What the region's end makes
 * a thread wait is the time from there to the region's end; readers compute it.  The libraries' own locks can't be
 * tried: a counter per hashed address tells whether somebody is in, or waits.
 *
 * Not seen: regions with more than ARGUMENTS variables of LLVM, and reductions of tasks of GNU.
 */
#include <stdarg.h>
#include <stddef.h>

#include "waiting.h"

/* ---- what is taken and released ---- */

#define COUNTERS 256u

static uint32_t *users_of(const volatile void *lock) {
  static uint32_t users[COUNTERS];
  return &users[(uintptr_t)lock * 0x9e3779b97f4a7c15ull >> 56];
}

static bool is_free(const volatile void *lock) {
  return __atomic_fetch_add(users_of(lock), 1, __ATOMIC_RELAXED) == 0;
}

static void leave(const volatile void *lock) {
  __atomic_fetch_sub(users_of(lock), 1, __ATOMIC_RELAXED);
}

#define ENTER(kind, lock, call)                                                                                        \
  if (!is_free(lock))                                                                                                  \
    put(PROF_MEASURE_WAITS, kind, lock, PROF_CALLER);                                                                  \
  call;                                                                                                                \
  put(PROF_MEASURE_TAKEN, kind, lock, PROF_CALLER)

#define LEAVE(kind, lock, call)                                                                                        \
  put(PROF_MEASURE_RELEASED, kind, lock, PROF_CALLER);                                                                 \
  leave(lock);                                                                                                         \
  call

/* ---- what is waited for ---- */

#define STOP_HERE(kind, call)                                                                                          \
  put(PROF_MEASURE_WAITS, kind, PROF_CALLER, PROF_CALLER);                                                             \
  call;                                                                                                                \
  put(PROF_MEASURE_GOES_ON, kind, PROF_CALLER, PROF_CALLER)

#define BARRIER PROF_MEASURE_OMP_BARRIER
#define CRITICAL PROF_MEASURE_CRITICAL
#define LOCK PROF_MEASURE_OMP_LOCK
#define ORDERED PROF_MEASURE_ORDERED

/* ---- regions ---- */

static uint64_t next_number(void) {
  static uint64_t last;
  return __atomic_add_fetch(&last, 1, __ATOMIC_RELAXED);
}

static void tell(enum prof_measure_operation operation, uint64_t number, const void *caller) {
  prof_measure.put(operation, caller, number, 0);
}

/* In the frame of the thread that begins it, which outlives the parts of all threads. */
struct region {
  void (*work)(void *);
  void *data;
  uint64_t number;
  const void *caller;
  const void *owner; /* thread */
};

/* The thread that began the region waits in it for the others; theirs is the time until the region ends. */
static void part_over(uint64_t number, const void *caller, bool is_owner) {
  tell(PROF_MEASURE_WORK_ENDS, number, caller);
  if (is_owner)
    put(PROF_MEASURE_WAITS, PROF_MEASURE_OMP_BARRIER, caller, caller);
}

static void region_over(uint64_t number, const void *caller) {
  put(PROF_MEASURE_GOES_ON, PROF_MEASURE_OMP_BARRIER, caller, caller);
  tell(PROF_MEASURE_REGION_ENDS, number, caller);
}

static void run_part(void *context) {
  const struct region region = *(const struct region *)context;
  tell(PROF_MEASURE_WORK_BEGINS, region.number, region.caller);
  region.work(region.data);
  part_over(region.number, region.caller, region.owner == __builtin_thread_pointer());
}

/* ---- GNU ---- */

typedef void work(void *);

#define RUNS(name, parameters, arguments)                                                                              \
  __attribute__((weak)) void name parameters;                                                                          \
  static void wrap_##name parameters {                                                                                 \
    struct region region = {function, data, next_number(), PROF_CALLER, __builtin_thread_pointer()};                   \
    tell(PROF_MEASURE_REGION_BEGINS, region.number, PROF_CALLER);                                                      \
    name arguments;                                                                                                    \
    region_over(region.number, PROF_CALLER);                                                                           \
  }
#define RUNS_LOOP(name)                                                                                                \
  RUNS(name,                                                                                                           \
       (work * function, void *data, unsigned threads, long from, long to, long step, long chunk, unsigned flags),     \
       (run_part, &region, threads, from, to, step, chunk, flags))
#define RUNS_CHOSEN_LOOP(name)                                                                                         \
  RUNS(name, (work * function, void *data, unsigned threads, long from, long to, long step, unsigned flags),           \
       (run_part, &region, threads, from, to, step, flags))
/* Long: a list of wrappers, as below. */
RUNS(GOMP_parallel, (work * function, void *data, unsigned threads, unsigned flags),
     (run_part, &region, threads, flags))
RUNS(GOMP_parallel_sections, (work * function, void *data, unsigned threads, unsigned count, unsigned flags),
     (run_part, &region, threads, count, flags))
RUNS_LOOP(GOMP_parallel_loop_static)
RUNS_LOOP(GOMP_parallel_loop_dynamic)
RUNS_LOOP(GOMP_parallel_loop_guided)
RUNS_LOOP(GOMP_parallel_loop_nonmonotonic_dynamic)
RUNS_LOOP(GOMP_parallel_loop_nonmonotonic_guided)
RUNS_CHOSEN_LOOP(GOMP_parallel_loop_runtime)
RUNS_CHOSEN_LOOP(GOMP_parallel_loop_nonmonotonic_runtime)
RUNS_CHOSEN_LOOP(GOMP_parallel_loop_maybe_nonmonotonic_runtime)

#define STOPS(name, kind)                                                                                              \
  __attribute__((weak)) void name(void);                                                                               \
  static void wrap_##name(void) {                                                                                      \
    STOP_HERE(kind, name());                                                                                           \
  }
#define STOPS_WITH(type, name, kind)                                                                                   \
  __attribute__((weak)) type name(void);                                                                               \
  static type wrap_##name(void) {                                                                                      \
    STOP_HERE(kind, type result = name());                                                                             \
    return result;                                                                                                     \
  }
STOPS(GOMP_barrier, BARRIER)
STOPS(GOMP_loop_end, BARRIER)
STOPS(GOMP_sections_end, BARRIER)
STOPS(GOMP_taskwait, PROF_MEASURE_OMP_TASKS)
STOPS(GOMP_taskgroup_end, PROF_MEASURE_OMP_TASKS)
STOPS_WITH(bool, GOMP_barrier_cancel, BARRIER)
STOPS_WITH(bool, GOMP_loop_end_cancel, BARRIER)
STOPS_WITH(bool, GOMP_sections_end_cancel, BARRIER)
STOPS_WITH(void *, GOMP_single_copy_start, BARRIER)

/* Numbers in the place of addresses: there is one of each. */
#define UNNAMED ((void *)PROF_MEASURE_UNNAMED_CRITICAL)
#define ATOMIC ((void *)PROF_MEASURE_ATOMIC)
#define TAKES(name, kind, lock, parameters, arguments)                                                                 \
  __attribute__((weak)) void name parameters;                                                                          \
  static void wrap_##name parameters {                                                                                 \
    ENTER(kind, lock, name arguments);                                                                                 \
  }
#define GIVES(name, kind, lock, parameters, arguments)                                                                 \
  __attribute__((weak)) void name parameters;                                                                          \
  static void wrap_##name parameters {                                                                                 \
    LEAVE(kind, lock, name arguments);                                                                                 \
  }
TAKES(GOMP_critical_start, CRITICAL, UNNAMED, (void), ())
GIVES(GOMP_critical_end, CRITICAL, UNNAMED, (void), ())
TAKES(GOMP_critical_name_start, CRITICAL, lock, (void **lock), (lock))
GIVES(GOMP_critical_name_end, CRITICAL, lock, (void **lock), (lock))
TAKES(GOMP_atomic_start, CRITICAL, ATOMIC, (void), ())
GIVES(GOMP_atomic_end, CRITICAL, ATOMIC, (void), ())

/* A thread may wait for its turn while nobody is in. */
#define TAKES_TURN(name, parameters, arguments)                                                                        \
  __attribute__((weak)) void name parameters;                                                                          \
  static void wrap_##name parameters {                                                                                 \
    put(PROF_MEASURE_WAITS, ORDERED, NULL, PROF_CALLER);                                                               \
    name arguments;                                                                                                    \
    put(PROF_MEASURE_TAKEN, ORDERED, NULL, PROF_CALLER);                                                               \
  }
#define GIVES_TURN(name, parameters, arguments)                                                                        \
  __attribute__((weak)) void name parameters;                                                                          \
  static void wrap_##name parameters {                                                                                 \
    put(PROF_MEASURE_RELEASED, ORDERED, NULL, PROF_CALLER);                                                            \
    name arguments;                                                                                                    \
  }
TAKES_TURN(GOMP_ordered_start, (void), ())
GIVES_TURN(GOMP_ordered_end, (void), ())

/* ---- LLVM: `at` is the place in the source, `thread` the thread's number ---- */

#define ARGUMENTS 32
typedef void microtask(int *thread, int *bound, ...);

struct micro_region {
  microtask *function;
  uint64_t number;
  const void *caller, *owner;
  int count;
  void *values[ARGUMENTS];
};

/* More arguments than it has do a function no harm. */
static void run_micro_part(int *thread, int *bound, ...) {
  va_list rest;
  va_start(rest, bound);
  const struct micro_region *region = va_arg(rest, const struct micro_region *);
  va_end(rest);
  const uint64_t number = region->number;
  const void *caller = region->caller;
  const bool is_owner = region->owner == __builtin_thread_pointer();
  void *const *v = region->values;
  tell(PROF_MEASURE_WORK_BEGINS, number, caller);
  if (region->count <= 8)
    region->function(thread, bound, v[0], v[1], v[2], v[3], v[4], v[5], v[6], v[7]);
  else
    region->function(thread, bound, v[0], v[1], v[2], v[3], v[4], v[5], v[6], v[7], v[8], v[9], v[10], v[11], v[12],
                     v[13], v[14], v[15], v[16], v[17], v[18], v[19], v[20], v[21], v[22], v[23], v[24], v[25], v[26],
                     v[27], v[28], v[29], v[30], v[31]);
  part_over(number, caller, is_owner);
}

__attribute__((weak)) void __kmpc_fork_call(void *at, int count, microtask *, ...);
void prof_wrap_fork(void *at, int count, microtask *, ...);
__attribute__((visibility("hidden"))) void prof_wrap_fork(void *at, int count, microtask *function, ...) {
  struct micro_region region = {function, next_number(), PROF_CALLER, __builtin_thread_pointer(), count, {NULL}};
  va_list rest;
  va_start(rest, function);
  for (int i = 0; i < count && i < ARGUMENTS; i++)
    region.values[i] = va_arg(rest, void *);
  va_end(rest);
  tell(PROF_MEASURE_REGION_BEGINS, region.number, PROF_CALLER);
  __kmpc_fork_call(at, 1, run_micro_part, &region);
  region_over(region.number, PROF_CALLER);
}

void wrap___kmpc_fork_call(void *at, int count, microtask *, ...);
__asm__(".text\n"
        ".p2align 4\n"
        ".globl wrap___kmpc_fork_call\n"
        ".hidden wrap___kmpc_fork_call\n"
        ".type wrap___kmpc_fork_call, @function\n"
        "wrap___kmpc_fork_call:\n"
        "  cmpl $32, %esi\n" /* ARGUMENTS */
        "  ja __kmpc_fork_call@PLT\n"
        "  jmp prof_wrap_fork\n"
        ".size wrap___kmpc_fork_call, . - wrap___kmpc_fork_call\n");
_Static_assert(ARGUMENTS == 32, "the number above");

#define KMPC(type, name, kind, parameters, arguments)                                                                  \
  __attribute__((weak)) type name parameters;                                                                          \
  static type wrap_##name parameters {                                                                                 \
    STOP_HERE(kind, type result = name arguments);                                                                     \
    return result;                                                                                                     \
  }
__attribute__((weak)) void __kmpc_barrier(void *at, int thread);
static void wrap___kmpc_barrier(void *at, int thread) {
  STOP_HERE(BARRIER, __kmpc_barrier(at, thread));
}
/* Long: a list of wrappers. */
KMPC(int, __kmpc_cancel_barrier, BARRIER, (void *at, int thread), (at, thread))
KMPC(int, __kmpc_omp_taskwait, PROF_MEASURE_OMP_TASKS, (void *at, int thread), (at, thread))
KMPC(int, __kmpc_reduce, BARRIER,
     (void *at, int thread, int count, size_t bytes, void *data, void (*reduce)(void *, void *), void *lock),
     (at, thread, count, bytes, data, reduce, lock))
TAKES(__kmpc_critical, CRITICAL, lock, (void *at, int thread, void *lock), (at, thread, lock))
TAKES(__kmpc_critical_with_hint, CRITICAL, lock, (void *at, int thread, void *lock, unsigned hint),
      (at, thread, lock, hint))
GIVES(__kmpc_end_critical, CRITICAL, lock, (void *at, int thread, void *lock), (at, thread, lock))
TAKES_TURN(__kmpc_ordered, (void *at, int thread), (at, thread))
GIVES_TURN(__kmpc_end_ordered, (void *at, int thread), (at, thread))

/* ---- locks of both ---- */

#define LOCKS(set, test, unset)                                                                                        \
  __attribute__((weak)) void set(void *lock);                                                                          \
  __attribute__((weak)) int test(void *lock);                                                                          \
  __attribute__((weak)) void unset(void *lock);                                                                        \
  static void wrap_##set(void *lock) {                                                                                 \
    if (!test(lock)) {                                                                                                 \
      put(PROF_MEASURE_WAITS, LOCK, lock, PROF_CALLER);                                                                \
      set(lock);                                                                                                       \
    }                                                                                                                  \
    put(PROF_MEASURE_TAKEN, LOCK, lock, PROF_CALLER);                                                                  \
  }                                                                                                                    \
  static int wrap_##test(void *lock) {                                                                                 \
    int result = test(lock);                                                                                           \
    if (result)                                                                                                        \
      put(PROF_MEASURE_TAKEN, LOCK, lock, PROF_CALLER);                                                                \
    return result;                                                                                                     \
  }                                                                                                                    \
  static void wrap_##unset(void *lock) {                                                                               \
    put(PROF_MEASURE_RELEASED, LOCK, lock, PROF_CALLER);                                                               \
    unset(lock);                                                                                                       \
  }
LOCKS(omp_set_lock, omp_test_lock, omp_unset_lock)
LOCKS(omp_set_nest_lock, omp_test_nest_lock, omp_unset_nest_lock)

#define ROW(name)                                                                                                      \
  { #name, (void *)(uintptr_t)wrap_##name, NULL }
struct prof_wrapped prof_wrapped_openmp[] = {
    ROW(GOMP_parallel),
    ROW(GOMP_parallel_sections),
    ROW(GOMP_parallel_loop_static),
    ROW(GOMP_parallel_loop_dynamic),
    ROW(GOMP_parallel_loop_guided),
    ROW(GOMP_parallel_loop_nonmonotonic_dynamic),
    ROW(GOMP_parallel_loop_nonmonotonic_guided),
    ROW(GOMP_parallel_loop_runtime),
    ROW(GOMP_parallel_loop_nonmonotonic_runtime),
    ROW(GOMP_parallel_loop_maybe_nonmonotonic_runtime),
    ROW(GOMP_barrier),
    ROW(GOMP_loop_end),
    ROW(GOMP_sections_end),
    ROW(GOMP_taskwait),
    ROW(GOMP_taskgroup_end),
    ROW(GOMP_barrier_cancel),
    ROW(GOMP_loop_end_cancel),
    ROW(GOMP_sections_end_cancel),
    ROW(GOMP_single_copy_start),
    ROW(GOMP_critical_start),
    ROW(GOMP_critical_end),
    ROW(GOMP_critical_name_start),
    ROW(GOMP_critical_name_end),
    ROW(GOMP_atomic_start),
    ROW(GOMP_atomic_end),
    ROW(GOMP_ordered_start),
    ROW(GOMP_ordered_end),
    ROW(__kmpc_fork_call),
    ROW(__kmpc_barrier),
    ROW(__kmpc_cancel_barrier),
    ROW(__kmpc_omp_taskwait),
    ROW(__kmpc_reduce),
    ROW(__kmpc_critical),
    ROW(__kmpc_critical_with_hint),
    ROW(__kmpc_end_critical),
    ROW(__kmpc_ordered),
    ROW(__kmpc_end_ordered),
    ROW(omp_set_lock),
    ROW(omp_test_lock),
    ROW(omp_unset_lock),
    ROW(omp_set_nest_lock),
    ROW(omp_test_nest_lock),
    ROW(omp_unset_nest_lock),
    {0},
};
