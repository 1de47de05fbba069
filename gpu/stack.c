/*
 * gpu/stack.c - see stack.h.
 *
 * Code without frame pointers hides its caller, or ends the chain: each step must lead further up the same stack.  A
 * range of NVTX stands below the functions that were open when it began and still are.  Frames are numbered as nodes of
 * a tree, by caller and address; frames of CUDA's libraries and ours are omitted.
 */
#include "stack.h"

#include <dlfcn.h>
#include <link.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "module.h"
#include "stream.h"
#include "version.h"

enum { DEPTH = 48, FIRST_SLOTS = 1024, RANGES = 16 };
#define RANGE_KEY (1ull << 63) /* marks a range: the other bits are its text */

struct chain { /* innermost first */
  uint32_t count;
  uintptr_t addresses[DEPTH];
  uintptr_t frames[DEPTH]; /* frame addresses of their functions */
};

struct node { /* a slot of the table: free if address is 0 */
  uintptr_t address;
  uint32_t parent, number; /* number: of an omitted frame, its parent's */
};

static __thread struct {
  uintptr_t end; /* of this thread's stack; 0: not read yet */
  uint32_t number, version;
  struct chain chain;
} last;

static __thread struct { /* NVTX ranges that this thread has pushed */
  uint32_t depth, version;
  struct {
    uint32_t text; /* 0: it is not shown */
    struct chain chain;
  } open[RANGES];
} ranges;

static struct {
  pthread_mutex_t lock;
  bool wanted;
  struct node *slots; /* open addressing, at most half full */
  uint32_t slot_count, count, next;
} frames = {.lock = PTHREAD_MUTEX_INITIALIZER};

void *prof_gpu_stack_runtime(void) {
  const char *path = secure_getenv(PROF_ENV_RUNTIME);
  return dlopen(path != NULL && *path != 0 ? path : PROF_RUNTIME_FILE, RTLD_LAZY | RTLD_LOCAL | RTLD_NOLOAD);
}

void prof_gpu_stack_begin(void) {
  void *runtime = prof_gpu_stack_runtime();
  frames.wanted = runtime == NULL;
  if (runtime != NULL)
    dlclose(runtime);
}

/* ---- the chain ---- */

static uintptr_t stack_end(void) {
  pthread_attr_t attributes;
  void *low = NULL;
  size_t bytes = 0;
  if (pthread_getattr_np(pthread_self(), &attributes) != 0)
    return 0;
  if (pthread_attr_getstack(&attributes, &low, &bytes) != 0)
    low = NULL;
  pthread_attr_destroy(&attributes);
  return (uintptr_t)low + bytes;
}

static void walk(struct chain *chain) {
  uintptr_t frame = (uintptr_t)__builtin_frame_address(0);
  uint32_t count = 0;
  if (last.end == 0)
    last.end = stack_end();
  while (count < DEPTH && frame % sizeof frame == 0 && frame + 2 * sizeof frame <= last.end) {
    const uintptr_t *words = (const uintptr_t *)frame;
    if (words[1] < 4096)
      break;
    chain->frames[count] = words[0];
    chain->addresses[count++] = words[1] - 1; /* within the call */
    if (words[0] <= frame)
      break;
    frame = words[0];
  }
  chain->count = count;
}

/* Number of functions, from the outermost, that were open then and still are. */
static uint32_t common(const struct chain *then, const struct chain *now) {
  uint32_t count = 0;
  while (count < then->count && count < now->count &&
         then->frames[then->count - 1 - count] == now->frames[now->count - 1 - count])
    count++;
  return count;
}

void prof_gpu_stack_push(const char *name) {
  uint32_t level = ranges.depth++;
  ranges.version++;
  if (level >= RANGES)
    return;
  ranges.open[level].text = frames.wanted ? prof_gpu_stream_text(name) : 0;
  if (frames.wanted)
    walk(&ranges.open[level].chain);
}

void prof_gpu_stack_pop(void) {
  ranges.depth -= ranges.depth > 0;
  ranges.version++;
}

/* ---- numbers ---- */

/* Omits frames of CUDA and prof, frames of no file (no code, or generated code), and libc's start of main or a
 * thread. */
static bool is_left_out(const char *path, uint32_t parent) {
  static const char *const names[] = {"libcuda.so", "libcudart", "libcupti", "libprof-gpu"};
  const char *slash = strrchr(path, '/'), *name = slash != NULL ? slash + 1 : path;
  if (*path != '/' || (parent == 0 && strncmp(name, "libc.so", 7) == 0))
    return true;
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (strncmp(name, names[i], strlen(names[i])) == 0)
      return true;
  return false;
}

