# Prints one run's log, of compute-sanitizer or of the program alone, as NAME, TOOL, STATUS, ERRORS, SENTENCE
# with tabs between them. The sentence is the tool's first finding, or the first line of the program's output.

tool == "plain" { if (sentence == "" && NF) sentence = $0; next }
/^========= (ERROR|RACECHECK) SUMMARY: [0-9]+/ { errors += $4; next }
/^========= [A-Z]/ && sentence == "" &&
  !/COMPUTE-SANITIZER|SUMMARY|Target application|process didn't terminate/ &&
  !/^========= (Saved|Host Frame|Device Frame|Internal)/ {
  sentence = $0
  sub(/^========= /, "", sentence)
  sub(/^(Error|Warning): /, "", sentence)
}
END {
  gsub(/[\t|]/, " ", sentence)
  printf "%s\t%s\t%s\t%d\t%s\n", name, tool, status, errors, substr(sentence, 1, 200)
}
