# How programs are made. A lesson's program is linked from the learner's file, the lesson's other sources (the
# driver) and the harness in common/, once for each kind of build that this machine can make:
#
#   cpu          CUDA lessons: by common/cpu/cucc, runs without a GPU and checks every memory access
#                plain C lessons: gcc -O3, for time
#   cuda         CUDA lessons, by nvcc where it is installed; `make lessonNN` builds it where there is a GPU,
#                where `make cluster` has set the jobs, or for BACKEND=cuda (BACKEND="cpu cuda": both)
#   asan, tsan   plain C lessons: the address and undefined-behaviour sanitizers, or the thread sanitizer
#
# Only the learner's file is compiled with a sanitizer: the harness is trusted.

.DELETE_ON_ERROR:
.SECONDARY:

# ---- Settings, from the command line or the environment ----

WORK    ?= .
BACKEND ?=
# The prefix of a cross compiler's tools, such as aarch64-linux-gnu-: cucc and the grader read it, too. What
# runs while programs are built is made by this machine's own compiler.
CROSS_COMPILE ?=
MARCH   ?= $(if $(CROSS_COMPILE),,native)
NVCC    ?= nvcc
ifeq ($(origin CC),default)
  CC := $(CROSS_COMPILE)gcc
endif
HOST_CC := $(if $(CROSS_COMPILE),gcc,$(CC))

# GNU make can't name a file whose path has a blank. For such a WORK it uses a symbolic link.
blank := $(subst ,, )
ifneq ($(findstring $(blank),$(WORK)),)
  W := $(shell common/make/blank-free-link "$(WORK)")
else
  # The checkout itself is . however it is named: the .d files name objects by this folder.
  W := $(if $(filter $(realpath .),$(realpath $(WORK))),.,$(WORK:%/=%))
endif
B := $(if $(filter .,$(W)),build,$(W)/build)
L := $(if $(filter .,$(W)),lessons,$(W)/lessons)

# ---- Compilers ----

WARNINGS  := -Wall -Wextra
CFLAGS    := -std=c11 -O3 $(MARCH:%=-march=%) -g $(WARNINGS) -D_GNU_SOURCE
CUCC      := CUCC_BUILD='$(abspath $(B))/cucc' common/cpu/cucc $(WARNINGS)
DEPENDS    = -MMD -MP -MT $@ -MF $(@:.o=.d)
# Objects come into place by renaming, so that a build never links half of one that another build writes.
# The end of a command that compiles $<:
object_of  = -c -o $@.$$$$ $1 && mv $@.$$$$ $@
INCLUDES  := -I common -I common/harness

# empty: build for the CPU only, even if nvcc is installed
ifneq ($(NVCC),)
  found_cuda := $(shell common/make/find-cuda $(filter-out nvcc,$(NVCC)))
  override NVCC := $(word 1,$(found_cuda))
  CUDA_HOME := $(word 2,$(found_cuda))
endif
ifneq ($(NVCC),)
  wants_cuda := $(if $(BACKEND),,$(shell common/make/wants-cuda '$(W)'))
  # native if a GPU is visible; otherwise machine code for every major architecture from sm_70 up, and PTX for
  # later ones
  ifndef ARCH
    ARCH := $(if $(shell nvidia-smi -L 2>/dev/null | grep GPU),native,fat)
  endif
  ifeq ($(ARCH),fat)
    listed     := $(patsubst sm_%,%,$(shell $(NVCC) --list-gpu-code))
    major     := $(filter 70 75 80 90 100 110 120 130 140 150,$(listed))
    major     := $(filter-out $(if $(filter 70,$(major)),75),$(major))
    newest    := $(lastword $(major))
    ARCHFLAGS := $(foreach a,$(major),-gencode arch=compute_$a,code=sm_$a) \
      -gencode arch=compute_$(newest),code=compute_$(newest)
  else
    ARCHFLAGS := -arch=$(ARCH)
  endif
  # NCCL may be missing, in whole or in part: common/wb_nccl.h
  nccl_header  := $(wildcard $(addsuffix /nccl.h,$(CUDA_HOME)/include /usr/include $(subst :, ,$(CPATH))))
  nccl_library := $(wildcard $(CUDA_HOME)/lib64/libnccl.so) $(filter /%,$(shell $(CC) -print-file-name=libnccl.so))
  NO_NCCL      := $(if $(and $(nccl_header),$(strip $(nccl_library))),,-DNO_NCCL)
  NVCC_ALL := $(NVCC) -std=c++17 -O3 --expt-relaxed-constexpr -lineinfo -t 0 $(ARCHFLAGS) -Xcompiler -Wall,-Wextra $(NO_NCCL)
  CUPTI    := $(if $(wildcard $(CUDA_HOME)/include/cupti.h),-DWB_HAVE_CUPTI)
