/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Tilewright from C, and from whatever can call C: link with -ltilewright. docs/library.md has a
 * whole program. The steps are
 *
 *   twContext        how programs are read, and where compiled kernels are kept
 *   twModule         a program, read from text or bytecode and verified
 *   twEntry          what can be launched, with its parameters
 *   twKernelHandle   an entry that was compiled, or prepared for the reference machine
 *   twLaunchHandle   a kernel with a grid and arguments; what a run of it found
 *
 * (twKernel and twLaunch are structs of tilewright/runtime/Kernel.h, the interface of compiled
 * code.)
 *
 * Errors. A function that can fail returns a twStatus and has a last parameter `twDiagnostics
 * **diagnostics`, which may be null. Otherwise *diagnostics becomes null if there is nothing to
 * report, or what the caller releases with twDiagnosticsDestroy; after a failure it is never null.
 * A success may come with warnings. Nothing throws, exits or aborts, whatever a function is given;
 * only when memory runs out does the process end, as LLVM does.
 *
 * Memory. What a *Create or *Read function returns is released by the *Destroy function of its
 * type, for which null is fine. Strings and structs that a handle hands out (`const`) live as long
 * as the handle, or as long as the function says. Strings and bytes that are handed out to be kept
 * (without `const`) are released with twFree.
 *
 * Structs with a member `size` may grow. The caller sets `size` to sizeof the struct and all that
 * it does not know to 0, as `twCompileOptions options = {.size = sizeof options}` does; 0 always
 * means the usual value.
 *
 * Threads. Different threads may use different handles at any time, and the same twModule, twEntry
 * and twKernelHandle, too. A twContext and a twLaunchHandle may be used by one thread at a time,
 * but for twLaunchCancel and twLaunchBlocksDone. Handles keep alive what they were made from: a
 * module may outlive its context, a kernel its module, a launch its kernel. */

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

/* The type of enumerations that callers fill in. In C++ it has to be said, so that every value that
 * a caller may write there can be read, and refused. */
