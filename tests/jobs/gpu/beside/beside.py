#!/usr/bin/env python3
"""The work of lessons 09 and 10 in PyTorch, CuPy, numba-cuda and JAX, and by the reference solutions, on
one GPU. libraries.py does the same for lessons 11 and 12.

    tests/jobs/gpu/beside/beside.py [--json FILE] [--only LIBRARY,...] [--small]

Prints a table, and a sentence for each library that is missing. Each library runs in a process of its
own. A time is the median of 15 batches of calls, after a warm-up, by CUDA events; for JAX, which has
none, by the wall clock around a batch and block_until_ready. The first call, compilation included, is
listed, too. Arrays stay on the device and, where they fit, in its caches. A result that is wrong is
reported as such. --json adds a line for each measurement to FILE; --small runs all of it at small sizes,
as a trial. Exit status: 0; 1 something failed or was wrong; 2 usage.

This folder is the one with programs in Python, since they time what users would take instead. Nothing
depends on them.
"""
import argparse, ctypes, importlib, json, math, os, pathlib, shutil
import statistics, subprocess, sys, tempfile, time

ROOT = pathlib.Path(__file__).resolve().parents[4]
LIBRARIES = {  # import name, how it is installed
    "workbook": (None, "needs nvcc"),
    "torch": ("torch", "pip install torch"),
    "cupy": ("cupy", "pip install cupy-cuda13x (or 12x)"),
    "numba": ("numba.cuda", "pip install numba-cuda[cu13] (or [cu12])"),
    "jax": ("jax", "pip install jax[cuda13] (or [cuda12])"),
}
WORK = ["sin of 1e9 floats", "cos^2 + sin^2 of 1e7 doubles", "SELU of 1e6 floats",
        "chain of three steps, 1e8 floats", "integral, 102400^2 points, double",
        "integral, 102400^2 points, float"]
SIZE = [10**9, 10**7, 10**6, 10**8, 102400, 102400]
SMALL = [10**6, 10**4, 10**3, 10**5, 2048, 2048]  # for a trial
ARRAYS = 4  # so many of them have input arrays
START = [0, 0, 50, 0]  # inputs are 0 to 100, less this
BYTES = [8, 16, 8, 8, 0, 0]  # for each element, read and written
SCALE, ALPHA = 1.0507009873554805, 1.6732632423543772
MEAN, GAIN, LOW, HIGH = 50.0, 0.1, -1.0, 3.0
A, B, D, SIDE = 1.0, 1.5, 0.25, math.pi  # sin(A x + B y + D) over SIDE x SIDE


def chain(x):
    return LOW + (HIGH - LOW) / (1 + math.exp(-(x - MEAN) * GAIN))


EXACT = [math.sin, lambda x: 1.0, lambda x: SCALE * (x if x > 0 else ALPHA * math.expm1(x)), chain]


def integral():
    def f(x, y):
        return math.sin(A * x + B * y + D)
    return -(f(SIDE, SIDE) - f(0, SIDE) - f(SIDE, 0) + f(0, 0)) / (A * B)


def wrong(work, xs, ys):
    """None, or how the results ys of the inputs xs are wrong."""
    for x, y in zip(xs, ys):
        want = EXACT[work](x) if work < 4 else integral()
        allowed = 1e-6 if work == 4 else 2e-2 if work == 5 else 2e-5
        if not abs(y - want) <= allowed * max(1, abs(want)):
            return f"got {y}, expected {want}"
    return None


def judge(lib, w, x, call, result):
    """As wrong(), of what a call returned."""
    ys = [v * getattr(call, "factor", 1) for v in lib.values(result)[:8 if w < 4 else 1]]
    return wrong(w, lib.values(x) if w < 4 else [0], ys)


def measure(call, batch_ms):
    """batch_ms(count) runs the call count times, and returns the milliseconds of all of them."""
    start = time.perf_counter()
    result = call()
    batch_ms(0)
    first = 1e3 * (time.perf_counter() - start)
    once = max(batch_ms(3) / 3, 1e-3)
    count = max(1, min(500, math.ceil(20 / once)))
    batch_ms(count)
    times = [batch_ms(count) / count for _ in range(15)]
    return result, {"median_ms": statistics.median(times), "min_ms": min(times), "max_ms": max(times),
                    "batches": 15, "calls": count, "first_ms": first}


