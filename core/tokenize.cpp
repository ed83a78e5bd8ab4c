#include "tokenize.h"

#include <cstring>

namespace understudy {

void replace_all(std::string& text, std::string_view from, std::string_view to) {
  std::size_t at = text.find(from);
  if (at == std::string::npos) return;
  std::string out;
  out.reserve(text.size());
  std::size_t copied = 0;
  for (; at != std::string::npos; at = text.find(from, copied)) {
    out.append(text, copied, at - copied).append(to);
    copied = at + from.size();
  }
  out.append(text, copied);
  text = std::move(out);
}

namespace {

bool has(std::string_view text, char c) {
  return !text.empty() && std::memchr(text.data(), c, text.size()) != nullptr;
}

}  // namespace

std::string_view clean_for_13a(std::string_view text, std::string& scratch) {
  const bool entities = has(text, '&');
  if (!entities && !has(text, '<') && !has(text, '\n')) return text;

  scratch.assign(strip_right(text));
  replace_all(scratch, "<skipped>", "");
  replace_all(scratch, "-\n", "");
  replace_all(scratch, "\n", " ");
  if (entities) {
    // In mteval's order, so that "&amp;lt;" becomes "<" and "&amp;quot;" does not become a quote.
    replace_all(scratch, "&quot;", "\"");
    replace_all(scratch, "&amp;", "&");
    replace_all(scratch, "&lt;", "<");
    replace_all(scratch, "&gt;", ">");
  }
  return scratch;
}

}  // namespace understudy
