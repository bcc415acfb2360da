/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Starts a program on glibc 2.28 although it was linked with the start file (crt1.o) of glibc 2.34
 * or newer. That file expects __libc_start_main to call the program's constructors, but an older
 * __libc_start_main expects the start file to pass a function for that as `init`. This
 * __libc_start_main passes one; old_glibc.py links it in front of the one in libc.so.6. */

#pragma GCC visibility push(hidden)

/* The first glibc version for this processor. */
#if defined(__x86_64__)
#define FIRST_VERSION "GLIBC_2.2.5"
#elif defined(__aarch64__)
#define FIRST_VERSION "GLIBC_2.17"
#else
#error "which version did the first glibc for this processor have?"
#endif

typedef int Main(int, char **, char **);
typedef void Constructor(int, char **, char **);
extern Constructor *__preinit_array_start[], *__preinit_array_end[];
extern Constructor *__init_array_start[], *__init_array_end[];

static void construct(int count, char **arguments, char **environment) {
  for (Constructor **next = __preinit_array_start; next < __preinit_array_end; ++next)
    (*next)(count, arguments, environment);
  for (Constructor **next = __init_array_start; next < __init_array_end; ++next)
    (*next)(count, arguments, environment);
}

__asm__(".symver startMain, __libc_start_main@" FIRST_VERSION);
#pragma GCC visibility push(default)
extern int startMain(Main *, int, char **, Constructor *, void (*)(void), void (*)(void), void *);
#pragma GCC visibility pop

int __libc_start_main(Main *program, int count, char **arguments, Constructor *init,
                      void (*fini)(void), void (*loaderFini)(void), void *stackEnd) {
  (void)init;
  return startMain(program, count, arguments, construct, fini, loaderFini, stackEnd);
}
