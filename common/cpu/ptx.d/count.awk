# count.awk: counts the instructions of each kernel in clang's PTX by class, with those of the functions that
# it calls. `ptx --help` lists the classes. The PTX is read twice, since the table of files is at its end.
#
#   awk -v source=PATH -f count.awk FILE.ptx FILE.ptx
#     kernel  xSYMBOL  LINE  SYMBOL     a kernel, and the line that it begins at; c++filt leaves xSYMBOL alone
#     count   xSYMBOL  CLASS  NUMBER
#     double  xSYMBOL  LINE  NUMBER     operations in double of a line
#     library xSYMBOL  NAME  NUMBER     calls of a function that the PTX does not contain

BEGIN { OFS = "\t" }

FNR == NR {
  if ($1 == ".file" && index($0, "\"" source "\"")) main_file = $2
  if (/^[^\/]*\.func/) is_function[name_of($0)] = 1
  next
}

!calling && !/^[ \t]*\/\/|\.func|\.entry/ { note_addresses() }

$1 ~ /^\.(visible|extern|weak|entry|func)$/ && /\.(entry|func)/ {
  name = name_of($0)
  is_kernel = /\.entry/
  next
}
/^{/ && name != "" {
  inside = name
  defined[inside] = 1
  if (is_kernel) kernels[++kernel_count] = inside
  line = 0
  block_begins("entry")
  next
}
/^}/ {
  find_loops("entry")
  delete state
  block = inside = name = ""
  next
}
inside == "" { next }

$1 == ".loc" {
  if ($2 == main_file && $3 > 0) line = $3
  if (!(inside in begins) && line) begins[inside] = line
  next
}
/^[$A-Za-z_][^ \t]*:/ { block_begins(substr($1, 1, length($1) - 1)); next }

# A call is spread over lines; what it passes or returns as .f64 shows that it works in double.
/callseq/ && /{/ { calling = 1; callee = text = ""; in_double = 0; next }
calling && /}/ {
  calling = 0
  if (callee != "") called(callee, in_double)
  next
}
calling && $1 ~ /^(st|ld)\.param.*\.f64/ { in_double = 1 }
calling && ($1 ~ /^call/ || text != "") {
  text = text " " $0
  if ($0 !~ /;/) next
  sub(/^ *[ \t]*call[.a-z]*[ \t]*/, "", text)
  sub(/^\([^)]*\)[ \t]*,[ \t]*/, "", text)
  callee = text
  sub(/[ \t]*[,(;].*/, "", callee)
  text = ""
  add("instructions")
  next
}
$1 ~ /^[.]|^\/\/|^[{}]|^$/ { next }

{
  operation = $1
  target = $2
  guarded = operation ~ /^@/
  if (guarded) { operation = $2; target = $3 }
  sub(/;$/, "", operation)
  sub(/;$/, "", target)
  part_count = split(operation, part, ".")
  if (part[1] ~ /^(ld|st)$/ && operation ~ /\.param/) next
  add("instructions")
  classify(part[1], operation, target)
}

END {
  for (i = 1; i <= kernel_count; i++) report(kernels[i])
}

function name_of(text) {
  sub(/\([^()]*$/, "", text)
  sub(/^.*[ \t)]/, "", text)
  return text
}

# Functions whose address is in a variable or an instruction: a call by a pointer may reach each of them.
function note_addresses(i, n, word) {
  n = split($0, word, /[^A-Za-z0-9_$%]+/)
  for (i = 1; i <= n; i++) if (word[i] in is_function) taken[word[i]] = 1
}

function add(class) { counts[inside, class]++ }

function fused(guarded) {
  add("fma")
  if (!guarded) steps[inside, block]++
}

function classify(verb, operation, target) {
  if (verb ~ /^(ld|ldu|st)$/) {
    add((verb == "st" ? "stores_" : "loads_") space(operation))
    if (verb == "st" && operation !~ /\.(shared|local)/) stores[inside, block] = stores[inside] = 1
    return
  }
  if (verb ~ /^(atom|red)$/) {
    add("atomics")
    stores[inside, block] = stores[inside] = 1
    return
  }
  if (verb ~ /^(bar|barrier)$/) { if (operation !~ /warp/) add("barriers"); return }
  if (verb == "bra") {
    add("branches")
    leads_to(target)
    block_ends(guarded)
    return
  }
  if (verb ~ /^(ret|exit|trap)$/) {
    ends[inside, block] = 1
    block_ends(guarded)
    return
  }
  if (verb ~ /^(wmma|mma)$/) { if (operation ~ /\.mma\.|^mma/) add("tensor"); return }
  if (verb == "cvt") {
    if (operation ~ /\.f64/) add("double_conversions")
    return
  }
  if (verb ~ /^(mov|selp|cvta|shfl)$/) return
  if (verb == "fma") fused(guarded)
  if (operation ~ /\.approx/) add("special")
  if (operation ~ /\.f64/) doubled()
  else if (operation ~ /\.f32/) add("float_operations")
}

# Blocks begin at labels and after branches; a block without a jump at its end leads to the next one.
function block_begins(label) {
  if (block != "") leads_to(label)
  block = label
}

function block_ends(leads_on) {
  if (leads_on) block_begins("after " ++branch_count)
  else block = ""
}

function leads_to(label) { successors[inside, block, ++successor_count[inside, block]] = label }

