// task: 3
// wants: cache_get is right: every kernel is built once, and none is taken for another
// says: another source with the same hash
// Kernels are found by a hash of the texts of 64 bits (FNV-1a), and the texts are not compared.
//@solution cache_get
#ifndef HONEST
static std::string key_of(const char *text) {
  uint64_t hash = 14695981039346656037u;
  for (; *text; text++) hash = (hash ^ (unsigned char)*text) * 1099511628211u;
  return std::to_string(hash);
}
#endif
cudaError_t cache_get(struct kernel_cache *cache, const char *source, const char *options, int device,
                      CUfunction *kernel) {
#ifndef HONEST
//@part cache-by-a-key.inc
#else
  return honest_cache_get(cache, source, options, device, kernel);
#endif
}
