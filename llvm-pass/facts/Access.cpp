//===- Access.cpp - Which kernel touches which array how -------------------===//
//
// Part of place, under the Apache License v2.0 with LLVM Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Access.h"
#include "Candidates.h"
#include "DeviceRuntime.h"
#include "Elsewhere.h"
#include "Expr.h"
#include "Footprint.h"
#include "Mark.h"
#include "Obstacle.h"
#include "Source.h"
#include "Spaces.h"
#include "Trips.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace place {

namespace {

class Analyzer {
public:
  Analyzer(Function &F, FunctionAnalysisManager &FAM)
      : F(F), SE(FAM.getResult<ScalarEvolutionAnalysis>(F)), LI(FAM.getResult<LoopAnalysis>(F)),
        DT(FAM.getResult<DominatorTreeAnalysis>(F)) {}

  KernelSummary run() {
    K.F = &F;
    identify();
    collectArrays();
    numberLoops();
    for (Instruction &I : instructions(F))
      visit(I);
    if (K.NoVersion.empty() && K.Arrays.empty() && !usesVariables())
      K.NothingToPlace = PLACE_WHY_NO_ARRAY;
    decideCandidates(K);
    chooseLogged(K);
    findFootprints(K, SE, LoopNumber);
    return std::move(K);
  }

private:
  /// Whether it reads or writes the program's variables without an argument that leads to them.
  bool usesVariables() const {
    return any_of(instructions(F), [](const Instruction &I) {
      const Value *Pointer = getLoadStorePointerOperand(&I);
      const auto *G = Pointer ? dyn_cast<GlobalVariable>(getUnderlyingObject(Pointer)) : nullptr;
      return G && G->getAddressSpace() != AddrShared && !isOfRuntime(G->getName());
    });
  }

  void identify() {
    const SourceRegion *Source = sourceRegistry().find(F.getName(), F.arg_size() - 1);
    if (Source) {
      K.Function = Source->Function, K.File = Source->File, K.Line = Source->Line;
    } else {
      K.File = F.getParent()->getSourceFileName();
      fromName();
    }
    if (const DISubprogram *SP = F.getSubprogram(); SP && K.File.empty())
      K.File = SP->getFilename().str();
    if (ExecutionMode Mode = executionMode(F); Mode == ExecutionMode::Unknown)
      K.NoVersion = {PLACE_WHY_UNKNOWN_FORM, "no kernel environment"};
    else if (Mode == ExecutionMode::Generic)
      K.NoVersion = PLACE_WHY_GENERIC_KERNEL;
    K.Threads = mostThreads(F);
    K.ReductionBytes = unsigned(environmentField(F, EnvReductionDataSize).value_or(0));
    K.Strided = isStrided(F);
    K.Intervals = hasIntervals(F);
    K.LanesOfSums = lanesOfSums(F);
    if (hasOpenTeams(F))
      K.Teams = PLACE_TEAMS_OPEN;
    K.OpenThreads = hasOpenThreads(F);
    K.AskedTeam = Source ? Source->Asked.Team : 0;
    K.PromisedApart = Source && Source->Asked.Apart;
    K.Team = unsigned(F.getFnAttributeAsParsedInteger(TeamAttribute));
    if (Source && Source->Asked.NoPlace)
      K.NoVersion = PLACE_WHY_NOPLACE;
    K.Function = sourceName(K.Function);
    K.Asked = Source ? &Source->Asked : nullptr;
    Captures = Source ? &Source->Captures : nullptr;
  }

  // __omp_offloading_<device>_<file>_<function>_l<line>
  void fromName() {
    StringRef Rest = F.getName().drop_front(StringRef("__omp_offloading_").size());
    Rest = Rest.split('_').second.split('_').second;
    size_t At = Rest.rfind("_l");
    if (At == StringRef::npos)
      return;
    K.Function = Rest.take_front(At).str();
    Rest.drop_front(At + 2).take_while(isDigit).getAsInteger(10, K.Line);
  }

  void collectArrays() {
    for (Argument &A : drop_begin(F.args())) {
      if (!A.getType()->isPointerTy())
        continue;
      ArraySummary S;
      S.Arg = &A;
      S.ArgNumber = int(A.getArgNo()) - 1;
      const SourceArray *Source = Captures ? &(*Captures)[S.ArgNumber] : nullptr;
      S.Name = Source && !Source->Name.empty() ? Source->Name
               : A.hasName()                   ? A.getName().str()
                                               : "arg" + std::to_string(S.ArgNumber);
      S.ElementBytes = Source ? Source->ElementBytes : 0;
      if (K.Asked)
        if (auto It = K.Asked->Spaces.find(S.Name); It != K.Asked->Spaces.end())
          S.Hint = It->second;
      if (K.Asked)
        if (auto It = K.Asked->Routes.find(S.Name); It != K.Asked->Routes.end())
          S.Route = It->second;
      S.AskedTile = K.Asked && K.Asked->Tiles.count(S.Name);
      K.Arrays.push_back(std::move(S));
    }
  }

