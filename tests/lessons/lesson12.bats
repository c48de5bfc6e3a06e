#!/usr/bin/env bats
# The checks of lesson12 against mistakes that learners make, correct answers in unusual style, and the
# starter, on the CPU backend.

export LESSON=lesson12 KINDS=cpu
load lesson_helper

# bats test_tags=slow
@test "reports zeros left out, and labels of which one begins the other" {
  mistake high-zeros-trimmed labels-that-begin-so
}

@test "the starter compiles without a warning and fails every task" { starter_fails_every_task; }

@test "pays.cu of the page runs with the solution" {
  run -0 "$ROOT/common/cpu/cucc" -Wall -Wextra -I "$ROOT/lessons/lesson12" -o "$BATS_TEST_TMPDIR/pays" \
    "$ROOT/lessons/lesson12/driver/demo/pays.cu" "$ROOT/solutions/lesson12/jit.cu" -lnvrtc -lcuda
  [ -z "$output" ]
  run -0 timeout 60 "$BATS_TEST_TMPDIR/pays" 300 2
  [[ ${lines[0]} == degree* && ${lines[1]} == "     2 "* ]]
}

@test "reports options in another order than the given one" { mistake options-in-reverse; }

@test "reports a loop over coefficients that is left in the compiled text" { mistake loop-left-in-the-text; }

# bats test_tags=slow
@test "reports an option for the architecture after the given ones" {
  mistake options-before-the-architecture
}

# bats test_tags=slow
@test "reports a launch in the default stream of the thread" { mistake stream-of-the-thread; }

# bats test_tags=slow
@test "reports: NVRTC's log as the format of snprintf" { mistake log-as-a-format; }

# bats test_tags=slow
@test "reports: the runtime's error in the place of the driver's" { mistake launch-error-of-the-runtime; }

# bats test_tags=slow
@test "reports: an option that is split at its blanks" { mistake options-split-at-blanks; }

# bats test_tags=slow
@test "reports: an infinity without its sign" { mistake infinity-without-sign; }

# bats test_tags=slow
@test "reports: a denormal coefficient that becomes 0" { mistake denormal-as-zero; }

# bats test_tags=slow
@test "reports: the number of blocks is rounded down" { mistake blocks-rounded-down; }

# bats test_tags=slow
@test "reports: the cache keeps no more than a hundred kernels" { mistake cache-full; }

# bats test_tags=slow
@test "reports: cache_destroy frees nothing" { mistake cache-not-freed; }

# bats test_tags=slow
@test "reports: comments are read as instructions" { mistake comments-counted; }

# bats test_tags=slow
@test "reports: the constant is left out" { mistake constant-left-out; }

# bats test_tags=slow
@test "reports: a grid of no blocks is launched for n = 0" { mistake empty-launch; }

# bats test_tags=slow
@test "reports: a failure is kept as if it were a kernel" { mistake failure-kept; }

# bats test_tags=slow
@test "reports: the first calls are counted in the medians" { mistake first-counted-in-median; }

# bats test_tags=slow
@test "reports: each branch is taken for a loop" { mistake forward-branches-counted; }

# bats test_tags=slow
@test "reports: an instruction with a condition is not recognised" { mistake guard-not-skipped; }

# bats test_tags=slow
@test "reports: the coefficient of the highest power is left out" { mistake highest-left-out; }

# bats test_tags=slow
@test "reports: a kernel that is missing is no error" { mistake kernel-not-found; }

# bats test_tags=slow
@test "reports: the key holds the addresses of the texts, not their characters" { mistake key-by-address; }

# bats test_tags=slow
@test "reports: the key is a hash of the source alone, without a comparison" { mistake key-by-hash; }

# bats test_tags=slow
@test "reports: the key of the cache lacks the device" { mistake key-without-device; }

# bats test_tags=slow
@test "reports: the key of the cache lacks the options" { mistake key-without-options; }

# bats test_tags=slow
@test "reports: the result of cuLaunchKernel is not returned" { mistake launch-unchecked; }

# bats test_tags=slow
@test "reports: the result is the length of what was written" { mistake length-of-what-fits; }

# bats test_tags=slow
@test "reports: the length counts the 0 at the end" { mistake length-with-zero; }

# bats test_tags=slow
@test "reports: the log is fetched only after a success" { mistake log-after-success; }

# bats test_tags=slow
@test "reports: the log is fetched only after a failure" { mistake log-after-failure; }

