# starter.awk: makes a starter from a solution.  awk -f starter.awk solutions/lesson02/kernels.cu > starter
#
# Between `// #region NAME` and `// #endregion NAME` only lines that begin with `//:` are copied, without that
# mark. Everything else outside regions is copied. The region lines themselves are dropped.

/^[ \t]*\/\/ #region /    { if (begun) die("the region of line " begun unended); begun = FNR; next }
/^[ \t]*\/\/ #endregion / { if (!begun) die("ends no region: write // #region task-N"); begun = 0; next }
begun && /^[ \t]*\/\/:/   { sub(/\/\/: ?/, ""); print; next }
begun                     { next }
                          { print }
BEGIN                     { unended = " has no end: write // #endregion task-N after its code" }
END                       { if (begun && !failed) die("the region of line " begun unended); exit failed }

function die(what) { printf "%s:%d: %s\n", FILENAME, FNR, what > "/dev/stderr"; failed = 1; exit 1 }
