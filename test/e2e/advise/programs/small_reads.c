/* Sums the bytes of a file.  Planted: one read for each.  CLEAN: 64 KiB at a time. */
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

enum { BYTES = 1 << 20 };

#ifdef CLEAN
static inline int next_byte(int fd) {
  static unsigned char buffer[65536];
  static ssize_t at, got;
  if (at == got) {
    got = read(fd, buffer, sizeof buffer);
    at = 0;
  }
  return got > 0 ? buffer[at++] : -1;
}
#else
__attribute__((noinline)) static int next_byte(int fd) {
  unsigned char byte;
  return read(fd, &byte, 1) == 1 ? byte : -1;
}
#endif

int main(void) {
#ifdef CLEAN
  enum { ROUNDS = 10 };
#else
  enum { ROUNDS = 1 };
#endif
  static unsigned char block[BYTES];
  unsigned long sum = 0;
  int fd = open("bytes.tmp", O_RDWR | O_CREAT | O_TRUNC, 0600);
  if (fd < 0 || write(fd, block, BYTES) != BYTES)
    return 3;
  for (int round = 0; round < ROUNDS; round++) {
    int byte;
    lseek(fd, 0, SEEK_SET);
    for (int i = 0; i < BYTES / 4 && (byte = next_byte(fd)) >= 0; i++)
      sum += (unsigned)byte + 1;
  }
  printf("%lu\n", sum);
  close(fd);
  return unlink("bytes.tmp");
}