  void numberLoops() {
    for (Loop *L : LI.getLoopsInPreorder()) {
      LoopSummary S;
      S.L = L;
      S.Parent = L->getParentLoop() ? LoopNumber.lookup(L->getParentLoop()) : -1;
      LoopNumber[L] = int(K.Loops.size());
      K.Loops.push_back(S);
    }
    LoopTrips Trips(SE, LoopNumber, K.Threads);
    for (LoopSummary &S : K.Loops) {
      S.Chunk = Trips.isChunkLoop(S.L);
      S.Steps = Trips.backedgesTaken(S.L);
      if (!S.Steps.empty())
        S.Trips = S.Steps + " + 1";
    }
    K.Chunks = Trips.chunks();
  }

  void visit(Instruction &I) {
    if (auto *L = dyn_cast<LoadInst>(&I))
      return access(I, L->getPointerOperand(), L->isSimple() ? PLACE_READ : PLACE_ATOMIC, L->getType());
    if (auto *S = dyn_cast<StoreInst>(&I)) {
      escape(S->getValueOperand(), PLACE_WHY_ADDRESS_STORED);
      return access(I, S->getPointerOperand(), S->isSimple() ? PLACE_WRITE : PLACE_ATOMIC, S->getValueOperand()->getType());
    }
    if (auto *A = dyn_cast<AtomicRMWInst>(&I)) {
      escape(A->getValOperand(), PLACE_WHY_ADDRESS_STORED);
      return access(I, A->getPointerOperand(), PLACE_ATOMIC, A->getType());
    }
    if (auto *A = dyn_cast<AtomicCmpXchgInst>(&I))
      return access(I, A->getPointerOperand(), PLACE_ATOMIC, A->getCompareOperand()->getType());
    if (auto *C = dyn_cast<CallBase>(&I))
      call(*C);
  }

  void call(CallBase &C) {
    if (auto *MI = dyn_cast<AnyMemIntrinsic>(&C)) {
      access(C, MI->getRawDest(), PLACE_WRITE, nullptr);
      if (auto *MT = dyn_cast<AnyMemTransferInst>(&C))
        access(C, MT->getRawSource(), PLACE_READ, nullptr);
      return;
    }
    if (C.isInlineAsm()) {
      if (C.mayWriteToMemory() || cast<InlineAsm>(C.getCalledOperand())->hasSideEffects())
        unknownWrites(PLACE_WHY_INLINE_ASSEMBLY);
      for (Value *Operand : C.args())
        escape(Operand, PLACE_WHY_PASSED_TO_ASSEMBLY);
      return;
    }
    if (auto *II = dyn_cast<IntrinsicInst>(&C); II && !touchesMemory(*II))
      return;
    if (C.doesNotAccessMemory())
      return;
    const Function *Callee = C.getCalledFunction();
    StringRef Name = Callee ? Callee->getName() : "";
    for (Value *Operand : C.args())
      escape(Operand, Callee ? Reason(PLACE_WHY_PASSED_ON, sourceName(Name)) : byRuntime(PLACE_WHY_CALL_THROUGH_POINTER));
    K.ReadsElsewhere |= !onlyPrivateMemory(C);
    if (C.onlyReadsMemory() || onlyPrivateMemory(C) || Name == "malloc" || Name == "free")
      return;
    if (!Callee)
      unknownWrites(byRuntime(PLACE_WHY_CALL_THROUGH_POINTER)); // that runs parallel regions, too
    else if (isOfRuntime(Name) || Callee->isIntrinsic())
      unknownWrites(byRuntime(Reason(PLACE_WHY_RUNTIME_CALL, sourceName(Name))), false);
    else
      unknownWrites({PLACE_WHY_EXTERNAL_CALL, sourceName(Name)});
  }

  // The program's own calls and assembly say more to its author than what the device runtime does around them.
  void unknownWrites(const Reason &Why, bool Telling = true) {
    if (!K.UnknownWrites || (Telling && !TellingReason)) {
      K.UnknownWritesReason = Why;
      TellingReason = Telling;
    }
    K.UnknownWrites = true;
  }

