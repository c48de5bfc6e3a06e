#!/usr/bin/env python3
"""A step of lesson14's training, 784-512-10, in PyTorch on one GPU: eager, with a fused Adam, and as a CUDA graph.

    tests/jobs/gpu/beside/training.py

Prints a table. All images are on the device; a step gathers a batch, and keeps its loss on the device. Products are
in float32 (no TF32). A time is the median of 9 batches of 200 steps, by CUDA events, after a warm-up. The same by the
reference solution: tests/jobs/gpu/scaling14.cu.
"""
import statistics, subprocess, time
import torch
import torch.nn.functional as F

STEPS, IMAGES = 200, 10000


def network():
    torch.manual_seed(1)
    return torch.nn.Sequential(torch.nn.Linear(784, 512), torch.nn.ReLU(), torch.nn.Linear(512, 10)).cuda()


def stepper(batch, **adam):
    """Returns a function that makes one step of training."""
    images, labels = torch.rand(IMAGES, 784, device="cuda"), torch.randint(10, (IMAGES,), device="cuda")
    order = torch.randint(IMAGES, (STEPS, batch), device="cuda")
    done, losses = torch.zeros(1, dtype=torch.long, device="cuda"), torch.zeros(STEPS, device="cuda")
    model = network()
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3, **adam)

    def step():
        chosen = order.index_select(0, done).view(-1)
        loss = F.cross_entropy(model(images.index_select(0, chosen)), labels.index_select(0, chosen))
        optimizer.zero_grad(set_to_none=not adam.get("capturable"))
        loss.backward()
        optimizer.step()
        losses.index_copy_(0, done, loss.detach().view(1))
        done.add_(1).remainder_(STEPS)
    return step


def graph_of(step):
    side = torch.cuda.Stream()
    side.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(side):
        for _ in range(3):
            step()
    torch.cuda.current_stream().wait_stream(side)
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        step()
    return graph.replay


def step_us(step):
    begin, end, times = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True), []
    for _ in range(10):
        begin.record()
        for _ in range(STEPS):
            step()
        end.record()
        end.synchronize()
        times.append(1e3 * begin.elapsed_time(end) / STEPS)
    return statistics.median(times[1:])


def main():
    torch.backends.cuda.matmul.allow_tf32 = False
    gpu = subprocess.run(["nvidia-smi", "--query-gpu=name,driver_version", "--format=csv,noheader"],
                         stdout=subprocess.PIPE, text=True).stdout.splitlines()[0]
    print(f"PyTorch {torch.__version__} on {gpu}, {time.strftime('%Y-%m-%d')}\n")
    print("| way | batch | us a step |\n|---|---|---|")
    for batch in (128, 64):
        print(f"| eager, Adam | {batch} | {step_us(stepper(batch)):.1f} |")
        print(f"| eager, Adam fused | {batch} | {step_us(stepper(batch, fused=True)):.1f} |")
        graph = graph_of(stepper(batch, fused=True, capturable=True))
        print(f"| CUDA graph, Adam fused | {batch} | {step_us(graph):.1f} |", flush=True)


if __name__ == "__main__":
    main()