#ifdef __cplusplus
#define TW_BITS : unsigned int
extern "C" {
#else
#define TW_BITS
#endif

/* The version of the library, `0.1.0`. It lives as long as the process. */
TW_API const char *twLibraryVersion(void);

/* How a call ended. */
typedef enum twStatus {
  TW_SUCCESS = 0,
  /* The program is malformed, breaks a rule of Tile IR, or does not fit the version. */
  TW_INVALID = 1,
  /* The call itself is wrong: a null pointer, an argument that does not fit, an unknown value. */
  TW_USAGE = 2,
  /* The kernel did what the specification calls undefined. */
  TW_MISBEHAVED = 3,
  /* The kernel cannot be compiled or cannot run to its end, or an assertion of it does not hold. */
  TW_FAILED = 4,
  /* The launch was cancelled before all of it had run. */
  TW_CANCELLED = 5,
  /* A file cannot be read. */
  TW_FILE = 6
} twStatus;

/* Versions of Tile IR: TW_VERSION(13, 3). */
typedef uint32_t twVersion;
#define TW_VERSION(major, minor) ((twVersion)(major) << 8 | (twVersion)(minor))
#define TW_VERSION_MAJOR(version) ((version) >> 8)
#define TW_VERSION_MINOR(version) ((version) & 0xFF)
/* To twModuleToBytecode: the oldest version that can hold the module. */
#define TW_VERSION_LOWEST ((twVersion)0)

/* Releases a string or bytes that a function here returned. Null is fine. */
TW_API void twFree(void *memory);

/* ---- Diagnostics ------------------------------------------------------------------------- */

typedef struct twDiagnostics twDiagnostics;

/* A place in a source or in bytecode. */
typedef struct twPlace {
  /* Never null; empty if nothing is known. */
  const char *file;
  /* From 1; 0 if there is no line. (Debug information counts columns of Python files from 0, as
   * Python's module `ast` does: those are one higher here.) */
  int64_t line, column;
  /* The offset in a bytecode file; -1 if there is none. */
  int64_t byte;
} twPlace;

typedef enum twSeverity { TW_ERROR = 1, TW_WARNING = 2, TW_REMARK = 3 } twSeverity;

typedef struct twDiagnostic {
  size_t size;
  twSeverity severity;
  twPlace place;
  /* One line, without place and severity. */
  const char *message;
} twDiagnostic;

/* All of them as the command line prints them: one or more lines, each ended by a line break.
 * Lives as long as `diagnostics`. Empty if that is null. */
TW_API const char *twDiagnosticsText(const twDiagnostics *diagnostics);

/* How many there are about the program. 0 where the call is wrong or a kernel cannot run: then
 * there is only a text. */
TW_API size_t twDiagnosticsCount(const twDiagnostics *diagnostics);

/* Fills in number `index`, from 0, up to the size that the caller has set. The strings live as long
 * as `diagnostics`. TW_USAGE: a pointer is null, or there is no such diagnostic. */
TW_API twStatus twDiagnosticsGet(const twDiagnostics *diagnostics, size_t index,
                                 twDiagnostic *diagnostic);

/* Null is fine. */
TW_API void twDiagnosticsDestroy(twDiagnostics *diagnostics);

/* ---- Context: how modules are read, and what is kept ------------------------------------- */

typedef struct twContext twContext;

/* A context with the usual settings. Never null. */
TW_API twContext *twContextCreate(void);

/* Null is fine. */
TW_API void twContextDestroy(twContext *context);

/* With `strict` other than 0, modules that are read from now on must also keep the rules that
 * only the prose of the specification states. Does nothing if the context is null. */
TW_API void twContextSetStrict(twContext *context, int strict);

/* The folder in which compiled kernels of modules that are read from now on are kept, as files that
 * any number of processes may share. It is made when it is needed. Empty: compiled kernels are not
 * kept. Null, as at the start: $TILEWRIGHT_CACHE_DIR, else $XDG_CACHE_HOME/tilewright, else
 * ~/.cache/tilewright. Does nothing if the context is null. */
TW_API void twContextSetCache(twContext *context, const char *folder);

/* ---- Module: a program ------------------------------------------------------------------- */

typedef struct twModule twModule;

/* Reads and verifies a program, text or bytecode: its first byte says which. The bytes are copied.
 * Diagnostics call the program `name`; null stands for "<memory>". On success *module is the
 * program, on failure null. `bytes` may be null if `size` is 0.
 *
 * TW_INVALID: the program is malformed or breaks a rule, or holds anything but one
 * cuda_tile.module. TW_USAGE: context, bytes or module is null. */
TW_API twStatus twModuleRead(const twContext *context, const void *bytes, size_t size,
                             const char *name, twModule **module, twDiagnostics **diagnostics);

/* The same for a file. TW_FILE: it cannot be read. */
TW_API twStatus twModuleReadFile(const twContext *context, const char *path, twModule **module,
                                 twDiagnostics **diagnostics);

/* Null is fine. */
TW_API void twModuleDestroy(twModule *module);

/* The version that the bytecode states which the module was read from; 0 if it was text or
 * the module is null. */
TW_API twVersion twModuleFileVersion(const twModule *module);

/* The oldest version that can hold the module; a producer takes 13.3. 0 if it is null. */
TW_API twVersion twModuleLowestVersion(const twModule *module);

/* For twModuleVerify. */
enum {
  TW_VERIFY_STRICT = 1 /* the rules that only the prose of the specification states */
};

/* Checks more than reading does: what the flags name, and, if `version` is not 0, that this version
 * can express the module. TW_INVALID: a diagnostic for each place says why not. TW_USAGE: the
 * module is null, or a flag or the version is unknown. */
TW_API twStatus twModuleVerify(const twModule *module, unsigned flags, twVersion version,
                               twDiagnostics **diagnostics);

/* For twModuleToText, to be combined with |. */
enum {
  TW_TEXT_GENERIC = 1,  /* the generic form of every operation */
  TW_TEXT_LOCATIONS = 2 /* locations and debug information too */
};

/* Prints the module as text that twModuleRead reads. On success *text is a string that ends
 * with a 0 byte, to be released with twFree. On failure it is null.
 *
 * TW_USAGE: module or text is null, or a flag is unknown. */
TW_API twStatus twModuleToText(const twModule *module, unsigned flags, char **text,
                               twDiagnostics **diagnostics);

/* Encodes the module as bytecode of a version: 13.1 to 13.5 or TW_VERSION_LOWEST. On
 * success *bytes and *size are the file, to be released with twFree. On failure they are null and
 * 0. The producer is dropped below 13.3 without a word.
 *
 * TW_INVALID: the version cannot hold the module; a diagnostic for each operation says why.
 * TW_USAGE: module, bytes or size is null, or the version is unknown. */
TW_API twStatus twModuleToBytecode(const twModule *module, twVersion version, uint8_t **bytes,
                                   size_t *size, twDiagnostics **diagnostics);

/* ---- Entry: what can be launched --------------------------------------------------------- */

typedef struct twEntry twEntry;

/* What an element is. In memory, i1 takes a byte, any of which but 0 is true; tf32 takes 4 bytes,
 * the upper 19 bits of which count; f4E2M1FN takes half a byte, the low half first. */
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
  /* Only in a twArgument: the address of memory of which nobody knows how much there is. */
  TW_ADDRESS = 15,
  TW_F8E5M3FNU = 16,
  /* Only in a twArgument: an address that stands for several arrays. */
  TW_MULTICAST = 17
} twElementType;

