; The passes in opt: the printers, and the versions of a kernel; everything twice gives nothing more.
; RUN: %opt -passes='place-mark,print<place-access>' -disable-output %s 2>&1 | %FileCheck --check-prefix=ACCESS %s
; RUN: %opt -passes='place-mark,print<place-table>' -disable-output %s 2>&1 | %FileCheck --check-prefix=TABLE %s
; RUN: %opt -passes='place-mark,place,place,verify' -S %s | %FileCheck --check-prefix=IR %s
; A kernel without its environment is none of clang 19's.
; RUN: sed s/_kernel_environment/_environment/ %s | %opt -passes='place-mark,print<place-access>' -disable-output 2>&1 | %FileCheck --check-prefix=BARE %s
; BARE: no version: it has a form that place does not know: no kernel environment [unknown-form]
; REQUIRES: plugin

; ACCESS: kernel __omp_offloading_1_2_f_l7
; ACCESS: at f line 7
; ACCESS: array w (arg 0, 4 B elements): read
; ACCESS: read 4 B: offset 4*sext32(trunc32(arg2)), uniform
; ACCESS: array o (arg 1, 4 B elements): written; global: written
; TABLE: place-table 2
; TABLE-NEXT: region __omp_offloading_1_2_f_l7
; TABLE-NEXT: at 7 f
; TABLE-NEXT: kind spmd
; TABLE-NEXT: launch 128 open - -
; TABLE-NEXT: array 0 0 w 4 r 0 global,readonly,constant,shared - -
; TABLE-NEXT: array 1 1 o 4 w -1 global - written
; TABLE-NEXT: access 0 0 read 4 -1 0 0 -1 -1 4*sext32(trunc32(arg2))
; TABLE-NEXT: access 1 1 write 4 -1 0 0 -1 -1 4*zext32(tid)
; TABLE-NEXT: version __omp_offloading_1_2_f_l7_place_base role=base loop=original space=g,-
; TABLE-NEXT: version __omp_offloading_1_2_f_l7_place_c role=plan loop=original space=c,- threads=128 needs=threads:128,aligned:16
; TABLE-NEXT: version __omp_offloading_1_2_f_l7_place_s role=plan loop=original space=s,- threads=128 needs=threads:128,aligned:16

; IR-DAG: @place_const = weak protected addrspace(4) global
; IR-DAG: @place_shared = external addrspace(3) global [0 x i8], align 16
; IR-LABEL: define {{.*}} @__omp_offloading_1_2_f_l7(ptr %env, ptr %w, ptr %o, i64 %i)
; IR: define {{.*}} @__omp_offloading_1_2_f_l7_place_c(ptr %env, ptr %w, ptr %o, i64 %i, i64 %{{[0-9]+}}, i64 %{{[0-9]+}}, i64 %{{[0-9]+}}, i64 %{{[0-9]+}}, i64 %[[BIAS:[0-9]+]])
; IR: %[[ALIGNED:[0-9]+]] = and i64 %[[BIAS]], -16
; IR: getelementptr i8, ptr addrspace(4) @place_const, i64 %[[ALIGNED]]
; IR: load float, ptr addrspace(4)
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

@__omp_offloading_1_2_f_l7_kernel_environment = weak_odr protected constant { { i8, i8, i8, i32, i32, i32, i32, i32, i32 }, ptr, ptr } { { i8, i8, i8, i32, i32, i32, i32, i32, i32 } { i8 0, i8 0, i8 2, i32 1, i32 128, i32 0, i32 0, i32 0, i32 0 }, ptr null, ptr null }

define weak_odr protected void @__omp_offloading_1_2_f_l7(ptr %env, ptr %w, ptr %o, i64 %i) {
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %n = trunc i64 %i to i32
  %k = sext i32 %n to i64
  %p = getelementptr inbounds float, ptr %w, i64 %k
  %v = load float, ptr %p, align 4
  %t = zext i32 %tid to i64
  %q = getelementptr inbounds float, ptr %o, i64 %t
  store float %v, ptr %q, align 4
  ret void
}
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
!nvvm.annotations = !{!0, !1}
!0 = !{ptr @__omp_offloading_1_2_f_l7, !"kernel", i32 1}
!1 = !{ptr @__omp_offloading_1_2_f_l7, !"maxntidx", i32 128}
