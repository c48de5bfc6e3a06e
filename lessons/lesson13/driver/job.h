/* job.h: which rank of a job this process is, and how all ranks get the id that rank 0 makes. */
#ifndef JOB_H
#define JOB_H

#include <stdbool.h>
#include <stddef.h>

/* From Slurm's variables, or from the workbook's own, which count more. */
typedef struct job {
  int rank, ranks;
  int local;         /* the rank among those on this node */
  int limit_s;       /* WB_RANK_WAIT: how long a rank waits for the others; default 60 */
  char node[64];     /* its name */
  char id_file[512]; /* WB_ID_FILE, or a name that no other job and step has */
} job;

/* Returns false, with a sentence on standard error, if this process is no rank of a job. */
bool job_find(job *j);

/* Rank 0 writes the id into the file; the others wait for it and read it. Returns false with a sentence on
 * standard error: the folder can't be written, or no id has come within the limit. */
bool job_share_id(const job *j, void *id, size_t bytes);

/* Rank 0 removes the file: when all have read it, or at the end. Also from a handler of signals. */
void job_remove_id(const job *j);

#endif
