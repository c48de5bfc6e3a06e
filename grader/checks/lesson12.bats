# The checks of lesson12, nvrtc. grader/README.md explains the verbs.

load ../lib/check

# bats test_tags=task:1,points:3
@test "compile_module and launch_map are right: texts, options, logs, and what can not be compiled" {
  right compile_module
}

# bats test_tags=task:1,points:1
@test "compile_module and launch_map make no memory errors, and lose no memory" {
  clean compile_module memcheck racecheck initcheck leakcheck
}

# bats test_tags=task:1,points:1
@test "compile_module and launch_map return the error of any call that fails" { failures compile_module; }

# bats test_tags=task:1,points:1
@test "launch_map launches the kernel once, with a thread for each element" {
  counter compile_module 'launches == 1' "It made {launches} launches: map does all elements in one."
  counter compile_module 'module_launches == 1' \
    "The kernel that it launched is not one of the module: cuModuleGetFunction finds the module's map."
  counter compile_module 'threads >= 1003 && threads < 1003 + 1024 * 8' \
    "It launched {threads} threads for 1003 elements."
}

# bats test_tags=task:2,points:3
@test "write_polynomial is right at every degree: the text, its length, and each bit of y" {
  right write_polynomial
}

# bats test_tags=task:2,points:1
@test "write_polynomial and its kernel make no memory errors, and lose no memory" {
  clean write_polynomial memcheck racecheck initcheck leakcheck
}

# bats test_tags=task:2,points:1
@test "the kernel of the text computes the polynomial, without any other work" {
  counter write_polynomial 'launches == 1 && module_launches == 1' \
    "It made {launches} launches, {module_launches} of them of a module's kernel: one does it, of the text's."
  counter write_polynomial 'operations == 1' \
    "It queued {operations} operations: the degree and the coefficients are in the text, so nothing needs to \
be copied."
  counter write_polynomial 'bytes_in == 0 && bytes_out == 0' \
    "Its kernel read {bytes_in} bytes of the host and wrote {bytes_out}: the text holds the coefficients \
themselves."
}

# The counters are of degree 5. A loop over the points may stay: then the five steps are in it, one by one.
# bats test_tags=task:2,points:1
@test "the compiled kernel has no loop over the coefficients" {
  counter write_polynomial 'compiled_loops == 0 || compiled_fma >= 5' \
    "At degree 5 a loop is left in the compiled kernel: of five multiply-adds its code holds \
{compiled_fma}, and it counts and loads for each. Let the text have a line for each coefficient, or a loop \
that the compiler can unroll."
  counter write_polynomial 'compiled_loops == 0 || compiled_certain_fma >= 5' \
    "At degree 5 a loop is left in the compiled kernel. Of the {compiled_fma} multiply-adds in its code, \
only {compiled_certain_fma} lie on each way to a store, where the polynomial has five steps: the loop \
repeats them. Let the text have a line for each coefficient, or a loop that the compiler can unroll."
  counter write_polynomial 'compiled_fma >= 5' \
    "At degree 5 the compiled kernel has {compiled_fma} multiply-adds: functions call others to repeat them. \
Let the text have a line for each coefficient."
}

# bats test_tags=task:2,points:1
@test "the kernel with its constants is faster than a loop over them" { faster write_polynomial loop; }

# bats test_tags=task:2,points:1
@test "the kernel with its constants is much faster than a loop over them" {
  excellent write_polynomial loop;
}

# bats test_tags=task:3,points:3
@test "cache_get is right: every kernel is built once, and none is taken for another" { right cache_get; }

# bats test_tags=task:3,points:1
@test "cache_destroy frees what the cache allocated" {
  clean cache_get memcheck leakcheck
  as_asked cache_get
}

# bats test_tags=task:3,points:1
@test "a call through the cache costs little more than its launch" { faster cache_get launches; }

# bats test_tags=task:3,points:1
@test "a call through the cache costs hardly more than its launch" { excellent cache_get launches; }

# bats test_tags=task:4,points:2
@test "calls_to_break_even is right, also where compiling never pays" { right calls_to_break_even; }

# bats test_tags=task:4,points:1
@test "calls_to_break_even makes no memory errors, and loses no memory" {
  clean calls_to_break_even memcheck leakcheck
}

# bats test_tags=task:0,points:2
@test "read_ptx is right: it counts what the kernel of this name contains" { right read_ptx; }

# bats test_tags=task:0,points:1
@test "read_ptx makes no memory errors, and loses no memory" { clean read_ptx memcheck leakcheck; }
