// The thread hierarchy: grid, block, warp, thread, each a magnified part of the one before.
import { figure } from '../lib/figure.js';
import { at, lines, path, rect, short, text } from '../lib/svg.js';

const [COLUMNS, ROWS, ACROSS, DOWN] = [3, 2, 32, 8];
const PICKED = 21;

/** A grid of blocks; the block (2, 1) is picked. */
function grid(size) {
  const unit = size / COLUMNS;
  const parts = [];
  for (let y = 0; y < ROWS; y++)
    for (let x = 0; x < COLUMNS; x++) {
      const picked = x === COLUMNS - 1 && y === ROWS - 1;
      parts.push(rect(x * unit, y * unit * 0.8, unit - 6, unit * 0.8 - 6, picked ? 'b1' : 'panel'));
      parts.push(text(x * unit + unit / 2 - 3, y * unit * 0.8 + unit * 0.4 + 1, `(${x}, ${y})`, 'mid code'));
    }
  return { height: ROWS * unit * 0.8 - 6, body: parts.join(''), from: [(COLUMNS - 1) * unit, (ROWS - 1) * unit * 0.8, unit - 6, unit * 0.8 - 6] };
}

/** The threads of a block, a row of dots for each warp; warp 2 is picked. */
function block(size) {
  const unit = size / ACROSS;
  const high = 15;
  const parts = [rect(-7, -7, size + 14, DOWN * high + 12, 'b1')];
  for (let y = 0; y < DOWN; y++) {
    if (y === 2) parts.push(rect(-3, y * high - 3, size + 6, high, 'b2', 2));
    const dots = Array.from({ length: ACROSS }, (_, x) => `M${short(x * unit + 1)} ${short(y * high)}h${short(unit - 2)}v9h-${short(unit - 2)}z`).join('');
    parts.push(path(dots, y === 2 ? 'f2' : 'f1'));
  }
  return { height: DOWN * high + 5, body: parts.join(''), from: [-3, 2 * high - 3, size + 6, high] };
}

/** The lanes of a warp; one is picked. */
function warp(size) {
  const unit = size / 16;
  const parts = [rect(-7, -7, size + 14, 2 * unit + 14, 'b2')];
  for (let lane = 0; lane < 32; lane++) {
    const [x, y] = [(lane % 16) * unit, Math.floor(lane / 16) * unit];
    parts.push(rect(x + 1, y + 1, unit - 2, unit - 2, lane === PICKED ? 'b3' : 'empty', 2));
    parts.push(text(x + unit / 2, y + unit / 2 + 4, lane, 'mid small'));
  }
  return { height: 2 * unit + 7, body: parts.join(''), from: [(PICKED % 16) * unit, unit, unit, unit] };
}

const LEVELS = [
  { name: 'Grid', draw: grid, notes: ['all blocks of a launch, in any order', 'you choose: gridDim'] },
  { name: 'Block', draw: block, notes: ['runs on one multiprocessor; its threads', 'share memory and wait for each other', 'you choose: blockDim, at most 1024 threads'] },
  { name: 'Warp', draw: warp, notes: ['32 threads that run one instruction together', 'the hardware divides blocks into warps, x first'] },
];

function thread(width) {
  const code = ['i = blockIdx.x * blockDim.x', '\u00a0\u00a0\u00a0\u00a0+ threadIdx.x'];
  return {
    height: 52,
    body: rect(0, 0, width, 52, 'b3') + text(12, 21, code[0], 'code') + text(12, 39, code[1], 'code'),
  };
}

/** Each level below the one before, its words next to it if there is room, otherwise above. */
function draw(width) {
  const wide = width > 500;
  const size = wide ? 360 : 290;
  const left = wide ? width - size - 12 : 14;
  const parts = [];
  let y = 8;
  let before = null;
  const levels = [...LEVELS, { name: 'Thread', draw: thread, notes: ['runs the kernel once, with registers', 'and numbers of its own'] }];
  for (const { name, draw: drawn, notes } of levels) {
    const { height, body, from } = drawn(size);
    const label = text(0, y + 14, name, 'head clear') + lines(0, y + 33, notes, 'muted clear', 17);
    const top = wide ? y : y + 32 + notes.length * 17;
    if (before) parts.push(funnel(before, [left, top - 8, size]));
    parts.push(label, at(left, top, body));
    before = from && [left + from[0], top + from[1], from[2], from[3]];
    y = top + Math.max(height, wide ? 30 + notes.length * 17 : 0) + (wide ? 40 : 34);
  }
  return { height: y - 28, body: parts.join('') };
}

/** Two lines from a picked part to the level that it opens into. */
const funnel = ([x, y, wide, high], [left, top, size]) =>
  path(`M${short(x)} ${short(y + high)}L${short(left - 7)} ${short(top)}M${short(x + wide)} ${short(y + high)}L${short(left + size + 7)} ${short(top)}`, 'ghost');

export const threads = () =>
  figure({
    kind: 'diagram',
    title: 'The hierarchy of threads: grid, block, warp, thread',
    desc: `A grid of ${COLUMNS} by ${ROWS} blocks; one block of ${ACROSS} by ${DOWN} threads, which is ${DOWN} warps; one warp of 32 lanes; one thread.`,
    draw,
    caption: `<strong>Grid, block, warp, thread.</strong> Each level magnifies one part of the level above: block (${COLUMNS - 1}, ${ROWS - 1}), warp 2 of this block, and lane ${PICKED} of this warp.`,
    words: [
      `The grid consists of all blocks of one launch, here ${COLUMNS} by ${ROWS}. They run in no fixed order. You choose their number.`,
      `A block consists of threads that run on one multiprocessor at the same time, here ${ACROSS} by ${DOWN}. They have shared memory and barriers. You choose its shape, with at most 1024 threads.`,
      'A warp is 32 neighbouring threads of a block, counted along x first. They run the same instruction together. The hardware forms the warps.',
      'A thread runs the kernel once. It computes the index of its element from blockIdx, blockDim and threadIdx.',
    ],
  });
