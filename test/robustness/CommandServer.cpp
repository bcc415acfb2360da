// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Executes command lines of `tilewright` without starting a program for each. Starting it takes
// longer than most commands, nearly all of it to load LLVM. This program loads LLVM once, then
// reads requests from standard input, one per line, and executes each in a forked process, so that
// commands do not affect each other.
//
// A request is {"arguments": ["check", "k.mlir"], "seconds": 20, "output": "/tmp/x"}.
// Standard output and error of the command go to the files /tmp/x.out and /tmp/x.err. The
// answer is a line: `exit STATUS`, `signal NUMBER` or `timeout`.
//
// usage: command_server [BYTES]   the memory limit of a command (default: no limit)

#include "Commands.h"

#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

#include <fcntl.h>
#include <iostream>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace {
struct Request {
  std::vector<std::string> arguments;
  int64_t seconds = 0;
  std::string output;
};

bool fromJSON(const llvm::json::Value &value, Request &request, llvm::json::Path path) {
  llvm::json::ObjectMapper fields(value, path);
  return fields && fields.map("arguments", request.arguments) &&
         fields.map("seconds", request.seconds) && fields.map("output", request.output);
}
} // namespace

static void redirect(const std::string &path, int descriptor, int flags) {
  int file = open(path.c_str(), flags, 0600);
  if (file < 0 || dup2(file, descriptor) < 0)
    _exit(127);
  close(file);
}

/// Runs in the forked process: sets limits, opens files, executes the command. Never returns.
[[noreturn]] static void execute(const Request &request, rlim_t bytes) {
  redirect("/dev/null", STDIN_FILENO, O_RDONLY);
  redirect(request.output + ".out", STDOUT_FILENO, O_WRONLY | O_CREAT | O_TRUNC);
  redirect(request.output + ".err", STDERR_FILENO, O_WRONLY | O_CREAT | O_TRUNC);
  const rlimit memory{bytes, bytes}, core{0, 0};
  setrlimit(RLIMIT_DATA, &memory);
  setrlimit(RLIMIT_CORE, &core);
  alarm(static_cast<unsigned>(request.seconds)); // the signal is not handled: it ends the process
  std::vector<const char *> arguments = {"tilewright"};
  for (const std::string &argument : request.arguments)
    arguments.push_back(argument.c_str());
  arguments.push_back(nullptr);
  std::exit(
      tilewright::tools::runCommandLine(static_cast<int>(arguments.size()) - 1, arguments.data()));
}

static std::string answer(const Request &request, rlim_t bytes) {
  const pid_t child = fork();
  if (child == 0)
    execute(request, bytes);
  int status = 0;
  if (child < 0 || waitpid(child, &status, 0) < 0)
    return "failed";
  if (WIFEXITED(status))
    return "exit " + std::to_string(WEXITSTATUS(status));
  return WTERMSIG(status) == SIGALRM ? "timeout" : "signal " + std::to_string(WTERMSIG(status));
}

int main(int argc, char **argv) {
  const rlim_t bytes = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : RLIM_INFINITY;
  for (std::string line; std::getline(std::cin, line);) {
    llvm::Expected<Request> request = llvm::json::parse<Request>(line);
    if (!request) {
      llvm::errs() << "command_server: " << toString(request.takeError()) << "\n";
      return 2;
    }
    std::cout << answer(*request, bytes) << std::endl;
  }
  return 0;
}