class Library:
    """x(work) makes inputs, ways(work, x) gives {name: function of no arguments}, batch(call) a timer."""
    clock = "events"

    def by_events(self, make, record, wait, elapsed):
        def for_call(call):
            begin, end = make(), make()

            def batch(count):
                record(begin)
                for _ in range(count):
                    call()
                record(end)
                wait(end)
                return elapsed(begin, end)
            return batch
        return for_call


def torch_library(n):
    import torch
    import torch.nn.functional as F
    lib, on = Library(), {"device": "cuda"}
    lib.version = torch.__version__
    lib.batch = lib.by_events(lambda: torch.cuda.Event(enable_timing=True), lambda e: e.record(),
                              lambda e: e.synchronize(), lambda a, b: a.elapsed_time(b))
    lib.values = lambda y: y.reshape(-1)[:8].tolist()
    lib.x = lambda w: torch.rand(n[w], dtype=torch.float64 if w == 1 else torch.float32, **on) * 100 - START[w]

    def rows(x, y):
        return torch.sin(A * x[None, :] + (B * y[:, None] + D)).sum(dtype=torch.float64)

    def integrate(rows, kind, n):
        h = SIDE / n
        x = (torch.arange(n, dtype=torch.float64, **on) + 0.5).mul(h).to(kind)

        def run():
            total = torch.zeros((), dtype=torch.float64, **on)
            for part in x.split(1024):  # all points at once would need 84 GB
                total += rows(x, part)
            return total * h * h
        return run

    def ways(w, x):
        if w >= 4:
            kind = torch.float64 if w == 4 else torch.float32
            return {"torch": integrate(rows, kind, n[w]),
                    "torch.compile": integrate(torch.compile(rows), kind, n[w])}
        f = [torch.sin, lambda x: torch.cos(x) ** 2 + torch.sin(x) ** 2, F.selu,
             lambda x: LOW + (HIGH - LOW) * (1 / (1 + torch.exp(-((x - MEAN) * GAIN))))][w]
        found = {"torch": lambda: f(x)}
        if w in (1, 3):
            fused = torch.compile(f)
            found["torch.compile"] = lambda: fused(x)
        return found
    lib.ways = ways
    return lib


def cupy_library(n):
    import cupy as cp
    lib = Library()
    lib.version = cp.__version__
    lib.batch = lib.by_events(cp.cuda.Event, lambda e: e.record(), lambda e: e.synchronize(),
                              cp.cuda.get_elapsed_time)
    lib.values = lambda y: [float(v) for v in y.reshape(-1)[:8].get()]
    lib.x = lambda w: cp.random.random(n[w], dtype=cp.float64 if w == 1 else cp.float32) * 100 - START[w]
    elementwise = [None, "y = cos(x) * cos(x) + sin(x) * sin(x)",
                   f"y = {SCALE}f * (x > 0 ? x : {ALPHA}f * expm1f(x))",
                   f"y = {LOW}f + {HIGH - LOW}f / (1.0f + expf(-(x - {MEAN}f) * {GAIN}f))"]
    expression = [cp.sin, lambda x: cp.cos(x) ** 2 + cp.sin(x) ** 2,
                  lambda x: cp.float32(SCALE) * cp.where(x > 0, x, cp.float32(ALPHA) * cp.expm1(x)),
                  lambda x: LOW + (HIGH - LOW) * (1 / (1 + cp.exp(-((x - MEAN) * GAIN))))]

    def ways(w, x):
        if w >= 4:
            kind, h = (cp.float64, "double") if w == 4 else (cp.float32, "float"), SIDE / n[w]
            at = ((cp.arange(n[w]) + 0.5) * h).astype(kind[0])
            add = cp.ReductionKernel("T x, T y, T p, T q, T r", "float64 s", "(double)sin(p * x + (q * y + r))",
                                     "a + b", "s = a", "0", "integrate_" + kind[1], reduce_type="double")
            number = kind[0]
            return {"cupy ReductionKernel":
                    lambda: add(at[None, :], at[:, None], number(A), number(B), number(D)) * h * h}
        f = expression[w]
        found = {"cupy": lambda: f(x)}
        if elementwise[w]:
            kernel = cp.ElementwiseKernel("T x", "T y", elementwise[w], f"work{w}")
            found["cupy ElementwiseKernel"] = lambda: kernel(x)
        return found
    lib.ways = ways
    return lib


