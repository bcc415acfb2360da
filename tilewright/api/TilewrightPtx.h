/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The C API of the PTX machine: executes and checks a kernel from PTX text on any machine, without
 * a GPU, as the command `tilewright ptx` does. docs/ptx.md describes the machine and its findings.
 * The steps are
 *
 *   twPtxModule   PTX text, from nvcc, clang, llc or Triton
 *   twPtxRun      runs an entry once, on copies of the caller's memory
 *   twPtxResult   the findings and counters of the run
 *
 * Tilewright.h describes errors, memory, structs with a `size`, and threads. Handles of this header
 * do not depend on each other, and several threads may use one module. */

#ifndef TILEWRIGHT_API_TILEWRIGHTPTX_H
#define TILEWRIGHT_API_TILEWRIGHTPTX_H

#include "tilewright/api/Tilewright.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- PTX text ---------------------------------------------------------------------------- */

typedef struct twPtxModule twPtxModule;

/* Parses PTX text of `length` bytes. Diagnostics use `file` as the file name; null stands for
 * `ptx`.
 *
 * TW_INVALID: the text is malformed. TW_USAGE: a pointer is null. */
TW_API twStatus twPtxModuleRead(const char *text, size_t length, const char *file,
                                twPtxModule **module, twDiagnostics **diagnostics);

/* Accepts null. */
TW_API void twPtxModuleDestroy(twPtxModule *module);

/* The number of entries with a body, and the name of the entry with this index. 0 and null if the
 * module is null, or there is no such entry. The name lives as long as the module. */
TW_API size_t twPtxModuleEntryCount(const twPtxModule *module);
TW_API const char *twPtxModuleEntryName(const twPtxModule *module, size_t index);

/* ---- A run ------------------------------------------------------------------------------- */

/* The argument for one parameter. Use the functions below to create it. */
typedef struct twPtxArgument {
  /* Memory whose address is passed; the run uses a copy, which is written back if there are no
   * findings. If isValue is set: the bytes of the parameter itself. */
  void *memory;
  size_t bytes;
  int isValue;
  /* Not 0: the memory has no value until the kernel writes it. */
  int isUninitialised;
} twPtxArgument;

/* Arguments with the same memory share one copy. Memory of different arguments must not overlap
 * otherwise. */
static inline twPtxArgument twPtxMemory(void *memory, size_t bytes) {
  twPtxArgument argument = {memory, bytes, 0, 0};
  return argument;
}

/* A number or a structure, with as many bytes as the parameter has. */
static inline twPtxArgument twPtxValue(const void *value, size_t bytes) {
  twPtxArgument argument = {(void *)value, bytes, 1, 0};
  return argument;
}

/* The thread schedule. 0 stands for TW_PTX_UP. */
typedef enum twPtxOrder TW_BITS { TW_PTX_UP = 1, TW_PTX_DOWN = 2, TW_PTX_RANDOM = 3 } twPtxOrder;

/* The launch, and how the machine runs it. */
typedef struct twPtxOptions {
  size_t size;
  /* The extents along x, y and z of the grid in blocks, of a block in threads, and of a cluster in
   * blocks; 0 stands for 1. If all extents of the cluster are 0, the entry determines them. */
  uint32_t grid[3], block[3], cluster[3];
  /* The size of dynamic shared memory in bytes. */
  uint64_t dynamicShared;
  twPtxOrder order;
  /* The seed of TW_PTX_RANDOM. */
  uint64_t seed;
  /* The number of instructions in a time slice of a thread. TW_PTX_RANDOM draws from 1 to this
   * number. 0: 64 for TW_PTX_RANDOM, otherwise 4096. */
  uint32_t quantum;
  /* The maximum number of instructions that all threads execute together; the last time slice may
   * exceed it. 0: 1,000,000,000. */
  uint64_t maxSteps;
  /* As for the option --check of `tilewright ptx`; null: `all`. */
  const char *checks;
  /* Not 0: count events, for twPtxResultTotal and twPtxResultLine. */
  int counts;
  /* Receives what the kernel prints with vprintf: `length` bytes. Null: the text is discarded. */
  void (*print)(void *printContext, const char *text, size_t length);
  void *printContext;
} twPtxOptions;

