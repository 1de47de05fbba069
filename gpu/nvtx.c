/*
 * gpu/nvtx.c - see nvtx.h.
 *
 * A range is written when it ends, with its begin.  The collector's own thread also writes open ranges, so that they
 * are in the trace however the program ends.  Pushed ranges are a stack per thread and domain; domains are few and
 * their ranges nest, so one stack per thread holds all.  Ranges with a number may end in another thread.  The C library
 * converts wide messages.
 */
#include "nvtx.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <wchar.h>

#include "capture.h"
#include "clock.h"
#include "stack.h"
#include "stream.h"

enum { DEPTH = 64, STARTED = 4096, NAME_BYTES = 512, HANDLES = 65536 };
enum { OF_THREAD = 1, OF_PROCESS = 2 };                     /* kinds of ranges */
enum { NAME_THREAD = 1, NAME_DEVICE = 2, NAME_STREAM = 3 }; /* kinds of names */

struct range {
  uint64_t start, number; /* number: of started ones; 0: free */
  uint32_t thing, thread;
  uint32_t name, domain; /* texts */
  bool captures;
  struct prof_gpu_moment moment; /* of its begin */
};

struct pushed { /* of a thread; kept after its end, for the next thread if no range is open */
  pthread_mutex_t lock;
  struct range open[DEPTH];
  uint32_t depth, tid;
  bool is_free;
  struct pushed *next;
};
static __thread struct pushed *own;
static struct pushed *all_pushed;
static pthread_key_t thread_ends;
static pthread_once_t has_key = PTHREAD_ONCE_INIT;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct range started[STARTED];
static uint64_t next_number;
static uint32_t next_thing;
static char *handles[HANDLES]; /* texts of domains and registered strings; handles are indices */
static uint32_t handle_count = 1;
static const struct prof_gpu_library *library;

void prof_gpu_nvtx_set_library(const struct prof_gpu_library *from) {
  __atomic_store_n(&library, from, __ATOMIC_RELEASE);
}

/* ---- texts ---- */

static const char *narrow(char out[NAME_BYTES], const wchar_t *wide) {
  size_t bytes = wide != NULL ? wcstombs(out, wide, NAME_BYTES - 1) : 0;
  if (bytes == (size_t)-1) { /* not in this locale */
    for (bytes = 0; wide[bytes] != 0 && bytes < NAME_BYTES - 1; bytes++)
      out[bytes] = wide[bytes] < 127 ? (char)wide[bytes] : '?';
  }
  out[bytes] = 0;
  return out;
}

static void *keep(const char *text) {
  uint32_t handle = 0;
  pthread_mutex_lock(&lock);
  if (handle_count < HANDLES && text != NULL && (handles[handle_count] = strdup(text)) != NULL)
    handle = handle_count++;
  pthread_mutex_unlock(&lock);
  return (void *)(uintptr_t)handle;
}

static const char *text_of(const void *handle) {
  uintptr_t index = (uintptr_t)handle;
  return index > 0 && index < HANDLES && handles[index] != NULL ? handles[index] : "";
}

static const char *message_of(const struct nvtx_attributes *attributes, char out[NAME_BYTES]) {
  if (attributes == NULL || attributes->size < sizeof *attributes || attributes->message == NULL)
    return "";
  if (attributes->message_type == NVTX_MESSAGE_ASCII)
    return attributes->message;
  if (attributes->message_type == NVTX_MESSAGE_WIDE)
    return narrow(out, attributes->message);
  return attributes->message_type == NVTX_MESSAGE_REGISTERED ? text_of(attributes->message) : "";
}

/* ---- ranges ---- */

static void give_up(void *given) {
  struct pushed *pushed = given;
  pthread_mutex_lock(&lock);
  pushed->is_free = pushed->depth == 0;
  pthread_mutex_unlock(&lock);
}

static void make_key(void) {
  (void)pthread_key_create(&thread_ends, give_up);
}

/* This thread's stack; NULL: no memory. */
static struct pushed *own_stack(void) {
  if (own != NULL)
    return own;
  pthread_once(&has_key, make_key);
  pthread_mutex_lock(&lock);
  struct pushed *found = all_pushed;
  while (found != NULL && !found->is_free)
    found = found->next;
  if (found == NULL && (found = calloc(1, sizeof *found)) != NULL) {
    pthread_mutex_init(&found->lock, NULL);
    found->next = all_pushed;
    all_pushed = found;
  }
  if (found != NULL) {
    found->is_free = false;
    found->tid = (uint32_t)gettid();
  }
  pthread_mutex_unlock(&lock);
  pthread_setspecific(thread_ends, found);
  return own = found;
}

