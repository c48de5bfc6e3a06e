#!/usr/bin/env python3
"""A step of lesson14's training in PyTorch: eager, with a fused Adam, and as a CUDA graph; the network of two layers,
784-512-10, and that of going further, with two convolutions, the latter also on two GPUs: by DistributedDataParallel, and
as a graph with one all-reduce of all gradients.

    tests/jobs/gpu/beside/training.py

Prints a table. All images are on the device; a step gathers a batch, and keeps its loss on the device. Products are
in float32 (no TF32). A time is the median of 9 batches of 200 steps, by CUDA events, after a warm-up. The same by the
reference solution: tests/jobs/gpu/scaling14.cu.
"""
import os, statistics, subprocess, time
import torch
import torch.distributed as dist
import torch.nn.functional as F

STEPS, IMAGES, RANKS = 200, 10000, 2


def layers():
    torch.manual_seed(1)
    return torch.nn.Sequential(torch.nn.Linear(784, 512), torch.nn.ReLU(), torch.nn.Linear(512, 10)).cuda()


def convolutions():
    torch.manual_seed(1)
    nn = torch.nn
    return nn.Sequential(nn.Unflatten(1, (1, 28, 28)), nn.Conv2d(1, 32, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2),
                         nn.Conv2d(32, 64, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2), nn.Flatten(),
                         nn.Linear(3136, 128), nn.ReLU(), nn.Linear(128, 10)).cuda()


def flatten_gradients(model):
    """All gradients become parts of one array, which is returned."""
    parameters = list(model.parameters())
    flat, at = torch.zeros(sum(p.numel() for p in parameters), device="cuda"), 0
    for p in parameters:
        p.grad = flat[at:at + p.numel()].view_as(p)
        at += p.numel()
    return flat


def stepper(model, batch, flat=None, **adam):
    """Returns a function that makes one step of training; with `flat`, gradients are averaged over the ranks."""
    images, labels = torch.rand(IMAGES, 784, device="cuda"), torch.randint(10, (IMAGES,), device="cuda")
    order = torch.randint(IMAGES, (STEPS, batch), device="cuda")
    done, losses = torch.zeros(1, dtype=torch.long, device="cuda"), torch.zeros(STEPS, device="cuda")
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3, **adam)

    def step():
        chosen = order.index_select(0, done).view(-1)
        loss = F.cross_entropy(model(images.index_select(0, chosen)), labels.index_select(0, chosen))
        if flat is None:
            optimizer.zero_grad(set_to_none=not adam.get("capturable"))
        else:
            flat.zero_()
        loss.backward()
        if flat is not None:
            dist.all_reduce(flat, op=dist.ReduceOp.AVG)
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


def set_up():
    torch.backends.cuda.matmul.allow_tf32 = torch.backends.cudnn.allow_tf32 = False
    torch.backends.cudnn.benchmark = True


def rank_main(rank):
    """One of RANKS processes. The last call of NCCL in a graph can hang at the end: so it ends at once."""
    os.environ.update(MASTER_ADDR="127.0.0.1", MASTER_PORT="29514")
    torch.cuda.set_device(rank)
    set_up()
    dist.init_process_group("nccl", rank=rank, world_size=RANKS)
    model = convolutions()
    by_ddp = torch.nn.parallel.DistributedDataParallel(model, device_ids=[rank])
    times = [step_us(stepper(by_ddp, 64, fused=True))]
    model = convolutions()
    graph = graph_of(stepper(model, 64, flatten_gradients(model), fused=True, capturable=True))
    dist.barrier()
    times.append(step_us(graph))
    if rank == 0:
        print(f"| convolutions | DDP, Adam fused | {RANKS} | 64 each | {times[0]:.1f} |")
        print(f"| convolutions | CUDA graph, one all-reduce | {RANKS} | 64 each | {times[1]:.1f} |", flush=True)
    dist.barrier()
    torch.cuda.synchronize()
    os._exit(0)


def main():
    set_up()
    gpu = subprocess.run(["nvidia-smi", "--query-gpu=name,driver_version", "--format=csv,noheader"],
                         stdout=subprocess.PIPE, text=True).stdout.splitlines()[0]
    print(f"PyTorch {torch.__version__} on {gpu}, {time.strftime('%Y-%m-%d')}\n")
    print("| network | way | GPUs | batch | us a step |\n|---|---|---|---|---|")
    for name, network, batch in (("two layers", layers, 128), ("two layers", layers, 64),
                                 ("convolutions", convolutions, 64)):
        for way, adam in (("eager, Adam", {}), ("eager, Adam fused", {"fused": True})):
            print(f"| {name} | {way} | 1 | {batch} | {step_us(stepper(network(), batch, **adam)):.1f} |", flush=True)
        graph = graph_of(stepper(network(), batch, fused=True, capturable=True))
        print(f"| {name} | CUDA graph, Adam fused | 1 | {batch} | {step_us(graph):.1f} |", flush=True)
    if torch.cuda.device_count() >= RANKS:
        torch.multiprocessing.spawn(rank_main, nprocs=RANKS)


if __name__ == "__main__":
    main()
