#pragma once

#include <functional>

#include <CLI/CLI.hpp>

namespace cutis::app {

/// What the chosen command does; returns the exit code.
using Action = std::function<int()>;

// Each declares one command with its options, and sets `action` when the user chose it.
void add_simulate(CLI::App& app, Action& action);
void add_demo(CLI::App& app, Action& action);
void add_make(CLI::App& app, Action& action);
void add_new(CLI::App& app, Action& action);
void add_info(CLI::App& app, Action& action);
void add_explain(CLI::App& app, Action& action);
void add_list(CLI::App& app, Action& action);
void add_picture(CLI::App& app, Action& action);
void add_export(CLI::App& app, Action& action);
void add_extend_texture(CLI::App& app, Action& action);
void add_fit(CLI::App& app, Action& action);

}  // namespace cutis::app
