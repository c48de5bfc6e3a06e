// Which sectors and banks a warp touches, for an index that you type. draw.js comes before this file.
// The counts equal those of the CPU backend: common/cpu/runtime/checker/profile_request.c.

const NAMES = ["threadIdx.x", "threadIdx.y", "blockIdx.x", "blockIdx.y", "blockDim.x", "blockDim.y"];
const LEVELS = [["|"], ["^"], ["&"], ["<<", ">>"], ["+", "-"], ["*", "/", "%"]]; // weakest first, as in C

// One operation on two 32-bit numbers as C does it: a, b and the result are {n, u}, u when unsigned.
function operate(sign, a, b) {
  const shift = sign === "<<" || sign === ">>", u = a.u || (b.u && !shift);
  const [p, q] = shift || !u ? [a.n, b.n] : [a.n >>> 0, b.n >>> 0];
  if ((sign === "/" || sign === "%") && q === 0) throw new Error(`${p} ${sign} 0 has no value.`);
  if (shift && (q < 0 || q > 31)) throw new Error(`${p} ${sign} ${q}: a shift goes from 0 to 31.`);
  const n = { "|": () => p | q, "^": () => p ^ q, "&": () => p & q, "<<": () => p << q, ">>": () => (u ? p >>> q : p >> q),
    "+": () => p + q, "-": () => p - q, "*": () => Math.imul(p, q), "/": () => Math.trunc(p / q), "%": () => p % q }[sign]();
  return { n: u ? n >>> 0 : n | 0, u };
}

// Takes an expression; returns a function from {name: value} to its value. Throws an Error that says where it is wrong.
function parse(text) {
  const words = [...text.matchAll(/\s*(0[xX][0-9a-fA-F]+|\d+|[A-Za-z_][\w.]*|<<|>>|\S)/g)].map((m) => ({ word: m[1], place: m.index + m[0].length - m[1].length + 1 }));
  let next = 0;
  const peek = () => (words[next] || {}).word;
  const wrong = (why) => new Error(next < words.length ? `At character ${words[next].place}, '${words[next].word}': ${why}` : `The expression ends too early: ${why}`);

  function atom() {
    const word = peek() || "";
    if (/^\d/.test(word)) {
      const n = Number(word);
      if (!(n < 2 ** 31) || /^0\d/.test(word)) throw wrong("a number from 0 to 2147483647, without a leading 0.");
      next++;
      return () => ({ n, u: false });
    }
    if (NAMES.includes(word)) return next++, (names) => ({ n: names[word], u: true });
    if (word === "-" || word === "~" || word === "+") {
      next++;
      const of = atom();
      return word === "~" ? (names) => operate("^", of(names), { n: -1 }) : (names) => operate(word, { n: 0 }, of(names));
    }
    if (word !== "(") throw wrong(`a number, a name or ( belongs here. The names are ${NAMES.join(", ")}.`);
    next++;
    const inner = level(0);
    if (peek() !== ")") throw wrong("a ) or one of + - * / % & | ^ << >> belongs here.");
    next++;
    return inner;
  }

  function level(l) {
    if (l === LEVELS.length) return atom();
    let left = level(l + 1);
    while (LEVELS[l].includes(peek())) {
      const sign = words[next++].word, a = left, b = level(l + 1);
      left = (names) => operate(sign, a(names), b(names));
    }
    return left;
  }

  const whole = level(0);
  if (next < words.length) throw wrong("one of + - * / % & | ^ << >> belongs here.");
  return whole;
}

// The element that each thread of a warp loads. Takes the expression, the block's shape and the warp's number.
function indices(text, bx, by, warp) {
  const of = parse(text), list = [];
  for (let t = warp * 32; t < Math.min(bx * by, warp * 32 + 32); t++) {
    const x = t % bx, y = Math.floor(t / bx);
    const { n } = of({ "threadIdx.x": x, "threadIdx.y": y, "blockIdx.x": 0, "blockIdx.y": 0, "blockDim.x": bx, "blockDim.y": by });
    if (n < 0 || n >= 1 << 20) throw new Error(`Thread (${x}, ${y}) loads element ${n}: the array has ${nice(1 << 20)}.`);
    list.push(n);
  }
  return list;
}

// One load of a warp from global memory: the sectors that it touches, {number: lanes}, and the smallest possible number.
function sectors(list, size) {
  const touched = new Map();
  list.forEach((n, lane) => touched.set(Math.floor(n * size / 32), [...(touched.get(Math.floor(n * size / 32)) || []), lane]));
  return { touched, sectors: touched.size, ideal: Math.ceil(new Set(list).size * size / 32) };
}