typedef struct twPtxResult twPtxResult;

/* Runs an entry once, and returns when it has ended. CTAs that do not communicate run on several
 * threads; TILEWRIGHT_THREADS sets their number. `options` may be null: one block of one thread. If
 * the kernel ran, *result is the result, whatever the status; otherwise it is null. The text of the
 * diagnostics has the findings, or the reason of the failure.
 *
 * TW_MISBEHAVED: the kernel violated a rule. TW_FAILED: an assertion of the kernel failed, or it
 * reached the step limit. TW_INVALID: it uses something that the machine does not support.
 * TW_USAGE: a pointer is null, there is no such entry, or the launch does not match it. */
TW_API twStatus twPtxRun(const twPtxModule *module, const char *entry, const twPtxOptions *options,
                         const twPtxArgument *arguments, size_t argumentCount, twPtxResult **result,
                         twDiagnostics **diagnostics);

/* Accepts null. */
TW_API void twPtxResultDestroy(twPtxResult *result);

/* The number of instructions that all threads executed together. 0 if the result is null, as for
 * the counts below. */
TW_API uint64_t twPtxResultSteps(const twPtxResult *result);

/* ---- Findings ---------------------------------------------------------------------------- */

/* The number of listed findings, and the number of further findings that were only counted. */
TW_API size_t twPtxResultFindingCount(const twPtxResult *result);
TW_API uint64_t twPtxResultUnlistedFindings(const twPtxResult *result);

/* Fills in the finding with this index, which counts from 0, up to the size that the caller set.
 * Its place is in the PTX text, and `block` is a thread block. The strings live as long as the
 * result. TW_USAGE: a pointer is null, or there is no such finding. */
TW_API twStatus twPtxResultFinding(const twPtxResult *result, size_t index, twFinding *finding);

/* The number of the thread in its block (x fastest); -1 if there is no such finding. */
TW_API int64_t twPtxResultFindingThread(const twPtxResult *result, size_t index);

/* ---- Counters ---------------------------------------------------------------------------- */

/* Performance counters of one line or of all lines (docs/ptx.md). */
typedef struct twPtxCounts {
  size_t size;
  /* The source line. If `file` is empty, a line of the PTX text. For all lines together, `file` is
   * empty and `line` is 0. */
  const char *file;
  uint32_t line;
  /* For a line of the PTX text, its first instruction; otherwise empty. */
  const char *instruction;
  /* Instructions executed, summed over all threads. */
  uint64_t instructions;
  /* Warp accesses to global memory; the 32-byte sectors that they touched, and the ideal number of
   * sectors, which is the fewest that could hold the bytes. */
  uint64_t globalAccesses, sectors, idealSectors;
  /* The same for shared memory: bank-conflict cycles, and the number without bank conflicts. */
  uint64_t sharedAccesses, bankCycles, idealBankCycles;
  /* Completed barrier phases; bytes of asynchronous copies. */
  uint64_t barriers, copiedBytes;
} twPtxCounts;

/* Which lines twPtxResultLine counts for. */
typedef enum twPtxLines TW_BITS {
  TW_PTX_SOURCE_LINES = 1, /* source lines from .loc */
  TW_PTX_TEXT_LINES = 2    /* lines of the PTX text */
} twPtxLines;

/* The sum over all lines. TW_USAGE: a pointer is null, or the run did not count. */
TW_API twStatus twPtxResultTotal(const twPtxResult *result, twPtxCounts *counts);

/* The number of executed lines, and the counters of the line with this index, ordered by file and
 * line. TW_USAGE: a pointer is null, or there is no such line. */
TW_API size_t twPtxResultLineCount(const twPtxResult *result, twPtxLines lines);
TW_API twStatus twPtxResultLine(const twPtxResult *result, twPtxLines lines, size_t index,
                                twPtxCounts *counts);

#ifdef __cplusplus
}
#endif

#endif
