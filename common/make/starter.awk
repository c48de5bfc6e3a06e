# starter.awk: makes a starter from a solution.  awk -f starter.awk solutions/lesson02/kernels.cu > starter
#
# Between `// #region NAME` and `// #endregion NAME` only lines that begin with `//:` are copied, without that
# mark. Everything else outside regions is copied. The region lines themselves are dropped.

/^[ \t]*\/\/ #region /    { if (inside) die("region inside region"); inside = 1; next }
/^[ \t]*\/\/ #endregion / { if (!inside) die("endregion without region"); inside = 0; next }
inside && /^[ \t]*\/\/:/  { sub(/\/\/: ?/, ""); print; next }
inside                    { next }
                          { print }
END                       { if (inside && !failed) die("region not ended") ; exit failed }

function die(what) { printf "%s:%d: %s\n", FILENAME, FNR, what > "/dev/stderr"; failed = 1; exit 1 }
