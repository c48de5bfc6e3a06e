# The checks of lesson14, training. grader/README.md explains the verbs.
#
# Counters of forward and backward are recorded for a batch of 65 in a 40-48-10 network, those of adam for
# 2051 parameters, those of train for 50 steps of 33 images in a 20-17-10 network, those of train_cnn for 20
# steps of 10 images of 6 x 5 by three ranks.

load ../lib/check

# queues TASK: the caller's handle does the work, in float; nothing is allocated, and the host does not wait.
# The driver waits once for the stream.
queues() {
  counter "$1" 'handles_created == 0' \
    "It created {handles_created} handles of cuBLAS: use the one that it is given."
  counter "$1" 'device_allocations == 0' \
    "It made {device_allocations} allocations of device memory: the caller gives all that it needs."
  counter "$1" 'waits <= 1' "It waited {waits - 1} times for the device: queue the work and return."
  counter "$1" 'tf32_calls == 0' "It asked for TF32 inputs: compute in float."
  as_asked "$1"
  on_device "$1"
}

# by_library TASK NUMBER [SECTORS]: cuBLAS makes so many multiplications, and the answer is theirs. Kernels
# read no more than so many sectors: one that multiplies reads each number many times.
by_library() {
  counter "$1" "library_multiplications >= $2" \
    "Its calls of cuBLAS made {library_multiplications} multiplications, fewer than the $2 that the products \
take: the library multiplies."
  as_asked "$1" 'The products of cuBLAS are the answer.'
  [[ -z ${3-} ]] || counter "$1" "loaded_sectors <= $3" \
    "Its kernels read {loaded_sectors} sectors of 32 bytes, $3 are allowed: the library multiplies, \
kernels do the rest."
}

# by_a_graph TASK STEPS SECTORS REQUESTS: the graph's kernels do the steps. Others may prepare the first one,
# or do it: they touch no more than so many sectors, and make no more than so many requests, whatever the
# graph's kernels do.
by_a_graph() {
  counter "$1" "graph_launches <= 2 * $2 + 10" \
    "It launched {graph_launches} graphs in $2 steps: one graph holds a whole step."
  counter "$1" "global_sectors - graph_sectors <= $3 && ungraphed_requests <= $4" \
    "{global_sectors - graph_sectors} sectors were touched, and {ungraphed_requests} requests to memory \
made, by kernels that no graph launched, where $3 and $4 are allowed: let the graph do the step."
}

# on_device TASK: the host computes nothing.
on_device() {
  counter "$1" 'host_functions == 0' \
    "It queued functions for the host ({host_functions}): let the device do the work."
  stays "$1"
}

# bats test_tags=task:1,points:2
@test "forward is right for every shape, also with large logits" { right forward; }

# bats test_tags=task:1,points:1
@test "forward makes no memory errors, and all its work is in the given stream" {
  clean forward memcheck racecheck initcheck synccheck leakcheck
}

# bats test_tags=task:1,points:1
@test "forward returns the error of any call that fails" { failures forward; }

# bats test_tags=task:1,points:1
@test "forward is two products of the library and a few kernels" {
  counter forward 'library_calls >= 2 && launches >= 1 && library_calls + launches <= 7' \
    "It made {library_calls} calls of cuBLAS and {launches} launches: two products, a kernel for the bias \
and max(0, ...), and one for the rest are enough, 7 in all are allowed."
  by_library forward $((65 * 48 * (40 + 10))) 8000
  together forward 6000
  queues forward
}

# bats test_tags=task:1,points:1
@test "forward takes little longer than its products" { faster forward products; }

# bats test_tags=task:2,points:2
@test "backward is right for every shape, and for a batch that is part of a larger one" { right backward; }

# bats test_tags=task:2,points:2
@test "forward and backward give the slopes that differences of losses give" { right gradients; }

# bats test_tags=task:2,points:1
@test "backward makes no memory errors, no races, and all its work is in the given stream" {
  clean backward memcheck racecheck initcheck synccheck leakcheck
}

# bats test_tags=task:2,points:1
@test "backward returns the error of any call that fails" { failures backward; }

# bats test_tags=task:2,points:1
@test "backward is products of the library and a few kernels" {
  counter backward 'library_calls >= 2 && launches >= 1 && library_calls + launches <= 9' \
    "It made {library_calls} calls of cuBLAS and {launches} launches: three products and two kernels are \
enough, 9 in all are allowed."
  by_library backward $((65 * 48 * (40 + 10))) 30000
  together backward 6000
  queues backward
}

