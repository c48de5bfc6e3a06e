// Tiles in shared memory: the numbers that one block of a matrix product fetches, and how often each is used.
import { figure } from '../lib/figure.js';
import { arrow, at, lines, rect, text } from '../lib/svg.js';

const [TILES, SIDE] = [4, 16];

/** The three matrices: A at the left, B above, C in the corner between them; the tiles of one block of C. */
function matrices(u) {
  const [ax, ay, bx, by] = [0, TILES * u + 34, TILES * u + 22, 22];
  const parts = [
    text(ax, ay - 8, 'A', 'head'), text(bx, by - 8, 'B', 'head'), text(bx + TILES * u + 8, ay + 14, 'C', 'head'),
    rect(ax, ay, TILES * u, TILES * u, 'frame', 0), rect(bx, by, TILES * u, TILES * u, 'frame', 0), rect(bx, ay, TILES * u, TILES * u, 'frame', 0),
  ];
  for (let t = 0; t < TILES; t++) {
    parts.push(rect(ax + t * u + 1, ay + u + 1, u - 2, u - 2, t === 1 ? 'f1' : 'b1', 1), text(ax + (t + 0.5) * u, ay + 1.5 * u + 5, t + 1, t === 1 ? 'mid on' : 'mid'));
    parts.push(rect(bx + 2 * u + 1, by + t * u + 1, u - 2, u - 2, t === 1 ? 'f2' : 'b2', 1), text(bx + 2.5 * u, by + (t + 0.5) * u + 5, t + 1, t === 1 ? 'mid on' : 'mid'));
  }
  parts.push(rect(bx + 2 * u + 1, ay + u + 1, u - 2, u - 2, 'b3', 1));
  return { height: ay + TILES * u + 2, body: parts.join('') };
}

/** A tile magnified to 8 by 8 of its numbers: the row or column that one thread reads. */
function tile(u, colour, row, column) {
  const parts = [];
  for (let r = 0; r < 8; r++)
    for (let c = 0; c < 8; c++) parts.push(rect(c * u, r * u, u - 1, u - 1, r === row || c === column ? `f${colour}` : `b${colour}`, 0));
  return parts.join('');
}

/** Shared memory: the two tiles; and the thread's element. */
function shared(u) {
  const side = 8 * u;
  return {
    height: side + 122,
    body: [
      rect(0, 0, 2 * side + 46, side + 46, 'panel', 6), text(14, 22, 'shared memory', 'head'),
      at(14, 34, tile(u, 1, 3, -1)), at(side + 32, 34, tile(u, 2, -1, 5)),
      arrow([[14 + side / 2, side + 40], [14 + side / 2, side + 82], [side - 2, side + 82]]),
      arrow([[32 + side * 1.5, side + 40], [32 + side * 1.5, side + 82], [side + 48, side + 82]]),
      rect(side + 4, side + 64, 38, 36, 'b3'), text(side + 23, side + 87, '+=', 'mid name'),
      text(side + 23, side + 116, 'a register of one thread', 'mid muted'),
    ].join(''),
  };
}

const STEPS = [
  ['1', `Fetch tile 2 of A and tile 2 of B, each thread one number of each.`],
  ['2', 'Barrier: both tiles are complete.'],
  ['3', `Each thread multiplies a row by a column: ${SIDE} terms.`],
  ['4', 'Barrier: no thread needs these tiles any more. On to tile 3.'],
];

function draw(width) {
  const wide = width > 500;
  const left = matrices(wide ? 36 : 30);
  const right = shared(wide ? 18 : 14);
  const rightX = wide ? 382 : 20;
  const rightY = wide ? 22 : left.height + 46;
  const split = Math.max(left.height, rightY + right.height) + 26;
  const step = ([number, words], i) => {
    const y = split + i * (wide ? 24 : 40);
    const halves = wide || words.length < 44 ? [words] : [words.slice(0, words.lastIndexOf(' ', 44)), words.slice(words.lastIndexOf(' ', 44) + 1)];
    return rect(0, y, 20, 20, 'f4', 10) + text(10, y + 14.5, number, 'mid on') + lines(30, y + 15, halves, '', 16);
  };
  const join = wide ? arrow([[326, 150], [372, 150]]) : arrow([[150, left.height + 8], [150, rightY - 6]]);
  return {
    height: split + STEPS.length * (wide ? 24 : 40) + 2,
    body: left.body + join + at(rightX, rightY, right.body) + STEPS.map(step).join(''),
  };
}

export const tiles = () =>
  figure({
    kind: 'diagram',
    title: 'Tiles of a matrix product in shared memory',
    desc: `A block of C needs a row of tiles of A and a column of tiles of B. It fetches one tile of each into shared memory; each thread reads a row of one and a column of the other from there, and adds to its element in a register.`,
    draw,
    caption: `<strong>Fetched once, used ${SIDE} times.</strong> The green block of C moves along its tiles of A and down its tiles of B; here it is at the second ones. With tiles of ${SIDE} × ${SIDE}, each number that comes from global memory serves ${SIDE} threads.`,
    words: [
      `The block computes ${SIDE} × ${SIDE} elements of C. It needs ${SIDE} rows of A and ${SIDE} columns of B, cut into tiles.`,
      ...STEPS.map(([, words]) => words),
      'After the last tile each thread writes its sum, which was in a register all the time, to C.',
    ],
  });
