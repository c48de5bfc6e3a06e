// node show.js NAME [RESULTS]: prints the HTML of a figure, drawn from RESULTS instead of results/; without NAME the names.
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { figures } from './index.js';

const [name, results] = process.argv.slice(2);
if (!name) console.log(Object.keys(figures).join('\n'));
else if (!Object.hasOwn(figures, name)) fail(`there is no figure ${name}`);
else {
  try {
    console.log(figures[name]({ root: join(dirname(fileURLToPath(import.meta.url)), '../..'), results }));
  } catch (error) {
    fail(error.message);
  }
}

/** Prints the error and exits. */
function fail(words) {
  console.error(words);
  process.exit(1);
}
