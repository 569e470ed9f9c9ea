// Every space in PTX and in machine code, and the original kernel as without the plugin.
// RUN: %S/Inputs/device-compile %t.plain.s %clang -O3 %s
// RUN: %S/Inputs/device-compile %t.s %clang -O3 %s -fplugin=%plugin -fplugin-arg-place-effort=3
// RUN: %FileCheck --check-prefix=PTX %s < %t.s
// RUN: sed -n '/^.weak .entry [^ ]*_look_l[0-9]*($/,/End function/p' %t.plain.s > %t.plain
// RUN: sed -n '/^.weak .entry [^ ]*_look_l[0-9]*($/,/End function/p' %t.s > %t.original
// RUN: test -s %t.plain && diff %t.plain %t.original
// RUN: %ptxas -arch=sm_90 %t.s -o %t.cubin && %nvdisasm -c %t.cubin | %FileCheck --check-prefix=SASS %s
// REQUIRES: plugin, cuda

void look(int n, const int *idx, const double *w, double *o) {
#pragma omp target teams distribute parallel for
  for (int i = 0; i < n; i++) {
    int k = idx[i];
    o[i] = w[k];
  }
}

// PTX-DAG: .weak .const .align 256 .b8 place_const[16384];
// PTX-DAG: .extern .shared .align 16 .b8 place_shared[];
// PTX-DAG: .weak .global .align 16 .b8 place_timer[524288];
// PTX-DAG: .weak .global .align 16 .b8 place_profile[
// PTX-DAG: .b8 place_table_{{[0-9a-f]+}}[

// PTX: .entry [[K:__omp_offloading_.*_look_l[0-9]+]](
// PTX-NOT: ld.const
// PTX-NOT: ld.shared
// PTX: ld.global.f64
// PTX: End function

// PTX: .entry [[K]]_place_base(
// PTX: .maxntid 128
// PTX: globaltimer
// PTX: atom.global.max.u64
// PTX: ld.global.f64
// PTX: End function

// PTX: .entry [[K]]_place_gg(
// PTX: .reqntid 128
// PTX-NOT: bar.sync
// PTX: exit;
// PTX: End function

// PTX: .entry [[K]]_place_gs(
// PTX: ld.global.v4.u32
// PTX: st.shared.v4.u32
// PTX: bar.sync 0
// PTX: ld.global.u32
// PTX: ld.shared.f64
// PTX: End function

// PTX: .entry [[K]]_place_rs(
// PTX: ld.global.nc.u32
// PTX: ld.shared.f64
// PTX: End function

// PTX: .entry [[K]]_place_gc(
// PTX: ld.const.f64
// PTX: End function

// PTX: .entry [[K]]_place_gr(
// PTX: ld.global.nc.f64
// PTX: End function

// PTX: .entry [[K]]_place_agnostic(
// PTX: bar.sync 0
// PTX-DAG: ld.global.f64
// PTX-DAG: ld.global.nc.f64
// PTX-DAG: ld.const.f64
// PTX-DAG: ld.shared.f64
// PTX: End function

// PTX: .entry [[K]]_place_profile(
// PTX: st.global.u32
// PTX: End function

// SASS-DAG: LDG.E.64
// SASS-DAG: LDG.E.64.CONSTANT
// SASS-DAG: LDC.64 {{.*}}c[0x3]
// SASS-DAG: LDS.64
// SASS-DAG: STS.128
