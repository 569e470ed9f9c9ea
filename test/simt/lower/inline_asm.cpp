// Inline PTX: the few templates that libdevice and usual code use; every other one is an error.
#include "lowering.h"

#include "llvm/ADT/STLExtras.h"
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

// Arithmetic of twice the operands' width, as libdevice writes it with carries: the result's halves are $0 and $1.
enum class Wide { None, MultiplyAdd, Multiply, Add, Subtract };

static Wide wideOperation(StringRef Template) {
  return StringSwitch<Wide>(Template)
      .Case("{ mad.lo.cc.u32 $0, $2, $3, $4; madc.hi.u32 $1, $2, $3, 0; }", Wide::MultiplyAdd)
      .Case("{ .reg .u32 r0, r1, r2, r3, alo, ahi, blo, bhi, clo, chi; mov.b64 {alo, ahi}, $2; mov.b64 {blo, bhi}, $3; "
            "mov.b64 {clo, chi}, $4; mad.lo.cc.u32 r0, alo, blo, clo; madc.hi.cc.u32 r1, alo, blo, chi; "
            "madc.hi.u32 r2, alo, bhi, 0; mad.lo.cc.u32 r1, alo, bhi, r1; madc.hi.cc.u32 r2, ahi, blo, r2; "
            "madc.hi.u32 r3, ahi, bhi, 0; mad.lo.cc.u32 r1, ahi, blo, r1; madc.lo.cc.u32 r2, ahi, bhi, r2; "
            "addc.u32 r3, r3, 0; mov.b64 $0, {r0, r1}; mov.b64 $1, {r2, r3}; }",
            Wide::MultiplyAdd)
      .Case("{ .reg .u32 r0, r1, r2, r3, alo, ahi, blo, bhi; mov.b64 {alo, ahi}, $2; mov.b64 {blo, bhi}, $3; "
            "mul.lo.u32 r0, alo, blo; mul.hi.u32 r1, alo, blo; mad.lo.cc.u32 r1, alo, bhi, r1; "
            "madc.hi.u32 r2, alo, bhi, 0; mad.lo.cc.u32 r1, ahi, blo, r1; madc.hi.cc.u32 r2, ahi, blo, r2; "
            "madc.hi.u32 r3, ahi, bhi, 0; mad.lo.cc.u32 r2, ahi, bhi, r2; addc.u32 r3, r3, 0; "
            "mov.b64 $0, {r0, r1}; mov.b64 $1, {r2, r3}; }",
            Wide::Multiply)
      .Case("{ .reg .u32 r0, r1, r2, r3, a0, a1, a2, a3, b0, b1, b2, b3; mov.b64 {a0, a1}, $2; mov.b64 {a2, a3}, $3; "
            "mov.b64 {b0, b1}, $4; mov.b64 {b2, b3}, $5; add.cc.u32 r0, a0, b0; addc.cc.u32 r1, a1, b1; "
            "addc.cc.u32 r2, a2, b2; addc.u32 r3, a3, b3; mov.b64 $0, {r0, r1}; mov.b64 $1, {r2, r3}; }",
            Wide::Add)
      .Case("{ .reg .u32 r0, r1, r2, r3, a0, a1, a2, a3, b0, b1, b2, b3; mov.b64 {a0, a1}, $2; mov.b64 {a2, a3}, $3; "
            "mov.b64 {b0, b1}, $4; mov.b64 {b2, b3}, $5; sub.cc.u32 r0, a0, b0; subc.cc.u32 r1, a1, b1; "
            "subc.cc.u32 r2, a2, b2; subc.u32 r3, a3, b3; mov.b64 $0, {r0, r1}; mov.b64 $1, {r2, r3}; }",
            Wide::Subtract)
      .Default(Wide::None);
}

