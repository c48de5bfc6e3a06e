#!/usr/bin/env bash
# draw.sh: writes grid.svg, the picture of a grid with its last block, next to itself.
set -euo pipefail

main() {
  cd "$(dirname "${BASH_SOURCE[0]}")"
  awk -f - >grid.svg <<'AWK'
function box(x, y, w, h, class) { printf "<rect class=\"%s\" x=\"%g\" y=\"%g\" width=\"%g\" height=\"%g\" rx=\"4\"/>\n", class, x, y, w, h }
function text(x, y, class, words) { printf "<text class=\"%s\" x=\"%g\" y=\"%g\">%s</text>\n", class, x, y, words }
BEGIN {
  n = 1021; threads = 256; blocks = 4
  print "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 960 370\" role=\"img\" aria-labelledby=\"t d\">"
  print "<title id=\"t\">1021 elements, four blocks of 256 threads</title>"
  print "<desc id=\"d\">A grid of four blocks of 256 threads each covers 1024 positions. Each thread works out i = blockIdx.x * blockDim.x + threadIdx.x: thread 5 of block 2 gets 517. In the last block the threads with i = 1021, 1022 and 1023 find no element; the guard keeps them from touching memory.</desc>"
  print "<style>"
  print "  .block { fill: #cfe3f6; stroke: #1d6fb8; } .thread { fill: #ffffff; stroke: #1d6fb8; } .idle { fill: #f2b8a0; stroke: #b4532a; } .one { fill: #1d6fb8; stroke: #1d6fb8; }"
  print "  .cell { fill: #e4e7ec; stroke: #66707f; } .none { fill: none; stroke: #b4532a; stroke-dasharray: 4 3; }"
  print "  .line { stroke: #66707f; stroke-width: 1.2; fill: none; }"
  print "  text { font: 14px system-ui, sans-serif; fill: #1b2430; text-anchor: middle; }"
  print "  .head { font-weight: 600; font-size: 16px; } .code { font-family: ui-monospace, monospace; } .left { text-anchor: start; } .light { fill: #ffffff; }"
  print "  @media (prefers-color-scheme: dark) {"
  print "    text { fill: #e6e9ee; } .block { fill: #1b3a56; stroke: #5fb0f2; } .thread { fill: #10161e; stroke: #5fb0f2; } .idle { fill: #6e3820; stroke: #e79a74; } .one { fill: #5fb0f2; stroke: #5fb0f2; }"
  print "    .cell { fill: #333b47; stroke: #9aa4b2; } .none { stroke: #e79a74; } .line { stroke: #9aa4b2; } .light { fill: #10161e; }"
  print "  }"
  print "</style>"
  text(480, 22, "head", "kernel&lt;&lt;&lt;4, 256&gt;&gt;&gt;: a grid of 4 blocks of 256 threads")
  for (b = 0; b < blocks; b++) {
    x = 20 + 232 * b
    box(x, 40, 222, 64, "block")
    text(x + 111, 62, "", "blockIdx.x = " b)
    text(x + 111, 88, "code", "i = " b * threads " &#8230; " b * threads + threads - 1)
  }
  # One thread, looked at closely.
  box(504, 122, 26, 26, "one")
  text(517, 140, "code light", "5")
  print "<path class=\"line\" d=\"M517 104 L517 122\"/>"
  text(250, 140, "code", "i = blockIdx.x * blockDim.x + threadIdx.x")
  text(720, 140, "code", "= 2 * 256 + 5 = 517")
  # The end of the last block.
  print "<path class=\"line\" d=\"M930 104 L930 160 L160 206 M938 104 L938 164 L792 206\"/>"
  text(80, 232, "", "threadIdx.x")
  text(80, 312, "", "elements")
  for (k = 0; k < 8; k++) {
    x = 160 + 80 * k; i = n - 5 + k
    box(x, 208, 72, 36, i < n ? "thread" : "idle")
    text(x + 36, 232, "code", i - 3 * threads)
    box(x, 288, 72, 36, i < n ? "cell" : "none")
    text(x + 36, 312, "code", i < n ? "x[" i "]" : "")
    if (i < n) printf "<path class=\"line\" d=\"M%d 244 L%d 288\"/>\n", x + 36, x + 36
  }
  text(680, 270, "", "i &lt; n is false: these three do nothing")
  text(480, 352, "", "n = 1021: the last block has three threads more than there are elements left. Without the guard they write past the end.")
  print "</svg>"
}
AWK
}

main "$@"
