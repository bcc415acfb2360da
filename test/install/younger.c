/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Tests the functions with which wheels replace those of a newer glibc. Linked like the contents of
 * a wheel (packaging/glibc); wheel.py builds and runs it. Each line of output is the result of one
 * function. */

#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static int failures, constructed;

static void expect(int holds, const char *what) {
  failures += !holds;
  printf("%s: %s\n", what, holds ? "yes" : "NO");
}

__attribute__((constructor)) static void construct(int count, char **arguments) {
  constructed = count == 2 && strcmp(arguments[1], "here") == 0;
}

static void atTheEnd(void) { puts("atexit: called"); }

static struct timespec in(clockid_t clock, long milliseconds) {
  struct timespec time;
  clock_gettime(clock, &time);
  time.tv_nsec += milliseconds * 1000000;
  time.tv_sec += time.tv_nsec / 1000000000;
  time.tv_nsec %= 1000000000;
  return time;
}

static int isOver(struct timespec end) {
  struct timespec now = in(CLOCK_MONOTONIC, 0);
  return now.tv_sec > end.tv_sec || (now.tv_sec == end.tv_sec && now.tv_nsec >= end.tv_nsec);
}

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;

static void *lockUntil(void *end) {
  return (void *)(intptr_t)pthread_mutex_clocklock(&mutex, CLOCK_MONOTONIC, end);
}

static void *notify(void *unused) {
  pthread_mutex_lock(&mutex);
  pthread_cond_signal(&condition);
  pthread_mutex_unlock(&mutex);
  return unused;
}

static intptr_t resultOf(void *(*function)(void *), void *argument, int holdMutex) {
  pthread_t thread;
  void *result;
  if (holdMutex)
    pthread_mutex_lock(&mutex);
  pthread_create(&thread, NULL, function, argument);
  pthread_join(thread, &result);
  if (holdMutex)
    pthread_mutex_unlock(&mutex);
  return (intptr_t)result;
}

static void testClocks(void) {
  struct timespec soon = in(CLOCK_MONOTONIC, 30), late = in(CLOCK_MONOTONIC, 60000);
  expect(resultOf(lockUntil, &soon, 1) == ETIMEDOUT && isOver(soon), "a mutex that is taken");
  expect(lockUntil(&late) == NULL, "a mutex that is free");

  soon = in(CLOCK_MONOTONIC, 30);
  int status = pthread_cond_clockwait(&condition, &mutex, CLOCK_MONOTONIC, &soon);
  expect(status == ETIMEDOUT && isOver(soon), "a condition that nobody signals");
  pthread_t thread;
  pthread_create(&thread, NULL, notify, NULL); // blocks on the mutex
  status = pthread_cond_clockwait(&condition, &mutex, CLOCK_MONOTONIC, &late);
  expect(status == 0 && !isOver(late), "a condition that is signalled");
  pthread_mutex_unlock(&mutex);
  pthread_join(thread, NULL);
}

static int forks;
static void countPrepare(void) { forks += 1; }
static void countParent(void) { forks += 10; }
static void countChild(void) { forks += 100; }

static void testFork(void) {
  int status = 0;
  expect(pthread_atfork(countPrepare, countParent, countChild) == 0, "pthread_atfork");
  fflush(stdout);
  pid_t child = fork();
  if (child == 0)
    _exit(forks);
  waitpid(child, &status, 0);
  expect(WEXITSTATUS(status) == 101 && forks == 11, "functions around a fork");
}

static void testFiles(void) {
  struct stat file, open, link, pipe;
  expect(symlink("younger.c", "link") == 0 && stat("link", &file) == 0 && S_ISREG(file.st_mode),
         "stat");
  expect(lstat("link", &link) == 0 && S_ISLNK(link.st_mode) && link.st_size == 9, "lstat");
  int descriptor = openat(AT_FDCWD, "link", O_RDONLY);
  expect(fstat(descriptor, &open) == 0 && open.st_ino == file.st_ino &&
             open.st_size == file.st_size && open.st_size == lseek(descriptor, 0, SEEK_END) &&
             open.st_mtime == file.st_mtime,
         "fstat");
  expect(stat("nowhere", &file) == -1 && errno == ENOENT, "a file that is not there");
  expect(mknod("pipe", S_IFIFO | 0600, 0) == 0 && stat("pipe", &pipe) == 0 &&
             S_ISFIFO(pipe.st_mode),
         "mknod");
}

int main(void) {
  expect(constructed, "the constructor before main, with its arguments");
  expect(atexit(atTheEnd) == 0, "atexit");
  expect(gettid() == getpid(), "gettid");
  expect(arc4random() != arc4random() || arc4random() != arc4random(), "arc4random");
  size_t before = mallinfo2().uordblks;
  char *volatile memory = malloc(100000);
  size_t after = mallinfo2().uordblks;
  free(memory);
  expect(after - before >= 100000 && after - before < 200000, "mallinfo2");
  testClocks();
  testFork();
  testFiles();
  return failures;
}
