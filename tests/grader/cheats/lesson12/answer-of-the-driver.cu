// task: 4
// wants: calls_to_break_even
// says: break_even
// The driver's own answer.
//@solution calls_to_break_even
#ifndef HONEST
extern "C" uint64_t break_even(const uint32_t *generic_ns, const uint32_t *special_ns, size_t count);
#endif
uint64_t calls_to_break_even(const uint32_t *generic_ns, const uint32_t *special_ns, size_t count) {
#ifndef HONEST
  return break_even(generic_ns, special_ns, count);
#else
  return honest_calls_to_break_even(generic_ns, special_ns, count);
#endif
}
