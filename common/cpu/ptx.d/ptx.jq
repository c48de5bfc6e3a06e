# ptx.jq: the lines of count.awk and launches.awk, as the JSON that `ptx --help` describes.

# "void ns::map<float>(float const*)" -> "map"
def plain_name:
  gsub("\\(anonymous namespace\\)::"; "") | sub("^void "; "") | capture("^(?<n>[A-Za-z0-9_:]*)").n
  | split("::") | last // "";

[inputs | split("\t")] as $lines
| def of($kind): $lines[] | select(.[0] == $kind);
[of("launch") | {function: .[1][1:], instance: (.[2] | gsub("__device_stub__"; ""))}] as $launches
| {schema: "wb-ptx/1", $file, compiler: [of("compiler")[1]][0],
   kernels: (if $reason != "" then null else
     [of("kernel") | . as [$_, $symbol, $line, $instance]
       | {name: ($instance | plain_name), symbol: $symbol[1:], $instance, line: ($line | tonumber),
          launched_by: ([$launches[] | select(.instance == $instance) | .function] | unique),
          double_lines: ([of("double") | select(.[1] == $symbol) | .[2:4] | map(tonumber)]
            | sort_by([-.[1], -.[0]]) | map(.[0])),
          library: ([of("library") | select(.[1] == $symbol) | {key: .[2], value: (.[3] | tonumber)}]
            | from_entries),
          counts: ([of("count") | select(.[1] == $symbol) | {key: .[2], value: (.[3] | tonumber)}]
            | from_entries)}] end),
   reason: ($reason | if . == "" then null else . end),
   message: ($message | if . == "" then null else . end)}