static struct node *find(struct node *slots, uint32_t slot_count, uint32_t parent, uintptr_t address) {
  uint64_t hash = (address + parent * 0x9e3779b97f4a7c15ull) * 0xd1b54a32d192ed03ull;
  for (uint32_t at = (uint32_t)(hash >> 32) & (slot_count - 1);; at = (at + 1) & (slot_count - 1))
    if (slots[at].address == 0 || (slots[at].address == address && slots[at].parent == parent))
      return &slots[at];
}

static bool grow(void) {
  uint32_t slot_count = frames.slot_count != 0 ? 2 * frames.slot_count : FIRST_SLOTS;
  struct node *slots = calloc(slot_count, sizeof *slots);
  if (slots == NULL)
    return false;
  for (uint32_t i = 0; i < frames.slot_count; i++)
    if (frames.slots[i].address != 0)
      *find(slots, slot_count, frames.slots[i].parent, frames.slots[i].address) = frames.slots[i];
  free(frames.slots);
  frames.slots = slots;
  frames.slot_count = slot_count;
  return true;
}

static uint32_t announce_range(uint32_t parent, uint32_t text) {
  struct prof_gpu_frame frame = {.thing = ++frames.next, .parent = parent, .name = text, .is_range = 1};
  prof_gpu_stream_record(PROF_GPU_FRAME, &frame, sizeof frame, NULL, NULL);
  return frame.thing;
}

/* Numbers a new frame, and reports it to the recorder unless it is omitted. */
static uint32_t announce(uint32_t parent, uintptr_t address) {
  char executable[4096];
  struct link_map *map = NULL;
  Dl_info info;
  const char *path = "";
  if (dladdr1((void *)address, &info, (void **)&map, RTLD_DL_LINKMAP) != 0 && map != NULL) {
    path = map->l_name;
    ssize_t bytes = *path == 0 ? readlink("/proc/self/exe", executable, sizeof executable - 1) : 0;
    if (bytes > 0) {
      executable[bytes] = 0;
      path = executable;
    }
  }
  if (is_left_out(path, parent))
    return parent;
  struct prof_gpu_frame frame = {
      .offset = address - (map != NULL ? map->l_addr : 0), .thing = ++frames.next, .parent = parent};
  prof_gpu_stream_record(PROF_GPU_FRAME, &frame, sizeof frame, path, &frame.name);
  return frame.thing;
}

/* The lock is held. */
static uint32_t child_of(uint32_t parent, uintptr_t address) {
  if (2 * (frames.count + 1) > frames.slot_count && !grow())
    return parent;
  struct node *node = find(frames.slots, frames.slot_count, parent, address);
  if (node->address == 0) {
    bool is_range = address & RANGE_KEY;
    *node = (struct node){address, parent,
                          is_range ? announce_range(parent, (uint32_t)address) : announce(parent, address)};
    frames.count++;
  }
  return node->number;
}

/* Adds the ranges, from *range on, that began where at most `placed` functions were open. */
static uint32_t children_of_ranges(uint32_t number, const struct chain *now, uint32_t placed, uint32_t *range) {
  uint32_t depth = ranges.depth < RANGES ? ranges.depth : RANGES;
  for (; *range < depth && common(&ranges.open[*range].chain, now) <= placed; ++*range)
    if (ranges.open[*range].text != 0)
      number = child_of(number, RANGE_KEY | ranges.open[*range].text);
  return number;
}

uint32_t prof_gpu_stack_take(void) {
  struct chain now;
  if (!frames.wanted)
    return 0;
  walk(&now);
  if (now.count == last.chain.count && ranges.version == last.version &&
      memcmp(now.addresses, last.chain.addresses, now.count * sizeof *now.addresses) == 0)
    return last.number;
  uint32_t number = 0, range = 0;
  pthread_mutex_lock(&frames.lock);
  for (uint32_t placed = 0; placed < now.count; placed++) {
    number = children_of_ranges(number, &now, placed, &range);
    number = child_of(number, now.addresses[now.count - 1 - placed]);
  }
  number = children_of_ranges(number, &now, now.count, &range);
  pthread_mutex_unlock(&frames.lock);
  last.chain = now;
  last.version = ranges.version;
  last.number = number;
  return number;
}
