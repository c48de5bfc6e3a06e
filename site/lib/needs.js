// The tools that the workbook needs, from the table in ./bootstrap: <!-- site: content needs -->.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

// Takes the checkout's path. Returns a Markdown table of the tools that learners need.
export default async function needs({ root }) {
  const table = /^tools\(\) \{\n {2}cat <<'?END'?\n([\s\S]*?)^END$/m.exec(readFileSync(join(root, 'bootstrap'), 'utf8'));
  if (!table) throw new Error('bootstrap: its table of tools is not where site/lib/needs.js looks for it: tools() { cat <<END');
  const rows = table[1].trim().split('\n').map((line) => line.split('|').map((cell) => cell.trim())).filter(([, group]) => group === 'learn');
  return ['| tool | what for | Debian, Ubuntu | Fedora, Red Hat |', '|---|---|---|---|',
    ...rows.map(([tool, , apt, dnf, , reason]) => `| ${tool} | ${reason} | \`${apt}\` | \`${dnf}\` |`), ''].join('\n');
}
