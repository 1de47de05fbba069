/*
 * prof_itt.h - for programs that are marked by the ITT API (ittnotify.h): records what they mark, as zones, spans,
 * counters and marks of prof.h.  Nothing of ITT is linked.
 *
 * Include it before ittnotify.h: -include prof_itt.h on the compiler's command line is enough.  It includes that header
 * itself, for its types, with its functions switched off; PROF_ITT_HEADER says where it is if not at <ittnotify.h>.
 * Without the header it defines nothing.  C and C++.  What becomes of each function: prof-marks(3).
 */
#ifndef PROF_ITT_H
#define PROF_ITT_H

#include "prof.h"

#ifdef PROF_ITT_HEADER
#define PROF_ITT_FOUND 1
#elif defined(__has_include)
#if __has_include(<ittnotify.h>)
#define PROF_ITT_HEADER <ittnotify.h>
#define PROF_ITT_FOUND 1
#endif
#endif

#if PROF_HAS_ZONES && defined(PROF_ITT_FOUND)
#include <stdlib.h>
#include <string.h>

#ifndef INTEL_NO_ITTNOTIFY_API
#define INTEL_NO_ITTNOTIFY_API
#endif
#ifndef INTEL_ITTNOTIFY_API_PRIVATE /* which the program may ask for later: then its functions would be declared */
#define INTEL_ITTNOTIFY_API_PRIVATE
#endif
#include PROF_ITT_HEADER

