// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compiles loops and checks what they compute. Functions are written as text, compiled for this
// machine at every level, loaded and called. For other targets, the test looks for the expected
// instructions in the assembly.

#include "tilewright/codegen/Codegen.h"
#include "tilewright/codegen/Jit.h"
#include "tilewright/codegen/Lower.h"

#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"
#include <cmath>

using namespace tilewright;
using namespace tilewright::codegen;
using support::Result;

namespace {

TargetMachine machineNamed(llvm::StringRef cpu) {
  return cpu == "aarch64" ? *TargetMachine::of("aarch64-unknown-linux-gnu", "generic")
                          : *TargetMachine::of("x86_64-unknown-linux-gnu", cpu.str());
}

class Codegen : public testing::Test {
protected:
  Codegen() : context(mlir::MLIRContext::Threading::DISABLED) { loadLoopDialects(context); }

  mlir::OwningOpRef<mlir::ModuleOp> parse(llvm::StringRef text) {
    auto module = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
    EXPECT_TRUE(module) << "the test's own text does not parse";
    return module;
  }

  LoadedCode load(llvm::StringRef text, const CodegenOptions &options = {},
                  std::span<const HostFunction> functions = {}) {
    auto module = parse(text);
    Result<std::string> object = compileLoops(*module, TargetMachine::host(), options);
    EXPECT_TRUE(bool(object)) << object.failure().message;
    Result<LoadedCode> code = LoadedCode::load(*object, functions);
    EXPECT_TRUE(bool(code)) << code.failure().message;
    return std::move(*code);
  }

  std::string assembly(llvm::StringRef text, llvm::StringRef target) {
    auto module = parse(text);
    Result<void> lowered = lowerToLLVM(*module);
    EXPECT_TRUE(bool(lowered));
    Result<LlvmProgram> program = LlvmProgram::translate(*module, machineNamed(target));
    EXPECT_TRUE(bool(program));
    program->optimize();
    return *program->assembly();
  }

  mlir::MLIRContext context;
};

template <typename Function> Function *functionOf(const LoadedCode &code, const char *name) {
  Result<void *> address = code.lookup(name);
  EXPECT_TRUE(bool(address)) << address.failure().message;
  return reinterpret_cast<Function *>(*address);
}

/// y[i] = a * x[i] + y[i], rounded after each operation, 16 lanes at a time, with control flow of
/// two dialects and the index type.
constexpr const char *saxpy = R"(
  llvm.func @saxpy(%n: i64, %a: f32, %x: !llvm.ptr, %y: !llvm.ptr) {
    %zero = arith.constant 0 : index
    %lanes = arith.constant 16 : index
    %end = arith.index_cast %n : i64 to index
    %as = vector.broadcast %a : f32 to vector<16xf32>
    scf.for %i = %zero to %end step %lanes {
      %offset = arith.index_cast %i : index to i64
      %px = llvm.getelementptr %x[%offset] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %py = llvm.getelementptr %y[%offset] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %vx = llvm.load %px {alignment = 4} : !llvm.ptr -> vector<16xf32>
      %vy = llvm.load %py {alignment = 4} : !llvm.ptr -> vector<16xf32>
      %product = arith.mulf %as, %vx : vector<16xf32>
      %sum = arith.addf %product, %vy : vector<16xf32>
      llvm.store %sum, %py {alignment = 4} : vector<16xf32>, !llvm.ptr
    }
    llvm.return
  })";

TEST_F(Codegen, runsLoopsAtEveryLevel) {
  for (OptLevel level : {OptLevel::O0, OptLevel::O1, OptLevel::O2, OptLevel::O3}) {
    LoadedCode code = load(saxpy, {.level = level});
    auto *run = functionOf<void(int64_t, float, const float *, float *)>(code, "saxpy");
    float x[48], y[48];
    for (int i = 0; i < 48; ++i) {
      x[i] = 1.0f + i * 0x1p-23f;
      y[i] = -1.0f;
    }
    // (1 + 2^-12) * (1 + i 2^-23) needs more bits than f32 has. A fused operation would keep them,
    // and the sum would show the difference.
    float a = 1.0f + 0x1p-12f;
    run(48, a, x, y);
    for (int i = 0; i < 48; ++i) {
      volatile float product = a * x[i];
      EXPECT_EQ(y[i], product - 1.0f) << "element " << i << " at level " << int(level);
    }
  }
}

TEST_F(Codegen, callsTheFunctionsItIsGivenAndTheProcess) {
  static int64_t told = 0;
  auto tell = +[](int64_t value) { told = value; };
  LoadedCode code = load(R"(
    llvm.func @tell(i64)
    llvm.func @strlen(!llvm.ptr) -> i64
    llvm.func @measure(%text: !llvm.ptr) {
      %length = llvm.call @strlen(%text) : (!llvm.ptr) -> i64
      llvm.call @tell(%length) : (i64) -> ()
      llvm.return
    })",
                         {}, std::vector<HostFunction>{{"tell", reinterpret_cast<void *>(tell)}});
  functionOf<void(const char *)>(code, "measure")("four");
  EXPECT_EQ(told, 4);
}

