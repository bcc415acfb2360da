// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cp.async.bulk.tensor, cp.reduce.async.bulk.tensor and their prefetch (PTX ISA, 9.7.9.27), in tile
// modes: they copy a box of a tensor in global memory to or from a block of shared memory, row by
// row, swizzled as the tensor map specifies. Elements outside of the tensor are filled by loads,
// and not written by stores. In the modes tile::gather4 and tile::scatter4, the rows of the block
// are four rows of a matrix, each with its own coordinate.

#include "tilewright/ptx/async/Places.h"
#include "tilewright/ptx/async/Reductions.h"
#include "tilewright/ptx/async/TensorMaps.h"
#include "tilewright/ptx/async/Transfer.h"
#include "tilewright/ptx/instructions/Compute.h"
#include "tilewright/ptx/instructions/Opcodes.h"

using namespace tilewright::ptx;

// op.list holds the operands: tensor map, block, mbarrier (only loads), coordinates, mask of CTAs.
// op.bytes is the rank; op.target is the number of the reduction, plus 1, or 0 for a copy; op.mode
// has these flags.
static constexpr uint32_t mapAt = 0, blockAt = 2, mbarrierPlace = 4;
static constexpr uint32_t isMulticast = 1, toOwn = 2, hasFourRows = 4, signalsPair = 8;
static constexpr unsigned fourRows = 4;
static constexpr int64_t together = 16; // bytes of the block that every swizzle keeps together

/// The rank; with four rows, one column coordinate and a coordinate for each row.
static unsigned coordinateCount(const Op &op) {
  return op.mode & hasFourRows ? 1 + fourRows : op.bytes;
}
using Coordinates = std::array<int64_t, mostDims>;

//===-- The box -----------------------------------------------------------------------------===//

namespace {
/// Lists the pieces of a box that are inside of the tensor.
class BoxWalk {
public:
  BoxWalk(Thread &thread, const Op &op, const TensorMap &map, uint64_t block,
          std::vector<Piece> &pieces)
      : thread(thread), op(op), map(map), block(block), pieces(pieces) {}

  /// Adds all rows of the box with this corner. False after a finding, because the map's tensor is
  /// not in memory that exists.
  bool addBox(const Coordinates &corner);
  /// Adds the row of the box that begins at these coordinates; `row` is its number in the block.
  bool addRow(const Coordinates &at, uint64_t row);

private:
  Thread &thread;
  const Op &op;
  const TensorMap &map;
  uint64_t block; ///< Offset of the block in shared memory.
  std::vector<Piece> &pieces;
};
} // namespace

/// Adds a row along the first dimension, in the chunks that swizzle and padding keep together.
bool BoxWalk::addRow(const Coordinates &at, uint64_t row) {
  uint64_t address = map.address;
  for (unsigned dim = 1; dim < map.rank; ++dim) {
    if (at[dim] < 0 || uint64_t(at[dim]) >= map.extent(dim))
      return true;
    address += uint64_t(at[dim]) * map.strides[dim - 1];
  }
  const int64_t bits = map.elementBits(), chunk = together - map.padding();
  const int64_t first = std::max<int64_t>(0, -at[0]) * bits / 8;
  const int64_t last = std::min<int64_t>(map.box[0], int64_t(map.extent(0)) - at[0]) * bits / 8;
  const bool isWhole = !map.swizzle && !map.padding();
  for (int64_t byte = first; byte < last;) {
    const int64_t end = isWhole ? last : std::min(last, (byte / chunk + 1) * chunk);
    const Target target =
        locateAddress(thread, op, Space::Global, address + uint64_t(at[0] * bits / 8 + byte),
                      unsigned(end - byte), 1);
    if (!target)
      return false;
    const uint64_t inRow = uint64_t(byte / chunk * together + byte % chunk);
    const uint64_t linear = block + row * map.rowPitch() + inRow;
    const uint64_t place = swizzled(linear, Swizzle(map.swizzle), Atomicity(map.atomicity));
    pieces.push_back({target.region, target.offset, place - block, uint64_t(end - byte)});
    byte = end;
  }
  return true;
}

