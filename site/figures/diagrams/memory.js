// The memory hierarchy of one measured device: sizes and speeds come from its reports.
import { figure, measuredOn } from '../lib/figure.js';
import { fail, number, readRun } from '../lib/results.js';
import { at, lines, rect, text, arrow } from '../lib/svg.js';

const speed = (value) => `${+value.toPrecision(3)} GB/s`;
const sizeOf = (bytes) => (bytes >= 2 ** 30 ? `${(bytes / 2 ** 30).toFixed(1)} GiB` : `${(bytes / 2 ** 20).toFixed(0)} MiB`);

/** The device's figures in its reports -> {run, sms, l2, memory, read, link}. */
function known(where) {
  const [run, link] = [readRun(where, 'lesson08'), readRun(where, 'lesson05')];
  const of = (key) => number(run.file, run.line(`"${key}"`), key, run.hardware[key]);
  const best = (report, name) => {
    const found = report.ceilings.find((each) => each.name === name) ?? fail(report.file, report.line('"ceilings"'), `no ceiling ${name}`);
    return number(report.file, report.line(`"name": "${name}"`), `the ceiling ${name}`, found.value);
  };
  return { run, sms: of('sm_count'), l2: sizeOf(of('l2_bytes')), memory: sizeOf(of('memory_bytes')), read: best(run, 'read'), link: best(link, 'h2d') };
}

/** A place: its box, name and sentences. */
const place = (x, y, width, height, colour, name, notes) =>
  rect(x, y, width, height, colour, 6) + text(x + 14, y + 23, name, 'head') + lines(x + 14, y + 42, notes, 'muted', 17);

/** An arrow both ways, with its words next to it. */
const between = (x, y, far, words, middle) =>
  arrow([[x - 7, y], [x - 7, y + far]]) + arrow([[x + 7, y + far], [x + 7, y]]) + text(x + 20, y + far / 2 + 4, words, middle ?? 'name');

function draw(width, device) {
  const wide = width > 500;
  const inner = width - 28;
  const sm = (x, wider, label) =>
    at(x, 0,
      rect(0, 0, wider, 204, 'panel', 6), text(14, 23, label, 'head'),
      place(12, 36, wider - 24, 66, 'b1', 'registers', [wide ? 'one thread’s own' : 'one thread’s']),
      between(wider / 2 - 40, 104, 20, ''),
      place(12, 126, wider - 24, 66, 'b2', wide ? 'shared memory, L1' : 'shared, L1', [wide ? 'one block’s own; L1 a cache' : 'one block’s']));
  const half = wide ? (inner - 16) / 2 : inner;
  const parts = [
    rect(0, 0, width, wide ? 484 : 502, 'frame', 8), text(14, 24, 'Device', 'head'),
    text(width - 14, 24, `${device.sms} multiprocessors`, 'muted end'),
    at(14, 38, sm(0, half, 'a multiprocessor'), wide ? sm(half + 16, half, 'another') : ''),
    between(wide ? 14 + half / 2 - 40 : width / 2 - 40, 246, 26, ''),
    wide ? between(14 + half * 1.5 - 24, 246, 26, '') : '',
    at(14, 276, place(0, 0, inner, wide ? 66 : 76, 'b3', `L2 cache, ${device.l2}`, wide ? ['for all multiprocessors; all traffic with memory passes through it'] : ['for all multiprocessors;', 'everything passes it'])),
  ];
  const l2 = wide ? 346 : 356;
  parts.push(between(width / 2 - 40, l2, 44, `${speed(device.read)} to a kernel`));
  parts.push(at(14, l2 + 48, place(0, 0, inner, 78, 'b4', `Global memory, ${device.memory}`, wide
    ? ['for all threads, from cudaMalloc to cudaFree', 'it answers in sectors of 32 bytes']
    : ['for all threads, until cudaFree;', 'answers in sectors of 32 bytes'])));
  const end = wide ? 484 : 502;
  parts.push(between(width / 2 - 40, end + 4, 50, `link: ${speed(device.link)} each way`));
  parts.push(at(0, end + 58, place(0, 0, width, 70, 'b5', 'Host memory', [wide ? 'pageable from malloc, pinned from cudaMallocHost' : 'pageable, or pinned'])));
  return { height: end + 130, body: parts.join('') };
}

export function memory(where) {
  const device = known(where);
  return figure({
    kind: 'diagram',
    title: 'The hierarchy of memory, from registers to the host',
    desc: `From top to bottom: registers and shared memory in each of ${device.sms} multiprocessors, the L2 cache of ${device.l2}, global memory of ${device.memory} at ${device.read} GB/s, and the host’s memory over the link at ${device.link} GB/s.`,
    draw: (width) => draw(width, device),
    caption: `<strong>The farther a memory is from a thread, the slower it is, and the more threads can use it.</strong> The device reports its sizes; the speeds are its best. ${measuredOn(device.run)}`,
    words: [
      'Registers belong to one thread. They are the fastest place.',
      'Shared memory belongs to the threads of one block while it runs, and is inside a multiprocessor. It shares its storage with the L1 cache.',
      `The L2 cache, ${device.l2}, serves all multiprocessors. All traffic to and from global memory passes through it.`,
      `Global memory, ${device.memory}, is available to all threads from cudaMalloc to cudaFree. Kernels read it at up to ${device.read} GB/s.`,
      `Host memory is at the other end of the link, which carries up to ${device.link} GB/s each way: ${Math.round(device.read / device.link)} times less.`,
    ],
  });
}
