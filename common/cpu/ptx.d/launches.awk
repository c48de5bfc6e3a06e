# launches.awk: which functions of the host can launch which kernels, from clang's code for the host. A
# function reaches what its body names: other functions, tables of them, the stub that stands for a kernel.
#
#   awk -f launches.awk FILE.ll
#     launch    xFUNCTION  STUB    for each function that other files can call
#     compiler  NAME

BEGIN { OFS = "\t" }

function names(text, from, name) {
  while (match(text, /@("[^"]*"|[A-Za-z0-9_.$]+)/)) {
    name = substr(text, RSTART + 1, RLENGTH - 1)
    text = substr(text, RSTART + RLENGTH)
    if (name == from) continue
    edges[from, ++edge_count[from]] = name
  }
}

/^define / {
  match($0, /@("[^"]*"|[A-Za-z0-9_.$]+)\(/)
  inside = substr($0, RSTART + 1, RLENGTH - 2)
  if ($0 !~ / (internal|private|linkonce_odr|weak_odr) / && inside !~ /__device_stub__/)
    roots[++root_count] = inside
  next
}
/^}/ { inside = ""; next }
inside != "" { names($0, inside); next }
/^!.*clang version/ && !named++ { sub(/^[^"]*"/, ""); sub(/".*/, ""); print "compiler", $0 }
/^@/ { name = $1; sub(/^@/, "", name); names(substr($0, length($1) + 1), name) }

function visit(name, i) {
  if (name in visited) return
  visited[name] = 1
  if (name ~ /__device_stub__/) { print "launch", "x" root, name; return }
  for (i = 1; i <= edge_count[name]; i++) visit(edges[name, i])
}

END {
  for (r = 1; r <= root_count; r++) {
    root = roots[r]
    delete visited
    visit(root)
  }
}
