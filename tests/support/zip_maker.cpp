#include "tests/support/zip_maker.h"

#include <zlib.h>

namespace pt2::test {

namespace {

void put(std::string& out, uint64_t value, int bytes) {
  for (int i = 0; i < bytes; ++i) out += static_cast<char>(value >> (8 * i));
}

std::string deflated(const std::string& content) {
  std::string out(compressBound(content.size()) + 64, '\0');
  z_stream stream{};
  deflateInit2(&stream, Z_BEST_SPEED, Z_DEFLATED, -MAX_WBITS, 8, Z_DEFAULT_STRATEGY);
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(content.data()));
  stream.avail_in = static_cast<uInt>(content.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  ::deflate(&stream, Z_FINISH);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

}  // namespace

std::string ZipMaker::bytes() const {
  std::string out, directory;
  for (const auto& [name, content] : members_) {
    const std::string data = deflate ? deflated(content) : content;
    std::string fields;  // what both headers have
    put(fields, 20, 2);
    put(fields, 0, 2);
    put(fields, deflate ? 8 : 0, 2);
    put(fields, 0x00210000, 4);
    put(fields, crc32_z(0, reinterpret_cast<const Bytef*>(content.data()), content.size()), 4);
    put(fields, data.size(), 4);
    put(fields, content.size(), 4);
    put(fields, name.size(), 2);
    put(fields, 0, 2);
    put(directory, 0x02014b50, 4);
    put(directory, 20, 2);
    directory += fields;
    put(directory, 0, 2);
    put(directory, 0, 2);
    put(directory, 0, 2);
    put(directory, 0, 4);
    put(directory, out.size(), 4);
    directory += name;
    put(out, 0x04034b50, 4);
    out += fields + name + data;
  }
  const size_t begin = out.size();
  out += directory;
  put(out, 0x06054b50, 4);
  put(out, 0, 4);
  put(out, members_.size(), 2);
  put(out, members_.size(), 2);
  put(out, directory.size(), 4);
  put(out, begin, 4);
  put(out, 0, 2);
  return out;
}

}  // namespace pt2::test
