// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Decoder.h.

#include "tilewright/ptx/code/Decoder.h"
#include "tilewright/ptx/code/Layout.h"

#include <algorithm>
#include <bit>

using namespace tilewright::ptx;

//===-- Modifiers ---------------------------------------------------------------------------===//

bool Decoder::has(std::string_view modifier) const {
  return std::find(left.begin(), left.end(), modifier) != left.end();
}

bool Decoder::take(std::string_view modifier) {
  const auto found = std::find(left.begin(), left.end(), modifier);
  if (found == left.end())
    return false;
  left.erase(found);
  return true;
}

std::optional<std::string_view>
Decoder::firstOf(std::initializer_list<std::string_view> modifiers) const {
  for (std::string_view modifier : left)
    if (std::find(modifiers.begin(), modifiers.end(), modifier) != modifiers.end())
      return modifier;
  return std::nullopt;
}

std::optional<size_t> Decoder::takeOneOf(std::initializer_list<std::string_view> modifiers) {
  for (auto modifier = modifiers.begin(); modifier != modifiers.end(); ++modifier)
    if (take(*modifier))
      return size_t(modifier - modifiers.begin());
  return std::nullopt;
}

bool Decoder::takeOneOf(const std::vector<std::string> &modifiers, std::string &found) {
  for (const std::string &modifier : modifiers)
    if (take(modifier)) {
      found = modifier;
      return true;
    }
  return false;
}

std::optional<Type> Decoder::takeType() {
  for (auto modifier = left.begin(); modifier != left.end(); ++modifier)
    if (const auto type = typeNamed(*modifier)) {
      left.erase(modifier);
      return type;
    }
  return std::nullopt;
}

bool Decoder::expectType(Type &type, std::span<const Type> types) {
  const auto found = takeType();
  if (!found)
    return refuse("'" + name() + "' has no type");
  type = *found;
  return std::find(types.begin(), types.end(), type) != types.end() ||
         refuse("'" + name() + "' is not supported: there is no '" +
                std::string(instruction.opcode) + "' of type ." + std::string(info(type).name));
}

bool Decoder::finish(Handler handler) {
  if (why)
    return false;
  if (!left.empty())
    return refuse("'" + name() + "' is not supported: modifier '." + std::string(left.front()) +
                  "'");
  if (!handler)
    return refuse("'" + name() + "' is not supported");
  op.run = handler;
  return true;
}

bool Decoder::refuseAt(Place place, const std::string &message) {
  if (!why)
    why = {place, message};
  return false;
}

//===-- Operands ----------------------------------------------------------------------------===//

bool Decoder::expectOperands(size_t least, size_t most) {
  if (operandCount() >= least && operandCount() <= most)
    return true;
  std::string expected = std::to_string(least);
  if (most != least)
    expected += " to " + std::to_string(most);
  return refuse("'" + name() + "' needs " + expected + " operands, but has " +
                std::to_string(operandCount()));
}

bool Decoder::registerOperand(const Operand &operand, Type type, uint32_t &slot, Width width) {
  const Register &reg = function.registers[operand.index];
  if (!operand.part.empty())
    return refuseAt(operand.place, "'" + name() + "': a part of a register ('." +
                                       std::string(operand.part) + "') is not expected");
  const bool isPredicate = type == Type::Pred, hasPredicate = reg.type == Type::Pred;
  const unsigned has = bytesOf(reg.type), expected = bytesOf(type);
  if (isPredicate != hasPredicate || (width == Width::Exact ? has != expected : has < expected))
    return refuseAt(operand.place, "'" + name() + "': register " + toString(reg) + " has type ." +
                                       std::string(info(reg.type).name) + ", which does not fit ." +
                                       std::string(info(type).name));
  if (has > 8)
    return refuseAt(operand.place, "'" + name() + "' has no register of type ." +
                                       std::string(info(reg.type).name));
  slot = operand.index;
  return true;
}

bool Decoder::destination(const Operand &operand, Type type, uint32_t &slot, Width width) {
  if (operand.kind == OperandKind::Sink) {
    slot = frame.scratch();
    op.width = uint8_t(bytesOf(type));
    return true;
  }
  if (operand.kind != OperandKind::Register)
    return refuseAt(
        operand.place,
        "'" + name() + "': expected a register to write to" +
            (operand.name.empty() ? "" : ", found '" + std::string(operand.name) + "'"));
  op.width = uint8_t(bytesOf(function.registers[operand.index].type));
  return registerOperand(operand, type, slot, width);
}

