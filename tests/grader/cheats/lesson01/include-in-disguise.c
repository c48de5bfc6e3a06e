// task: 2
// wants: matmul is right for every shape
// says: includes WHERE
// The same, hidden by comments, a digraph, a spliced line and a macro.
#ifndef HONEST
#define WHERE "../../solutions/lesson01/loops.c"
// clang-format off
/* */ %: /* */ incl\
ude WHERE
// clang-format on
#else
//@solution
#endif
