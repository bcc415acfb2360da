/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The C API of Tilewright, for C and every language that can call C. Link with -ltilewright. See
 * docs/library.md for a complete program. The steps are
 *
 *   twContext        settings for reading programs and for the compile cache
 *   twModule         a program, read from text or bytecode and verified
 *   twEntry          what can be launched, with its parameters
 *   twKernelHandle   an entry compiled for a device
 *   twLaunchHandle   a kernel with a grid and arguments, and the results of its last run
 *
 * (twKernel and twLaunch are structs of tilewright/runtime/Kernel.h, the ABI of compiled kernels.)
 *
 * Errors. A function that can fail returns a twStatus. Its last parameter is `twDiagnostics
 * **diagnostics`, which may be null. If it is not null, the function sets *diagnostics: to null if
 * there is nothing to report, otherwise to an object that the caller releases with
 * twDiagnosticsDestroy. After a failure *diagnostics is never null; after a success it may hold
 * warnings. No function throws, exits or aborts, whatever its arguments; only if memory runs out
 * may the process end.
 *
 * Memory. Objects that a *Create or *Read function returns are released by the *Destroy function of
 * their type, which accepts null. Strings and structs that belong to a handle (`const`) live as
 * long as the handle, unless the function says otherwise. Strings and bytes that belong to the
 * caller (without `const`) are released with twFree.
 *
 * Structs with a member `size` may grow in later versions. The caller sets `size` to the sizeof of
 * the struct and all members that it does not use to 0, as in `twCompileOptions options = {.size =
 * sizeof options}`. For every option, 0 means the default.
 *
 * Threads. Any number of threads may use a twModule, twEntry or twKernelHandle at the same time. A
 * twContext or twLaunchHandle may be used by one thread at a time, except by twLaunchCancel and
 * twLaunchBlocksDone. Handles keep alive what they were created from: a module may outlive its
 * context, a kernel its module, and a launch its kernel. */

#ifndef TILEWRIGHT_API_TILEWRIGHT_H
#define TILEWRIGHT_API_TILEWRIGHT_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#if defined(__GNUC__)
#define TW_API __attribute__((visibility("default")))
#else
#define TW_API
#endif

/* The underlying type of enumerations that callers pass in. C++ needs it, because otherwise reading
 * an unknown value, which is to be rejected, is undefined behaviour. */