typedef struct twParameter {
  size_t size;
  /* Not 0: it is given the address of an array; otherwise a scalar. */
  int isPointer;
  /* Of the array or scalar. TW_NO_ELEMENT: nothing can be passed for this type, and the entry
   * cannot be compiled. */
  twElementType element;
  /* As Tile IR writes it. Lives as long as the entry. */
  const char *type;
  /* Not 0: it is given an array that the kernel may write to. */
  int isWritten;
} twParameter;

/* How many entries there are; 0 if the module is null. */
TW_API size_t twModuleEntryCount(const twModule *module);

/* Entry number `index`, from 0, in the order of the text; null if there is none. It lives as long
 * as the module. */
TW_API const twEntry *twModuleEntry(const twModule *module, size_t index);

/* The entry of this name, `k` or `@k`; null if there is none, or the module or name is null. */
TW_API const twEntry *twModuleFindEntry(const twModule *module, const char *name);

/* Lives as long as the entry; null if that is null. */
TW_API const char *twEntryName(const twEntry *entry);

/* 0 if the entry is null. */
TW_API size_t twEntryParameterCount(const twEntry *entry);

/* Where it stands in its source: in bytecode, as debug information says. The string lives as long
 * as the entry. TW_USAGE: a pointer is null. */
TW_API twStatus twEntryPlace(const twEntry *entry, twPlace *place);

/* Fills in number `index`, from 0, up to the size that the caller has set. TW_USAGE: a pointer is
 * null, or there is no such parameter. */
TW_API twStatus twEntryParameter(const twEntry *entry, size_t index, twParameter *parameter);

/* ---- Kernel: an entry that can run ------------------------------------------------------- */

typedef struct twKernelHandle twKernelHandle;

typedef enum twDevice TW_BITS {
  /* Code for this processor. */
  TW_CPU = 0,
  /* The machine that executes what the specification says, and reports what a kernel does wrong:
   * races, accesses outside of arrays, broken promises (docs/running.md). */
  TW_REFERENCE = 1,
  /* Code for a GPU, on the machine that executes PTX and checks it (docs/ptx.md). */
  TW_PTX = 2,
  /* The first NVIDIA GPU of this machine, through its driver. Arrays are copied there, and back if
   * the launch succeeds. What the kernel prints goes to standard output. */
  TW_GPU = 3
} twDevice;

