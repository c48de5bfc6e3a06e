// One line of Markdown in generated HTML: a table's cell, a definition, an advice.
import { escape } from './text.js';

// Takes a line of Markdown (code, strong, emphasis, links). Returns HTML.
export function inline(markdown) {
  const code = [];
  const kept = markdown.replace(/`([^`]+)`/g, (_, text) => `\u0000${code.push(text) - 1}\u0000`);
  return escape(kept)
    .replace(/\[([^\]]+)\]\(([^)\s]+)\)/g, '<a href="$2">$1</a>')
    .replace(/\*\*([^*]+)\*\*/g, '<strong>$1</strong>')
    .replace(/(?<![\w*])\*([^*\s][^*]*)\*(?![\w*])/g, '<em>$1</em>')
    .replace(/\u0000(\d+)\u0000/g, (_, n) => `<code>${escape(code[n])}</code>`);
}
