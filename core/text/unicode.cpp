#include "text/unicode.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <iterator>

namespace understudy::unicode {
namespace {

using std::size_t;
using std::uint64_t;

// Text is examined in words of eight bytes, which is fast without being tied to a processor.
constexpr size_t kWordSize = sizeof(uint64_t);

constexpr uint64_t in_every_byte(uint64_t byte) { return byte * 0x0101'0101'0101'0101u; }
constexpr uint64_t kHighBits = in_every_byte(0x80);

uint64_t load_word(const char* p) {
  uint64_t word;
  std::memcpy(&word, p, kWordSize);
  return word;
}

// How many bytes of a word precede the first one whose high bit is set in high_bits, which must
// not be zero.
size_t bytes_before_first(uint64_t high_bits) {
  const int zeros =
      std::endian::native == std::endian::little ? std::countr_zero(high_bits) : std::countl_zero(high_bits);
  return static_cast<size_t>(zeros) / 8;
}

size_t distance(const char* from, const char* to) { return static_cast<size_t>(to - from); }

bool is_continuation(char byte) { return (byte & 0xC0) == 0x80; }

const char* skip_ascii(const char* p, const char* end) {
  constexpr size_t kStride = 4 * kWordSize;
  while (distance(p, end) >= kWordSize) {
    if (const uint64_t high_bits = load_word(p) & kHighBits) {
      return p + bytes_before_first(high_bits);
    }
    p += kWordSize;
    while (distance(p, end) >= kStride && ((load_word(p) | load_word(p + kWordSize) |
                                            load_word(p + 2 * kWordSize) | load_word(p + 3 * kWordSize)) &
                                           kHighBits) == 0) {
      p += kStride;
    }
  }
  while (p != end && (*p & 0x80) == 0) ++p;
  return p;
}

// The automaton that accepts UTF-8 (table 3-7 of the Unicode standard). A state's value is where
// its successor is found in an entry of kTransitions.
enum State : unsigned {
  kAccept = 0,
  kReject = 6,
  kOneMore = 12,  // ... continuation bytes follow
  kTwoMore = 18,
  kThreeMore = 24,
  kAfterE0 = 30,  // the first bytes that exclude some continuation bytes
  kAfterED = 36,
  kAfterF0 = 42,
  kAfterF4 = 48,
  kStatesEnd = 54
};

constexpr State next_state(unsigned state, unsigned byte) {
  const auto is_in = [byte](unsigned low, unsigned high) { return low <= byte && byte <= high; };
  switch (state) {
    case kAccept:
      if (byte < 0x80) return kAccept;
      if (byte == 0xE0) return kAfterE0;
      if (byte == 0xED) return kAfterED;
      if (byte == 0xF0) return kAfterF0;
      if (byte == 0xF4) return kAfterF4;
      if (is_in(0xC2, 0xDF)) return kOneMore;
      if (is_in(0xE1, 0xEF)) return kTwoMore;
      if (is_in(0xF1, 0xF3)) return kThreeMore;
      return kReject;
    case kOneMore:
      return is_in(0x80, 0xBF) ? kAccept : kReject;
    case kTwoMore:
      return is_in(0x80, 0xBF) ? kOneMore : kReject;
    case kThreeMore:
      return is_in(0x80, 0xBF) ? kTwoMore : kReject;
    case kAfterE0:
      return is_in(0xA0, 0xBF) ? kOneMore : kReject;  // otherwise overlong
    case kAfterED:
      return is_in(0x80, 0x9F) ? kOneMore : kReject;  // otherwise a surrogate
    case kAfterF0:
      return is_in(0x90, 0xBF) ? kTwoMore : kReject;  // otherwise overlong
    case kAfterF4:
      return is_in(0x80, 0x8F) ? kTwoMore : kReject;  // otherwise beyond U+10FFFF
    default:
      return kReject;
  }
}

// For each byte, the successors of all states at six bits each: a step of the automaton is one
// shift, with no branch to mispredict (Per Vognsen's "shift-based DFA").
constexpr auto kTransitions = [] {
  std::array<uint64_t, 256> transitions{};
  for (unsigned byte = 0; byte < transitions.size(); ++byte) {
    for (unsigned state = kAccept; state < kStatesEnd; state += 6) {
      transitions[byte] |= uint64_t{next_state(state, byte)} << state;
    }
  }
  return transitions;
}();

// Only the low six bits of a state count.
uint64_t step(uint64_t state, char byte) {
  return kTransitions[static_cast<unsigned char>(byte)] >> (state & 63);
}

bool is(uint64_t state, State expected) { return (state & 63) == expected; }

// Writes the encoding of c to p, which must have room for it, and returns the end of it.
char* write_utf8(char* p, char32_t c) {
  const auto write = [&p](char32_t byte) { *p++ = static_cast<char>(byte); };
  if (c < 0x80) {
    write(c);
    return p;
  }
  if (c < 0x800) {
    write(0xC0 | c >> 6);
  } else {
    if (c < 0x10000) {
      write(0xE0 | c >> 12);
    } else {
      write(0xF0 | c >> 18);
      write(0x80 | (c >> 12 & 0x3F));
    }
    write(0x80 | (c >> 6 & 0x3F));
  }
  write(0x80 | (c & 0x3F));
  return p;
}

char lower_ascii_byte(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c; }

// Sets bit 5 of the bytes that hold A to Z. The sums reach a byte's high bit from 'A' and from the
// character after 'Z' on, respectively, and never carry into the next byte.
uint64_t lower_ascii_word(uint64_t word) {
  const uint64_t low_bits = word & ~kHighBits;
  const uint64_t from_a = low_bits + in_every_byte(0x80 - 'A');
  const uint64_t after_z = low_bits + in_every_byte(0x80 - ('Z' + 1));
  const uint64_t upper = (from_a ^ after_z) & ~word & kHighBits;
  return word | upper >> 2;
}

constexpr char32_t kCapitalIWithDot = 0x130;
constexpr char32_t kCombiningDotAbove = 0x307;
constexpr char32_t kCapitalSigma = 0x3A3;
constexpr char32_t kFinalSigma = 0x3C2;
constexpr char32_t kSigma = 0x3C3;

char32_t simple_lower(char32_t c) {
  using namespace tables;
  if (c >= kLowerLimit) return c;
  const size_t i = kLowerIndex[c / kLowerBlockSize] * kLowerBlockSize + c % kLowerBlockSize;
  return c + static_cast<char32_t>(kLowerDeltas[kLowerBlocks[i]]);
}

template <size_t size>
bool contains(const tables::Range (&ranges)[size], char32_t c) {
  const auto* range = std::partition_point(std::begin(ranges), std::end(ranges),
                                           [c](const tables::Range& r) { return r.last < c; });
  return range != std::end(ranges) && range->first <= c;
}

bool is_cased(char32_t c) { return contains(tables::kCased, c); }
bool is_case_ignorable(char32_t c) { return contains(tables::kCaseIgnorable, c); }

// Whether the first character from p on that is not case-ignorable is cased.
bool cased_follows(const char* p, const char* end) {
  while (p != end) {
    const char32_t c = decode(p, end);
    if (!is_case_ignorable(c)) return is_cased(c);
  }
  return false;
}

// Whether the last character before p that is not case-ignorable is cased.
bool cased_precedes(const char* begin, const char* p) {
  while (p != begin) {
    const char* const after = p;
    do --p;
    while (is_continuation(*p));
    const char* at = p;
    const char32_t c = decode(at, after);
    if (!is_case_ignorable(c)) return is_cased(c);
  }
  return false;
}

// The condition Final_Sigma of the Unicode standard (section 3.13) as CPython reads it: characters
// that are cased and case-ignorable at once, such as modifier letters, are skipped.
char32_t lower_sigma(const char* begin, const char* sigma, const char* after, const char* end) {
  const bool ends_word = cased_precedes(begin, sigma) && !cased_follows(after, end);
  return ends_word ? kFinalSigma : kSigma;
}

}  // namespace

std::optional<size_t> find_invalid_utf8(std::string_view bytes) {
  constexpr size_t kBlockSize = 16;
  const char* const begin = bytes.data();
  const char* const end = begin + bytes.size();

  const char* block = begin;
  uint64_t state = kAccept;
  while (block != end) {
    if (is(state, kAccept)) block = skip_ascii(block, end);
    const char* const block_end = block + std::min(kBlockSize, distance(block, end));
    for (const char* p = block; p != block_end; ++p) state = step(state, *p);
    if (is(state, kReject)) break;
    block = block_end;
  }
  if (is(state, kAccept)) return std::nullopt;

  // The invalid sequence ends in this block, and starts in it or with the last character before.
  const char* character = block;
  while (character != begin && is_continuation(*--character)) {
  }
  state = kAccept;
  for (const char* p = character; p != end && !is(state, kReject); ++p) {
    if (is(state, kAccept)) character = p;
    state = step(state, *p);
  }
  return distance(begin, character);
}

void append_utf8(std::string& out, char32_t c) {
  char buffer[4];
  out.append(buffer, write_utf8(buffer, c));
}

void lower(std::string_view utf8, std::string& out) {
  const char* const begin = utf8.data();
  const char* const end = begin + utf8.size();
  const char* p = begin;

  // No character grows by more than from two bytes to three; the generator of the tables checks.
  const size_t old_size = out.size();
  out.resize(old_size + utf8.size() + utf8.size() / 2);
  char* to = out.data() + old_size;

  while (p != end) {
    if (distance(p, end) >= kWordSize) {
      const uint64_t word = load_word(p);
      const uint64_t lowered = lower_ascii_word(word);
      std::memcpy(to, &lowered, kWordSize);
      const uint64_t high_bits = word & kHighBits;
      const size_t ascii = high_bits == 0 ? kWordSize : bytes_before_first(high_bits);
      p += ascii;
      to += ascii;
      if (high_bits == 0) continue;
      // What was copied of the word from here on is overwritten.
    } else if ((*p & 0x80) == 0) {
      *to++ = lower_ascii_byte(*p++);
      continue;
    }
    do {
      const char* const character = p;
      const char32_t c = decode(p, end);
      if (c == kCapitalSigma) {
        to = write_utf8(to, lower_sigma(begin, character, p, end));
      } else if (c == kCapitalIWithDot) {
        to = write_utf8(to, 'i');
        to = write_utf8(to, kCombiningDotAbove);
      } else {
        to = write_utf8(to, simple_lower(c));
      }
    } while (p != end && (*p & 0x80) != 0);
  }
  out.resize(distance(out.data(), to));
}

void lower_ascii(std::string_view text, std::string& out) {
  const size_t old_size = out.size();
  out.append(text);
  char* p = out.data() + old_size;
  char* const end = out.data() + out.size();
  for (; distance(p, end) >= kWordSize; p += kWordSize) {
    const uint64_t lowered = lower_ascii_word(load_word(p));
    std::memcpy(p, &lowered, kWordSize);
  }
  for (; p != end; ++p) *p = lower_ascii_byte(*p);
}

std::string_view in_case(std::string_view text, Case letter_case, std::string& scratch) {
  if (letter_case == Case::Keep) return text;
  scratch.clear();
  if (letter_case == Case::Lower) {
    lower(text, scratch);
  } else {
    lower_ascii(text, scratch);
  }
  return scratch;
}

}  // namespace understudy::unicode
