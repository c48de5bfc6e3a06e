// Licences and citation, from LICENSE, LICENSE-text and CITATION.cff: <!-- site: content licence -->.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

// Takes the checkout's path. Returns Markdown.
export default async function licence({ root }) {
  const read = (name) => readFileSync(join(root, name), 'utf8').trim();
  const cff = readCff(read('CITATION.cff'));
  const [texts, ...rest] = read('LICENSE-text').split(/\n\s*\n/);
  return `## In short

- **Code** (all sources, and code quoted on pages): ${read('LICENSE').split('\n')[0]}. Use it for anything; keep the notice.
- **Texts and drawings**: CC BY 4.0. Share and change them, also in a course that is paid for; give credit and say what you changed.

## To cite it

${cff.message}

> ${cff.authors.join(', ')}: *${cff.title}*. Version ${cff.version}, ${cff.released}.

\`\`\`text
@software{loops_to_warps,
  author  = {{${cff.authors.join('} and {')}}},
  title   = {${cff.title}},
  version = {${cff.version}},
  year    = {${cff.released.slice(0, 4)}},
  license = {${cff.license}}
}
\`\`\`

## Texts and drawings: ${texts.includes('Creative Commons') ? 'CC BY 4.0' : 'LICENSE-text'}

${[texts, ...rest].join('\n\n').replace(/\*/g, '\\*').replace(/^ {4}(https:\S+)$/gm, '<$1>')}

## Code: ${read('LICENSE').split('\n')[0]}

${read('LICENSE').split('\n').slice(1).join('\n').trim()}
`;
}

// The few fields of CITATION.cff that the page shows. The file is YAML of the simplest kind.
function readCff(text) {
  const field = (name) => new RegExp(`^${name}: *"?(.*?)"?$`, 'm').exec(text)?.[1] ?? '';
  const found = {
    message: field('message'), title: field('title'), version: field('version'), released: field('date-released'), license: field('license'),
    authors: [...text.matchAll(/^ +- name: *"?(.*?)"?$/gm)].map((m) => m[1]),
  };
  const missing = Object.keys(found).filter((key) => !found[key].length);
  if (missing.length) throw new Error(`CITATION.cff lacks ${missing.join(', ')}: the page on licence and citation shows them.`);
  return found;
}
