#!/usr/bin/env python3
"""The problem of lesson08 (256 x 256 cells, double, tolerance 1e-4) in NumPy, CuPy, Numba, PyTorch and JAX,
and by the reference solution, on one machine.

    tests/jobs/gpu/beside/plate.py [--only LIBRARY,...] [--side N]

Prints a table with the code of a sweep in each library, and a sentence for each library that is missing.
Each runs in a process of its own. A time is that of one whole call by the wall clock, result on the host
included, after a call of a few sweeps; the median of five where a call takes under a second. A row whose
number of sweeps or middle cell is not that of most rows says so.
Exit status: 0; 1 a library failed or was wrong; 2 usage.
"""
import argparse, ctypes, json, os, pathlib, platform, shutil, statistics, subprocess, sys, tempfile, time

ROOT = pathlib.Path(__file__).resolve().parents[4]
TOLERANCE, MOST, STRENGTH = 1e-4, 100000, 10000.0
SLICES = "q[1:-1, 1:-1] = (p[:-2, 1:-1] + p[2:, 1:-1] + p[1:-1, :-2] + p[1:-1, 2:] + f[1:-1, 1:-1]) / 4"


def by_slices(np, f, norm, value):
    """solve(every, most) for a library with NumPy's slices. Returns sweeps, change, middle cell."""
    def solve(every, most):
        p, q = np.zeros_like(f), np.zeros_like(f)
        for sweep in range(1, most + 1):
            q[1:-1, 1:-1] = (p[:-2, 1:-1] + p[2:, 1:-1] + p[1:-1, :-2] + p[1:-1, 2:] + f[1:-1, 1:-1]) / 4
            if sweep % every == 0 or sweep == most:
                change = value(norm(q - p))
                if change < TOLERANCE or sweep == most:
                    return sweep, change, value(q[len(f) // 2, len(f) // 2])
            p, q = q, p
    return solve


def source(n):
    import numpy
    f = numpy.zeros((n, n))
    f[n // 2, n // 2] = STRENGTH / n / n
    return f


def numpy_way(n):
    import numpy
    return "NumPy", numpy.__version__, SLICES, by_slices(numpy, source(n), numpy.linalg.norm, float)


def cupy_way(n):
    import cupy
    return "CuPy", cupy.__version__, SLICES, by_slices(cupy, cupy.asarray(source(n)), cupy.linalg.norm, float)


def torch_way(n):
    import torch
    f = torch.from_numpy(source(n)).cuda()
    return "PyTorch", torch.__version__, SLICES, by_slices(torch, f, torch.linalg.norm, float)


def jax_way(n):
    import jax
    import jax.numpy as jnp
    jax.config.update("jax_enable_x64", True)
    if jax.default_backend() != "gpu":
        raise ImportError("jax without CUDA")
    f = jax.device_put(source(n))

    def sweep(_, p):
        inner = (p[:-2, 1:-1] + p[2:, 1:-1] + p[1:-1, :-2] + p[1:-1, 2:] + f[1:-1, 1:-1]) / 4
        return p.at[1:-1, 1:-1].set(inner)

    def make(every):
        def more(state):
            done, change, p, most = state
            before = jax.lax.fori_loop(0, every - 1, sweep, p)
            after = sweep(0, before)
            return done + every, jnp.linalg.norm(after - before), after, most

        def go(state):
            return (state[1] >= TOLERANCE) & (state[0] < state[3])
        return jax.jit(lambda most: jax.lax.while_loop(go, more, (0, jnp.inf, jnp.zeros_like(f), most)))
    made = {}

    def solve(every, most):
        done, change, p, _ = made.setdefault(every, make(every))(most)
        return int(done), float(change), float(p[n // 2, n // 2])
    return ("JAX, one jit of the whole loop", jax.__version__,
            "p.at[1:-1, 1:-1].set((p[:-2, 1:-1] + p[2:, 1:-1] + p[1:-1, :-2] + p[1:-1, 2:] + f[1:-1, 1:-1]) / 4)", solve)


def numba_way(n):
    import numpy
    if not hasattr(numpy, "row_stack"):  # some releases of numba-cuda still call it
        numpy.row_stack = numpy.vstack
    import numba
    from numba import cuda
    d_f, zero, total = cuda.to_device(source(n)), numpy.zeros(1), cuda.device_array(1)

    @cuda.jit
    def sweep(p, q, f):
        x, y = cuda.grid(2)
        if 0 < y < p.shape[0] - 1 and 0 < x < p.shape[1] - 1:
            q[y, x] = (p[y - 1, x] + p[y + 1, x] + p[y, x - 1] + p[y, x + 1] + f[y, x]) / 4

    @cuda.jit
    def squares(p, q, total):
        part, t = cuda.shared.array(256, numba.float64), cuda.threadIdx.x
        y, own = cuda.blockIdx.x, 0.0
        for x in range(t, p.shape[1], 256):
            own += (q[y, x] - p[y, x]) ** 2
        part[t] = own
        half = 128
        while half > 0:
            cuda.syncthreads()
            if t < half:
                part[t] += part[t + half]
            half //= 2
        if t == 0:
            cuda.atomic.add(total, 0, part[0])

    def solve(every, most):
        p, q = cuda.to_device(numpy.zeros((n, n))), cuda.to_device(numpy.zeros((n, n)))
        blocks = ((n + 31) // 32, (n + 7) // 8)
        for done in range(1, most + 1):
            sweep[blocks, (32, 8)](p, q, d_f)
            if done % every == 0 or done == most:
                total.copy_to_device(zero)
                squares[n, 256](p, q, total)
                change = total.copy_to_host()[0] ** 0.5
                if change < TOLERANCE or done == most:
                    return done, change, q.copy_to_host()[n // 2, n // 2]
            p, q = q, p
    return ("Numba, two kernels", numba.__version__,
            "q[y, x] = (p[y - 1, x] + p[y + 1, x] + p[y, x - 1] + p[y, x + 1] + f[y, x]) / 4", solve)


class Plate(ctypes.Structure):
    _fields_ = [("rows", ctypes.c_int), ("cols", ctypes.c_int), ("source_row", ctypes.c_int),
                ("source_col", ctypes.c_int), ("strength", ctypes.c_double)]


class Stopping(ctypes.Structure):
    _fields_ = [("tolerance", ctypes.c_double), ("check_every", ctypes.c_int), ("most", ctypes.c_int)]


class Outcome(ctypes.Structure):
    _fields_ = [("sweeps", ctypes.c_int), ("change", ctypes.c_double)]


def workbook_way(n):
    nvcc = shutil.which(os.environ.get("NVCC", "nvcc")) or shutil.which("/usr/local/cuda/bin/nvcc")
    if not nvcc:
        raise ImportError("nvcc")
    out = f"{tempfile.mkdtemp()}/jacobi.so"
    subprocess.run([nvcc, "-O3", "-std=c++17", "-arch=native", "-shared", "-Xcompiler", "-fPIC", "-cudart", "shared",
                    "-I", ROOT / "lessons/lesson08", "-o", out, *sorted((ROOT / "solutions/lesson08").glob("*.cu"))],
                   check=True)
    library, room = ctypes.CDLL(out), ctypes.c_size_t(8 * n * n)
    commit = subprocess.run(["git", "-C", ROOT, "rev-parse", "--short", "HEAD"], capture_output=True, text=True)

    def ok(status):
        if status:
            raise RuntimeError(f"CUDA error {status}")
    d_p, d_work = ctypes.c_void_p(), ctypes.c_void_p()
    for d in (d_p, d_work):
        ok(library.cudaMalloc(ctypes.byref(d), room))

    def solve(every, most):
        reached, middle = Outcome(), ctypes.c_double()
        ok(library.cudaMemset(d_p, 0, room))
        ok(library.solve(d_p, d_work, Plate(n, n, n // 2, n // 2, STRENGTH / n / n), Stopping(TOLERANCE, every, most),
                         ctypes.byref(reached)))
        ok(library.cudaMemcpy(ctypes.byref(middle), ctypes.c_void_p(d_p.value + 8 * (n // 2 * n + n // 2)),
                              ctypes.c_size_t(8), 2))
        return reached.sweeps, reached.change, middle.value
    return "this workbook, solve", commit.stdout.strip(), "solve(d_p, d_work, plate, stop, &reached)", solve


WAYS = {"numpy": numpy_way, "cupy": cupy_way, "numba": numba_way, "torch": torch_way, "jax": jax_way,
        "workbook": workbook_way}


def run(name, n):
    """In a process of its own: prints a line of JSON."""
    try:
        way, version, code, solve = WAYS[name](n)
        line = {"name": name, "way": way, "version": version, "code": code, "ms": {}}
        for every in (1, 100):
            solve(every, 2 * every)
            times, result = [], None
            while not times or (len(times) < 5 and times[0] < 1000):
                start = time.perf_counter()
                result = solve(every, MOST)
                times.append(1e3 * (time.perf_counter() - start))
            line["ms"][every] = statistics.median(times)
            line["results"] = line.get("results", []) + [(result[0], round(result[2], 8))]
        print(json.dumps(line))
    except ImportError as error:
        print(json.dumps({"name": name, "missing": str(error)}))


def main():
    parse = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parse.add_argument("--only", default=",".join(WAYS))
    parse.add_argument("--side", type=int, default=256)
    parse.add_argument("--run", help=argparse.SUPPRESS)
    given = parse.parse_args()
    if given.run:
        return run(given.run, given.side)
    unknown = set(given.only.split(",")) - set(WAYS)
    if unknown:
        parse.error(f"no library {', '.join(sorted(unknown))}; there are {', '.join(WAYS)}")
    lines, failed = [], False
    for name in given.only.split(","):
        done = subprocess.run([sys.executable, __file__, "--run", name, "--side", str(given.side)],
                              stdout=subprocess.PIPE, text=True)
        if done.returncode or not done.stdout.strip():
            failed, line = True, {"name": name, "missing": f"it ended with status {done.returncode}"}
        else:
            line = json.loads(done.stdout.splitlines()[-1])
        lines.append(line)
        print(f"{name}: done", file=sys.stderr)
    rows = sorted((l for l in lines if "ms" in l), key=lambda l: l["ms"]["1"])
    print("| with | ms, tested after each sweep | ms, tested after each 100 | sweeps | a sweep |\n|---|---|---|---|---|")
    most = statistics.mode(str(r["results"]) for r in rows) if rows else ""
    for r in rows:
        sweeps = ", ".join(str(s) for s, _ in r["results"])
        if str(r["results"]) != most:
            failed = True
            print(f"| {r['way']} {r['version']} | others differ: {r['results']} | | {sweeps} | `{r['code']}` |")
        else:
            print(f"| {r['way']} {r['version']} | {r['ms']['1']:.1f} | {r['ms']['100']:.1f} | {sweeps} | `{r['code']}` |")
    print()
    for l in lines:
        if "missing" in l:
            print(f"{l['name']} is missing: {l['missing']}.")
    gpu = subprocess.run(["nvidia-smi", "--query-gpu=name,driver_version", "--format=csv,noheader"],
                         stdout=subprocess.PIPE, text=True).stdout.splitlines() if shutil.which("nvidia-smi") else []
    print(f"Device: {gpu[0].replace(', ', ', driver ') if gpu else 'no GPU'}; NumPy on {os.cpu_count()} cores of {platform.machine()}. "
          f"{time.strftime('%Y-%m-%dT%H:%M:%SZ', time.gmtime())}.")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
