/* Stands where the ITT API's header does: what a program uses of it, as that one has it with its functions off. */
#ifndef _ITTNOTIFY_H_
#define _ITTNOTIFY_H_

typedef struct ___itt_domain {
  volatile int flags;
  const char *nameA;
  void *nameW;
  int extra1;
  void *extra2;
  struct ___itt_domain *next;
} __itt_domain;
typedef struct ___itt_string_handle {
  const char *strA;
  void *strW;
  int extra1;
  void *extra2;
  struct ___itt_string_handle *next;
} __itt_string_handle;
typedef struct ___itt_id {
  unsigned long long d1, d2, d3;
} __itt_id;
typedef enum { __itt_scope_unknown, __itt_scope_global, __itt_scope_track_group, __itt_scope_track } __itt_scope;
typedef enum {
  __itt_metadata_unknown,
  __itt_metadata_u64,
  __itt_metadata_s64,
  __itt_metadata_u32,
  __itt_metadata_s32,
  __itt_metadata_u16,
  __itt_metadata_s16,
  __itt_metadata_float,
  __itt_metadata_double
} __itt_metadata_type;
typedef struct ___itt_counter *__itt_counter;
static const __itt_id __itt_null = {0, 0, 0};
__attribute__((unused)) static __inline__ __itt_id __itt_id_make(void *address, unsigned long long extra) {
  __itt_id id = __itt_null;
  id.d1 = (unsigned long)address;
  id.d2 = extra;
  return id;
}

#ifndef INTEL_NO_ITTNOTIFY_API
#error "prof_itt.h did not switch the functions off"
#endif
#define __itt_domain_create(name) (__itt_domain *)0
#define __itt_string_handle_create(name) (__itt_string_handle *)0
#define __itt_task_begin(domain, id, parent, name)
#define __itt_task_end(domain)
#define __itt_task_begin_overlapped(domain, id, parent, name)
#define __itt_task_end_overlapped(domain, id)
#define __itt_frame_begin_v3(domain, id)
#define __itt_frame_end_v3(domain, id)
#define __itt_marker(domain, id, name, scope)
#define __itt_counter_create(name, domain)
#define __itt_counter_create_typed(name, domain, type)
#define __itt_counter_inc(id)
#define __itt_counter_inc_delta(id, value)
#define __itt_counter_dec(id)
#define __itt_counter_set_value(id, value)
#define __itt_thread_set_name(name)
#define __itt_pause()
#define __itt_resume()
#define __itt_detach()
#define __itt_metadata_add(domain, id, key, type, count, data)

#endif
