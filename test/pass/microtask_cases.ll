; Of the cases that begin a parallel region by its number of arguments those stay that a call asks for; all where one may ask for any.
; RUN: %opt -passes=place-microtask-cases -S %s | %FileCheck --check-prefixes=ALL,DROPPED %s
; RUN: sed 's/; NESTED//' %s | %opt -passes=place-microtask-cases -S | %FileCheck --check-prefixes=ALL,KEPT %s
; RUN: sed 's/; THROUGH//' %s | %opt -passes=place-microtask-cases -S | %FileCheck --check-prefixes=ALL,KEPT %s
; RUN: sed 's/i64 1)$/i64 %%n)/' %s | %opt -passes=place-microtask-cases -S | %FileCheck --check-prefixes=ALL,KEPT %s
; RUN: sed 's/internal void @__kmpc_parallel_51/void @__kmpc_parallel_51/' %s | %opt -passes=place-microtask-cases -S | %FileCheck --check-prefixes=ALL,KEPT %s
; RUN: sed 's/alwaysinline//' %s | %opt -passes=place-microtask-cases -S | %FileCheck --check-prefixes=ALL,KEPT %s
; The machine code of kernels is plain clang's, whatever becomes of the module on its way: regions within regions among them.
; RUN: %python %S/Inputs/same-originals.py %clang -- -fplugin=%plugin -- %S/Inputs/nested.c %S/sole_calls.c %S/lean.c %S/../fuzz/found/serialized_parallel.c %S/../fuzz/regressions/team_sums.c %S/../fuzz/regressions/two_arrays.c
; REQUIRES: plugin, cuda

; ALL: define {{.*}}void @__kmpc_parallel_51(
; ALL: switch i64 %n, label %unsupported [
; DROPPED-NEXT: i64 3, label %three
; DROPPED-NEXT: i64 1, label %one
; KEPT-NEXT: i64 0, label %none
; KEPT-NEXT: i64 1, label %one
; KEPT-NEXT: i64 2, label %two
; KEPT-NEXT: i64 3, label %three
; ALL-NEXT: ]
; KEPT: {{^}}none:
; DROPPED-NOT: {{^}}{{none|two}}:
; ALL: {{^}}done:
; DROPPED-NEXT: phi i32 [ 1, %one ], [ 3, %three ]
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

define internal void @__kmpc_parallel_51(ptr %ident, i32 %thread, i32 %if, i32 %threads, i32 %bind, ptr %f, ptr %wrapper, ptr %args, i64 %n) alwaysinline {
entry:
  switch i64 %n, label %unsupported [
    i64 0, label %none
    i64 1, label %one
    i64 2, label %two
    i64 3, label %three
  ]
none:
  call void %f()
  br label %done
one:
  call void %f(ptr %args)
  br label %done
two:
  call void %f(ptr %args, ptr %args)
  br label %done
three:
  call void %f(ptr %args, ptr %args, ptr %args)
  br label %done
unsupported:
  unreachable
done:
  %calls = phi i32 [ 0, %none ], [ 1, %one ], [ 2, %two ], [ 3, %three ]
  store i32 %calls, ptr %args
  ret void
}

define internal void @region(ptr %a) {
; NESTED call void @kernel(ptr %a, i64 1)
; THROUGH call void %a()
  ret void
}

define void @kernel(ptr %a, i64 %n) {
  call void @__kmpc_parallel_51(ptr null, i32 0, i32 1, i32 -1, i32 -1, ptr @region, ptr null, ptr %a, i64 1)
  call void @__kmpc_parallel_51(ptr null, i32 0, i32 1, i32 -1, i32 -1, ptr @region, ptr null, ptr %a, i64 3)
  ret void
}

!llvm.module.flags = !{!0, !1}
!0 = !{i32 7, !"openmp", i32 51}
!1 = !{i32 7, !"openmp-device", i32 51}
