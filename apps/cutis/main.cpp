// The command line. It holds no numerics: each command reads its options, calls the library and says what
// came of it.
#include <cstdio>
#include <exception>

#include <fmt/format.h>

#include "commands.h"
#include "cutis/core/cancellation.h"
#include "cutis/core/error.h"
#include "cutis/core/parallel.h"
#include "features.h"
#include "terminal.h"
#include "usage_errors.h"

namespace cutis::app {
namespace {

constexpr const char* kExamples = R"(Examples:
  cutis demo                          run the first example and make its pictures
  cutis make male --out hero.glb      a character to try, where you have none
  cutis info hero.glb                 what is in a character file
  cutis new hero.glb                  write hero.toml, a shot to start from
  cutis simulate hero.toml            run it
  cutis simulate hero.toml --resume   go on after an interruption
  cutis picture hero-result           pictures of a result
  cutis export hero-result --to glb   a file that other programs read
  cutis explain skin.thickness        what a key of the shot file means

Exit codes: 0 done, 1 a figure does not hold (none does where the clip does not move the body), 2 something given is
wrong, 3 the machine failed (a full disk), 130 stopped by Ctrl-C.)";

int run(int argc, char** argv) {
  CLI::App app("Cutis puts physical skin on animated characters.", "cutis");
  app.footer(kExamples);
  app.set_version_flag("--version", version_text());
  app.require_subcommand(1);
  app.failure_message(usage_error);
  app.fallthrough();
  int threads = 0;
  bool quiet = false;
  app.add_option("--threads", threads,
                 "Threads to use; the result has the same bits with any number (default: all cores)")
      ->check(CLI::Range(1, 1024));
  app.add_flag("--quiet,-q", quiet, "Say only what went wrong");

  Action action;
  add_simulate(app, action);
  add_demo(app, action);
  add_make(app, action);
  add_new(app, action);
  add_info(app, action);
  add_explain(app, action);
  add_list(app, action);
  add_picture(app, action);
  add_export(app, action);
  add_extend_texture(app, action);
  add_fit(app, action);

  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  }
  install_logger(quiet);
  set_threads(threads);
  try {
    const int code = action();
    say_repeated_warnings();
    return code;
  } catch (...) {
    say_repeated_warnings();
    throw;
  }
}

}  // namespace
}  // namespace cutis::app

int main(int argc, char** argv) {
  try {
    return cutis::app::run(argc, argv);
  } catch (const cutis::InputError& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 2;
  } catch (const cutis::Cancelled& cancelled) {
    fmt::print(stderr, "{}\n", cancelled.what());
    return 130;
  } catch (const std::bad_alloc&) {
    fmt::print(stderr, "cutis: out of memory\n");
    return 3;
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 3;
  }
}
