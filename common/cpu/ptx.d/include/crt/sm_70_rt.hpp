/* Asked for by a header of clang; it has nothing that counts. */
