// Streams: the same chunks in one stream and in several, each engine a row. Times are steps, not measurements.
import { figure } from '../lib/figure.js';
import { at, line, rect, text } from '../lib/svg.js';

const ENGINES = ['copy in', 'kernel', 'copy out'];
const CHUNKS = 4;

/** Chunks distributed over streams in turn -> {steps, boxes: [{engine, chunk, stream, step}]}. A step is one chunk on one engine. */
export function schedule(chunks, streams) {
  const free = [0, 0, 0];
  const done = Array(streams).fill(0);
  const boxes = [];
  for (let chunk = 0; chunk < chunks; chunk++) {
    const stream = chunk % streams;
    ENGINES.forEach((_, engine) => {
      const step = Math.max(free[engine], done[stream]);
      free[engine] = done[stream] = step + 1;
      boxes.push({ engine, chunk, stream, step });
    });
  }
  return { steps: Math.max(...done), boxes };
}

function panel(width, streams, steps) {
  const wide = width > 500;
  const left = wide ? 84 : 66;
  const unit = Math.floor((width - left - 4) / steps);
  const plan = schedule(CHUNKS, streams);
  const rows = ENGINES.map((name, i) => text(0, 26 + i * 36 + 20, name) + line(left, 26 + i * 36 + 33, left + steps * unit, 26 + i * 36 + 33, 'grid'));
  const boxes = plan.boxes.map(({ engine, chunk, stream, step }) =>
    rect(left + step * unit + 1, 26 + engine * 36, unit - 2, 30, `b${stream + 1}`) +
    text(left + (step + 0.5) * unit, 26 + engine * 36 + 20, chunk + 1, 'mid name'));
  const end = left + plan.steps * unit;
  const name = streams === 1 ? 'One stream: each step waits for the one before' : `${['', '', 'Two', 'Three'][streams]} streams: ${streams === 2 ? 'each a staircase of its own' : 'all three engines are busy'}`;
  const short = streams === 1 ? 'One stream' : `${['', '', 'Two', 'Three'][streams]} streams`;
  const ends = line(end, 20, end, 136, 'level') + text(end - 5, 150, `${plan.steps} steps`, 'end name');
  return text(0, 12, wide ? name : short, 'head') + rows.join('') + boxes.join('') + ends;
}

export function streams() {
  const plans = [1, 2, 3].map((count) => ({ count, ...schedule(CHUNKS, count) }));
  const most = plans[0].steps;
  return figure({
    kind: 'diagram',
    title: `${CHUNKS} chunks in one stream, in two and in three`,
    desc: `A row for each engine of the GPU: copy in, kernel, copy out. ${plans.map(({ count, steps }) => `With ${count} stream${count > 1 ? 's' : ''} the job takes ${steps} steps.`).join(' ')}`,
    draw: (width) => ({
      height: 3 * 170,
      body: plans.map(({ count }, i) => at(0, i * 172, panel(width, count, most))).join(''),
    }),
    caption: `<strong>Streams let the engines overlap.</strong> ${CHUNKS} chunks; the colour shows the stream, the number the chunk, and each box takes one step. In one stream: ${plans[0].steps} steps, in two ${plans[1].steps}, in three ${plans[2].steps}.`,
    words: [
      `One stream: chunk 1 is copied in, computed and copied out; only then does chunk 2 begin. Two of the three engines are always idle, and ${CHUNKS} chunks take ${plans[0].steps} steps.`,
      `Two streams: while chunk 1 is in the kernel, chunk 2 is copied in. Each stream is a staircase of its own. ${plans[1].steps} steps.`,
      `Three streams: all three engines work on three chunks at a time, except while the pipeline fills and drains. ${plans[2].steps} steps. A fourth stream would change nothing.`,
    ],
  });
}