endif

# Further dependencies of each object of the CPU backend: gcc -MMD omits system headers.
BACKEND_PARTS := $(wildcard common/cpu/cucc common/cpu/cucc.d/* common/cpu/rewrite/* \
  common/harness/base/text.* common/harness/base/page.h common/cpu/include/*.h common/cpu/include/cucc/*.h)

# $(compile_KIND.SUFFIX): the learner's file, and for CUDA lessons the trusted .cu files too.
compile_cpu.c   = $(CC) $(CFLAGS) -fopenmp
compile_asan.c  = $(CC) -std=c11 -O1 $(MARCH:%=-march=%) -g $(WARNINGS) -fopenmp \
  -fsanitize=address,undefined -fno-omit-frame-pointer
# gcc expands block functions of a fixed size without the thread sanitizer's hooks, unless they are calls. -O1 would
# remove a shared variable that only holds a copy, and the race with it.
compile_tsan.c  = $(CC) -std=c11 -Og $(MARCH:%=-march=%) -g $(WARNINGS) -fopenmp -fsanitize=thread \
  -fno-builtin-memset -fno-builtin-memcpy -fno-builtin-memmove
compile_cpu.cu  = $(CUCC)
compile_cuda.cu = $(NVCC_ALL)

# A starter has parameters, kernels and helpers that nothing uses yet: no warnings about those in the
# learner's file.
unused        := -Wno-unused-parameter -Wno-unused-function
quiet_cpu.c   = $(unused)
quiet_asan.c  = $(unused)
quiet_tsan.c  = $(unused)
quiet_cpu.cu  = $(unused)
quiet_cuda.cu = -Xcompiler -Wno-unused-parameter,-Wno-unused-function -diag-suppress 177

link_cpu.c   = $(CC) -fopenmp -o $@ $^ -lpthread -lm
link_asan.c  = $(CC) -fopenmp -fsanitize=address,undefined -o $@ $^ -lpthread -lm
link_tsan.c  = $(CC) -fopenmp -fsanitize=thread @common/openmp/tsan_openmp.wrap -o $@ $^ -lpthread -lm
# -lgomp: the drivers' loops for the host (wb_task.cpu)
link_cpu.cu  = $(CUCC) -o $@ $^ $(LIBRARIES) -lgomp
link_cuda.cu = $(NVCC) $(ARCHFLAGS) -o $@ $^ $(installed) $(if $(filter -lcuda,$(LIBRARIES)),\
  -L$(CUDA_HOME)/lib64/stubs) -lgomp -lpthread -lm -ldl

# ---- The parts of a lesson ----

LESSONS := $(notdir $(wildcard lessons/lesson[0-9][0-9]))
# A class may have a checkout without solutions, so the starter's name counts, too.
source   = $(notdir $(firstword $(wildcard solutions/$1/*.c solutions/$1/*.cu \
  lessons/$1/.starter/*.c lessons/$1/.starter/*.cu)))
suffix_of = $(suffix $(call source,$1))
kinds    = $(if $(filter .c,$(call suffix_of,$1)),cpu asan tsan,cpu $(if $(NVCC),cuda))
# the kinds in BACKEND, else those that `make lessonNN` builds
wanted   = $(filter $(or $(BACKEND),cpu $(if $(wants_cuda),cuda)),$(call kinds,$1))
# the kind of harness that a program of lesson $1, kind $2, is linked with
harness  = $(if $(filter .c,$(call suffix_of,$1)),host,$2)

harness_c    := $(wildcard common/harness/*/*.c)
harness_cu   := $(wildcard common/harness/*/*.cu)
sources_host := $(filter-out %cuda.c %cupti.c,$(harness_c))
sources_cpu  := $(filter-out %host.c %cupti.c,$(harness_c)) $(harness_cu)
sources_cuda := $(filter-out %host.c,$(harness_c)) $(harness_cu)
# the toolkit's libraries that lesson $1 is linked with: `libraries: [cublas]` of its lesson.yml
libraries = $(addprefix -l,$(if $(wildcard lessons/$1/lesson.yml),$(shell \
  awk -v keys=libraries -f common/shell/lesson.awk lessons/$1/lesson.yml)$(if $(filter-out 0,$(.SHELLSTATUS)),\
  $(error correct lessons/$1/lesson.yml))))
# those of them that a GPU's program can have
installed = $(filter-out $(NO_NCCL:-DNO_NCCL=-lnccl),$(LIBRARIES))
sources_driver = $(wildcard lessons/$1/driver/*.c lessons/$1/driver/*.cu)
# all objects except the learner's, for lesson $1 with harness $2
trusted = $(patsubst %,$(B)/$2/%.o,$(basename $(call sources_driver,$1) $(sources_$2))) 

# The rewriter by itself: the grader reads a learner's file with its lexer (grader/lib/inspect.bash), plain C
# too, under the supervisor. Several gradings may build it at once.
.PHONY: rewriter
rewriter: $(B)/rewrite $(B)/supervisor
rewriter_c := $(wildcard common/cpu/rewrite/*.c) common/harness/base/text.c
$(B)/rewrite: $(rewriter_c:%.c=$(B)/rewriter/%.o)
	@$(HOST_CC) -o $@.$$$$ $^ && mv $@.$$$$ $@
$(B)/rewriter/%.o: %.c $(wildcard common/cpu/rewrite/*.h) common/harness/base/text.h
	@mkdir -p $(@D)
	@$(HOST_CC) -std=gnu11 -O2 -I common/harness $(call object_of,$<)

# ---- Trusted objects: harness and drivers ----

# A driver also includes its lesson's contract.
includes = $(INCLUDES) $(patsubst %/driver/,-I %,$(filter lessons/%/driver/,$(dir $<)))

$(B)/host/%.o: %.c
	@mkdir -p $(@D)
	@$(CC) $(CFLAGS) -fopenmp $(DEPENDS) $(includes) $(call object_of,$<)

$(B)/cpu/%.o: %.c $(BACKEND_PARTS)
	@mkdir -p $(@D)
	@$(CC) $(CFLAGS) -fopenmp -DWB_CPU_BACKEND $(DEPENDS) $(includes) -I common/cpu/include \
	  $(call object_of,$<)

$(B)/cuda/%.o: %.c
	@mkdir -p $(@D)
	@$(CC) $(CFLAGS) -fopenmp $(CUPTI) $(NO_NCCL) $(DEPENDS) $(includes) -isystem $(word 3,$(found_cuda)) \
	  $(call object_of,$<)

$(B)/cpu/%.o: %.cu $(BACKEND_PARTS)
	@mkdir -p $(@D)
	@$(compile_cpu.cu) $(DEPENDS) $(includes) $(call object_of,$<)

$(B)/cuda/%.o: %.cu
	@mkdir -p $(@D)
	@$(compile_cuda.cu) $(DEPENDS) $(includes) $(call object_of,$<)

$(B)/tsan/%.o: %.c
	@mkdir -p $(@D)
	@$(CC) $(CFLAGS) -fsanitize=thread $(DEPENDS) $(call object_of,$<)

-include $(wildcard $(foreach kind,host cpu cuda tsan,$(B)/$(kind)/common/*/*.d \
  $(B)/$(kind)/common/harness/*/*.d $(B)/$(kind)/lessons/*/driver/*.d))

# ---- Programs ----

# What a CUDA lesson's header gives is read before the learner's macros can change it.
given = $(if $(filter .cu,$(call suffix_of,$1)),$(patsubst %,-include %,\
  $(wildcard lessons/$1/$(basename $(call source,$1)).h)))

# $(call program,KIND,LESSON,learner's source,its object,the program)
define program
$4: $3 $(if $(filter cpu.cu,$1$(suffix $3)),$(BACKEND_PARTS))
	@$$(if $$(wildcard $$(@D)/.),,mkdir -p $$(@D))
	@$$(GUARD) $$(compile_$1$(suffix $3)) $$(quiet_$1$(suffix $3)) $$(DEPENDS) \
	  $(INCLUDES) -I lessons/$2 $(call given,$2) $$(call object_of,$3)
# The learner's object comes last: if several objects have an inline function, the linker takes the first
# one's.
$5: LIBRARIES = $$(call libraries,$2)
$5: $(call trusted,$2,$(call harness,$2,$1)) $(if $(filter tsan,$1),$(B)/tsan/common/openmp/tsan_openmp.o) $4
	@$$(if $$(wildcard $$(@D)/.),,mkdir -p $$(@D))
	@$$(GUARD) $$(link_$1$(suffix $3))
-include $(4:.o=.d)
endef

object_name = $(basename $(call source,$1)).o
$(foreach lesson,$(LESSONS),$(foreach kind,$(call kinds,$(lesson)),\
  $(eval $(call program,$(kind),$(lesson),$(L)/$(lesson)/$(call source,$(lesson)),\
    $(B)/$(kind)/learner/$(lesson)/$(call object_name,$(lesson)),$(B)/$(kind)/$(lesson)))\
  $(eval $(call program,$(kind),$(lesson),solutions/$(lesson)/$(call source,$(lesson)),\
    $(B)/$(kind)/solutions/$(lesson)/$(call object_name,$(lesson)),\
    $(B)/$(kind)/$(lesson:lesson%=solution%)))))

# The grader's: the file in SUBMISSION, built into OUT. GUARD, if it is set, is a program that runs its
# command in a sandbox.
ifdef OUT
  $(eval $(call program,$(BACKEND),$(LESSON),$(SUBMISSION)/$(call source,$(LESSON)),\
    $(OUT)/$(LESSON)-$(BACKEND).o,$(OUT)/$(LESSON)-$(BACKEND)))
endif

# A nearly empty file from the same compiler, with which grader/lib/inspect.bash compares. Its name holds a
# sum of what the compiler says of its version, for a WORK may be used with several.
says_cpu.c   = $(CC) --version
says_asan.c  = $(CC) --version
says_tsan.c  = $(CC) --version
says_cpu.cu  = $${CUCC_CXX:-$(CROSS_COMPILE)g++} --version
says_cuda.cu = $(NVCC) --version; $${NVCC_CCBIN:-g++} --version
version_of   = $(firstword $(shell ($(says_$1)) 2>&1 | cksum))
# $(call reference,KIND,SUFFIX,VERSION)
define reference
$(B)/$1/reference-$3$2.o: grader/lib/reference$2 $(if $(filter cpu.cu,$1$2),$(BACKEND_PARTS))
	@mkdir -p $$(@D)
	@$$(compile_$1$2) $$(call object_of,$$<)
references += $(B)/$1/reference-$3$2.o
endef
# The objects of LESSON, BACKEND: a plain C lesson's kinds share one harness, so they are all built with it.
# Where they are goes to OUT.
ifneq ($(filter harness,$(MAKECMDGOALS)),)
  language := $(call suffix_of,$(LESSON))
  $(foreach kind,$(if $(filter .c,$(language)),$(call kinds,$(LESSON)),$(BACKEND)),\
    $(eval $(call reference,$(kind),$(language),$(call version_of,$(kind)$(language)))))
endif

# A learner's file that doesn't exist yet (in a new WORK) is a copy of the starter.
ifneq ($(W),.)
$(L)/%:
	@mkdir -p $(@D)
	@cp lessons/$(*D)/.starter/$(*F) $@
endif