TEST_F(Codegen, namesWhatCannotBeResolved) {
  auto module = parse(R"(
    llvm.func @nobody_has_this()
    llvm.func @f() { llvm.call @nobody_has_this() : () -> () llvm.return })");
  Result<std::string> object = compileLoops(*module, TargetMachine::host());
  ASSERT_TRUE(bool(object));
  Result<LoadedCode> code = LoadedCode::load(*object);
  ASSERT_TRUE(bool(code));
  Result<void *> address = code->lookup("f");
  ASSERT_FALSE(bool(address));
  EXPECT_NE(address.failure().message.find("nobody_has_this"), std::string::npos)
      << address.failure().message;
}

TEST_F(Codegen, refusesMathThatWouldCallALibrary) {
  auto module = parse(R"(
    llvm.func @f(%x: f32) -> f32 { %y = math.exp %x : f32 llvm.return %y : f32 })");
  Result<std::string> object = compileLoops(*module, TargetMachine::host());
  ASSERT_FALSE(bool(object));
  EXPECT_EQ(object.failure().message,
            "codegen: 'math.exp' has no instruction and was not expanded");
}

TEST_F(Codegen, saysWhatCannotBeLowered) {
  // No supported processor has f8, and conversions are expanded earlier.
  auto module = parse(R"(
    llvm.func @f(%x: i8) -> f32 {
      %a = arith.bitcast %x : i8 to f8E5M2
      %b = arith.extf %a : f8E5M2 to f32
      llvm.return %b : f32
    })");
  Result<std::string> object = compileLoops(*module, TargetMachine::host());
  ASSERT_FALSE(bool(object));
  EXPECT_EQ(object.failure().message,
            "codegen: lowering to LLVM: failed to legalize operation 'arith.extf'");
}

TEST_F(Codegen, roundsAsTheNameSays) {
  LoadedCode code = load(R"(
    llvm.func @even(%x: f64) -> f64 { %y = math.roundeven %x : f64 llvm.return %y : f64 }
    llvm.func @fused(%a: f64, %b: f64, %c: f64) -> f64 {
      %y = math.fma %a, %b, %c : f64
      llvm.return %y : f64
    }
    llvm.func @scale(%x: f32, %by: i32) -> f32 {
      %y = llvm.intr.ldexp(%x, %by) : (f32, i32) -> f32
      llvm.return %y : f32
    })");
  auto *even = functionOf<double(double)>(code, "even");
  EXPECT_EQ(even(0.5), 0.0);
  EXPECT_EQ(even(1.5), 2.0);
  EXPECT_EQ(even(2.5), 2.0);
  EXPECT_TRUE(std::signbit(even(-0.25)));
  // (1 + 2^-30)^2 - 1 = 2^-29 + 2^-60: the last term is lost unless fused.
  auto *fused = functionOf<double(double, double, double)>(code, "fused");
  EXPECT_EQ(fused(1 + 0x1p-30, 1 + 0x1p-30, -1), 0x1p-29 + 0x1p-60);
  // The smallest subnormal is halfway to zero from 2^-150: ties go to even.
  auto *scale = functionOf<float(float, int32_t)>(code, "scale");
  EXPECT_EQ(scale(1.0f, -149), 0x1p-149f);
  EXPECT_EQ(scale(1.5f, -149), 0x1p-148f);
  EXPECT_EQ(scale(1.0f, -150), 0.0f);
}

TEST_F(Codegen, lowersVectorsOfOneDimension) {
  LoadedCode code = load(R"(
    llvm.func @f(%p: !llvm.ptr) {
      %steps = vector.step : vector<4xindex>
      %numbers = arith.index_cast %steps : vector<4xindex> to vector<4xi32>
      %mask = vector.constant_mask [3] : vector<4xi1>
      %zeros = arith.constant dense<0> : vector<4xi32>
      %kept = arith.select %mask, %numbers, %zeros : vector<4xi1>, vector<4xi32>
      %turned = vector.shuffle %kept, %zeros [3, 2, 1, 0] : vector<4xi32>, vector<4xi32>
      %sum = vector.reduction <add>, %kept : vector<4xi32> into i32
      %all = vector.insert %sum, %turned[0] : i32 into vector<4xi32>
      llvm.store %all, %p {alignment = 4} : vector<4xi32>, !llvm.ptr
      llvm.return
    })");
  int32_t out[4];
  functionOf<void(int32_t *)>(code, "f")(out);
  EXPECT_EQ(std::vector<int32_t>(out, out + 4), (std::vector<int32_t>{3, 2, 1, 0}));
}

TEST_F(Codegen, usesWhatTheTargetHas) {
  EXPECT_NE(assembly(saxpy, "x86-64-v4").find("%zmm"), std::string::npos);
  EXPECT_NE(assembly(saxpy, "x86-64-v3").find("%ymm"), std::string::npos);
  std::string old = assembly(saxpy, "x86-64");
  EXPECT_EQ(old.find("%ymm"), std::string::npos);
  EXPECT_NE(old.find("mulps"), std::string::npos);
  EXPECT_NE(assembly(saxpy, "aarch64").find("fmul\tv"), std::string::npos);
}

TEST_F(Codegen, neverFusesWhatIsWrittenApart) {
  for (const char *target : {"x86-64-v3", "x86-64-v4", "aarch64"}) {
    std::string text = assembly(saxpy, target);
    EXPECT_EQ(text.find("fmadd"), std::string::npos) << text;
    EXPECT_EQ(text.find("fmla"), std::string::npos) << text;
  }
}

} // namespace
