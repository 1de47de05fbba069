/*
 * prof.h - for programs: recording on and off, which functions have probes, the program's own figures, and its own
 * words: names of threads, zones, frames, marks, counters, values.
 *
 * Nothing to link.  Built without the plugin, or run without a recording, the functions do nothing and return 0.  They
 * may be called from any thread, at any time, also from a signal handler; errno is kept.
 */
#ifndef PROF_H
#define PROF_H

#include <stdint.h>

/*
 * On a function: instruments it although it is small; -fplugin-arg-prof-probe=annotated instruments only such
 * functions.  The plugin doesn't let it be inlined, so that each call is seen, unless it is always_inline; a call then
 * costs about a nanosecond while nothing is recorded.  No effect without the plugin.
 */
#if defined(__has_attribute)
#if __has_attribute(prof_probe)
#define PROF_PROBE __attribute__((prof_probe))
#endif
#endif
#if !defined(PROF_PROBE) && defined(__clang__) /* without a plugin it has no effect */
#define PROF_PROBE __attribute__((annotate("prof_probe")))
#endif
#ifndef PROF_PROBE
#define PROF_PROBE
#endif

/* On a function: never instrument it. */
#if defined(__GNUC__)
#define PROF_NO_PROBE __attribute__((no_instrument_function))
#else
#define PROF_NO_PROBE
#endif