# bats test_tags=slow
@test "reports: a log that is cut has no 0 at its end" { mistake log-not-ended; }

# bats test_tags=slow
@test "reports: a log that is cut loses one character more than it must" { mistake log-one-short; }

# bats test_tags=slow
@test "reports: means are taken in the place of medians" { mistake mean-for-median; }

# bats test_tags=slow
@test "reports: *module is not set to NULL when the text is refused" { mistake module-not-null; }

# bats test_tags=slow
@test "reports: a kernel is taken whose name only begins alike" { mistake name-begins-alike; }

# bats test_tags=slow
@test "reports: a gain of zero, or a loss, is not looked at" { mistake never-forgotten; }

# bats test_tags=slow
@test "reports: NaN and infinity are printed as words, which the compiler does not know" {
  mistake no-literal-for-nan
}

# bats test_tags=slow
@test "reports: the whole first call is taken for the price" { mistake price-of-the-first-call; }

# With some inputs the first wrong value is also what two roundings a step give, and the report says that.
# bats test_tags=slow
@test "reports: the coefficients are printed by %f, which keeps six digits" { reported cpu printed-by-f; }

# bats test_tags=slow
@test "reports: what was built is not kept" { mistake never-kept; }

@test "reports: each step is a product and a sum, which round twice" { reported cpu no-fmaf; }

# bats test_tags=slow
@test "reports: the program is not destroyed when the compilation failed" { mistake program-lost-on-error; }

# bats test_tags=slow
@test "reports: the program is never destroyed" { mistake program-not-destroyed; }

# bats test_tags=slow
@test "reports: the whole text is written, whatever room there is" { mistake room-ignored; }

# bats test_tags=slow
@test "reports: the result of nvrtcCompileProgram is not returned" { mistake result-ignored; }

# bats test_tags=slow
@test "reports: the coefficients are taken in reverse order" { mistake reverse-order; }

# bats test_tags=slow
@test "reports: the number of calls is rounded down" { mistake rounded-down; }

# bats test_tags=slow
@test "reports: source and options are joined to one text" { mistake texts-joined; }

# bats test_tags=slow
@test "reports: instructions of all kernels are counted" { mistake whole-text-counted; }

# bats test_tags=slow
@test "PTX in the place of machine code loses no point" {
  right_answer ptx-image.cu && full_marks ptx-image.cu
}

# bats test_tags=slow
@test "a table and a loop in the text lose no point" { right_answer table.cu && full_marks table.cu; }

# bats test_tags=slow
@test "hexadecimal literals and hashed keys lose no point" { right_answer hashed.cu && full_marks hashed.cu; }

# bats test_tags=slow
@test "a list that grows, and bisection, lose no point" { right_answer growing.cu && full_marks growing.cu; }

# bats test_tags=slow
@test "nested maps lose no point" { right_answer nested.cu && full_marks nested.cu; }

# bats test_tags=slow
@test "reports: only the first 256 characters of two texts are compared" { mistake beginning-of-the-text; }

# bats test_tags=slow
@test "reports: *kernel is not NULL after an error of build" { mistake kernel-not-null; }

# bats test_tags=slow
@test "reports: the coefficients are written with eight digits" { mistake eight-digits; }

# bats test_tags=slow
@test "reports: a missing kernel gives another error than the header names" {
  mistake another-error-for-a-missing-kernel
}

# bats test_tags=slow
@test "reports: the costs are computed in 32 bits" { mistake costs-of-32-bits; }

# bats test_tags=slow
@test "reports: room for one character gets nothing" { mistake room-of-one; }

# bats test_tags=slow
@test "reports: another error takes the place of that of loading" { mistake error-of-loading-replaced; }

@test "an architecture that does not come from the device is named" {
  spoiled "s/sm_\" + std::to_string(10 \* major + minor)/sm_80\"/" 1 \
    "the text was compiled for another architecture than the current device's"
}

# bats test_tags=slow
@test "an architecture whose machine code this device cannot run is named" {
  named "s/sm_\" + std::to_string(10 \* major + minor)/sm_90\"/" 1 \
    "it was compiled for sm_90, and this device is"
}

# bats test_tags=slow
@test "code for no device, of which there is no cubin, is named" {
  named 's/all = {architecture.c_str()}/all/' 1 \
    'there is no machine code, since it was compiled for no device'
}

