// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Breakpoint.h.

#include "tools/tilewright/run/Breakpoint.h"
#include "tilewright/report/Place.h"
#include "tilewright/runtime/Npy.h"
#include "tilewright/tile/Loops.h"
#include "tilewright/tile/table/OpTable.h"
#include "tools/WriteFile.h"
#include "tools/tilewright/arrays/TypedArray.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"

#include <set>

using namespace tilewright;
using namespace tilewright::tools;
using llvm::StringRef;
using reference::Tile;
using reference::TileBlock;
using support::Failure;
using support::Result;
namespace json = llvm::json;

//===-- Matching operations -----------------------------------------------------------------===//

namespace {
/// A parsed breakpoint.
struct BreakPlace {
  StringRef operation; ///< Empty if there is a line.
  StringRef file;      ///< Empty: any.
  int64_t line = 0;
  int64_t time = 1;
};
} // namespace

static bool isPositive(StringRef text, int64_t &number) {
  return !text.getAsInteger(10, number) && number > 0;
}

static Result<BreakPlace> parse(StringRef text) {
  llvm::SmallVector<StringRef, 3> parts;
  text.split(parts, ':');
  BreakPlace place;
  llvm::ArrayRef<StringRef> rest = llvm::ArrayRef(parts).drop_front();
  bool isGood = true;
  if (tile::findOp(parts[0])) {
    place.operation = parts[0];
  } else if (!isPositive(parts[0], place.line)) {
    place.file = parts[0];
    isGood = !place.file.empty() && !rest.empty() && isPositive(rest[0], place.line);
    rest = rest.drop_front(isGood);
  }
  if (isGood && !rest.empty())
    isGood = rest.size() == 1 && isPositive(rest[0], place.time);
  if (!isGood)
    return Failure{"--break: expected an operation or [FILE:]LINE, and perhaps :N, but got '" +
                   text.str() + "'"};
  return place;
}

static bool matches(mlir::Operation *op, const BreakPlace &place) {
  if (!place.operation.empty())
    return reference::nameOf(op) == place.operation;
  std::optional<tile::SourcePosition> position = reference::sourcePosition(op->getLoc());
  if (!position || position->line != place.line)
    return false;
  StringRef file = position->file;
  return place.file.empty() || file == place.file || file.ends_with("/" + place.file.str());
}

/// The operations of the entry, without those in the regions of reduce and scan, which are not
/// executed one by one.
static std::vector<mlir::Operation *> operationsOf(tile::EntryOp entry) {
  std::vector<mlir::Operation *> operations;
  entry.getBody().walk<mlir::WalkOrder::PreOrder>([&](mlir::Operation *op) {
    operations.push_back(op);
    return tile::isAggregate(op) ? mlir::WalkResult::skip() : mlir::WalkResult::advance();
  });
  return operations;
}

static Failure nothingThere(tile::EntryOp entry, const BreakPlace &place) {
  std::string name = "--break: entry @" + entry.getSymName().str();
  if (place.operation.empty())
    return {name + " has no operation at line " + std::to_string(place.line) +
            (place.file.empty() ? "" : " of " + place.file.str())};
  std::set<std::string> there;
  for (mlir::Operation *op : operationsOf(entry))
    there.insert(reference::nameOf(op).str());
  return {name + " executes no " + place.operation.str() + "; it has " + llvm::join(there, ", ")};
}

static mlir::Operation *outermost(mlir::Operation *op) {
  while (mlir::Operation *parent = op->getParentOp())
    op = parent;
  return op;
}

Breakpoint::Breakpoint(tile::EntryOp entry, BreakOptions options, llvm::raw_ostream &err)
    : options(std::move(options)), err(err), names(outermost(entry)) {}

Result<std::unique_ptr<Breakpoint>> Breakpoint::create(tile::EntryOp entry, BreakOptions options,
                                                       llvm::raw_ostream &err) {
  std::unique_ptr<Breakpoint> made(new Breakpoint(entry, std::move(options), err));
  Result<BreakPlace> place = parse(made->options.where);
  if (!place)
    return place.failure();
  made->time = place->time;
  for (mlir::Operation *op : operationsOf(entry)) {
    if (!matches(op, *place))
      continue;
    // Operations at a line are counted separately, operations of a name together.
    made->watched[op] = place->operation.empty() ? made->watched.size() : 0;
  }
  if (made->watched.empty())
    return nothingThere(entry, *place);
  made->counters.resize(made->watched.size());
  std::error_code error = llvm::sys::fs::create_directories(made->options.folder);
  if (!error && !llvm::sys::fs::is_directory(made->options.folder))
    error = std::make_error_code(std::errc::not_a_directory);
  if (error)
    return Failure{made->options.folder + ": cannot make the folder: " + error.message()};
  return made;
}

//===-- Dumping operands --------------------------------------------------------------------===//

void Breakpoint::beforeOperation(TileBlock &block, mlir::Operation *op) {
  auto found = watched.find(op);
  if (found == watched.end() || !options.filter.includes(block) || shouldStop() ||
      ++counters[found->second] != time)
    return;
  ++hits;
  written = dump(block, op);
}

