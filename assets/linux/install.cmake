# `cmake --install` and the Debian package (`cpack -G DEB`): the program, what the desktop wants to know of it, manual and completions. Caches
# of desktop entries and MIME types are brought up to date by the triggers of the packages that keep them.
include(GNUInstallDirs)
set(linux ${CMAKE_CURRENT_LIST_DIR})

# Written by the program from its own table of options.
set(manual ${CMAKE_BINARY_DIR}/manual)
file(MAKE_DIRECTORY ${manual})
find_program(GZIP gzip REQUIRED)
add_custom_command(
  OUTPUT ${manual}/pt2scope.1.gz ${manual}/pt2scope.bash ${manual}/_pt2scope ${manual}/pt2scope.fish
  COMMAND pt2scope manual > pt2scope.1
  COMMAND ${GZIP} -9nf pt2scope.1
  COMMAND pt2scope completion bash > pt2scope.bash
  COMMAND pt2scope completion zsh > _pt2scope
  COMMAND pt2scope completion fish > pt2scope.fish
  WORKING_DIRECTORY ${manual}
  DEPENDS pt2scope
  COMMENT "Writing manual page and completions"
  VERBATIM)
add_custom_target(manual ALL DEPENDS ${manual}/pt2scope.1.gz)

install(TARGETS pt2scope RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(FILES ${manual}/pt2scope.1.gz DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
install(FILES ${manual}/pt2scope.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME pt2scope)
install(FILES ${manual}/_pt2scope DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions)
install(FILES ${manual}/pt2scope.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
install(FILES ${linux}/pt2scope.desktop DESTINATION ${CMAKE_INSTALL_DATADIR}/applications)
install(FILES ${linux}/pt2scope-mime.xml DESTINATION ${CMAKE_INSTALL_DATADIR}/mime/packages RENAME pt2scope.xml)
install(FILES ${linux}/org.pt2scope.pt2scope.metainfo.xml DESTINATION ${CMAKE_INSTALL_DATADIR}/metainfo)
install(FILES ${linux}/pt2scope.svg DESTINATION ${CMAKE_INSTALL_DATADIR}/icons/hicolor/scalable/apps)
foreach(size 48 128 256)
  install(FILES ${linux}/pt2scope-${size}.png DESTINATION ${CMAKE_INSTALL_DATADIR}/icons/hicolor/${size}x${size}/apps RENAME pt2scope.png)
endforeach()
file(GLOB helpers CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/assets/*.py)
install(FILES ${helpers} DESTINATION ${CMAKE_INSTALL_DATADIR}/pt2scope/python)
install(FILES ${linux}/copyright DESTINATION ${CMAKE_INSTALL_DOCDIR})
foreach(package fonts-roboto-unhinted fonts-jetbrains-mono fonts-dejavu-core fonts-font-awesome)
  if(EXISTS /usr/share/doc/${package}/copyright)
    install(FILES /usr/share/doc/${package}/copyright DESTINATION ${CMAKE_INSTALL_DOCDIR}/fonts RENAME ${package})
  endif()
endforeach()

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME pt2scope)
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_PACKAGE_CONTACT "The authors of pt2scope <dev@pt2scope.invalid>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "visualizer and step-through debugger for PyTorch Export IR")
set(CPACK_DEBIAN_PACKAGE_DESCRIPTION "pt2scope opens the .pt2 files that torch.export.save writes, shows their graph in step with\ntheir text and every tensor, runs them node by node on the CPU and compares\ntwo of them. Nothing from a file is ever executed; no Python is needed.")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
# libGL and libEGL find their drivers at run time.
set(CPACK_DEBIAN_PACKAGE_DEPENDS "libgl1-mesa-dri")
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "desktop-file-utils, hicolor-icon-theme, shared-mime-info")
include(CPack)
