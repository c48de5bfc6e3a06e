/* Copies and fills of rows: two- and three-dimensional arrays, whose rows lie a pitch apart. */
#include "base/base.h"

#include "state/op.h"
#include "state/state.h"
#include "engine/copy.h"
#include "engine/entry.h"

#define PITCH_MAX ((size_t)2147483647) /* cudaDeviceProp.memPitch */

static bool pitch_right(const struct transfer_request *r) {
  const size_t to = r->rows.dst_pitch, from = r->src ? r->rows.src_pitch : to;
  return r->bytes <= to && r->bytes <= from && to <= PITCH_MAX && from <= PITCH_MAX;
}

static cudaError_t transfer_rows(struct transfer_request *r, bool copies) {
  cudaError_t error = cucc_enter(r->call);
  if (error || r->bytes == 0 || rows_count(&r->rows) == 0) return error;
  if (!r->dst || (copies && !r->src)) return cucc_fail(cudaErrorInvalidValue);
  if (!pitch_right(r)) return cucc_fail(cudaErrorInvalidPitchValue);
  return copy_transfer(r);
}

static struct rows rows_2d(size_t dst_pitch, size_t src_pitch, size_t height) {
  return (struct rows){
      .height = height ? height : 1, .depth = height ? 1 : 0, .dst_pitch = dst_pitch, .src_pitch = src_pitch};
}

cudaError_t cudaMemcpy2D(void *dst, size_t dpitch, const void *src, size_t spitch, size_t width,
                         size_t height, enum cudaMemcpyKind kind) {
  struct transfer_request r = {.call = "cudaMemcpy2D",
                               .dst = dst,
                               .src = src,
                               .bytes = width,
                               .rows = rows_2d(dpitch, spitch, height),
                               .kind = kind,
                               .wait = true,
                               .site = CALLER};
  return transfer_rows(&r, true);
}

cudaError_t cudaMemcpy2DAsync(void *dst, size_t dpitch, const void *src, size_t spitch, size_t width,
                              size_t height, enum cudaMemcpyKind kind, cudaStream_t stream) {
  struct transfer_request r = {.call = "cudaMemcpy2DAsync",
                               .dst = dst,
                               .src = src,
                               .bytes = width,
                               .rows = rows_2d(dpitch, spitch, height),
                               .kind = kind,
                               .stream = stream,
                               .site = CALLER};
  return transfer_rows(&r, true);
}

cudaError_t cudaMemset2D(void *dst, size_t pitch, int value, size_t width, size_t height) {
  struct transfer_request r = {.call = "cudaMemset2D",
                               .dst = dst,
                               .value = value,
                               .bytes = width,
                               .rows = rows_2d(pitch, pitch, height),
                               .wait = true,
                               .site = CALLER};
  return transfer_rows(&r, false);
}

cudaError_t cudaMemset2DAsync(void *dst, size_t pitch, int value, size_t width, size_t height,
                              cudaStream_t stream) {
  struct transfer_request r = {.call = "cudaMemset2DAsync",
                               .dst = dst,
                               .value = value,
                               .bytes = width,
                               .rows = rows_2d(pitch, pitch, height),
                               .stream = stream,
                               .site = CALLER};
  return transfer_rows(&r, false);
}

static struct rows rows_3d(const struct cudaPitchedPtr *dst, const struct cudaPitchedPtr *src,
                           struct cudaExtent extent) {
  return (struct rows){.height = extent.height ? extent.height : 1,
                       .depth = extent.height ? extent.depth : 0,
                       .dst_pitch = dst->pitch,
                       .dst_slice = dst->pitch * dst->ysize,
                       .src_pitch = src->pitch,
                       .src_slice = src->pitch * src->ysize};
}

static cudaError_t fill_3d(struct transfer_request *r, struct cudaPitchedPtr p, struct cudaExtent extent) {
  r->dst = p.ptr;
  r->bytes = extent.width;
  r->rows = rows_3d(&p, &p, extent);
  return transfer_rows(r, false);
}

cudaError_t cudaMemset3D(struct cudaPitchedPtr pitched, int value, struct cudaExtent extent) {
  struct transfer_request r = {.call = "cudaMemset3D", .value = value, .wait = true, .site = CALLER};
  return fill_3d(&r, pitched, extent);
}

cudaError_t cudaMemset3DAsync(struct cudaPitchedPtr pitched, int value, struct cudaExtent extent,
                              cudaStream_t stream) {
  struct transfer_request r = {.call = "cudaMemset3DAsync", .value = value, .stream = stream, .site = CALLER};
  return fill_3d(&r, pitched, extent);
}

static char *corner(const struct cudaPitchedPtr *p, struct cudaPos at) {
  return p->ptr ? (char *)p->ptr + (at.z * p->ysize + at.y) * p->pitch + at.x : NULL;
}

static cudaError_t copy_3d(struct transfer_request *r, const struct cudaMemcpy3DParms *p) {
  if (!p || p->srcArray || p->dstArray) return cucc_fail(cudaErrorInvalidValue);
  r->dst = corner(&p->dstPtr, p->dstPos);
  r->src = corner(&p->srcPtr, p->srcPos);
  r->bytes = p->extent.width;
  r->rows = rows_3d(&p->dstPtr, &p->srcPtr, p->extent);
  r->kind = p->kind;
  return transfer_rows(r, true);
}

cudaError_t cudaMemcpy3D(const struct cudaMemcpy3DParms *p) {
  struct transfer_request r = {.call = "cudaMemcpy3D", .wait = true, .site = CALLER};
  return copy_3d(&r, p);
}

cudaError_t cudaMemcpy3DAsync(const struct cudaMemcpy3DParms *p, cudaStream_t stream) {
  struct transfer_request r = {.call = "cudaMemcpy3DAsync", .stream = stream, .site = CALLER};
  return copy_3d(&r, p);
}