/// Converts a tile to integers. Used if its elements cannot be stored as a TypedArray: i4,
/// pointers, and f4E2M1FN of rank 0 or with an odd last extent.
static Result<runtime::Array> asIntegers(const Tile &tile) {
  std::vector<int64_t> shape(tile.shape().begin(), tile.shape().end());
  bool isPointer = tile.format() == numerics::Format::Pointer;
  runtime::Dtype dtype = isPointer                               ? runtime::Dtype{'u', 8}
                         : tile.format() == numerics::Format::I4 ? runtime::Dtype{'i', 1}
                                                                 : runtime::Dtype{'u', 1};
  Result<runtime::Array> array = runtime::Array::zeros(dtype, shape);
  for (int64_t i = 0; array && i < tile.size(); ++i) {
    numerics::Element element = tile[i];
    int64_t bits = tile.format() == numerics::Format::I4 ? element.asSigned() : element.bits;
    std::memcpy(array->bytes().data() + i * dtype.itemsize, &bits, dtype.itemsize);
  }
  return array;
}

/// Converts a tile to an array that `--arg` accepts. Undefined elements become zero bits.
static Result<runtime::Array> arrayOf(const Tile &tile) {
  bool isOdd = tile.format() == numerics::Format::F4E2M1FN &&
               (tile.rank() == 0 || tile.shape().back() % 2 != 0);
  if (isOdd || dtypesOf(tile.format()).empty())
    return asIntegers(tile);
  Result<TypedArray> array = TypedArray::create(tile.format(), tile.shape());
  if (!array)
    return array.failure();
  for (int64_t i = 0; i < tile.size(); ++i)
    array->store(i, tile[i]);
  return std::move(array->storage());
}

static Result<runtime::Array> undefinedOf(const Tile &tile) {
  std::vector<int64_t> shape(tile.shape().begin(), tile.shape().end());
  Result<runtime::Array> array = runtime::Array::zeros({'b', 1}, shape);
  for (int64_t i = 0; array && i < tile.size(); ++i)
    array->bytes()[i] = tile.isPoison(i);
  return array;
}

/// The name of a file without its ending. It contains no characters that are special in a shell.
static std::string fileName(int64_t hit, mlir::OpOperand &operand, StringRef name) {
  std::string plain;
  for (char c : name.drop_front()) // the %
    plain += llvm::isAlnum(c) ? c : '_';
  return llvm::formatv("{0}-{1}-{2}-{3}", hit, reference::nameOf(operand.getOwner()),
                       operand.getOperandNumber(), plain);
}

Result<json::Object> Breakpoint::dump(TileBlock &block, mlir::OpOperand &operand) {
  std::string name, type;
  llvm::raw_string_ostream nameStream(name), typeStream(type);
  operand.get().printAsOperand(nameStream, names);
  typeStream << operand.get().getType();
  json::Object row{{"name", name},
                   {"type", type},
                   {"summary", report::jsonText(summaryOf(block, operand.get()))}};
  auto *tile = std::get_if<Tile>(&block.get(operand.get()));
  if (!tile)
    return row;

  auto write = [&](const char *key, const std::string &file,
                   Result<runtime::Array> array) -> Result<void> {
    if (!array)
      return array.failure();
    row[key] = file;
    row["dtype"] = runtime::toString(array->dtype());
    return runtime::writeNpy(options.folder + "/" + file, *array);
  };
  std::string file = fileName(hits, operand, name);
  if (tile->firstPoison()) {
    if (Result<void> done = write("undefined_file", file + "-undefined.npy", undefinedOf(*tile));
        !done)
      return done.failure();
  }
  if (Result<void> done = write("file", file + ".npy", arrayOf(*tile)); !done)
    return done.failure();
  return row;
}

Result<void> Breakpoint::dump(TileBlock &block, mlir::Operation *op) {
  json::Array values;
  int64_t files = 0;
  for (mlir::OpOperand &operand : op->getOpOperands()) {
    Result<json::Object> row = dump(block, operand);
    if (!row)
      return row.failure();
    files += row->get("file") != nullptr;
    values.push_back(std::move(*row));
  }
  const runtime::Block &id = block.id();
  index.push_back(
      json::Object{{"operation", reference::nameOf(op)},
                   {"location", report::toJson(report::placeOf(op->getLoc(), options.file))},
                   {"block", json::Array{id.x, id.y, id.z}},
                   {"time", time},
                   {"operands", std::move(values)}});
  json::Object all{{"breaks", json::Array(index)}};
  std::string text = llvm::formatv("{0:2}\n", json::Value(std::move(all)));
  if (Result<void> done = writeFile(options.folder + "/index.json", text); !done)
    return done;
  err << reference::locationText(op->getLoc()) << ": break: block (" << id.x << ", " << id.y << ", "
      << id.z << "): " << reference::nameOf(op) << ": " << files
      << (files == 1 ? " tile is in " : " tiles are in ") << options.folder << "/\n";
  return {};
}

Result<void> Breakpoint::finish() {
  if (written && hits == 0)
    err << "--break " << options.where << ": was not reached\n";
  return written;
}