/* As -O0 to -O3 of the command line. */
typedef enum twOptimization TW_BITS {
  TW_USUAL_OPTIMIZATION = 0, /* TW_O2 */
  TW_O0 = 1,
  TW_O1 = 2,
  TW_O2 = 3,
  TW_O3 = 4
} twOptimization;

typedef struct twCompileOptions {
  size_t size;
  twDevice device;

  /* For all devices but TW_REFERENCE. */
  /* TW_CPU: `native`, or another processor whose code this one runs (docs/cpu.md); null: `native`.
   * TW_PTX, TW_GPU: `sm_75` to `sm_121a` (docs/nvidia.md); null: `sm_90a`, or the GPU that is
   * there. */
  const char *target;
  twOptimization optimization;
  /* Not 0: debuggers see the code and its lines. TW_CPU only. */
  int debugInfo;

  /* For TW_REFERENCE and TW_PTX. */
  /* `all`, `none`, or a list as `--check` of the command line takes it: `race,bounds`, `no-race`.
   * Null: `all`. */
  const char *checks;
  /* Not 0: any legal order of what nothing orders, decided by the seed; otherwise the order of the
   * blocks, or of the threads. */
  int isRandom;
  uint64_t seed;
  /* Operations that all blocks of a launch may execute together, or instructions that all threads
   * may; 0: $TILEWRIGHT_MAX_STEPS, or else 1,000,000,000. */
  int64_t maxSteps;

  /* For TW_PTX. */
  /* Not 0: threads run from the last one to the first. Not together with isRandom. */
  int isReverse;
  /* Not 0: launches count what costs time on a GPU (twLaunchCounters). The assumptions of the
   * kernel are not checked then. */
  int counters;
} twCompileOptions;

/* Compiles an entry, or takes it from the cache, or prepares it for a machine.
 * `options` may be null: TW_CPU, as usual. On success *kernel is the kernel, on failure null.
 *
 * TW_USAGE: entry or kernel is null, an option is unknown or not one of the device, or the target
 * is unknown or not this machine's. TW_FAILED: the entry cannot be compiled, or there is no GPU; a
 * text says why.
 *
 * Global variables of compiled code keep their values from launch to launch; on a machine each
 * launch starts with their initial values. */
TW_API twStatus twKernelCompile(const twEntry *entry, const twCompileOptions *options,
                                twKernelHandle **kernel, twDiagnostics **diagnostics);

/* Null is fine. */
TW_API void twKernelDestroy(twKernelHandle *kernel);

/* ---- Code: what a compiler makes of a module --------------------------------------------- */

typedef struct twCode twCode;

/* As --emit of `tilewright compile`. CPUs have all but threads, PTX and cubins; GPUs have tile,
 * plan, threads, LLVM, PTX and cubins. */
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

typedef struct twCodeOptions {
  size_t size;
  twStage stage;
  /* `cpu`, `cpu=NAME` or `sm_NN`; null: `cpu`. */
  const char *target;
  twOptimization optimization;
  /* Not 0: debuggers see the code and its lines. CPUs only. */
  int debugInfo;
  /* Not 0: twCodeRemarks has the compiler's remarks. */
  int remarks;
} twCodeOptions;

/* What a launch of a kernel must know. */
typedef struct twCompiledKernel {
  size_t size;
  /* Lives as long as the code. */
  const char *name;
  /* On a GPU: of a CTA, and its static shared memory in bytes. 0 on CPUs and for TW_STAGE_TILE. */
  int64_t threads;
  int64_t sharedBytes;
} twCompiledKernel;

