# Loops to Warps: `make` prints what there is to make. How programs are compiled and linked:
# common/make/programs.mk.

SHELL         := /bin/bash
.SHELLFLAGS   := -eu -o pipefail -c
.DEFAULT_GOAL := help
MAKEFLAGS     += --no-builtin-rules

include common/make/programs.mk
-include common/make/maintain.mk

# Programs of lesson $1 (its name there: $2) for the kinds asked for by BACKEND, else for all that can be
# built here.
programs = $(addsuffix /$2,$(addprefix $(B)/,$(call wanted,$1)))
# ... and those that look for errors: the sanitizers' where there are some.
sanitizer_programs = $(addsuffix /$1,$(addprefix $(B)/,\
  $(or $(filter asan tsan,$(call kinds,$1)),$(call wanted,$1))))
both_kinds := ; BACKEND="cpu cuda" builds for a GPU, too
cpu_only = echo '$(if $(NVCC),no GPU,nvcc is not) here: built for the CPU backend only$(if $(NVCC),$(both_kinds))'
# The file to edit, as the learner would name it.
learner_file = $(L)/$1/$(call source,$1)
# How WORK is said again in what a learner is told to type next.
ifneq ($(W),.)
  with_work := $(blank)WORK=$(W)
  work_set  := WORK=$(W)$(blank)
  work_go   := cd $(W) &&$(blank)
endif
# The options of sbatch for lesson $1, if it is about several GPUs: as `make cluster` wrote them into the job.
two_gpus = $(if $(filter-out 0 1,$(shell awk -v keys=gpus -f common/shell/lesson.awk lessons/$1/lesson.yml)),$\
  $$(sed -n 's/^# with two GPUs: \(.*\)/\1 /p' $(W)/jobs/run.sh))

.PHONY: help
help: ## this text
	@echo 'Loops to Warps. NN is the number of a lesson:'
	@awk -F' *## ' '/^#: / {split(substr($$1, 4), t, ":"); printf "  make %-28s %s\n", t[1], $$2} \
	  /^[a-z-]+:.*## / {split($$1, t, ":"); printf "  make %-28s %s\n", t[1], $$2}' \
	  $(wildcard Makefile common/make/maintain.mk)
	@echo 'Settings: BACKEND=cpu|cuda   WORK=DIR (your files and builds there)   ARCH=native|fat|sm_90   MARCH=native'
	@echo 'Lessons:  $(LESSONS)'

# ---- Lessons ----

#: lessonNN ## build your file of a lesson; leave a snapshot for `sbatch jobs/run.sh`
define lesson_targets
.PHONY: $1 $(1:lesson%=solution%) run-$1 reset-$1
$1: $(call programs,$1,$1) | $$(B)/rewrite
	@$$(if $$^,,$$(error $1 has no build called '$(BACKEND)'. It has: $(call kinds,$1)))
	@jobs/snapshot $1 '$(call learner_file,$1)' '$(B)' $$^
	@printf 'built %s\n' $$^
	@$$(if $(filter .c,$(call suffix_of,$1))$$(BACKEND),,$$(if $$(filter %cuda/$1,$$^),,$$(cpu_only)))
	@echo "next: make run-$1$(with_work)   or   $(work_set)grader/check $1   or   $(work_go)sbatch $$(call two_gpus,$1)jobs/run.sh"

$(1:lesson%=solution%): $(call programs,$1,$(1:lesson%=solution%))
	@printf 'built %s\n' $$^

run-$1: $(call programs,$1,$1)
	@common/tools/run $$^

reset-$1:
	@common/tools/reset '$(call learner_file,$1)' lessons/$1/.starter/$(call source,$1)
endef
#: solutionNN ## build the reference solution
#: run-lessonNN ## build your file and run it: right or wrong, how fast
#: reset-lessonNN ## start again from the starter; your file is kept with a date in its name
$(foreach lesson,$(LESSONS),$(eval $(call lesson_targets,$(lesson))))

unknown := $(filter lesson% solution% run-lesson% reset-lesson%,$(filter-out \
  $(foreach l,$(LESSONS),$l $(l:lesson%=solution%) run-$l reset-$l),$(MAKECMDGOALS)))
ifneq ($(unknown),)
  $(error There is no $(unknown). Lessons: $(LESSONS))
endif
# Learners may have a checkout without solutions, or with those of some lessons.
held_back := $(strip $(foreach s,$(filter solution%,$(MAKECMDGOALS)),\
  $(if $(wildcard solutions/$(s:solution%=lesson%)/*),,$s)))
ifneq ($(held_back),)
  $(error There is no $(held_back:solution%=solution of lesson%) here. Solutions that are: \
    $(or $(notdir $(wildcard solutions/lesson[0-9][0-9])),none))
endif

lesson      := $(filter $(LESSON),$(LESSONS))
need_lesson := $(if $(lesson),,echo "Say which lesson: LESSON=lesson02. Lessons: $(LESSONS)" >&2; exit 2)

.PHONY: list sanitize profile
list: ## the lessons, and how far you are
	@WORK='$(W)' grader/progress $(LESSONS)

sanitize: $(if $(lesson),$(call sanitizer_programs,$(lesson))) ## LESSON=lessonNN: look for memory errors and races
	@$(need_lesson)
	@common/tools/sanitize $(LESSON) '$(B)'

profile: $(if $(lesson),$(call programs,$(lesson),$(lesson))) ## LESSON=lessonNN: counters and timeline (ncu on a GPU)
	@$(need_lesson)
	@common/tools/profile $(LESSON) '$(B)' '$(call learner_file,$(LESSON))'

# ---- For the grader: one submission, one kind of build ----

.PHONY: harness program backends supervisor
# What all gradings of LESSON and BACKEND share: all that a program is linked with, but for the learner's
# object, and what that object is compared with. grader/lib/build.bash lets one of them build it at a time.
harness: $(call trusted,$(LESSON),$(call harness,$(LESSON),$(BACKEND))) \
  $(if $(filter tsan,$(BACKEND)),$(B)/tsan/common/openmp/tsan_openmp.o) \
  $(references) $(B)/supervisor
	@$(if $(OUT),$(foreach r,$(references),$(file >>$(OUT)/references,$(abspath $r))))
program: $(OUT)/$(LESSON)-$(BACKEND)
# The program that runs others under limits (grader/lib/sandbox.bash), and the library that a sandboxed
# compiler cannot build
supervisor: $(B)/supervisor
	@$(if $(filter .cu,$(call suffix_of,$(LESSON))),$(CUCC) --print-libs $(call libraries,$(LESSON)) >/dev/null 2>&1 || true)
$(B)/supervisor: grader/lib/supervisor.c common/harness/base/process_tree.c common/harness/base/process_tree.h
	@mkdir -p $(@D)
	@$(HOST_CC) -std=c11 -O2 -D_GNU_SOURCE $(WARNINGS) $(INCLUDES) -o $@.$$$$ $(filter %.c,$^) && mv $@.$$$$ $@
backends:
	@printf '%s\n' $(call kinds,$(LESSON))

# ---- Clusters, tests ----

.PHONY: cluster test clean
cluster: ## NAME=generic: write a cluster's settings into the jobs; alone: list them
	@WORK='$(W)' jobs/cluster $(if $(NAME),'$(NAME)',$(if $(WORKSHOP),--workshop '$(WORKSHOP)'))

test: ## all tests but the slow ones
	@tests/run

clean: ## remove what was built, snapshots too; your files stay
	rm -rf '$(B)'
