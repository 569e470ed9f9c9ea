; A fetch is a load, by the read-only path, of as many words of the texel as are used, up to a power of two, where the texel lies.
; RUN: %simt_lower -S %s -o - | %FileCheck %s
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

declare { i32, i32, i32, i32 } @llvm.nvvm.tex.unified.1d.v4u32.s32(i64, i32)
declare { i32, i32, i32, i32 } @llvm.nvvm.tex.unified.2d.v4u32.s32(i64, i32, i32)

; CHECK-LABEL: define {{.*}}i32 @first(
; CHECK: [[TEXEL:%.*]] = call ptr @simt_texture_texel(i64 %handle, i32 %at, i32 1, ptr @simt.site
; CHECK: load <1 x i32>, ptr [[TEXEL]], align 4
define i32 @first(i64 %handle, i32 %at) {
  %texel = call { i32, i32, i32, i32 } @llvm.nvvm.tex.unified.1d.v4u32.s32(i64 %handle, i32 %at)
  %x = extractvalue { i32, i32, i32, i32 } %texel, 0
  ret i32 %x
}

; CHECK-LABEL: define {{.*}}i32 @second(
; CHECK: call ptr @simt_texture_texel(i64 %handle, i32 %at, i32 2, ptr
; CHECK: load <2 x i32>
define i32 @second(i64 %handle, i32 %at) {
  %texel = call { i32, i32, i32, i32 } @llvm.nvvm.tex.unified.1d.v4u32.s32(i64 %handle, i32 %at)
  %y = extractvalue { i32, i32, i32, i32 } %texel, 1
  ret i32 %y
}

; CHECK-LABEL: define {{.*}}i32 @third(
; CHECK: call ptr @simt_texture_texel(i64 %handle, i32 %at, i32 4, ptr
; CHECK: load <4 x i32>
define i32 @third(i64 %handle, i32 %at) {
  %texel = call { i32, i32, i32, i32 } @llvm.nvvm.tex.unified.1d.v4u32.s32(i64 %handle, i32 %at)
  %z = extractvalue { i32, i32, i32, i32 } %texel, 2
  ret i32 %z
}

; Frozen, as of a fetch that is carried out whether it is wanted or not.
; CHECK-LABEL: define {{.*}}i32 @frozen(
; CHECK: call ptr @simt_texture_texel(i64 %handle, i32 %at, i32 1, ptr
define i32 @frozen(i64 %handle, i32 %at) {
  %texel = call { i32, i32, i32, i32 } @llvm.nvvm.tex.unified.1d.v4u32.s32(i64 %handle, i32 %at)
  %some = freeze { i32, i32, i32, i32 } %texel
  %x = extractvalue { i32, i32, i32, i32 } %some, 0
  ret i32 %x
}

; Paths met, each with a texel.
; CHECK-LABEL: define {{.*}}i32 @either(
; CHECK: call ptr @simt_texture_texel(i64 %handle, i32 %at, i32 2, ptr
; CHECK: call ptr @simt_texture_texel(i64 %handle, i32 0, i32 2, ptr
define i32 @either(i64 %handle, i32 %at) {
  %here = call { i32, i32, i32, i32 } @llvm.nvvm.tex.unified.1d.v4u32.s32(i64 %handle, i32 %at)
  %none = icmp eq i32 %at, 7
  br i1 %none, label %other, label %met
other:
  %there = call { i32, i32, i32, i32 } @llvm.nvvm.tex.unified.1d.v4u32.s32(i64 %handle, i32 0)
  br label %met
met:
  %texel = phi { i32, i32, i32, i32 } [ %here, %0 ], [ %there, %other ]
  %y = extractvalue { i32, i32, i32, i32 } %texel, 1
  ret i32 %y
}

; By a column and a row.
; CHECK-LABEL: define {{.*}}i32 @plane(
; CHECK: [[TEXEL:%.*]] = call ptr @simt_texture_texel_2d(i64 %handle, i32 %column, i32 %row, i32 2, ptr @simt.site
; CHECK: load <2 x i32>, ptr [[TEXEL]], align 4
define i32 @plane(i64 %handle, i32 %column, i32 %row) {
  %texel = call { i32, i32, i32, i32 } @llvm.nvvm.tex.unified.2d.v4u32.s32(i64 %handle, i32 %column, i32 %row)
  %y = extractvalue { i32, i32, i32, i32 } %texel, 1
  ret i32 %y
}
; CHECK-NOT: llvm.nvvm