#ifdef __cplusplus
#define TW_BITS : unsigned int
extern "C" {
#else
#define TW_BITS
#endif

/* The version of the library: `0.1.0`. The string lives as long as the process. */
TW_API const char *twLibraryVersion(void);

/* The result of a call. */
typedef enum twStatus {
  TW_SUCCESS = 0,
  /* The program is malformed, violates a rule of Tile IR, or cannot be represented in the requested
   * bytecode version. */
  TW_INVALID = 1,
  /* The call is wrong: a null pointer, an unsuitable argument, an unknown value. */
  TW_USAGE = 2,
  /* The kernel has undefined behaviour according to the specification. */
  TW_MISBEHAVED = 3,
  /* The kernel cannot be compiled or cannot run to its end, or one of its assertions failed. */
  TW_FAILED = 4,
  /* The launch was cancelled before all blocks had ended. */
  TW_CANCELLED = 5,
  /* A file cannot be read. */
  TW_FILE = 6
} twStatus;

/* Versions of Tile IR: TW_VERSION(13, 3). */
typedef uint32_t twVersion;
#define TW_VERSION(major, minor) ((twVersion)(major) << 8 | (twVersion)(minor))
#define TW_VERSION_MAJOR(version) ((version) >> 8)
#define TW_VERSION_MINOR(version) ((version) & 0xFF)
/* For twModuleToBytecode: the oldest version that can represent the module. */
#define TW_VERSION_LOWEST ((twVersion)0)

/* Releases a string or bytes that a function of this header returned. Accepts null. */
TW_API void twFree(void *memory);

/* ---- Diagnostics ------------------------------------------------------------------------- */

/* What a call reported. */
typedef struct twDiagnostics twDiagnostics;

/* A place in a source file or in a bytecode file. */
typedef struct twPlace {
  /* Never null; empty if unknown. */
  const char *file;
  /* Both count from 1, and are 0 if unknown. (Debug information counts the columns of Python files
   * from 0, as Python's module `ast` does; they are converted.) */
  int64_t line, column;
  /* The offset in a bytecode file, or -1. */
  int64_t byte;
} twPlace;

/* How serious a diagnostic or finding is. */
typedef enum twSeverity { TW_ERROR = 1, TW_WARNING = 2, TW_REMARK = 3 } twSeverity;

/* An error, warning or remark about a program. */
typedef struct twDiagnostic {
  size_t size;
  twSeverity severity;
  twPlace place;
  /* One line, without the place and the severity. */
  const char *message;
} twDiagnostic;

/* All diagnostics as the command line prints them: one or more lines, each with a line break. Empty
 * if `diagnostics` is null. The string lives as long as `diagnostics`. */
TW_API const char *twDiagnosticsText(const twDiagnostics *diagnostics);

/* The number of diagnostics about the program. 0 if the error is not about the program (a wrong
 * call, a kernel that cannot run); see twDiagnosticsText. */
TW_API size_t twDiagnosticsCount(const twDiagnostics *diagnostics);

/* Writes diagnostic number `index` (from 0) to *diagnostic. Only the first diagnostic->size bytes
 * are written. The strings live as long as `diagnostics`. TW_USAGE: a pointer is null, or there is
 * no such diagnostic. */
TW_API twStatus twDiagnosticsGet(const twDiagnostics *diagnostics, size_t index,
                                 twDiagnostic *diagnostic);

/* Accepts null. */
TW_API void twDiagnosticsDestroy(twDiagnostics *diagnostics);

/* ---- Context: settings for reading programs and for the compile cache -------------------- */

typedef struct twContext twContext;

/* A context with the default settings. Never null. */
TW_API twContext *twContextCreate(void);

/* Accepts null. */
TW_API void twContextDestroy(twContext *context);

/* If `strict` is not 0, modules read from now on are also rejected if only the specification's
 * prose forbids them and NVIDIA's tools accept them. Does nothing if the context is null. */
TW_API void twContextSetStrict(twContext *context, int strict);

/* Sets the folder of the compile cache for modules read from now on. Any number of processes may
 * share it. It is created on first use. An empty string turns the cache off. Null, the default,
 * stands for $TILEWRIGHT_CACHE_DIR, else $XDG_CACHE_HOME/tilewright, else ~/.cache/tilewright. Does
 * nothing if the context is null. */
TW_API void twContextSetCache(twContext *context, const char *folder);

/* ---- Module: a program ------------------------------------------------------------------- */

typedef struct twModule twModule;

/* Reads and verifies a program, as text or bytecode; the first bytes decide which. The bytes are
 * copied. Diagnostics use `name` as the file name; null stands for "<memory>". Sets *module to the
 * program on success, and to null on failure. `bytes` may be null if `size` is 0.
 *
 * TW_INVALID: the program is malformed, violates a rule, or holds anything but one
 * cuda_tile.module. TW_USAGE: context, bytes or module is null. */
TW_API twStatus twModuleRead(const twContext *context, const void *bytes, size_t size,
                             const char *name, twModule **module, twDiagnostics **diagnostics);

/* The same for a file. TW_FILE: the file cannot be read. */
TW_API twStatus twModuleReadFile(const twContext *context, const char *path, twModule **module,
                                 twDiagnostics **diagnostics);

/* Accepts null. */
TW_API void twModuleDestroy(twModule *module);

/* The version of the bytecode that the module was read from; 0 if it was read from text, or the
 * module is null. */
TW_API twVersion twModuleFileVersion(const twModule *module);

/* The oldest version that can represent the module. A module with a producer string (the name of
 * the tool that emitted it) needs 13.3. 0 if the module is null. */
TW_API twVersion twModuleLowestVersion(const twModule *module);

/* For twModuleVerify. */
enum {
  TW_VERIFY_STRICT = 1 /* rules that only the prose states, see twContextSetStrict */
};

/* Checks more than reading does: what the flags select and, if `version` is not 0, that this
 * version can represent the module. TW_INVALID: there is a diagnostic for each violation. TW_USAGE:
 * the module is null, or a flag or the version is unknown. */
TW_API twStatus twModuleVerify(const twModule *module, unsigned flags, twVersion version,
                               twDiagnostics **diagnostics);

/* Flags for twModuleToText. */
enum {
  TW_TEXT_GENERIC = 1,  /* print every operation in generic form */
  TW_TEXT_LOCATIONS = 2 /* print locations and debug information */
};

/* Prints the module as text that twModuleRead accepts. On success *text is a null-terminated
 * string, to be released with twFree. On failure it is null.
 *
 * TW_USAGE: module or text is null, or a flag is unknown. */
TW_API twStatus twModuleToText(const twModule *module, unsigned flags, char **text,
                               twDiagnostics **diagnostics);

/* Encodes the module as bytecode of a version: 13.1 to 13.5 or TW_VERSION_LOWEST. On success *bytes
 * and *size are the contents of the file, to be released with twFree. On failure they are null and
 * 0. Versions below 13.3 cannot hold the producer string; it is dropped without a warning.
 *
 * TW_INVALID: the version cannot represent the module; each operation that it lacks has a
 * diagnostic. TW_USAGE: module, bytes or size is null, or the version is unknown. */
TW_API twStatus twModuleToBytecode(const twModule *module, twVersion version, uint8_t **bytes,
                                   size_t *size, twDiagnostics **diagnostics);

/* ---- Entry: what can be launched --------------------------------------------------------- */

typedef struct twEntry twEntry;

/* Element types. In memory, an i1 takes one byte, which is true unless it is 0; a tf32 takes 4
 * bytes, of which only the upper 19 bits are used; two f4E2M1FN share a byte, the first one in the
 * low half. */
typedef enum twElementType TW_BITS {
  TW_NO_ELEMENT = 0,
  TW_I1 = 1,
  TW_I8 = 2,
  TW_I16 = 3,
  TW_I32 = 4,
  TW_I64 = 5,
  TW_F16 = 6,
  TW_BF16 = 7,
  TW_TF32 = 8,
  TW_F32 = 9,
  TW_F64 = 10,
  TW_F8E4M3FN = 11,
  TW_F8E5M2 = 12,
  TW_F8E8M0FNU = 13,
  TW_F4E2M1FN = 14,
  /* Only in a twArgument: the address of memory of unknown size. */
  TW_ADDRESS = 15,
  TW_F8E5M3FNU = 16,
  /* Only in a twArgument: an address that stands for several arrays. */
  TW_MULTICAST = 17
} twElementType;

/* A parameter of an entry. */
typedef struct twParameter {
  size_t size;
  /* Not 0: a pointer, for which an array is passed. 0: a scalar. */
  int isPointer;
  /* The element type of the array or scalar. TW_NO_ELEMENT: no argument can be passed for this
   * type, and the entry cannot be compiled. */
  twElementType element;
  /* The type in Tile IR syntax. Lives as long as the entry. */
  const char *type;
  /* Not 0: a pointer to an array that the kernel may write to. */
  int isWritten;
} twParameter;

/* The number of entries; 0 if the module is null. */
TW_API size_t twModuleEntryCount(const twModule *module);

/* The entry with this index, which counts from 0 in the order of the text; null if there is none.
 * It lives as long as the module. */
TW_API const twEntry *twModuleEntry(const twModule *module, size_t index);

/* The entry with this name, `k` or `@k`; null if there is none, or an argument is null. */
TW_API const twEntry *twModuleFindEntry(const twModule *module, const char *name);

/* The name of the entry, which lives as long as the entry; null if the entry is null. */
TW_API const char *twEntryName(const twEntry *entry);

/* The number of parameters; 0 if the entry is null. */
TW_API size_t twEntryParameterCount(const twEntry *entry);

/* The place of the entry in its source; for bytecode, from the debug information. The string
 * lives as long as the entry. TW_USAGE: a pointer is null. */
TW_API twStatus twEntryPlace(const twEntry *entry, twPlace *place);

/* Writes parameter number `index` (from 0) to *parameter. Only the first parameter->size bytes are
 * written. TW_USAGE: a pointer is null, or there is no such parameter. */
TW_API twStatus twEntryParameter(const twEntry *entry, size_t index, twParameter *parameter);

/* ---- Kernel: an entry that can run ------------------------------------------------------- */

typedef struct twKernelHandle twKernelHandle;

/* Where kernels run. */
typedef enum twDevice TW_BITS {
  /* Code for this processor. */
  TW_CPU = 0,
  /* The reference machine, which executes the specification and reports what a kernel does wrong:
   * races, accesses outside of arrays, violated assumptions (docs/running.md). */
  TW_REFERENCE = 1,
  /* GPU code, executed and checked by the PTX machine, without a GPU (docs/ptx.md). */
  TW_PTX = 2,
  /* The first NVIDIA GPU of this machine, through its driver. Arrays are copied to the GPU, and
   * back if the launch succeeds; a TW_ADDRESS in its memory is used in place. What the kernel
   * prints goes to standard output. */
  TW_GPU = 3
} twDevice;

/* The optimisation levels -O0 to -O3 of the command line. */
typedef enum twOptimization TW_BITS {
  TW_DEFAULT_OPTIMIZATION = 0, /* TW_O2 */
  TW_O0 = 1,
  TW_O1 = 2,
  TW_O2 = 3,
  TW_O3 = 4
} twOptimization;

/* How twKernelCompile compiles an entry, and how its launches run. */
typedef struct twCompileOptions {
  size_t size;
  twDevice device;

  /* For all devices but TW_REFERENCE. */
  /* TW_CPU: `native`, or another processor whose code can run on this one (docs/cpu.md); null:
   * `native`. TW_PTX, TW_GPU: `sm_75` to `sm_121a` (docs/nvidia.md); null: `sm_90a` for TW_PTX,
   * this machine's GPU for TW_GPU. */
  const char *target;
  twOptimization optimization;
  /* Not 0: emit line information for debuggers. TW_CPU only. */
  int debugInfo;

  /* For TW_REFERENCE and TW_PTX. */
  /* `all`, `none`, or a list as for the option `--check`: `race,bounds`, `no-race`. Null: `all`. */
  const char *checks;
  /* Not 0: run unordered operations in a random legal order, which the seed determines. 0: run
   * blocks, or the threads of the PTX machine, in ascending order. */
  int isRandom;
  uint64_t seed;
  /* The maximum number of operations that all blocks of a launch execute together; on the PTX
   * machine, of instructions that all threads execute together. 0: $TILEWRIGHT_MAX_STEPS, else
   * 1,000,000,000. */
  int64_t maxSteps;

  /* For TW_PTX. */
  /* Not 0: run threads from the last one to the first. Excludes isRandom. */
  int isReverse;
  /* Not 0: count what costs time on a GPU (twLaunchCounters). The kernel's assumptions are then not
   * checked. */
  int counters;

  /* For TW_REFERENCE. */
  /* Not 0: explore all executions that the memory model allows, of a small kernel. A launch prints
   * nothing, and leaves the arrays as they are; see twLaunchExecutionCount. Excludes isRandom and
   * isReverse. */
  int isExhaustive;
  /* Not 0: sum matrix products exactly and round once, instead of after each fused multiply-add. */
  int exactMma;
  /* The schedule of a finding, `replay:1:3,0` (twFinding): a launch repeats it. Excludes isRandom,
   * isReverse and isExhaustive. Null: none. */
  const char *schedule;
} twCompileOptions;

/* Compiles an entry for a device. For TW_CPU, the code may come from the cache. `options` may be
 * null: TW_CPU with the default options. Sets *kernel to the kernel on success, and to null on
 * failure.
 *
 * TW_USAGE: entry or kernel is null, an option is unknown or not supported by the device, or the
 * target is unknown or cannot run on this machine. TW_FAILED: the entry cannot be compiled, or
 * there is no GPU; the text of the diagnostics says why.
 *
 * On TW_CPU and TW_GPU, global variables keep their values from launch to launch. On TW_REFERENCE
 * and TW_PTX, each launch starts with their initial values. */
TW_API twStatus twKernelCompile(const twEntry *entry, const twCompileOptions *options,
                                twKernelHandle **kernel, twDiagnostics **diagnostics);

/* Accepts null. */
TW_API void twKernelDestroy(twKernelHandle *kernel);

/* ---- Code: a module compiled to text or bytes -------------------------------------------- */

/* A compiled module: text or bytes, and the kernels in it. */
typedef struct twCode twCode;

/* Compiler stages, as for the option --emit of `tilewright compile`. CPUs have all stages except
 * threads, PTX and cubin; GPUs have tile, plan, threads, LLVM, PTX and cubin. */
typedef enum twStage TW_BITS {
  TW_STAGE_LLVM = 0,
  TW_STAGE_TILE = 1,
  TW_STAGE_PLAN = 2,
  TW_STAGE_THREADS = 3,
  TW_STAGE_LOOPS = 4,
  TW_STAGE_PTX = 5,
  TW_STAGE_CUBIN = 6, /* needs NVIDIA's ptxas */
  TW_STAGE_ASSEMBLY = 7,
  TW_STAGE_OBJECT = 8,
  TW_STAGE_SHARED_LIBRARY = 9
} twStage;

/* How twModuleCompile compiles a module. */
typedef struct twCodeOptions {
  size_t size;
  twStage stage;
  /* `cpu`, `cpu=NAME` or `sm_NN`; null: `cpu`. */
  const char *target;
  twOptimization optimization;
  /* Not 0: emit line information for debuggers. CPUs only. */
  int debugInfo;
  /* Not 0: twCodeRemarks has the compiler's remarks. */
  int remarks;
} twCodeOptions;

/* What a program that launches the kernel needs to know. */
typedef struct twCompiledKernel {
  size_t size;
  /* Lives as long as the code. */
  const char *name;
  /* On a GPU: the number of threads of a CTA, and its static shared memory in bytes. 0 on CPUs and
   * for TW_STAGE_TILE. */
  int64_t threads;
  int64_t sharedBytes;
} twCompiledKernel;

/* Compiles a module to text or bytes. `options` may be null: LLVM IR for this processor. Sets *code
 * to the code on success, and to null on failure.
 *
 * TW_USAGE: module or code is null, an option or the target is unknown, or the target does not have
 * the stage. TW_FAILED: the module cannot be compiled; the text of the diagnostics says why. */
TW_API twStatus twModuleCompile(const twModule *module, const twCodeOptions *options, twCode **code,
                                twDiagnostics **diagnostics);

/* Accepts null. */
TW_API void twCodeDestroy(twCode *code);

/* Text, followed by a 0 byte, or binary data. It lives as long as the code. */
TW_API const void *twCodeBytes(const twCode *code);
TW_API size_t twCodeSize(const twCode *code);

/* A line for each decision of the compiler, `k.mlir:12:5: remark: ...`; empty unless the options
 * requested remarks. Lives as long as the code. */
TW_API const char *twCodeRemarks(const twCode *code);

/* The kernels, in the order of the module. TW_USAGE: there is no such kernel. */
TW_API size_t twCodeKernelCount(const twCode *code);
TW_API twStatus twCodeKernel(const twCode *code, size_t index, twCompiledKernel *kernel);

/* ---- Launch: a kernel with a grid and arguments ------------------------------------------ */

typedef struct twLaunchHandle twLaunchHandle;

/* Says that an element of an i64 array is the address of the first byte of `array`, which the
 * kernel accesses through it. `element` counts from 0 in memory, whatever the strides. */
typedef struct twLink {
  int64_t element;
  const struct twArray *array;
} twLink;

/* An array in the caller's memory, which a launch accesses in place. It must stay alive, at this
 * address, until the launch is destroyed. */
typedef struct twArray {
  size_t size;
  /* A multiple of the element size; null only if there are no elements. */
  void *data;
  twElementType element;
  /* The number of dimensions, at most 64. */
  size_t rank;
  /* The extents, in elements. May be null if the rank is 0. */
  const int64_t *shape;
  /* The stride of each dimension, in elements, not negative; null: row-major order. An array of
   * f4E2M1FN is in row-major order, and its last extent is even. */
  const int64_t *strides;
  /* Not 0: the elements have no value until the kernel writes them; the reference machine and the
   * PTX machine report a kernel that uses one before. */
  int isUninitialised;
  /* Elements that are addresses of other arrays, as in a table of arrays; may be null if there are
   * none. The elements must already hold the addresses, and keep them until the launch is
   * destroyed: code on TW_CPU reads them unchanged. On other devices, arrays have other addresses:
   * the launch runs on a copy of this array with those addresses, and copies back what else the
   * kernel wrote; a kernel that overwrites an address there cannot run to its end. Linked arrays
   * may have links too, up to 8 levels deep. */
  const twLink *links;
  size_t linkCount;
  /* The name of the array in findings: `array x`. If null or empty, they use the number of the
   * parameter: `parameter 2`. */
  const char *name;
} twArray;

/* The argument for a parameter. If `array` is not null, it is an array, otherwise a scalar. With
 * TW_ADDRESS it is a bare address, for a pointer of any type; the caller is responsible for what
 * the kernel accesses there. On TW_GPU it is an address in the memory of the first GPU (CUdeviceptr
 * of its primary context), which the kernel uses in place. The machines, which check every access,
 * reject addresses.
 *
 * With TW_MULTICAST it is a multicast address: `array` points to the first of `bits` arrays of one
 * element type and size, which the multimem operations of the kernel read and write together. Other
 * operations must not access memory there. */
typedef struct twArgument {
  const twArray *array;
  twElementType element;
  /* Scalar: its bits in memory, extended with zeros. TW_ADDRESS: the address. TW_MULTICAST: the
   * number of arrays. */
  uint64_t bits;
} twArgument;

/* Create arguments from C values. An array must live until twLaunchCreate has returned. */
static inline twArgument twArrayArgument(const twArray *array) {
  twArgument argument = {array, TW_NO_ELEMENT, 0};
  return argument;
}
static inline twArgument twAddressArgument(void *address) {
  twArgument argument = {NULL, TW_ADDRESS, (uint64_t)(uintptr_t)address};
  return argument;
}
static inline twArgument twMulticastArgument(const twArray *arrays, size_t count) {
  twArgument argument = {arrays, TW_MULTICAST, count};
  return argument;
}
static inline twArgument twI32Argument(int32_t value) {
  twArgument argument = {NULL, TW_I32, (uint32_t)value};
  return argument;
}
static inline twArgument twI64Argument(int64_t value) {
  twArgument argument = {NULL, TW_I64, (uint64_t)value};
  return argument;
}
static inline twArgument twF32Argument(float value) {
  twArgument argument = {NULL, TW_F32, 0};
  uint32_t bits;
  memcpy(&bits, &value, sizeof bits);
  argument.bits = bits;
  return argument;
}
static inline twArgument twF64Argument(double value) {
  twArgument argument = {NULL, TW_F64, 0};
  memcpy(&argument.bits, &value, sizeof argument.bits);
  return argument;
}

/* An operation that a tile block executed, or on TW_PTX, an instruction that a thread executed. It
 * lives until the function that receives it returns. */
typedef struct twTraceRecord {
  size_t size;
  /* On TW_PTX, a place in the PTX text. */
  twPlace place;
  /* The tile block: x, y, z. */
  int64_t block[3];
  /* On TW_PTX: the number of the thread in its block. Otherwise -1. */
  int64_t thread;
  /* `addf`, or `ld.global.f32` on TW_PTX; `entry` when a tile block starts or ends. */
  const char *operation;
  /* The line that `tilewright run --trace` prints (docs/running.md, docs/ptx.md): place, operands,
   * results, and accessed elements or bytes. */
  const char *text;
} twTraceRecord;

/* The grid of a launch, its threads and its output. */
typedef struct twLaunchOptions {
  size_t size;
  /* The number of tile blocks along x, y and z, 1 to 2^24 - 1; 0 stands for 1. */
  int64_t grid[3];
  /* The number of threads for compiled code and the PTX machine, including the caller's, at most
   * 1024. 0: TILEWRIGHT_THREADS, else as many as the process can keep busy. The reference machine
   * ignores it. */
  int threads;
  /* Receives what the kernel prints, from one thread at a time: `length` bytes without a
   * terminating 0 byte. It must return. Null: standard output. It may launch kernels, even this
   * one, but only on its own thread: if it waits for another thread to launch the same kernel on
   * the reference machine, the two deadlock. */
  void (*print)(void *printContext, const char *text, size_t length);
  void *printContext;
  /* Each run adds its findings to this report; may be null. Only for TW_REFERENCE. */
  struct twReport *report;
  /* TW_GPU only: a CUstream of the primary context of the first GPU. The launch is enqueued there,
   * and twLaunchRun returns without waiting for it; faults of the kernel are reported by later
   * calls. Pointers must then be TW_ADDRESS arguments. (void *)1, CU_STREAM_LEGACY, is the default
   * stream without waiting. A kernel with such launches
   * stays loaded until the process ends. Null: the default stream;
   * twLaunchRun waits for all earlier work on the GPU, then for the launch. */
  void *stream;

  /* TW_REFERENCE and TW_PTX: receives a record for each executed operation, in the order of
   * execution, on the thread that calls twLaunchRun. Null: no trace. Not with isExhaustive. */
  void (*trace)(void *traceContext, const twTraceRecord *record);
  void *traceContext;
  /* Traces only these tile blocks, given by x, y and z, and only these operations: `addf`, or on
   * TW_PTX, `ld` or `ld.global.f32`. If a count is 0, all. */
  const int64_t (*traceBlocks)[3];
  size_t traceBlockCount;
  const char *const *traceOperations;
  size_t traceOperationCount;

  /* TW_CPU and TW_REFERENCE: a kernel of the same module, for the same device and with the same
   * parameters; may be null. If the launch succeeds, twLaunchRun launches it next on the same grid
   * and arguments, as a dependent launch, which waits with gdc_wait_tko for what the first one
   * wrote (docs/running.md). On TW_REFERENCE, the options of the first kernel apply. Excludes
   * report, trace and isExhaustive. */
  const twKernelHandle *dependent;
} twLaunchOptions;

/* Binds a kernel to a grid and to one argument per parameter. Everything that the arguments and
 * options point to is copied, except the elements of arrays. `options` may be null: one block. Sets
 * *launch to the launch on success, and to null on failure.
 *
 * Arrays may overlap, and may view the same memory with other element types or strides.
 *
 * TW_USAGE: kernel or launch is null; `arguments` is null although argumentCount is not 0; the
 * number of arguments or the type of one does not match the parameters; an array, the grid or the
 * number of threads is not as described above; there is a stream, and the device is not TW_GPU or
 * an argument is an array; the device does not support an option, or the dependent kernel does not
 * match. On the machines, also: an argument is an address. Except on TW_CPU,
 * also: two arrays overlap and only one of them is initialised. On TW_PTX and TW_GPU, also: an
 * argument is multicast memory. */
TW_API twStatus twLaunchCreate(const twKernelHandle *kernel, const twLaunchOptions *options,
                               const twArgument *arguments, size_t argumentCount,
                               twLaunchHandle **launch, twDiagnostics **diagnostics);

/* Runs the launch on the calling thread and others, and returns when it has ended. May be called
 * again. The PTX machine and a GPU work on copies of the arrays, which are written back if the
 * function returns TW_SUCCESS.
 *
 * TW_SUCCESS: the kernel ran to its end; any findings are warnings. TW_MISBEHAVED, TW_FAILED: the
 * findings say why; if there are none, the kernel could not run (too little memory, for instance).
 * TW_CANCELLED: twLaunchCancel was called. TW_USAGE: the launch is null.
 *
 * The text of the diagnostics has one or more lines per finding, or the reason. */
TW_API twStatus twLaunchRun(twLaunchHandle *launch, twDiagnostics **diagnostics);

/* How many tile blocks of the current or last run have ended. -1 if the launch is null, or its
 * device is not the reference machine: no other device counts blocks. Any thread may call it at any
 * time until the launch is destroyed. */
TW_API int64_t twLaunchBlocksDone(const twLaunchHandle *launch);

/* The counters of the last run: the JSON object that `tilewright run --counters=FILE.json` writes
 * (docs/nvidia-costs.md). Null if the launch is null, the kernel was compiled without the option
 * `counters`, or the run did not end. The text lives until the next run, or until the launch is
 * destroyed. */
TW_API const char *twLaunchCounters(const twLaunchHandle *launch);

/* An element of an array or global variable, and its value at the end of an execution. */
typedef struct twChangedElement {
  size_t size;
  /* As in a twFinding: `parameter 1 (1xi32)`, and the number of the element in its memory. */
  const char *array;
  int64_t element;
  /* The type of the element; TW_NO_ELEMENT for a type that arrays cannot have. */
  twElementType type;
  /* Not 0: the value is undefined. */
  int isUndefined;
  /* The bits of the value in memory, extended with zeros; and the value as text: `-7`. */
  uint64_t bits;
  const char *value;
} twChangedElement;

/* What the last run of a kernel with the option `isExhaustive` found: the number of executions that
 * run to their end without a race, and the number of their distinct outcomes. An outcome is a list
 * of the elements whose values have changed, ordered by array and element. If there are findings
 * other than warnings, the kernel is undefined, and the outcomes mean nothing. 0 if the launch is
 * null or explored nothing, or there is no such outcome. */
TW_API uint64_t twLaunchExecutionCount(const twLaunchHandle *launch);
TW_API size_t twLaunchOutcomeCount(const twLaunchHandle *launch);
TW_API size_t twLaunchOutcomeSize(const twLaunchHandle *launch, size_t outcome);

/* Fills in an element of an outcome, up to the size that the caller set. Both indices count from 0.
 * The strings live until the launch runs again or is destroyed. TW_USAGE: a pointer is null, or
 * there is no such element. */
TW_API twStatus twLaunchOutcomeElement(const twLaunchHandle *launch, size_t outcome, size_t index,
                                       twChangedElement *element);

/* Why the last run did not explore all executions; twLaunchRun has then not returned TW_SUCCESS.
 * Null if it did, or the launch is null or explored nothing. The text lives until the launch runs
 * again or is destroyed. */
TW_API const char *twLaunchExplorationLimit(const twLaunchHandle *launch);

/* Cancels the launch: twLaunchRun returns soon, and so does each later call. Compiled code stops
 * once the running blocks have ended or wait for others; the PTX machine stops after some
 * instructions; the reference machine stops before the next operation; a GPU does not start the
 * launch, or completes it. Any thread or signal handler may call this at any time until the launch
 * is destroyed. Accepts null. */
TW_API void twLaunchCancel(twLaunchHandle *launch);

/* Makes signals name the kernel: compiled code does not check its accesses. From now on, the first
 * SIGSEGV or SIGBUS of a thread that runs compiled code prints one line to standard error: the name
 * of the kernel, then `advice`, a text that tells the user what to do. So does the first SIGABRT
 * after a launch, with the name of the kernel that was launched last: the C library aborts the
 * process when it finds the heap corrupted. The signal is then passed on to the previous handler,
 * or ends the process. `advice` must live as long as the process; a later call replaces it. Does
 * nothing if `advice` is null. */
TW_API void twReportFaults(const char *advice);

/* Accepts null. Must not be called while twLaunchRun runs. */
TW_API void twLaunchDestroy(twLaunchHandle *launch);

/* ---- Findings: what a kernel did wrong --------------------------------------------------- */

/* What kind of error a finding reports. */
typedef enum twFindingKind {
  TW_FAILED_ASSERT = 1,
  TW_MISBEHAVIOUR = 2,
  /* A value that the specification leaves open became observable. A warning. */
  TW_UNSPECIFIED_VALUE = 3,
  /* The kernel has an operation that the machine does not support. */
  TW_UNSUPPORTED = 4,
  TW_STEP_LIMIT = 5,
  /* Every remaining tile block waited for a change that no other block can make. */
  TW_DEADLOCK = 6,
  /* The kernel stored a NaN, an infinity or an unspecified value (only with the check `origin`), or
   * a value far from that of an execution in f64 (`precision`). A warning. */
  TW_SUSPICIOUS_VALUE = 7
} twFindingKind;

/* Strings are never null; unknown ones are empty. */
typedef struct twFinding {
  size_t size;
  twFindingKind kind;
  twSeverity severity;
  /* One line. */
  const char *message;
  /* The message with its place and a line for each related operation, as the command line prints
   * it, without a final line break. */
  const char *text;
  twPlace place;
  /* The check that made the finding (`race`, `bounds`, ...), the section of the specification that
   * requires it, and how to fix the kernel. */
  const char *rule, *section, *help;
  const char *kernel;
  /* The tile block: x, y, z. */
  int64_t block[3];
  const char *operation;
  /* The element of the tile: `[3]`. */
  const char *element;
  /* The array that the finding is about, `parameter 2 (4x8xf32)`, and the number of the element in
   * its memory. If it is about no array, empty and -1. If the access is outside of all arrays, the
   * nearest array and -1. An array whose address is in element 5 of that array appears as
   * `parameter 2[5] (16xf32)`. Overlapping arrays are named together: `parameters 1 and 2
   * (16xf32)`; elements then count from the lowest address. If the element types differ, as in
   * `parameters 1 (16xf32) and 3 (8xi64)`, arrayElement counts bytes. An array with the name `array
   * x` appears as `array x (4x8xf32)`. */
  const char *array;
  int64_t arrayElement;
  /* If it happened in another schedule than that of the launch: `replay:1:3,0`, a value of
   * twCompileOptions.schedule. Empty otherwise. */
  const char *schedule;
} twFinding;

/* The number of listed findings of the last run, and the number of further findings that were only
 * counted. 0 if the launch is null. */
TW_API size_t twLaunchFindingCount(const twLaunchHandle *launch);
TW_API int64_t twLaunchUnlistedFindings(const twLaunchHandle *launch);

/* Fills in the finding with this index, which counts from 0, up to the size that the caller set.
 * The strings live until the launch runs again or is destroyed. TW_USAGE: a pointer is null, or
 * there is no such finding. */
TW_API twStatus twLaunchFinding(const twLaunchHandle *launch, size_t index, twFinding *finding);

/* ---- Explored: what a kernel does, costs and does wrong ---------------------------------- */

/* What a kernel does, what it costs and what is wrong, as a document and a page. */
typedef struct twExplored twExplored;

/* The text of a file, as locations name it. Neither is null. */
typedef struct twSourceText {
  const char *file, *text;
} twSourceText;

/* Cancels explorations, estimates and proofs from another thread or a signal handler. */
typedef struct twCancellation twCancellation;
TW_API twCancellation *twCancellationCreate(void);
/* Each call with this object ends soon, also one that begins later. Any thread or signal handler
 * may call it at any time until the object is destroyed. Accepts null. */
TW_API void twCancellationRequest(twCancellation *cancellation);
/* No call uses it any more. Accepts null. */
TW_API void twCancellationDestroy(twCancellation *cancellation);

/* How twEntryExplore launches an entry. */
typedef struct twExploreOptions {
  size_t size;
  /* As in twLaunchOptions. */
  int64_t grid[3];
  /* The GPU to compile for, like `sm_90a`; null: `sm_90a`. */
  const char *target;
  /* Not 0: add the text of Python files that source locations name. The program decides which
   * files: set it only for programs that you trust. */
  int readsSources;
  /* The text of files that are not read: notebook cells, for example, which are no files. May be
   * null if there are none. */
  const twSourceText *sources;
  size_t sourceCount;
  /* Another version of the kernel, of any module, which takes the same arguments: the document
   * compares, with this as the version before. Null: no comparison. */
  const twEntry *compare;
  /* As in twCompileOptions, for each launch. */
  int64_t maxSteps;
  /* May be null. */
  twCancellation *cancellation;
} twExploreOptions;

/* Launches the entry on the reference machine and on the PTX machine, compiles it for a GPU and for
 * this CPU, and describes all of that in one document (docs/explore.md). The output of the kernel
 * is discarded, and the arrays keep their contents. `options` may be null: one block. Sets
 * *explored to the description on success, and to null on failure.
 *
 * TW_SUCCESS also if the kernel misbehaves (twExploredOutcome). TW_CANCELLED: twCancellationRequest
 * was called. TW_USAGE: entry, explored or a source is null, the target is unknown, the arguments
 * do not match the parameters as for twLaunchCreate with TW_REFERENCE, or there is too little
 * memory. */
TW_API twStatus twEntryExplore(const twEntry *entry, const twExploreOptions *options,
                               const twArgument *arguments, size_t argumentCount,
                               twExplored **explored, twDiagnostics **diagnostics);

/* What twLaunchRun would have returned on the reference machine. TW_USAGE: null. */
TW_API twStatus twExploredOutcome(const twExplored *explored);

/* The document, and the HTML page that shows it. They live as long as `explored`; null if that is
 * null. */
TW_API const char *twExploredJson(const twExplored *explored);
TW_API const char *twExploredPage(const twExplored *explored);

/* Accepts null. */
TW_API void twExploredDestroy(twExplored *explored);

/* ---- Diff: which operation a device computes wrongly -------------------------------------- */

/* The result of comparing devices, as text and as a report. */
typedef struct twDiff twDiff;

/* How twEntryDiff launches an entry. */
typedef struct twDiffOptions {
  size_t size;
  /* As in twLaunchOptions. */
  int64_t grid[3];
  /* `cpu`, `ptx` or `gpu`, each with an optional target: `ptx:sm_80`. None: `cpu` and `ptx`. */
  const char *const *devices;
  size_t deviceCount;
  /* Not 0: add source lines to the text, from files that source locations name. The program decides
   * which files: set it only for programs that you trust. */
  int readsSources;
} twDiffOptions;

/* Launches the entry on the reference machine and on each device, with equal arrays, and finds the
 * first operation whose result leaves what the specification allows (docs/diff.md). The output of
 * the kernel is discarded, and the arrays keep their contents. `options` may be null: one block.
 * Sets *diff to the result on success, and to null on failure.
 *
 * TW_SUCCESS also if a device differs (twDiffOutcome). TW_USAGE: entry, diff or a device is null, a
 * device is unknown, the arguments do not match the parameters as for twLaunchCreate with
 * TW_REFERENCE, or there is too little memory. */
TW_API twStatus twEntryDiff(const twEntry *entry, const twDiffOptions *options,
                            const twArgument *arguments, size_t argumentCount, twDiff **diff,
                            twDiagnostics **diagnostics);

/* TW_SUCCESS: each device computes what the specification allows. TW_MISBEHAVED: one does not, or
 * the kernel has undefined behaviour. TW_FAILED: an assertion failed, or a device cannot run the
 * kernel. TW_USAGE: null. */
TW_API twStatus twDiffOutcome(const twDiff *diff);

/* The findings as text, empty if there are none, and the JSON report (docs/reports.md). They live
 * as long as `diff`; null if that is null. */
TW_API const char *twDiffText(const twDiff *diff);
TW_API const char *twDiffJson(const twDiff *diff);

/* Accepts null. */
TW_API void twDiffDestroy(twDiff *diff);

/* ---- Estimate: what a launch costs on GPUs ------------------------------------------------ */

/* How twEntryEstimate launches an entry. */
typedef struct twEstimateOptions {
  size_t size;
  /* As in twLaunchOptions. */
  int64_t grid[3];
  /* As in twExploreOptions. */
  const char *target;
  /* How many blocks to run, spread over the grid. 0: four. -1: all, for kernels whose blocks wait
   * for one another or take work from a common counter. */
  int64_t blocks;
  /* As in twCompileOptions. */
  int64_t maxSteps;
  /* May be null. */
  twCancellation *cancellation;
} twEstimateOptions;

/* Runs some blocks of a launch on the PTX machine, and estimates from what it counts how long the
 * launch takes on GPUs (docs/tuning.md). The output of the kernel is discarded, and the
 * arrays keep their contents. `options` may be null: one block. Sets *json to the document on
 * success, and to null on failure; the caller releases it.
 *
 * TW_CANCELLED: twCancellationRequest was called. TW_USAGE: entry or json is null, the target is
 * unknown or the kernel cannot be compiled for it, the arguments do not match the parameters as for
 * twLaunchCreate with TW_PTX, a block does not run to its end, or there is too little memory. */
TW_API twStatus twEntryEstimate(const twEntry *entry, const twEstimateOptions *options,
                                const twArgument *arguments, size_t argumentCount, char **json,
                                twDiagnostics **diagnostics);

/* Compares the documents of two estimates. Sets *json to the costs that are higher in `after` than
 * in `before` by more than the fraction `tolerance`, as an array, which is empty if there are none;
 * and to null on failure. The caller releases it:
 *
 *     [{"what": "sectors", "before": 1024, "after": 1536,
 *       "lines": [{"file": "k.py", "line": 9, "before": 512, "after": 1024}]}]
 *
 * `what` is one of `instructions`, `sectors`, `bank_cycles`, `barriers` (of all blocks that ran),
 * `shared_bytes` (of a block, in all of its CTAs), `registers` and `spill_bytes` (of a thread).
 * `lines` are the source lines that cost more, those that gained most first. A cost that only one
 * document has is left out.
 *
 * TW_USAGE: a pointer is null, a text is not a document of twEntryEstimate, the documents have
 * different kernels, targets, grids or numbers of blocks, or the tolerance is negative or NaN. */
TW_API twStatus twEstimateIncreases(const char *before, const char *after, double tolerance,
                                    char **json, twDiagnostics **diagnostics);

/* ---- Proof: whether accesses are in bounds for all launches ------------------------------- */

/* What is known about all launches of an entry, as text and as a JSON document. */
typedef struct twProof twProof;

/* How twEntryProve proves. */
typedef struct twProveOptions {
  size_t size;
  /* What conditions and findings call the parameters: a name for each, null or empty for none. May
   * be null if there are none. A parameter without a name has that of the text, else `arg1`. All
   * must be different. */
  const char *const *names;
  size_t nameCount;
  /* Not 0: do not search for launches that fail, which takes most of the time. */
  int proofOnly;
  /* The file of the program, for the commands that show launches that fail. Null or empty: there
   * are no commands. */
  const char *file;
  /* May be null. Proof and search end soon after a request. */
  twCancellation *cancellation;
} twProveOptions;

/* Proves for all launches that the accesses of the entry stay inside of memory, or finds the
 * condition under which they do, and searches for launches that fail (docs/prove.md). `options` may
 * be null. Sets *proof to the result on success, and to null on failure.
 *
 * TW_SUCCESS whatever the answers are (twProofOutcome). TW_CANCELLED: twCancellationRequest was
 * called. TW_USAGE: entry or proof is null, the number of names is wrong, two names are
 * equal, or there is too little memory. */
TW_API twStatus twEntryProve(const twEntry *entry, const twProveOptions *options, twProof **proof,
                             twDiagnostics **diagnostics);

/* TW_SUCCESS: everything holds, if the conditions do. TW_MISBEHAVED: an operation fails, and no
 * launch is known to be right. TW_FAILED: none fails so, but something is unknown. TW_USAGE:
 * null. */
TW_API twStatus twProofOutcome(const twProof *proof);

/* The answers as the command line prints them, and the JSON document (docs/prove.md). They live as
 * long as `proof`; null if that is null. */
TW_API const char *twProofText(const twProof *proof);
TW_API const char *twProofJson(const twProof *proof);

/* Accepts null. */
TW_API void twProofDestroy(twProof *proof);

/* ---- Advice: which memory orders, scopes and tokens a launch needs ------------------------ */

/* Which memory orders, scopes and tokens of an entry a launch needs, as text and as JSON. */
typedef struct twAdvice twAdvice;

/* How twEntryAdvise launches an entry. */
typedef struct twAdviseOptions {
  size_t size;
  /* As in twLaunchOptions. */
  int64_t grid[3];
  /* An exploration of all executions ends after this number of runs of tile blocks. 0: 20,000. */
  uint64_t explorationRuns;
  /* If not all executions can be explored: the number of random schedules of each form. 0: 32. */
  uint64_t randomSchedules;
  /* May be null. */
  twCancellation *cancellation;
} twAdviseOptions;

/* Executes the entry, and copies with one weaker memory order, scope or token each, on the
 * reference machine, and says which of these the launch needs, which can be weaker, and which are
 * too weak (docs/advise.md). The output of the kernel is discarded, and the arrays keep their
 * contents. `options` may be null: one block. Sets *advice to the result on success, and to null on
 * failure.
 *
 * TW_SUCCESS whatever the advice is (twAdviceOutcome). TW_CANCELLED: twCancellationRequest was
 * called. TW_USAGE: entry or advice is null, the arguments do not match the parameters as for
 * twLaunchCreate with TW_REFERENCE, the machine does not support the kernel, or there is too little
 * memory. */
TW_API twStatus twEntryAdvise(const twEntry *entry, const twAdviseOptions *options,
                              const twArgument *arguments, size_t argumentCount, twAdvice **advice,
                              twDiagnostics **diagnostics);

/* TW_SUCCESS: no error was found in the kernel as it is written. TW_MISBEHAVED: it is too weak, or
 * wrong in another way. TW_USAGE: null. */
TW_API twStatus twAdviceOutcome(const twAdvice *advice);

/* The advice as the command line prints it, and as JSON (docs/advise.md). They live as long as
 * `advice`; null if that is null. */
TW_API const char *twAdviceText(const twAdvice *advice);
TW_API const char *twAdviceJson(const twAdvice *advice);

/* Accepts null. */
TW_API void twAdviceDestroy(twAdvice *advice);

/* ---- Report: the findings of all launches in a process ----------------------------------- */

/* Collects the findings of all launches that name it in their options. Any thread may use it at any
 * time, except to destroy it. Launches may outlive it. */
typedef struct twReport twReport;

/* For twReportCreate. */
enum {
  TW_REPORT_COVERAGE = 1 /* count how often each operation runs */
};

/* Creates a report. Null if a flag is unknown. */
TW_API twReport *twReportCreate(unsigned flags);

/* Accepts null. */
TW_API void twReportDestroy(twReport *report);

/* The number of listed findings: the first thousand distinct ones. 0 if the report is null. */
TW_API size_t twReportFindingCount(const twReport *report);

/* The forms that docs/reports.md describes. Coverage forms need TW_REPORT_COVERAGE. */
typedef enum twReportForm TW_BITS {
  TW_REPORT_JSON = 1,
  TW_REPORT_SARIF = 2,
  TW_COVERAGE_TEXT = 3,
  TW_COVERAGE_JSON = 4,
  TW_COVERAGE_LCOV = 5
} twReportForm;

/* Writes the report as a null-terminated string, to be released with twFree; null on failure.
 * `others` is null, or a text of this form with the reports of other processes, which are kept. As
 * JSON and SARIF, it may contain an earlier text of this report, which is replaced.
 *
 * TW_USAGE: report or text is null, the form is unknown, or it needs coverage. TW_INVALID: `others`
 * is not a text of this form. */
TW_API twStatus twReportToText(const twReport *report, twReportForm form, const char *others,
                               char **text, twDiagnostics **diagnostics);

#ifdef __cplusplus
}
#endif

#endif /* TILEWRIGHT_API_TILEWRIGHT_H */