def numba_library(n):
    import numpy
    if not hasattr(numpy, "row_stack"):  # some releases of numba-cuda still call it
        numpy.row_stack = numpy.vstack
    import numba
    from numba import cuda
    lib = Library()
    lib.version = numba.__version__
    lib.batch = lib.by_events(lambda: cuda.event(timing=True), lambda e: e.record(), lambda e: e.synchronize(),
                              cuda.event_elapsed_time)
    lib.values = lambda y: [float(v) for v in y[:8].copy_to_host()]

    def inputs(w):
        kind = numpy.float64 if w == 1 else numpy.float32
        x = numpy.resize((numpy.random.default_rng(1).random(1 << 20) * 100 - START[w]).astype(kind), n[w])
        return cuda.to_device(x)
    lib.x = inputs
    f32 = numpy.float32
    one, scale, alpha, mean, gain, low, span = (f32(v) for v in (1, SCALE, ALPHA, MEAN, GAIN, LOW, HIGH - LOW))

    @cuda.jit
    def sine(x, y):
        for i in range(cuda.grid(1), x.size, cuda.gridsize(1)):
            y[i] = math.sin(x[i])

    @cuda.jit
    def squares(x, y):
        for i in range(cuda.grid(1), x.size, cuda.gridsize(1)):
            y[i] = math.cos(x[i]) ** 2 + math.sin(x[i]) ** 2

    @cuda.jit
    def selu(x, y):
        for i in range(cuda.grid(1), x.size, cuda.gridsize(1)):
            v = x[i]
            y[i] = scale * v if v > 0 else scale * alpha * math.expm1(v)

    @cuda.jit
    def three(x, y):
        for i in range(cuda.grid(1), x.size, cuda.gridsize(1)):
            y[i] = low + span / (one + math.exp(-(x[i] - mean) * gain))

    @cuda.jit
    def integrate(at, a, b, d, out):
        total = 0.0
        for j in range(cuda.blockIdx.x, at.size, cuda.gridDim.x):
            v = b * at[j] + d
            for i in range(cuda.threadIdx.x, at.size, cuda.blockDim.x):
                total += math.sin(a * at[i] + v)
        cuda.atomic.add(out, 0, total)

    def ways(w, x):
        if w >= 4:
            kind, h = (numpy.float64 if w == 4 else numpy.float32), SIDE / n[w]
            at = cuda.to_device(((numpy.arange(n[w]) + 0.5) * h).astype(kind))
            out = cuda.device_array(1, numpy.float64)
            zero = cuda.to_device(numpy.zeros(1))

            def run():
                out.copy_to_device(zero)
                integrate[4096, 256](at, kind(A), kind(B), kind(D), out)
                return out
            run.factor = h * h
            return {"numba": run}
        kernel, y = [sine, squares, selu, three][w], cuda.device_array_like(x)

        def run():
            kernel[4096, 256](x, y)
            return y
        return {"numba": run}
    lib.ways = ways
    return lib


def jax_library(n):
    os.environ.setdefault("XLA_PYTHON_CLIENT_PREALLOCATE", "false")
    import jax
    jax.config.update("jax_enable_x64", True)
    import jax.numpy as jnp
    if jax.default_backend() != "gpu":
        raise RuntimeError("jax is installed without CUDA: pip install jax[cuda13] (or [cuda12])")
    lib = Library()
    lib.version, lib.clock = jax.__version__, "wall"

    def for_call(call):
        def batch(count):
            start, result = time.perf_counter(), None
            for _ in range(count):
                result = call()
            jax.block_until_ready(call() if result is None else result)
            return 1e3 * (time.perf_counter() - start)
        return batch
    lib.batch = for_call
    lib.values = lambda y: [float(v) for v in y.reshape(-1)[:8]]
    kind = lambda w: jnp.float64 if w == 1 else jnp.float32
    lib.x = lambda w: jax.random.uniform(jax.random.key(1), (n[w],), kind(w)) * 100 - START[w]

    def ways(w, x):
        if w >= 4:
            h = SIDE / n[w]
            at = ((jnp.arange(n[w]) + 0.5) * h).astype(jnp.float64 if w == 4 else jnp.float32)
            run = jax.jit(lambda at: h * h * jnp.sum(jnp.sin(A * at[None, :] + (B * at[:, None] + D)),
                                                     dtype=jnp.float64))
            return {"jax.jit": lambda: run(at)}
        f = jax.jit([jnp.sin, lambda x: jnp.cos(x) ** 2 + jnp.sin(x) ** 2, jax.nn.selu,
                     lambda x: LOW + (HIGH - LOW) * (1 / (1 + jnp.exp(-((x - MEAN) * GAIN))))][w])
        return {"jax.jit": lambda: f(x)}
    lib.ways = ways
    return lib