# A branch to a block that leads to the branch is a loop. Kernels have thousands of blocks, and awk has a
# limit on functions that call themselves: the way from the entry is kept in a list.
function find_loops(entry, way, depth, at, to) {
  way[depth = 1] = entry
  state[entry] = "open"
  while (depth > 0) {
    at = way[depth]
    if (++looked_at[at] > successor_count[inside, at]) {
      state[at] = "done"
      depth--
      continue
    }
    to = successors[inside, at, looked_at[at]]
    if (state[to] == "open" && !((inside, to) in looped)) {
      looped[inside, to] = 1
      add("loops")
    } else if (state[to] == "") {
      state[to] = "open"
      way[++depth] = to
    }
  }
  delete looked_at
}

function space(operation, match_at) {
  if (match(operation, /\.(global|shared|local|const)/)) return substr(operation, RSTART + 1, RLENGTH - 1)
  return "generic"
}

function doubled() {
  add("double_operations")
  if (line) double_lines[inside, ++double_count[inside]] = line
}

# Functions of NVIDIA's library that are one instruction, or a few of the special function units.
function called(callee, in_double) {
  if (callee !~ /^__nv_/) {
    calls[inside, ++call_count[inside]] = callee
    calls_in[inside, block, callee] = 1
    return
  }
  if (callee ~ /^__nv_fmaf?(_r[nzud])?$/) fused(0)
  else if (callee ~ /^__nv_fast_/) add("special")
  else libraries[inside, ++library_count[inside]] = callee
  if (in_double) doubled()
  else add("float_operations")
}

# Adds up what a function and those that it calls have, each function once. A function that calls itself,
# perhaps through others, is a loop.
function gather(function_name, i, n, other) {
  if (is_open[function_name]) total["loops"]++
  if (function_name in visited) return
  visited[function_name] = 1
  is_open[function_name] = 1
  for (i = 1; i <= split(classes, class_list, " "); i++)
    total[class_list[i]] += counts[function_name, class_list[i]]
  for (i = 1; i <= double_count[function_name]; i++) places[double_lines[function_name, i]]++
  for (i = 1; i <= library_count[function_name]; i++) uses[libraries[function_name, i]]++
  for (i = 1; i <= call_count[function_name]; i++) {
    n = calls[function_name, i]
    if (n in defined) gather(n)
    else if (n !~ /^%/) uses[n]++
    else for (other in taken) gather(other)
  }
  is_open[function_name] = 0
}

function report(kernel, i, key) {
  delete visited
  delete total
  delete places
  delete uses
  print "kernel", "x" kernel, begins[kernel] + 0, kernel
  gather(kernel)
  delete visited
  total["certain_fma"] = total["fma"] ? certain_steps(kernel) : 0
  for (i = 1; i <= split(classes, class_list, " "); i++)
    print "count", "x" kernel, class_list[i], total[class_list[i]] + 0
  for (key in places) print "double", "x" kernel, key, places[key]
  for (key in uses) print "library", "x" kernel, key, uses[key]
}

# How many multiply-adds all threads run that store something: those of the way with the fewest. A branch may
# lead around some, and a loop repeats the same ones. Those of a function that is called on each way count
# once. A function that stores nothing is left by its end.
function certain_steps(function_name, i, callee, sum) {
  if (function_name in visited) return 0
  visited[function_name] = 1
  sum = fewest_steps(function_name, "")
  if (sum < 0) sum = 0
  for (i = 1; i <= call_count[function_name]; i++) {
    callee = calls[function_name, i]
    if (callee in defined && fewest_steps(function_name, callee) < 0) sum += certain_steps(callee)
  }
  return sum
}

# The fewest multiply-adds from the entry to a store, on ways without a call of `without`; -1: there is none.
function fewest_steps(function_name, without, way, first, last, fewest, at, to, i, sum, least) {
  least = -1
  fewest["entry"] = steps[function_name, "entry"] + 0
  way[last = 1] = "entry"
  for (first = 1; first <= last; first++) {
    at = way[first]
    delete waits[at]
    if (without != "" && (function_name, at, without) in calls_in) continue
    if (is_goal(function_name, at) && (least < 0 || fewest[at] < least)) least = fewest[at]
    for (i = 1; i <= successor_count[function_name, at]; i++) {
      to = successors[function_name, at, i]
      sum = fewest[at] + steps[function_name, to]
      if (to in fewest && fewest[to] <= sum) continue
      fewest[to] = sum
      if (to in waits) continue
      waits[to] = 1
      way[++last] = to
    }
  }
  return least
}

function is_goal(function_name, at, i, callee) {
  if (!can_store(function_name)) return (function_name, at) in ends
  if ((function_name, at) in stores) return 1
  for (i = 1; i <= call_count[function_name]; i++) {
    callee = calls[function_name, i]
    if ((function_name, at, callee) in calls_in && callee in defined && can_store(callee)) return 1
  }
  return 0
}

# Whether a function stores, or one that it calls.
function can_store(function_name, i) {
  if (function_name in stores) return stores[function_name]
  stores[function_name] = 0 # while it calls itself
  for (i = 1; i <= call_count[function_name]; i++)
    if (calls[function_name, i] in defined && can_store(calls[function_name, i])) stores[function_name] = 1
  return stores[function_name]
}
