# The files of interp/kernels/isa are compiled once per instruction set, and the program chooses when it runs: a plain x86-64 build of Eigen is
# six times slower than what the processor can do. Eigen is renamed in each (Eigen_base, Eigen_v3 …): its inline functions would otherwise be
# merged by the linker and all variants run the same code, or code the processor does not have.
file(GLOB isa_sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/interp/kernels/isa/*.cpp)
set(PT2_ISAS base)
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  list(APPEND PT2_ISAS v3 v4)
  target_compile_definitions(pt2_interp PRIVATE PT2_X86_64=1)
endif()
foreach(isa ${PT2_ISAS})
  add_library(pt2_kernels_${isa} OBJECT ${isa_sources})
  target_include_directories(pt2_kernels_${isa} PRIVATE ${CMAKE_SOURCE_DIR})
  target_link_libraries(pt2_kernels_${isa} PRIVATE Eigen3::Eigen)
  target_compile_definitions(pt2_kernels_${isa} PRIVATE PT2_ISA=${isa} Eigen=Eigen_${isa} EIGEN_DONT_PARALLELIZE NDEBUG)
  target_compile_options(pt2_kernels_${isa} PRIVATE -O3 -fno-math-errno -fno-trapping-math -Wno-uninitialized -Wno-maybe-uninitialized)
  if(NOT isa STREQUAL base)
    target_compile_options(pt2_kernels_${isa} PRIVATE -march=x86-64-${isa} -mprefer-vector-width=512)
  endif()
  target_sources(pt2_interp PRIVATE $<TARGET_OBJECTS:pt2_kernels_${isa}>)
endforeach()

# Loops over blocks of elements: worth the optimiser's vectorisation, for the plain instruction set.
file(GLOB loop_sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/interp/convert.cpp ${CMAKE_SOURCE_DIR}/interp/tensor_map.cpp
  ${CMAKE_SOURCE_DIR}/interp/ops/pointwise*.cpp ${CMAKE_SOURCE_DIR}/interp/ops/activation*.cpp ${CMAKE_SOURCE_DIR}/interp/ops/comparison*.cpp
  ${CMAKE_SOURCE_DIR}/interp/ops/pooling.cpp ${CMAKE_SOURCE_DIR}/interp/ops/reduction.cpp ${CMAKE_SOURCE_DIR}/interp/ops/selection.cpp)
set_source_files_properties(${loop_sources} PROPERTIES COMPILE_OPTIONS "-O3;-fno-math-errno;-fno-trapping-math")