class Problem(ctypes.Structure):
    _fields_ = [(name, ctypes.c_double) for name in ("a", "b", "c", "d", "x0", "x1", "y0", "y1")]


def workbook_library(n):
    """The reference solutions, compiled into shared libraries and called in the same way."""
    nvcc = shutil.which(os.environ.get("NVCC", "nvcc")) or shutil.which("/usr/local/cuda/bin/nvcc")
    if not nvcc:
        raise ImportError("nvcc")
    folder, built = tempfile.mkdtemp(), {}
    for lesson, name in (("lesson09", "elementwise"), ("lesson10", "integration")):
        subprocess.run([nvcc, "-O3", "-std=c++17", "-arch=native", "-shared", "-Xcompiler", "-fPIC",
                        "-cudart", "shared", "-I", ROOT / "lessons" / lesson, "-o", f"{folder}/{name}.so",
                        ROOT / "solutions" / lesson / f"{name}.cu"], check=True)
        built[name] = ctypes.CDLL(f"{folder}/{name}.so")
    rt, lib = built["elementwise"], Library()  # the symbols of libcudart, which it is linked with
    commit = subprocess.run(["git", "-C", ROOT, "rev-parse", "--short", "HEAD"], capture_output=True, text=True)
    lib.version = commit.stdout.strip()

    def ok(status):
        if status:
            raise RuntimeError(f"CUDA error {status}")

    def make():
        event = ctypes.c_void_p()
        ok(rt.cudaEventCreate(ctypes.byref(event)))
        return event

    def elapsed(a, b):
        ms = ctypes.c_float()
        ok(rt.cudaEventElapsedTime(ctypes.byref(ms), a, b))
        return ms.value
    lib.batch = lib.by_events(make, lambda e: ok(rt.cudaEventRecord(e, None)),
                              lambda e: ok(rt.cudaEventSynchronize(e)), elapsed)

    def room(count):
        at = ctypes.c_void_p()
        ok(rt.cudaMalloc(ctypes.byref(at), ctypes.c_size_t(count)))
        return at

    def copy(to, source, count, kind):
        ok(rt.cudaMemcpy(to, source, ctypes.c_size_t(count), kind))

    def inputs(w):
        if w >= 4:
            return None
        some = (ctypes.c_float * 1000)(*[(i * 0.6180339887 % 1) * 100 - START[w] for i in range(1000)])
        x = room(4 * n[w])
        done = min(1000, n[w]) * 4
        copy(x, some, done, 1)
        while done < 4 * n[w]:  # twice as much each time
            more = min(done, 4 * n[w] - done)
            copy(ctypes.c_void_p(x.value + done), x, more, 3)
            done += more
        return x
    lib.x = inputs

    def values(y):
        if isinstance(y, float):
            return [y]
        some = (ctypes.c_float * 8)()
        copy(some, y, 32, 2)
        return list(some)
    lib.values = values

    def ways(w, x):
        size, f = ctypes.c_size_t(n[w]), [rt.sin_map_float, None, rt.selu, rt.chain]
        if w in (1, 5):
            return {}
        if w == 4:
            fast, work, result = built["integration"].integrate_fast, room(8 << 20), ctypes.c_double()
            fast.argtypes = [Problem, ctypes.c_size_t, ctypes.c_size_t, ctypes.c_void_p, ctypes.c_void_p]

            def integrate():
                ok(fast(Problem(A, B, 1, D, 0, SIDE, 0, SIDE), n[w], n[w], ctypes.addressof(result), work))
                return result.value
            return {"workbook": integrate}
        y, more = room(4 * n[w]), [ctypes.c_float(v) for v in (MEAN, GAIN, LOW, HIGH)] if w == 3 else []

        def run():
            ok(f[w](x, y, size, *more))
            return y
        return {"workbook": run}
    lib.ways = ways
    return lib


