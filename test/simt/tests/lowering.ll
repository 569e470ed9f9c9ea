; The shape of a lowered module: body, entry and wrapper of a kernel; shared variables; registration.
; RUN: %simt_lower -S %s -o - | %FileCheck %s
; RUN: %simt_lower -S %s -o - | %FileCheck %s --check-prefix=START
; START: define internal void @simt.register()
; START-NEXT: call void @simt_register_module(
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK: target triple = "x86_64-pc-linux-gnu"
; CHECK-DAG: @place_const = weak protected addrspace(4) global [64 x i8] zeroinitializer
; CHECK-DAG: @place_table_k = weak protected constant [4 x i8] c"text"
; CHECK-DAG: @tile.simt_offset = internal global i64 0
; CHECK-DAG: @simt_self = external thread_local(initialexec) global ptr
@place_const = weak protected addrspace(4) global [64 x i8] zeroinitializer
@place_table_k = weak protected constant [4 x i8] c"text"
@tile = internal addrspace(3) global [32 x float] undef, align 4
@dynamic = external addrspace(3) global [0 x i8], align 16

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare void @llvm.nvvm.barrier0()
declare float @llvm.nvvm.ex2.approx.ftz.f(float)
declare float @llvm.nvvm.fma.rn.f(float, float, float)
declare float @llvm.fmuladd.f32(float, float, float)

; CHECK-LABEL: define internal void @k__simt_body(
; CHECK-NOT: llvm.nvvm
; CHECK-DAG: load i64, ptr @tile.simt_offset
; CHECK-DAG: call void @simt_barrier(i32 0, i32 0, i32 1,
; CHECK-DAG: call float @simt_nv_ex2_approx_ftz_f(
; CHECK-DAG: call float @llvm.fma.f32(
; CHECK-DAG: fmul float
; CHECK: ret void
define weak_odr protected void @k(ptr %environment, ptr %out, i64 %n) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = zext i32 %t to i64
  %p = getelementptr [32 x float], ptr addrspace(3) @tile, i64 0, i64 %i
  store float 1.0, ptr addrspace(3) %p
  store float 2.0, ptr addrspacecast (ptr addrspace(3) getelementptr inbounds (i8, ptr addrspace(3) @dynamic, i64 8) to ptr)
  call void @llvm.nvvm.barrier0()
  %x = load float, ptr addrspace(3) getelementptr inbounds ([32 x float], ptr addrspace(3) @tile, i64 0, i64 3)
  %e = call float @llvm.nvvm.ex2.approx.ftz.f(float %x)
  %f = call float @llvm.nvvm.fma.rn.f(float %e, float %x, float %x)
  %g = call float @llvm.fmuladd.f32(float %f, float %x, float %x)
  %q = getelementptr float, ptr %out, i64 %i
  store float %g, ptr %q
  ret void
}

; CHECK-LABEL: define weak_odr protected void @k(i64 %0, i64 %1, i64 %2)
; CHECK: call void @simt_launch(
!nvvm.annotations = !{!0}
!0 = !{ptr @k, !"kernel", i32 1}
