#pragma once
// Colour in texts for people: sparingly, on a terminal only, and never in JSON or files.
#include <string>
#include <string_view>

namespace CLI {
class App;
}

namespace pt2::app {

enum class Tone { Error, Warning, Note, Good, Added, Removed, Changed, Faint };

// --color auto|always|never
void add_color_option(CLI::App& app, std::string& mode);
// For a subcommand that prints without colour: a script may say --color to every one.
void accept_color_option(CLI::App& app);

class Colors {
 public:
  // "auto": where standard output is a terminal and NO_COLOR is not set.
  explicit Colors(std::string_view mode);
  std::string operator()(Tone tone, std::string_view text) const;
  bool on() const { return on_; }

 private:
  bool on_;
};

}  // namespace pt2::app
