// All figures: NAME -> function({root, results?, only?}) that returns the HTML of a <figure>. root is the checkout's folder.
// results is the folder of the measurements, by default root/results; only names a folder there to use instead of the newest.
// A page shows them with the line <!-- site: figure NAME -->.
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { ceilings, sweep } from './charts/bandwidth.js';
import { convergence, plate } from './charts/jacobi.js';
import { histogram, jacobi, matmul, matmulSizes, maximum } from './charts/ladders.js';
import { overlap } from './charts/overlap.js';
import { scaling } from './charts/scaling.js';
import { speeds } from './charts/speeds.js';
import { halo } from './diagrams/halo.js';
import { memory } from './diagrams/memory.js';
import { streams } from './diagrams/streams.js';
import { threads } from './diagrams/threads.js';
import { tiles } from './diagrams/tiles.js';

/** The lessons that were measured on a GPU. */
const results = fileURLToPath(new URL('../../results', import.meta.url));
const LESSONS = [...new Set(readdirSync(results, { withFileTypes: true }).filter((entry) => entry.isDirectory())
  .flatMap(({ name }) => readdirSync(`${results}/${name}`)).flatMap((file) => /^(lesson\d\d)-run-cuda\.json$/.exec(file)?.[1] ?? []))].sort();

const sweeps = {
  'lesson03-threads.svg': sweep('lesson03-threads.svg', {
    title: 'Speed against the threads of a block',
    xTitle: 'threads of a block',
    names: { scale_in_blocks: 'task 3', copy: 'copy' },
  }),
  'lesson03-width.svg': sweep('lesson03-width.svg', {
    title: 'Speed against the width of a block of 256 threads',
    xTitle: 'threads of a block along the row',
    names: { scale_in_blocks: 'task 3', copy: 'copy' },
  }),
  'lesson03-blocks.svg': sweep('lesson03-blocks.svg', {
    title: 'Speed against the number of blocks',
    xTitle: 'blocks of the grid',
    names: { scale_grid_stride: 'task 1', copy: 'copy' },
  }),
  'lesson04-sizes.svg': sweep('lesson04-sizes.svg', {
    title: 'Bandwidth over the link against the size',
    xTitle: 'elements of 4 bytes',
    names: { round_trips: 'task 1', link: 'pinned before', pageable: 'pageable', mapped: 'mapped' },
    note: 'Each array goes to the device and back several times, and pinning it is part of task 1’s time.',
  }),
  'lesson04-keys.svg': sweep('lesson04-keys.svg', {
    title: 'Fetching elements one by one, or copying the table',
    xTitle: 'elements fetched',
    names: { gather_sparse: 'task 2', 'copy-all': 'copy all' },
  }),
  'lesson04-trips.svg': sweep('lesson04-trips.svg', {
    title: 'When pinning pays for itself',
    xTitle: 'trips to the device and back',
    names: { round_trips: 'task 1', link: 'pinned before', pageable: 'pageable', mapped: 'mapped' },
  }),
};

/**
 * An image's path within the checkout -> the HTML of the figure that the site shows instead, or null. Pages hold sweeps that a device
 * drew, and drawings that have a more detailed version here, as images, so that GitHub shows them.
 */
export function redrawn(file, where) {
  const measured = /^results\/([^/]+)\/([^/]+)$/.exec(file);
  if (measured && sweeps[measured[2]]) return sweeps[measured[2]]({ ...where, only: measured[1] });
  return file === 'lessons/lesson07/figures/tiles.svg' ? tiles(where) : null;
}

export const figures = {
  'memory-hierarchy': memory,
  'thread-hierarchy': threads,
  tiles,
  streams,
  halo,
  ceilings,
  bandwidth: sweeps['lesson04-sizes.svg'],
  trips: sweeps['lesson04-trips.svg'],
  'block-threads': sweeps['lesson03-threads.svg'],
  'block-width': sweeps['lesson03-width.svg'],
  'grid-blocks': sweeps['lesson03-blocks.svg'],
  keys: sweeps['lesson04-keys.svg'],
  'matmul-ladder': matmul,
  'matmul-sizes': matmulSizes,
  'maximum-ladder': maximum,
  'histogram-ladder': histogram,
  'jacobi-sizes': jacobi,
  overlap: overlap(
    ['process_chunks', 'process_streams'],
    'One stream and several',
    'The same chunks, measured. Number and colour show the stream. In one stream nothing overlaps.',
  ),
  'overlap-batches': overlap(
    ['process_batches'],
    'A pipeline of batches',
    'The gaps: between a copy out and the next copy in, the host fills the buffer. Number and colour show the stream.',
  ),
  'jacobi-convergence': convergence,
  'jacobi-plate': plate,
  'multigpu-scaling': scaling,
  ...Object.fromEntries(LESSONS.map((lesson) => [`speeds-${lesson}`, speeds(lesson)])),
  speeds: speeds(...LESSONS),
};