MAKE = {"workbook": workbook_library, "torch": torch_library, "cupy": cupy_library, "numba": numba_library,
        "jax": jax_library}


def run_library(name, small):
    """In a process of its own: prints a line of JSON for each measurement."""
    module, install = LIBRARIES[name]
    say = lambda **fields: print(json.dumps({"library": name, **fields}), flush=True)
    n = SMALL if small else SIZE
    try:
        if module:
            importlib.import_module(module)
        lib = MAKE[name](n)
    except ImportError as error:
        return say(missing=f"{name} is missing ({error}): {install}")
    except Exception as error:
        return say(missing=f"{name} cannot be used here: {error}")
    for w, work in enumerate(WORK):
        try:
            x = lib.x(w) if w < ARRAYS else None
            for way, call in lib.ways(w, x).items():
                result, times = measure(call, lib.batch(call))
                say(work=work, way=way, version=lib.version, n=n[w], clock=lib.clock, wrong=judge(lib, w, x, call, result),
                    gb_per_s=BYTES[w] * n[w] / times["median_ms"] / 1e6 or None, **times)
        except Exception as error:
            say(work=work, way=name, failed=f"{type(error).__name__}: {error}".splitlines()[0][:200])


def table(lines):
    for work in WORK:
        rows = sorted((l for l in lines if l.get("work") == work), key=lambda l: l.get("median_ms", math.inf))
        if not rows:
            continue
        print(f"\n{work}\n\n| way | warm, ms | lowest to highest | first call, ms | GB/s | times the fastest |")
        print("|---|---|---|---|---|---|")
        for r in rows:
            if "failed" in r or r["wrong"]:
                why = f"failed: {r['failed']}" if "failed" in r else f"wrong: {r['wrong']}"
                print(f"| {r['way']} | {why} | | | | |")
            else:
                rate = f"{r['gb_per_s']:.0f}" if r["gb_per_s"] else ""
                print(f"| {r['way']} {r['version']} | {r['median_ms']:.4g} | "
                      f"{r['min_ms']:.4g} to {r['max_ms']:.4g} | {r['first_ms']:.4g} | {rate} | {r['median_ms'] / rows[0]['median_ms']:.3g} |")


def main():
    parse = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parse.add_argument("--json")
    parse.add_argument("--only", default=",".join(LIBRARIES))
    parse.add_argument("--small", action="store_true")
    parse.add_argument("--library", choices=LIBRARIES, help=argparse.SUPPRESS)
    given = parse.parse_args()
    if given.library:
        return run_library(given.library, given.small)
    names, lines = given.only.split(","), []
    if unknown := [name for name in names if name not in LIBRARIES]:
        parse.error(f"unknown: {', '.join(unknown)}. There are: {', '.join(LIBRARIES)}")
    for name in names:
        command = [sys.executable, __file__, "--library", name] + ["--small"] * given.small
        done = subprocess.run(command, stdout=subprocess.PIPE, text=True)
        found = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
        if done.returncode:
            found.append({"library": name, "missing": f"{name} ended with status {done.returncode}"})
        lines += found
        if given.json:
            with open(given.json, "a") as file:
                file.writelines(json.dumps(line) + "\n" for line in found)
    gpu = "a machine without nvidia-smi"
    if shutil.which("nvidia-smi"):
        asked = ["nvidia-smi", "--query-gpu=name,driver_version", "--format=csv,noheader"]
        gpu = subprocess.run(asked, stdout=subprocess.PIPE, text=True).stdout.strip()
    print(f"On {gpu}, {time.strftime('%Y-%m-%d')}")
    table(lines)
    print()
    for line in lines:
        if "missing" in line:
            print(line["missing"])
    return 1 if any("failed" in l or l.get("wrong") for l in lines) else 0


if __name__ == "__main__":
    sys.exit(main())
