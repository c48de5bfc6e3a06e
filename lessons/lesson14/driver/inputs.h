/* inputs.h: how many elements the arrays of the tasks have, what their random values become, and which of them count as 0
 * in some calls: wb_array.count, wb_task.shape and wb_task.zeros. inputs.c says of each what it makes. */
#ifndef INPUTS_H
#define INPUTS_H

#include "wb.h"

#define FAR_BELOW 3 /* outputs of the sizes of forward whose logits are all far below 0 */

size_t count_x(const wb_case *c);
size_t count_params(const wb_case *c);
size_t count_hidden(const wb_case *c);
size_t count_probs(const wb_case *c);
size_t count_batch(const wb_case *c);
size_t count_states(const wb_case *c);
size_t count_sum_work(const wb_case *c);
size_t count_adam(const wb_case *c);
size_t count_one(const wb_case *c);
size_t count_images(const wb_case *c);
size_t count_data(const wb_case *c);
size_t count_losses(const wb_case *c);
size_t count_order(const wb_case *c);
size_t count_step_of_ranks(const wb_case *c);
size_t count_rank_images(const wb_case *c);
size_t count_rank_state(const wb_case *c);
size_t count_state(const wb_case *c);

/* wb_task.zeros of forward and backward. */
int zeros_of_batch(const wb_case *c, int which, wb_window *zeros);

int shape_forward(const wb_case *c, int array, void *values);
int shape_labels(const wb_case *c, int array, void *values);
int shape_states(const wb_case *c, int array, void *values);
int shape_gradients(const wb_case *c, int array, void *values);
int shape_adam(const wb_case *c, int array, void *values);
int shape_train(const wb_case *c, int array, void *values);
int shape_train_rank(const wb_case *c, int array, void *values);

/* The same for a network of so many inputs and parameters. */
int shape_training(const wb_case *c, int array, void *values, size_t inputs, size_t count);
/* Rank r of n takes images r, r + n, r + 2 n ... (ranks.c). */
void share_images(const wb_case *c, int array, void *values);

#endif