# bats test_tags=slow
@test "structures that release what they hold, and a cache of sorted entries, lose no point" {
  right_answer structures.cu && full_marks structures.cu
}

@test "names lost options, a text that NVRTC refuses, keys that are not copied, and calls that gain nothing" {
  SEED=7 spoiled '/all.insert(all.end/d; s/if (s >= g) return 0/if (s == g) return 0/
    s/__uint_as_float(0x%/__uint_as_flot(0x%/
    s/make_tuple(std::string(source), std::string(options)/make_tuple(source, options/
    s/<std::tuple<std::string, std::string, int>/<std::tuple<const char *, const char *, int>/' \
    1 'only 0 of the 42 given options' 2 'from nvrtcCompileProgram at' 2 'map.cu(5): error: ' \
    3 'compare characters, with those of copies' 4 'a call of the special kernel gains nothing'
}

# bats test_tags=slow
@test "names a log that is left out after a success, and a grid and a block that are exchanged" {
  spoiled 's/give_log(program, log, log_size);/if (result) &/' 1 'NVRTC has a log after a success, too'
  spoiled 's/blocks, 1, 1, THREADS, 1, 1/THREADS, 1, 1, blocks, 1, 1/' 1 'n x text = 300007x1'
}

@test "names a 0 at the end of the room, a failed build that is kept, a price less g, and what PTX lacks" {
  SEED=7 spoiled 's/  if (size > 0) snprintf.*/  memcpy(text, s.c_str(), std::min(s.size(), size));/
    s/^  return s.size();/  if (size > 0) text[size - 1] = 0;\n&/
    s/^    \*kernel = NULL;/    cache->kernels[key] = *kernel;\n&/; s/return (first - s +/return (first - g +/
    s/if (--depth == 0) return cudaSuccess;/return cudaSuccess;/' \
    2 'room that is larger than the text' 3 'what it wrote to *kernel is not kept' \
    4 'the calls must gain first - s' further 'what follows the first } is not counted'
  SEED=7 spoiled 's/kind == "ld" && has_part(name, "global")/name.compare(0, 9, "ld.global") == 0/' \
    further 'loads with a part between ld and .global are not counted'
}

# bats test_tags=slow
@test "names a -0 that is written as 0, and what a failed build left in *kernel" {
  spoiled 's/  uint32_t bits;/  if (value == 0) return "0.0f";\n&/; s/^    \*kernel = NULL;//
    s/  const auto key/  *kernel = NULL;\n&/' \
    2 'a test for 0 takes -0, too' 3 'which must be NULL when build failed'
}

# bats test_tags=slow
@test "reports a text that is cut after 64 KiB" {
  spoiled 's/  if (size > 0) snprintf/  if (s.size() > 65535) s.resize(65535);\n&/' 2 'degree x n = 1500x65'
}

# bats test_tags=slow
@test "warns of a number of blocks that is computed in 32 bits" {
  warned_of_int 1 'with n text = 2181038091x' '(unsigned)((n + THREADS - 1) / THREADS)' \
    '((unsigned)n + THREADS - 1) / THREADS % 8388608'
}

# bats test_tags=slow
@test "names an old handle, a text without its 0, a glued key, and labels of another kernel" {
  SEED=7 spoiled 's/^  CUfunction map;/  static CUfunction map;\n  static CUmodule last;/
    s/= cuModuleGetFunction(&map/= module == last ? CUDA_SUCCESS : cuModuleGetFunction(\&map/
    s/^  if (found || n == 0)/  last = module;\n&/
    s/snprintf(text, size, "%s", s.c_str())/memcpy(text, s.c_str(), std::min(s.size() + 1, size))/
    s/^  return s.size();/  if (size > 0 \&\& s.size() > size) text[size - 1] = 0;\n&/
    s/std::string(source), std::string(options)/std::string(source) + "\\n" + options, std::string()/
    s/^    const size_t found = line.find(entry);/&\
  if (!inside \&\& line.find(58) + 1 == line.size()) labels.push_back(line.substr(0, line.size() - 1));/' \
    1 'a kernel is used whose module was unloaded' 2 'all but one in room for as many as it has' \
    3 'only when they are joined to one text' further 'counts[2] is'
}

# bats test_tags=slow
@test "names options that are lost after the sixteenth, a sign of zero, and a kernel that is NULL" {
  spoiled 's/options + option_count/options + std::min(option_count, 15)/
    s/s += \("  sum = fmaf.*\);$/s += h_c[k] == 0 ? std::string("  sum *= v;\\n") : \1;/
    s/if (found != cache->kernels.end())/if (found != cache->kernels.end() \&\& found->second)/' \
    1 'only 15 of the 42 given options' 2 'fmaf(y, x, 0) is 0' 3 'and gave NULL as the kernel'
}

# bats test_tags=slow
@test "names code for device 0 where another one is current, and a log without a 0 after an error" {
  spoiled 's/cudaError_t error = cudaGetDevice(&device);/cudaError_t error = cudaSuccess;\n  device = 0;/' \
    1 'it was compiled for sm_87, and this device is 8.6'
  named 's/  if (loaded) \*module = NULL;/  if (loaded) memset(log, 1, log_size);\n&/' \
    1 'left no 0 in the log'
}

# bats test_tags=slow
@test "warns of an index of 32 bits in the text of a polynomial" {
  warned_of_int 2 'with degree n = 1x4362076171' 'size_t i = (size_t)blockIdx.x' 'unsigned i = blockIdx.x'
}

# bats test_tags=slow
@test "reports copies of as many characters as the caller has room for" {
  mistake log-copied-by-the-room each-part-counted
  mistake text-copied-by-the-room all-caches-emptied
}

# bats test_tags=slow
@test "reports options that no caller gave, that are no texts, and that are joined" {
  mistake option-of-its-own kernels-in-a-global labels-counted-once
  WITH='pointer-kept last-label-only' named \
    's/all = {architecture.c_str()}/all = {std::string(architecture).c_str()}/' 1 'an option is no text'
  mistake options-joined memory-unchecked divided-as-floats
}

# bats test_tags=slow
@test "reports a function in a variable of all caches, and times whose difference no int holds" {
  mistake build-in-a-global comparison-by-difference
}

# bats test_tags=slow
@test "reports arguments in the place of extra, and a new that throws" {
  mistake arguments-as-extra new-that-throws
}

# bats test_tags=slow
@test "reports a rule that begins with 0, and a text that is empty where the room is small" {
  mistake begins-with-zero
  mistake empty-if-too-small
}

# bats test_tags=slow
@test "names parts that count twice, a second branch to a label, and a loop in a loop" {
  SEED=7 spoiled 's/  counts\[PTX_DOUBLES\] += .*/  for (size_t at = 0;\
    (at = name.find(".f64", at)) + 1; at++) counts[PTX_DOUBLES]++;/' further 'however often it has the part'
  SEED=7 spoiled 's/, const \(std::vector<std::string> &labels\)/, \1/
    s/  counts\[PTX_LOOPS\] += std::find\(.*\) != .*/  const auto found = std::find\1;\
    if (found != labels.end()) counts[PTX_LOOPS]++, labels.erase(found);/' \
    further 'a loop may have several to its label'
  SEED=7 spoiled 's/labels.push_back(/labels.assign(1, /' further 'a loop may have another one in it'
}

# bats test_tags=slow
@test "constants in the memory of the device lose no point" {
  right_answer constants-in-memory.cu && full_marks constants-in-memory.cu
}

@test "names a sum in double, and a kernel whose name begins alike and that stands first" {
  SEED=2 spoiled 's/float sum = /double sum = /; s/sum = fmaf(sum, v, /sum = fma(sum, (double)v, /' \
    2 'the sum is kept in double'
  SEED=2 spoiled "s/inside = after == '(' || after == ' ' || after == 0/inside = after != 'x'/" \
    further 'it is of another kernel, whose name only begins with this one'
}

@test "names no line for code before main, whose place is not known" {
  local dir=$BATS_TEST_TMPDIR/early
  mkdir "$dir"
  sed 's/^struct kernel_cache {/static std::map<int, CUfunction> all;\n&/' "$ROOT/solutions/$LESSON/jit.cu" \
    >"$dir/jit.cu"
  grade "$dir" 1
  is_true "$dir/grade.json" '.message | contains("jit.cu: a global variable, or a static member")'
}

@test "every mistake and every correct answer has a test" { each_is_tested; }

@test "the page quotes the messages of the grader" { page_quotes_messages; }

# bats test_tags=slow
@test "a hash table by hand, sprintf, and counts that are cleared first lose no point" {
  right_answer by-hand.cu && full_marks by-hand.cu
}