#ifdef __cplusplus
extern "C" {
#endif

#define PROF_ITT_INLINE_ PROF_NO_PROBE __attribute__((always_inline, unused)) static __inline__
#define PROF_ITT_COLD_ PROF_NO_PROBE __attribute__((noinline, cold, unused)) static
#define PROF_ITT_SHARED_ __attribute__((weak, visibility("hidden")))

/* ---- domains and texts: one of each name in a program or library, for ever ---- */

extern __itt_domain *prof_itt_domains_v1_ PROF_ITT_SHARED_;
__itt_domain *prof_itt_domains_v1_;
extern __itt_string_handle *prof_itt_strings_v1_ PROF_ITT_SHARED_;
__itt_string_handle *prof_itt_strings_v1_;

/* As strdup, which C without GNU's or POSIX's extensions lacks. */
PROF_ITT_COLD_ char *prof_itt_copy_(const char *text) {
  const size_t bytes = strlen(text) + 1;
  char *copy = (char *)malloc(bytes);
  return copy ? (char *)memcpy(copy, text, bytes) : 0;
}

PROF_ITT_COLD_ __itt_domain *prof_itt_domain_create(const char *name) {
  __itt_domain *first = __atomic_load_n(&prof_itt_domains_v1_, __ATOMIC_ACQUIRE), *at;
  name = name ? name : "";
  for (at = first; at; at = at->next)
    if (strcmp(at->nameA, name) == 0)
      return at;
  at = (__itt_domain *)calloc(1, sizeof *at);
  if (!at)
    return 0;
  at->nameA = prof_itt_copy_(name);
  at->flags = 1;
  do {
    at->next = first;
    at->extra1 = first ? first->extra1 + 1 : 1;
  } while (!__atomic_compare_exchange_n(&prof_itt_domains_v1_, &first, at, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE));
  return at;
}

PROF_ITT_COLD_ __itt_string_handle *prof_itt_string_handle_create(const char *name) {
  __itt_string_handle *first = __atomic_load_n(&prof_itt_strings_v1_, __ATOMIC_ACQUIRE), *at;
  name = name ? name : "";
  for (at = first; at; at = at->next)
    if (strcmp(at->strA, name) == 0)
      return at;
  at = (__itt_string_handle *)calloc(1, sizeof *at);
  if (!at)
    return 0;
  at->strA = prof_itt_copy_(name);
  do
    at->next = first;
  while (!__atomic_compare_exchange_n(&prof_itt_strings_v1_, &first, at, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE));
  return at;
}

PROF_ITT_INLINE_ int prof_itt_on_(const __itt_domain *domain) {
  return domain && domain->flags;
}

/* ---- tasks: zones, of which each domain has a stack in each thread ---- */

PROF_ITT_COLD_ void prof_itt_enter_(const __itt_domain *domain, const __itt_string_handle *name) {
  if (prof_itt_on_(domain))
    (void)prof_named_(0x1001, 0, name ? name->strA : "task", 0, 0x10000000u + (unsigned)domain->extra1);
}

PROF_ITT_COLD_ void prof_itt_leave_(const __itt_domain *domain) {
  if (prof_itt_on_(domain))
    (void)prof_named_(0x1022, 0, "", 0, 0x10000000u + (unsigned)domain->extra1);
}

PROF_ITT_INLINE_ void prof_itt_task_begin(const __itt_domain *domain, __itt_id task, __itt_id parent,
                                          __itt_string_handle *name) {
  (void)task;
  (void)parent;
  PROF_GATED_(prof_itt_enter_(domain, name));
}

PROF_ITT_INLINE_ void prof_itt_task_begin_fn(const __itt_domain *domain, __itt_id task, __itt_id parent,
                                             void *function) {
  (void)task;
  (void)parent;
  (void)function;
  PROF_GATED_(prof_itt_enter_(domain, 0));
}

PROF_ITT_INLINE_ void prof_itt_task_end(const __itt_domain *domain) {
  PROF_GATED_(prof_itt_leave_(domain));
}

/* ---- overlapped tasks and regions: spans.  Their ends have an id only, so names of open ones are kept. ---- */

struct prof_itt_open_ {
  unsigned long key; /* 0: free; 1: being filled */
  unsigned number;   /* of its name */
};
enum { PROF_ITT_OPEN_ = 4096, PROF_ITT_SEARCH_ = 64 };
extern struct prof_itt_open_ prof_itt_open_v1_[PROF_ITT_OPEN_] PROF_ITT_SHARED_;
struct prof_itt_open_ prof_itt_open_v1_[PROF_ITT_OPEN_];

PROF_ITT_INLINE_ unsigned long prof_itt_key_(const __itt_domain *domain, __itt_id id) {
  unsigned long key = (unsigned long)domain;
  key = (key ^ (unsigned long)id.d1) * 0x9e3779b97f4a7c15ul;
  key = (key ^ key >> 29 ^ (unsigned long)id.d2) * 0xd1b54a32d192ed03ul;
  key = (key ^ key >> 31 ^ (unsigned long)id.d3) * 0x94d049bb133111ebul;
  return key | 2;
}

PROF_ITT_COLD_ void prof_itt_span_begin_(const __itt_domain *domain, __itt_id id, const __itt_string_handle *name) {
  const unsigned long key = prof_itt_key_(domain, id);
  unsigned number, i;
  if (!prof_itt_on_(domain))
    return;
  number = (unsigned)prof_named_(0x5026, 6, name ? name->strA : "task", key, 0);
  for (i = 0; number && i < PROF_ITT_SEARCH_; i++) {
    struct prof_itt_open_ *at = &prof_itt_open_v1_[((key >> 8) + i) & (PROF_ITT_OPEN_ - 1)];
    unsigned long free_key = 0;
    if (!__atomic_compare_exchange_n(&at->key, &free_key, 1ul, 0, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
      continue;
    at->number = number;
    __atomic_store_n(&at->key, key, __ATOMIC_RELEASE);
    return;
  }
}

/* One that isn't there began unrecorded, or there was no room. */
PROF_ITT_COLD_ void prof_itt_span_end_(const __itt_domain *domain, __itt_id id) {
  const unsigned long key = prof_itt_key_(domain, id);
  unsigned i;
  for (i = 0; i < PROF_ITT_SEARCH_; i++) {
    struct prof_itt_open_ *at = &prof_itt_open_v1_[((key >> 8) + i) & (PROF_ITT_OPEN_ - 1)];
    unsigned long open_key = key;
    if (!__atomic_compare_exchange_n(&at->key, &open_key, 1ul, 0, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
      continue;
    (void)prof_named_again_(0x5026, 7, at->number, key);
    __atomic_store_n(&at->key, 0ul, __ATOMIC_RELEASE);
    return;
  }
}

PROF_ITT_INLINE_ void prof_itt_span_begin(const __itt_domain *domain, __itt_id id, __itt_id parent,
                                          __itt_string_handle *name) {
  (void)parent;
  PROF_GATED_(prof_itt_span_begin_(domain, id, name));
}

PROF_ITT_INLINE_ void prof_itt_span_end(const __itt_domain *domain, __itt_id id) {
  PROF_GATED_(prof_itt_span_end_(domain, id));
}

/* ---- frames: spans of the domain's name; each end is also a frame's ---- */

PROF_ITT_COLD_ void prof_itt_frame_(const __itt_domain *domain, const __itt_id *id, unsigned what) {
  if (!prof_itt_on_(domain))
    return;
  (void)prof_named_(0x5026, what, domain->nameA, id ? prof_itt_key_(domain, *id) : 0, 0);
  if (what == 7)
    (void)prof_named_(0x1006, 2, domain->nameA, 0, 0);
}

PROF_ITT_INLINE_ void prof_itt_frame_begin(const __itt_domain *domain, __itt_id *id) {
  PROF_GATED_(prof_itt_frame_(domain, id, 6));
}

PROF_ITT_INLINE_ void prof_itt_frame_end(const __itt_domain *domain, __itt_id *id) {
  PROF_GATED_(prof_itt_frame_(domain, id, 7));
}

/* ---- marks ---- */

PROF_ITT_COLD_ void prof_itt_mark_(const __itt_domain *domain, const __itt_string_handle *name) {
  if (prof_itt_on_(domain))
    (void)prof_named_(0x1006, 1, name ? name->strA : 0, 0, 0);
}

PROF_ITT_INLINE_ void prof_itt_marker(const __itt_domain *domain, __itt_id id, __itt_string_handle *name,
                                      __itt_scope scope) {
  (void)id;
  (void)scope;
  PROF_GATED_(prof_itt_mark_(domain, name));
}

/* ---- counters ---- */

struct prof_itt_counter_ {
  char *name;
  __itt_metadata_type type;
  unsigned long value; /* of integers; changed also while nothing is recorded */
};

PROF_ITT_COLD_ __itt_counter prof_itt_counter_create_typed(const char *name, const char *domain,
                                                           __itt_metadata_type type) {
  struct prof_itt_counter_ *counter = (struct prof_itt_counter_ *)calloc(1, sizeof *counter);
  (void)domain;
  if (counter) {
    counter->name = prof_itt_copy_(name ? name : "");
    counter->type = type;
  }
  return (__itt_counter)(void *)counter;
}

PROF_ITT_COLD_ __itt_counter prof_itt_counter_create(const char *name, const char *domain) {
  return prof_itt_counter_create_typed(name, domain, __itt_metadata_u64);
}

PROF_ITT_COLD_ void prof_itt_counted_(const struct prof_itt_counter_ *counter, unsigned long value) {
  const int is_float = counter->type == __itt_metadata_float || counter->type == __itt_metadata_double;
  const int is_signed =
      counter->type == __itt_metadata_s64 || counter->type == __itt_metadata_s32 || counter->type == __itt_metadata_s16;
  (void)prof_named_(is_float ? 0x3026 : is_signed ? 0x1026 : 0x5026, 3, counter->name, value, 0);
}

PROF_ITT_INLINE_ void prof_itt_counter_add(__itt_counter id, unsigned long long delta) {
  struct prof_itt_counter_ *counter = (struct prof_itt_counter_ *)(void *)id;
  unsigned long value;
  if (!counter)
    return;
  value = __atomic_add_fetch(&counter->value, (unsigned long)delta, __ATOMIC_RELAXED);
  PROF_GATED_(prof_itt_counted_(counter, value));
}

PROF_ITT_COLD_ unsigned long prof_itt_value_of_(__itt_metadata_type type, const void *value) {
  switch (type) {
  case __itt_metadata_u32:
    return *(const unsigned *)value;
  case __itt_metadata_s32:
    return (unsigned long)(long)*(const int *)value;
  case __itt_metadata_u16:
    return *(const unsigned short *)value;
  case __itt_metadata_s16:
    return (unsigned long)(long)*(const short *)value;
  case __itt_metadata_float:
    return prof_bits_((double)*(const float *)value);
  case __itt_metadata_double:
    return prof_bits_(*(const double *)value);
  default:
    return (unsigned long)*(const unsigned long long *)value;
  }
}

PROF_ITT_INLINE_ void prof_itt_counter_set_value(__itt_counter id, void *value) {
  struct prof_itt_counter_ *counter = (struct prof_itt_counter_ *)(void *)id;
  unsigned long bits;
  if (!counter || !value)
    return;
  bits = prof_itt_value_of_(counter->type, value);
  __atomic_store_n(&counter->value, bits, __ATOMIC_RELAXED);
  PROF_GATED_(prof_itt_counted_(counter, bits));
}

#ifdef __cplusplus
}
#endif

/* ---- what isn't recorded: an expression without effect, as the function is; ITT's own macro is no expression ---- */

#undef __itt_thread_ignore
#define __itt_thread_ignore(...) ((void)0)
#undef __itt_suppress_push
#define __itt_suppress_push(...) ((void)0)
#undef __itt_suppress_pop
#define __itt_suppress_pop(...) ((void)0)
#undef __itt_suppress_mark_range
#define __itt_suppress_mark_range(...) ((void)0)
#undef __itt_suppress_clear_range
#define __itt_suppress_clear_range(...) ((void)0)
#undef __itt_sync_create
#define __itt_sync_create(...) ((void)0)
#undef __itt_sync_rename
#define __itt_sync_rename(...) ((void)0)
#undef __itt_sync_destroy
#define __itt_sync_destroy(...) ((void)0)
#undef __itt_sync_prepare
#define __itt_sync_prepare(...) ((void)0)
#undef __itt_sync_cancel
#define __itt_sync_cancel(...) ((void)0)
#undef __itt_sync_acquired
#define __itt_sync_acquired(...) ((void)0)
#undef __itt_sync_releasing
#define __itt_sync_releasing(...) ((void)0)
#undef __itt_fsync_prepare
#define __itt_fsync_prepare(...) ((void)0)
#undef __itt_fsync_cancel
#define __itt_fsync_cancel(...) ((void)0)
#undef __itt_fsync_acquired
#define __itt_fsync_acquired(...) ((void)0)
#undef __itt_fsync_releasing
#define __itt_fsync_releasing(...) ((void)0)
#undef __itt_heap_allocate_begin
#define __itt_heap_allocate_begin(...) ((void)0)
#undef __itt_heap_allocate_end
#define __itt_heap_allocate_end(...) ((void)0)
#undef __itt_heap_free_begin
#define __itt_heap_free_begin(...) ((void)0)
#undef __itt_heap_free_end
#define __itt_heap_free_end(...) ((void)0)
#undef __itt_heap_reallocate_begin
#define __itt_heap_reallocate_begin(...) ((void)0)
#undef __itt_heap_reallocate_end
#define __itt_heap_reallocate_end(...) ((void)0)
#undef __itt_heap_internal_access_begin
#define __itt_heap_internal_access_begin(...) ((void)0)
#undef __itt_heap_internal_access_end
#define __itt_heap_internal_access_end(...) ((void)0)
#undef __itt_id_create
#define __itt_id_create(...) ((void)0)
#undef __itt_id_destroy
#define __itt_id_destroy(...) ((void)0)
#undef __itt_task_group
#define __itt_task_group(...) ((void)0)
#undef __itt_metadata_add
#define __itt_metadata_add(...) ((void)0)
#undef __itt_metadata_str_add
#define __itt_metadata_str_add(...) ((void)0)
#undef __itt_metadata_add_with_scope
#define __itt_metadata_add_with_scope(...) ((void)0)
#undef __itt_metadata_str_add_with_scope
#define __itt_metadata_str_add_with_scope(...) ((void)0)
#undef __itt_relation_add
#define __itt_relation_add(...) ((void)0)
#undef __itt_relation_add_to_current
#define __itt_relation_add_to_current(...) ((void)0)
#undef __itt_frame_submit_v3
#define __itt_frame_submit_v3(...) ((void)0)
#undef __itt_stack_caller_destroy
#define __itt_stack_caller_destroy(...) ((void)0)
#undef __itt_stack_callee_enter
#define __itt_stack_callee_enter(...) ((void)0)
#undef __itt_stack_callee_leave
#define __itt_stack_callee_leave(...) ((void)0)

/* ---- their names ---- */

#undef __itt_domain_create
#define __itt_domain_create prof_itt_domain_create
#undef __itt_string_handle_create
#define __itt_string_handle_create prof_itt_string_handle_create
#undef __itt_task_begin
#define __itt_task_begin prof_itt_task_begin
#undef __itt_task_begin_fn
#define __itt_task_begin_fn prof_itt_task_begin_fn
#undef __itt_task_end
#define __itt_task_end prof_itt_task_end
#undef __itt_task_begin_overlapped
#define __itt_task_begin_overlapped prof_itt_span_begin
#undef __itt_task_end_overlapped
#define __itt_task_end_overlapped prof_itt_span_end
#undef __itt_region_begin
#define __itt_region_begin prof_itt_span_begin
#undef __itt_region_end
#define __itt_region_end prof_itt_span_end
#undef __itt_frame_begin_v3
#define __itt_frame_begin_v3 prof_itt_frame_begin
#undef __itt_frame_end_v3
#define __itt_frame_end_v3 prof_itt_frame_end
#undef __itt_marker
#define __itt_marker prof_itt_marker
#undef __itt_counter_create
#define __itt_counter_create prof_itt_counter_create
#undef __itt_counter_create_typed
#define __itt_counter_create_typed prof_itt_counter_create_typed
#undef __itt_counter_inc
#define __itt_counter_inc(id) prof_itt_counter_add(id, 1)
#undef __itt_counter_dec
#define __itt_counter_dec(id) prof_itt_counter_add(id, -1ull)
#undef __itt_counter_inc_delta
#define __itt_counter_inc_delta(id, delta) prof_itt_counter_add(id, delta)
#undef __itt_counter_dec_delta
#define __itt_counter_dec_delta(id, delta) prof_itt_counter_add(id, -(unsigned long long)(delta))
#undef __itt_counter_set_value
#define __itt_counter_set_value prof_itt_counter_set_value
#undef __itt_thread_set_name
#define __itt_thread_set_name prof_thread_name
#undef __itt_pause
#define __itt_pause() ((void)prof_stop())
#undef __itt_resume
#define __itt_resume() ((void)prof_start())
#undef __itt_detach
#define __itt_detach() ((void)prof_stop())
#endif

#endif
