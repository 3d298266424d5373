# The fonts of the window and of pictures, embedded so that the installed binary never lacks them. Nothing is vendored: the files
# come from Debian packages. roboto_regular, roboto_medium, jetbrains_mono, dejavu_sans (arrows and signs), font_awesome (icons).
function(pt2_find_font variable package file)
  find_file(${variable} ${file} PATHS
    /usr/share/fonts/truetype/roboto/unhinted/RobotoTTF /usr/share/fonts/truetype/roboto/unhinted /usr/share/fonts/truetype/jetbrains-mono
    /usr/share/fonts/truetype/dejavu /usr/share/fonts/truetype/font-awesome /usr/share/fonts/opentype/font-awesome NO_DEFAULT_PATH)
  if(NOT ${variable})
    pt2_missing("the font ${file}" "${package}")
  endif()
endfunction()

pt2_find_font(PT2_FONT_ROBOTO fonts-roboto-unhinted Roboto-Regular.ttf)
pt2_find_font(PT2_FONT_ROBOTO_MEDIUM fonts-roboto-unhinted Roboto-Medium.ttf)
pt2_find_font(PT2_FONT_MONO fonts-jetbrains-mono JetBrainsMono-Regular.ttf)
pt2_find_font(PT2_FONT_DEJAVU fonts-dejavu-core DejaVuSans.ttf)
pt2_find_font(PT2_FONT_ICONS fonts-font-awesome fontawesome-webfont.ttf)

function(pt2_embed_fonts target)
  pt2_embed(${target} roboto_regular ${PT2_FONT_ROBOTO})
  pt2_embed(${target} roboto_medium ${PT2_FONT_ROBOTO_MEDIUM})
  pt2_embed(${target} jetbrains_mono ${PT2_FONT_MONO})
  pt2_embed(${target} dejavu_sans ${PT2_FONT_DEJAVU})
  pt2_embed(${target} font_awesome ${PT2_FONT_ICONS})
endfunction()
