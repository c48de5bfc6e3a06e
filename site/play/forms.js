// The form and the texts of each interactive figure. fields: number {name, label, value, min, max, step},
// choice {…, options: [[value, words]]}, text {…, text: width}, slider {…, slider: true}; only: "field=value", the condition
// for showing it. buttons: {label, press} or {label, set}, see play.js.

const number = (name, label, value, min, max, more = {}) => ({ name, label, value, min, max, ...more });
const choice = (name, label, value, options, more = {}) => ({ name, label, value, options, ...more });
const flat = { only: "shape=1D" }, deep = { only: "shape=2D" }, own = { only: "blocks=own" };

export const forms = {
  grid: {
    title: "Grid explorer",
    description: "Choose a block and a grid, and see which thread processes which element, and which threads have nothing to do.",
    about: "Blue: a thread with an element. Dashed: a thread without one. A thick red dashed edge: elements that no thread processes. The thick box is the thread that you choose; the frame or the other colour is its warp.",
    tries: [
      "Set n to 1, 32 and 33 with blocks of 32. Then round the number of blocks down.",
      "In 2D, make a block 32 × 8, then 8 × 32. Where are the 32 threads of a warp?",
      "Find the thread that processes element 77. In which block is it, and at which place?",
    ],
    question: "You have 1000 elements and blocks of 256. How many blocks do you need, how many threads are idle, and how many threads of the last block have work?",
    answer: "4 blocks, 1024 threads, 24 of them idle; the last block has 232 threads at work. Rounded down it would be 3 blocks, and 232 elements would be left out.",
    fields: [
      choice("shape", "Problem", "1D", [["1D", "a vector (1D)"], ["2D", "a matrix (2D)"]]),
      number("n", "Elements n", 100, 0, 100000, flat), number("columns", "Columns", 50, 0, 4096, deep), number("rows", "Rows", 18, 0, 4096, deep),
      number("bx", "blockDim.x", 32, 1, 2048), number("by", "blockDim.y", 8, 1, 2048, deep),
      choice("blocks", "Number of blocks", "up", [["up", "rounded up"], ["down", "rounded down"], ["own", "my own"]]),
      number("gx", "gridDim.x", 2, 0, 100000, own), number("gy", "gridDim.y", 2, 0, 100000, own),
      number("b", "blockIdx.x", 3, 0, 100000), number("c", "blockIdx.y", 0, 0, 100000, deep),
      number("x", "threadIdx.x", 2, 0, 1023), number("y", "threadIdx.y", 1, 0, 1023, deep),
    ],
    buttons: [
      { label: "1000 in blocks of 256", set: { shape: "1D", n: 1000, bx: 256, blocks: "up", b: 3, x: 231 } },
      { label: "a matrix in 32 × 8", set: { shape: "2D", columns: 50, rows: 18, bx: 32, by: 8, blocks: "up", b: 0, c: 1, x: 5, y: 2 } },
    ],
  },

  memory: {
    title: "Sectors and banks",
    description: "Type the index that a thread uses, and see which sectors of global memory and which banks of shared memory its warp touches.",
    about: "Each thread of a warp loads one element of an array, array[index]. In global memory count the sectors, 32 bytes each; in shared memory the passes over the 32 banks, 4 bytes wide: passes beyond the first are bank conflicts. The names are threadIdx, blockIdx (0 here) and blockDim, with .x and .y; the signs + - * / % & | ^ << >> and parentheses mean what they mean in C.",
    tries: [
      "threadIdx.x + 1: how many sectors does a start that is not aligned cost?",
      "threadIdx.x * 32, then threadIdx.x * 33. In which of the two memories does that make a difference?",
      "A block of 8 × 32 with threadIdx.y * 100 + threadIdx.x: a warp is four rows of eight.",
    ],
    question: "threadIdx.x * 2 with floats: how many sectors, how many passes? And with a stride of 3?",
    answer: "Stride 2: 8 sectors, half of each used, and 2 passes, because lanes 0 and 16 need words 0 and 32 of bank 0. Stride 3: 12 sectors, but one pass: 3 and 32 have no common factor, so no two lanes use the same bank.",
    fields: [
      { name: "index", label: "Index", value: "threadIdx.x * 2", text: 44 },
      choice("size", "Element", "4", [["1", "char, 1 byte"], ["2", "short or half, 2 bytes"], ["4", "float or int, 4 bytes"], ["8", "double, 8 bytes"], ["16", "float4, 16 bytes"]]),
      number("bx", "blockDim.x", 32, 1, 1024), number("by", "blockDim.y", 1, 1, 1024), number("warp", "Warp", 0, 0, 31),
    ],
    buttons: [
      { label: "along a row", set: { index: "threadIdx.y * 128 + threadIdx.x", bx: 32, by: 8, size: "4" } },
      { label: "down a column", set: { index: "threadIdx.x * 128 + threadIdx.y", bx: 32, by: 8, size: "4" } },
      { label: "a column, padded", set: { index: "threadIdx.x * 33 + threadIdx.y", bx: 32, by: 8, size: "4" } },
      { label: "one for all", set: { index: "threadIdx.y", bx: 32, by: 8, size: "4" } },
    ],
  },

  streams: {
    title: "Stream timeline",
    description: "Cut a job into chunks, distribute them over streams, and see which operations overlap and which engine sets the limit.",
    about: "H, K and D are the copy to the device, the kernel and the copy to the host of a chunk; you choose the times; they are not measured. An engine does one operation at a time, and a stream keeps its order. The dashed line is the busiest engine's time: no number of streams gets below it.",
    tries: [
      "Try one, two, three and eight streams: from which number on does nothing change?",
      "Make the kernel twice as long as each copy. What is the limit now?",
      "Use one copy engine for both directions. Then give each operation a cost: how many chunks are best?",
    ],
    question: "There are 6 chunks, and each stage takes 6 ms in all. How long does the job take with one stream, and with three? How long with three streams and one copy engine?",
    answer: "18 ms with one stream; 8 ms with three: the 6 ms of a stage, and 2 ms to fill and drain the pipeline. With one copy engine 12 ms: the copies take that long one after another, and here no kernel makes them wait.",
    fields: [
      number("chunks", "Chunks", 6, 1, 32), number("streams", "Streams", 3, 1, 8),
      number("in", "Copy in, ms", 6, 0.01, 1000, { step: "any" }), number("kernel", "Kernel, ms", 6, 0.01, 1000, { step: "any" }), number("out", "Copy out, ms", 6, 0.01, 1000, { step: "any" }),
      number("cost", "Cost of each operation, ms", 0, 0, 100, { step: "any" }),
      choice("engines", "Copy engines", "2", [["2", "two, one a direction"], ["1", "one for both"]]),
    ],
    buttons: [
      { label: "one more stream", set: { streams: { add: 1 } } }, { label: "one fewer", set: { streams: { add: -1 } } },
      { label: "lesson05's twelve chunks", set: { chunks: 12, streams: 1, in: 12, kernel: 12, out: 12, cost: 0, engines: "2" } },
      { label: "its 134 MB on an H200", set: { chunks: 16, streams: 4, in: 2.42, kernel: 2.72, out: 2.42, cost: 0, engines: "2" } },
    ],
  },

  jacobi: {
    title: "A plate that relaxes",
    description: "Lesson08's plate: run sweeps, watch how the change becomes smaller, move the source.",
    about: "Each sweep makes every cell the mean of its four old neighbours. Each line marks half the temperature of the line inside it. The chart shows how much each sweep changed, on a logarithmic scale; below 0.0001 the plate counts as at rest. To move the source, at the cross, click, use the arrow keys when the picture has the focus, or type its row and column.",
    tries: [
      "Reset, then run. How does the change fall: quickly, slowly, or first quickly and then slowly?",
      "Move the source when the plate is at rest, and run again. Does it take fewer sweeps than from a cold plate?",
      "Give the plate 12 cells a side, then 24, then 48.",
    ],
    question: "A cold plate of 24 × 24 with the source in the middle takes 918 sweeps to come to rest. How many does a plate of 48 × 48 take: the same, twice, four times as many?",
    answer: "2900, a little over three times as many. One sweep multiplies the slowest part of the error by about 1 − 5 / N², so the number of sweeps grows nearly with N².",
    fields: [
      number("n", "Cells a side", 24, 5, 48), number("row", "Source: row", 12, 1, 22), number("column", "Source: column", 12, 1, 22),
      choice("each", "Sweeps a step", "10", [["1", "1"], ["10", "10"], ["100", "100"]]),
    ],
    buttons: [{ label: "Run or pause", press: "run" }, { label: "Step", press: "step" }, { label: "Reset", press: "reset" }],
  },

  matmul: {
    title: "Matrix product in tiles",
    description: "Step through a tiled product: see which tile is fetched, which element is computed, and how many loads that saves.",
    about: "C = A * B, one block after another; on a GPU many blocks work at once. Thick edges: the tiles that are fetched, and the block of C that works. Thick boxes: the numbers that your thread multiplies, and its element of C with the number of terms that it has added.",
    tries: [
      "Go through the steps of the first block. How often does your thread read a number that it has not fetched itself?",
      "Tiles of 2, 4, 8: how many times fewer loads than naive?",
      "Set m = 7 with tiles of 4: what do the threads beyond the edge do?",
    ],
    question: "With matrices of 8 × 8 the naive kernel loads 1024 floats. How many does the tiled kernel load with tiles of 4 × 4?",
    answer: "256, because each fetched number serves four threads: 4 blocks, 2 pairs of tiles each, 32 floats a pair.",
    fields: [
      number("m", "Rows of A and C: m", 8, 1, 16), number("n", "Columns of B and C: n", 8, 1, 16), number("k", "Columns of A, rows of B: k", 8, 1, 16),
      choice("tile", "Tiles", "4", [["2", "2 × 2"], ["4", "4 × 4"], ["8", "8 × 8"]]),
      number("y", "Your thread: threadIdx.y", 1, 0, 3), number("x", "Your thread: threadIdx.x", 2, 0, 3),
      number("step", "Step", 3, 1, 44, { slider: true }),
    ],
    buttons: [
      { label: "Next step", set: { step: { add: 1 } } }, { label: "Back", set: { step: { add: -1 } } }, { label: "To the start", set: { step: 1 } },
    ],
  },

  roofline: {
    title: "Bytes against operations",
    description: "Choose what a chain of steps does for each element, and see where its kernels are under the roofline, one a step or fused into one.",
    about: "Each step reads a float, computes, and writes a float. The line is the roofline: on its slope the bytes decide, under its flat part the operations. The large square is a kernel for each step, the small one a kernel for all steps. A square below the line pays for the start of its kernels. The two limits are near an H200's; no time is measured here.",
    tries: [
      "Give the sine 20, 60, 80 operations: from which number on does it take longer?",
      "Three steps: how many times as fast does fusing make them? And eight steps of 100 operations?",
      "Make n smaller until the start decides. What does fusing gain there?",
    ],
    question: "A chain has four steps of 10 operations. How many operations for each byte has it with one kernel a step, and how many fused? How many times as fast can fusing make it?",
    answer: "1.25 and 5. Both are on the slope, so the bytes decide: a quarter of the bytes, four times as fast.",
    fields: [
      number("steps", "Steps", 3, 1, 16), number("operations", "Operations of a step", 20, 1, 10000), number("n", "Elements n", 67108864, 1, 10000000000),
      number("bandwidth", "Memory, GB/s", 4200, 1, 100000, { step: "any" }), number("rate", "10¹² operations a second", 32, 0.001, 10000, { step: "any" }),
      number("start", "Start of a kernel, µs", 2, 0, 1000, { step: "any" }),
    ],
    buttons: [
      { label: "one sine", set: { steps: 1, operations: 20, n: 67108864 } }, { label: "three steps", set: { steps: 3, operations: 20, n: 67108864 } },
      { label: "32 sines in one step", set: { steps: 1, operations: 640, n: 67108864 } }, { label: "1000 elements", set: { n: 1000 } },
    ],
  },

  order: {
    title: "By rows, by columns",
    description: "Hand matrices by rows to a library that has them by columns, and see which numbers it multiplies and where the result goes.",
    about: "Above: A, B and C in memory by rows, as C has them. Below: the same memory as cuBLAS reads it, by columns, a leading dimension from column to column, and what it writes. Points are gaps between the rows. Thick box: the element that you choose; above, its row of A and column of B; below, the numbers that cuBLAS multiplies for that place in memory. Dashed: wrong.",
    tries: [
      "Hand over A first. Which elements are right, and why these?",
      "Transpose both: all products are right, but where do they go?",
      "Put a gap after each row, and leave it out of the leading dimensions.",
    ],
    question: "A is 2 × 3, B is 3 × 4, without gaps. Which three sizes does cublasSgemm get, which factor first, and which three leading dimensions?",
    answer: "m = 4, n = 2, k = 3: rows and columns of the transpose of C. First d_b with leading dimension 4, then d_a with 3, and d_c with 4: the lengths of the rows.",
    fields: [
      number("m", "Rows of A and C: m", 2, 1, 6), number("n", "Columns of B and C: n", 4, 1, 6), number("k", "Columns of A, rows of B: k", 3, 1, 6), number("gap", "Gap after each row", 0, 0, 3),
      choice("call", "First factor", "ba", [["ba", "B, then A"], ["ab", "A, then B"], ["tt", "A, then B, both transposed"]]),
      choice("ld", "Leading dimensions", "gap", [["gap", "row and gap"], ["row", "row alone"]]),
      number("row", "Your element: row", 1, 0, 5), number("column", "Your element: column", 2, 0, 5),
    ],
    buttons: [
      { label: "A first", set: { call: "ab" } }, { label: "B first", set: { call: "ba" } },
      { label: "gaps left out", set: { gap: 2, ld: "row", call: "ba" } }, { label: "with their gaps", set: { gap: 2, ld: "gap", call: "ba" } },
    ],
  },

  devices: {
    title: "A plate on several GPUs",
    description: "Choose GPUs, halo, link and plate, and see where the time of a sweep goes: computing, rows that travel, waiting.",
    about: "Each GPU sweeps its rows, and after as many sweeps as the halo has rows it sends its outermost rows to its neighbours. The times are those of a model: a kernel takes its start and 8 bytes for each cell, a copy its start and its bytes over the link; a GPU runs one kernel, sends one copy and gets one copy at a time; the host takes no time. It is the model of lesson13 and of the CPU backend. The first values are chosen near two H100s; no time is measured here.",
    tries: [
      "Put the copies behind the interior. Which part of a sweep becomes shorter, and which new one does it cost?",
      "Make the plate 1024 × 1024. Which is better there: copies behind, or a halo of 16 rows?",
      "Let the plate grow with the GPUs, and go from 1 to 8. What happens to the efficiency? And if the plate stays the same?",
    ],
    question: "Two GPUs, 4096 × 4096 cells: a sweep of half the plate takes 25 µs, a copy of a row 14. How long is a sweep with the copies after it? And behind it, if each of the two kernels for the border rows takes 2.3?",
    answer: "39 µs: 25 and 14. Behind it 30 µs: the two border rows, 2.3 each, and the interior, 25. The copies take less than the interior, so they cost nothing.",
    fields: [
      number("gpus", "GPUs", 2, 1, 8), number("depth", "Rows of halo", 1, 1, 32),
      choice("overlap", "Copies", "after", [["after", "after the sweep"], ["behind", "behind the interior"]]),
      number("rows", "Rows", 4096, 8, 500000), number("columns", "Columns", 4096, 1, 500000),
      choice("plate", "With more GPUs", "same", [["same", "the plate stays the same"], ["grows", "the plate grows: rows for each GPU"]]),
      number("memory", "Memory, GB/s", 2960, 1, 100000, { step: "any" }), number("start", "Start of a kernel, µs", 2.3, 0, 1000, { step: "any" }),
      number("link", "Link, GB/s", 300, 0.01, 100000, { step: "any" }), number("copy", "Start of a copy, µs", 14, 0, 1000, { step: "any" }),
    ],
    buttons: [
      { label: "one more GPU", set: { gpus: { add: 1 } } }, { label: "one fewer", set: { gpus: { add: -1 } } },
      { label: "near two H100s", set: { gpus: 2, depth: 1, rows: 4096, columns: 4096, plate: "same", memory: 2960, start: 2.3, link: 300, copy: 14 } },
      { label: "lesson13's plate, the backend's model", set: { gpus: 4, depth: 1, rows: 256, columns: 1024, plate: "same", memory: 3200, start: 5, link: 25, copy: 2 } },
      { label: "a slow link", set: { link: 1 } },
    ],
  },
};
