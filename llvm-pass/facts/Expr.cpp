//===- Expr.cpp - Scalar evolutions as text of include/place/expr.h --------===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The runtime evaluates these expressions with 64-bit wrapping arithmetic, so narrower sums and products are right modulo
// their width, and each operation that looks at more than the low bits carries its width: zext32(...), udiv64(...).
//
//===----------------------------------------------------------------------===//
#include "Expr.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"

using namespace llvm;

namespace place {

const char *specialRegister(const Value *V) {
  const auto *II = dyn_cast<IntrinsicInst>(V);
  if (!II)
    return nullptr;
  switch (II->getIntrinsicID()) {
  case Intrinsic::nvvm_read_ptx_sreg_tid_x:
    return "tid";
  case Intrinsic::nvvm_read_ptx_sreg_ctaid_x:
    return "team";
  case Intrinsic::nvvm_read_ptx_sreg_ntid_x:
    return "threads";
  case Intrinsic::nvvm_read_ptx_sreg_nctaid_x:
    return "teams";
  default:
    return nullptr;
  }
}

bool isRegister(const Value *V, StringRef Name) {
  const char *Register = specialRegister(V);
  return Register && Name == Register;
}

unsigned widthOf(const Value *V) { return V->getType()->isIntegerTy() ? V->getType()->getIntegerBitWidth() : 0; }

bool isThreadNumber(const Value *V) {
  if (isa<ZExtInst>(V) || isa<SExtInst>(V))
    V = cast<CastInst>(V)->getOperand(0);
  return isRegister(V, "tid");
}

bool dependsOn(const Value *Root, function_ref<bool(const Instruction &)> IsOfKind) {
  SmallVector<const Value *, 8> Work = {Root};
  SmallPtrSet<const Value *, 8> Seen;
  while (!Work.empty()) {
    const auto *I = dyn_cast<Instruction>(Work.pop_back_val());
    if (!I || !Seen.insert(I).second)
      continue;
    if (IsOfKind(*I))
      return true;
    append_range(Work, I->operands());
  }
  return false;
}

bool dependsOnRegister(const Value *Root, StringRef Prefix) {
  return dependsOn(Root, [&](const Instruction &I) {
    const char *Register = specialRegister(&I);
    return Register && StringRef(Register).starts_with(Prefix);
  });
}

namespace {

class Writer {
public:
  Writer(ScalarEvolution &SE, const DenseMap<const Loop *, int> &Loops) : SE(SE), Loops(Loops) {}

  ExprText Out;

  std::string write(const SCEV *S) {
    // Bounded like the runtime's parser: past that, an expression says no more than "unknown".
    if (++Nodes > 500)
      return any(S);
    if (std::string Text = remainder(S); !Text.empty())
      return Text;
    switch (S->getSCEVType()) {
    case scConstant:
      return itostr(cast<SCEVConstant>(S)->getAPInt());
    case scZeroExtend:
      return cast(S, "zext", SE.getTypeSizeInBits(castOperand(S)->getType()));
    case scSignExtend:
      return cast(S, "sext", SE.getTypeSizeInBits(castOperand(S)->getType()));
    case scTruncate:
      return cast(S, "trunc", SE.getTypeSizeInBits(S->getType()));
    case scPtrToInt:
      return any(S);
    case scAddExpr:
      return join(cast<SCEVNAryExpr>(S), " + ", "(", ")");
    case scMulExpr:
      return join(cast<SCEVNAryExpr>(S), "*", "", "");
    case scUDivExpr:
      return call("udiv", S, {cast<SCEVUDivExpr>(S)->getLHS(), cast<SCEVUDivExpr>(S)->getRHS()});
    case scUMinExpr:
    case scSequentialUMinExpr:
      return nest("umin", cast<SCEVNAryExpr>(S));
    case scUMaxExpr:
      return nest("umax", cast<SCEVNAryExpr>(S));
    case scSMinExpr:
      return nest("smin", cast<SCEVNAryExpr>(S));
    case scSMaxExpr:
      return nest("smax", cast<SCEVNAryExpr>(S));
    case scAddRecExpr:
      return recurrence(cast<SCEVAddRecExpr>(S));
    case scUnknown:
      return unknown(cast<SCEVUnknown>(S));
    default:
      return any(S);
    }
  }

private:
  // Scalar evolution writes x % m as x - x / m * m, and spreads factors over the sum: 4 * (x % m) + 8 becomes
  // 4 * x - 4 * m * (x / m) + 8. As a remainder it has a bound.
  std::string remainder(const SCEV *S) {
    const auto *Sum = dyn_cast<SCEVAddExpr>(S);
    if (!Sum || !S->getType()->isIntegerTy())
      return "";
    for (const SCEV *Term : Sum->operands()) {
      const auto *Product = dyn_cast<SCEVMulExpr>(Term);
      if (!Product)
        continue;
      for (const SCEV *Factor : Product->operands())
        if (const auto *Quotient = dyn_cast<SCEVUDivExpr>(Factor))
          if (std::string Text = remainderOf(S, Product, Quotient); !Text.empty())
            return Text;
    }
    return "";
  }