static struct range begin(const char *name, const void *domain) {
  const char *of = text_of(domain);
  bool captures = prof_gpu_capture_range_begins(name); /* before its begin is read */
  return (struct range){.captures = captures,
                        .moment = prof_gpu_capture_now(),
                        .name = prof_gpu_stream_text(name),
                        .domain = *of != 0 ? prof_gpu_stream_text(of) : 0,
                        .thing = __atomic_add_fetch(&next_thing, 1, __ATOMIC_RELAXED),
                        .thread = own_stack() != NULL ? own->tid : (uint32_t)gettid(),
                        .start = prof_gpu_clock_now()};
}

static void say(const struct range *range, uint32_t kind, uint32_t flags) {
  if (!prof_gpu_capture_overlaps(range->moment, prof_gpu_capture_now()))
    return;
  struct prof_gpu_range message = {.start = range->start,
                                   .end = prof_gpu_clock_now(),
                                   .thread = range->thread,
                                   .name = range->name,
                                   .domain = range->domain,
                                   .kind = kind,
                                   .thing = range->thing,
                                   .flags = flags};
  prof_gpu_stream_record(PROF_GPU_RANGE, &message, sizeof message, NULL, NULL);
}

static void end(const struct range *range, uint32_t kind) {
  say(range, kind, 0);
  if (range->captures)
    prof_gpu_capture_range_ends();
}

static int push(const char *name, const void *domain) {
  /* Does nothing in a forked child: a thread that isn't there may hold a lock. */
  struct pushed *pushed = prof_gpu_stream_is_open() ? own_stack() : NULL;
  if (pushed == NULL)
    return -1;
  struct range range = begin(name, domain);
  prof_gpu_stack_push(name);
  pthread_mutex_lock(&pushed->lock);
  if (pushed->depth < DEPTH)
    pushed->open[pushed->depth] = range;
  int level = (int)pushed->depth++;
  pthread_mutex_unlock(&pushed->lock);
  return level;
}

static int pop(void) {
  struct pushed *pushed = prof_gpu_stream_is_open() ? own_stack() : NULL;
  if (pushed == NULL || pushed->depth == 0)
    return -1;
  pthread_mutex_lock(&pushed->lock);
  uint32_t level = --pushed->depth;
  struct range range = pushed->open[level < DEPTH ? level : 0];
  pthread_mutex_unlock(&pushed->lock);
  prof_gpu_stack_pop();
  if (level < DEPTH)
    end(&range, OF_THREAD);
  return (int)level;
}

/* The locks are released for writing, which may wait for the recorder. */
void prof_gpu_nvtx_look(void) {
  struct range open[DEPTH];
  pthread_mutex_lock(&lock);
  struct pushed *pushed = all_pushed;
  pthread_mutex_unlock(&lock);
  for (; pushed != NULL; pushed = pushed->next) { /* stacks are never freed, and new ones go to the front */
    pthread_mutex_lock(&pushed->lock);
    uint32_t count = pushed->depth < DEPTH ? pushed->depth : DEPTH;
    memcpy(open, pushed->open, count * sizeof *open);
    pthread_mutex_unlock(&pushed->lock);
    for (uint32_t i = 0; i < count; i++)
      say(&open[i], OF_THREAD, PROF_GPU_RANGE_OPEN);
  }
  uint64_t begun = __atomic_load_n(&next_number, __ATOMIC_RELAXED);
  for (size_t i = 0; i < STARTED && i <= begun; i++) {
    pthread_mutex_lock(&lock);
    struct range range = started[i];
    pthread_mutex_unlock(&lock);
    if (range.number != 0)
      say(&range, OF_PROCESS, PROF_GPU_RANGE_OPEN);
  }
}

static uint64_t start(const char *name, const void *domain) {
  if (!prof_gpu_stream_is_open())
    return 0;
  struct range range = begin(name, domain);
  pthread_mutex_lock(&lock);
  range.number = ++next_number;
  started[range.number % STARTED] = range; /* a later one overwrites one that never ends */
  pthread_mutex_unlock(&lock);
  return range.number;
}

static void end_started(uint64_t number) {
  if (!prof_gpu_stream_is_open())
    return;
  pthread_mutex_lock(&lock);
  struct range range = started[number % STARTED];
  if (range.number == number)
    started[number % STARTED].number = 0;
  pthread_mutex_unlock(&lock);
  if (range.number == number && number != 0)
    end(&range, OF_PROCESS);
}

/* ---- names ---- */

static void name_thing(uint32_t kind, uint64_t thing, const char *name) {
  struct prof_gpu_name message = {.kind = kind, .thing = thing};
  if (name != NULL && *name != 0)
    prof_gpu_stream_record(PROF_GPU_NAMED, &message, sizeof message, name, &message.name);
}

