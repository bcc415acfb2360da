/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * How do a compiled kernel and the program around it call each other? In C, through the
 * structs and functions of this file (C11 and C++). A kernel is a function that runs a range
 * of the tile blocks of a grid, one after the other: whoever has threads cuts the grid into
 * ranges and calls it, be it our pool (tw_launch), OpenMP, TBB, or a rank of an MPI job.
 * What a kernel cannot do itself (print, report, give way) it asks of the functions at the
 * end. All memory belongs to the caller; nothing here throws, exits or aborts.
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
  /* One slot per parameter of the entry, in order: the bits of its value in memory, extended
   * with zeros to 64; a pointer as its address. */
  const uint64_t *parameters;
  /* Extents x, y, z, each at least 1; the number of blocks fits int64_t. */
  uint32_t grid[3];
  /* The runtime's own. NULL for those who call a kernel's function themselves: text then goes
   * to standard output, and failed assertions are lines on standard error. */
  void *host;
  /* In which order blocks [first, end) are counted. 0 or 1: by their numbers. More, for kernels
   * that ask for it (twColumnsInTurnShift): so many columns, blocks with the same y, take turns,
   * which reuses what the kernel keeps in its arena. The whole grid is then to be counted so. */
  uint64_t columnsInTurn;
  /* 1: the arena is as the last call for this launch has left it, and the kernel may use what it
   * finds there. 0: it may hold anything. */
  uint64_t keepsArena;
  /* How many threads run blocks of this launch at the same time, at most; 0: not known. Results do
   * not depend on it. */
  uint64_t threads;
} twLaunch;

/* Runs the blocks [first, end) in ascending order, as `columnsInTurn` counts them. `arena` is
 * scratch memory of at least `arenaBytes` bytes at a multiple of twArenaAlignment, for this call
 * alone; what it holds at the start does not matter. Any number of calls for disjoint ranges may
 * run at the same time; the kernel keeps no state of its own but its global variables, and what it
 * finds in the arena where the launch says so (keepsArena). */
typedef void (*twKernelFunction)(const twLaunch *launch, int64_t first, int64_t end, void *arena);

enum { twArenaAlignment = 64 };

/* Flags of a kernel. */
enum {
  /* Blocks wait for one another: some block may spin until another one has done something.
   * The kernel calls tw_yield while it spins, and the runtime keeps all started blocks going. */
  twMayWait = 1,
  /* The kernel prints. Unless it may wait, too, its text comes in the order of the blocks. */
  twPrints = 2,
  /* The kernel uses AMX tiles, which a process has to ask for: see tw_enable_amx. */
  twUsesAmx = 4,
  /* From this bit on, 8 bits: how many columns of blocks should take turns, if their order is
   * free (twLaunch::columnsInTurn); 0: the kernel counts blocks by their numbers only. */
  twColumnsInTurnShift = 8
};

/* A compiled kernel. All fields are 8 bytes wide, so that code generators need not think of
 * padding. */
typedef struct twKernel {
  const char *name;
  twKernelFunction function;
  /* Scratch memory per running range of blocks; 0: `arena` may be NULL. */
  int64_t arenaBytes;
  int64_t parameterCount;
  uint64_t flags;
} twKernel;

/* Runs the grid on the pool of this process. `threads`: how many work on it, the caller
 * included; 0: TILEWRIGHT_THREADS, else as many as this process may keep busy. Returns 0; 1
 * if an assertion failed; 2 if the kernel could not run (to its end). What went wrong is
 * printed on standard error. */
int tw_launch(const twKernel *kernel, const uint32_t grid[3], const uint64_t *parameters,
              int threads);

/* The same for the blocks [first, end) on the calling thread: for those who have threads
 * already. Blocks that wait for one another take turns; but those of another range must run,
 * too, for them to end: hand out ranges in ascending order. Text comes as it is printed. */
int tw_run_blocks(const twKernel *kernel, const uint32_t grid[3], const uint64_t *parameters,
                  int64_t first, int64_t end);

/* Asks the operating system for AMX tiles, for all threads of the process. 1: they may be
 * used. Needed only by those who call the function of a kernel with twUsesAmx themselves. */
int tw_enable_amx(void);

/* A multicast address: one that stands for `count` arrays of `bytes` bytes each, which must outlive
 * it. Only the multimem operations of a kernel may access memory there: those that read combine
 * what they find in all arrays, and those that write or update do so in all. NULL if there is no
 * array or no address left; why is printed on standard error. Any thread may call these two. */
void *tw_multicast_create(void *const *copies, int64_t count, int64_t bytes);
/* Ends what a call of tw_multicast_create has begun. No kernel may use the address any more.
 * NULL is none. */
void tw_multicast_destroy(void *address);

/*===-- What generated code hands to the runtime -------------------------------------------===*/

/* Text that may hold any byte; not terminated. */
typedef struct twText {
  const char *data;
  int64_t size;
} twText;

/* What the elements of a printed tile became. */
enum {
  twPlainText = 0, /* No elements: the piece is text. */
  twIntegers = 1,  /* int64_t: integers, and pointers as addresses. */
  twDoubles = 2    /* double: the exact value of any float. */
};

/* A piece of a format string (operations, 6.3): text that is printed as it is, with `%%`
 * already reduced to `%`, or an expression from its `%` to its conversion character. */
typedef struct twPrintPiece {
  twText text;
  /* One of the kinds above. The rest is for expressions: the shape of the tile. */
  int64_t kind;
  int64_t rank;
  const int64_t *extents;
} twPrintPiece;

/* A print_tko. */
typedef struct twPrintFormat {
  int64_t pieceCount;
  const twPrintPiece *pieces;
} twPrintFormat;

/* Prints in one piece (of more than 1 MiB, in pieces of that size). `values` has a pointer for each
 * expression, in order, to the elements of its tile in row-major order: `const double *` or `const
 * int64_t *`, as `kind` says. Integers are extended by their sign for the conversions d and i and
 * for those of floats (e E f F g G a A), else with zeros; i1 always with zeros. */
void tw_print(const twLaunch *launch, const twPrintFormat *format, int64_t block,
              const void *const *values);

/* An assert (operations, 6.1). */
typedef struct twAssertSite {
  twText message;
  /* `kernel.py:12:3`, or what else is known of the place. */
  twText location;
  /* The shape of the condition. */
  int64_t rank;
  const int64_t *extents;
} twAssertSite;

/* Element `element` (in row-major order) of the condition is false. Returns: the block goes
 * on, and the launch as a whole fails. */
void tw_assert_failed(const twLaunch *launch, const twAssertSite *site, int64_t block,
                      int64_t element);

/* Where the arrays are that an address stands for: copy i of what lies there, at `address` +
 * `distances[i]`. */
typedef struct twCopies {
  int64_t count;
  const int64_t *distances;
} twCopies;

/* An address that is no multicast address stands for itself alone. The answer holds as long as the
 * multicast address. */
const twCopies *tw_copies(uint64_t address);

/* The block waits for another one: called in each round of a loop that spins. Other blocks
 * run meanwhile, on this thread, too; it may not return if the launch has failed. */
void tw_yield(const twLaunch *launch);

#ifdef __cplusplus
} // extern "C"
#endif

#endif /* TILEWRIGHT_RUNTIME_KERNEL_H */