  std::string remainderOf(const SCEV *S, const SCEVMulExpr *Product, const SCEVUDivExpr *Quotient) {
    const SCEV *X = Quotient->getLHS(), *M = Quotient->getRHS();
    if (X->getType() != S->getType())
      return "";
    const SCEV *Scale = SE.getOne(S->getType());
    if (const auto *C = dyn_cast<SCEVConstant>(Product->getOperand(0)))
      Scale = SE.getNegativeSCEV(C);
    if (const auto *C = dyn_cast<SCEVConstant>(M))
      Scale = SE.getUDivExpr(Scale, C);
    const SCEV *Scaled = SE.getMulExpr(Scale, SE.getURemExpr(X, M));
    const SCEV *Rest = SE.getMinusSCEV(S, Scaled);
    if (SCEVExprContains(Rest, [&](const SCEV *Part) { return Part == Quotient; }))
      return "";
    std::string Text = call("urem", S, {X, M});
    if (!Scale->isOne())
      Text = write(Scale) + "*" + Text;
    return Rest->isZero() ? Text : "(" + Text + " + " + write(Rest) + ")";
  }

  static std::string itostr(const APInt &V) {
    SmallString<24> Text;
    V.sextOrTrunc(64).toStringSigned(Text);
    return Text[0] == '-' ? ("(" + Text + ")").str() : std::string(Text.str());
  }

  template <typename T> static const T *cast(const SCEV *S) { return llvm::cast<T>(S); }

  static const SCEV *castOperand(const SCEV *S) { return llvm::cast<SCEVCastExpr>(S)->getOperand(); }

  std::string cast(const SCEV *S, StringRef Op, uint64_t Bits) {
    if (Bits > 64 || SE.getTypeSizeInBits(S->getType()) > 64)
      return any(S);
    return (Op + Twine(Bits) + "(" + write(castOperand(S)) + ")").str();
  }

  std::string call(StringRef Op, const SCEV *S, ArrayRef<const SCEV *> Operands) {
    uint64_t Bits = SE.getTypeSizeInBits(S->getType());
    if (Bits > 64)
      return any(S);
    return (Op + Twine(Bits) + "(" + write(Operands[0]) + ", " + write(Operands[1]) + ")").str();
  }

  std::string nest(StringRef Op, const SCEVNAryExpr *S) {
    std::string Text = write(S->getOperand(0));
    uint64_t Bits = SE.getTypeSizeInBits(S->getType());
    if (Bits > 64)
      return any(S);
    for (const SCEV *Next : drop_begin(S->operands()))
      Text = (Op + Twine(Bits) + "(" + Text + ", " + write(Next) + ")").str();
    return Text;
  }

  std::string join(const SCEVNAryExpr *S, StringRef With, StringRef Open, StringRef Close) {
    std::string Text = Open.str();
    bool First = true;
    for (const SCEV *Operand : S->operands()) {
      if (!First)
        Text += With;
      First = false;
      Text += write(Operand);
    }
    return Text + Close.str();
  }

  std::string recurrence(const SCEVAddRecExpr *S) {
    auto Number = Loops.find(S->getLoop());
    if (!S->isAffine() || Number == Loops.end())
      return any(S);
    std::string Step = write(S->getStepRecurrence(SE));
    Out.UsesLoop = true;
    std::string Counter = "L" + std::to_string(Number->second);
    std::string Product = Step == "1" ? Counter : Step + "*" + Counter;
    const SCEV *Start = S->getStart();
    return Start->isZero() ? Product : "(" + write(Start) + " + " + Product + ")";
  }

  std::string unknown(const SCEVUnknown *S) {
    const Value *V = S->getValue();
    if (const char *Register = specialRegister(V)) {
      Out.UsesLane |= StringRef(Register) == "tid";
      Out.UsesTeam |= StringRef(Register) == "team";
      return Register;
    }
    const auto *A = dyn_cast<Argument>(V);
    if (A && A->getType()->isIntegerTy() && A->getArgNo() > 0)
      return "arg" + std::to_string(A->getArgNo() - 1);
    return any(S);
  }

  // A value that is only known to the device. Its range is kept where it says more than its type.
  std::string any(const SCEV *S) {
    Out.Known = false;
    if (const auto *U = dyn_cast<SCEVUnknown>(S))
      Out.Unknown = U->getValue();
    if (!S->getType()->isIntegerTy())
      return "any";
    APInt Max = SE.getUnsignedRangeMax(S);
    if (Max.isMaxValue() || Max.getActiveBits() > 62)
      return "any";
    return "any(" + std::to_string(Max.getZExtValue()) + ")";
  }

  ScalarEvolution &SE;
  const DenseMap<const Loop *, int> &Loops;
  unsigned Nodes = 0;
};

} // namespace

DenseMap<const Loop *, int> enclosingLoops(const Loop *L, const DenseMap<const Loop *, int> &Numbers) {
  DenseMap<const Loop *, int> Enclosing;
  for (; L; L = L->getParentLoop())
    Enclosing[L] = Numbers.lookup(L);
  return Enclosing;
}

ExprText exprText(const SCEV *S, ScalarEvolution &SE, const DenseMap<const Loop *, int> &Loops) {
  if (isa<SCEVCouldNotCompute>(S))
    return {"", false, false, false, false, nullptr};
  Writer W(SE, Loops);
  std::string Text = W.write(S);
  W.Out.Text = std::move(Text);
  return W.Out;
}

} // namespace place
