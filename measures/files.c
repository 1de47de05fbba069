/*
 * files.c - see files.h.
 *
 * A descriptor is looked up when it is used first, by /proc and the socket's address, and again after it was closed,
 * duplicated or connected.  Equal names have one number: open addressing, filled under a lock that nobody waits for
 * long, so that neither a signal handler nor a forked child can hang; who doesn't get it has no name this time.  No
 * memory but static one and mmap.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include "files.h"
#include "wrapped.h"

#define DESCRIPTORS 65536
#define NAMES 32768u /* a power of two; at most half are used */
#define NAME_BYTES 1024
#define ARENA_BYTES (1u << 20) /* of names, mapped piece by piece */
#define YIELDS 200             /* then naps of a millisecond */
#define NAPS 20

static uint32_t file_of[DESCRIPTORS]; /* number + 1; 0: to be looked up */
static struct {
  uint32_t number;
  const char *text;
} names[NAMES];
static uint32_t name_count;
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

/* Under the lock; 0: no room. */
static uint32_t number_of(const char *text) {
  uint32_t at = 2166136261u; /* FNV-1a */
  for (const char *byte = text; *byte; byte++)
    at = (at ^ (unsigned char)*byte) * 16777619u;
  for (at &= NAMES - 1; names[at].number; at = (at + 1) & (NAMES - 1))
    if (strcmp(names[at].text, text) == 0)
      return names[at].number;
  const char *kept = name_count < NAMES / 2 ? keep(text) : NULL;
  if (!kept)
    return 0;
  names[at].text = kept;
  names[at].number = ++name_count;
  __atomic_store_n(&blocks[name_count], is_endpoint(text), __ATOMIC_RELAXED);
  prof_measure.name(name_count, kept);
  return name_count;
}

union address {
  struct sockaddr_storage any;
  struct sockaddr_in v4;
  struct sockaddr_in6 v6;
  struct sockaddr_un un;
};

/* "tcp 127.0.0.1:80", or "tcp clients of 127.0.0.1:80"; false: it has no address, or another kind. */
static bool name_socket(int descriptor, bool accepted, char out[NAME_BYTES]) {
  union address address;
  char text[INET6_ADDRSTRLEN];
  int type = 0;
  socklen_t type_bytes = sizeof type, bytes = sizeof address;
  memset(&address, 0, sizeof address);
  getsockopt(descriptor, SOL_SOCKET, SO_TYPE, &type, &type_bytes);
  const char *kind = type == SOCK_STREAM ? "tcp" : type == SOCK_DGRAM ? "udp" : "ip";
  const char *whose = accepted ? "clients of " : "";
  if (accepted || getpeername(descriptor, (struct sockaddr *)&address, &bytes) != 0) {
    bytes = sizeof address;
    if (getsockname(descriptor, (struct sockaddr *)&address, &bytes) != 0)
      return false;
  }
  if (address.any.ss_family == AF_INET && inet_ntop(AF_INET, &address.v4.sin_addr, text, sizeof text))
    snprintf(out, NAME_BYTES, "%s %s%s:%u", kind, whose, text, ntohs(address.v4.sin_port));
  else if (address.any.ss_family == AF_INET6 && inet_ntop(AF_INET6, &address.v6.sin6_addr, text, sizeof text))
    snprintf(out, NAME_BYTES, "%s %s[%s]:%u", kind, whose, text, ntohs(address.v6.sin6_port));
  else if (address.any.ss_family == AF_UNIX && bytes > sizeof(sa_family_t) && address.un.sun_path[0])
    snprintf(out, NAME_BYTES, "unix %s%.108s", whose, address.un.sun_path);
  else
    return false;
  return true;
}

static bool name_descriptor(int descriptor, bool accepted, char out[NAME_BYTES]) {
  char link[40];
  snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
  ssize_t bytes = readlink(link, out, NAME_BYTES - 1);
  if (bytes <= 0)
    return false;
  out[bytes] = 0;
  if (strncmp(out, "socket:", 7) == 0 && !name_socket(descriptor, accepted, out))
    strcpy(out, "socket");
  else if (strncmp(out, "pipe:", 5) == 0)
    strcpy(out, "pipe");
  return true;
}

static uint32_t look_up(int descriptor, bool accepted) {
  char text[NAME_BYTES];
  if (__atomic_load_n(&prof_files_sealed, __ATOMIC_RELAXED) || !lock())
    return 0;
  int error = errno;
  uint32_t number = name_descriptor(descriptor, accepted, text) ? number_of(text) : 0;
  __atomic_store_n(&locked, 0, __ATOMIC_RELEASE);
  __atomic_store_n(&file_of[descriptor], number + 1, __ATOMIC_RELAXED);
  errno = error;
  return number;
}

uint32_t prof_file_of(int descriptor) {
  if (descriptor < 0 || descriptor >= DESCRIPTORS)
    return 0;
  uint32_t known = __atomic_load_n(&file_of[descriptor], __ATOMIC_RELAXED);
  return known ? known - 1 : look_up(descriptor, false);
}

uint32_t prof_file_accepted(int descriptor) {
  return descriptor < 0 || descriptor >= DESCRIPTORS ? 0 : look_up(descriptor, true);
}

uint32_t prof_text_number(const char *text) {
  if (__atomic_load_n(&prof_files_sealed, __ATOMIC_RELAXED) || !lock())
    return 0;
  int error = errno;
  uint32_t number = number_of(text);
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
