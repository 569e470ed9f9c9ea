#!/usr/bin/env bash
# mpi.sh SIMT_CC PLUGIN INPUTS: builds and runs the MPI program in this folder
set -euo pipefail
read -ra compile < <(mpicc --showme:compile)
read -ra link < <(mpicc --showme:link)
flags=(-O3 "-fplugin=$2" "-I$3")
"$1" "${flags[@]}" -DNAME=first -c "$3/region.c" -o first.o
"$1" "${flags[@]}" -DNAME=second -c "$3/region.c" -o second.o
"$1" "${flags[@]}" "${compile[@]}" "$3/mpi.c" first.o second.o "${link[@]}" -o program
export PLACE_STORE=off PLACE_REPORT="$PWD/%r.json" PLACE_FORCE='*:w=constant' OMP_TARGET_OFFLOAD=MANDATORY OMP_NUM_THREADS=1 SIMT_THREADS=1
mpirun --allow-run-as-root --oversubscribe -np 4 ./program
for rank in 0 1 2 3; do python3 "$3/placed.py" "$rank.json" w constant 2; done
printf ', %d reports\n' "$(ls ./*.json | wc -l)"
