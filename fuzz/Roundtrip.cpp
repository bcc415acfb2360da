// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Fuzz target for the writer. Every valid file is written in the oldest version that can store it
// and in the newest. The result must read back to the same text, including locations, and be
// written again to the same bytes.

#include "Harness.h"

#include "tilewright/bytecode/Reader.h"
#include "tilewright/bytecode/Writer.h"

#include "mlir/IR/Verifier.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace tilewright;

static ArrayRef<uint8_t> bytesOf(const SmallVectorImpl<char> &bytes) {
  return {reinterpret_cast<const uint8_t *>(bytes.data()), bytes.size()};
}

/// Removes defaults that newer versions write explicitly: that no index is guaranteed to be in
/// bounds (13.4, section 6), and that an entry has no hints (13.5, section 9.1).
static void dropDefaults(tile::ModuleOp module) {
  module->walk([](Operation *op) {
    auto inbounds = op->getAttrOfType<DenseBoolArrayAttr>("inbounds");
    if (inbounds && !llvm::is_contained(inbounds.asArrayRef(), true))
      op->removeAttr("inbounds");
    if (auto entry = dyn_cast<tile::EntryOp>(op))
      if (auto hints = entry.getOptimizationHintsAttr(); hints && hints.getValue().empty())
        entry.removeOptimizationHintsAttr();
  });
}

/// The complete module in generic form, which custom printers do not affect.
static std::string print(tile::ModuleOp module) {
  std::string text;
  llvm::raw_string_ostream os(text);
  module->print(os, OpPrintingFlags().printGenericOpForm().enableDebugInfo());
  return text;
}

static SmallVector<char> write(tile::ModuleOp module, tile::Version version) {
  SmallVector<char> bytes;
  if (failed(bytecode::writeModule(module, version, bytes)))
    fuzz::broken("a valid module is not written as " + version.str() + ":\n" + print(module));
  return bytes;
}

/// Reads a written module, which must print as `expected`, and returns the bytes when it is written
/// again.
static SmallVector<char> writeWhatIsRead(ArrayRef<uint8_t> bytes, tile::Version version,
                                         StringRef expected, MLIRContext *context) {
  auto module = bytecode::readModule(bytes, context);
  if (!module)
    fuzz::broken("what was written as " + version.str() +
                 " is not read: " + module.failure().message + "\n" + expected);
  if (failed(verify(**module)))
    fuzz::broken("what was written as " + version.str() + " is not valid:\n" + expected);
  dropDefaults(**module);
  if (std::string found = print(**module); found != expected)
    fuzz::broken("before writing as " + version.str() + ":\n" + expected + "\nafter reading:\n" +
                 found);
  return write(**module, version);
}

static fuzz::Verdict examine(ArrayRef<uint8_t> input, MLIRContext *context) {
  auto module = bytecode::readModule(input, context);
  if (!module || failed(verify(**module)))
    return fuzz::Verdict::Refused;
  (*module)->walk([](Operation *op) { fuzz::notice(op->getName().getStringRef()); });
  dropDefaults(**module);
  std::string text = print(**module);
  for (tile::Version version : {bytecode::lowestVersion(**module), tile::newestVersion}) {
    SmallVector<char> bytes = write(**module, version);
    if (writeWhatIsRead(bytesOf(bytes), version, text, context) != bytes)
      fuzz::broken("written as " + version.str() + " twice, with different bytes:\n" + text);
  }
  return fuzz::Verdict::Valid;
}

const fuzz::Target fuzz::target = {"roundtrip", {/*base=*/1 << 20, /*factor=*/4096}, examine};
