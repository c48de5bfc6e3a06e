// Reads C sources for the messages that they print: strings, who gets them, and the causes given with them.

/** C source -> its functions, [{name, tokens}], and its named strings, {name: text}. A token is {kind, text}. */
export function readC(source) {
  const names = {};
  const text = source.replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, '').replace(/\\\n/g, ' ');
  for (const [, name, value] of text.matchAll(/#define\s+(\w+)\s+((?:"(?:[^"\\]|\\.)*"\s*)+)/g)) names[name] = joined(value);
  for (const [, name, value] of text.matchAll(/(?:static )?const char (\w+)\[\]\s*=\s*((?:"(?:[^"\\]|\\.)*"\s*)+);/g)) names[name] = joined(value);
  return { names, functions: functionsOf(tokensOf(text.replace(/^\s*#.*$/gm, ''))) };
}

function joined(strings) {
  return [...strings.matchAll(/"((?:[^"\\]|\\.)*)"/g)].map(([, inside]) => inside.replace(/\\n/g, ' ').replace(/\\(.)/g, '$1')).join('');
}

function tokensOf(text) {
  const tokens = [];
  for (const [all, string] of text.matchAll(/((?:"(?:[^"\\]|\\.)*"\s*)+)|'(?:[^'\\]|\\.)+'|\w+|->|[^\s\w]/g)) {
    if (string) tokens.push({ kind: 'string', text: joined(string) });
    else tokens.push({ kind: /^\w/.test(all) ? 'word' : 'sign', text: all });
  }
  return tokens;
}

// name ( ... ) { ... } at the outermost level.
function functionsOf(tokens) {
  const functions = [];
  let depth = 0, name = '', start = 0;
  tokens.forEach((token, i) => {
    if (token.kind !== 'sign') return;
    if (token.text === '(' && depth === 0 && tokens[i - 1]?.kind === 'word') name = tokens[i - 1].text;
    if (token.text === '{' && depth++ === 0) start = i;
    if (token.text === '}' && --depth === 0 && name) {
      functions.push({ name, tokens: tokens.slice(start, i) });
      name = '';
    }
  });
  return functions;
}

/** The arguments of the call whose "(" is tokens[open]: a list of lists of tokens; and where it ends. */
export function argumentsAt(tokens, open) {
  const list = [[]];
  let depth = 0, i = open;
  for (; i < tokens.length; i++) {
    const { kind, text } = tokens[i];
    if (kind === 'sign' && '([{'.includes(text) && depth++ === 0) continue;
    if (kind === 'sign' && ')]}'.includes(text) && --depth === 0) break;
    if (kind === 'sign' && text === ',' && depth === 1) list.push([]);
    else list.at(-1).push(tokens[i]);
  }
  return { list, end: i };
}

/** The strings among these tokens, with named ones and those that a called function of `file` may return. */
export function stringsIn(tokens, file) {
  return tokens.flatMap(({ kind, text }, i) => {
    if (kind === 'string') return [text];
    if (kind !== 'word') return [];
    if (file.names[text]) return [file.names[text]];
    const called = tokens[i + 1]?.text === '(' && file.functions.find((f) => f.name === text);
    return called ? called.tokens.filter((t) => t.kind === 'string').map((t) => t.text) : [];
  });
}

// The placeholder for an argument whose value cannot be known.
const WORDS = [
  [/^who$/, 'thread … of block …'],
  [/^(access_)?verb\b|_did\b|\bdid$/, 'reads/writes'],
  [/^plural_s\b/, 's'],
  [/^shape$/, 'x, … elements'],
  [/^side$/, 'source/destination'],
  [/memory_name/, 'device/pinned host/managed memory'],
  [/^work->call$/, 'cublas…'],
  [/^(call|op->call|a->call)$/, 'cuda…'],
  [/^what$/, '…'],
];

/** A format and its arguments (lists of tokens) -> the message as a reader may search for it. */
export function readable(format, args) {
  let next = 0;
  return format
    .replace(/%%|%[-+ #0]*(\*|\d+)?(?:\.(\*|\d+))?(?:hh|h|ll|l|z|j|t)?([a-zA-Z])/g, (all, width, precision, letter) => {
      if (all === '%%') return '%';
      next += (width === '*') + (precision === '*');
      const argument = args[next++] ?? [];
      if (letter !== 's') return '…';
      const literals = argument.filter((t) => t.kind === 'string').map((t) => t.text);
      if (argument.length && literals.length > 1 && literals.every((text) => !text.includes('%'))) {
        return literals.includes('') ? '' : literals.join('/');
      }
      const code = argument.map((t) => t.text).join('');
      return WORDS.find(([pattern]) => pattern.test(code))?.[1] ?? '…';
    })
    .replace(/\(…(,…)+\)/g, '(…)')
    .replace(/(thread|block) \(…\)/g, '$1 …')
    .replace(/…(\s*…)+/g, '…')
    .trim();
}
