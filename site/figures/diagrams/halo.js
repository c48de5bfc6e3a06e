// Halo exchange: a plate cut in two, each part with a copy of its neighbour's outermost row.
import { figure } from '../lib/figure.js';
import { arrow, at, rect, text } from '../lib/svg.js';

const COLUMNS = 10;

/** A row of cells. */
function row(y, unit, style) {
  const cells = Array.from({ length: COLUMNS }, (_, c) => rect(c * unit + 1, y + 1, unit - 2, unit - 2, style, 2));
  return cells.join('');
}

/** The part of one device: own rows and one row of halo, below or above. */
function part(unit, name, own, edge, halo, below) {
  const rows = [own, own, own, edge];
  const all = below ? [...rows, halo] : [halo, ...[...rows].reverse()];
  const body = all.map((style, r) => row(r * (unit + 2), unit, style === halo ? `${style} halo` : style)).join('');
  return text(0, -12, name, 'head') + body;
}

function draw(width) {
  const wide = width > 500;
  const unit = wide ? 30 : 21;
  const size = COLUMNS * unit;
  const step = unit + 2;
  const gap = 96;
  const [top, second] = [26, 26 + 5 * step + gap];
  const [left, bend] = [0, 26];
  const [edgeA, haloA] = [top + 3.5 * step, top + 4.5 * step];
  const [haloB, edgeB] = [second + 0.5 * step, second + 1.5 * step];
  const over = size + bend;
  const parts = [
    at(left, top, part(unit, 'GPU 0', 'empty', 'b1', 'b2', true)),
    at(left, second, part(unit, 'GPU 1', 'empty', 'b2', 'b1', false)),
    arrow([[size + 4, edgeA], [over + 14, edgeA], [over + 14, haloB], [size + 4, haloB]]),
    arrow([[size + 4, edgeB], [over, edgeB], [over, haloA], [size + 4, haloA]]),
  ];
  const notes = [
    [top + 1.5 * step, 'own rows: computed while the copies run'],
    [edgeA, 'GPU 0’s edge row: computed first, then sent'],
    [haloA, 'halo: GPU 1’s edge row as of the last sweep'],
    [haloB, 'halo: GPU 0’s edge row'],
    [edgeB, 'GPU 1’s edge row: computed first, then sent'],
  ];
  if (wide) parts.push(...notes.map(([y, words]) => text(over + 34, y + 5, words, 'muted')));
  const end = second + 5 * step + 8;
  if (wide) return { height: end, body: parts.join('') };
  const key = [['b1', 'GPU 0’s edge row, and its copy'], ['b2', 'GPU 1’s edge row, and its copy'], ['empty', 'own rows, computed meanwhile']];
  const legend = key.map(([style, words], i) => rect(0, end + 8 + i * 24, 18, 16, style, 2) + text(26, end + 21 + i * 24, words));
  return { height: end + 8 + key.length * 24, body: parts.join('') + legend.join('') };
}

export const halo = () =>
  figure({
    kind: 'diagram',
    title: 'A halo exchange between two GPUs',
    desc: 'A plate is cut into an upper part on GPU 0 and a lower part on GPU 1. Below the upper part is a halo row, a copy of the first row of the lower part; above the lower part is a copy of the last row of the upper part. Arrows lead from each edge row to the halo of the other.',
    draw,
    caption: '<strong>A halo exchange.</strong> A cell needs its four neighbours, and at the cut one of them is on the other GPU. So each part keeps a copy of its neighbour’s edge row, its halo (dashed), and after each sweep the GPUs send each other their edge rows.',
    words: [
      'The plate is cut into two parts, one on each GPU.',
      'The last row of GPU 0’s part and the first of GPU 1’s are edge rows: the other side needs them.',
      'Each GPU computes its edge row first and sends it; it arrives in the other’s halo.',
      'At the same time each computes its other rows, which need nothing from the other GPU. Then both wait for the copies and begin the next sweep.',
    ],
  });