/// Converts an immediate to the type of the instruction (PTX ISA, 4.5).
bool Decoder::number(const Operand &operand, Type type, uint32_t &slot) {
  uint64_t bits = operand.bits;
  const unsigned bytes = bytesOf(type);
  if (operand.kind == OperandKind::Float) {
    if (bytes == 4 && !operand.isSingle)
      bits = std::bit_cast<uint32_t>(float(std::bit_cast<double>(bits)));
    else if (bytes == 8 && operand.isSingle)
      bits = std::bit_cast<uint64_t>(double(std::bit_cast<float>(uint32_t(bits))));
    else if (bytes < 4 || type == Type::Pred)
      return refuseAt(operand.place, "'" + name() + "' of type ." + std::string(info(type).name) +
                                         " has no float as operand");
  } else if (type == Type::F32 || type == Type::F64) {
    return refuseAt(operand.place, "'" + name() + "': expected a float, found an integer");
  }
  if (type == Type::Pred)
    bits = bits != 0;
  else if (bytes < 8)
    bits &= (uint64_t(1) << (8 * bytes)) - 1;
  slot = frame.constant(bits);
  return true;
}

namespace {
struct SpecialRow {
  std::string_view name;
  Special special;
};
} // namespace

static constexpr SpecialRow specials[] = {
    {"%tid.x", Special::TidX},
    {"%tid.y", Special::TidY},
    {"%tid.z", Special::TidZ},
    {"%ntid.x", Special::NtidX},
    {"%ntid.y", Special::NtidY},
    {"%ntid.z", Special::NtidZ},
    {"%ctaid.x", Special::CtaidX},
    {"%ctaid.y", Special::CtaidY},
    {"%ctaid.z", Special::CtaidZ},
    {"%nctaid.x", Special::NctaidX},
    {"%nctaid.y", Special::NctaidY},
    {"%nctaid.z", Special::NctaidZ},
    {"%laneid", Special::LaneId},
    {"%warpid", Special::WarpId},
    {"%nwarpid", Special::NwarpId},
    {"%smid", Special::SmId},
    {"%nsmid", Special::NsmId},
    {"%gridid", Special::GridId},
    {"%lanemask_eq", Special::LanemaskEq},
    {"%lanemask_le", Special::LanemaskLe},
    {"%lanemask_lt", Special::LanemaskLt},
    {"%lanemask_ge", Special::LanemaskGe},
    {"%lanemask_gt", Special::LanemaskGt},
    {"WARP_SZ", Special::WarpSize},
    {"%dynamic_smem_size", Special::DynamicSharedSize},
    {"%total_smem_size", Special::TotalSharedSize},
    {"%envreg1", Special::GridWorkspaceHigh},
    {"%envreg2", Special::GridWorkspaceLow},
    {"%current_graph_exec", Special::Zero},
    {"%aggr_smem_size", Special::AggregatedSharedSize},
    {"%clusterid.x", Special::ClusteridX},
    {"%clusterid.y", Special::ClusteridY},
    {"%clusterid.z", Special::ClusteridZ},
    {"%nclusterid.x", Special::NclusteridX},
    {"%nclusterid.y", Special::NclusteridY},
    {"%nclusterid.z", Special::NclusteridZ},
    {"%cluster_ctaid.x", Special::ClusterCtaidX},
    {"%cluster_ctaid.y", Special::ClusterCtaidY},
    {"%cluster_ctaid.z", Special::ClusterCtaidZ},
    {"%cluster_nctaid.x", Special::ClusterNctaidX},
    {"%cluster_nctaid.y", Special::ClusterNctaidY},
    {"%cluster_nctaid.z", Special::ClusterNctaidZ},
    {"%cluster_ctarank", Special::ClusterCtaRank},
    {"%cluster_nctarank", Special::ClusterNctaRank},
    {"%is_explicit_cluster", Special::IsExplicitCluster},
};

/// `%envreg0` to `%envreg31`, which the driver sets; those without a row above read as 0.
static bool isEnvironment(std::string_view name) {
  if (!name.starts_with("%envreg") || name.size() > 9)
    return false;
  name.remove_prefix(7);
  return name.size() == 1 ? name[0] >= '0' && name[0] <= '9'
                          : name.size() == 2 && name >= "10" && name <= "31";
}