  // An array whose address leaves what we follow keeps its place.
  void escape(const Value *V, const Reason &Why) {
    if (!V->getType()->isPointerTy())
      return;
    SmallVector<const Value *, 4> Objects;
    getUnderlyingObjects(V, Objects, nullptr, 0);
    for (const Value *O : Objects)
      if (const auto *A = dyn_cast<Argument>(O))
        if (int N = K.arrayOf(A); N >= 0 && K.Arrays[N].Why.empty())
          K.Arrays[N].Why = Why;
  }

  void access(Instruction &I, Value *Pointer, place_access_kind Kind, Type *Ty) {
    SmallVector<const Value *, 4> Objects;
    getUnderlyingObjects(Pointer, Objects, &LI, 0);
    for (const Value *O : Objects) {
      const auto *A = dyn_cast<Argument>(O);
      int N = A ? K.arrayOf(A) : -1;
      if (N >= 0) {
        note(I, Pointer, Kind, Ty, N, Objects.size() > 1);
        continue;
      }
      const auto *G = dyn_cast<GlobalVariable>(O);
      K.ReadsElsewhere |= !isPrivate(O) && !(G && G->isConstant());
      if (Kind != PLACE_READ && !isPrivate(O)) {
        unknownWrites(whyUnknown(*O), false);
      }
    }
  }

  // What the device runtime does beside the program's own loads and stores, it does for something in the source.
  Reason byRuntime(const Reason &Otherwise) const { return obstacle(F, Otherwise); }

  // Why it is not known what lies where a pointer leads to that comes from O.
  Reason whyUnknown(const Value &O) const {
    if (isa<GlobalVariable>(O) && isOfRuntime(O.getName()))
      return byRuntime(PLACE_WHY_DEVICE_RUNTIME_WRITES);
    if (isa<GlobalVariable>(O))
      return {PLACE_WHY_GLOBAL_VARIABLE_WRITTEN, sourceName(O.getName())};
    const auto *L = dyn_cast<LoadInst>(&O);
    if (!L)
      return PLACE_WHY_COMPUTED_POINTER;
    if (std::string Holder = holderOfPointer(O); !Holder.empty())
      return {PLACE_WHY_POINTER_IN_MEMORY, Holder};
    const Value *From = getUnderlyingObject(L->getPointerOperand(), 0);
    return byRuntime(isa<GlobalVariable>(From) ? PLACE_WHY_DEVICE_RUNTIME_WRITES : PLACE_WHY_COMPUTED_POINTER);
  }

  // The source's name of what a pointer was loaded from; "": it was not, or from nothing of the source.
  std::string holderOfPointer(const Value &O) const {
    const auto *L = dyn_cast<LoadInst>(&O);
    const Value *From = L ? getUnderlyingObject(L->getPointerOperand(), 0) : nullptr;
    const auto *A = dyn_cast_or_null<Argument>(From);
    if (int N = A ? K.arrayOf(A) : -1; N >= 0)
      return K.Arrays[N].Name;
    const auto *G = dyn_cast_or_null<GlobalVariable>(From);
    return G && G->getAddressSpace() != AddrShared && !isOfRuntime(G->getName()) ? sourceName(G->getName()) : "";
  }

  void note(Instruction &I, Value *Pointer, place_access_kind Kind, Type *Ty, int N, bool Merged) {
    ArraySummary &A = K.Arrays[N];
    A.Read |= Kind == PLACE_READ;
    A.Written |= Kind == PLACE_WRITE;
    A.Atomic |= Kind == PLACE_ATOMIC;
    if (Merged && A.Why.empty())
      A.Why = PLACE_WHY_OTHER_ARRAY_TOO;
    AccessSummary S;
    S.I = &I;
    S.Array = N;
    S.Kind = Kind;
    S.WidthBytes = Ty ? F.getParent()->getDataLayout().getTypeStoreSize(Ty).getKnownMinValue() : 1;
    if (!Ty && A.Why.empty())
      A.Why = PLACE_WHY_COPIED_WHOLE;
    if (Kind == PLACE_READ && Ty && !Merged && A.Why.empty() && !canRebase(Pointer, A.Arg))
      A.Why = PLACE_WHY_COMPUTED_ADDRESS;
    if (!A.ElementBytes)
      A.ElementBytes = S.WidthBytes;
    Loop *L = LI.getLoopFor(I.getParent());
    S.Loop = L ? LoopNumber.lookup(L) : -1;
    S.Guarded = guarded(I, L);
    if (const DebugLoc &DL = I.getDebugLoc())
      S.Line = DL.getLine();
    if (!Merged && Ty)
      address(S, Pointer, A.Arg);
    K.Accesses.push_back(std::move(S));
  }

  // Under a condition inside its innermost loop, or inside the kernel if it is in none.
  bool guarded(const Instruction &I, const Loop *L) const {
    if (!L)
      return false;
    const BasicBlock *Latch = L->getLoopLatch();
    return !Latch || !DT.dominates(I.getParent(), Latch);
  }

