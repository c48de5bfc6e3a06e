# The checks of lesson01, loops. grader/README.md explains the verbs.

load ../lib/check

# The gain of all cores shows only if there are several cores and no other program uses them. The harness
# measures it in the same run with its own two versions: one core against all cores.
cores_are_free() { # task
  needs "$1" 'cores_gain >= 130' \
    "at the moment all cores together are only {tenths: cores_gain / 10} times as fast as one core"
}

# bats test_tags=task:1,points:2
@test "saxpy is right at every size" { right saxpy; }

# bats test_tags=task:1,points:1
@test "saxpy stays inside its arrays" { sanitized saxpy asan; }

# bats test_tags=task:1,points:1
@test "saxpy keeps up with the plain loop" { faster saxpy simple; }

# bats test_tags=task:2,points:2
@test "matmul is right for every shape" { right matmul; }

# bats test_tags=task:2,points:1
@test "matmul stays inside its arrays" { sanitized matmul asan; }

# bats test_tags=task:2,points:2
@test "matmul beats the loops in the order i, j, p" {
  one_core matmul
  faster matmul naive
}

# bats test_tags=task:2,points:1
@test "matmul beats the loops in the order i, j, p, and excellently so" {
  one_core matmul
  excellent matmul naive
}

# bats test_tags=task:3,points:2
@test "matmul_parallel is right for every shape" { right matmul_parallel; }

# bats test_tags=task:3,points:2
@test "matmul_parallel stays inside its arrays and has no races" {
  sanitized matmul_parallel tsan
  sanitized matmul_parallel asan
}

# bats test_tags=task:3,points:1
@test "matmul_parallel makes use of all cores" {
  all_cores matmul_parallel
  cores_are_free matmul_parallel
  faster matmul_parallel all-cores
}

# bats test_tags=task:3,points:1
@test "matmul_parallel makes use of all cores, and excellently so" {
  all_cores matmul_parallel
  cores_are_free matmul_parallel
  excellent matmul_parallel all-cores
}

# bats test_tags=task:4,points:2
@test "sum_parallel is right at every size" { right sum_parallel; }

# bats test_tags=task:4,points:2
@test "sum_parallel stays inside its array and has no races" {
  sanitized sum_parallel tsan
  sanitized sum_parallel asan
}

# bats test_tags=task:4,points:1
@test "sum_parallel makes use of all cores" {
  all_cores sum_parallel
  cores_are_free sum_parallel
  faster sum_parallel all-cores
}

# bats test_tags=task:0,points:1
@test "matmul_blocked is right for every shape" { right matmul_blocked; }

# bats test_tags=task:0,points:1
@test "matmul_blocked stays inside its arrays and has no races" {
  sanitized matmul_blocked tsan
  sanitized matmul_blocked asan
}

# bats test_tags=task:0,points:1
@test "matmul_blocked beats row by row on all cores" {
  all_cores matmul_blocked
  faster matmul_blocked all-cores
}

# bats test_tags=task:0,points:1
@test "matmul_blocked beats row by row on all cores, and excellently so" {
  all_cores matmul_blocked
  excellent matmul_blocked all-cores
}
