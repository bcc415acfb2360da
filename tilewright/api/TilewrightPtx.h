/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * PTX from C: a kernel of a PTX text is executed and checked, on any machine, without a GPU. It is
 * `tilewright ptx` as a function; docs/ptx.md says what the machine does and finds. The steps are
 *
 *   twPtxModule   a PTX text, as nvcc, clang, llc and Triton write it
 *   twPtxRun      runs an entry of it once, on copies of the caller's memory
 *   twPtxResult   what the run found, and counted
 *
 * Tilewright.h says how errors, memory, structs with a `size` and threads go. Handles of this
 * header do not depend on each other, and a module may be used by several threads. */

#ifndef TILEWRIGHT_API_TILEWRIGHTPTX_H
#define TILEWRIGHT_API_TILEWRIGHTPTX_H

#include "tilewright/api/Tilewright.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- A PTX text -------------------------------------------------------------------------- */

typedef struct twPtxModule twPtxModule;

/* Reads a text of `length` bytes. `file` is what places of diagnostics begin with; null: `ptx`.
 *
 * TW_INVALID: the text is malformed. TW_USAGE: a pointer is null. */
TW_API twStatus twPtxModuleRead(const char *text, size_t length, const char *file,
                                twPtxModule **module, twDiagnostics **diagnostics);

/* Null is fine. */
TW_API void twPtxModuleDestroy(twPtxModule *module);

/* Entries that have a body. 0 and null if the module is null, or there is no such entry. The name
 * lives as long as the module. */
TW_API size_t twPtxModuleEntryCount(const twPtxModule *module);
TW_API const char *twPtxModuleEntryName(const twPtxModule *module, size_t index);

/* ---- A run ------------------------------------------------------------------------------- */

/* One parameter of an entry. The functions below make them. */
typedef struct twPtxArgument {
  /* Memory whose address is passed; the run works on a copy, which is written back when it ends
   * without findings. Or, with isValue, the bytes of the parameter itself. */
  void *memory;
  size_t bytes;
  int isValue;
  /* The kernel has to write the memory before it reads it. */
  int isUninitialised;
} twPtxArgument;

/* Memory that two arguments have is passed once; other memory must not overlap. */
static inline twPtxArgument twPtxMemory(void *memory, size_t bytes) {
  twPtxArgument argument = {memory, bytes, 0, 0};
  return argument;
}

/* A number or a structure, as many bytes as the parameter has. */
static inline twPtxArgument twPtxValue(const void *value, size_t bytes) {
  twPtxArgument argument = {(void *)value, bytes, 1, 0};
  return argument;
}

/* The thread schedule. 0: up. */
typedef enum twPtxOrder TW_BITS { TW_PTX_UP = 1, TW_PTX_DOWN = 2, TW_PTX_RANDOM = 3 } twPtxOrder;

typedef struct twPtxOptions {
  size_t size;
  /* Thread blocks, threads of a block, and blocks of a cluster, along x, y and z; 0: 1. A cluster
   * of {0} is what the entry says. */
  uint32_t grid[3], block[3], cluster[3];
  /* Bytes of dynamic shared memory. */
  uint64_t dynamicShared;
  twPtxOrder order;
  /* Decides TW_PTX_RANDOM. */
  uint64_t seed;
  /* Instructions of a turn; 0: 4096, of a random turn 1 to 64. */
  uint32_t quantum;
  /* Instructions that all threads together may execute, but for what is left of a turn; 0: a
   * thousand million. */
  uint64_t maxSteps;
  /* As --check of `tilewright ptx`; null: `all`. */
  const char *checks;
  /* Not 0: count what the kernel does, for twPtxResultTotal and twPtxResultLine. */
  int counts;
  /* Takes what the kernel prints by vprintf: `length` bytes. Null: it is lost. */
  void (*print)(void *printContext, const char *text, size_t length);
  void *printContext;
} twPtxOptions;

typedef struct twPtxResult twPtxResult;

/* Runs an entry once, and returns when it has ended. CTAs that do not talk to each other run on
 * several threads, as many as TILEWRIGHT_THREADS says. `options` may be null: one thread. *result
 * becomes the result if the kernel ran, whatever it did, and otherwise null. The text of the
 * diagnostics has the findings, or the reason.
 *
 * TW_MISBEHAVED: the kernel broke a rule. TW_FAILED: an assertion of it does not hold, or the limit
 * of instructions was reached. TW_INVALID: it uses what the machine does not have. TW_USAGE: a
 * pointer is null, there is no such entry, or the launch does not fit it. */
TW_API twStatus twPtxRun(const twPtxModule *module, const char *entry, const twPtxOptions *options,
                         const twPtxArgument *arguments, size_t argumentCount, twPtxResult **result,
                         twDiagnostics **diagnostics);

/* Null is fine. */
TW_API void twPtxResultDestroy(twPtxResult *result);

/* Instructions that all threads together executed. 0 if the result is null, here and below. */
TW_API uint64_t twPtxResultSteps(const twPtxResult *result);

/* ---- Findings ---------------------------------------------------------------------------- */

/* How many are listed, and how many more were only counted. */
TW_API size_t twPtxResultFindingCount(const twPtxResult *result);
TW_API uint64_t twPtxResultUnlistedFindings(const twPtxResult *result);

/* Fills in number `index`, from 0, up to the size that the caller has set. The place is one in the
 * PTX text, and `block` is that of threads; the strings live as long as the result. TW_USAGE: a
 * pointer is null, or there is no such finding. */
TW_API twStatus twPtxResultFinding(const twPtxResult *result, size_t index, twFinding *finding);

/* The thread in its block, x fastest; -1 if there is no such finding. */
TW_API int64_t twPtxResultFindingThread(const twPtxResult *result, size_t index);

/* ---- Counters ---------------------------------------------------------------------------- */

/* What instructions did, as docs/ptx.md describes it. */
typedef struct twPtxCounts {
  size_t size;
  /* Of the source, or `file` is empty and it is a line of the PTX text. Both empty and 0 for all
   * lines together. */
  const char *file;
  uint32_t line;
  /* The first instruction of a line of PTX; otherwise empty. */
  const char *instruction;
  /* Executed by threads. */
  uint64_t instructions;
  /* Accesses of warps to global memory; sectors of 32 bytes that they took, and the fewest that
   * could have held the bytes. */
  uint64_t globalAccesses, sectors, leastSectors;
  /* The same for shared memory and the steps of its banks. */
  uint64_t sharedAccesses, bankSteps, leastBankSteps;
  /* Phases of barriers that ended; bytes of asynchronous copies. */
  uint64_t barriers, copiedBytes;
} twPtxCounts;

typedef enum twPtxLines TW_BITS {
  TW_PTX_SOURCE_LINES = 1, /* those that .loc names */
  TW_PTX_TEXT_LINES = 2    /* of the PTX text */
} twPtxLines;

/* All lines together. TW_USAGE: a pointer is null, or the run did not count. */
TW_API twStatus twPtxResultTotal(const twPtxResult *result, twPtxCounts *counts);

/* How many lines were executed, and number `index` of them, in the order of files and lines.
 * TW_USAGE: a pointer is null, or there is no such line. */
TW_API size_t twPtxResultLineCount(const twPtxResult *result, twPtxLines lines);
TW_API twStatus twPtxResultLine(const twPtxResult *result, twPtxLines lines, size_t index,
                                twPtxCounts *counts);

#ifdef __cplusplus
}
#endif

#endif
