/*
 * io.c - reads and writes in many ways, and prints what `prof io` must show: "want FUNCTION OPERATION CALLS BYTES
 * FILE". Runs in a folder of its own.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/seccomp.h>
#include <netinet/in.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#define APART __attribute__((noinline, noclone))
static char bytes[5000];

static void must(int good) {
  if (!good)
    abort();
}

APART static void plain(void) {
  int fd = open("plain", O_RDWR | O_CREAT | O_TRUNC, 0640);
  for (int i = 0; i < 10; i++)
    must(write(fd, bytes, 1000) == 1000);
  must(pread(fd, bytes, 500, 100) == 500 && pwrite(fd, bytes, 300, 0) == 300);
  must(fsync(fd) == 0 && fdatasync(fd) == 0 && close(fd) == 0);
  errno = 0;
  must(read(fd, bytes, 1) == -1 && errno == EBADF && open("missing/file", O_RDONLY) == -1 && errno == ENOENT);
  must(open("missing/file", O_RDONLY) == -1 && fopen("missing/stream", "r") == NULL && errno == ENOENT);
  must(openat(AT_FDCWD, "plain/below", O_RDONLY) == -1 && errno == ENOTDIR);
  must(open((const char *)8, O_RDONLY) == -1 && errno == EFAULT);
}

APART static void vectors(void) {
  struct iovec parts[] = {{bytes, 100}, {bytes + 100, 200}};
  int fd = open("vectors", O_RDWR | O_CREAT | O_TRUNC, 0600), out = open("copy", O_WRONLY | O_CREAT | O_TRUNC, 0600);
  must(writev(fd, parts, 2) == 300 && preadv(fd, parts, 2, 0) == 300 && pwritev(fd, parts, 2, 300) == 300);
  off_t at = 0;
  must(sendfile(out, fd, &at, 600) == 600);
  must(close(fd) == 0 && close(out) == 0);
}

APART static void stream(void) {
  FILE *file = fopen("stream", "w");
  for (int i = 0; i < 3000; i++)
    fprintf(file, "%04d\n", i); /* 15,000 bytes */
  must(fclose(file) == 0);
  file = fopen("stream", "r");
  size_t sum = 0;
  while (fgets(bytes, sizeof bytes, file))
    sum += strlen(bytes);
  must(sum == 15000 && fclose(file) == 0);
}

APART static void redirected(void) { /* the same number stands for two files, one after the other */
  int fd = open("first", O_WRONLY | O_CREAT | O_TRUNC, 0600),
      other = open("second", O_WRONLY | O_CREAT | O_TRUNC, 0600);
  must(write(fd, bytes, 10) == 10 && dup2(other, fd) == fd && write(fd, bytes, 20) == 20);
  close(fd);
  close(other);
}

static struct sockaddr_in address;
static void *serves(void *listening) {
  for (int client = 0; client < 3; client++) {
    int fd = accept((int)(intptr_t)listening, NULL, NULL);
    must(recv(fd, bytes, sizeof bytes, MSG_WAITALL) == 700);
    close(fd);
  }
  return NULL;
}
APART static void sockets(void) {
  int listening = socket(AF_INET, SOCK_STREAM, 0);
  socklen_t length = sizeof address;
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  must(bind(listening, (struct sockaddr *)&address, sizeof address) == 0 && listen(listening, 1) == 0);
  must(getsockname(listening, (struct sockaddr *)&address, &length) == 0);
  pthread_t thread;
  pthread_create(&thread, NULL, serves, (void *)(intptr_t)listening);
  for (int client = 0; client < 3; client++) {
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    must(connect(fd, (struct sockaddr *)&address, sizeof address) == 0);
    must(send(fd, bytes, 400, 0) == 400 && write(fd, bytes, 300) == 300);
    close(fd);
  }
  pthread_join(thread, NULL);
  close(listening);
}

APART static void newer(void) { /* calls with flags, and those of one name with several ways in */
  char path[] = "newXXXXXX";
  struct iovec parts[] = {{bytes, 100}, {bytes + 100, 200}};
  int fd = open("newer", O_RDWR | O_CREAT | O_TRUNC, 0600), other = mkstemp(path);
  must(pwritev2(fd, parts, 2, 0, 0) == 300 && preadv2(fd, parts, 1, 0, 0) == 100);
  must(copy_file_range(fd, NULL, other, NULL, 300, 0) == 300 || errno == EXDEV || errno == EOPNOTSUPP);
  close(fd);
  close(other);
  unlink(path);
}

