// The limits of containers and pickles (core/base/limits.h), each from both sides: what is just inside is read, what is just past it is
// refused with the number.
#include <doctest/doctest.h>
#include <zlib.h>

#include <fstream>
#include <random>

#include "core/archive/archive.h"
#include "core/archive/npy_header.h"
#include "core/archive/safetensors_header.h"
#include "core/archive/torch_save.h"
#include "core/archive/unpickler.h"
#include "core/archive/zip_reader.h"
#include "core/base/limits.h"
#include "core/base/text.h"
#include "tests/support/scratch.h"
#include "tests/support/zip_maker.h"

using namespace pt2;

namespace {

void put(std::string& out, uint64_t value, int bytes) {
  for (int i = 0; i < bytes; ++i) out += static_cast<char>(value >> (8 * i));
}

std::string repeated(size_t count, const std::string& what) {
  std::string out;
  out.reserve(count * what.size());
  for (size_t i = 0; i < count; ++i) out += what;
  return out;
}

// A zip64 archive of empty members, the i-th of which is called name(i) and has comment(i) bytes of comment.
template <class Name, class Comment>
std::string empty_members(size_t count, Name name, Comment comment) {
  std::string members, directory;
  for (size_t i = 0; i < count; ++i) {
    const std::string member = name(i);
    std::string fields;
    put(fields, 20, 2);
    put(fields, 0, 4);           // flags, method
    put(fields, 0x00210000, 4);
    put(fields, 0, 4);           // CRC
    put(fields, 0, 8);           // sizes
    put(fields, member.size(), 2);
    put(fields, 0, 2);
    put(directory, 0x02014b50, 4);
    put(directory, 20, 2);
    directory += fields;
    put(directory, comment(i), 2);
    put(directory, 0, 8);
    put(directory, members.size(), 4);
    directory += member + std::string(comment(i), 'c');
    put(members, 0x04034b50, 4);
    members += fields + member;
  }
  const size_t begin = members.size(), end64 = begin + directory.size();
  std::string out = std::move(members) + directory;
  put(out, 0x06064b50, 4);
  put(out, 44, 8);
  put(out, 45, 2);
  put(out, 45, 2);
  put(out, 0, 8);
  put(out, count, 8);
  put(out, count, 8);
  put(out, directory.size(), 8);
  put(out, begin, 8);
  put(out, 0x07064b50, 4);
  put(out, 0, 4);
  put(out, end64, 8);
  put(out, 1, 4);
  put(out, 0x06054b50, 4);
  put(out, 0, 4);
  put(out, 0xFFFF, 2);
  put(out, 0xFFFF, 2);
  put(out, 0xFFFFFFFF, 4);
  put(out, 0xFFFFFFFF, 4);
  put(out, 0, 2);
  return out;
}

// "" where it is opened, else the kind and the words.
std::string opened(std::string bytes) {
  const auto zip = ZipReader::open(source_of(std::move(bytes)));
  if (zip) return "";
  return (zip.error().kind == ErrorKind::Limit ? "limit: " : "error: ") + zip.error().where + ": " + zip.error().message;
}

std::string number_of(size_t i) { return "m/" + std::to_string(i); }
size_t no_comment(size_t) { return 0; }

// One member of the archive, as it is read with that limit.
std::string member_read(const std::string& archive, uint64_t limit) {
  const auto zip = ZipReader::open(source_of(archive));
  REQUIRE(zip);
  const auto content = zip->read(zip->members()[0], limit, "some_limit");
  if (content) return std::to_string(content->size());
  return (content.error().kind == ErrorKind::Limit ? "limit: " : "error: ") + content.error().message;
}

std::string pickled(const std::string& opcodes) {
  const std::string pickle = "\x80\x02" + opcodes;
  Unpickler p(pickle);
  const auto done = p.run();
  if (done) return "";
  return (done.error().kind == ErrorKind::Limit ? "limit: " : "error: ") + done.error().message;
}

std::string number32(uint32_t value) {
  std::string out;
  put(out, value, 4);
  return out;
}

}  // namespace

TEST_CASE("limit archive_members") {
  CHECK(opened(empty_members(limits::kArchiveMembers, number_of, no_comment)) == "");
  CHECK(opened(empty_members(limits::kArchiveMembers + 1, number_of, no_comment)) == "limit: central directory: is said to hold 200,001 members (limit 200,000)");
}

TEST_CASE("limit member_name") {
  const auto named = [](size_t length) { return opened(empty_members(1, [&](size_t) { return std::string(length, 'n'); }, no_comment)); };
  CHECK(named(limits::kMemberNameBytes) == "");
  CHECK(named(limits::kMemberNameBytes + 1) == "limit: central directory: member 0 has a name of 4,097 bytes (limit 4,096)");
}

