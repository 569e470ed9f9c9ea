//===- Approximate.cpp - Functions that may be approximated ------------------===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Approximate.h"
#include "Reach.h"
#include "RuntimeCall.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace place {

namespace {

/// A function as 2^(Factor * x), as Factor * log2(x), or x^y.
struct Scaled {
  enum { None, Power, Logarithm, General } Kind = None;
  double Factor = 1;
};

Scaled meaningOf(StringRef Name) {
  const double Log2E = 1.4426950408889634074, Log2Of10 = 3.3219280948873623479, Ln2 = 0.69314718055994530942,
               Log10Of2 = 0.30102999566398119521;
  return StringSwitch<Scaled>(Name)
    .Case("__nv_powf", {Scaled::General})
    .Case("__nv_expf", {Scaled::Power, Log2E})
    .Case("__nv_exp10f", {Scaled::Power, Log2Of10})
    .Case("__nv_logf", {Scaled::Logarithm, Ln2})
    .Case("__nv_log2f", {Scaled::Logarithm, 1})
    .Case("__nv_log10f", {Scaled::Logarithm, Log10Of2})
    .Default({});
}

Scaled meaningOf(const Instruction &I) {
  const Function *Callee = isa<CallInst>(I) ? calledFunction(I) : nullptr;
  return Callee && I.getType()->isFloatTy() && I.hasApproxFunc() ? meaningOf(Callee->getName()) : Scaled();
}

Intrinsic::ID flushingFormOf(Intrinsic::ID ID) {
  switch (ID) {
  case Intrinsic::nvvm_ex2_approx_f: return Intrinsic::nvvm_ex2_approx_ftz_f;
  case Intrinsic::nvvm_lg2_approx_f: return Intrinsic::nvvm_lg2_approx_ftz_f;
  case Intrinsic::nvvm_sqrt_approx_f: return Intrinsic::nvvm_sqrt_approx_ftz_f;
  default: return Intrinsic::not_intrinsic;
  }
}

class Writer {
public:
  explicit Writer(CallInst &C) : C(C), B(&C) { B.setFastMathFlags(C.getFastMathFlags()); }

  Value *write(const Scaled &S) {
    Value *X = C.getArgOperand(0), *Factor = ConstantFP::get(X->getType(), S.Factor);
    switch (S.Kind) {
    case Scaled::None: return &C;
    case Scaled::Power: return power(B.CreateFMul(X, Factor));
    case Scaled::Logarithm: return B.CreateFMul(logarithm(X), Factor);
    case Scaled::General: return general(X, C.getArgOperand(1));
    }
    llvm_unreachable("a kind that is not listed");
  }

private:
  Value *power(Value *X) { return B.CreateIntrinsic(Intrinsic::nvvm_ex2_approx_f, {}, {X}); }
  Value *logarithm(Value *X) { return B.CreateIntrinsic(Intrinsic::nvvm_lg2_approx_f, {}, {X}); }
  Value *number(double V) { return ConstantFP::get(B.getFloatTy(), V); }

  // |x|^y, with the sign of x where y is odd. The logarithm of 0 times 0 is no number, and that of 1 times an infinite one neither.
  Value *general(Value *X, Value *Y) {
    Value *Size = B.CreateUnaryIntrinsic(Intrinsic::fabs, X);
    Value *GivesOne = B.CreateFCmpOEQ(Y, number(0));
    if (!C.hasNoNaNs() || !C.hasNoInfs())
      GivesOne = B.CreateOr(GivesOne, B.CreateFCmpOEQ(Size, number(1)));
    Value *R = B.CreateSelect(GivesOne, number(1), power(B.CreateFMul(Y, logarithm(Size))));
    Value *Integer = B.CreateIntrinsic(Intrinsic::fptosi_sat, {B.getInt32Ty(), Y->getType()}, {Y});
    Value *IsInteger = B.CreateFCmpOEQ(B.CreateSIToFP(Integer, Y->getType()), Y);
    const double Even = 1 << 24; // as all from there on are
    Value *IsSmall = B.CreateFCmpULT(B.CreateUnaryIntrinsic(Intrinsic::fabs, Y), number(Even));
    Value *IsOdd = B.CreateAnd(B.CreateAnd(IsInteger, IsSmall), B.CreateTrunc(Integer, B.getInt1Ty()));
    R = withSign(R, X, IsOdd);
    return C.hasNoNaNs() ? R : ofNegative(R, X, B.CreateAnd(IsSmall, B.CreateNot(IsInteger)));
  }

