# Part of messages.awk: names what the CPU backend does not have. The variable `home` is common/cpu.
#
#   missing()    whether $0 is a compiler's error about a name or header of CUDA's that the backend lacks;
#                then `missing_text` is what to say instead, and `missing_name` the name.
#
# A name is CUDA's when cuda_names.txt has it, or when it begins like CUDA's names and is like none that
# the backend
# has: then it is not the misspelt name of one.

function read_names(    line, command, n, i, word) {
  if (names_read++) return
  while ((getline line < (home "/cucc.d/cuda_names.txt")) > 0) {
    if (line ~ /^#/) continue
    n = split(line, word, " ")
    for (i = 1; i <= n; i++) cudas[word[i]] = 1
  }
  command = "cat '" quoted(home) "'/include/*.h '" quoted(home) "'/include/*/*.h"
  while ((command | getline line) > 0)
    while (match(line, /[A-Za-z_][A-Za-z_0-9]*/)) {
      ours[substr(line, RSTART, RLENGTH)] = 1
      line = substr(line, RSTART + RLENGTH)
    }
}

function quoted(text) { gsub(/'/, "'\\''", text); return text }
function least(a, b, c) { if (b < a) a = b; return c < a ? c : a }

# Edits (a letter added, left out or replaced) from a to b; stops counting above `limit`.
function distance(a, b, limit,    i, j, row, last, corner, best) {
  if (length(a) - length(b) > limit || length(b) - length(a) > limit) return limit + 1
  for (j = 0; j <= length(b); j++) row[j] = j
  for (i = 1; i <= length(a); i++) {
    corner = row[0]
    best = row[0] = i
    for (j = 1; j <= length(b); j++) {
      last = row[j]
      row[j] = least(row[j] + 1, row[j - 1] + 1, corner + (substr(a, i, 1) != substr(b, j, 1)))
      corner = last
      if (row[j] < best) best = row[j]
    }
    if (best > limit) return best
  }
  return row[length(b)]
}

function is_cudas(name,    other, limit) {
  if (name ~ /^(tex|surf)([123]D|Cubemap)/) return 1
  read_names()
  if (name in cudas) return 1
  if (name !~ /^(cuda|cu|cublas|cublasLt|cufft|cusparse|cusolver|curand|cudnn)[A-Z]/ &&
      name !~ /^(nccl|nvrtc|nvml|nvtx|npp)[A-Z]/ &&
      name !~ /^(CUDA|CU|CUBLAS|CUFFT|CUSPARSE|CURAND|NCCL|NVRTC)_/ && name !~ /^__[a-z]/) return 0
  limit = length(name) < 8 ? 1 : 2
  for (other in ours) if (substr(other, 1, 2) == substr(name, 1, 2) &&
    distance(name, other, limit) <= limit) return 0
  return 1
}

# Headers of the toolkit, its libraries and NVIDIA's samples that a program may include.
function is_cudas_header(name) {
  return name ~ /^(cub|cuda|thrust|nv|cooperative_groups|cute|cutlass)\// ||
    name ~ /^(helper|nvrtc_helper|exception)[a-z_]*\.h$/ ||
    name ~ /^(cublas|cufft|cusparse|cusolver|curand|cudnn|cupti|nccl)[A-Za-z0-9_\/]*\.h(pp)?$/ ||
    name ~ /^(nvml|nppi?|nvjpeg|nvJitLink|nvToolsExt|nvtx3\/|nvrtc|nvblas|nvgraph)[A-Za-z0-9_\/]*\.h(pp)?$/ ||
    name ~ /^cuda(GL|EGL|VDPAU|Profiler|Typedefs)\.h$/ ||
    name ~ /^cuda_(bf16|fp[468]|pipeline|awbarrier|texture_types|surface_types|occupancy)\.h$/ ||
    name ~ /^cuda_(device_runtime_api|profiler_api|stdint|(gl|egl|vdpau|d3d[0-9]+)_interop)\.h$/ ||
    name ~ /^(mma|cuComplex|library_types|channel_descriptor|builtin_types|crt\/[a-z_]*)\.h$/ ||
    name ~ /^((texture|surface|device|math)_[a-z_]*|host_[a-z]*|sm_[0-9a-z_]*)\.h$/
}

function headers_there(    line, text, command) {
  command = "cd '" quoted(home) "'/include && ls -d *.h cuda/* cuda/std/* nvtx3/*.h |" \
    " grep -vE '^(cucc.h|cuda/std)$'"
  while ((command | getline line) > 0) text = text ", " line
  return substr(text, 3)
}

# The name between quotes, of any language's kind, after `before` in $0; empty when there is none.
function quoted_name(before,    rest) {
  if (!match($0, before)) return ""
  rest = substr($0, RSTART)
  if (!match(rest, /(‘|')[A-Za-z_0-9:]+(’|')/)) return ""
  rest = substr(rest, RSTART, RLENGTH)
  gsub(/‘|’|'/, "", rest)
  sub(/.*::/, "", rest)
  return rest
}

function missing_header(    name) {
  if (!match($0, / fatal error: .*(: No such file or directory|file not found)/)) return 0
  name = substr($0, RSTART + 14, RLENGTH - 14)
  gsub(/: No such file or directory| file not found|'/, "", name)
  if (!is_cudas_header(name)) return 0
  missing_name = name
  if (name ~ /helper[a-z_]*\.h$|^exception\.h$/)
    missing_text = name " is a header of NVIDIA's samples, not of CUDA: " \
      "name the directory that it lies in with -I"
  else
    missing_text = name " is not in the CPU backend (it has: " headers_there() ")"
  return 1
}

# The assembler of the host (gcc's begins with "Error"), or a compiler that looks at operands, met inline PTX.
function inline_ptx() {
  if (!/: Error: (no such instruction: `[a-z]+\.[a-z]|unknown pseudo-op: `\.reg)/ &&
    !/ error: (invalid instruction mnemonic .[a-z]+\.[a-z]|unknown directive|invalid register name)/ &&
    !/ error: (impossible constraint in|inconsistent operand|output constraint [0-9]+ must specify)/ &&
    !/ error: invalid (output|input) constraint .* in asm/ &&
    !/ error: (invalid .asm.: operand number missing|invalid % escape in inline assembly)/) return 0
  missing_name = "inline PTX"
  missing_text = "inline PTX is not in the CPU backend: use CUDA's functions, " \
    "such as __shfl_sync, __ldcs or __pipeline_memcpy_async"
  return 1
}

function missing() {
  if (missing_header()) return 1
  if (inline_ptx()) return 1
  missing_name = ""
  if (/ error: (use of undeclared identifier|unknown type name|there are no arguments to|aggregate) / ||
      / error: variable has incomplete type / ||
      / error: .*(was not declared in this scope|has not been declared|declared void)/ ||
      / error: .*does not name a (template )?type/ ||
      / error: .*(is not a member of|incomplete type)/)
    missing_name = quoted_name(" error: ")
  else if (/ error: no (type|member|template) named .* in namespace /)
    missing_name = quoted_name(" named ")
  if (missing_name == "" || !is_cudas(missing_name)) return 0
  missing_text = missing_name " is not in the CPU backend"
  return 1
}