TEST_CASE("limit central_directory") {
  // 2,048 entries of 32 KiB; the last comment makes up for the names.
  const auto of_bytes = [](uint64_t bytes) {
    constexpr size_t kEntries = 2048;
    constexpr size_t kHead = 46 + 6;
    const auto name = [](size_t i) { return "m" + std::to_string(10000 + i); };
    const size_t each = bytes / kEntries - kHead, more = bytes % kEntries;
    return opened(empty_members(kEntries, name, [&](size_t i) { return each + (i == 0 ? more : 0); }));
  };
  CHECK(of_bytes(limits::kCentralDirectoryBytes) == "");
  CHECK(of_bytes(limits::kCentralDirectoryBytes + 1) == "limit: central directory: is said to have 67,108,865 bytes (limit 67,108,864)");
}

TEST_CASE("a limit of what is read from a member is named") {
  const std::string archive = test::ZipMaker().add("m", std::string(1000, 'x')).bytes();
  CHECK(member_read(archive, 1000) == "1000");
  CHECK(member_read(archive, 999).starts_with("limit: "));
  CHECK(member_read(archive, 999).find("some_limit") != std::string::npos);
}

TEST_CASE("limits inflate_free and inflate_ratio") {
  const auto inflated = [](uint64_t zeros, size_t noise) {
    std::string content(zeros, '\0');
    std::mt19937 random(1);
    for (size_t i = 0; i < noise; ++i) content[i] = static_cast<char>(random());
    test::ZipMaker zip;
    zip.deflate = true;
    return member_read(zip.add("m", std::move(content)).bytes(), limits::kModelJsonBytes);
  };
  CHECK(inflated(limits::kInflateFreeBytes, 0) == "16777216");
  CHECK(inflated(limits::kInflateFreeBytes + 1, 0).find("more than 200 times (limit)") != std::string::npos);
  // Past it the ratio counts: with noise for a 150th it is read, with half of that not.
  CHECK(inflated(17 << 20, 120'000) == std::to_string(17 << 20));
  CHECK(inflated(17 << 20, 5'000).starts_with("limit: the member would inflate from "));
}

TEST_CASE("limit other_json: that payload is left out, and the program opens") {
  const test::Scratch scratch;
  const auto config_of = [&](uint64_t bytes) {
    std::string config = R"({"config": {}})";
    config.insert(1, bytes - config.size(), ' ');
    test::ZipMaker zip;
    zip.add("m/archive_format", "pt2").add("m/archive_version", "0").add("m/byteorder", "little").add("m/models/model.json", "{}");
    zip.add("m/data/weights/model_weights_config.json", std::move(config)).add("m/data/constants/model_constants_config.json", R"({"config": {}})");
    std::ofstream(scratch.path("f.pt2"), std::ios::binary) << zip.bytes();
    const auto archive = open_archive(scratch.path("f.pt2"));
    REQUIRE(archive);
    std::string findings;
    for (const Finding& finding : (*archive)->check()) findings += finding.where + ": " + finding.message + "\n";
    return findings;
  };
  CHECK(config_of(limits::kOtherJsonBytes).find("model_weights_config.json") == std::string::npos);
  const std::string over = config_of(limits::kOtherJsonBytes + 1);
  CHECK(over.find("model_weights_config.json: ") != std::string::npos);
  CHECK(over.find("67,108,865") != std::string::npos);
  CHECK(over.find("67,108,864") != std::string::npos);
}

TEST_CASE("limit model_json: what a file declares is compared before anything is read") {
  const test::Scratch scratch;
  // A hole in the file: it takes no room, and its checksum is never right.
  const auto declared = [&](uint64_t bytes) {
    std::string archive = test::ZipMaker().add("m/archive_format", "pt2").add("m/models/model.json", "").bytes();
    const size_t local = archive.find("PK\x03\x04", 4), name_end = archive.find("m/models/model.json") + 19, central = archive.find("PK\x01\x02", archive.find("PK\x01\x02") + 4);
    const size_t end = archive.size() - 22;
    std::string size32;
    put(size32, bytes, 4);
    for (const size_t at : {local + 18, local + 22, central + 20, central + 24}) archive.replace(at, 4, size32);
    std::string begin;
    put(begin, name_end + bytes, 4);
    archive.replace(end + 16, 4, begin);
    std::ofstream out(scratch.path("f.pt2"), std::ios::binary);
    out << archive.substr(0, name_end);
    out.seekp(std::streamoff(name_end + bytes));
    out << archive.substr(name_end);
    out.close();
    const auto opened = open_archive(scratch.path("f.pt2"));
    REQUIRE_MESSAGE(opened.has_value(), (opened ? "" : opened.error().message));
    const auto text = (*opened)->model_json("model");
    REQUIRE_FALSE(text);
    return (text.error().kind == ErrorKind::Limit ? "limit: " : "error: ") + text.error().message;
  };
  CHECK(declared(limits::kModelJsonBytes).find("error: ") == 0);
  const std::string over = declared(limits::kModelJsonBytes + 1);
  CHECK(over.find("limit: ") == 0);
  CHECK(over.find(with_commas(limits::kModelJsonBytes + 1)) != std::string::npos);
  CHECK(over.find(with_commas(limits::kModelJsonBytes)) != std::string::npos);
}

TEST_CASE("limit pickle_stream") {
  const auto saved = [](uint64_t bytes) {
    std::string pickle("\x80\x02N", 3);
    // A string of that length, dropped: one opcode.
    const uint64_t length = bytes - pickle.size() - 1 - 5 - 1;
    pickle += "B" + number32(uint32_t(length)) + std::string(length, 'x') + "0.";
    REQUIRE(pickle.size() == bytes);
    const auto tensors = read_torch_save(source_of(test::ZipMaker().add("a/data.pkl", std::move(pickle)).bytes()), "", TensorNaming{});
    return tensors ? std::string() : (tensors.error().kind == ErrorKind::Limit ? "limit: " : "error: ") + tensors.error().message;
  };
  CHECK(saved(limits::kPickleBytes) == "");
  CHECK(saved(limits::kPickleBytes + 1).find("limit: ") == 0);
  CHECK(saved(limits::kPickleBytes + 1).find("67,108,864") != std::string::npos);
}

TEST_CASE("limits pickle_opcodes, pickle_stack, pickle_memo, pickle_integer") {
  // PROTO, pairs of a value that is dropped, a value once or twice more, STOP.
  CHECK(pickled(repeated((limits::kPickleOpcodes - 4) / 2, "N0") + "N2.") == "");
  CHECK(pickled(repeated((limits::kPickleOpcodes - 4) / 2, "N0") + "N22.") == "limit: more than 10,000,000 opcodes (limit)");
  CHECK(pickled(repeated(limits::kPickleStack, "N") + ".") == "");
  CHECK(pickled(repeated(limits::kPickleStack + 1, "N") + ".") == "limit: the stack holds more than 1,000,000 values (limit)");
  CHECK(pickled("Nr" + number32(limits::kPickleMemo - 1) + ".") == "");
  CHECK(pickled("Nr" + number32(limits::kPickleMemo) + ".") == "limit: memo slot 1,000,000 (limit 1,000,000)");
  CHECK(pickled("\x8a\x08" + std::string(7, '\xff') + "\x7f.") == "");
  CHECK(pickled("\x8a\x09" + std::string(7, '\xff') + std::string("\xff\x00", 2) + ".").find("an integer beyond 64 bits (limit)") != std::string::npos);
}

TEST_CASE("limit pickle_nesting") {
  const auto nested = [](size_t depth) {
    // Lists in lists: ] ] … a a.
    const std::string pickle = "\x80\x02" + repeated(depth, "]") + repeated(depth - 1, "a") + ".";
    const auto tensors = read_torch_save(source_of(test::ZipMaker().add("a/data.pkl", pickle).bytes()), "", TensorNaming{});
    return tensors ? std::string() : (tensors.error().kind == ErrorKind::Limit ? "limit: " : "error: ") + tensors.error().message;
  };
  CHECK(nested(limits::kPickleNesting) == "");
  CHECK(nested(limits::kPickleNesting + 1) == "limit: values nested deeper than 1,000 (limit)");
}

TEST_CASE("limit npy_header") {
  const auto header = [](uint64_t length) {
    std::string dict = "{'descr': '<f4', 'fortran_order': False, 'shape': (2,), }";
    dict.resize(length, ' ');
    std::string bytes("\x93NUMPY\x02\x00", 8);
    put(bytes, length, 4);
    const auto parsed = parse_npy_header(bytes + dict);
    return parsed ? std::string() : (parsed.error().kind == ErrorKind::Limit ? "limit: " : "error: ") + parsed.error().message;
  };
  CHECK(header(limits::kNpyHeaderBytes) == "");
  CHECK(header(limits::kNpyHeaderBytes + 1) == "limit: is said to have 65,537 bytes (limit 65,536)");
}

TEST_CASE("limit safetensors_header") {
  const test::Scratch scratch;
  const auto header = [&](uint64_t length) {
    std::ofstream out(scratch.path("f.safetensors"), std::ios::binary);
    std::string bytes, json = R"({"a": {"dtype": "F32", "shape": [1], "data_offsets": [0, 4]}})";
    put(bytes, length, 8);
    json.resize(length, ' ');
    out << bytes << json << std::string(4, '\0');
    out.close();
    const auto archive = open_archive(scratch.path("f.safetensors"));
    return archive ? std::string() : (archive.error().kind == ErrorKind::Limit ? "limit: " : "error: ") + archive.error().message;
  };
  CHECK(header(limits::kSafetensorsHeaderBytes) == "");
  CHECK(header(limits::kSafetensorsHeaderBytes + 1) == "limit: is said to have 100,000,001 bytes (limit 100,000,000)");
}
