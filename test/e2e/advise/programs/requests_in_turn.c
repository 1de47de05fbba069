/* Asks a server for numbers.  Planted: each request waits for the answer before.  CLEAN: all are sent first. */
#include <arpa/inet.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

enum { REQUESTS = 300 };

static void *serve(void *listener) {
  unsigned char buffer[REQUESTS];
  int fd = accept((int)(long)listener, NULL, NULL);
  for (ssize_t bytes; (bytes = read(fd, buffer, sizeof buffer)) > 0;) {
    usleep(1000); /* the way there and back */
    for (ssize_t i = 0; i < bytes; i++)
      buffer[i] ^= 0x55;
    if (write(fd, buffer, (size_t)bytes) != bytes)
      abort();
  }
  close(fd);
  return NULL;
}

__attribute__((noinline)) static void ask(int fd, unsigned char what) {
  if (write(fd, &what, 1) != 1)
    abort();
}

__attribute__((noinline)) static unsigned answer(int fd) {
  unsigned char number;
  if (read(fd, &number, 1) != 1)
    abort();
  return number;
}

int main(void) {
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  socklen_t bytes = sizeof address;
  int listener = socket(AF_INET, SOCK_STREAM, 0), fd = socket(AF_INET, SOCK_STREAM, 0);
  pthread_t thread;
  unsigned sum = 0;
  if (bind(listener, (struct sockaddr *)&address, bytes) || listen(listener, 1) ||
      getsockname(listener, (struct sockaddr *)&address, &bytes))
    return 3;
  pthread_create(&thread, NULL, serve, (void *)(long)listener);
  if (connect(fd, (struct sockaddr *)&address, bytes))
    return 3;
#ifdef CLEAN
  for (unsigned i = 0; i < REQUESTS; i++)
    ask(fd, (unsigned char)i);
  for (unsigned i = 0; i < REQUESTS; i++)
    sum += answer(fd);
#else
  for (unsigned i = 0; i < REQUESTS; i++) {
    ask(fd, (unsigned char)i);
    sum += answer(fd);
  }
#endif
  close(fd);
  pthread_join(thread, NULL);
  printf("%u\n", sum);
  return 0;
}
