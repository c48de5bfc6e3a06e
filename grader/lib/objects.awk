# objects.awk: what a learner's object holds that the same compiler does not make of the reference. One line
# for each fact, its fields separated by tabs, each kind sorted:
#
#   many                              more than MOST symbols; nothing else is said
#   unreadable                        a symbol has a blank in its name; nothing else is said
#   incomplete                        F1 or F3 does not end with a line `complete`; nothing else is said
#   section NAME                      a section of the object; `.text.*`: all that begin with `.text.`
#   stack                             it needs code on the stack
#   early NAME                        a constructor or destructor that the reference lacks; "?" for what is
#                                     no function
#   uses NAME HARNESS                 a symbol that it takes from elsewhere; HARNESS: 1 where the program's
#                                     own part defines it
#   defines TYPE NAME EXPORTED HIDDEN EXPORTED: the program shows the name to libraries; HIDDEN: it is hidden
#                                     from libraries, and the harness wants a symbol of that name
#   system INSTRUCTION                a system call in machine code
#   segment                           an access through the segment register gs
#
# Usage: WANTED_BY=COMMAND awk -v MOST=N -f objects.awk read=tables F1 read=program F2 read=code F3
#   F1 objdump -h -w -t -r OBJECT REFERENCE   F2 objdump -t -T PROGRAM; empty: code that is loaded, and
#   F3 objdump -d --no-show-raw-insn OBJECT      whose definitions no one else uses: they are not said
#   COMMAND: nm -u -P of the harness's objects, run only where it matters
# (nm would say as much of symbols, but it loads the compilers' plugins each time: ten times as long.)

function plain(hex) { sub(/^(0x)?0*/, "", hex); return hex == "" ? "0" : hex }

# The function that a relocation of .init_array or .fini_array points to. gcc numbers those of its sanitizers.
function started(file, place,   part, key, name) {
  if ((file, place) in known) name = place
  else {
    split(place, part, /\+0x/)
    key = part[1] "+" plain(part[2])
    name = (file, key) in of ? of[file, key] : "?"
  }
  if (name ~ /^_sub_[ID]_00099_[0-9]*$/) sub(/_[0-9]*$/, "", name)
  return name
}

# Compilers make thousands of these, one for each function or variable.
function family(name) {
  return match(name, /^\.(text|data|rodata|bss|tdata|tbss)\./) ? substr(name, 1, RLENGTH) "*" : name
}

# Prints the keys of a list, sorted, each after `kind` and before what `after` holds for it.
function show(kind, list, after,   n, i, j, key, sorted) {
  for (key in list) {
    for (i = ++n; i > 1 && sorted[i - 1] > key; i--) sorted[i] = sorted[i - 1]
    sorted[i] = key
  }
  for (i = 1; i <= n; i++)
    for (j = 1; j <= list[sorted[i]]; j++) printf "%s\t%s%s\n", kind, sorted[i], after[sorted[i]]
}

# Takes a line of objdump -t or -T apart: its flags, section and name (in `flag`, `in_section` and `name`),
# and `hides`, its visibility. 0: it is no symbol, or one of a section or a file.
function is_symbol(   rest, words, word) {
  if ($0 !~ /^[0-9a-f]+ [lgu! ][w ][C ][W ][Ii ][dD ][FfO ] [^\t]*\t[0-9a-f]+ /) return 0
  match($0, /^[0-9a-f]+ /)
  flag = substr($0, RLENGTH + 1, 7)
  if (substr(flag, 6, 1) == "d") return 0
  rest = substr($0, RLENGTH + 9)
  in_section = substr(rest, 1, index(rest, "\t") - 1)
  rest = substr(rest, index(rest, "\t") + 1)
  words = split(rest, word, " ")
  name = word[words]
  hides = words > 2 && word[2] ~ /^\.(hidden|internal|protected)$/
  if (read == "tables" && file == 1 && words > 2 && !hides && word[2] !~ /^(0x[0-9a-f]+|\.variant_pcs)$/)
    unreadable = 1
  return words > 1
}