/// The performance counters `%pm0` to `%pm7` and `%pm0_64`, which read as 0.
static bool isCounter(std::string_view name) {
  if (name.ends_with("_64"))
    name.remove_suffix(3);
  return name.size() == 4 && name.starts_with("%pm") && name[3] >= '0' && name[3] <= '7';
}

bool Decoder::source(const Operand &operand, Type type, uint32_t &slot, Width width) {
  if (operand.isNegated)
    return refuseAt(operand.place, "'" + name() + "' has no negated operand here");
  switch (operand.kind) {
  case OperandKind::Register:
    return registerOperand(operand, type, slot, width);
  case OperandKind::Integer:
  case OperandKind::Float:
    return number(operand, type, slot);
  case OperandKind::Special:
    for (const SpecialRow &row : specials)
      if (row.name == operand.name) {
        slot = frame.special(row.special);
        return true;
      }
    if (isEnvironment(operand.name) || isCounter(operand.name)) {
      slot = frame.special(Special::Zero);
      return true;
    }
    return refuseAt(operand.place, operand.name.front() == '%'
                                       ? "special register or undeclared register '" +
                                             std::string(operand.name) + "' is not supported"
                                       : "'" + std::string(operand.name) + "' is not supported");
  case OperandKind::Variable:
    if (const auto found = frame.address(operand.index, int64_t(operand.bits))) {
      slot = *found;
      return true;
    }
    return refuseAt(operand.place, "variable '" +
                                       std::string(module.variables[operand.index].name) +
                                       "' has no place: it is declared .extern only");
  case OperandKind::Function:
    slot = frame.constant(0);
    return refuseAt(operand.place, "'" + name() + "': the address of a function is not expected");
  default:
    return refuseAt(operand.place, "'" + name() + "': this operand is not expected");
  }
}

SlotList Decoder::addLabels(uint32_t number) {
  const auto [entry, isNew] = code.labels.emplace(number, SlotList());
  if (isNew) {
    std::vector<uint32_t> targets;
    for (const Operand &label : function.labels[number])
      targets.push_back(label.index);
    entry->second = addList(targets);
  }
  return entry->second;
}

SlotList Decoder::addList(const std::vector<uint32_t> &slots) {
  SlotList list{uint32_t(code.slots.size()), uint32_t(slots.size())};
  code.slots.insert(code.slots.end(), slots.begin(), slots.end());
  return list;
}

/// The elements of a vector operand; any other operand is a vector of one.
static std::vector<const Operand *> partsOf(const Operand &operand) {
  std::vector<const Operand *> parts;
  if (operand.kind != OperandKind::Vector)
    return {&operand};
  for (const Operand &part : operand.parts)
    parts.push_back(&part);
  return parts;
}

bool Decoder::keepVector(const Operand &operand, const std::vector<uint32_t> &slots, size_t count,
                         SlotList &list) {
  if (count && slots.size() != count)
    return refuseAt(operand.place, "'" + name() + "': expected a vector of " +
                                       std::to_string(count) + ", found one of " +
                                       std::to_string(slots.size()));
  list = addList(slots);
  return true;
}

bool Decoder::sources(const Operand &operand, Type type, size_t count, SlotList &list,
                      Width width) {
  std::vector<uint32_t> slots;
  for (const Operand *part : partsOf(operand))
    if (!source(*part, type, slots.emplace_back(), width))
      return false;
  return keepVector(operand, slots, count, list);
}

bool Decoder::destinations(const Operand &operand, Type type, size_t count, SlotList &list,
                           Width width) {
  std::vector<uint32_t> slots;
  for (const Operand *part : partsOf(operand))
    if (!destination(*part, type, slots.emplace_back(), width))
      return false;
  return keepVector(operand, slots, count, list);
}

