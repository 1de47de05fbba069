/*
 * tools/analysis/advise/call_classes.c - see call_classes.h.
 */
#include "analysis/advise/call_classes.h"

#include <stdbool.h>
#include <string.h>

struct known {
  const char *name;
  enum prof_call_class class;
  bool prefix; /* more may follow */
};

/* Names without the underscores in front. */
static const struct known names[] = {
    {"malloc", PROF_CALL_ALLOCATION, true},
    {"calloc", PROF_CALL_ALLOCATION, false},
    {"realloc", PROF_CALL_ALLOCATION, false},
    {"free", PROF_CALL_ALLOCATION, false},
    {"cfree", PROF_CALL_ALLOCATION, false},
    {"int_malloc", PROF_CALL_ALLOCATION, true},
    {"int_free", PROF_CALL_ALLOCATION, true},
    {"int_realloc", PROF_CALL_ALLOCATION, true},
    {"unlink_chunk", PROF_CALL_ALLOCATION, true},
    {"sysmalloc", PROF_CALL_ALLOCATION, true},
    {"systrim", PROF_CALL_ALLOCATION, true},
    {"tcache_", PROF_CALL_ALLOCATION, true},
    {"arena_get", PROF_CALL_ALLOCATION, true},
    {"alloc_perturb", PROF_CALL_ALLOCATION, true},
    {"operator new", PROF_CALL_ALLOCATION, true},
    {"operator delete", PROF_CALL_ALLOCATION, true},
    {"Znwm", PROF_CALL_ALLOCATION, true},
    {"Znam", PROF_CALL_ALLOCATION, true},
    {"ZdlPv", PROF_CALL_ALLOCATION, true},
    {"ZdaPv", PROF_CALL_ALLOCATION, true},
    {"je_malloc", PROF_CALL_ALLOCATION, true},
    {"tc_malloc", PROF_CALL_ALLOCATION, true},
    {"mi_malloc", PROF_CALL_ALLOCATION, true},
    {"mi_free", PROF_CALL_ALLOCATION, true},
    {"strlen", PROF_CALL_LENGTH, true},
    {"pthread_mutex_lock", PROF_CALL_LOCK, true},
    {"pthread_mutex_unlock", PROF_CALL_LOCK, true},
    {"pthread_mutex_cond_lock", PROF_CALL_LOCK, false},
    {"pthread_rwlock_", PROF_CALL_LOCK, true},
    {"pthread_spin_lock", PROF_CALL_LOCK, false},
    {"lll_lock_wait", PROF_CALL_LOCK, true},
    {"lll_lock_wake", PROF_CALL_LOCK, true},
    {"pthread_cond_wait", PROF_CALL_SLEEP, true},
    {"pthread_cond_timedwait", PROF_CALL_SLEEP, true},
    {"pthread_cond_clockwait", PROF_CALL_SLEEP, true},
    {"pthread_join", PROF_CALL_SLEEP, true},
    {"pthread_barrier_wait", PROF_CALL_SLEEP, true},
    {"sem_wait", PROF_CALL_SLEEP, true},
    {"sem_timedwait", PROF_CALL_SLEEP, true},
    {"poll", PROF_CALL_SLEEP, false},
    {"ppoll", PROF_CALL_SLEEP, false},
    {"select", PROF_CALL_SLEEP, false},
    {"pselect", PROF_CALL_SLEEP, false},
    {"epoll_wait", PROF_CALL_SLEEP, true},
    {"nanosleep", PROF_CALL_SLEEP, false},
    {"clock_nanosleep", PROF_CALL_SLEEP, true},
    {"usleep", PROF_CALL_SLEEP, false},
    {"sleep", PROF_CALL_SLEEP, false},
    {"waitpid", PROF_CALL_SLEEP, false},
    {"wait4", PROF_CALL_SLEEP, false},
    {"write", PROF_CALL_WRITE, false},
    {"pwrite64", PROF_CALL_WRITE, false},
    {"pwrite", PROF_CALL_WRITE, false},
    {"send", PROF_CALL_WRITE, false},
    {"sendto", PROF_CALL_WRITE, false},
    {"read", PROF_CALL_READ, false},
    {"pread64", PROF_CALL_READ, false},
    {"pread", PROF_CALL_READ, false},
    {"recv", PROF_CALL_READ, false},
    {"recvfrom", PROF_CALL_READ, false},
    {"sched_yield", PROF_CALL_YIELD, false},
    {"cxa_throw", PROF_CALL_UNWIND, false},
    {"Unwind_", PROF_CALL_UNWIND, true},
    {"gxx_personality", PROF_CALL_UNWIND, true},
    {"cxa_allocate_exception", PROF_CALL_UNWIND, false},
    {"pthread_create", PROF_CALL_THREAD, false},
};

/* Cuts what libc puts before a name: "__GI___libc_", "___". */
static size_t cut_front(const char **name, size_t bytes) {
  static const char *const fronts[] = {"_", "GI_", "libc_"};
  for (bool cut = true; cut;) {
    cut = false;
    for (size_t i = 0; i < sizeof fronts / sizeof *fronts; i++) {
      size_t length = strlen(fronts[i]);
      if (bytes > length && !strncmp(*name, fronts[i], length)) {
        *name += length;
        bytes -= length;
        cut = true;
      }
    }
  }
  return bytes;
}

/* Cuts what follows it: "@GLIBC_2.2.5", "_nocancel". */
static size_t cut_back(const char *name, size_t bytes) {
  static const char suffix[] = "_nocancel";
  const char *version = memchr(name, '@', bytes);
  bytes = version ? (size_t)(version - name) : bytes;
  size_t length = strlen(suffix);
  return bytes > length && !strncmp(name + bytes - length, suffix, length) ? bytes - length : bytes;
}

enum prof_call_class prof_call_class_of(const char *name, size_t bytes) {
  bytes = cut_front(&name, bytes);
  bytes = cut_back(name, bytes);
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    size_t length = strlen(names[i].name);
    if (bytes >= length && !strncmp(name, names[i].name, length) && (names[i].prefix || bytes == length))
      return names[i].class;
  }
  return PROF_CALL_OTHER;
}