# The letter that nm has for a symbol which other files may see; "" for one that they don't.
function letter() {
  if (in_section == "*UND*") return substr(flag, 2, 1) == "w" ? "w" : "U"
  if (substr(flag, 5, 1) == "i") return "i"
  if (substr(flag, 1, 1) == "l") return ""
  if (substr(flag, 2, 1) == "w") return substr(flag, 7, 1) == "O" ? "V" : "W"
  return substr(flag, 1, 1) == "u" ? "u" : in_section == "*COM*" ? "C" : "D"
}

function take_symbol(   kind) {
  if (read == "tables" && file == 2) { in_reference[name]; return }
  kind = letter()
  if (read == "program") {
    if (dynamic && in_section != "*UND*") exported[name]
    if (!dynamic && kind == "D" && in_section != "*ABS*" && name !~ /^cu(da|[A-Z])/) harness[name]
    return
  }
  if (++symbols > MOST) return
  if (kind ~ /[Uw]/) used[name]
  else if (kind != "" && name != "") defined[kind "\t" name] = 1
  if (hides && in_section != "*UND*") hidden[name]
}

/^complete$/ { complete[read]; next }
read == "tables" {
  if (/: +file format /) { file++; part = "" }
  else if (/^Sections:$/) part = "sections"
  else if (/^SYMBOL TABLE:$/) part = "symbols"
  else if (/^RELOCATION RECORDS FOR/) part = /\[\.(init|fini)_array/ ? "early" : ""
  else if (part == "sections") {
    if (file == 1 && $1 ~ /^[0-9]+$/) section[family($2)] = 1
    if (file == 1 && /\.note\.GNU-stack .*CODE/) stack = 1
  } else if (part == "symbols") {
    if (NF >= 5 && / F /) { of[file, $(NF - 2) "+" plain($1)] = $NF; known[file, $NF] }
    if (is_symbol()) take_symbol()
  } else if (part == "early" && NF == 3 && $1 ~ /^[0-9a-f]+$/) relocation[file, ++relocations[file]] = $3
  next
}
read == "program" {
  if (/: +file format /) in_program = 1
  else if (/^DYNAMIC SYMBOL TABLE:$/) dynamic = 1
  else if (/^SYMBOL TABLE:$/) dynamic = 0
  else if (is_symbol()) take_symbol()
  next
}
read == "code"     {
  if (!system_call && match($0, /\t(syscall|sysenter|int +\$0x80|svc)([^A-Za-z0-9_]|$)/)) system_call = $0
  if (/%gs:/) segment = 1
}

END {
  if (symbols > MOST) { print "many"; exit }
  if (!("tables" in complete && "code" in complete)) { print "incomplete"; exit }
  if (unreadable) { print "unreadable"; exit }
  show("section", section)
  if (stack) print "stack"
  for (i = 1; i <= relocations[1]; i++) early[started(1, relocation[1, i])]++
  for (i = 1; i <= relocations[2]; i++) early[started(2, relocation[2, i])]--
  show("early", early)
  for (name in used) if (!(name in in_reference)) {
    uses[name] = 1; of_harness[name] = "\t" (name in harness)
  }
  show("uses", uses, of_harness)
  for (name in hidden) {
    while ((ENVIRON["WANTED_BY"] | getline line) > 0) { sub(/ .*/, "", line); wanted[line] }
    break
  }
  if (in_program) for (key in defined) {
    name = substr(key, 3)
    flags[key] = "\t" (name in exported) "\t" ((name in hidden) && (name in wanted))
  }
  if (in_program) show("defines", defined, flags)
  if (segment) print "segment"
  if (system_call) {
    match(system_call, /\t(syscall|sysenter|int +\$0x80|svc)/)
    print "system\t" substr(system_call, RSTART + 1, RLENGTH - 1)
  }
}
