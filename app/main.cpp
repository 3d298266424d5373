#include "app/cli/cli.h"

int main(int argc, char** argv) { return pt2::app::run_command_line(argc, argv); }