# bats test_tags=task:2,points:1
@test "backward takes little longer than its products" { faster backward products; }

# bats test_tags=task:3,points:2
@test "adam is right at every size, for the first step and for late ones" { right adam; }

# bats test_tags=task:3,points:1
@test "adam makes no memory errors and no races" { clean adam memcheck racecheck initcheck leakcheck; }

# bats test_tags=task:3,points:1
@test "adam returns the error of any call that fails" { failures adam; }

# bats test_tags=task:3,points:1
@test "adam goes through the parameters once" {
  counter adam 'launches >= 1 && launches <= 3 && library_calls == 0' \
    "It made {launches} launches and {library_calls} calls of libraries: one kernel does it, and one that \
counts the step."
  together adam 500
  queues adam
}

# bats test_tags=task:3,points:1
@test "adam computes in float" { in_float adam; }

# bats test_tags=task:3,points:1
@test "adam keeps up with the memory" { faster adam copy; }

# bats test_tags=task:4,points:3
@test "train gives the losses of 50 steps, and the state after them, as the reference does" { right train; }

# bats test_tags=task:4,points:1
@test "train makes no memory errors, no races, and frees what it allocates" {
  clean train memcheck racecheck initcheck synccheck leakcheck
}

# bats test_tags=task:4,points:1
@test "train returns the error of any call that fails, and releases everything" { failures train; }

# bats test_tags=task:4,points:2
@test "a graph repeats the step, without the host" {
  counter train 'graph_operations > 0' \
    "No graph was launched: capture one step, and let its graph repeat it."
  counter train 'copies <= 10' \
    "In 50 steps it made {copies} copies: gather the images by a kernel, and let losses stay on the device."
  counter train 'operations <= graph_operations + 60' \
    "In 50 steps the host queued {operations - graph_operations} kernels, products, copies and memsets \
itself: let a graph repeat the whole step."
  counter train 'operations - graph_operations <= graph_operations * 3 / 100 + 4' \
    "Of 50 steps the host queued more than one itself, {operations - graph_operations} kernels, products, \
copies and memsets: the graph repeats every step, also the last ones."
  counter train 'device_allocations <= 25' \
    "It made {device_allocations} allocations for 50 steps: allocate before the first step."
  counter train 'waits <= 6' \
    "In 50 steps the host waited {waits} times: nothing in a step needs the host. Wait once, at the end."
  counter train 'handles_created == 0' \
    "It created {handles_created} handles of cuBLAS: use the one that it is given."
  as_asked train
  counter train 'tf32_calls == 0' "It asked for TF32 inputs: compute in float."
  by_a_graph train 50 12000 12000 # four steps of the solution, two of one with a block for a row
  on_device train
}

# bats test_tags=task:4,points:1
@test "a step is at most 22 kernels and products" {
  together train
  counter train 'graph_operations <= 22 * 50' \
    "A step is {tenths: graph_operations * 10 / 50} kernels and products: the solution has 13. Which kernels \
read what the one before wrote, element by element? They can be one."
}

# bats test_tags=task:4,points:1
@test "train is faster than steps that the host launches kernel by kernel" { faster train unfused; }

# bats test_tags=task:4,points:1
@test "train comes near the products of its steps alone" { faster train products; }

# bats test_tags=task:5,points:3
@test "train_rank gives the same by one to four ranks, with unequal parts, and the same bits on all of them" {
  right train_rank
}

# 20 images on 3 ranks: the largest part is 7. Each image takes 884 multiplications in each of 10 steps;
# fewer if a kernel makes the slopes of the hidden numbers. The driver copies 4664 bytes to the devices, and
# 13980 back.
# bats test_tags=task:5,points:1
@test "each rank computes with its own images, and NCCL adds up their gradients" {
  as_asked train_rank 'What the other ranks compute is part of the answer.'
  counter train_rank 'busiest_product_percent <= 50 && busiest_percent <= 50' \
    "One of the three ranks makes {busiest_product_percent} % of the multiplications, and its kernels have \
{busiest_percent} % of the threads: let each rank take its part of each batch."
  counter train_rank 'library_multiplications <= 20 * 10 * 884 * 3 / 2' \
    "The ranks made {library_multiplications} multiplications, and the batches take 176800: each rank \
takes its own images only."
  counter train_rank 'library_read_bytes >= 46080' \
    "NCCL and cuBLAS read only {library_read_bytes} bytes; the gradients of three ranks in 10 steps are \
46080: let NCCL add them up."
  counter train_rank 'bytes_in <= 24000 && bytes_out <= 32000 && host_functions == 0' \
    "{bytes_out} bytes went to the host and {bytes_in} to the devices, where the results of the three ranks \
have 13980: let NCCL add up the gradients."
}