  // A negative number, but not the infinite one, has no powers to what is no whole number.
  Value *ofNegative(Value *R, Value *X, Value *IsPart) {
    Value *IsFinite = B.CreateFCmpOGT(X, ConstantFP::getInfinity(X->getType(), /*Negative=*/true));
    Value *HasNone = B.CreateAnd(B.CreateAnd(IsPart, B.CreateFCmpOLT(X, number(0))), IsFinite);
    return B.CreateSelect(HasNone, ConstantFP::getNaN(X->getType()), R);
  }

  // -0 has a sign that only its bits show.
  Value *withSign(Value *R, Value *X, Value *IsOdd) {
    if (!C.hasNoSignedZeros())
      return B.CreateSelect(IsOdd, B.CreateBinaryIntrinsic(Intrinsic::copysign, R, X), R);
    return B.CreateSelect(B.CreateAnd(B.CreateFCmpOLT(X, number(0)), IsOdd), B.CreateFNeg(R), R);
  }

  CallInst &C;
  IRBuilder<> B;
};

} // namespace

bool takesApproximable(const Function &Kernel) {
  return any_of(reachedFrom(Kernel, [](const Function &) { return true; }), [](const GlobalValue *G) {
    const auto *F = dyn_cast<Function>(G);
    return F && any_of(instructions(*F), [](const Instruction &I) { return meaningOf(I).Kind != Scaled::None; });
  });
}

bool multiplyByPowers(Function &F) {
  bool Any = false;
  for (Instruction &I : make_early_inc_range(instructions(F))) {
    auto *Power = I.getOpcode() == Instruction::FDiv && I.hasAllowReciprocal() ? dyn_cast<IntrinsicInst>(I.getOperand(1)) : nullptr;
    if (!Power || Power->getIntrinsicID() != Intrinsic::nvvm_ex2_approx_f || !Power->hasOneUse())
      continue;
    IRBuilder<> B(&I);
    B.setFastMathFlags(I.getFastMathFlags());
    Value *Inverse = B.CreateIntrinsic(Intrinsic::nvvm_ex2_approx_f, {}, {B.CreateFNeg(Power->getArgOperand(0))});
    I.replaceAllUsesWith(B.CreateFMul(I.getOperand(0), Inverse));
    I.eraseFromParent();
    Any = true;
  }
  return Any;
}

bool flushDenormals(Function &F) {
  auto Allows = [&](StringRef Flag) { return F.getFnAttribute(Flag).getValueAsBool(); };
  if (!Allows("unsafe-fp-math") || !Allows("no-nans-fp-math") || !Allows("no-infs-fp-math"))
    return false;
  bool Any = false;
  for (Instruction &I : instructions(F))
    if (auto *C = dyn_cast<IntrinsicInst>(&I))
      if (Intrinsic::ID Flushing = flushingFormOf(C->getIntrinsicID())) {
        C->setCalledFunction(Intrinsic::getDeclaration(F.getParent(), Flushing));
        Any = true;
      }
  if (Any)
    F.addFnAttr("denormal-fp-math-f32", "preserve-sign,preserve-sign");
  return Any;
}

void approximate(Module &One) {
  for (Function &F : One)
    for (Instruction &I : make_early_inc_range(instructions(F)))
      if (Scaled S = meaningOf(I); S.Kind != Scaled::None) {
        auto &C = cast<CallInst>(I);
        C.replaceAllUsesWith(Writer(C).write(S));
        C.eraseFromParent();
      }
}

} // namespace place
