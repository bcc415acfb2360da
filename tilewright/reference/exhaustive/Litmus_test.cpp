// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The litmus tests of the memory model (section 13), each with the expected verdict of its table.

#include "test/support/reference/TestBlocks.h"

using namespace tilewright::reference;
using namespace tilewright::reference::testing;

namespace {

//===-- Message passing (1 to 10) -------------------------------------------------------------===//

Code producer(How data, How flag, Join join = Ordered) {
  return [=](Block &b) {
    Step stored = b.write(D, 1, data);
    b.write(F, 1, flag, joined(join, stored));
  };
}

/// Notes -1 if the data was not read.
Code consumer(How flag, How data, std::optional<int> guard = std::nullopt, Join join = Ordered) {
  return [=](Block &b) {
    Step f = b.read(F, flag);
    b.note("f", f);
    b.note("d", {0, -1});
    if (!guard || b.when(f, *guard))
      b.note("d", b.read(D, data, joined(join, f)));
  };
}

const Outcome stale = {{"f", 1}, {"d", 0}};

TEST(Litmus, MessagePassing) {
  EXPECT_EQ(verdict({producer(relaxed, relaxed), consumer(relaxed, relaxed)}, stale), Allowed); // 1
  EXPECT_EQ(verdict({producer(relaxed, release), consumer(acquire, relaxed)}, stale),
            Forbidden);                                                                        // 2
  EXPECT_EQ(verdict({producer(weak, release), consumer(acquire, weak, 1)}, stale), Forbidden); // 3
  EXPECT_EQ(verdict({producer(weak, release), consumer(acquire, weak)}, stale), Undefined);    // 4
  EXPECT_EQ(verdict({producer(weak, relaxed), consumer(relaxed, weak, 1)}, stale),
            Undefined); // 5
}

TEST(Litmus, MessagePassingWithoutTokens) {
  EXPECT_EQ(verdict({producer(relaxed, release, Unordered), consumer(acquire, relaxed)}, stale),
            Allowed); // 6
  EXPECT_EQ(verdict({producer(weak, release, Unordered), consumer(acquire, weak, 1)}, stale),
            Undefined); // 6
  EXPECT_EQ(verdict({producer(relaxed, release), consumer(acquire, relaxed, 1, Unordered)}, stale),
            Allowed); // 7
  EXPECT_EQ(verdict({producer(weak, release), consumer(acquire, weak, 1, Unordered)}, stale),
            Undefined); // 7
}

TEST(Litmus, MessagePassingInNarrowScope) {
  EXPECT_EQ(
      verdict({producer(weak, release.tileBlock()), consumer(acquire.tileBlock(), weak, 1)}, stale),
      Undefined); // 8
}

TEST(Litmus, TransitiveMessagePassing) {
  Code atomic = [](Block &b) { b.add(F, 10, relaxed); };
  EXPECT_EQ(verdict({producer(weak, release), atomic, consumer(acquire, weak, 11)}, {{"d", 0}},
                    {0, 1, 10, 11}),
            Forbidden); // 9
  Code plain = [](Block &b) {
    Step q = b.read(F, relaxed);
    if (b.when(q, 1))
      b.write(F, 2, relaxed, {q});
  };
  EXPECT_EQ(
      verdict({producer(weak, release), plain, consumer(acquire, weak, 2)}, {{"d", 0}}, {0, 1, 2}),
      Undefined); // 10
}

//===-- Store buffering, load buffering (11 to 18) --------------------------------------------===//

Code storeThenLoad(int stored, How store, int loaded, How load, std::string name) {
  return [=](Block &b) {
    Step s = b.write(stored, 1, store);
    b.note(name, b.read(loaded, load, {s}));
  };
}

const Outcome bothZero = {{"a", 0}, {"b", 0}}, bothOne = {{"a", 1}, {"b", 1}};

TEST(Litmus, StoreBuffering) {
  auto test = [](How store, How load) {
    return verdict({storeThenLoad(X, store, Y, load, "a"), storeThenLoad(Y, store, X, load, "b")},
                   bothZero);
  };
  EXPECT_EQ(test(relaxed, relaxed), Allowed); // 11
  EXPECT_EQ(test(release, acquire), Allowed); // 12
}

TEST(Litmus, StoreBufferingWithAtomics) {
  auto test = [](Join join, bool endsInAtomic) {
    auto block = [=](int one, int other, std::string name) -> Code {
      return [=](Block &b) {
        After after = joined(join, b.exchange(one, 1, acqRel));
        b.note(name, endsInAtomic ? b.add(other, 0, acqRel, after) : b.read(other, acquire, after));
      };
    };
    return verdict({block(X, Y, "a"), block(Y, X, "b")}, bothZero);
  };
  EXPECT_EQ(test(Ordered, true), Forbidden); // 13
  EXPECT_EQ(test(Unordered, true), Allowed); // 13
  EXPECT_EQ(test(Ordered, false), Allowed);  // 14
}

TEST(Litmus, LoadBuffering) {
  auto block = [](int from, int to, std::string name, How load, How store, Join join) -> Code {
    return [=](Block &b) {
      Step r = b.read(from, load);
      b.note(name, r);
      b.write(to, 1, store, joined(join, r));
    };
  };
  auto relaxedBlock = [&](int from, int to, std::string name, Join join) {
    return block(from, to, name, relaxed, relaxed, join);
  };
  EXPECT_EQ(
      verdict({relaxedBlock(X, Y, "a", Unordered), relaxedBlock(Y, X, "b", Unordered)}, bothOne),
      Allowed); // 15
  EXPECT_EQ(verdict({relaxedBlock(X, Y, "a", Ordered), relaxedBlock(Y, X, "b", Ordered)}, bothOne),
            Allowed); // 16
  Code first = block(X, Y, "a", acquire, release, Ordered);
  EXPECT_EQ(verdict({first, block(Y, X, "b", acquire, release, Ordered)}, bothOne),
            Forbidden);                                                            // 17
  EXPECT_EQ(verdict({first, relaxedBlock(Y, X, "b", Ordered)}, bothOne), Allowed); // 17
}

/// Two ordered reads.
Code twoReads(int one, std::string first, int other, std::string second, How how,
              Join join = Ordered) {
  return [=](Block &b) {
    Step r = b.read(one, how);
    b.note(first, r);
    b.note(second, b.read(other, how, joined(join, r)));
  };
}

Code oneWrite(int where, int value, How how) {
  return [=](Block &b) { b.write(where, value, how); };
}

TEST(Litmus, IndependentReadsOfIndependentWrites) {
  for (auto [store, load] : {std::pair(relaxed, relaxed), std::pair(release, acquire)})
    EXPECT_EQ(verdict({oneWrite(X, 1, store), oneWrite(Y, 1, store), twoReads(X, "a", Y, "b", load),
                       twoReads(Y, "c", X, "d", load)},
                      {{"a", 1}, {"b", 0}, {"c", 1}, {"d", 0}}),
              Allowed); // 18
}

//===-- Transitivity (19, 20) -----------------------------------------------------------------===//

TEST(Litmus, WriteToReadCausality) {
  auto test = [](How store, How load) {
    Code middle = [=](Block &b) {
      Step a = b.read(X, relaxed);
      b.note("a", a);
      b.write(Y, 1, store, {a});
    };
    Code last = [=](Block &b) {
      Step y = b.read(Y, load);
      b.note("b", y);
      b.note("c", b.read(X, relaxed, {y}));
    };
    return verdict({oneWrite(X, 1, relaxed), middle, last}, {{"a", 1}, {"b", 1}, {"c", 0}});
  };
  EXPECT_EQ(test(release, acquire), Forbidden); // 19
  EXPECT_EQ(test(relaxed, relaxed), Allowed);   // 19
}

TEST(Litmus, Isa2) {
  Code first = [](Block &b) { b.write(Y, 1, release, {b.write(X, 1, weak)}); };
  Code middle = [](Block &b) {
    Step a = b.read(Y, acquire);
    if (b.when(a, 1))
      b.write(Z, 1, release, {a});
  };
  Code last = [](Block &b) {
    Step z = b.read(Z, acquire);
    b.note("b", z);
    b.note("c", {0, -1});
    if (b.when(z, 1))
      b.note("c", b.read(X, weak, {z}));
  };
  EXPECT_EQ(verdict({first, middle, last}, {{"b", 1}, {"c", 0}}), Forbidden); // 20
}

//===-- Coherence (21 to 27) ------------------------------------------------------------------===//

Code twoWrites(int one, int first, int other, int second, How how, Join join = Ordered) {
  return [=](Block &b) {
    Step s = b.write(one, first, how);
    b.write(other, second, how, joined(join, s));
  };
}

TEST(Litmus, TwoPlusTwoWrites) {
  EXPECT_EQ(verdict({twoWrites(X, 1, Y, 2, relaxed), twoWrites(Y, 1, X, 2, relaxed)},
                    {{"X", 1}, {"Y", 1}}),
            Allowed); // 21
}

TEST(Litmus, ReadsOfOneLocation) {
  for (auto [join, expected] : {std::pair(Ordered, Forbidden), std::pair(Unordered, Allowed)})
    EXPECT_EQ(verdict({oneWrite(X, 1, relaxed), twoReads(X, "a", X, "b", relaxed, join)},
                      {{"a", 1}, {"b", 0}}),
              expected); // 22
  EXPECT_EQ(verdict({oneWrite(X, 1, relaxed), oneWrite(X, 2, relaxed),
                     twoReads(X, "a", X, "b", relaxed), twoReads(X, "c", X, "d", relaxed)},
                    {{"a", 1}, {"b", 2}, {"c", 2}, {"d", 1}}, {0, 1, 2}),
            Forbidden); // 23
}

TEST(Litmus, WritesOfOneLocation) {
  EXPECT_EQ(verdict({twoWrites(X, 1, X, 2, relaxed)}, {{"X", 1}}), Forbidden);          // 24
  EXPECT_EQ(verdict({twoWrites(X, 1, X, 2, relaxed, Unordered)}, {{"X", 1}}), Allowed); // 24
  EXPECT_EQ(verdict({twoWrites(X, 1, X, 2, weak, Unordered)}, {{"X", 1}}), Undefined);  // 25
  EXPECT_EQ(verdict({twoWrites(X, 1, X, 2, weak)}, {{"X", 1}}), Forbidden);             // 25
}

TEST(Litmus, WriteThenRead) {
  auto test = [](Join join, Outcome wanted) {
    Code block = [=](Block &b) {
      Step s = b.write(X, 1, relaxed);
      b.note("a", b.read(X, relaxed, joined(join, s)));
    };
    return verdict({block, oneWrite(X, 2, relaxed)}, wanted, {0, 1, 2});
  };
  EXPECT_EQ(test(Ordered, {{"a", 0}}), Forbidden);           // 26
  EXPECT_EQ(test(Ordered, {{"a", 2}, {"X", 1}}), Forbidden); // 26
  EXPECT_EQ(test(Unordered, {{"a", 0}}), Allowed);           // 26
}

TEST(Litmus, ReadThenWrite) {
  auto test = [](Join join, Outcome wanted) {
    Code block = [=](Block &b) {
      Step r = b.read(X, relaxed);
      b.note("a", r);
      b.write(X, 1, relaxed, joined(join, r));
    };
    return verdict({block, oneWrite(X, 2, relaxed)}, wanted, {0, 1, 2});
  };
  EXPECT_EQ(test(Ordered, {{"a", 1}}), Forbidden);           // 27
  EXPECT_EQ(test(Ordered, {{"a", 2}, {"X", 2}}), Forbidden); // 27
  EXPECT_EQ(test(Unordered, {{"a", 1}}), Allowed);           // 27
}

//===-- Atomics (28 to 30) --------------------------------------------------------------------===//

TEST(Litmus, AtomicIncrements) {
  auto increment = [](std::string name) -> Code {
    return [=](Block &b) { b.note(name, b.add(X, 1, relaxed)); };
  };
  EXPECT_EQ(outcomesOf({increment("a"), increment("b")}, {0, 1, 2}),
            (std::set<Outcome>{{{"a", 0}, {"b", 1}, {"X", 2}, {"Y", 0}, {"Z", 0}},
                               {{"a", 1}, {"b", 0}, {"X", 2}, {"Y", 0}, {"Z", 0}}})); // 28
  EXPECT_EQ(outcomesOf({increment("a"), oneWrite(X, 5, relaxed)}, {0, 1, 5, 6}),
            (std::set<Outcome>{{{"a", 0}, {"X", 5}, {"Y", 0}, {"Z", 0}},
                               {{"a", 5}, {"X", 6}, {"Y", 0}, {"Z", 0}}})); // 29
}

TEST(Litmus, AtomicsOfDifferentScopes) {
  Code narrow = [](Block &b) { b.add(X, 1, relaxed.tileBlock()); };
  Code wide = [](Block &b) { b.add(X, 1, relaxed); };
  EXPECT_EQ(verdict({narrow, wide}, {}, {0, 1, 2}), Undefined); // 30
}

//===-- Locks and counters (31 to 36) ---------------------------------------------------------===//

/// X is the lock and Y the counter that it protects. Notes -1 for a block that did not enter.
Code lockedIncrement(std::string name, How lock, How unlock, Join join = Ordered) {
  return [=](Block &b) {
    Step entered = b.compareAndSwap(X, 0, 1, lock);
    b.note(name, {0, -1});
    if (!b.when(entered, 0))
      return;
    Step r = b.read(Y, weak, joined(join, entered));
    b.note(name, r);
    Step w = b.write(Y, {0, r.value + 1, r.event}, weak, {r});
    b.exchange(X, 0, unlock, joined(join, w));
  };
}

TEST(Litmus, Lock) {
  auto test = [](How lock, How unlock, Join join, Outcome wanted) {
    return verdict(
        {lockedIncrement("a", lock, unlock, join), lockedIncrement("b", lock, unlock, join)},
        wanted, {0, 1, 2});
  };
  EXPECT_EQ(test(acquire, release, Ordered, {{"a", 0}, {"b", 0}}), Forbidden); // 31
  EXPECT_EQ(test(acquire, release, Ordered, {{"a", 0}, {"b", 1}, {"Y", 2}}), Allowed);
  EXPECT_EQ(test(acqRel, acqRel, Unordered, {}), Undefined); // 32
  EXPECT_EQ(test(relaxed, relaxed, Ordered, {}), Undefined); // 33
}

/// Each block stores its part, 1, and increments Z; the last one reads all parts.
Verdict splitK(How counter, Join storeToCounter = Ordered, Join counterToLoads = Ordered) {
  auto block = [=](int mine, std::string name) -> Code {
    return [=](Block &b) {
      Step s = b.write(mine, 1, weak);
      Step o = b.add(Z, 1, counter, joined(storeToCounter, s));
      b.note(name, {0, -1});
      if (b.when(o, 1)) {
        Step x = b.read(X, weak, joined(counterToLoads, o));
        Step y = b.read(Y, weak, joined(counterToLoads, o));
        b.note(name, {0, x.value + y.value});
      }
    };
  };
  std::optional<std::set<Outcome>> outcomes = outcomesOf({block(X, "a"), block(Y, "b")}, {0, 1, 2});
  if (!outcomes)
    return Undefined;
  EXPECT_FALSE(outcomes->empty());
  for (Outcome outcome : *outcomes)
    if (std::max(outcome["a"], outcome["b"]) != 2)
      return Allowed;
  return Forbidden;
}

TEST(Litmus, SplitK) {
  EXPECT_EQ(splitK(acqRel), Forbidden);  // 34
  EXPECT_EQ(splitK(release), Undefined); // 35
  EXPECT_EQ(splitK(acquire), Undefined);
  EXPECT_EQ(splitK(relaxed), Undefined);
  EXPECT_EQ(splitK(acqRel, Unordered, Ordered), Undefined);
  EXPECT_EQ(splitK(acqRel, Ordered, Unordered), Undefined);
}

TEST(Litmus, Turnstile) {
  // X is the turn and Y the sum: block b changes sum to 2 * sum + b + 1, so that the order is
  // observable.
  auto block = [](int number) -> Code {
    return [=](Block &b) {
      Step turn = b.read(X, acquire);
      if (!b.when(turn, number))
        turn = b.read(X, acquire, {turn});
      if (!b.when(turn, number))
        return b.abandon();
      Step sum = b.read(Y, weak, {turn});
      Step stored = b.write(Y, {0, 2 * sum.value + number + 1, sum.event}, weak, {sum});
      b.write(X, number + 1, release, {stored});
    };
  };
  EXPECT_EQ(outcomesOf({block(0), block(1)}, {0, 1, 2, 3, 4}),
            (std::set<Outcome>{{{"X", 2}, {"Y", 4}, {"Z", 0}}})); // 36
}

//===-- One block (37 to 40, 43, 44) ----------------------------------------------------------===//

TEST(Litmus, OneBlock) {
  auto test = [](How store, How load, Join join, int value) {
    Code block = [=](Block &b) {
      Step s = b.write(X, 1, store);
      b.note("a", b.read(X, load, joined(join, s)));
    };
    return verdict({block}, {{"a", value}});
  };
  How inBlock = relaxed.tileBlock();
  EXPECT_EQ(test(weak, weak, Unordered, 1), Undefined);     // 37
  EXPECT_EQ(test(inBlock, inBlock, Unordered, 0), Allowed); // 38
  EXPECT_EQ(test(inBlock, inBlock, Unordered, 1), Allowed); // 38
  EXPECT_EQ(test(inBlock, weak, Unordered, 1), Undefined);  // 39
  EXPECT_EQ(test(weak, weak, Ordered, 0), Forbidden);       // 40
  EXPECT_EQ(test(weak, weak, Ordered, 1), Allowed);         // 40
}

TEST(Litmus, OneAliasingStore) {
  auto test = [](How how) {
    Code block = [=](Block &b) {
      std::vector<std::pair<Location, uint64_t>> elements;
      for (uint64_t value = 0; value < 8; ++value)
        elements.push_back({Block::at(X), value});
      b.writeAll(elements, how);
    };
    return outcomesOf({block}, {0});
  };
  std::set<Outcome> expected;
  for (int value = 0; value < 8; ++value)
    expected.insert({{"X", value}, {"Y", 0}, {"Z", 0}});
  EXPECT_EQ(test(relaxed.tileBlock()), expected); // 43
  EXPECT_EQ(test(weak), std::nullopt);            // 43
}

TEST(Litmus, MessagePassingWithinBlock) {
  Code block = [](Block &b) {
    Step d = b.write(D, 1, weak);
    b.write(F, 1, release.tileBlock(), {d});
    consumer(acquire.tileBlock(), weak, 1)(b);
  };
  EXPECT_EQ(verdict({block}, stale), Forbidden);               // 44
  EXPECT_EQ(verdict({block}, {{"f", 1}, {"d", 1}}), Allowed);  // 44
  EXPECT_EQ(verdict({block}, {{"f", 0}, {"d", -1}}), Allowed); // 44
}

//===-- Weak accesses of two blocks (41, 42) --------------------------------------------------===//

TEST(Litmus, WeakAccessesOfTwoBlocks) {
  auto reader = [](How how, std::string name) -> Code {
    return [=](Block &b) { b.note(name, b.read(X, how)); };
  };
  EXPECT_EQ(verdict({oneWrite(X, 1, weak), reader(weak, "a")}, {}), Undefined);    // 41
  EXPECT_EQ(verdict({oneWrite(X, 1, weak), reader(relaxed, "a")}, {}), Undefined); // 41
  EXPECT_EQ(verdict({oneWrite(X, 1, weak), oneWrite(X, 1, weak)}, {}), Undefined); // 41
  EXPECT_EQ(outcomesOf({reader(weak, "a"), reader(weak, "b")}, {0, 1}),
            (std::set<Outcome>{{{"a", 0}, {"b", 0}, {"X", 0}, {"Y", 0}, {"Z", 0}}})); // 42
}

//===-- Thin air (45) -------------------------------------------------------------------------===//

TEST(Litmus, ThinAir) {
  auto copy = [](int from, int to, std::string name) -> Code {
    return [=](Block &b) {
      Step r = b.read(from, relaxed);
      b.note(name, r);
      b.write(to, r, relaxed, {r});
    };
  };
  EXPECT_EQ(verdict({copy(X, Y, "a"), copy(Y, X, "b")}, {{"a", 42}, {"b", 42}}, {0, 42}),
            Forbidden); // 45
}

/// The same with a condition.
TEST(Litmus, ThinAirThroughBranches) {
  auto block = [](int from, int to, std::string name) -> Code {
    return [=](Block &b) {
      Step r = b.read(from, relaxed);
      b.note(name, r);
      if (b.when(r, 42))
        b.write(to, 42, relaxed, {r});
    };
  };
  EXPECT_EQ(verdict({block(X, Y, "a"), block(Y, X, "b")}, {{"a", 42}, {"b", 42}}, {0, 42}),
            Forbidden);
}

} // namespace
