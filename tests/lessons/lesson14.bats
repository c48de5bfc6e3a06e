#!/usr/bin/env bats
# The checks of lesson14 against mistakes that learners make, correct answers in unusual style, and the
# starter, on the CPU backend. And the school: its digits, its files, its checkpoints.

export LESSON=lesson14 KINDS=cpu
load lesson_helper

@test "the starter compiles without a warning and fails every task" { starter_fails_every_task; }

# bats test_tags=slow
@test "reports that each step moves by the gradients of the step before" { mistake adam-before-backward; }

# bats test_tags=slow
@test "reports that the bias is added after max(0, ...)" { mistake bias-after-relu; }

# bats test_tags=slow
@test "reports that atomics add to gradients that nothing set to 0" { mistake bias-gradient-not-zeroed; }

# bats test_tags=slow
@test "reports that a bias gradient is that of the first image" { mistake bias-gradient-of-one-row; }

# bats test_tags=slow
@test "reports that all rows of threads add to a bias gradient without an order" {
  mistake bias-gradient-races
}

# bats test_tags=slow
@test "reports that after an error the capture is not ended" { mistake capture-left-open; }

# bats test_tags=slow
@test "reports that each step is captured and instantiated anew, with an allocation" {
  mistake captured-each-step
}

# bats test_tags=slow
@test "reports that 1e-8 is added before the root is divided" { mistake epsilon-before-the-division; }

# bats test_tags=slow
@test "reports that 1e-8 is added within the root" { mistake epsilon-in-the-root; }

# bats test_tags=slow
@test "reports that the first step is number 0, so the division is by 0" { mistake first-step-is-0; }

# bats test_tags=slow
@test "reports that the slopes of the logits take the place of the probabilities" {
  mistake forward-states-overwritten
}

# bats test_tags=slow
@test "reports that the library adds the product to what the gradients held" { mistake gradients-added; }

# bats test_tags=slow
@test "reports that the executable graph is not destroyed" { mistake graph-never-destroyed; }

# bats test_tags=slow
@test "reports that each lane subtracts its own maximum" { mistake largest-of-a-lane; }

# bats test_tags=slow
@test "reports that one maximum serves all rows of the batch" { mistake largest-of-the-batch; }

# bats test_tags=slow
@test "reports that the loss is the logarithm of the probability" { mistake log-of-the-probability; }

# bats test_tags=slow
@test "reports that the host reads the loss after each step" { mistake loss-fetched-each-step; }

# bats test_tags=slow
@test "reports that a loss is the sum of those of the batch" { mistake losses-summed; }

# bats test_tags=slow
@test "reports that the mean is taken over this batch, and not over of images" {
  mistake mean-over-the-batch
}

# bats test_tags=slow
@test "reports that the moments are not divided by 1 - 0.9^t and 1 - 0.999^t" {
  mistake moments-not-corrected
}

# bats test_tags=slow
@test "reports that the host launches each kernel of each step" { mistake no-graph; }

# bats test_tags=slow
@test "reports that exp takes the logits as they are" { mistake no-largest-subtracted; }

# bats test_tags=slow
@test "reports that cudaMemset sets the bytes of a vector of ones to 1" { mistake ones-by-memset; }

# bats test_tags=slow
@test "reports that the powers are computed in double" { mistake powers-in-double; }

# bats test_tags=slow
@test "reports that the hidden numbers keep their sign" { mistake relu-forgotten; }

# bats test_tags=slow
@test "reports that each step takes the first images of the order" { mistake same-images-each-step; }

# bats test_tags=slow
@test "reports that slopes pass through hidden numbers that are 0" { mistake slopes-not-masked; }

# bats test_tags=slow
@test "reports that the step is counted before it is used" { mistake step-counted-first; }

# bats test_tags=slow
@test "reports that a thread counts the step while others read it" { mistake step-counted-in-the-kernel; }

# bats test_tags=slow
@test "reports that the gradients are sums, not means" { mistake sum-of-the-batch; }

@test "bias gradients by atomics lose no point" {
  right_answer bias-gradients-by-atomics.cu && full_marks bias-gradients-by-atomics.cu
}

# bats test_tags=slow
@test "a graph with two branches loses no point" {
  right_answer branches-in-the-graph.cu && full_marks branches-in-the-graph.cu
}

# bats test_tags=slow
@test "hidden slopes by a kernel of its own, without the library, lose no point" {
  right_answer hidden-slopes-by-a-kernel.cu && full_marks hidden-slopes-by-a-kernel.cu
}

# bats test_tags=slow
@test "one graph of all steps loses no point" {
  right_answer one-graph-of-all-steps.cu && full_marks one-graph-of-all-steps.cu
}

# bats test_tags=slow
@test "a thread for each row, softmax in one pass, and a first step without the graph lose no point" {
  right_answer rows-by-threads.cu && full_marks rows-by-threads.cu
}

@test "every mistake and every correct answer has a test" { each_is_tested; }
