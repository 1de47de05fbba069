/*
 * files.c - see files.h.
 *
 * A descriptor is looked up when it is used first, by /proc and the socket's address, and again after it was closed,
 * duplicated, connected or bound.  Equal names have one number: open addressing, filled under a lock that nobody waits
 * for long, so that neither a signal handler nor a forked child can hang; who doesn't get it has no name this time.  No
 * memory but static one and mmap.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <netinet/in.h>
#include <sched.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "endpoints.h"
#include "files.h"
#include "wrapped.h"

#define DESCRIPTORS 65536
#define NAMES 32768u           /* a power of two; at most half are used */
#define ARENA_BYTES (1u << 20) /* of names, mapped piece by piece */
#define KIND_SHIFT 30
#define NUMBER_MASK ((1u << KIND_SHIFT) - 1)
#define PEER_SLOTS 1024u
#define PEER_MASK ((1u << 20) - 1) /* of numbers */
#define PEERS_MOST 4096            /* names: a program may have more peers than there is room for names */
#define MISSED_MOST 4096           /* likewise, of paths that could not be opened */
#define YIELDS 200                 /* then naps of a millisecond */
#define NAPS 20

static uint32_t file_of[DESCRIPTORS]; /* number + 1, and above it enum prof_datagrams; 0: to be looked up */
static struct {
  uint32_t number;
  const char *text;
} names[NAMES];
static uint32_t name_count, peer_count, missed_count;
static bool blocks[NAMES / 2 + 1]; /* by number */
static char *arena, *arena_end;
static uint32_t locked;     /* the owner's thread id; 0: free */
static uint32_t lost_owner; /* that was waited for in vain, as a forked child's */
uint32_t prof_files_sealed;

