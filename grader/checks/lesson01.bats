# The checks of lesson01, loops: each is a sentence, a task and its points. grader/README.md explains the verbs.

load ../lib/check

# What all cores bring can't be seen where there is one.
several_cores() {
  local cores
  cores=$(jq '.runs.cpu.device.cpu_cores // 2' "$GRADER_FACTS")
  [ "$cores" -gt 1 ] || skip "not measured here: this machine has one core"
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
@test "matmul beats the loops in the order i, j, p" { faster matmul naive; }

# bats test_tags=task:2,points:1
@test "matmul beats the loops in the order i, j, p, and excellently so" { excellent matmul naive; }

# bats test_tags=task:3,points:2
@test "matmul_parallel is right for every shape" { right matmul_parallel; }

# bats test_tags=task:3,points:2
@test "matmul_parallel stays inside its arrays and has no races" {
  sanitized matmul_parallel tsan
  sanitized matmul_parallel asan
}

# bats test_tags=task:3,points:1
@test "matmul_parallel makes use of all cores" {
  several_cores
  faster matmul_parallel all-cores
}

# bats test_tags=task:3,points:1
@test "matmul_parallel makes use of all cores, and excellently so" {
  several_cores
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
  several_cores
  faster sum_parallel all-cores
}

# bats test_tags=task:0,points:1
@test "matmul_blocked is right for every shape, inside its arrays, without races" {
  right matmul_blocked
  sanitized matmul_blocked tsan
  sanitized matmul_blocked asan
}

# bats test_tags=task:0,points:1
@test "matmul_blocked beats row by row on all cores" { faster matmul_blocked all-cores; }

# bats test_tags=task:0,points:1
@test "matmul_blocked beats row by row on all cores, and excellently so" { excellent matmul_blocked all-cores; }
