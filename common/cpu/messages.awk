# Leaves out of a compiler's messages what speaks of the rewriter's own lambdas and not of the learner's code.
{ print }
