#!/usr/bin/env python3
"""The work of lessons 11 and 12 in PyTorch, CuPy and JAX, and by the reference solutions, on one GPU.

    tests/jobs/gpu/beside/libraries.py [--json FILE] [--only LIBRARY,...] [--small]

As beside.py, whose clock, table and options it uses: matrix products by a library, and a polynomial whose
coefficients are constants of a kernel that is compiled at run time, in the first call.
"""
import ctypes, math, os, pathlib, shutil, subprocess, sys, tempfile

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import beside

PRODUCT, TF32, SPLIT, BATCH, SPECIAL = range(5)
beside.__file__ = __file__
beside.WORK = ["product of 4096^2 floats", "the same with TF32 inputs", "float's accuracy from tensor cores",
               "one matrix of 150 x 100 by 10 vectors",
               "polynomial of degree 64, compiled at run time, 2^24 floats"]
beside.SIZE = [4096, 4096, 4096, 10, 1 << 24]
beside.SMALL = [256, 256, 256, 10, 1 << 14]
beside.ARRAYS = 5
beside.BYTES = [0, 0, 0, 0, 8]
del beside.LIBRARIES["numba"]  # it has no products by a library
ROWS, TERMS, DEGREE = 150, 100, 64
COEFFICIENTS = [math.cos(k) for k in range(DEGREE + 1)]
ERROR = [2**-17, 2**-8, 2**-17, 2**-17, 1e-5]  # of the sum of all terms' sizes


def inputs(w, n, numpy):
    """A and B of a product, or x of the polynomial: the same for all libraries."""
    r = numpy.random.default_rng(w)
    if w == SPECIAL:
        return [r.random(n, dtype=numpy.float32) * 2 - 1]
    shapes = [(ROWS, TERMS), (n, TERMS, 1)] if w == BATCH else [(n, n), (n, n)]
    return [r.random(s, dtype=numpy.float32) * 2 - 1 for s in shapes]


def wrong(w, xs, ys):
    """Looks at the first eight results in double. xs: the arrays of inputs()."""
    import numpy
    if w == SPECIAL:
        x = xs[0][:8].astype(float)
        right, size = numpy.zeros(8), numpy.zeros(8)
        for c in reversed(COEFFICIENTS):
            right, size = right * x + c, size * abs(x) + abs(c)
    else:
        a, b = xs[0].astype(float), xs[1].astype(float)
        b = b[0] if w == BATCH else b
        right = (a[:8] @ b[:, 0]) if w == BATCH else a[0] @ b[:, :8]
        size = (abs(a[:8]) @ abs(b[:, 0])) if w == BATCH else abs(a[0]) @ abs(b[:, :8])
    for y, want, allowed in zip(ys, right, size * ERROR[w]):
        if not abs(y - want) <= allowed:
            return f"got {y}, expected {want}"
    return None


def horner(x, multiply_add=lambda s, x, c: s * x + c):
    total = COEFFICIENTS[DEGREE]
    for c in reversed(COEFFICIENTS[:DEGREE]):
        total = multiply_add(total, x, c)
    return total


def torch_library(n):
    import numpy, torch
    lib = beside.torch_library(n)
    host = lib.x = lambda w: inputs(w, n[w], numpy)

    def ways(w, x):
        torch.backends.cuda.matmul.allow_tf32 = w == TF32  # of the whole process
        x = [torch.from_numpy(v).cuda() for v in x]
        if w == SPECIAL:
            fused = torch.compile(horner)
            return {"torch.compile": lambda: fused(x[0])}
        if w == SPLIT:
            return {}
        if w == BATCH:
            f = torch.vmap(torch.mv, (None, 0))
            vectors = x[1][:, :, 0].contiguous()
            return {"torch.vmap": lambda: f(x[0], vectors)}
        return {"torch": lambda: x[0] @ x[1]}
    lib.ways = ways
    return lib


