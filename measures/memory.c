/*
 * memory.c - wraps the allocator: what is allocated, resized and given back, and by which call.
 *
 * operator new of libstdc++ calls malloc or aligned_alloc itself.  Its wrapper only notes its caller in `tag`, so that
 * the event names the new expression.  A tag holds while its wrapper's frame is open; an exception that leaves the
 * wrapper ends it where it is caught.
 */
#define _GNU_SOURCE
#include <malloc.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "wrapped.h"

/* volatile: headers declare the allocator as functions that call nothing of this file. */
static __thread volatile struct {
  const char *frame; /* of the operator's wrapper; NULL: none */
  const void *caller;
  bool
      inside; /* the allocator is at work: what it calls of itself (reallocarray realloc) is no call of the program's */
} tag __attribute__((tls_model("initial-exec")));

#define HERE ((const char *)__builtin_frame_address(0))

/* The value of a call into the allocator. */
#define REAL(call)                                                                                                     \
  ({                                                                                                                   \
    tag.inside = true;                                                                                                 \
    __auto_type real_ = call;                                                                                          \
    tag.inside = false;                                                                                                \
    real_;                                                                                                             \
  })

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

/* A function that returns a new block. */
#define ALLOCATOR(name, parameters, arguments, bytes)                                                                  \
  static void *wrap_##name parameters {                                                                                \
    if (tag.inside)                                                                                                    \
      return name arguments;                                                                                           \
    return allocated(REAL(name arguments), bytes, site(PROF_CALLER, HERE));                                            \
  }
ALLOCATOR(malloc, (size_t bytes), (bytes), bytes)
ALLOCATOR(calloc, (size_t count, size_t bytes), (count, bytes), count *bytes) /* NULL if the product overflows */
ALLOCATOR(memalign, (size_t alignment, size_t bytes), (alignment, bytes), bytes)
ALLOCATOR(aligned_alloc, (size_t alignment, size_t bytes), (alignment, bytes), bytes)
ALLOCATOR(valloc, (size_t bytes), (bytes), bytes)
ALLOCATOR(pvalloc, (size_t bytes), (bytes), bytes)

static int wrap_posix_memalign(void **out, size_t alignment, size_t bytes) {
  if (tag.inside)
    return posix_memalign(out, alignment, bytes);
  int result = REAL(posix_memalign(out, alignment, bytes));
  if (result == 0)
    allocated(*out, bytes, site(PROF_CALLER, HERE));
  return result;
}

static void wrap_free(void *block) {
  if (block && !tag.inside)
    prof_measure.put(PROF_MEASURE_FREE, PROF_CALLER, 0, (uintptr_t)block);
  free(block);
}

static inline void resize_begins(void *old, const void *caller) {
  if (old)
    prof_measure.put(PROF_MEASURE_RESIZE_FROM, caller, 0, (uintptr_t)old);
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
  if (tag.inside)
    return realloc(old, bytes);
  const void *caller = site(PROF_CALLER, HERE);
  resize_begins(old, caller);
  return resized(REAL(realloc(old, bytes)), old, bytes, caller);
}

static void *wrap_reallocarray(void *old, size_t count, size_t bytes) {
  size_t product;
  if (tag.inside || __builtin_mul_overflow(count, bytes, &product))
    return reallocarray(old, count, bytes);
  const void *caller = site(PROF_CALLER, HERE);
  resize_begins(old, caller);
  return resized(REAL(reallocarray(old, count, bytes)), old, product, caller);
}

/* ---- memory without a file ---- */

#define PAGE_BYTES ((size_t)4096)

static size_t whole_pages(size_t bytes) {
  return (bytes + PAGE_BYTES - 1) & ~(PAGE_BYTES - 1);
}

static void *mapped(void *block, size_t bytes, int flags, const void *caller) {
  if (block != MAP_FAILED && flags & MAP_ANONYMOUS)
    prof_measure.put(PROF_MEASURE_MAP, caller, whole_pages(bytes), (uintptr_t)block);
  return block;
}

static void *wrap_mmap(void *at, size_t bytes, int protection, int flags, int fd, off_t offset) {
  if (tag.inside)
    return mmap(at, bytes, protection, flags, fd, offset);
  return mapped(mmap(at, bytes, protection, flags, fd, offset), bytes, flags, PROF_CALLER);
}

static void *wrap_mmap64(void *at, size_t bytes, int protection, int flags, int fd, off64_t offset) {
  if (tag.inside)
    return mmap64(at, bytes, protection, flags, fd, offset);
  return mapped(mmap64(at, bytes, protection, flags, fd, offset), bytes, flags, PROF_CALLER);
}

static int wrap_munmap(void *block, size_t bytes) {
  if (!tag.inside)
    prof_measure.put(PROF_MEASURE_UNMAP, PROF_CALLER, whole_pages(bytes), (uintptr_t)block);
  return munmap(block, bytes);
}

/* ---- operators of C++: names of the Itanium ABI ---- */

#define TAGGED(name, parameters, arguments)                                                                            \
  extern void *name parameters;                                                                                        \
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

extern void *__cxa_begin_catch(void *exception);
#pragma weak __cxa_begin_catch
static void *wrap___cxa_begin_catch(void *exception) {
  tag.frame = NULL;
  return __cxa_begin_catch(exception);
}

#define ROW(name)                                                                                                      \
  { #name, (void *)(uintptr_t)wrap_##name, NULL }
#define POINTED(name)                                                                                                  \
  { #name, (void *)(uintptr_t)wrap_##name, NULL, .by_pointer = true }
#define OPERATOR(name)                                                                                                 \
  { #name, (void *)(uintptr_t)wrap##name, NULL }
struct prof_wrapped prof_wrapped_memory[] = {
    POINTED(malloc),
    POINTED(calloc),
    POINTED(free),
    POINTED(realloc),
    ROW(reallocarray),
    ROW(memalign),
    ROW(aligned_alloc),
    ROW(posix_memalign),
    ROW(valloc),
    ROW(pvalloc),
    ROW(mmap),
    ROW(mmap64),
    ROW(munmap),
    ROW(__cxa_begin_catch),
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
