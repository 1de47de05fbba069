/*
 * memory.c - wraps the allocator: what is allocated, resized and given back, and by which call.
 *
 * operator new of libstdc++ calls malloc or aligned_alloc itself.  Its wrapper only notes its caller in `tag`, so that
 * the event names the new expression.  A tag holds while its wrapper's frame is open: an exception that leaves it leaves a
 * tag above all later frames, which is ignored.
 */
#define _GNU_SOURCE
#include <malloc.h>
#include <stdlib.h>

#include "wrapped.h"

static __thread struct {
  const char *frame; /* of the operator's wrapper; NULL: none */
  const void *caller;
} tag __attribute__((tls_model("initial-exec")));

#define HERE ((const char *)__builtin_frame_address(0))

/* The caller of the allocation: of malloc, or of the operator around it. */
static inline const void *site(const void *caller, const char *frame) {
  const char *open = tag.frame;
  return __builtin_expect(open != NULL, 0) && frame < open ? tag.caller : caller;
}

static inline void *allocated(void *block, size_t bytes, const void *caller) {
  if (block)
    prof_measure.put(PROF_MEASURE_ALLOC, caller, bytes, (uintptr_t)block);
  return block;
}

static void *wrap_malloc(size_t bytes) {
  return allocated(malloc(bytes), bytes, site(PROF_CALLER, HERE));
}

static void *wrap_calloc(size_t count, size_t bytes) {
  return allocated(calloc(count, bytes), count * bytes, site(PROF_CALLER, HERE)); /* NULL if the product overflows */
}

static void wrap_free(void *block) {
  if (!block)
    return;
  prof_measure.put(PROF_MEASURE_FREE, PROF_CALLER, 0, (uintptr_t)block);
  free(block);
}

static inline void *resized(void *block, void *old, size_t bytes, const void *caller) {
  if (!old)
    return allocated(block, bytes, caller);
  if (block || bytes == 0)
    prof_measure.put(PROF_MEASURE_RESIZE_TO, caller, bytes, (uintptr_t)block);
  else
    prof_measure.put(PROF_MEASURE_RESIZE_FAILED, caller, bytes, 0);
  return block;
}

static void *wrap_realloc(void *old, size_t bytes) {
  const void *caller = site(PROF_CALLER, HERE);
  if (old)
    prof_measure.put(PROF_MEASURE_RESIZE_FROM, caller, 0, (uintptr_t)old);
  return resized(realloc(old, bytes), old, bytes, caller);
}

static void *wrap_reallocarray(void *old, size_t count, size_t bytes) {
  const void *caller = site(PROF_CALLER, HERE);
  size_t product;
  if (__builtin_mul_overflow(count, bytes, &product))
    return reallocarray(old, count, bytes);
  if (old)
    prof_measure.put(PROF_MEASURE_RESIZE_FROM, caller, 0, (uintptr_t)old);
  return resized(reallocarray(old, count, bytes), old, product, caller);
}

static void *wrap_memalign(size_t alignment, size_t bytes) {
  return allocated(memalign(alignment, bytes), bytes, site(PROF_CALLER, HERE));
}

static void *wrap_aligned_alloc(size_t alignment, size_t bytes) {
  return allocated(aligned_alloc(alignment, bytes), bytes, site(PROF_CALLER, HERE));
}

static int wrap_posix_memalign(void **out, size_t alignment, size_t bytes) {
  int result = posix_memalign(out, alignment, bytes);
  if (result == 0)
    allocated(*out, bytes, site(PROF_CALLER, HERE));
  return result;
}

static void *wrap_valloc(size_t bytes) {
  return allocated(valloc(bytes), bytes, site(PROF_CALLER, HERE));
}

static void *wrap_pvalloc(size_t bytes) {
  return allocated(pvalloc(bytes), bytes, site(PROF_CALLER, HERE));
}

/* ---- operators of C++: names of the Itanium ABI ---- */

#define TAGGED(name, parameters, arguments)                                                                            \
  extern void *name parameters;                                                                                       \
  static void *wrap##name parameters {                                                                                 \
    const char *outer = tag.frame;                                                                                     \
    if (!outer || HERE >= outer) {                                                                                     \
      tag.frame = HERE;                                                                                                \
      tag.caller = PROF_CALLER;                                                                                        \
    }                                                                                                                  \
    void *block = name arguments;                                                                                      \
    if (tag.frame == HERE)                                                                                             \
      tag.frame = NULL;                                                                                                \
    return block;                                                                                                      \
  }

#pragma weak _Znwm
#pragma weak _Znam
#pragma weak _ZnwmRKSt9nothrow_t
#pragma weak _ZnamRKSt9nothrow_t
#pragma weak _ZnwmSt11align_val_t
#pragma weak _ZnamSt11align_val_t
#pragma weak _ZnwmSt11align_val_tRKSt9nothrow_t
#pragma weak _ZnamSt11align_val_tRKSt9nothrow_t
TAGGED(_Znwm, (size_t bytes), (bytes))
TAGGED(_Znam, (size_t bytes), (bytes))
TAGGED(_ZnwmRKSt9nothrow_t, (size_t bytes, const void *nothrow), (bytes, nothrow))
TAGGED(_ZnamRKSt9nothrow_t, (size_t bytes, const void *nothrow), (bytes, nothrow))
TAGGED(_ZnwmSt11align_val_t, (size_t bytes, size_t alignment), (bytes, alignment))
TAGGED(_ZnamSt11align_val_t, (size_t bytes, size_t alignment), (bytes, alignment))
TAGGED(_ZnwmSt11align_val_tRKSt9nothrow_t, (size_t bytes, size_t alignment, const void *nothrow),
       (bytes, alignment, nothrow))
TAGGED(_ZnamSt11align_val_tRKSt9nothrow_t, (size_t bytes, size_t alignment, const void *nothrow),
       (bytes, alignment, nothrow))

#define ROW(name) {#name, (void *)(uintptr_t)wrap_##name, NULL}
#define OPERATOR(name) {#name, (void *)(uintptr_t)wrap##name, NULL}
struct prof_wrapped prof_wrapped_memory[] = {
    ROW(malloc),
    ROW(calloc),
    ROW(free),
    ROW(realloc),
    ROW(reallocarray),
    ROW(memalign),
    ROW(aligned_alloc),
    ROW(posix_memalign),
    ROW(valloc),
    ROW(pvalloc),
    OPERATOR(_Znwm),
    OPERATOR(_Znam),
    OPERATOR(_ZnwmRKSt9nothrow_t),
    OPERATOR(_ZnamRKSt9nothrow_t),
    OPERATOR(_ZnwmSt11align_val_t),
    OPERATOR(_ZnamSt11align_val_t),
    OPERATOR(_ZnwmSt11align_val_tRKSt9nothrow_t),
    OPERATOR(_ZnamSt11align_val_tRKSt9nothrow_t),
    {0},
};