def cupy_library(n):
    import cupy as cp, numpy
    lib = beside.cupy_library(n)
    lib.x = lambda w: inputs(w, n[w], numpy)

    def ways(w, x):
        x = [cp.asarray(v) for v in x]
        if w == SPECIAL:
            y = cp.empty_like(x[0])
            kernel = cp.RawKernel(kernel_text(), "map")

            def run():
                kernel(((n[w] + 255) // 256,), (256,), (x[0], y, cp.uint64(n[w])))
                return y
            return {"cupy RawKernel": run}
        return {} if w in (TF32, SPLIT) else {"cupy": lambda: cp.matmul(x[0], x[1])}
    lib.ways = ways
    return lib


def jax_library(n):
    lib = beside.jax_library(n)
    import jax, jax.numpy as jnp, numpy
    lib.x = lambda w: inputs(w, n[w], numpy)

    def ways(w, x):
        x = [jax.device_put(v) for v in x]
        if w == SPECIAL:
            f = jax.jit(lambda x: horner(x, lambda s, x, c: s * x + numpy.float32(c)))
            return {"jax.jit": lambda: f(x[0])}
        if w == SPLIT:
            return {}
        if w == BATCH:
            f = jax.jit(jax.vmap(lambda a, v: jnp.dot(a, v, precision="highest"), (None, 0)))
            return {"jax.jit(vmap)": lambda: f(x[0], x[1])}
        f = jax.jit(lambda a, b: jnp.dot(a, b, precision="tensorfloat32" if w == TF32 else "highest"))
        return {"jax.jit": lambda: f(*x)}
    lib.ways = ways
    return lib


def kernel_text():
    lines = "".join(f"  s = fmaf(s, v, {c!r}f);\n" for c in reversed(COEFFICIENTS[:DEGREE]))
    return ('extern "C" __global__ void map(const float *x, float *y, size_t n) {\n'
            "  const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;\n  if (i >= n) return;\n"
            f"  const float v = x[i];\n  float s = {COEFFICIENTS[DEGREE]!r}f;\n{lines}  y[i] = s;\n}}\n")


def build(lesson, name, *libraries):
    """The reference solution as a shared library."""
    nvcc = shutil.which(os.environ.get("NVCC", "nvcc")) or shutil.which("/usr/local/cuda/bin/nvcc")
    if not nvcc:
        raise ImportError("nvcc")
    out = f"{tempfile.mkdtemp()}/{name}.so"
    subprocess.run([nvcc, "-O3", "-std=c++17", "-arch=native", "-shared", "-Xcompiler", "-fPIC", "-cudart",
                    "shared", "-I", beside.ROOT / "lessons" / lesson, "-o", out,
                    beside.ROOT / "solutions" / lesson / f"{name}.cu", *libraries], check=True)
    return ctypes.CDLL(out)


def workbook_library(n):
    import numpy
    products, jit, lib = build("lesson11", "cublas", "-lcublas"), build("lesson12", "jit", "-lnvrtc", "-lcuda"), \
        beside.Library()
    pointer, number = ctypes.c_void_p, ctypes.c_int
    lib.version, lib.x = "", lambda w: inputs(w, n[w], numpy)

    def ok(status):
        if status:
            raise RuntimeError(f"error {status}")

    def make():
        event = pointer()
        ok(products.cudaEventCreate(ctypes.byref(event)))
        return event

    def elapsed(a, b):
        ms = ctypes.c_float()
        ok(products.cudaEventElapsedTime(ctypes.byref(ms), a, b))
        return ms.value
    lib.batch = lib.by_events(make, lambda e: ok(products.cudaEventRecord(e, None)),
                              lambda e: ok(products.cudaEventSynchronize(e)), elapsed)

    def room(count, values=None):
        at = pointer()
        ok(products.cudaMalloc(ctypes.byref(at), ctypes.c_size_t(4 * count)))
        if values is not None:
            ok(products.cudaMemcpy(at, values.ctypes.data_as(pointer), ctypes.c_size_t(values.nbytes), 1))
        return at

    def values(y):
        some = (ctypes.c_float * 8)()
        ok(products.cudaMemcpy(some, y, ctypes.c_size_t(32), 2))
        return list(some)
    lib.values = values
    handle = pointer()
    ok(products.cublasCreate_v2(ctypes.byref(handle)))

    def special(x, y, count):
        module, log = pointer(), ctypes.create_string_buffer(1000)

        def run():
            if not module:
                ok(jit.compile_module(kernel_text().encode(), None, 0, ctypes.byref(module), log,
                                      ctypes.c_size_t(1000)))
            ok(jit.launch_map(module, x, y, ctypes.c_size_t(count)))
            return y
        return run

    def ways(w, x):
        a, size = room(x[0].size, x[0]), n[w]
        if w == SPECIAL:
            return {"workbook": special(a, room(size), size)}
        b, c, work = room(x[1].size, x[1]), room(max(size * size, ROWS * size)), room(4 * size * size)
        if w == BATCH:
            def run():
                ok(products.gemm_batch(handle, None, ROWS, 1, TERMS, size, a, ctypes.c_longlong(0), b,
                                       ctypes.c_longlong(TERMS), c, ctypes.c_longlong(ROWS)))
                return c
            return {"workbook gemm_batch": run}

        def gemm():
            ok(products.gemm(handle, None, size, size, size, a, size, b, size, c, size))
            return c

        def loose():
            ok(products.gemm_to(handle, None, ctypes.c_double(2**-9), size, size, size, a, b, c, work))
            return c

        def split():
            ok(products.gemm_split(handle, None, size, size, size, a, b, c, work))
            return c

        def tensor():
            ok(products.gemm_tensor(None, size, size, size, a, b, c))
            return c
        return [{"workbook gemm": gemm}, {"workbook gemm_to": loose},
                {"workbook gemm_split": split, "workbook gemm_tensor": tensor}][w]
    lib.ways = ways
    return lib


beside.MAKE = {"workbook": workbook_library, "torch": torch_library, "cupy": cupy_library, "jax": jax_library}
beside.judge = lambda lib, w, x, call, result: wrong(w, x, lib.values(result))

if __name__ == "__main__":
    sys.exit(beside.main())
