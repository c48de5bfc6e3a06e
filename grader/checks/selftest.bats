# The checks of the self-test's exercise. grader/README.md explains the verbs.

load ../lib/check

# bats test_tags=task:1,points:1
@test "double_array is right at every size" { right double_array; }

# bats test_tags=task:1,points:1
@test "double_array makes no memory errors, no races" { clean double_array memcheck initcheck racecheck; }

# bats test_tags=task:1,points:1
@test "double_array runs on the GPU, and its speed can be measured" { faster double_array copy; }
