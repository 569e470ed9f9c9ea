// Inline PTX: the few templates that libdevice and usual code use; every other one is an error.
#include "lowering.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"

using namespace llvm;

namespace simt {

// A template without its layout: runs of white space are one blank, none at the ends, before commas or semicolons.
static std::string normalise(StringRef Template) {
  std::string Out;
  for (char C : Template) {
    if (isSpace(C))
      C = ' ';
    if (C == ' ' && (Out.empty() || Out.back() == ' '))
      continue;
    if ((C == ',' || C == ';') && !Out.empty() && Out.back() == ' ')
      Out.pop_back();
    Out += C;
    if (C == ',')
      Out += ' ';
  }
  while (!Out.empty() && (Out.back() == ' ' || Out.back() == ';'))
    Out.pop_back();
  return Out;
}

static Value *multiplyAddWide(IRBuilder<> &B, CallInst &Call) {
  auto Wide = [&](unsigned N) { return B.CreateZExt(Call.getArgOperand(N), B.getInt64Ty()); };
  Value *Sum = B.CreateAdd(B.CreateMul(Wide(0), Wide(1)), Wide(2));
  Value *Low = B.CreateTrunc(Sum, B.getInt32Ty()), *High = B.CreateTrunc(B.CreateLShr(Sum, 32), B.getInt32Ty());
  Value *Pair = PoisonValue::get(Call.getType());
  return B.CreateInsertValue(B.CreateInsertValue(Pair, Low, 0), High, 1);
}

// The function of math.c for a template "name $0, $1[, $2];" of registers only.
static StringRef mathFunction(StringRef Template) {
  auto [Instruction, Operands] = Template.split(' ');
  if (Operands != "$0, $1" && Operands != "$0, $1, $2")
    return "";
  return StringSwitch<StringRef>(Instruction)
      .Case("rcp.approx.ftz.f32", "rcp_approx_ftz_f")
      .Case("rcp.approx.f32", "rcp_approx_f")
      .Case("rsqrt.approx.ftz.f64", "rsqrt_approx_ftz_d")
      .Case("tanh.approx.f32", "tanh_approx_f")
      .Case("sub.rn.f32", "sub_rn_f")
      .Case("sub.rz.f32", "sub_rz_f")
      .Case("sub.rm.f32", "sub_rm_f")
      .Case("sub.rp.f32", "sub_rp_f")
      .Case("sub.rn.ftz.f32", "sub_rn_ftz_f")
      .Case("sub.rz.ftz.f32", "sub_rz_ftz_f")
      .Case("sub.rm.ftz.f32", "sub_rm_ftz_f")
      .Case("sub.rp.ftz.f32", "sub_rp_ftz_f")
      .Case("sub.rn.f64", "sub_rn_d")
      .Case("sub.rz.f64", "sub_rz_d")
      .Case("sub.rm.f64", "sub_rm_d")
      .Case("sub.rp.f64", "sub_rp_d")
      .Case("bfind.shiftamt.u32", "bfind_shiftamt_u32")
      .Case("bfind.u32", "bfind_u32")
      .Default("");
}

static Value *rewrite(Lowering &L, CallInst &Call, StringRef Template) {
  IRBuilder<> B(&Call);
  if (Template.empty())
    return B.CreateFence(AtomicOrdering::SequentiallyConsistent, SyncScope::SingleThread); // a compiler barrier
  if (Template == "activemask.b32 $0")
    return B.CreateCall(L.runtime("simt_activemask", B.getInt32Ty(), {B.getPtrTy()}),
                        {L.site(Call, Access::Sync, SpaceGeneric, 0, nullptr)});
  if (Template == "mov.u32 $0, %laneid" || Template == "mov.u32 $0, %%laneid")
    return loadContextField(L, B, FieldLane);
  if (Template == "mov.u64 $0, %globaltimer" || Template == "mov.u64 $0, %%globaltimer")
    return B.CreateCall(L.runtime("simt_globaltimer", B.getInt64Ty(), {}));
  if (Template == "{ mad.lo.cc.u32 $0, $2, $3, $4; madc.hi.u32 $1, $2, $3, 0; }")
    return multiplyAddWide(B, Call);
  StringRef Function = mathFunction(Template);
  if (Function.empty())
    return nullptr;
  SmallVector<Value *, 3> Arguments(Call.args());
  SmallVector<Type *, 3> Types;
  for (Value *A : Arguments)
    Types.push_back(A->getType());
  return B.CreateCall(L.runtime(("simt_nv_" + Function).str(), Call.getType(), Types), Arguments);
}

void lowerInlineAsm(Lowering &L) {
  SmallVector<CallInst *, 16> Calls;
  for (Function &F : L.M)
    for (Instruction &I : instructions(F)) {
      if (auto *Call = dyn_cast<CallInst>(&I); Call && Call->isInlineAsm())
        Calls.push_back(Call);
      else if (auto *Other = dyn_cast<CallBase>(&I); Other && Other->isInlineAsm())
        L.error(&I, "unsupported inline assembly with control flow");
    }
  for (CallInst *Call : Calls) {
    std::string Template = normalise(cast<InlineAsm>(Call->getCalledOperand())->getAsmString());
    if (Value *V = rewrite(L, *Call, Template)) {
      if (!Call->getType()->isVoidTy())
        Call->replaceAllUsesWith(V);
      Call->eraseFromParent();
    } else {
      L.error(Call, "unsupported inline assembly \"" + Template + "\"");
    }
  }
  if (!L.M.getModuleInlineAsm().empty())
    L.error(nullptr, "unsupported inline assembly outside of functions");
}

} // namespace simt
