/* Writes records to a file.  Planted: one write for each.  CLEAN: 64 KiB at a time. */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { BUFFER = 65536 };
static char buffer[BUFFER];
static size_t used;

static void put(int fd, const void *bytes, size_t count) {
#ifdef CLEAN
  if (used + count > BUFFER) {
    if (write(fd, buffer, used) < 0)
      _exit(3);
    used = 0;
  }
  memcpy(buffer + used, bytes, count);
  used += count;
#else
  if (write(fd, bytes, count) < 0)
    _exit(3);
#endif
}

__attribute__((noinline)) static void write_record(int fd, unsigned number) {
  unsigned long x = number;
  for (int i = 0; i < 30; i++)
    x ^= x * 6364136223846793005ul >> 17;
  put(fd, &x, sizeof x);
}

int main(void) {
#ifdef CLEAN
  enum { RECORDS = 5000000 };
#else
  enum { RECORDS = 300000 };
#endif
  int fd = open("records.tmp", O_WRONLY | O_CREAT | O_TRUNC, 0600);
  for (unsigned i = 0; i < RECORDS; i++)
    write_record(fd, i);
  if (used > 0 && write(fd, buffer, used) < 0)
    return 3;
  close(fd);
  unlink("records.tmp");
  return 0;
}