/* Compiles a module to text or bytes. `options` may be null: LLVM IR for this processor. On success
 * *code is the code, on failure null.
 *
 * TW_USAGE: module or code is null, an option or the target is unknown, or the target does not have
 * the stage. TW_FAILED: the module cannot be compiled; a text says why. */
TW_API twStatus twModuleCompile(const twModule *module, const twCodeOptions *options, twCode **code,
                                twDiagnostics **diagnostics);

TW_API void twCodeDestroy(twCode *code);

/* Text, which a 0 byte follows, or bytes. They live as long as the code. */
TW_API const void *twCodeBytes(const twCode *code);
TW_API size_t twCodeSize(const twCode *code);

/* A line for each decision of the compiler, `k.mlir:12:5: remark: ...`; empty unless the options
 * requested remarks. Lives as long as the code. */
TW_API const char *twCodeRemarks(const twCode *code);

/* In the order of the module. TW_USAGE: there is no such kernel. */
TW_API size_t twCodeKernelCount(const twCode *code);
TW_API twStatus twCodeKernel(const twCode *code, size_t index, twCompiledKernel *kernel);

/* ---- Launch: a kernel on arrays ---------------------------------------------------------- */

typedef struct twLaunchHandle twLaunchHandle;

/* Element number `element` of an array of i64, counted from 0 in its memory whatever the strides,
 * is the address of the first byte of `array`, which the kernel accesses through it. */
typedef struct twLink {
  int64_t element;
  const struct twArray *array;
} twLink;

/* An array of the caller, which a launch reads and writes where it is. It must live, at this
 * address, until the launch has been destroyed. */
typedef struct twArray {
  size_t size;
  /* A multiple of the size of an element; null only if there is no element. */
  void *data;
  twElementType element;
  /* Dimensions, at most 64. */
  size_t rank;
  /* Extents in elements. May be null if the rank is 0. */
  const int64_t *shape;
  /* Elements from one to the next along each dimension, none negative; null: row-major order. An
   * array of f4E2M1FN is in row-major order, and its last extent even. */
  const int64_t *strides;
  /* Not 0: elements have no value before the kernel writes them, and the reference machine reports
   * a kernel that uses one before. */
  int isUninitialised;
  /* Elements that are addresses of other arrays, as in a table of arrays; may be null if there are
   * none. Compiled code reads the elements as they are, so the addresses must be in them already,
   * and stay until the launch has been destroyed. The reference machine, which gives arrays
   * addresses of its own, runs on a copy of this array that has those, and brings back what else
   * the kernel writes to it; a kernel that overwrites an address there cannot run to its end.
   * Arrays that are linked may have links, up to 8 levels deep. */
  const twLink *links;
  size_t linkCount;
  /* What findings call it, `array x`; null or empty: by its parameter, `parameter 2`. */
  const char *name;
} twArray;

/* What a parameter is given: an array if that is not null, otherwise a scalar; or with TW_ADDRESS,
 * for a pointer of any type, an address. Whoever passes an address answers for what the kernel does
 * there: the reference machine, which checks every access, refuses it.
 *
 * With TW_MULTICAST, a multicast address: `array` points to the first of `bits` arrays of one
 * element type and size, which the multimem operations of the kernel read and write together.
 * Nothing else may access memory there. */
typedef struct twArgument {
  const twArray *array;
  twElementType element;
  /* Of the scalar: its bits in memory, extended with zeros. The address. How many arrays. */
  uint64_t bits;
} twArgument;

/* Arguments from what C has. The array must live until twLaunchCreate has returned. */
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

