// The part of a cluster's page that comes from its profile in jobs/clusters/: <!-- site: content cluster NAME -->.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

// Takes the checkout's path and the marker's further words, the cluster's name. Returns Markdown.
export default async function cluster({ root, words: [name] }) {
  const file = join(root, 'jobs/clusters', name);
  if (!existsSync(file)) return `This checkout has no profile \`jobs/clusters/${name}\` yet: \`make cluster NAME=generic\` with the lines above fits.`;
  const p = readProfile(readFileSync(file, 'utf8'));
  const rules = [...p.only, ...p.refused, ...p.notes].map((text) => `- ${text}`);
  return [
    '| option | meaning | without it |', '|---|---|---|',
    ...p.options.map((o) => `| \`${o.name}=\` | ${cell(o.about)} | ${o.value ? `\`${cell(o.value)}\`` : o.optional ? 'the line is left out' : 'must be given'} |`),
    '',
    ...(rules.length ? ['What `make cluster` refuses, and what it tells:', '', ...rules, ''] : []),
    'The lines that it writes into the jobs, `{…}` being the options:', '',
    '```bash', ...p.lines, '```', '',
  ].join('\n');
}

const cell = (text) => text.replace(/\|/g, '\\|');

// Takes a profile's text. Returns {options: [{name, value, optional, about}], only, refused, notes (lists of Markdown), lines}.
export function readProfile(text) {
  const comments = (word) => [...text.matchAll(new RegExp(`^# ${word} (.*)$`, 'gm'))].map((m) => m[1]);
  const rule = (line) => {
    const [, when, why] = /^(.*?): (.*)$/.exec(line);
    return /=$|[*|?[]/.test(when) ? why[0].toUpperCase() + why.slice(1) : `\`${when}\`: ${why}`;
  };
  return {
    options: comments('option').map((line) => {
      const [, open, name, value, about] = /^(\[?)([A-Z_]+)(?:=("[^"]*"|\S*))?\]?\s+(.*)$/.exec(line);
      return { name, value: value ?? '', optional: Boolean(open), about };
    }),
    only: comments('only').map((line) => line.replace(/^(\w+): (.*)$/, (_, name, values) => `\`${name}\` can be ${values.split(' ').map((v) => `\`${v}\``).join(', ')}.`)),
    refused: comments('refuse').map(rule),
    notes: comments('note').map(rule),
    lines: text.split('\n').filter((line) => /^(#SBATCH|module load)/.test(line)),
  };
}
