#!/bin/sh
# gpu_bundle.sh BUILD OUT - copies to OUT what the checks on a machine with a GPU need (at most 64 MiB): prof, runtime,
# collector, the programs, their libraries except glibc, CUPTI if it is installed, check.sh.
set -eu
build=$(cd "$1" && pwd)
root=$(cd "$(dirname "$0")/.." && pwd)
suite=$root/test/gpu/suite
mkdir -p "$2"
out=$(cd "$2" && pwd)
fail() { echo "gpu-bundle: $1" >&2; exit 1; }
command -v nvcc >/dev/null || fail "nvcc is not on the PATH; the programs need it"
host=
for compiler in g++-12 g++-11; do
  command -v $compiler >/dev/null && "$build/tools/prof" config --cflags --compiler=$compiler >/dev/null 2>&1 && host=$compiler && break
done
[ -n "$host" ] || fail "no GCC that nvcc takes and that prof has a backend for (g++-12 or g++-11)"
rm -rf "$out/bin" "$out/lib" "$out/programs"
mkdir -p "$out/bin" "$out/lib" "$out/programs"
cp "$build/tools/prof" "$out/bin/"
cp -L "$build/runtime/libprof-runtime.so.1" "$build/gpu/libprof-gpu.so" "$out/lib/"

# Machine code for two capabilities, and PTX for all later ones.
arch="-gencode arch=compute_80,code=sm_80 -gencode arch=compute_90,code=sm_90 -gencode arch=compute_80,code=compute_80"
common="-ccbin $host -std=c++17 -O2 -g -lineinfo $arch -cudart shared -Wno-deprecated-gpu-targets -Xcompiler -static-libstdc++,-static-libgcc"
nvcc $common -Xcompiler -fplugin="$build/plugin/prof.so" "$suite/suite.cu" -o "$out/programs/suite" -lcuda -ldl \
  -L"$(dirname "$(command -v nvcc)")/../lib64/stubs" -Xlinker -rpath='$ORIGIN/../lib'
nvcc $common -Xcompiler -fPIC,-fplugin="$build/plugin/prof.so" -shared "$suite/library.cu" -o "$out/programs/libkernel.so" \
  -Xlinker -rpath='$ORIGIN/../lib'
cp "$suite/check.sh" "$suite/torch_step.py" "$out/"
chmod 755 "$out/check.sh"

cuda=$(cd "$(dirname "$(command -v nvcc)")/.." && pwd)
# libnvperf: CUPTI may load it to sample kernels.
for library in libcudart.so.13 libcupti.so.13 libnvperf_host.so libnvperf_target.so; do
  for folder in lib64 lib extras/CUPTI/lib64; do
    [ -e "$cuda/$folder/$library" ] && cp -L "$cuda/$folder/$library" "$out/lib/" && break
  done || true
done

# Libraries that ld.so would load, except glibc's and the driver's.
for file in "$out/bin/prof" "$out"/programs/* "$out"/lib/*; do
  ldd "$file" | awk '$3 ~ /^\// { print $1, $3 }'
done | sort -u | while read -r name path; do
  case $name in
  libc.so.*|libm.so.*|libdl.so.*|libpthread.so.*|librt.so.*|libutil.so.*|ld-linux*|libcuda.so.*) ;;
  *) [ -e "$out/lib/$name" ] || cp -L "$path" "$out/lib/$name" ;;
  esac
done
bytes=$(du -sb "$out" | cut -f1)
[ "$bytes" -le 67108864 ] || fail "$out has $bytes bytes, at most 67108864"
echo "gpu-bundle: $out, $((bytes / 1048576)) MiB; copy it to the machine with the GPU and run ./check.sh there"
echo "unproven until then:"
"$out/check.sh" --list