static Value *wideArithmetic(IRBuilder<> &B, CallInst &Call, Wide Operation) {
  Type *Half = Call.getArgOperand(0)->getType();
  unsigned Bits = Half->getIntegerBitWidth();
  Type *Whole = B.getIntNTy(2 * Bits);
  auto Extend = [&](unsigned N) { return B.CreateZExt(Call.getArgOperand(N), Whole); };
  auto Join = [&](unsigned Low) { return B.CreateOr(Extend(Low), B.CreateShl(Extend(Low + 1), Bits)); };
  Value *Result;
  if (Operation == Wide::Add)
    Result = B.CreateAdd(Join(0), Join(2));
  else if (Operation == Wide::Subtract)
    Result = B.CreateSub(Join(0), Join(2));
  else
    Result = B.CreateMul(Extend(0), Extend(1));
  if (Operation == Wide::MultiplyAdd)
    Result = B.CreateAdd(Result, Extend(2));
  Value *Low = B.CreateTrunc(Result, Half), *High = B.CreateTrunc(B.CreateLShr(Result, Bits), Half);
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

// A load of global memory with a cache operator: "ld.global.OPERATOR[.vN].TYPE REGISTER, [$N]", registers of a vector in braces. What
// is read does not depend on the operator, so it is an ordinary load, marked with it.
static Value *cachedLoad(Lowering &L, IRBuilder<> &B, CallInst &Call, StringRef Template) {
  auto [Instruction, Operands] = Template.split(' ');
  if (!Instruction.consume_front("ld.global.") || Call.arg_size() != 1)
    return nullptr;
  auto [Before, TypeName] = Instruction.rsplit('.');
  unsigned Registers = 1, Bits = 0;
  StringRef Kind = TypeName.take_front(1), Operator = Before;
  if (auto [Front, Vector] = Before.rsplit('.'); Vector == "v2" || Vector == "v4")
    Registers = Vector == "v2" ? 2 : 4, Operator = Front;
  if (!StringRef("fbus").contains(Kind) || TypeName.drop_front().getAsInteger(10, Bits) || Bits * Registers > 128)
    return nullptr;
  static const StringRef Forms[] = {"", "$0, [$1]", "{$0, $1}, [$2]", "", "{$0, $1, $2, $3}, [$4]"};
  static const StringRef Operators[] = {
#define PLACE_ROUTE(identifier, name, instruction, sm, ptx, l1, prefetch, written) instruction,
#include "place/route.def"
#undef PLACE_ROUTE
  };
  if (Operands != Forms[Registers] || !is_contained(Operators, ("." + Operator).str()))
    return nullptr;
  Type *Result = Call.getType(), *Register = Registers > 1 ? cast<StructType>(Result)->getElementType(0) : Result;
  Type *Loaded = Kind == "f" ? (Bits == 64 ? B.getDoubleTy() : B.getFloatTy()) : static_cast<Type *>(B.getIntNTy(Bits));
  Type *Whole = Registers > 1 ? static_cast<Type *>(FixedVectorType::get(Loaded, Registers)) : Loaded;
  LoadInst *Load = B.CreateAlignedLoad(Whole, Call.getArgOperand(0), Align(Bits / 8 * Registers));
  Load->setMetadata("simt.route", MDNode::get(L.M.getContext(), {MDString::get(L.M.getContext(), Operator)}));
  Load->setDebugLoc(Call.getDebugLoc());
  auto Widened = [&](Value *V) { return Kind == "f" ? V : B.CreateZExtOrTrunc(V, Register); };
  if (Registers == 1)
    return Widened(Load);
  Value *All = PoisonValue::get(Result);
  for (unsigned N = 0; N < Registers; ++N)
    All = B.CreateInsertValue(All, Widened(B.CreateExtractElement(Load, N)), N);
  return All;
}

/// A special register that a thread finds in its context: "mov.u32 $0, %name".
static Value *specialRegister(Lowering &L, IRBuilder<> &B, StringRef Template) {
  if (!Template.consume_front("mov.u32 $0, %"))
    return nullptr;
  Template.consume_front("%");
  int Field = StringSwitch<int>(Template)
                  .Case("laneid", FieldLane)
                  .Case("tid.x", FieldThread)
                  .Case("ctaid.x", FieldTeam)
                  .Case("nctaid.x", FieldTeams)
                  .Default(-1);
  return Field < 0 ? nullptr : loadContextField(L, B, static_cast<ContextField>(Field));
}

static Value *rewrite(Lowering &L, CallInst &Call, StringRef Template) {
  IRBuilder<> B(&Call);
  // A compiler barrier; and a way out that no thread takes, as a team has threads in its third dimension (llvm-pass/transform/Converge.cpp).
  if (Template.empty() || Template == "{ .reg .pred never; .reg .b32 depth; mov.u32 depth, %ntid.z; setp.eq.u32 never, depth, 0; @never exit; }")
    return B.CreateFence(AtomicOrdering::SequentiallyConsistent, SyncScope::SingleThread);
  if (is_contained<StringRef>({"mov.b64 $0, $1", "mov.b32 $0, $1", "mov.b16 $0, $1", "mov.pred $0, $1"}, Template) &&
      Call.getType() == Call.getArgOperand(0)->getType())
    return Call.getArgOperand(0);
  if (Template == "activemask.b32 $0")
    return B.CreateCall(L.runtime("simt_activemask", B.getInt32Ty(), {B.getPtrTy()}),
                        {L.site(Call, Access::Sync, SpaceGeneric, 0, nullptr)});
  if (Value *Register = specialRegister(L, B, Template))
    return Register;
  if (Template == "mov.u64 $0, %globaltimer" || Template == "mov.u64 $0, %%globaltimer")
    return B.CreateCall(L.runtime("simt_globaltimer", B.getInt64Ty(), {}));
  if (Wide Operation = wideOperation(Template); Operation != Wide::None)
    return wideArithmetic(B, Call, Operation);
  if (Value *Loaded = cachedLoad(L, B, Call, Template))
    return Loaded;
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