/* Signals stay as they are: a handler that interrupts the owner gives up. */
static bool lock(void) {
  const struct timespec nap = {0, 1000000};
  const uint32_t self = (uint32_t)syscall(SYS_gettid);
  int error = errno;
  uint32_t owner = 0;
  for (int turn = 0; turn < YIELDS + NAPS; turn++, owner = 0) {
    if (__atomic_compare_exchange_n(&locked, &owner, self, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
      return true;
    if (owner == self || owner == __atomic_load_n(&lost_owner, __ATOMIC_RELAXED))
      return false;
    if (turn < YIELDS)
      sched_yield();
    else
      syscall(SYS_nanosleep, &nap, NULL);
  }
  __atomic_store_n(&lost_owner, __atomic_load_n(&locked, __ATOMIC_RELAXED), __ATOMIC_RELAXED);
  errno = error;
  return false;
}

/* NULL: no memory. */
static const char *keep(const char *text) {
  size_t bytes = strlen(text) + 1;
  if ((size_t)(arena_end - arena) < bytes) {
    char *piece = mmap(NULL, ARENA_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (piece == MAP_FAILED)
      return NULL;
    arena = piece;
    arena_end = piece + ARENA_BYTES;
  }
  char *kept = memcpy(arena, text, bytes);
  arena += bytes;
  return kept;
}

static bool is_endpoint(const char *text) {
  return text[0] != '/' || strncmp(text, "/dev/pts/", 9) == 0 || strncmp(text, "/dev/tty", 8) == 0;
}

/* Under the lock; 0: no room, or it is a new name and none may be added. */
static uint32_t number_of(const char *text, bool adds) {
  uint32_t at = 2166136261u; /* FNV-1a */
  for (const char *byte = text; *byte; byte++)
    at = (at ^ (unsigned char)*byte) * 16777619u;
  for (at &= NAMES - 1; names[at].number; at = (at + 1) & (NAMES - 1))
    if (strcmp(names[at].text, text) == 0)
      return names[at].number;
  const char *kept = adds && name_count < NAMES / 2 ? keep(text) : NULL;
  if (!kept)
    return 0;
  names[at].text = kept;
  names[at].number = ++name_count;
  __atomic_store_n(&blocks[name_count], is_endpoint(text), __ATOMIC_RELAXED);
  prof_measure.name(name_count, kept);
  return name_count;
}

static bool name_descriptor(int descriptor, enum prof_socket_use use, char out[PROF_NAME_BYTES],
                            enum prof_datagrams *datagrams) {
  char link[40];
  snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
  ssize_t bytes = readlink(link, out, PROF_NAME_BYTES - 1);
  if (bytes <= 0)
    return false;
  out[bytes] = 0;
  if (strncmp(out, "socket:", 7) == 0 && !prof_endpoint_of_socket(descriptor, use, out, datagrams))
    strcpy(out, "socket");
  else if (strncmp(out, "pipe:", 5) == 0)
    strcpy(out, "pipe");
  return true;
}

static uint32_t look_up(int descriptor, enum prof_socket_use use) {
  char text[PROF_NAME_BYTES];
  enum prof_datagrams datagrams = PROF_DATAGRAMS_NONE;
  if (__atomic_load_n(&prof_files_sealed, __ATOMIC_RELAXED) || !lock())
    return 0;
  int error = errno;
  uint32_t number = name_descriptor(descriptor, use, text, &datagrams) ? number_of(text, true) : 0;
  __atomic_store_n(&locked, 0, __ATOMIC_RELEASE);
  __atomic_store_n(&file_of[descriptor], (number + 1) | (uint32_t)datagrams << KIND_SHIFT, __ATOMIC_RELAXED);
  errno = error;
  return number;
}

/* What file_of has of it; 0: to be looked up. */
static uint32_t known_of(int descriptor) {
  return descriptor < 0 || descriptor >= DESCRIPTORS ? 0 : __atomic_load_n(&file_of[descriptor], __ATOMIC_RELAXED);
}

uint32_t prof_file_of(int descriptor) {
  if (descriptor < 0 || descriptor >= DESCRIPTORS)
    return 0;
  uint32_t known = known_of(descriptor);
  return known ? (known & NUMBER_MASK) - 1 : look_up(descriptor, PROF_SOCKET_PLAIN);
}

uint32_t prof_file_accepted(int descriptor) {
  return descriptor < 0 || descriptor >= DESCRIPTORS ? 0 : look_up(descriptor, PROF_SOCKET_ACCEPTED);
}

void prof_file_bound(int descriptor, const struct sockaddr *address, socklen_t bytes) {
  const size_t port = offsetof(struct sockaddr_in, sin_port); /* sin6_port lies there too */
  uint16_t chosen;
  if (descriptor < 0 || descriptor >= DESCRIPTORS || bytes < sizeof(struct sockaddr_in) ||
      (address->sa_family != AF_INET && address->sa_family != AF_INET6))
    return;
  memcpy(&chosen, (const char *)address + port, sizeof chosen);
  if (chosen == 0)
    look_up(descriptor, PROF_SOCKET_ANY_PORT);
}

/* ---- peers of datagrams ---- */

bool prof_file_has_peers(int descriptor) {
  return known_of(descriptor) >> KIND_SHIFT != PROF_DATAGRAMS_NONE;
}

/* The last number of an address with this hash: its upper bits, and the number below them.  0: none. */
static uint64_t *peer_slot(uint64_t hash) {
  static uint64_t slots[PEER_SLOTS];
  return &slots[hash >> 32 & (PEER_SLOTS - 1)];
}

static uint64_t hash_of(const unsigned char *bytes, size_t count, uint64_t hash) {
  for (size_t i = 0; i < count; i++)
    hash = (hash ^ bytes[i]) * 1099511628211ull; /* FNV-1a */
  return hash * 0x9e3779b97f4a7c15ull;
}

uint32_t prof_file_of_peer(int descriptor, uint32_t file, const struct sockaddr *peer, socklen_t bytes) {
  const enum prof_datagrams datagrams = known_of(descriptor) >> KIND_SHIFT;
  char text[PROF_NAME_BYTES];
  if (datagrams == PROF_DATAGRAMS_NONE || bytes < sizeof(sa_family_t) || bytes > sizeof(struct sockaddr_storage))
    return file;
  const uint64_t hash = hash_of((const unsigned char *)peer, bytes, 14695981039346656037ull + datagrams);
  uint64_t *slot = peer_slot(hash);
  const uint64_t found = __atomic_load_n(slot, __ATOMIC_RELAXED);
  if ((found & ~(uint64_t)PEER_MASK) == (hash & ~(uint64_t)PEER_MASK) && (found & PEER_MASK) != 0)
    return (uint32_t)(found & PEER_MASK);
  if (__atomic_load_n(&prof_files_sealed, __ATOMIC_RELAXED) || !lock())
    return file;
  int error = errno;
  const uint32_t before = name_count;
  uint32_t number =
      peer_count < PEERS_MOST && prof_endpoint_of_peer(datagrams, peer, bytes, text) ? number_of(text, true) : 0;
  peer_count += name_count - before;
  __atomic_store_n(&locked, 0, __ATOMIC_RELEASE);
  if (number != 0)
    __atomic_store_n(slot, (hash & ~(uint64_t)PEER_MASK) | number, __ATOMIC_RELAXED);
  errno = error;
  return number ? number : file;
}

uint32_t prof_text_number(const char *text) {
  if (__atomic_load_n(&prof_files_sealed, __ATOMIC_RELAXED) || !lock())
    return 0;
  int error = errno;
  uint32_t number = number_of(text, true);
  __atomic_store_n(&locked, 0, __ATOMIC_RELEASE);
  errno = error;
  return number;
}

uint32_t prof_file_missed(const char *path) {
  char text[PROF_NAME_BYTES];
  const int error = errno;
  if (!path || error == EFAULT || error == EINVAL || error == ENOMEM || /* it may not have been read, nor be readable */
      __atomic_load_n(&prof_files_sealed, __ATOMIC_RELAXED) || !lock())
    return 0;
  const uint32_t before = name_count;
  size_t bytes = strnlen(path, sizeof text - 1);
  memcpy(text, path, bytes);
  text[bytes] = 0;
  uint32_t number = bytes > 0 ? number_of(text, missed_count < MISSED_MOST) : 0;
  missed_count += name_count - before;
  __atomic_store_n(&locked, 0, __ATOMIC_RELEASE);
  errno = error;
  return number;
}

bool prof_file_blocks(uint32_t file) {
  return file <= NAMES / 2 && __atomic_load_n(&blocks[file], __ATOMIC_RELAXED);
}

void prof_file_forget(int descriptor) {
  if (descriptor >= 0 && descriptor < DESCRIPTORS)
    __atomic_store_n(&file_of[descriptor], 0, __ATOMIC_RELAXED);
}