bool BoxWalk::addBox(const Coordinates &corner) {
  std::array<uint64_t, mostDims> number = {};
  Coordinates at = corner;
  for (uint64_t row = 0;; ++row) {
    if (!addRow(at, row))
      return false;
    unsigned dim = 1;
    for (; dim < map.rank && ++number[dim] == map.count(dim); ++dim) {
      number[dim] = 0;
      at[dim] = corner[dim];
    }
    if (dim < map.rank)
      at[dim] += map.steps[dim];
    if (dim >= map.rank)
      return true;
  }
}

//===-- Execution ---------------------------------------------------------------------------===//

static bool readCoordinates(Thread &thread, const Op &op, uint32_t first,
                            Coordinates &coordinates) {
  for (unsigned number = 0; number < coordinateCount(op); ++number) {
    const auto value = valueAt(thread, op, first + number);
    if (!value)
      return false;
    coordinates[number] = int32_t(*value);
  }
  return true;
}

static constexpr uint64_t mostBoxBytes = 1 << 20;

namespace {
struct Box {
  Transfer transfer;
  Target block;
};
} // namespace

/// The number of the reduction for the map's element type, plus 1; 0 for a copy. None after a
/// finding.
static std::optional<uint32_t> reductionOf(Thread &thread, const Op &op, const TensorMap &map) {
  if (!op.target)
    return 0;
  static constexpr std::string_view names[] = {"add", "min", "max", "inc",
                                               "dec", "and", "or",  "xor"};
  const std::string_view name = names[op.target - 1];
  std::string_view typeName = nameOfTensorType(map.type);
  typeName = typeName.substr(0, typeName.find('.'));
  auto type = typeNamed(typeName);
  const bool isBitwise = op.target > 5;
  if (isBitwise)
    type = map.elementBits() == 64 ? Type::B64 : Type::B32;
  const bool isFit = type && (!isBitwise || map.elementBits() >= 32);
  if (const auto number = isFit ? findReduction(name, *type) : std::nullopt)
    return *number + 1;
  stop(thread, op, Check::TensorMap,
       "tensor map: its elements of type " + std::string(typeName) + " have no reduction '" +
           std::string(name) + "'");
  return std::nullopt;
}

/// Size of the block, including gaps between rows. In the modes with four rows, the map's box is
/// one row. None after a finding.
static std::optional<uint64_t> blockBytes(Thread &thread, const Op &op, const TensorMap &map) {
  if (op.mode & hasFourRows && map.box[1] != 1) {
    stop(thread, op, Check::TensorMap,
         "tensor map: gather4 and scatter4 need boxes of one row, but this map's have " +
             std::to_string(map.box[1]));
    return std::nullopt;
  }
  const uint64_t rows = map.rowCount() * (op.mode & hasFourRows ? fourRows : 1);
  const uint64_t bytes = rows * map.rowPitch();
  if (bytes <= mostBoxBytes)
    return bytes;
  stop(thread, op, Check::TensorMap,
       "tensor map: a box of " + std::to_string(bytes) + " bytes does not fit in shared memory");
  return std::nullopt;
}

/// The bytes of the rows, at their swizzled offsets; empty for the whole block.
static std::vector<BlockPart> partsOf(const TensorMap &map, uint64_t block, uint64_t bytes,
                                      Direction direction) {
  std::vector<BlockPart> parts;
  const unsigned padding = direction == Direction::Load ? map.padding() : 0;
  if (map.rowBytes() == map.rowPitch() && !padding)
    return parts;
  for (uint64_t row = block; row < block + bytes; row += map.rowPitch())
    for (uint64_t at = row; at < row + map.rowBytes(); at += together)
      parts.push_back({swizzled(at, Swizzle(map.swizzle), Atomicity(map.atomicity)) - block,
                       together, padding});
  return parts;
}

static bool listPieces(BoxWalk walk, const Op &op, const Coordinates &coordinates) {
  if (!(op.mode & hasFourRows))
    return walk.addBox(coordinates);
  for (unsigned row = 0; row < fourRows; ++row)
    if (!walk.addRow({coordinates[0], coordinates[1 + row]}, row))
      return false;
  return true;
}

