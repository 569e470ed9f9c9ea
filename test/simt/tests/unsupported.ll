; What has no translation is refused with its name, never miscompiled, and no output is written.
; RUN: rm -f %t && %not %simt_lower %s -o %t 2>&1 | %FileCheck %s && test ! -e %t
; CHECK-DAG: simt-lower: error: unsupported device instruction llvm.nvvm.read.ptx.sreg.envreg3 in function f
; CHECK-DAG: simt-lower: error: unsupported device instruction llvm.nvvm.barrier.cluster.wait in function f
; CHECK-DAG: simt-lower: error: unsupported inline assembly "mov.u32 $0, %dynamic_smem_size" in function f
; CHECK-DAG: simt-lower: error: unsupported device instruction llvm.nvvm.tex.1d.v4f32.s32 in function f
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

declare i32 @llvm.nvvm.read.ptx.sreg.envreg3()
declare void @llvm.nvvm.barrier.cluster.wait()
declare { float, float, float, float } @llvm.nvvm.tex.1d.v4f32.s32(i64, i64, i32)

define i32 @f(i64 %texture) {
  %a = call i32 @llvm.nvvm.read.ptx.sreg.envreg3()
  call void @llvm.nvvm.barrier.cluster.wait()
  %b = call i32 asm "mov.u32 $0, %dynamic_smem_size;", "=r"()
  %c = call { float, float, float, float } @llvm.nvvm.tex.1d.v4f32.s32(i64 %texture, i64 %texture, i32 0)
  %d = add i32 %a, %b
  ret i32 %d
}