static void name_stream(void *stream, const char *name) {
  const struct prof_gpu_library *from = __atomic_load_n(&library, __ATOMIC_ACQUIRE);
  uint32_t number;
  if (from != NULL && from->cuptiGetStreamIdEx != NULL &&
      from->cuptiGetStreamIdEx(NULL, stream, 0, &number) == ABI_SUCCESS)
    name_thing(NAME_STREAM, number, name);
}

/* ---- functions that the program calls ---- */

static int push_ascii(const char *name) {
  return push(name != NULL ? name : "", NULL);
}
static int push_wide(const wchar_t *name) {
  char text[NAME_BYTES];
  return push(narrow(text, name), NULL);
}
static int push_ex(const struct nvtx_attributes *attributes) {
  char text[NAME_BYTES];
  return push(message_of(attributes, text), NULL);
}
static int domain_push(void *domain, const struct nvtx_attributes *attributes) {
  char text[NAME_BYTES];
  return push(message_of(attributes, text), domain);
}
static int domain_pop(void *domain) {
  (void)domain;
  return pop();
}
static uint64_t start_ascii(const char *name) {
  return start(name != NULL ? name : "", NULL);
}
static uint64_t start_wide(const wchar_t *name) {
  char text[NAME_BYTES];
  return start(narrow(text, name), NULL);
}
static uint64_t start_ex(const struct nvtx_attributes *attributes) {
  char text[NAME_BYTES];
  return start(message_of(attributes, text), NULL);
}
static uint64_t domain_start(void *domain, const struct nvtx_attributes *attributes) {
  char text[NAME_BYTES];
  return start(message_of(attributes, text), domain);
}
static void domain_end(void *domain, uint64_t number) {
  (void)domain;
  end_started(number);
}
static void *domain_register(void *domain, const char *text) {
  (void)domain;
  return keep(text);
}
static void name_thread(uint32_t tid, const char *name) {
  name_thing(NAME_THREAD, tid, name);
}
static void name_device(int device, const char *name) {
  name_thing(NAME_DEVICE, (uint64_t)device, name);
}

static const struct {
  int module;
  unsigned index;
  nvtx_function function;
} ours[] = {
#define OURS(module, index, function)                                                                                  \
  { module, index, (nvtx_function)(function) }
    OURS(NVTX_CORE, NVTX_RANGE_START_EX, start_ex),
    OURS(NVTX_CORE, NVTX_RANGE_START, start_ascii),
    OURS(NVTX_CORE, NVTX_RANGE_START_WIDE, start_wide),
    OURS(NVTX_CORE, NVTX_RANGE_END, end_started),
    OURS(NVTX_CORE, NVTX_RANGE_PUSH_EX, push_ex),
    OURS(NVTX_CORE, NVTX_RANGE_PUSH, push_ascii),
    OURS(NVTX_CORE, NVTX_RANGE_PUSH_WIDE, push_wide),
    OURS(NVTX_CORE, NVTX_RANGE_POP, pop),
    OURS(NVTX_CORE, NVTX_NAME_THREAD, name_thread),
    OURS(NVTX_CORE2, NVTX_DOMAIN_RANGE_START, domain_start),
    OURS(NVTX_CORE2, NVTX_DOMAIN_RANGE_END, domain_end),
    OURS(NVTX_CORE2, NVTX_DOMAIN_RANGE_PUSH, domain_push),
    OURS(NVTX_CORE2, NVTX_DOMAIN_RANGE_POP, domain_pop),
    OURS(NVTX_CORE2, NVTX_DOMAIN_REGISTER, domain_register),
    OURS(NVTX_CORE2, NVTX_DOMAIN_CREATE, keep),
    OURS(NVTX_CUDA, NVTX_NAME_CU_DEVICE, name_device),
    OURS(NVTX_CUDA, NVTX_NAME_CU_STREAM, name_stream),
    OURS(NVTX_CUDART, NVTX_NAME_CUDA_DEVICE, name_device),
    OURS(NVTX_CUDART, NVTX_NAME_CUDA_STREAM, name_stream),
#undef OURS
};

bool prof_gpu_nvtx_fill(nvtx_get_table *get_table) {
  const struct nvtx_callbacks *callbacks = get_table != NULL ? get_table(NVTX_TABLE_CALLBACKS) : NULL;
  if (callbacks == NULL || callbacks->struct_size < sizeof *callbacks || callbacks->get_module_table == NULL)
    return false;
  for (size_t i = 0; i < sizeof ours / sizeof *ours; i++) {
    nvtx_function **table = NULL;
    unsigned size = 0;
    if (callbacks->get_module_table(ours[i].module, &table, &size) && ours[i].index < size &&
        table[ours[i].index] != NULL)
      *table[ours[i].index] = ours[i].function;
  }
  return true;
}