bool Decoder::address(const Operand &operand, Space space, size_t slot) {
  if (operand.kind != OperandKind::Address)
    return refuseAt(operand.place, "'" + name() + "': expected an address in brackets");
  if (operand.parts.size() > 1)
    return refuseAt(operand.place, "'" + name() + "' has no coordinates here");
  op.space = space;
  op.offset = int64_t(operand.bits);
  if (operand.parts.empty()) {
    op.in[slot] = frame.constant(0);
    return true;
  }
  const Operand &base = operand.parts.front();
  if (base.kind == OperandKind::Variable) {
    const Variable &variable = module.variables[base.index];
    if (space == Space::Generic && variable.space != Space::Param)
      op.space = variable.space;
    else if (space != variable.space &&
             !(space == Space::Cluster && variable.space == Space::Shared))
      return refuseAt(operand.place, "'" + name() + "': variable '" + std::string(variable.name) +
                                         "' is in " + std::string(nameOf(variable.space)));
    return source(base, Type::B64, op.in[slot]);
  }
  const Register &reg = function.registers[base.index];
  // Parameters of a called function have generic addresses (Layout.h).
  const bool isNarrow = bytesOf(reg.type) == 4 &&
                        (space == Space::Shared || space == Space::Local ||
                         space == Space::Cluster || (space == Space::Param && function.isEntry));
  return registerOperand(base, isNarrow ? Type::B32 : Type::B64, op.in[slot], Width::Exact);
}

bool Decoder::integer(const Operand &operand, uint64_t &value) {
  value = operand.bits;
  return operand.kind == OperandKind::Integer ||
         refuseAt(operand.place, "'" + name() + "': expected an integer constant");
}

bool Decoder::wide(const Operand &operand, std::vector<uint32_t> &slots) {
  const bool isRegister = operand.kind == OperandKind::Register && operand.part.empty() &&
                          function.registers[operand.index].type == Type::B128;
  if (!isRegister && operand.kind != OperandKind::Sink)
    return refuseAt(operand.place, "'" + name() + "': expected a register of type .b128");
  slots.push_back(isRegister ? operand.index : frame.scratch());
  slots.push_back(isRegister ? frame.upperHalf(operand.index) : frame.scratch());
  return true;
}

bool Decoder::wide(const Operand &operand, SlotList &list) {
  std::vector<uint32_t> slots;
  if (!wide(operand, slots))
    return false;
  list = addList(slots);
  return true;
}

//===-- The frame ---------------------------------------------------------------------------===//

FrameBuilder::FrameBuilder(const Module &module, const Addresses &addresses,
                           const Function &function, Code &code)
    : module(module), addresses(addresses), code(code) {
  code.values.assign(function.registers.size(), 0);
  code.defined.assign(function.registers.size(), 0);
  for (const LocalVariable &local : code.locals)
    localOffsets.emplace(local.variable, local.offset);
}

uint32_t FrameBuilder::add(uint64_t bits, uint8_t defined) {
  code.values.push_back(bits);
  code.defined.push_back(defined);
  return uint32_t(code.values.size() - 1);
}

uint32_t FrameBuilder::constant(uint64_t bits) {
  const auto found = constants.find(bits);
  return found != constants.end() ? found->second : constants[bits] = add(bits, 0xFF);
}

uint32_t FrameBuilder::special(Special special) {
  const auto found = specials.find(special);
  if (found != specials.end())
    return found->second;
  const uint32_t slot = add(0, 0xFF);
  code.specials.push_back({slot, special});
  return specials[special] = slot;
}

uint32_t FrameBuilder::scratch() { return add(0, 0); }

uint32_t FrameBuilder::upperHalf(uint32_t slot) {
  const auto found = upperHalves.find(slot);
  return found != upperHalves.end() ? found->second : upperHalves[slot] = scratch();
}

std::optional<uint32_t> FrameBuilder::address(uint32_t variable, int64_t offset) {
  if (const auto local = localOffsets.find(variable); local != localOffsets.end()) {
    const auto key = std::pair(variable, offset);
    if (const auto found = localSlots.find(key); found != localSlots.end())
      return found->second;
    const uint32_t slot = add(0, 0xFF);
    // Parameters of called functions are in local memory and have generic addresses.
    const uint64_t window = module.variables[variable].space == Space::Param ? localWindow : 0;
    code.localAddresses.push_back({slot, window + local->second + uint64_t(offset)});
    return localSlots[key] = slot;
  }
  const uint64_t base = addresses.ofVariable[variable];
  if (!base)
    return std::nullopt;
  const uint64_t address = base + uint64_t(offset);
  if (module.variables[variable].space != Space::Shared)
    return constant(address);
  if (const auto found = sharedSlots.find(address); found != sharedSlots.end())
    return found->second;
  code.sharedAddresses.push_back(add(address, 0xFF));
  return sharedSlots[address] = code.sharedAddresses.back();
}
