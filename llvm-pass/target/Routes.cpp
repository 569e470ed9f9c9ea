//===- Routes.cpp - Cache operators of loads ---------------------------------===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Routes.h"
#include "Spaces.h"
#include "Target.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include <optional>

using namespace llvm;

namespace place {

static const char Attribute[] = "place-routes"; // "3=cg,5=no_allocate": arguments and routes

bool routeExists(const Function &F, place_route Route, bool Written) {
  return place_route_exists(Route, computeCapability(F), ptxVersion(F), Written);
}

void giveRoute(Argument &A, place_route Route) {
  Function &F = *A.getParent();
  std::string Routes = F.getFnAttribute(Attribute).getValueAsString().str();
  Routes += (Routes.empty() ? "" : ",") + std::to_string(A.getArgNo()) + "=" + place_route_name(Route);
  F.addFnAttr(Attribute, Routes);
}

namespace {

/// How a value is loaded: Registers of Bits each, and as what.
struct Shape {
  unsigned Registers = 1, Bits = 0;
  Type *Element = nullptr; // of a register; null: an integer of Bits, and the whole is reinterpreted
};

const unsigned MostBytes = 16, MostRegisters = 4;

/// The one that a load of the type takes; nothing: there is none.
std::optional<Shape> shapeOf(Type *T, const DataLayout &DL) {
  TypeSize Size = DL.getTypeSizeInBits(T);
  if (Size.isScalable() || Size != DL.getTypeStoreSizeInBits(T) || T->isAggregateType())
    return std::nullopt;
  uint64_t Bits = Size.getFixedValue();
  if (Bits > 8 * MostBytes || !isPowerOf2_64(Bits))
    return std::nullopt;
  auto *V = dyn_cast<FixedVectorType>(T);
  Type *Element = V ? V->getElementType() : T;
  unsigned Count = V ? V->getNumElements() : 1;
  bool Plain = Element->isFloatTy() || Element->isDoubleTy() || Element->isIntegerTy(32) || Element->isIntegerTy(64) ||
               (Element->isIntegerTy() && Count == 1 && Bits <= 64);
  if (Plain && Count <= MostRegisters)
    return Shape{Count, unsigned(Bits) / Count, Element};
  if (Element->isPointerTy() && Count == 1)
    return Shape{1, unsigned(Bits), nullptr};
  return Bits > 64 ? Shape{MostRegisters, unsigned(Bits) / MostRegisters, nullptr} : Shape{1, unsigned(Bits), nullptr};
}

/// Writes one load.
class Writer {
public:
  Writer(LoadInst &L, place_route Route, Shape S) : L(L), Route(Route), S(S), B(&L) {}

  Value *write() {
    Type *Register = S.Element && S.Element->isFloatingPointTy() ? S.Element : B.getIntNTy(std::max(S.Bits, 16u));
    SmallVector<Type *, MostRegisters> Registers(S.Registers, Register);
    Type *Result = S.Registers == 1 ? Register : StructType::get(B.getContext(), Registers);
    Value *Pointer = B.CreateAddrSpaceCast(L.getPointerOperand(), B.getPtrTy(AddrGlobal));
    auto *Asm = InlineAsm::get(FunctionType::get(Result, {Pointer->getType()}, false), text(), constraints(Register),
                               // Where it stands among stores, barriers and guards, it has to stay.
                               /*hasSideEffects=*/true);
    CallInst *Call = B.CreateCall(Asm, {Pointer});
    Call->setDoesNotThrow();
    Call->setDebugLoc(L.getDebugLoc());
    return asLoaded(Call);
  }

private:
  std::string type() const {
    const char *Kind = S.Element && S.Element->isFloatingPointTy() ? "f" : S.Bits == 8 ? "u" : "b";
    return Kind + std::to_string(S.Bits);
  }

  std::string text() const {
    std::string Operands;
    for (unsigned N = 0; N < S.Registers; ++N)
      Operands += (N ? ", $" : "$") + std::to_string(N);
    bool Vector = S.Registers > 1;
    return std::string("ld.global") + place_routes[Route].instruction + (Vector ? ".v" + std::to_string(S.Registers) : "") + "." + type() +
           " " + (Vector ? "{" + Operands + "}" : Operands) + ", [$" + std::to_string(S.Registers) + "];";
  }

