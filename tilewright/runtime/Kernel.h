/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The ABI between a compiled kernel and the program that launches it, in C (C11 and C++). A
 * kernel is a function that runs a range of a grid's tile blocks, one after the other. A caller
 * with threads (our pool in tw_launch, OpenMP, TBB, a rank of an MPI job) cuts the grid into
 * ranges and calls the function for each. To print, to report failed assertions and to yield, a
 * kernel calls the functions at the end of this file. The caller owns all memory; nothing here
 * throws, exits or aborts.
 */

#ifndef TILEWRIGHT_RUNTIME_KERNEL_H
#define TILEWRIGHT_RUNTIME_KERNEL_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/*===-- A kernel and its launch ------------------------------------------------------------===*/

/* One launch of a kernel over a grid. Blocks are numbered from 0 with x fastest:
 * number = x + grid[0] * (y + grid[1] * z). */
typedef struct twLaunch {
  /* One word per parameter of the entry, in order: the bits of its value in memory,
   * zero-extended to 64; a pointer as its address. */
  const uint64_t *parameters;
  /* Extents x, y, z, each at least 1; the number of blocks fits int64_t. */
  uint32_t grid[3];
  /* Private to the runtime. Callers of a kernel's function pass NULL: text then goes to standard
   * output, and failed assertions go to standard error, a line each. */
  void *host;
  /* The rasterization order in which [first, end) counts blocks. 0 or 1: by block number. A larger
   * number, only for kernels that request it (twColumnsInTurnShift): this many columns (a column
   * has one y) are interleaved, so that the kernel can reuse what it caches in its arena. All
   * calls for a grid must then use the same order. */
  uint64_t columnsInTurn;
  /* 1: the arena is unchanged since the last call for this launch, and the kernel may reuse its
   * contents. 0: the contents are undefined. */
  uint64_t keepsArena;
  /* The most threads that run blocks of this launch at the same time; 0: not known. Results do not
   * depend on it. */
  uint64_t threads;
} twLaunch;

/* Runs the blocks [first, end) in ascending order, as `columnsInTurn` counts them. `arena` is
 * scratch memory of at least `arenaBytes` bytes, aligned to twArenaAlignment, for the exclusive use
 * of this call; its contents may be undefined. Any number of calls for disjoint ranges may run at
 * the same time. A kernel keeps no state except for its global variables and, if keepsArena is set,
 * the contents of the arena. */
typedef void (*twKernelFunction)(const twLaunch *launch, int64_t first, int64_t end, void *arena);

enum { twArenaAlignment = 64 };

/* Flags of a kernel. */
enum {
  /* Blocks wait for one another: a block may spin until another one has done something. The
   * kernel calls tw_yield while it spins, and the runtime lets all started blocks make progress. */
  twMayWait = 1,
  /* The kernel prints. Its text appears in block order, unless it has twMayWait, too. */
  twPrints = 2,
  /* The kernel uses AMX tiles, which a process must request: see tw_enable_amx. */
  twUsesAmx = 4,
  /* Bits 8 to 15: the preferred number of interleaved block columns, for launches that may choose
   * the order (twLaunch::columnsInTurn); 0: the kernel counts blocks by number only. */
  twColumnsInTurnShift = 8
};

/* A compiled kernel. All fields are 8 bytes wide, so that there is no padding. */
typedef struct twKernel {
  const char *name;
  twKernelFunction function;
  /* Scratch memory per running range of blocks; 0: `arena` may be NULL. */
  int64_t arenaBytes;
  int64_t parameterCount;
  uint64_t flags;
} twKernel;

/* Runs the grid on the thread pool of this process. `threads` is the number of threads,
 * including the caller; 0: TILEWRIGHT_THREADS, else as many as this process can keep busy.
 * Returns 0 on success, 1 if an assertion failed, 2 if the kernel could not run (to its end).
 * Errors are printed on standard error. */
