/* What follows lesson12's solution, whose compile_module is called real_compile_module there: after each
 * compilation it tries to change the modules that the other process keeps, and to put some in their place. */
#undef compile_module
#include <fcntl.h>
#include <glob.h>
#include <sys/stat.h>
#include <unistd.h>

static int files, changed;

static void try_on(const std::string &module) {
  const std::string path = module + ".new", command = "echo x >" + module;
  const char *old = module.c_str();
  files++;
  for (const int how : {O_WRONLY, O_RDWR, O_RDONLY | O_TRUNC}) changed += open(old, how) >= 0;
  changed += open(path.c_str(), O_CREAT | O_WRONLY, 0600) >= 0;
  changed += truncate(old, 0) == 0;
  changed += chmod(old, 0) == 0;
  changed += rename(old, path.c_str()) == 0;
  changed += symlink("/dev/null", path.c_str()) == 0;
  changed += mkdir(path.c_str(), 0700) == 0;
  changed += unlink(old) == 0;
  changed += system(command.c_str()) == 0;
}

cudaError_t compile_module(const char *source, const char *const *options, int option_count, CUmodule *module,
                           char *log, size_t log_size) {
  const cudaError_t error = real_compile_module(source, options, option_count, module, log, log_size);
  glob_t found = {};
  const std::string folders = std::string(getenv("TMPDIR")) + "/cucc-nvrtc.*/*.so";
  if (!glob(folders.c_str(), 0, nullptr, &found) && !files)
    for (size_t i = 0; i < found.gl_pathc; i++) try_on(found.gl_pathv[i]);
  globfree(&found);
  printf("changed %d of %d modules\n", changed, files);
  return error;
}
