// A loop of the program's own that goes by as much as a team has threads may wrap; what is known of the team's counters is not known of its.
// The regression's kernels, whose unsigned loop begins below 0.
// RUN: %S/Inputs/device-compile --ir %t.ll %clang -O3 -Wno-pass-failed %S/../fuzz/regressions/steps_of_teams.c -fplugin=%plugin
// RUN: %FileCheck %s < %t.ll
// REQUIRES: plugin, cuda

// CHECK: define {{.*}}_rows_l{{[0-9]+}}_place_g(
// CHECK-NOT: add nuw i64 {{.*}}, 128
// CHECK: add i64 {{.*}}, 128
// CHECK-NOT: add nuw i64 {{.*}}, 128
// CHECK: {{^}}}