typedef struct twLaunchOptions {
  size_t size;
  /* Tile blocks along x, y and z, 1 to 2^24 - 1; 0: 1. */
  int64_t grid[3];
  /* Of compiled code and the PTX machine, the caller's included, at most 1024; 0:
   * TILEWRIGHT_THREADS, else as many as the process may keep busy. The reference machine decides
   * itself. */
  int threads;
  /* Takes what the kernel prints, from one thread at a time: `length` bytes that do not end with a
   * 0 byte. Null: standard output. It must return, and gets `printContext`. It may launch kernels,
   * this one too, but on its own thread: one that waits for another thread to launch the same
   * kernel on the reference machine waits for ever. */
  void (*print)(void *printContext, const char *text, size_t length);
  void *printContext;
  /* Each run adds to it what it finds; may be null. Only for TW_REFERENCE. */
  struct twReport *report;
} twLaunchOptions;

/* Binds a kernel to a grid and to one argument per parameter. What the arguments and options point
 * to is copied, but for the elements of arrays. `options` may be null: one block. On success
 * *launch is the launch, on failure null.
 *
 * Arrays may overlap, and be the same memory with other element types or strides.
 *
 * TW_USAGE: kernel or launch is null, or arguments although there are some; their number or the
 * type of one does not fit; an array, the grid or the number of threads is not as described above.
 * Except on TW_CPU, also: an argument is an address, or two arrays overlap and only one of them is
 * initialised. On TW_PTX and TW_GPU, also: an argument is multicast memory. */
TW_API twStatus twLaunchCreate(const twKernelHandle *kernel, const twLaunchOptions *options,
                               const twArgument *arguments, size_t argumentCount,
                               twLaunchHandle **launch, twDiagnostics **diagnostics);

/* Runs it on the calling thread and others, and returns when it has ended. May be called again. The
 * PTX machine and a GPU work on copies of the arrays, which are written back if it returns
 * TW_SUCCESS.
 *
 * TW_SUCCESS: it ran to its end; findings, if any, are warnings. TW_MISBEHAVED, TW_FAILED: the
 * findings say why; without any, it could not run (too little memory, for instance).
 * TW_CANCELLED: twLaunchCancel was called. TW_USAGE: the launch is null. The text of the
 * diagnostics has the findings, a line or more each, or the reason. */
TW_API twStatus twLaunchRun(twLaunchHandle *launch, twDiagnostics **diagnostics);

/* Of the run that goes on, or of the last one: how many tile blocks have ended. Any thread may call
 * it at any time until the launch is destroyed. -1 for devices that do not count them, which
 * are all but the reference machine, and if the launch is null. */
TW_API int64_t twLaunchBlocksDone(const twLaunchHandle *launch);

/* Of the last run: the JSON object that `tilewright run --counters=FILE.json` writes
 * (docs/nvidia-costs.md). Null unless twCompileOptions asked for it, the run ended, and the launch
 * is not null. The text lives until the next run, or until the launch is destroyed. */
TW_API const char *twLaunchCounters(const twLaunchHandle *launch);

/* Makes twLaunchRun return soon, and each later one: compiled code ends with the blocks that run,
 * or where they wait for others; the PTX machine after some instructions; the reference machine
 * before the next operation. Any thread may
 * call it at any time until the launch is destroyed, and a signal handler. Null is fine. */
TW_API void twLaunchCancel(twLaunchHandle *launch);

/* Compiled code checks no access. From now on, the first SIGSEGV or SIGBUS of a thread that runs
 * compiled code writes a line to standard error with the name of the kernel, and then `advice`:
 * what the user is to do, in words. So does the first SIGABRT after a launch, by which the C
 * library ends a process whose heap is damaged; its line has the kernel that was launched last. The
 * signal then goes on as if this had not been: to the handler that was installed before, or to the
 * end of the process. `advice` must live as long as the process; a later call changes it. Null is
 * fine, and does nothing. */
TW_API void twReportFaults(const char *advice);

/* Null is fine. Not while twLaunchRun runs. */
TW_API void twLaunchDestroy(twLaunchHandle *launch);

/* ---- Findings: what a kernel did wrong --------------------------------------------------- */