# bats test_tags=task:5,points:1
@test "train_rank makes no memory errors, no races, and frees what it allocates" {
  clean train_rank memcheck racecheck initcheck synccheck leakcheck
}

# bats test_tags=task:5,points:1
@test "train_rank returns the error of any call that fails" { failures train_rank; }

# bats test_tags=task:0,points:1
@test "conv_forward is right for images of any size, at their borders too" {
  right conv_forward
}

# bats test_tags=task:0,points:1
@test "conv_backward gives the slopes of the weights and of the images" {
  right conv_backward
}

# bats test_tags=task:0,points:1
@test "the convolutions make no memory errors, no races" {
  local task
  for task in conv_forward conv_backward; do
    clean $task memcheck racecheck initcheck synccheck leakcheck
  done
}

# bats test_tags=task:0,points:1
@test "a convolution is products of the library and a few kernels" {
  local task most products=$((14 * 14 * 30 * 9 * 5 * 6)) # of one of the three
  for task in conv_forward conv_backward; do
    right $task
    [[ $task == conv_forward ]] && most=24 || most=48 # the way back begins with the one forward
    counter $task "library_calls >= 1 && launches >= 1 && library_calls + launches <= $most" \
      "It made {library_calls} calls of cuBLAS and {launches} launches: one product forward and two back, \
and a kernel for each direction, are enough, and 24 in each direction are allowed: a product for each of the \
9 weights of a place, but none for each of the 30 images."
    together $task 6000
    queues $task
    failures $task
  done
  by_library conv_forward "$products"
  by_library conv_backward "$((2 * products))"
}

# bats test_tags=task:0,points:2
@test "cnn_forward and cnn_backward give the slopes that differences of losses give" {
  right cnn_backward
  by_library cnn_backward $((2 * (2 * 7 * 9 * 9 * 1 + 2 * 3 * 4 * 9 * 1 * 2)))
  on_device cnn_backward
}

# bats test_tags=task:0,points:1
@test "cnn_backward makes no memory errors, no races, and returns the error of any call that fails" {
  clean cnn_backward memcheck racecheck initcheck synccheck leakcheck
  failures cnn_backward
}

# bats test_tags=task:0,points:2
@test "train_cnn gives the losses of the reference, by one to four ranks, with the same bits on all of them" {
  right train_cnn
}

# bats test_tags=task:0,points:1
@test "train_cnn makes no memory errors, no races, and frees what it allocates" {
  clean train_cnn memcheck racecheck initcheck synccheck leakcheck
  failures train_cnn
}

# 10 images on 3 ranks: the largest part is 4. Each image takes 2247 multiplications in each of 20 steps; the
# gradients are 157 floats. 232 of the operations are the driver's, who copies the arrays to each device.
# bats test_tags=task:0,points:1
@test "a graph repeats the step of train_cnn, without the host, and each rank has its own images" {
  right train_cnn
  counter train_cnn 'graph_operations > 0' \
    "No graph was launched: capture one step, and let its graph repeat it."
  counter train_cnn 'graph_operations <= 120 * 20 * 3' \
    "A step of a rank is {tenths: graph_operations * 10 / 60} kernels and products: the solution has 31, and \
120 are allowed."
  counter train_cnn 'operations <= graph_operations + 232 + 180' \
    "In 20 steps the three ranks queued {operations - graph_operations - 232} kernels, products, copies and \
memsets themselves: let a graph repeat the whole step."
  counter train_cnn 'tf32_calls == 0' "It asked for TF32 inputs: compute in float."
  by_a_graph train_cnn 60 13000 13500 # four steps of the solution
  on_device train_cnn
  as_asked train_cnn 'What the other ranks compute is part of the answer.'
  counter train_cnn 'busiest_product_percent <= 50 && busiest_percent <= 50' \
    "One of the three ranks makes {busiest_product_percent} % of the multiplications, and its kernels have \
{busiest_percent} % of the threads: let each rank take its part of each batch."
  counter train_cnn 'library_multiplications <= 10 * 20 * 2247 * 3 / 2' \
    "The ranks made {library_multiplications} multiplications, and the batches take 449400: each rank \
takes its own images only."
  counter train_cnn 'library_read_bytes >= 37680' \
    "NCCL and cuBLAS read only {library_read_bytes} bytes; the gradients of three ranks in 20 steps are \
37680: let NCCL add them up."
}