/// Evaluates the operands that loads and stores share. None after a finding.
static std::optional<Box> findBox(Thread &thread, const Op &op, Direction direction,
                                  Space blockSpace, uint32_t coordinatesAt) {
  const Target where = locateAt(thread, op, mapAt, Space::Generic, tensorMapBytes, 64);
  const auto map = where ? readTensorMap(thread, op, where, op.bytes) : std::nullopt;
  Coordinates coordinates = {};
  if (!map || !readCoordinates(thread, op, coordinatesAt, coordinates))
    return std::nullopt;
  if (const auto error = map->findCopyError(direction, coordinates[0])) {
    stop(thread, op, Check::TensorMap, "tensor map: " + *error);
    return std::nullopt;
  }
  const auto bytes = blockBytes(thread, op, *map);
  if (!bytes)
    return std::nullopt;
  Box box;
  box.block = locateAt(thread, op, blockAt, blockSpace, *bytes, 128);
  if (!box.block)
    return std::nullopt;
  const auto number = reductionOf(thread, op, *map);
  if (!number)
    return std::nullopt;
  box.transfer = {{},
                  *bytes,
                  *number,
                  map->fillBits(),
                  std::max(map->elementBits() / 8, 1U),
                  partsOf(*map, box.block.offset, *bytes, direction),
                  direction == Direction::Store && map->elementBits() == 6};
  if (!listPieces({thread, op, *map, box.block.offset, box.transfer.pieces}, op, coordinates))
    return std::nullopt;
  return box;
}

static Step runLoad(Thread &thread, const Op &op) {
  const Space to = op.mode & toOwn ? Space::Shared : Space::Cluster;
  const auto box = findBox(thread, op, Direction::Load, to, 6);
  const MbarrierPlace place = box ? findMbarrierAt(thread, op, mbarrierPlace, to) : MbarrierPlace();
  const Signal signal = op.mode & signalsPair ? Signal::OfPair : Signal::OfCta;
  if (!place)
    return Step::Stop;
  std::optional<uint32_t> mask;
  if (op.mode & isMulticast && !(mask = valueAt(thread, op, 6 + coordinateCount(op))))
    return Step::Stop;
  return transferToShared(thread, op, box->transfer, box->block, place, mask, signal) ? Step::Next
                                                                                      : Step::Stop;
}

static Step runStore(Thread &thread, const Op &op) {
  const auto box = findBox(thread, op, Direction::Store, Space::Shared, 4);
  return box && transferToGlobal(thread, op, box->transfer, box->block) ? Step::Next : Step::Stop;
}

//===-- Decoding ----------------------------------------------------------------------------===//

/// Splits `[map, {x, y}]` into the address and the coordinates.
static bool splitMap(Decoder &decoder, const Operand &operand, Operand &map,
                     const Operand *&coordinates) {
  if (operand.kind != OperandKind::Address || operand.parts.size() != 2 ||
      operand.parts[1].kind != OperandKind::Vector ||
      operand.parts[1].parts.size() != coordinateCount(decoder.op))
    return decoder.refuseAt(operand.place, "'" + decoder.name() + "': expected a tensor map and " +
                                               std::to_string(coordinateCount(decoder.op)) +
                                               " coordinates: [map, {...}]");
  map = operand;
  map.parts.pop_back();
  coordinates = &operand.parts[1];
  return true;
}

static bool takeCoordinates(PlaceList &places, const Operand &coordinates) {
  for (const Operand &part : coordinates.parts)
    if (!places.source(part, Type::S32))
      return false;
  return true;
}

static bool takePolicy(Decoder &decoder, bool hasPolicy) {
  uint32_t unused = 0;
  return !hasPolicy ||
         decoder.source(decoder.operand(decoder.operandCount() - 1), Type::B64, unused);
}

static bool decodeLoad(Decoder &decoder, Space to) {
  const bool isCast = decoder.take("multicast::cluster");
  const bool hasPolicy = decoder.take("L2::cache_hint");
  if (!decoder.take("global") || !decoder.take("mbarrier::complete_tx::bytes"))
    return decoder.refuse("'" + decoder.name() + "' is not supported");
  const bool isOfPair = decoder.takeOneOf({"cta_group::1", "cta_group::2"}) == 1;
  decoder.op.mode |=
      (isCast ? isMulticast : 0) | (to == Space::Shared ? toOwn : 0) | (isOfPair ? signalsPair : 0);
  Operand map{OperandKind::Sink};
  const Operand *coordinates = nullptr;
  PlaceList places(decoder);
  return decoder.expectOperands(3 + isCast + hasPolicy) &&
         splitMap(decoder, decoder.operand(1), map, coordinates) &&
         places.address(map, Space::Generic) && places.address(decoder.operand(0), to) &&
         places.address(decoder.operand(2), to) && takeCoordinates(places, *coordinates) &&
         (!isCast || places.source(decoder.operand(3), Type::U16)) &&
         takePolicy(decoder, hasPolicy) && places.finish(runLoad);
}

