/* job.c: see job.h. */
#include "job.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* The number in a variable of the workbook, or else of Slurm; -1: there is none. */
static int number(const char *own, const char *slurm) {
  const char *text = getenv(own) ? getenv(own) : getenv(slurm);
  char *end;
  if (!text || !*text) return -1;
  const long n = strtol(text, &end, 10);
  return *end || n < 0 || n > 1 << 20 ? -1 : (int)n;
}

static const char *variable(const char *name, const char *otherwise) {
  const char *text = getenv(name);
  return text && *text ? text : otherwise;
}

/* The file's name holds the step of the job, and how often the job began: no other run has it. */
static bool name_file(job *j) {
  const char *own = variable("WB_ID_FILE", NULL), *job_id = variable("SLURM_JOB_ID", NULL),
             *step = variable("SLURM_STEP_ID", NULL);
  if (!own && !(job_id && step)) return false;
  const int length = own ? snprintf(j->id_file, sizeof j->id_file, "%s", own)
                         : snprintf(j->id_file, sizeof j->id_file, "ranks-%s.%s.%s.id", job_id, step,
                                    variable("SLURM_RESTART_COUNT", "0"));
  return length < (int)sizeof j->id_file - 8;
}

bool job_find(job *j) {
  *j = (job){.rank = number("WB_RANK", "SLURM_PROCID"), .ranks = number("WB_RANKS", "SLURM_NTASKS")};
  j->local = getenv("WB_RANK") ? j->rank : number("SLURM_LOCALID", "SLURM_LOCALID");
  j->limit_s = number("WB_RANK_WAIT", "WB_RANK_WAIT");
  if (j->limit_s < 1) j->limit_s = 60;
  if (gethostname(j->node, sizeof j->node - 1)) strcpy(j->node, "this node");
  if (j->rank >= 0 && j->rank < j->ranks && j->local >= 0 && name_file(j)) return true;
  fprintf(stderr, "--as-rank: this process is no rank of a job: `srun --ntasks=4 ...` starts four. Without "
                  "Slurm set WB_RANK, "
                  "from 0, WB_RANKS, how many there are, and WB_ID_FILE, a new file that all of them see.\n");
  return false;
}

static bool write_id(const char *path, const void *id, size_t bytes) {
  char whole[sizeof((job *)NULL)->id_file + 8];
  snprintf(whole, sizeof whole, "%s.new", path);
  FILE *out = fopen(whole, "wb");
  if (!out) return false;
  const bool written = fwrite(id, bytes, 1, out) == 1;
  if (fclose(out) == 0 && written && rename(whole, path) == 0) return true; /* no rank sees half of it */
  const int error = errno;
  unlink(whole);
  errno = error;
  return false;
}

static bool read_id(const char *path, void *id, size_t bytes) {
  FILE *in = fopen(path, "rb");
  if (!in) return false;
  const bool whole = fread(id, bytes, 1, in) == 1;
  fclose(in);
  return whole;
}

bool job_share_id(const job *j, void *id, size_t bytes) {
  if (j->rank == 0) {
    if (write_id(j->id_file, id, bytes)) return true;
    fprintf(stderr, "rank 0 of %d on %s can't write the id of NCCL into %s: %s\n", j->ranks, j->node,
            j->id_file, strerror(errno));
    return false;
  }
  const time_t end = time(NULL) + j->limit_s;
  while (!read_id(j->id_file, id, bytes)) {
    if (time(NULL) > end) {
      fprintf(
          stderr,
          "rank %d of %d on %s has waited %d s (WB_RANK_WAIT) for %s: rank 0, on the first node of %s, has "
          "not written it, or %s does not see that folder\n",
          j->rank, j->ranks, j->node, j->limit_s, j->id_file, variable("SLURM_STEP_NODELIST", j->node),
          j->node);
      return false;
    }
    nanosleep(&(struct timespec){.tv_nsec = 20000000}, NULL);
  }
  return true;
}

void job_remove_id(const job *j) {
  if (j->rank == 0) unlink(j->id_file);
}
