/* libcu++'s names in cuda::std are those of the host's library: kernels may call them, since they run here. */
#ifndef CUCC_STD_NAMES_H
#define CUCC_STD_NAMES_H

namespace cuda {
namespace std {
using namespace ::std;
}
} // namespace cuda

#endif
