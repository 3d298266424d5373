# pt2_embed(TARGET NAME FILE): the bytes of FILE become `std::span<const std::byte> pt2::embedded::NAME()`, declared in
# "embedded/NAME.h". The assembler's .incbin keeps it quick for files of megabytes.
function(pt2_embed target name file)
  get_filename_component(path ${file} ABSOLUTE BASE_DIR ${CMAKE_SOURCE_DIR})
  set(dir ${CMAKE_BINARY_DIR}/embedded)
  file(WRITE ${dir}/${name}.S.new
"    .section .rodata
    .global pt2_embedded_${name}_begin
    .global pt2_embedded_${name}_end
    .balign 64
pt2_embedded_${name}_begin:
    .incbin \"${path}\"
pt2_embedded_${name}_end:
    .byte 0
    .section .note.GNU-stack,\"\",%progbits
")
  file(WRITE ${dir}/embedded/${name}.h.new
"#pragma once
#include <cstddef>
#include <span>
extern \"C\" const std::byte pt2_embedded_${name}_begin[], pt2_embedded_${name}_end[];
namespace pt2::embedded {
inline std::span<const std::byte> ${name}() { return {pt2_embedded_${name}_begin, pt2_embedded_${name}_end}; }
}
")
  foreach(out ${dir}/${name}.S ${dir}/embedded/${name}.h)
    file(COPY_FILE ${out}.new ${out} ONLY_IF_DIFFERENT)
    file(REMOVE ${out}.new)
  endforeach()
  set_property(SOURCE ${dir}/${name}.S APPEND PROPERTY OBJECT_DEPENDS ${path})
  target_sources(${target} PRIVATE ${dir}/${name}.S)
  target_include_directories(${target} PUBLIC ${dir})
endfunction()