  // Registers of PTX: h 16 bits, r 32, l 64, f and d floating-point.
  std::string constraints(Type *Register) const {
    const char *One = Register->isFloatTy() ? "=f," : Register->isDoubleTy() ? "=d," : S.Bits <= 16 ? "=h," : S.Bits == 32 ? "=r," : "=l,";
    std::string All;
    for (unsigned N = 0; N < S.Registers; ++N)
      All += One;
    return All + "l";
  }

  Value *asLoaded(Value *Loaded) {
    if (S.Registers == 1) {
      Value *V = S.Bits < 16 ? B.CreateTrunc(Loaded, B.getIntNTy(S.Bits)) : Loaded;
      return L.getType()->isPointerTy() ? B.CreateIntToPtr(V, L.getType()) : B.CreateBitCast(V, L.getType());
    }
    Type *Register = cast<StructType>(Loaded->getType())->getElementType(0);
    Value *All = PoisonValue::get(FixedVectorType::get(Register, S.Registers));
    for (unsigned N = 0; N < S.Registers; ++N)
      All = B.CreateInsertElement(All, B.CreateExtractValue(Loaded, N), N);
    return B.CreateBitCast(All, L.getType());
  }

  LoadInst &L;
  place_route Route;
  Shape S;
  IRBuilder<> B;
};

/// The one argument that a pointer comes from; null: there are others, or other values.
Argument *originOf(Value *P) {
  SmallVector<Value *, 8> Work{P};
  SmallPtrSet<Value *, 16> Seen;
  Argument *Origin = nullptr;
  while (!Work.empty()) {
    Value *V = Work.pop_back_val();
    if (!Seen.insert(V).second || isa<UndefValue>(V))
      continue;
    if (auto *A = dyn_cast<Argument>(V)) {
      if (Origin && Origin != A)
        return nullptr;
      Origin = A;
    } else if (auto *G = dyn_cast<GetElementPtrInst>(V)) {
      Work.push_back(G->getPointerOperand());
    } else if (auto *C = dyn_cast<AddrSpaceCastInst>(V)) {
      Work.push_back(C->getPointerOperand());
    } else if (auto *N = dyn_cast<PHINode>(V)) {
      Work.append(N->incoming_values().begin(), N->incoming_values().end());
    } else if (auto *S = dyn_cast<SelectInst>(V)) {
      Work.push_back(S->getTrueValue());
      Work.push_back(S->getFalseValue());
    } else {
      return nullptr;
    }
  }
  return Origin;
}

SmallVector<int, 16> routesOf(const Function &F) {
  SmallVector<int, 16> Routes(F.arg_size(), PLACE_ROUTE_DEFAULT);
  for (StringRef Item : split(F.getFnAttribute(Attribute).getValueAsString(), ',')) {
    auto [Number, Name] = Item.split('=');
    unsigned Argument = 0;
    int Route = place_route_parse(Name.data(), Name.size());
    if (!Number.getAsInteger(10, Argument) && Argument < Routes.size() && Route >= 0)
      Routes[Argument] = Route;
  }
  return Routes;
}

} // namespace

unsigned emitRoutes(Function &F) {
  if (!F.hasFnAttribute(Attribute))
    return 0;
  const DataLayout &DL = F.getParent()->getDataLayout();
  SmallVector<int, 16> Routes = routesOf(F);
  SmallVector<LoadInst *, 32> Loads;
  for (Instruction &I : instructions(F))
    if (auto *L = dyn_cast<LoadInst>(&I); L && L->isSimple() && L->getPointerAddressSpace() <= AddrGlobal)
      Loads.push_back(L);
  unsigned Replaced = 0;
  for (LoadInst *L : Loads) {
    Argument *A = originOf(L->getPointerOperand());
    std::optional<Shape> S = shapeOf(L->getType(), DL);
    if (!A || Routes[A->getArgNo()] == PLACE_ROUTE_DEFAULT || !S || L->getAlign().value() < DL.getTypeStoreSize(L->getType()))
      continue;
    L->replaceAllUsesWith(Writer(*L, static_cast<place_route>(Routes[A->getArgNo()]), *S).write());
    L->eraseFromParent();
    ++Replaced;
  }
  F.removeFnAttr(Attribute);
  return Replaced;
}

} // namespace place
