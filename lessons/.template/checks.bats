# The checks of lessonNN, lesson_name. grader/README.md explains the verbs.

load ../lib/check

# bats test_tags=task:1,points:2
@test "saxpy is right at every size" { right saxpy; }

# bats test_tags=task:1,points:1
@test "saxpy makes no memory errors, no races" { clean saxpy memcheck initcheck racecheck; }

# bats test_tags=task:1,points:1
@test "saxpy returns the error of any call that fails" { failures saxpy; }

# TEMPLATE: was the lesson's idea used? Ask the counters or the timeline, not the source.
# bats test_tags=task:1,points:1
@test "saxpy is one launch, without copies of its own" {
  counter saxpy 'launches == 1 && copies == 0' \
    "It made {launches} launches. The arrays are on the device already: one launch is all."
}

# bats test_tags=task:1,points:2
@test "saxpy keeps up with the memory" { faster saxpy copy; }

# bats test_tags=task:1,points:1
@test "saxpy keeps up with the memory: excellent" { excellent saxpy copy; }