static int bound(int kind, struct sockaddr_in *to) {
  socklen_t length = sizeof *to;
  int fd = socket(AF_INET, kind, 0);
  *to = (struct sockaddr_in){.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  must(bind(fd, (struct sockaddr *)to, length) == 0 && getsockname(fd, (struct sockaddr *)to, &length) == 0);
  return fd;
}

/* A client tells its peers apart; so does a server whose port the system chose. */
APART static void datagrams(unsigned ports[3]) {
  struct sockaddr_in to[2], from;
  int servers[2] = {bound(SOCK_DGRAM, &to[0]), bound(SOCK_DGRAM, &to[1])}, fd = socket(AF_INET, SOCK_DGRAM, 0);
  ports[0] = ntohs(to[0].sin_port);
  ports[1] = ntohs(to[1].sin_port);
  for (int i = 0; i < 6; i++)
    must(sendto(fd, bytes, 10, 0, (struct sockaddr *)&to[i % 3 == 2], sizeof to[0]) == 10);
  struct iovec part = {bytes, 30};
  struct mmsghdr messages[2] = {{{.msg_name = &to[1], .msg_namelen = sizeof to[1], .msg_iov = &part, .msg_iovlen = 1}}};
  messages[1] = messages[0];
  must(sendmsg(fd, &messages[0].msg_hdr, 0) == 30 && sendmmsg(fd, messages, 2, 0) == 2);
  for (int i = 0; i < 4; i++) {
    socklen_t length = sizeof from;
    must(recvfrom(servers[0], bytes, sizeof bytes, 0, (struct sockaddr *)&from, &length) == 10);
  }
  must(recvmmsg(servers[1], messages, 2, 0, NULL) == 2 && recv(servers[1], bytes, sizeof bytes, 0) == 30);
  must(recvmmsg(servers[1], messages, 2, 0, NULL) == 2);
  ports[2] = ntohs(from.sin_port);
  close(servers[0]);
  close(servers[1]);
  close(fd);
}

APART static void pipes(void) {
  int ends[2];
  must(pipe(ends) == 0 && write(ends[1], bytes, 64) == 64 && read(ends[0], bytes, 100) == 64);
  close(ends[0]);
  close(ends[1]);
}

APART static void child(int fd) {
  must(write(fd, bytes, 33) == 33);
}
APART static void forked(void) {
  int status, fd = open("forked", O_WRONLY | O_CREAT | O_TRUNC, 0600);
  pid_t pid = fork();
  if (pid == 0) {
    child(fd);
    _exit(5);
  }
  must(waitpid(pid, &status, 0) == pid && WIFEXITED(status) && WEXITSTATUS(status) == 5);
  close(fd);
}

APART static void twice(void) { /* a call that returns twice, through a wrapper */
  volatile int turns = 0;
  pid_t pid = vfork();
  if (pid == 0)
    _exit(6);
  turns++;
  int status;
  must(pid > 0 && waitpid(pid, &status, 0) == pid && WEXITSTATUS(status) == 6 && turns == 1);
  must(syscall(SYS_getpid) == getpid());
}

APART static void restricted(void) { /* only read, write, exit and sigreturn are allowed from now on */
  char text[] = "strict\n";
  int fd = open("strict", O_WRONLY | O_CREAT | O_TRUNC, 0600);
  if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_STRICT, 0, 0, 0))
    _exit(8);
  if (write(fd, text, 7) == 7 && write(1, text, 7) == 7) /* a probe could read no clock */
    syscall(SYS_exit, 7);
}

int main(int argc, char **argv) {
  plain();
  vectors();
  stream();
  redirected();
  unsigned ports[3];
  sockets();
  newer();
  datagrams(ports);
  pipes();
  forked();
  twice();
  printf("want plain write 10 10000 plain\nwant plain pread 1 500 plain\nwant plain pwrite 1 300 plain\n"
         "want plain fsync 1 0 plain\nwant plain fdatasync 1 0 plain\nwant plain open 1 0 plain\n"
         "want plain close 1 0 plain\nwant vectors writev 1 300 vectors\nwant vectors preadv 1 300 vectors\n"
         "want vectors pwritev 1 300 vectors\nwant vectors sendfile 1 600 copy\nwant stream open 2 0 stream\n"
         "want stream close 2 0 stream\nwant redirected write 1 10 first\nwant redirected write 1 20 second\n"
         "want sockets send 3 1200 tcp\nwant sockets write 3 900 tcp\nwant sockets connect 3 0 tcp\n"
         "want serves accept 3 0 clients\nwant serves receive 3 2100 clients\nwant pipes write 1 64 pipe\n"
         "want pipes read 1 64 pipe\nwant child write 1 33 forked\n"
         "want newer pwritev 1 300 newer\nwant newer preadv 1 100 newer\nwant newer open 1 0 newer\n");
  printf("want datagrams send 4 40 udp:%u\nwant datagrams send 2 20 udp:%u\nwant datagrams sendmsg 2 90 udp:%u\n"
         "want datagrams receive 4 40 udp:%u\nwant datagrams receive 1 30 udp_socket\n"
         "want datagrams recvmsg 2 80 udp:%u\n",
         ports[0], ports[1], ports[1], ports[2], ports[2]);
  fflush(stdout);
  if (argc > 1 && strcmp(argv[1], "strict") == 0)
    restricted();
  return 7;
}