static bool decodeStore(Decoder &decoder) {
  const bool hasPolicy = decoder.take("L2::cache_hint");
  if (!decoder.take("shared::cta") || !decoder.take("bulk_group"))
    return decoder.refuse("'" + decoder.name() + "' is not supported");
  Operand map{OperandKind::Sink};
  const Operand *coordinates = nullptr;
  PlaceList places(decoder);
  return decoder.expectOperands(2 + hasPolicy) &&
         splitMap(decoder, decoder.operand(0), map, coordinates) &&
         places.address(map, Space::Generic) && places.address(decoder.operand(1), Space::Shared) &&
         takeCoordinates(places, *coordinates) && takePolicy(decoder, hasPolicy) &&
         places.finish(runStore);
}

static Step runNothing(Thread &, const Op &) { return Step::Next; }

static bool decodePrefetch(Decoder &decoder) {
  const bool hasPolicy = decoder.take("L2::cache_hint");
  Operand map{OperandKind::Sink};
  const Operand *coordinates = nullptr;
  PlaceList places(decoder);
  return decoder.take("L2") && decoder.take("global") && decoder.expectOperands(1 + hasPolicy) &&
         splitMap(decoder, decoder.operand(0), map, coordinates) &&
         places.address(map, Space::Generic) && takeCoordinates(places, *coordinates) &&
         takePolicy(decoder, hasPolicy) && places.finish(runNothing);
}

static bool takeOperation(Decoder &decoder) {
  const auto operation = decoder.takeOneOf({"add", "min", "max", "inc", "dec", "and", "or", "xor"});
  if (!operation)
    return decoder.refuse("'" + decoder.name() + "' is not supported");
  decoder.op.target = uint32_t(*operation + 1);
  return true;
}

/// Takes `.tile`, the default, or a mode with four rows: `.tile::gather4` to read from global
/// memory, `.tile::scatter4` to write to it.
static bool takeMode(Decoder &decoder, bool isStore) {
  for (std::string_view mode : {"im2col", "im2col_no_offs", "im2col::w", "im2col::w::128"})
    if (decoder.has(mode))
      return decoder.refuse("'" + decoder.name() + "' is not supported: modifier '." +
                            std::string(mode) + "'");
  if (decoder.take("tile") || !decoder.take(isStore ? "tile::scatter4" : "tile::gather4"))
    return true;
  decoder.op.mode |= hasFourRows;
  return decoder.op.bytes == 2 ||
         decoder.refuse("'" + decoder.name() +
                        "' is not supported: .tile::gather4 and .tile::scatter4 need .2d");
}

bool tilewright::ptx::decodeTensorCopy(Decoder &decoder, bool isReduction) {
  decoder.take("tensor");
  if (isReduction && !takeOperation(decoder))
    return false;
  const bool isPrefetch = decoder.take("prefetch");
  const auto rank = decoder.takeOneOf({"1d", "2d", "3d", "4d", "5d"});
  if (!rank)
    return decoder.refuse("'" + decoder.name() + "' has none of .1d to .5d");
  decoder.op.bytes = uint8_t(*rank + 1);
  const auto to = decoder.firstOf({"shared::cluster", "shared::cta", "global"});
  if (!to || (isReduction && *to != "global"))
    return decoder.refuse("'" + decoder.name() + "' is not supported");
  if (!takeMode(decoder, /*isStore=*/*to == "global" && !isPrefetch))
    return false;
  if (isPrefetch)
    return decodePrefetch(decoder);
  if (*to == "global")
    return decoder.take("global") && decodeStore(decoder);
  return decoder.take(*to) &&
         decodeLoad(decoder, *to == "shared::cta" ? Space::Shared : Space::Cluster);
}
