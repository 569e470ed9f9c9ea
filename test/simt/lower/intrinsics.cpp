// Each llvm.nvvm intrinsic becomes target-independent IR or a call of the runner; what is unknown is an error. Here: what asks for
// the thread, its team, its warp or memory; arithmetic.cpp has the rest.
#include "intrinsic_call.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace simt {
namespace {

// Rewrites the calls of one function's nvvm intrinsics.
class Rewriter : IntrinsicCall {
  Type *ptr() { return B.getPtrTy(); }
  Constant *site() { return L.site(Call, Access::Sync, SpaceGeneric, 0, nullptr); }

  Value *specialRegister();
  Value *laneMask(StringRef Relation);
  Value *barrier();
  Value *warpOperation();
  Value *shuffle();
  Value *match();
  Value *vote();
  Value *redux();
  Value *memory();
  Value *asyncCopy();
  Value *texture();
  Value *withPredicate(Value *Packed, Type *First);
  Value *rewrite();

public:
  Rewriter(Lowering &L, CallInst &Call) : IntrinsicCall(L, Call, Call.getCalledFunction()->getName()) { Name.consume_front("llvm.nvvm."); }
  void run();
};

Value *Rewriter::laneMask(StringRef Relation) {
  Value *Lane = loadContextField(L, B, FieldLane);
  Value *One = B.CreateShl(B.getInt32(1), Lane);
  Value *Below = B.CreateSub(One, B.getInt32(1));
  Value *UpTo = B.CreateOr(Below, One);
  if (Relation == "eq")
    return One;
  if (Relation == "lt")
    return Below;
  if (Relation == "le")
    return UpTo;
  if (Relation == "gt")
    return B.CreateNot(UpTo);
  if (Relation == "ge")
    return B.CreateNot(Below);
  return nullptr;
}

Value *Rewriter::specialRegister() {
  StringRef Register = Name;
  if (!Register.consume_front("read.ptx.sreg."))
    return nullptr;
  static const std::pair<StringRef, ContextField> Fields[] = {
      {"tid.x", FieldThread}, {"ntid.x", FieldTeamThreads}, {"ctaid.x", FieldTeam}, {"nctaid.x", FieldTeams},
      {"laneid", FieldLane},  {"warpid", FieldWarp}};
  for (const auto &[Known, Field] : Fields)
    if (Register == Known)
      return loadContextField(L, B, Field);
  if (Register == "tid.y" || Register == "tid.z" || Register == "ctaid.y" || Register == "ctaid.z" ||
      Register == "smid" || Register == "gridid")
    return ConstantInt::get(Call.getType(), 0);
  if (Register == "ntid.y" || Register == "ntid.z" || Register == "nctaid.y" || Register == "nctaid.z" ||
      Register == "nsmid")
    return ConstantInt::get(Call.getType(), 1);
  if (Register == "warpsize")
    return B.getInt32(32);
  if (Register == "nwarpid")
    return B.CreateLShr(B.CreateAdd(loadContextField(L, B, FieldTeamThreads), B.getInt32(31)), B.getInt32(5));
  if (Register == "clock" || Register == "clock64")
    return B.CreateTrunc(call("simt_clock", i64(), {}), Call.getType());
  if (Register == "globaltimer")
    return call("simt_globaltimer", i64(), {});
  if (Register.consume_front("lanemask."))
    return laneMask(Register);
  return nullptr;
}

Value *Rewriter::barrier() {
  Value *Zero = B.getInt32(0), *One = B.getInt32(1);
  auto Barrier = [&](Value *Id, Value *Threads, Value *Aligned) {
    return call("simt_barrier", B.getVoidTy(), {Id, Threads, Aligned, site()});
  };
  if (Name == "barrier0")
    return Barrier(Zero, Zero, One);
  if (Name == "bar.sync" || Name == "barrier.n")
    return Barrier(arg(0), Zero, One);
  if (Name == "barrier")
    return Barrier(arg(0), arg(1), One);
  if (Name == "barrier.sync")
    return Barrier(arg(0), Zero, Zero);
  if (Name == "barrier.sync.cnt")
    return Barrier(arg(0), arg(1), Zero);
  unsigned Reduction = StringSwitch<unsigned>(Name)
                           .Case("barrier0.popc", 1)
                           .Case("barrier0.and", 2)
                           .Case("barrier0.or", 3)
                           .Default(0);
  return Reduction ? call("simt_barrier_reduce", i32(), {B.getInt32(Reduction), arg(0), site()}) : nullptr;
}

Value *Rewriter::withPredicate(Value *Packed, Type *First) {
  Value *Data = B.CreateTrunc(Packed, i32());
  if (First->isFloatTy())
    Data = B.CreateBitCast(Data, First);
  Value *Predicate = B.CreateTrunc(B.CreateLShr(Packed, 32), B.getInt1Ty());
  Value *Pair = PoisonValue::get(Call.getType());
  return B.CreateInsertValue(B.CreateInsertValue(Pair, Data, 0), Predicate, 1);
}

Value *Rewriter::shuffle() {
  StringRef Rest = Name;
  if (!Rest.consume_front("shfl.sync."))
    return nullptr;
  auto [ModeName, TypeName] = Rest.split('.');
  int Mode = StringSwitch<int>(ModeName).Case("idx", 0).Case("up", 1).Case("down", 2).Case("bfly", 3).Default(-1);
  if (Mode < 0)
    return nullptr;
  Value *Data = arg(1);
  Type *DataType = Data->getType();
  if (DataType->isFloatTy())
    Data = B.CreateBitCast(Data, i32());
  Value *Packed = call("simt_shuffle", i64(), {B.getInt32(Mode), arg(0), Data, arg(2), arg(3), site()});
  if (Call.getType()->isStructTy())
    return withPredicate(Packed, DataType);
  Value *Result = B.CreateTrunc(Packed, i32());
  return DataType->isFloatTy() ? B.CreateBitCast(Result, DataType) : Result;
}

Value *Rewriter::vote() {
  int Mode = StringSwitch<int>(Name)
                 .Case("vote.all.sync", 0)
                 .Case("vote.any.sync", 1)
                 .Case("vote.uni.sync", 2)
                 .Case("vote.ballot.sync", 3)
                 .Default(-1);
  if (Mode < 0)
    return nullptr;
  Value *Result =
      call("simt_vote", i32(), {B.getInt32(Mode), arg(0), B.CreateZExt(arg(1), i32()), site()});
  return B.CreateTrunc(Result, Call.getType());
}

Value *Rewriter::match() {
  bool All = Name.starts_with("match.all.sync.");
  if (!All && !Name.starts_with("match.any.sync."))
    return nullptr;
  Value *Packed = call("simt_match", i64(), {B.getInt32(All), arg(0), B.CreateZExt(arg(1), i64()), site()});
  return All ? withPredicate(Packed, i32()) : B.CreateTrunc(Packed, i32());
}

Value *Rewriter::redux() {
  int Mode = StringSwitch<int>(Name)
                 .Case("redux.sync.add", 0)
                 .Case("redux.sync.min", 1)
                 .Case("redux.sync.max", 2)
                 .Case("redux.sync.umin", 3)
                 .Case("redux.sync.umax", 4)
                 .Case("redux.sync.and", 5)
                 .Case("redux.sync.or", 6)
                 .Case("redux.sync.xor", 7)
                 .Default(-1);
  return Mode < 0 ? nullptr : call("simt_redux", i32(), {B.getInt32(Mode), arg(1), arg(0), site()});
}

Value *Rewriter::warpOperation() {
  if (Name == "activemask")
    return call("simt_activemask", i32(), {site()});
  if (Name == "bar.warp.sync")
    return call("simt_warp_sync", B.getVoidTy(), {arg(0), site()});
  for (auto Operation : {&Rewriter::shuffle, &Rewriter::vote, &Rewriter::match, &Rewriter::redux})
    if (Value *V = (this->*Operation)())
      return V;
  return nullptr;
}

// The load is an ordinary one; the store, marked here, happens when the thread waits for it (instrument.cpp).
Value *Rewriter::asyncCopy() {
  if (Name == "cp.async.commit.group")
    return call("simt_async_commit", B.getVoidTy(), {});
  if (Name == "cp.async.wait.group")
    return call("simt_async_wait", B.getVoidTy(), {arg(0)});
  if (Name == "cp.async.wait.all")
    return call("simt_async_wait_all", B.getVoidTy(), {});
  unsigned Bytes = StringSwitch<unsigned>(Name)
                       .Case("cp.async.ca.shared.global.4", 4)
                       .Case("cp.async.ca.shared.global.8", 8)
                       .Case("cp.async.ca.shared.global.16", 16)
                       .Case("cp.async.cg.shared.global.16", 16)
                       .Default(0);
  if (!Bytes)
    return nullptr;
  Type *Whole = B.getIntNTy(Bytes * 8);
  Value *Data = B.CreateAlignedLoad(Whole, arg(1), Align(Bytes));
  StoreInst *Store = B.CreateAlignedStore(Data, arg(0), Align(Bytes));
  Store->setMetadata("simt.async", MDNode::get(L.M.getContext(), {}));
  return Store;
}

Value *Rewriter::memory() {
  if (Name.starts_with("ldg.global.") || Name.starts_with("ldu.global.")) {
    auto Alignment = Align(cast<ConstantInt>(arg(1))->getZExtValue());
    LoadInst *Load = B.CreateAlignedLoad(Call.getType(), arg(0), Alignment);
    Load->setMetadata("simt.readonly", MDNode::get(L.M.getContext(), {}));
    return Load;
  }
  if (Name.starts_with("ptr.gen.to.") || (Name.starts_with("ptr.") && Name.contains(".to.gen")))
    return B.CreateAddrSpaceCast(arg(0), Call.getType());
  if (Name.starts_with("membar.") || Name.starts_with("fence."))
    return B.CreateFence(AtomicOrdering::SequentiallyConsistent);
  if (Name.starts_with("atomic.load.inc.32") || Name.starts_with("atomic.load.dec.32"))
    return B.CreateAtomicRMW(Name.contains(".inc.") ? AtomicRMWInst::UIncWrap : AtomicRMWInst::UDecWrap, arg(0), arg(1),
                             Align(4), AtomicOrdering::SequentiallyConsistent);
  if (Name.starts_with("isspacep.")) {
    unsigned Space = StringSwitch<unsigned>(Name.drop_front(9))
                         .Case("global", SpaceGlobal)
                         .Case("shared", SpaceShared)
                         .Case("const", SpaceConstant)
                         .Case("local", SpaceLocal)
                         .Default(~0u);
    if (Space == ~0u)
      return nullptr;
    return B.CreateTrunc(call("simt_is_space", i32(), {B.getInt32(Space), arg(0)}), B.getInt1Ty());
  }
  if (Value *Texel = texture())
    return Texel;
  return asyncCopy();
}

// Integers of a texel that are looked at, also where paths with a texel each have met.
unsigned usedOf(const Instruction &Texel, SmallPtrSetImpl<const User *> &Seen) {
  unsigned Most = 0;
  for (const User *U : Texel.users()) {
    if (!Seen.insert(U).second)
      continue;
    const auto *Extract = dyn_cast<ExtractValueInst>(U);
    bool IsTexel = isa<FreezeInst, PHINode, SelectInst>(U);
    Most = std::max(Most, Extract ? Extract->getIndices()[0] + 1 : IsTexel ? usedOf(cast<Instruction>(*U), Seen) : 4);
  }
  return Most;
}

// The same as a power of two.
unsigned usedWords(const CallInst &Fetch) {
  SmallPtrSet<const User *, 8> Seen;
  unsigned Most = usedOf(Fetch, Seen);
  return Most == 3 ? 4 : std::max(Most, 1u);
}

// The texel is read as it lies in memory: an ordinary load of what is used of it, by the read-only path.
Value *Rewriter::texture() {
  bool HasRows = Name == "tex.unified.2d.v4u32.s32";
  if (!HasRows && Name != "tex.unified.1d.v4u32.s32")
    return nullptr;
  unsigned Words = usedWords(Call);
  llvm::Constant *Site = L.site(Call, Access::ReadOnlyLoad, SpaceGlobal, Words * 4, nullptr);
  Value *Texel = HasRows ? call("simt_texture_texel_2d", ptr(), {arg(0), arg(1), arg(2), B.getInt32(Words), Site})
                         : call("simt_texture_texel", ptr(), {arg(0), arg(1), B.getInt32(Words), Site});
  LoadInst *Load = B.CreateAlignedLoad(FixedVectorType::get(i32(), Words), Texel, Align(4));
  Load->setMetadata("simt.readonly", MDNode::get(L.M.getContext(), {}));
  Value *All = PoisonValue::get(Call.getType());
  for (unsigned N = 0; N < Words; ++N)
    All = B.CreateInsertValue(All, B.CreateExtractElement(Load, N), N);
  return All;
}

Value *Rewriter::rewrite() {
  if (Name == "nanosleep")
    return call("simt_nanosleep", B.getVoidTy(), {arg(0)});
  if (Name == "exit")
    return call("simt_exit", B.getVoidTy(), {});
  if (Name == "reflect")
    return B.getInt32(0);
  for (auto Step : {&Rewriter::specialRegister, &Rewriter::barrier, &Rewriter::warpOperation, &Rewriter::memory})
    if (Value *V = (this->*Step)())
      return V;
  return lowerArithmetic(L, Call, Name);
}

void Rewriter::run() {
  Value *V = rewrite();
  if (!V) {
    L.error(&Call, "unsupported device instruction " + Call.getCalledFunction()->getName());
    return;
  }
  if (!Call.getType()->isVoidTy())
    Call.replaceAllUsesWith(V);
  Call.eraseFromParent();
}

// llvm.fmuladd may or may not fuse; the plain host run does not, and results are compared with it.
void splitMultiplyAdd(IntrinsicInst &I) {
  IRBuilder<> B(&I);
  B.setFastMathFlags(I.getFastMathFlags());
  Value *Product = B.CreateFMul(I.getArgOperand(0), I.getArgOperand(1));
  I.replaceAllUsesWith(B.CreateFAdd(Product, I.getArgOperand(2)));
  I.eraseFromParent();
}

void lowerTrap(Lowering &L, IntrinsicInst &I) {
  IRBuilder<> B(&I);
  B.CreateCall(L.runtime("simt_trap", B.getVoidTy(), {B.getPtrTy()}),
               {L.site(I, Access::Sync, SpaceGeneric, 0, nullptr)});
  I.eraseFromParent();
}

} // namespace

void lowerIntrinsics(Lowering &L) {
  SmallVector<CallInst *, 64> Calls;
  for (Function &F : L.M)
    for (Instruction &I : instructions(F))
      if (auto *Call = dyn_cast<CallInst>(&I); Call && Call->getCalledFunction())
        Calls.push_back(Call);
  for (CallInst *Call : Calls) {
    Function *Callee = Call->getCalledFunction();
    if (Callee->getName().starts_with("llvm.nvvm."))
      Rewriter(L, *Call).run();
    else if (Callee->getIntrinsicID() == Intrinsic::fmuladd)
      splitMultiplyAdd(cast<IntrinsicInst>(*Call));
    else if (Callee->getIntrinsicID() == Intrinsic::trap || Callee->getIntrinsicID() == Intrinsic::ubsantrap)
      lowerTrap(L, cast<IntrinsicInst>(*Call));
    else if (Callee->isTargetIntrinsic())
      L.error(Call, "unsupported device instruction " + Callee->getName());
  }
}

} // namespace simt
