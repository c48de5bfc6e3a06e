// Code in colours: Shiki's grammars, with CUDA's words added to C++, and classes instead of Shiki's own colours, so that a
// token costs little and style.css decides what it looks like.
import { createHighlighterCoreSync } from 'shiki/core';
import { createJavaScriptRegexEngine } from 'shiki/engine/javascript';
import bash from 'shiki/langs/bash.mjs';
import c from 'shiki/langs/c.mjs';
import { escape } from './text.js';

// Class of a token -> what it is for in the grammars' terms. Each class gets a colour that stands for it until the HTML is written.
const kinds = {
  c: ['comment', 'punctuation.definition.comment'],
  s: ['string', 'constant.character'],
  n: ['constant.numeric', 'constant.language'],
  k: ['keyword', 'storage.modifier', 'keyword.control'],
  t: ['storage.type', 'support.type', 'entity.name.type', 'keyword.operator.sizeof'],
  f: ['entity.name.function', 'support.function', 'entity.name.command'],
  p: ['meta.preprocessor keyword', 'keyword.control.directive', 'punctuation.definition.directive'],
  g: ['cuda.word', 'cuda.variable'],
  l: ['cuda.launch'],
  '': ['keyword.operator', 'punctuation', 'variable'],
};
const classes = Object.keys(kinds), colour = (i) => `#0000${(i + 16).toString(16)}`;
const theme = {
  name: 'kinds', type: 'light', fg: colour(classes.length - 1), bg: '#ffffff',
  settings: classes.map((name, i) => ({ scope: kinds[name], settings: { foreground: colour(i) } })),
};

// CUDA C for C's grammar, which is much faster than C++'s and knows all that our sources use but a few words.
const cuda = {
  name: 'cuda-words', scopeName: 'cuda.words', injectTo: ['source.c'],
  injectionSelector: 'L:source.c -comment -string',
  patterns: [
    { name: 'cuda.launch', match: '<<<|>>>' },
    { name: 'cuda.word', match: '\\b__(?:global|device|host|shared|constant|managed|restrict|forceinline|noinline|launch_bounds|grid_constant)__\\b' },
    { name: 'cuda.variable', match: '\\b(?:threadIdx|blockIdx|blockDim|gridDim|warpSize)\\b' },
    { name: 'support.function', match: '\\b__(?:syncthreads|syncwarp|shfl|shfl_down|shfl_up|shfl_xor|ballot|any|all|activemask|ldg|popc|ffs|clz|float_as_int|int_as_float|float_as_uint|uint_as_float|threadfence)\\w*(?=\\s*\\()' },
    { name: 'support.type', match: '\\b(?:dim3|cuda\\w*_t|half|float[1-4]|int[1-4]|uint[1-4]|double[1-4]|uchar[1-4]|char[1-4]|cublas\\w*_t|nccl\\w*_t)\\b' },
    { name: 'keyword.control', match: '\\b(?:template|typename|namespace|using|constexpr|nullptr|class|static_cast|reinterpret_cast)\\b' },
  ],
};

const names = { cuda: 'c', cu: 'c', cpp: 'c', 'c++': 'c', h: 'c', c: 'c', sh: 'bash', shell: 'bash', bash: 'bash' };
const engine = createJavaScriptRegexEngine();
let shiki;
const known = new Map();

// Takes code and a language (c, cuda, bash, …; others stay plain). Returns HTML for inside <code>.
export function highlight(code, language) {
  const lang = names[language];
  if (!lang) return escape(code);
  const key = `${lang}\0${code}`;
  if (!known.has(key)) known.set(key, tokens(code, lang));
  return known.get(key);
}

function tokens(code, lang) {
  shiki ??= createHighlighterCoreSync({ themes: [theme], langs: [c, bash, [cuda]], engine });
  const { tokens: lines } = shiki.codeToTokens(code, { lang, theme: 'kinds', tokenizeTimeLimit: 0 }); // else a slow machine leaves the rest of a line plain
  return lines.map((line) => {
    let html = '', kind = '', text = '';
    const flush = () => { html += kind && text.trim() ? `<b class="${kind}">${escape(text)}</b>` : escape(text); text = ''; };
    for (const token of line) {
      const next = classes[parseInt(token.color.slice(-2), 16) - 16] ?? '';
      if (next !== kind && token.content.trim()) { flush(); kind = next; }
      text += token.content;
    }
    flush();
    return html;
  }).join('\n');
}

// Takes code, its language, and what stands above it (a title, may be ''). Returns the whole block; copy buttons come by script.
export function codeBlock(code, language, title = '') {
  const body = `<pre tabindex="0"><code${language ? ` class="lang-${escape(language)}"` : ''}>${highlight(code.replace(/\n+$/, ''), language)}\n</code></pre>`;
  return `<div class="code">${title ? `<p class="code-title">${title}</p>` : ''}${body}</div>\n`;
}
