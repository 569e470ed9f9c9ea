; A store whose type says constant memory is refused when lowering.
; RUN: %not %simt_lower %s -o %t 2>&1 | %FileCheck %s
; CHECK: simt-lower: error: store to constant memory in function f
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

@slots = weak addrspace(4) global [16 x i32] zeroinitializer

define void @f() {
  store i32 1, ptr addrspace(4) @slots
  ret void
}
