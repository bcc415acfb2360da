/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Functions that glibc 2.28 lacks, for binaries that run on it. old_glibc.py links them through an
 * archive that replaces glibc's own libc_nonshared.a. LLVM's archives, libstdc++.a and our code
 * call them, because they are compiled with the headers of a newer glibc. A symbol that is neither
 * here nor in glibc 2.28 is a link error. All symbols are hidden: each binary contains those that
 * it uses. */

#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

extern int __cxa_atexit(void (*)(void *), void *, void *);
extern int __register_atfork(void (*)(void), void (*)(void), void (*)(void), void *);

#pragma GCC visibility push(hidden)

/* --- In libc_nonshared.a of every glibc --- */

extern void *__dso_handle;

int atexit(void (*function)(void)) {
  return __cxa_atexit((void (*)(void *))function, NULL, __dso_handle);
}

int pthread_atfork(void (*prepare)(void), void (*parent)(void), void (*child)(void)) {
  return __register_atfork(prepare, parent, child, __dso_handle);
}

/* --- glibc 2.30 --- */

pid_t gettid(void) { return (pid_t)syscall(SYS_gettid); }

enum { Second = 1000000000 };

static int64_t now(clockid_t clock) {
  struct timespec time;
  clock_gettime(clock, &time);
  return time.tv_sec * Second + time.tv_nsec;
}

/* The older functions take a time of the clock that can be set, CLOCK_REALTIME. */
typedef struct {
  struct timespec end;
  int isOver;
} Deadline;

static Deadline deadline(clockid_t clock, const struct timespec *end) {
  int64_t left = end->tv_sec * Second + end->tv_nsec - now(clock);
  int64_t until = now(CLOCK_REALTIME) + left;
  return (Deadline){{until / Second, until % Second}, left <= 0};
}

/* If that clock is set meanwhile, they return too early; then these functions wait again. */
int pthread_mutex_clocklock(pthread_mutex_t *mutex, clockid_t clock, const struct timespec *end) {
  for (;;) {
    Deadline next = deadline(clock, end);
    int status = pthread_mutex_timedlock(mutex, &next.end);
    if (status != ETIMEDOUT || next.isOver)
      return status;
  }
}

int pthread_cond_clockwait(pthread_cond_t *condition, pthread_mutex_t *mutex, clockid_t clock,
                           const struct timespec *end) {
  for (;;) {
    Deadline next = deadline(clock, end);
    int status = pthread_cond_timedwait(condition, mutex, &next.end);
    if (status != ETIMEDOUT || next.isOver)
      return status;
  }
}

/* --- glibc 2.32 --- */

/* Whether the process has only one thread, so that libstdc++ can avoid atomic operations. Always
 * false, because it is not tracked here. */
char __libc_single_threaded = 0;

/* --- glibc 2.33: inline functions in the headers of older versions --- */

_Static_assert(sizeof(struct stat) == sizeof(struct stat64), "both have the kernel's form");

static int statAt(const char *path, void *result, int flags) {
  return (int)syscall(SYS_newfstatat, AT_FDCWD, path, result, flags);
}

int stat(const char *path, struct stat *result) { return statAt(path, result, 0); }
int stat64(const char *path, struct stat64 *result) { return statAt(path, result, 0); }
int lstat(const char *path, struct stat *result) {
  return statAt(path, result, AT_SYMLINK_NOFOLLOW);
}
int lstat64(const char *path, struct stat64 *result) {
  return statAt(path, result, AT_SYMLINK_NOFOLLOW);
}
int fstat(int file, struct stat *result) { return (int)syscall(SYS_fstat, file, result); }
int fstat64(int file, struct stat64 *result) { return (int)syscall(SYS_fstat, file, result); }

int mknod(const char *path, mode_t mode, dev_t device) {
  return (int)syscall(SYS_mknodat, AT_FDCWD, path, mode, (unsigned)device);
}

/* The older function has 32-bit counters. */
struct mallinfo2 mallinfo2(void) {
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
  struct mallinfo old = mallinfo();
#pragma GCC diagnostic pop
  return (struct mallinfo2){(unsigned)old.arena,   (unsigned)old.ordblks,  (unsigned)old.smblks,
                            (unsigned)old.hblks,   (unsigned)old.hblkhd,   (unsigned)old.usmblks,
                            (unsigned)old.fsmblks, (unsigned)old.uordblks, (unsigned)old.fordblks,
                            (unsigned)old.keepcost};
}

/* --- glibc 2.36 --- */

uint32_t arc4random(void) {
  uint32_t result;
  while (getrandom(&result, sizeof result, 0) != sizeof result)
    if (errno != EINTR)
      abort();
  return result;
}