#ifdef __cplusplus
extern "C" {
#endif

struct prof_public_hooks { /* filled by the runtime, one per program or library; not for direct use */
  uint64_t wire_version;
  int (*control)(int operation, const void *argument);
};
/* Weak and undefined without the plugin.  Not declared hidden: gold gives such a symbol a wrong address in a PIE. */
extern struct prof_public_hooks __prof_hooks_v1 __attribute__((weak));

#if defined(__x86_64__) && defined(__ELF__) && defined(__GNUC__) && !defined(__ILP32__) &&                             \
    !defined(__code_model_large__) && !defined(PROF_NO_ZONES)
#define PROF_HAS_ZONES 1
#else
#define PROF_HAS_ZONES 0
#endif

#if PROF_HAS_ZONES
/* Start-up of a program or library with zones, for one without the plugin's (wire/module.h).  Not for direct use. */
struct prof_start_ {
  uint64_t wire_version;
  const void *rows_begin, *rows_end;
  struct prof_public_hooks *hooks;
};
#define PROF_SHARED_ __attribute__((weak, visibility("hidden")))
extern struct prof_public_hooks prof_zone_hooks_v1_ PROF_SHARED_;
extern void (*prof_zone_detach_v1_)(const struct prof_start_ *) PROF_SHARED_;
struct prof_public_hooks prof_zone_hooks_v1_;
void (*prof_zone_detach_v1_)(const struct prof_start_ *);

extern const char prof_rows_begin_[] __asm__("__start_prof_rows_v1") PROF_SHARED_;
extern const char prof_rows_end_[] __asm__("__stop_prof_rows_v1") PROF_SHARED_;
extern void prof_attach_(const struct prof_start_ *) __asm__("prof_runtime_attach_v1") __attribute__((weak));
extern void prof_detach_(const struct prof_start_ *) __asm__("prof_runtime_detach_v1") __attribute__((weak));
extern char *prof_getenv_(const char *) __asm__("secure_getenv") __attribute__((weak));
extern void *prof_dlsym_(void *, const char *) __asm__("dlsym") __attribute__((weak));
extern long prof_write_(int, const void *, unsigned long) __asm__("write") __attribute__((weak));
extern int *prof_errno_(void) __asm__("__errno_location") __attribute__((weak));

#define PROF_START_LINE_(text) (prof_write_ ? prof_write_(2, text, sizeof text - 1) : 0)

/* Finds the runtime.  NULL: there is none. */
PROF_NO_PROBE static __inline__ void (*prof_runtime_find_(void))(const struct prof_start_ *) {
  union {
    void *object;
    void (*function)(const struct prof_start_ *);
    void *(*dlopen)(const char *, int);
  } attach, detach, open;
  const char *path;
  void *library;
  attach.function = prof_attach_;
  detach.function = prof_detach_;
  open.object = !attach.function && prof_dlsym_ ? prof_dlsym_(0, "dlopen") : 0; /* linkers warn of dlopen itself */
  if (open.object) {
    path = prof_getenv_("PROF_RUNTIME");
    library = open.dlopen(path && *path ? path : "libprof-runtime.so.1", 2 /* RTLD_NOW */);
    attach.object = library ? prof_dlsym_(library, "prof_runtime_attach_v1") : 0;
    detach.object = library ? prof_dlsym_(library, "prof_runtime_detach_v1") : 0;
  }
  prof_zone_detach_v1_ = detach.function;
  return attach.function;
}

PROF_NO_PROBE static __inline__ struct prof_start_ prof_start_of_(void) {
  struct prof_start_ start;
  start.wire_version = 1;
  start.rows_begin = prof_rows_begin_;
  start.rows_end = prof_rows_end_;
  start.hooks = &prof_zone_hooks_v1_;
  return start;
}

/* The variable that asks for a recording, now or later.  NULL or empty: none. */
PROF_NO_PROBE static __inline__ const char *prof_start_wanted_(void) {
  const char *record = prof_getenv_("PROF_RECORD");
  return record && *record && *record != '0' ? record : prof_getenv_("PROF_STANDBY");
}

/* Each unit asks for it; the first call of a program or library counts. */
void prof_zones_start_v1_(void) __attribute__((weak, visibility("hidden"), used, constructor(101), cold));
PROF_NO_PROBE void prof_zones_start_v1_(void) {
  struct prof_start_ start = prof_start_of_();
  const char *record = &__prof_hooks_v1 || !prof_getenv_ || prof_zone_detach_v1_ ? 0 : prof_start_wanted_();
  void (*attach)(const struct prof_start_ *);
  int *error = prof_errno_ ? prof_errno_() : 0, before = error ? *error : 0;
  __asm__("" : "+r"(start.rows_begin), "+r"(start.rows_end)); /* may be equal */
  if (!record || !*record || *record == '0' || start.rows_begin == start.rows_end)
    return;
  attach = prof_runtime_find_();
  if (attach)
    attach(&start);
  else
    PROF_START_LINE_("prof: zones are not recorded: cannot load the runtime (libprof-runtime.so.1, or the file that "
                     "PROF_RUNTIME names)\n");
  if (error)
    *error = before;
}

void prof_zones_stop_v1_(void) __attribute__((weak, visibility("hidden"), used, destructor(101), cold));
PROF_NO_PROBE void prof_zones_stop_v1_(void) {
  struct prof_start_ start = prof_start_of_();
  if (prof_zone_hooks_v1_.wire_version && prof_zone_detach_v1_)
    prof_zone_detach_v1_(&start);
  prof_zone_detach_v1_ = 0;
}
#endif

PROF_NO_PROBE static __inline__ int prof_control_(int operation, const void *argument) {
  struct prof_public_hooks *hooks = &__prof_hooks_v1;
#if PROF_HAS_ZONES
  hooks = hooks ? hooks : &prof_zone_hooks_v1_;
#endif
  return hooks && hooks->wire_version == 1 ? hooks->control(operation, argument) : 0;
}

/*
 * Stops recording in the whole process: probes become nops again.  Open calls of all threads are recorded as left at
 * this time.  Returns 0.
 */
PROF_NO_PROBE static __inline__ int prof_stop(void) {
  return prof_control_(0, 0);
}

/* Resumes recording after prof_stop.  Returns 1, or 0 if nothing can be recorded or --delay and the like forbid it.
 * Calls that are still open go on, without the time between; calls entered meanwhile are unknown. */
PROF_NO_PROBE static __inline__ int prof_start(void) {
  return prof_control_(1, 0);
}

/*
 * 1 while events are recorded; 0 when stopped, out of bounds (--delay, --duration, --capture-range), without plugin,
 * without a recorder, or after its size limit.
 */
PROF_NO_PROBE static __inline__ int prof_is_recording(void) {
  return prof_control_(2, 0);
}

/* Names the calling thread in the recording, in up to 43 bytes of UTF-8; "": again as the system does
 * (pthread_setname_np).  The text is copied. */
PROF_NO_PROBE static __inline__ void prof_thread_name(const char *name) {
  (void)prof_control_(3, name);
}

/*
 * The recording begins here: readers show nothing from before in any thread or process.  Open calls go on, without the
 * time before.  Returns 1; 0: nothing is recorded, or in several files (--split, --mode=ring), where it does nothing.
 */
PROF_NO_PROBE static __inline__ int prof_clear(void) {
  return prof_control_(4, 0);
}

/*
 * With --mode=ring: what is kept is written as a recording, soon; with --mode=summary: the file is replaced; with
 * --split: the next part begins.  The program goes on meanwhile.  Returns 1; 0: nothing is recorded, or in one file,
 * where it does nothing.
 */
PROF_NO_PROBE static __inline__ int prof_snapshot(void) {
  return prof_control_(5, 0);
}

/* Of a function or zone in the calling process, as `prof report --pid` shows them.  Times in ns.  0: not known. */
struct prof_figures {
  uint64_t time_ns;                          /* CLOCK_MONOTONIC: all calls that ended before are in */
  uint64_t functions;                        /* of this name; the figures are of the one with the longest total_ns */
  uint64_t calls, calls_low, calls_high;     /* bounds of the 95% interval, with a budget; UINT64_MAX: none */
  uint64_t total_ns, running_ns, waiting_ns; /* with what they called: elapsed, and two parts of it */
  uint64_t self_ns, self_running_ns, self_waiting_ns;      /* without */
  uint64_t min_ns, avg_ns, max_ns, p50_ns, p95_ns, p99_ns; /* elapsed, of a call */
};

struct prof_question_ { /* struct prof_read_question of wire/module.h */
  const char *name;
  void *figures;
  unsigned long bytes;
};

/*
 * The program's own figures, of all calls that have ended.  name: as prof report shows it, a zone's own, or a linker's
 * name; up to 1,791 bytes.  Returns 1; 0, with zeros: nothing is recorded, or in several files or in memory (--split,
 * --mode=ring), no call of such a function has begun, or the recorder doesn't answer, for 10 s or, while it works, 60
 * s. The recorder reads its recording for it, as prof report does; the thread sleeps meanwhile.
 */
PROF_NO_PROBE static __inline__ int prof_read(const char *name, struct prof_figures *figures) {
  struct prof_question_ question;
  unsigned char *bytes = (unsigned char *)figures;
  unsigned long i;
  for (i = 0; figures && i < sizeof *figures; i++)
    bytes[i] = 0;
  question.name = name;
  question.figures = figures;
  question.bytes = sizeof *figures;
  return prof_control_(7, &question);
}

#if PROF_HAS_ZONES

/*
 * One sled, its row and its facts (wire/row.h): the same bytes as a plugin's probe.  The name is no part of the text,
 * so that it may hold anything: operand 0 is its address, operand 1 that of the file.
 */
#if (defined(__clang__) && __clang_major__ >= 11) || (!defined(__clang__) && __GNUC__ >= 9)
#define PROF_ASM_ __asm__ __volatile__ __inline__ /* its size in lines of text keeps no function from being inlined */
#else
#define PROF_ASM_ __asm__ __volatile__
#endif
#define PROF_TEXT_OF_(x) #x
#define PROF_TEXT_(x) PROF_TEXT_OF_(x)
#define PROF_ROW_(kind)                                                                                                \
  "\t.p2align 3,,4\n"                                                                                                  \
  ".Lprof_zone%=:\t.byte 0x0f,0x1f,0x44,0,0\n"                                                                         \
  "\t.pushsection prof_rows_v1,\"ao?\",@progbits,.Lprof_zone%=\n"                                                      \
  "\t.p2align 2\n\t.long .Lprof_zone%=-.," kind "\n\t.popsection\n"
#define PROF_FACTS_(facts)                                                                                             \
  "\t.pushsection .prof_facts_v1,\"o?\",@progbits,.Lprof_zone%=\n\t.p2align 3\n" facts "\t.popsection\n"
#define PROF_SLED_(kind, key, more)                                                                                    \
  PROF_ROW_(kind)                                                                                                      \
  PROF_FACTS_("\t.long 32\n\t.value 1,1\n\t.quad .Lprof_zone%=," key "\n"                                              \
              "\t.long " kind "," PROF_TEXT_(__LINE__) "\n" more)
#ifdef __cplusplus
#define PROF_LANGUAGE_ "2"
#else
#define PROF_LANGUAGE_ "1"
#endif
#define PROF_ZONE_FACT_                                                                                                \
  "\t.long 32\n\t.value 6,1\n\t.quad %c0,%c1\n\t.long " PROF_TEXT_(__LINE__) "\n\t.value " PROF_LANGUAGE_ ",0\n"
#define PROF_ZONE_ENTER_(name)                                                                                         \
  PROF_ASM_(PROF_SLED_("0x1001", "%c0", PROF_ZONE_FACT_) : : "i"("" name ""), "i"(__FILE__))
/* The same of a request: its id is in rax.  Operands: 0 the name, 1 the file, 2 "". */
#define PROF_REQUEST_ENTER_(id)                                                                                        \
  PROF_ASM_(PROF_SLED_("0x5021", "%c0",                                                                                \
                       PROF_ZONE_FACT_ "\t.long 48\n\t.value 7,1\n\t.quad .Lprof_zone%=,%c0,%c2,%c1\n"                 \
                                       "\t.long " PROF_TEXT_(__LINE__) "\n\t.value " PROF_LANGUAGE_ ",5\n")            \
            :                                                                                                          \
            : "i"("request"), "i"(__FILE__), "i"(""), "a"(id))
#define PROF_ZONE_LEAVE_(name) PROF_ASM_(PROF_SLED_("0x1002", "%c0", "") : : "i"("" name ""))
#define PROF_JOINED_(a, b) a##b
#define PROF_JOIN_(a, b) PROF_JOINED_(a, b)

/*
 * PROF_ZONE("name"); names the rest of the block: a call that the tree shows under the function that has it.  It ends
 * wherever control leaves the block (in C not by longjmp).  The name is a string literal; zones of equal names in a
 * program or library are one.  Costs a nop (well below a nanosecond) while nothing is recorded.
 */
#ifdef __cplusplus
#define PROF_ZONE_OF_(name, id)                                                                                        \
  struct PROF_JOIN_(prof_zone_type_, id) {                                                                             \
    __attribute__((always_inline, no_instrument_function)) PROF_JOIN_(prof_zone_type_, id)() {                         \
      PROF_ZONE_ENTER_(name);                                                                                          \
    }                                                                                                                  \
    __attribute__((always_inline, no_instrument_function)) ~PROF_JOIN_(prof_zone_type_, id)() {                        \
      PROF_ZONE_LEAVE_(name);                                                                                          \
    }                                                                                                                  \
  } PROF_JOIN_(prof_zone_, id) __attribute__((unused))
#define PROF_REQUEST_OF_(context, id)                                                                                  \
  struct PROF_JOIN_(prof_request_type_, id) {                                                                          \
    __attribute__((always_inline, no_instrument_function)) explicit PROF_JOIN_(prof_request_type_,                     \
                                                                               id)(unsigned long prof_id) {            \
      PROF_REQUEST_ENTER_(prof_id);                                                                                    \
    }                                                                                                                  \
    __attribute__((always_inline, no_instrument_function)) ~PROF_JOIN_(prof_request_type_, id)() {                     \
      PROF_ZONE_LEAVE_("request");                                                                                     \
    }                                                                                                                  \
  } PROF_JOIN_(prof_request_, id)((unsigned long)(context))
#else
/* One function for all: the line, in rax, tells the recorder which zone ends. */
PROF_NO_PROBE __attribute__((always_inline)) static __inline__ void prof_zone_leave_(const unsigned long *line) {
  PROF_ASM_(PROF_SLED_("0x1022", "0", "") : : "a"(*line));
}
#define PROF_ZONE_OF_(name, id)                                                                                        \
  const unsigned long PROF_JOIN_(prof_zone_, id) __attribute__((unused, cleanup(prof_zone_leave_))) = __extension__({  \
    PROF_ZONE_ENTER_(name);                                                                                            \
    (unsigned long)__LINE__;                                                                                           \
  })
#define PROF_REQUEST_OF_(context, id)                                                                                  \
  const unsigned long PROF_JOIN_(prof_zone_, id) __attribute__((unused, cleanup(prof_zone_leave_))) = __extension__({  \
    PROF_REQUEST_ENTER_((unsigned long)(context));                                                                     \
    (unsigned long)__LINE__;                                                                                           \
  })
#endif
#define PROF_ZONE(name) PROF_ZONE_OF_(name, __COUNTER__)

/*
 * PROF_REQUEST(id); the rest of the block works for the request, job or message of this number, of which other threads
 * may do parts: a zone "request" that has the number.
 */
#define PROF_REQUEST(id) PROF_REQUEST_OF_(id, __COUNTER__)

/*
 * The same with the end elsewhere: in another block, or in another function that the same thread calls.  Such zones may
 * overlap, and go on when the function returns that began them.  An end without its begin is an unmatched exit.
 */
#define PROF_ZONE_BEGIN(name) PROF_ZONE_ENTER_(name)
#define PROF_ZONE_END(name) PROF_ZONE_LEAVE_(name)

/*
 * Points.  Operands: 0 the name's address, 1 the unit's, 2 the file's.  3: flags of the value's type, which is in rax.
 */
#define PROF_POINT_(kind, class)                                                                                       \
  PROF_ROW_(kind)                                                                                                      \
  PROF_FACTS_("\t.long 48\n\t.value 7,1\n\t.quad .Lprof_zone%=,%c0,%c1,%c2\n"                                          \
              "\t.long " PROF_TEXT_(__LINE__) "\n\t.value " PROF_LANGUAGE_ "," class "\n")
#define PROF_MOMENT_(name, class) PROF_ASM_(PROF_POINT_("0x1006", class) : : "i"("" name ""), "i"(""), "i"(__FILE__))
#define PROF_VALUED_(kind, class, name, value, unit)                                                                   \
  PROF_ASM_(PROF_POINT_(kind "+%c3", class)                                                                            \
            :                                                                                                          \
            : "i"("" name ""), "i"("" unit ""), "i"(__FILE__), "i"(PROF_TYPE_FLAGS_(value)), "a"(PROF_BITS_(value)))
#define PROF_IS_FLOAT_(value) ((__typeof__(+(value)))0.5 != 0)
#define PROF_TYPE_FLAGS_(value)                                                                                        \
  (PROF_IS_FLOAT_(value) ? 0x2000 : (__typeof__(+(value)))-1 > (__typeof__(+(value)))0 ? 0x4000 : 0)
#define PROF_BITS_(value) (PROF_IS_FLOAT_(value) ? prof_bits_((double)(value)) : (unsigned long)(value))
PROF_NO_PROBE __attribute__((always_inline)) static __inline__ unsigned long prof_bits_(double value) {
  union {
    double value;
    unsigned long bits;
  } number;
  number.value = value;
  return number.bits;
}

/*
 * What the program reports of itself; statements.  Names and units are string literals; values are arithmetic
 * expressions, evaluated once.  While nothing is recorded, a nop is left, and the value's computation.
 */

/* Something happened now. */
#define PROF_MARK(text) PROF_MOMENT_(text, "1")

/* A frame of this name ends here, and the next one begins: at the same place of a loop, always by the same thread. */
#define PROF_FRAME(name) PROF_MOMENT_(name, "2")

/* The value of a counter from now on.  The unit may be "". */
#define PROF_COUNTER(name, value, unit) PROF_VALUED_("0x1026", "3", name, value, unit)

/* A value that belongs to the call or zone that is open.  Reads no clock. */
#define PROF_VALUE(name, value) PROF_VALUED_("0x102e", "4", name, value, "")

/* Something with a number begins, and ends, in any function and thread: spans of one name and number don't overlap. */
#define PROF_SPAN_BEGIN(name, id) PROF_VALUED_("0x1026", "6", name, (unsigned long)(id), "")
#define PROF_SPAN_END(name, id) PROF_VALUED_("0x1026", "7", name, (unsigned long)(id), "")

/*
 * Names that are known only while the program runs.  1: events are recorded; else a nop and a test are left.  Not for
 * direct use, as what follows up to the macros.
 */
PROF_NO_PROBE __attribute__((always_inline)) static __inline__ int prof_gate_(void) {
  int on = 0;
  PROF_ASM_(PROF_ROW_("0x1007") : "+a"(on));
  return __builtin_expect(on, 0) != 0;
}
/* No call behind a gate is a tail call: the plugin's exit of its function would come before it. */
#define PROF_GATED_(statement)                                                                                         \
  do {                                                                                                                 \
    if (prof_gate_()) {                                                                                                \
      statement;                                                                                                       \
      __asm__ __volatile__("");                                                                                        \
    }                                                                                                                  \
  } while (0)

struct prof_name_event_ { /* struct prof_named_event of wire/module.h */
  const void *rows;
  const char *name;
  unsigned long value;
  unsigned kind, what, group, number;
};

/*
 * Returns the number that stands for the name in prof_named_again_; 0: nothing is recorded.  Groups: 1 and following of
 * prof_nvtx.h, 0x10000000 of prof_itt.h, 0x20000000 of PROF_ZONE_NAMED_BEGIN, 0x30000000 of PROF_ZONE_NAMED by line.
 */
PROF_NO_PROBE __attribute__((noinline, cold, unused)) static int
prof_named_(unsigned kind, unsigned what, const char *name, unsigned long value, unsigned group) {
  struct prof_name_event_ named;
  named.rows = prof_rows_begin_;
  named.name = name ? name : "(null)";
  named.value = value;
  named.kind = kind;
  named.what = what;
  named.group = group;
  named.number = 0;
  return prof_control_(6, &named);
}
PROF_NO_PROBE __attribute__((noinline, cold, unused)) static int
prof_named_again_(unsigned kind, unsigned what, unsigned number, unsigned long value) {
  struct prof_name_event_ named;
  named.rows = prof_rows_begin_;
  named.name = 0;
  named.value = value;
  named.kind = kind;
  named.what = what;
  named.group = 0;
  named.number = number;
  return number ? prof_control_(6, &named) : 0;
}
/* Returns the zone's group; 0: it isn't recorded. */
PROF_NO_PROBE __attribute__((always_inline)) static __inline__ unsigned prof_named_enter_(const char *name,
                                                                                          unsigned group) {
  return prof_gate_() && prof_named_(0x1001, 0, name, 0, group) ? group : 0;
}
PROF_NO_PROBE __attribute__((always_inline)) static __inline__ void prof_named_leave_(const unsigned *group) {
  if (*group)
    PROF_GATED_((void)prof_named_(0x1022, 0, "", 0, *group));
}
#define PROF_NAMED_(kind, what, name, value, group) PROF_GATED_((void)prof_named_(kind, what, name, value, group))

/*
 * The same as the macros without _NAMED, of a name that may be any expression: it is evaluated only while the program
 * is recorded, and the text is copied.  The first 219 bytes of a name count, and the first 4,032 names of a process;
 * further ones are recorded as "(other names)".  PROF_ZONE_NAMED_END ends the innermost zone that PROF_ZONE_NAMED_BEGIN
 * began.
 */
#define PROF_ZONE_NAMED(name)                                                                                          \
  const unsigned PROF_JOIN_(prof_zone_, __COUNTER__) __attribute__((unused, cleanup(prof_named_leave_))) =             \
      prof_named_enter_(name, 0x30000000u + __LINE__)
#define PROF_ZONE_NAMED_BEGIN(name) PROF_NAMED_(0x1001, 0, name, 0, 0x20000000)
#define PROF_ZONE_NAMED_END() PROF_NAMED_(0x1022, 0, "", 0, 0x20000000)
#define PROF_MARK_NAMED(text) PROF_NAMED_(0x1006, 1, text, 0, 0)
#define PROF_FRAME_NAMED(name) PROF_NAMED_(0x1006, 2, name, 0, 0)
#define PROF_COUNTER_NAMED(name, value) PROF_NAMED_(0x1026u + PROF_TYPE_FLAGS_(value), 3, name, PROF_BITS_(value), 0)
#define PROF_SPAN_NAMED_BEGIN(name, id) PROF_NAMED_(0x5026, 6, name, (unsigned long)(id), 0)
#define PROF_SPAN_NAMED_END(name, id) PROF_NAMED_(0x5026, 7, name, (unsigned long)(id), 0)

#else
#define PROF_ZONE(name) ((void)sizeof("" name ""))
#define PROF_ZONE_BEGIN(name) ((void)sizeof("" name ""))
#define PROF_ZONE_END(name) ((void)sizeof("" name ""))
#define PROF_MARK(text) ((void)sizeof("" text ""))
#define PROF_FRAME(name) ((void)sizeof("" name ""))
#define PROF_COUNTER(name, value, unit) ((void)sizeof("" name "" unit ""), (void)(value))
#define PROF_VALUE(name, value) ((void)sizeof("" name ""), (void)(value))
#define PROF_REQUEST(id) ((void)(id))
#define PROF_SPAN_BEGIN(name, id) PROF_VALUE(name, id)
#define PROF_SPAN_END(name, id) PROF_VALUE(name, id)
#define PROF_ZONE_NAMED(name) ((void)sizeof(name))
#define PROF_ZONE_NAMED_BEGIN(name) ((void)sizeof(name))
#define PROF_ZONE_NAMED_END() ((void)0)
#define PROF_MARK_NAMED(text) ((void)sizeof(text))
#define PROF_FRAME_NAMED(name) ((void)sizeof(name))
#define PROF_COUNTER_NAMED(name, value) ((void)sizeof(name), (void)sizeof(value))
#define PROF_SPAN_NAMED_BEGIN(name, id) ((void)sizeof(name), (void)sizeof(id))
#define PROF_SPAN_NAMED_END(name, id) ((void)sizeof(name), (void)sizeof(id))
#endif

#ifdef __cplusplus
}
#endif

#endif
