// node show.js NAME [RESULTS]: prints the HTML of a figure, drawn from RESULTS instead of results/; without NAME the names.
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { figures, sweeps } from './index.js';

const [name, results] = process.argv.slice(2);
const all = { ...figures, ...sweeps };
if (!name) console.log(Object.keys(all).join('\n'));
else if (!Object.hasOwn(all, name)) fail(`there is no figure ${name}`);
else {
  try {
    console.log(all[name]({ root: join(dirname(fileURLToPath(import.meta.url)), '../..'), results }));
  } catch (error) {
    fail(error.message);
  }
}

/** Says what is wrong, and ends. */
function fail(words) {
  console.error(words);
  process.exit(1);
}