typedef enum twFindingKind {
  TW_FAILED_ASSERT = 1,
  TW_MISBEHAVIOUR = 2,
  /* A value that the specification leaves open got out: a warning. */
  TW_UNSPECIFIED_VALUE = 3,
  /* The machine cannot execute an operation. */
  TW_UNSUPPORTED = 4,
  TW_STEP_LIMIT = 5,
  /* All tile blocks that were left waited, and none could change what they waited for. */
  TW_DEADLOCK = 6
} twFindingKind;

/* Strings are never null; they are empty if nothing is known. */
typedef struct twFinding {
  size_t size;
  twFindingKind kind;
  twSeverity severity;
  /* One line. */
  const char *message;
  /* The message with its place, and a line for each related operation, as the command line prints
   * it; without a line break at the end. */
  const char *text;
  twPlace place;
  /* The check that it comes from (`race`, `bounds`, ...), the section of the specification that
   * requires it, and how to correct the kernel. */
  const char *rule, *section, *help;
  const char *kernel;
  /* The tile block: x, y, z. */
  int64_t block[3];
  const char *operation;
  /* Which element of the tile: `[3]`. */
  const char *element;
  /* The array, `parameter 2 (4x8xf32)`, and the number of the element in its memory; -1 if it is
   * about none. Of an access outside of all arrays: the nearest one, and -1. An array that element
   * 5 of it leads to is `parameter 2[5] (16xf32)`. Arrays that overlap are one: `parameters 1 and 2
   * (16xf32)`, where elements are counted from the first of either; or `parameters 1 (16xf32) and 3
   * (8xi64)`, where bytes are counted if the element types differ. An array with a name is called
   * so: `array x (4x8xf32)`. */
  const char *array;
  int64_t arrayElement;
} twFinding;

/* Of the last run: how many findings there are, and how many more were only counted. 0 if the
 * launch is null. */
TW_API size_t twLaunchFindingCount(const twLaunchHandle *launch);
TW_API int64_t twLaunchUnlistedFindings(const twLaunchHandle *launch);

/* Fills in number `index`, from 0, up to the size that the caller has set. The strings live until
 * the launch runs again or is destroyed. TW_USAGE: a pointer is null, or there is no such
 * finding. */
TW_API twStatus twLaunchFinding(const twLaunchHandle *launch, size_t index, twFinding *finding);

/* ---- Report: what all launches of a process found ---------------------------------------- */

/* Collects from launches that have it in their options. Any thread may use it at any time, but for
 * twReportDestroy; launches may outlive it. */
typedef struct twReport twReport;

/* For twReportCreate. */
enum {
  TW_REPORT_COVERAGE = 1 /* count which operations of a kernel run */
};

/* With the flags. Null if one of them is unknown. */
TW_API twReport *twReportCreate(unsigned flags);

/* Null is fine. */
TW_API void twReportDestroy(twReport *report);

/* How many findings are listed: the same one once, and the first thousand. 0 if the report is
 * null. */
TW_API size_t twReportFindingCount(const twReport *report);

/* As docs/reports.md describes them. Those of coverage need TW_REPORT_COVERAGE. */
typedef enum twReportForm TW_BITS {
  TW_REPORT_JSON = 1,
  TW_REPORT_SARIF = 2,
  TW_COVERAGE_TEXT = 3,
  TW_COVERAGE_JSON = 4,
  TW_COVERAGE_LCOV = 5
} twReportForm;

/* The report as a string that ends with a 0 byte, to be released with twFree; null on failure.
 * `others` is a text of this form with reports of other processes, which it keeps, or null. As
 * JSON and SARIF it may hold what this report wrote before, whose place is taken.
 *
 * TW_USAGE: report or text is null, the form is unknown or needs coverage. TW_INVALID: `others` is
 * no text of this form. */
TW_API twStatus twReportToText(const twReport *report, twReportForm form, const char *others,
                               char **text, twDiagnostics **diagnostics);

#ifdef __cplusplus
}
#endif

#endif /* TILEWRIGHT_API_TILEWRIGHT_H */