int tw_launch(const twKernel *kernel, const uint32_t grid[3], const uint64_t *parameters,
              int threads);

/* Runs the blocks [first, end) on the calling thread, for callers with threads of their own.
 * Blocks that wait for one another are interleaved. If they also wait for blocks of other ranges,
 * these must run at the same time: hand out ranges in ascending order. Text is not reordered. */
int tw_run_blocks(const twKernel *kernel, const uint32_t grid[3], const uint64_t *parameters,
                  int64_t first, int64_t end);

/* Requests AMX tiles from the operating system, for all threads of the process. Returns 1 if they
 * may be used. Only needed before calling the function of a kernel with twUsesAmx directly. */
int tw_enable_amx(void);

/* Creates a multicast address, which stands for `count` arrays of `bytes` bytes each; they must
 * outlive it. Only a kernel's multimem operations may access memory there: reads combine the
 * elements of all arrays, writes and updates change all arrays. Returns NULL if there is no array
 * or no address left, and prints the reason on standard error. Any thread may call these two. */
void *tw_multicast_create(void *const *copies, int64_t count, int64_t bytes);
/* Frees an address from tw_multicast_create, which no kernel may use any more. NULL is ignored. */
void tw_multicast_destroy(void *address);

/*===-- What generated code passes to the runtime ------------------------------------------===*/

/* Text that may hold any byte; not terminated. */
typedef struct twText {
  const char *data;
  int64_t size;
} twText;

/* How the elements of a printed tile are passed. */
enum {
  twPlainText = 0, /* No elements: the piece is text. */
  twIntegers = 1,  /* int64_t: integers, and pointers as addresses. */
  twDoubles = 2    /* double: the exact value of any float. */
};

/* A piece of a format string (operations, 6.3): plain text, in which `%%` is already reduced to
 * `%`, or an expression from its `%` to its conversion character. */
typedef struct twPrintPiece {
  twText text;
  /* One of the kinds above. The members below are for expressions: the shape of the tile. */
  int64_t kind;
  int64_t rank;
  const int64_t *extents;
} twPrintPiece;

/* The format of a print_tko. */
typedef struct twPrintFormat {
  int64_t pieceCount;
  const twPrintPiece *pieces;
} twPrintFormat;

/* Prints text in one piece (more than 1 MiB in pieces of that size). `values` has a pointer for
 * each expression, in order, to its tile's elements in row-major order: `const double *` or `const
 * int64_t *`, depending on `kind`. Integers are sign-extended for the conversions d and i and the
 * floating-point ones (e E f F g G a A), else zero-extended; i1 is always zero-extended. */
void tw_print(const twLaunch *launch, const twPrintFormat *format, int64_t block,
              const void *const *values);

/* An assert in the source (operations, 6.1). */
typedef struct twAssertSite {
  twText message;
  /* `kernel.py:12:3`, or what else is known about the source position. */
  twText location;
  /* The shape of the condition. */
  int64_t rank;
  const int64_t *extents;
} twAssertSite;

/* Reports that an element of the condition is false; `element` is its number in row-major order.
 * Returns, so that the block goes on; the launch fails in the end. */
void tw_assert_failed(const twLaunch *launch, const twAssertSite *site, int64_t block,
                      int64_t element);

/* The arrays that an address stands for: copy i of its memory is at `address` + `distances[i]`. */
typedef struct twCopies {
  int64_t count;
  const int64_t *distances;
} twCopies;

/* The copies of an address. One that is not a multicast address stands for itself alone. The result
 * is valid as long as the multicast address. */
const twCopies *tw_copies(uint64_t address);

/* Yields: a block that waits for another one calls this in each iteration of its spin loop. Other
 * blocks run meanwhile, also on this thread. If the launch has failed, the call may not return. */
void tw_yield(const twLaunch *launch);

#ifdef __cplusplus
} // extern "C"
#endif

#endif /* TILEWRIGHT_RUNTIME_KERNEL_H */
