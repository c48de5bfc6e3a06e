# Leaves out of a compiler's messages what speaks of the lambda that a launch is rewritten to: the way from a wrong
# argument to the learner's line leads through cucc/launch.h, which tells a learner nothing.
# gcc says "In instantiation of ... <lambda(auto:1 ...)>", "required from ...", "required from here".
# clang says "launch.h:55:57: note: in instantiation of function template specialization ... requested here", and shows
# the line and a caret.
/In instantiation of .*<lambda\(auto:|In lambda function:|In instantiation of .*cucc::launcher/ { hidden = 1; next }
hidden && /required from here/ { hidden = 0; next }
hidden && /required from .*(<lambda\(auto:|cucc::launcher)/ { next }
/note: in instantiation of function template specialization .*(cucc::launcher|::operator\(\)<)/ { skip = 2; next }
skip > 0 && /^ / { skip--; next }
{ hidden = 0; skip = 0; print }