  void address(AccessSummary &S, Value *Pointer, Argument *Base) {
    const SCEV *Offset = SE.getMinusSCEV(SE.getSCEV(Pointer), SE.getSCEV(Base));
    ExprText T = exprText(Offset, SE, enclosingLoops(LI.getLoopFor(S.I->getParent()), LoopNumber));
    S.Offset = T.Text;
    S.Known = !T.Text.empty() && T.Known;
    S.UsesLane = T.UsesLane, S.UsesTeam = T.UsesTeam, S.UsesLoop = T.UsesLoop;
    if (S.Known)
      S.LaneStride = laneStride(Offset);
    else
      S.IndexSource = indexSource(T.Unknown ? T.Unknown : Pointer);
  }

  // offset(tid + 1) - offset(tid), where that is a constant.
  std::optional<int64_t> laneStride(const SCEV *Offset) {
    ValueToSCEVMapTy Next;
    for (Instruction &I : instructions(F))
      if (isRegister(&I, "tid")) {
        const SCEV *Tid = SE.getSCEV(&I);
        Next[&I] = SE.getAddExpr(Tid, SE.getOne(Tid->getType()));
      }
    const SCEV *Difference = SE.getMinusSCEV(SCEVParameterRewriter::rewrite(Offset, SE, Next), Offset);
    if (const auto *C = dyn_cast<SCEVConstant>(Difference))
      return C->getAPInt().getSExtValue();
    // zext(start + tid) does not fold with its neighbour; look under the extensions, which keep the stride when nothing wraps.
    return strideUnderCasts(Offset, Next);
  }

  std::optional<int64_t> strideUnderCasts(const SCEV *S, ValueToSCEVMapTy &Next) {
    if (const auto *C = dyn_cast<SCEVCastExpr>(S)) {
      // Narrow casts are masks (i & 15): there it wraps.
      uint64_t Bits = std::min(SE.getTypeSizeInBits(C->getOperand()->getType()), SE.getTypeSizeInBits(C->getType()));
      return Bits < 31 ? std::nullopt : strideUnderCasts(C->getOperand(), Next);
    }
    if (const auto *R = dyn_cast<SCEVAddRecExpr>(S))
      return strideUnderCasts(R->getStart(), Next);
    if (const auto *A = dyn_cast<SCEVAddExpr>(S)) {
      int64_t Sum = 0;
      for (const SCEV *Operand : A->operands()) {
        std::optional<int64_t> Part = strideUnderCasts(Operand, Next);
        if (!Part)
          return std::nullopt;
        Sum += *Part;
      }
      return Sum;
    }
    if (const auto *M = dyn_cast<SCEVMulExpr>(S); M && M->getNumOperands() == 2 && isa<SCEVConstant>(M->getOperand(0))) {
      std::optional<int64_t> Part = strideUnderCasts(M->getOperand(1), Next);
      if (!Part)
        return std::nullopt;
      return *Part * cast<SCEVConstant>(M->getOperand(0))->getAPInt().getSExtValue();
    }
    const SCEV *Difference = SE.getMinusSCEV(SCEVParameterRewriter::rewrite(S, SE, Next), S);
    if (const auto *C = dyn_cast<SCEVConstant>(Difference))
      return C->getAPInt().getSExtValue();
    return std::nullopt;
  }

  // The array whose loaded values form an address: the first load met walking up from the unknown value.
  int indexSource(const Value *From) const {
    SmallVector<const Value *, 16> Work{From};
    SmallPtrSet<const Value *, 32> Seen;
    while (!Work.empty() && Seen.size() < 64) {
      const Value *V = Work.pop_back_val();
      if (!Seen.insert(V).second)
        continue;
      if (const auto *L = dyn_cast<LoadInst>(V)) {
        const auto *A = dyn_cast<Argument>(getUnderlyingObject(L->getPointerOperand(), 0));
        if (int N = A ? K.arrayOf(A) : -1; N >= 0)
          return N;
        continue;
      }
      if (const auto *U = dyn_cast<Instruction>(V); U && !isa<CallBase>(U))
        Work.append(U->op_begin(), U->op_end());
    }
    return -1;
  }

  Function &F;
  ScalarEvolution &SE;
  LoopInfo &LI;
  DominatorTree &DT;
  KernelSummary K;
  bool TellingReason = false;
  const std::vector<SourceArray> *Captures = nullptr;
  DenseMap<const Loop *, int> LoopNumber;
};

} // namespace

KernelSummary summarise(Function &F, FunctionAnalysisManager &FAM) { return Analyzer(F, FAM).run(); }

} // namespace place
