// A call of an llvm.nvvm intrinsic that is to be replaced, and what all that replace one use.
#ifndef SIMT_INTRINSIC_CALL_H
#define SIMT_INTRINSIC_CALL_H

#include "lowering.h"

#include "llvm/IR/Instructions.h"

namespace simt {

struct IntrinsicCall {
  Lowering &L;
  llvm::CallInst &Call;
  llvm::StringRef Name; // without "llvm.nvvm."
  llvm::IRBuilder<> B;  // in front of it

  IntrinsicCall(Lowering &L, llvm::CallInst &Call, llvm::StringRef Name) : L(L), Call(Call), Name(Name), B(&Call) {}

  llvm::Type *i32() { return B.getInt32Ty(); }
  llvm::Type *i64() { return B.getInt64Ty(); }
  llvm::Value *arg(unsigned N) { return Call.getArgOperand(N); }

  // A call of the runner's.
  llvm::CallInst *call(llvm::StringRef Function, llvm::Type *Result, llvm::ArrayRef<llvm::Value *> Arguments) {
    llvm::SmallVector<llvm::Type *, 8> Types;
    for (llvm::Value *A : Arguments)
      Types.push_back(A->getType());
    return B.CreateCall(L.runtime(Function, Result, Types), Arguments);
  }
};

} // namespace simt

#endif