// The same load from shared memory: passes over the 32 banks, each a list of {bank, lane, more}. Lanes that use the
// same word share it. With elements of 8 bytes the warp goes in two halves, with 16 bytes in four quarters.
function banks(list, size) {
  const each = Math.max(1, size / 4), part = 32 / each, passes = [];
  let ideal = 0;
  for (let first = 0; first < list.length; first += part) {
    const words = new Map(), height = Array(32).fill(0), start = passes.length;
    list.slice(first, first + part).forEach((n, i) => {
      for (let k = 0; k < each; k++) {
        const word = Math.floor(n * size / 4) + k, bank = word % 32;
        if (words.has(word)) words.get(word).more = true;
        else {
          words.set(word, { bank, lane: first + i });
          (passes[start + height[bank]] ||= []).push(words.get(word));
          height[bank]++;
        }
      }
    });
    ideal++;
  }
  return { passes, wavefronts: passes.length, conflicts: passes.length - ideal };
}

// Both for a warp, or summed over all warps of the block.
function counts(v, warps) {
  const sum = { requests: warps.length, sectors: 0, ideal: 0, wavefronts: 0, conflicts: 0 };
  for (const warp of warps) {
    const list = indices(v.index, v.bx, v.by, warp), g = sectors(list, Number(v.size)), s = banks(list, Number(v.size));
    for (const key of ["sectors", "ideal"]) sum[key] += g[key];
    for (const key of ["wavefronts", "conflicts"]) sum[key] += s[key];
  }
  return sum;
}

// A short list of lanes: 0-3, 8.
const lanes = (list) => {
  let words = "";
  list.forEach((lane, i) => {
    if (lane !== list[i - 1] + 1) words += `${words && ", "}${lane}`;
    else if (lane + 1 !== list[i + 1]) words += `–${lane}`;
  });
  return words.length > 13 ? `${words.slice(0, 12)}…` : words;
};

function paint(list, size, says) {
  const g = sectors(list, size), s = banks(list, size), numbers = [...g.touched.keys()].sort((a, b) => a - b);
  let body = label(0, 14, "Global memory: the 32-byte sectors that it touches; filled: the bytes that it needs", "head"), y = 24;
  numbers.forEach((number, i) => {
    const x = i % 8 * 80;
    if (i && i % 8 === 0) y += 52;
    body += label(x, y + 12, `sector ${number}`, "tiny") + rect(x, y + 16, 76, 16, "idle");
    for (const n of new Set(g.touched.get(number).map((lane) => list[lane]))) body += rect(x + (n * size % 32) * 76 / 32, y + 16, size * 76 / 32, 16, "f1");
    body += label(x, y + 43, `lane ${lanes(g.touched.get(number))}`, "tiny");
  });
  body += label(0, (y += 76), "Shared memory: the 32 banks, a row for each pass over them", "head") +
    label(0, (y += 17), "In each box: the lane; + means that other lanes use the same word.", "small");
  const high = s.wavefronts > 16 ? 11 : 16;
  for (let b = 0; b < 32; b++) body += label(b * 20 + 9, y + 15, b, "tiny middle");
  s.passes.forEach((pass, p) => {
    body += rect(0, y + 20 + p * high, 638, high, "idle");
    for (const w of pass) body += rect(w.bank * 20, y + 20 + p * high, 18, high - 1, "f2") + label(w.bank * 20 + 9, y + 17 + high + p * high, w.lane + (w.more ? "+" : ""), "tiny middle");
  });
  return picture(640, y + 24 + s.wavefronts * high, says, body);
}

// Takes the form's values; returns the picture, a table and a sentence.
function draw(v) {
  if (v.bx * v.by > 1024) throw new Error(`${v.bx} × ${v.by} threads a block: at most 1024 are allowed.`);
  const all = Math.ceil(v.bx * v.by / 32), warp = Math.min(v.warp, all - 1), list = indices(v.index, v.bx, v.by, warp);
  const one = counts(v, [warp]), block = counts(v, [...Array(all).keys()]);
  const global = new Set(list).size === 1 ? "one address for all lanes" : one.sectors === one.ideal ? "coalesced"
    : `${one.ideal} would be enough`;
  const say = `Warp ${warp} touches ${count(one.sectors, "sector")}: ${global}. In shared memory it takes ${count(one.wavefronts, "pass")}, ${count(one.conflicts, "bank conflict")}.`.replace("passs", "passes");
  const row = (words, key) => [words, nice(one[key]), nice(block[key]), nice(block[key] / all)];
  const out = table([["", `warp ${warp}`, `block, ${count(all, "warp")}`, "per request"], ["requests", 1, all, 1], row("sectors", "sectors"),
    row("sectors that would be enough", "ideal"), row("passes over the banks", "wavefronts"), row("bank conflicts", "conflicts")]);
  return { svg: paint(list, Number(v.size), say), out, say, limits: { warp: all - 1 } };
}

module.exports = { name: "memory", draw, parse, counts };
