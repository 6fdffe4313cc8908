#!/usr/bin/env bash
# Draws every example and every clip of every body that Cutis makes itself into docs/pictures and lists them in docs/gallery.md;
# and the pictures of several views that other pages show: langer-lines, slide-limits, buckling, first-page (of the README), wrinkle-layers, highlights;
# brow-and-belly where ../shared/data has the characters.
#   scripts/gallery.sh              all of them
#   scripts/gallery.sh torus elbow  new pictures of these bodies, examples and views only; the page still lists all
# Needs a built build/release/cutis (or one named by CUTIS) and ffmpeg.
set -euo pipefail
cd "$(dirname "$0")/.."
cutis=$(realpath "${CUTIS:-build/release/cutis}")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# From where each body is best seen, as a direction from it.
camera() {
  case $1 in
    sheet | bump | patch) echo '[0.35, 0.55, 1.0]' ;;
    cylinder) echo '[0.45, 0.35, 1.0]' ;;
    torus) echo '[0.6, 0.6, 1.0]' ;;
    arm) echo '[0.35, 0.3, 1.0]' ;;
    *) echo '[0.6, 0.35, 1.0]' ;;
  esac
}

# draw BODY CLIP: the moment of the clip that moved furthest. A palette keeps the file small.
draw() {
  cat >"$work/shot.toml" <<SHOT
[body]
make = "$1"
clip = "$2"
[time]
fps = "8 fps"
[picture]
camera = $(camera "$1")
size = [480, 270]
stills = 1
SHOT
  rm -rf "$work/result"
  "$cutis" --quiet simulate "$work/shot.toml" --out "$work/result"
  "$cutis" --quiet picture "$work/result" --no-animation
  ffmpeg -v error -y -i "$work/result/pictures/still.png" \
    -vf 'split[a][b];[a]palettegen[p];[b][p]paletteuse=dither=bayer:bayer_scale=4' "docs/pictures/$1-$2.png"
}

# The frame that shows an example best, where that is not the one furthest from rest.
best_frame() {
  case $1 in
    dewlap) echo --frames 22 ;; # it swings out the furthest
  esac
}

# draw_example NAME: the still of its demo, half as large. Figures that do not hold stop the script.
draw_example() {
  rm -rf "$work/result"
  "$cutis" --quiet demo "$1" --no-pictures --out "$work/result"
  "$cutis" --quiet picture "$work/result" --no-animation $(best_frame "$1")
  ffmpeg -v error -y -i "$work/result/pictures/still.png" \
    -vf 'scale=min(960\,iw):-1:flags=area,split[a][b];[a]palettegen[p];[b][p]paletteuse=dither=bayer:bayer_scale=4' "docs/pictures/example-$1.png"
}

# A palette of the whole picture, half as large.
palette='scale=iw/2:-1:flags=area,split[a][b];[a]palettegen[p];[b][p]paletteuse=dither=bayer:bayer_scale=4'

# views RESULT: its skin from the front and the back, as RESULT/front and RESULT/back; the scale of a field
# stands right of it, within the width.
views() {
  "$cutis" --quiet picture "$1" --no-animation --size 1200x1080 --camera 0 0.05 1 --out "$1/front"
  "$cutis" --quiet picture "$1" --no-animation --size 1200x1080 --camera 0 0.05 -1 --out "$1/back"
}

# A man and a woman, front and back.
draw_langer_lines() {
  local crop=crop=720:1020:240:30
  for sex in male female; do
    printf '[body]\nmake = "%s"\nclip = "none"\n[skin.direction]\nlanger = "%s"\n[picture]\nlook = "lines"\nstills = 1\n' \
      $sex $sex >"$work/shot.toml"
    "$cutis" --quiet simulate "$work/shot.toml" --out "$work/$sex"
    views "$work/$sex"
  done
  ffmpeg -v error -y -i "$work/male/front/still.png" -i "$work/male/back/still.png" \
    -i "$work/female/front/still.png" -i "$work/female/back/still.png" \
    -filter_complex "[0]${crop}[a];[1]${crop}[b];[2]${crop}[c];[3]${crop}[d];[a][b][c][d]hstack=inputs=4,$palette" docs/pictures/langer-lines.png
}

# How far the skin of a man may slide, front and back; the scale stands right of the second.
draw_slide_limits() {
  printf '[body]\nmake = "male"\nclip = "none"\n[skin]\nmethod = "lagrangian"\n[output]\nfields = ["slide_limit"]\n[picture]\nlook = "field"\nstills = 1\n' \
    >"$work/shot.toml"
  "$cutis" --quiet simulate "$work/shot.toml" --out "$work/limits"
  views "$work/limits"
  ffmpeg -v error -y -i "$work/limits/front/still.png" -i "$work/limits/back/still.png" \
    -filter_complex "[0]crop=720:1020:105:30[front];[1]crop=1095:1020:105:30[back];[front][back]hstack,$palette" \
    docs/pictures/slide-limits.png
}

# Skin that buckles in equilibrium beside skin with inertia and damping, at four moments.
draw_buckling() {
  local name frame rows=()
  for name in compress-static compress; do
    "$cutis" --quiet demo $name --no-pictures --out "$work/$name"
  done
  for frame in 5 7 9 13; do
    "$cutis" --quiet picture "$work/compress-static" "$work/compress" --caption static --caption dynamic --frames $frame --no-animation \
      --size 720x300 --zoom middle --camera 0.7 0.6 0.5 --out "$work/buckling$frame"
    rows+=(-i "$work/buckling$frame/still.png")
  done
  ffmpeg -v error -y "${rows[@]}" -filter_complex "vstack=inputs=4,$palette" docs/pictures/buckling.png
}

# The commands of the README's first page, as they stand there, and the picture that they make.
draw_first_page() {
  mkdir "$work/page"
  sed -n '/^```sh/,/^```/{/^cutis /p}' README.md >"$work/page/commands"
  (cd "$work/page" && PATH="$(dirname "$cutis"):$PATH" bash -e commands >/dev/null 2>&1)
  ffmpeg -v error -y -i "$work/page/hero-result/pictures/still.png" -vf "$palette" docs/pictures/first-page.png
}

# The mesh of a layer that is pinched, over the supports of its constraints and at rest over its strain; the cells of the
# constraints on a hand and on a head.
draw_wrinkle_layers() {
  sed 's/^use = true/use = true\nlayer_meshes = "ply"/' examples/pinch/shot.toml >"$work/shot.toml"
  "$cutis" --quiet simulate "$work/shot.toml" --out "$work/pinch"
  for body in hand head; do
    printf '[body]\nmake = "%s"\nclip = "none"\n[skin]\nmethod = "none"\n[wrinkle]\nuse = true\nlayer_meshes = "ply"\noutput_level = 0\nadaptive = false\nedge = 0.15\n[[wrinkle.layer]]\nyoung = "4 MPa"\nthickness = "1.3 mm"\nwavelength = "%s"\n' \
      $body "$([ $body = hand ] && echo 14 mm || echo 30 mm)" >"$work/shot.toml"
    "$cutis" --quiet simulate "$work/shot.toml" --out "$work/$body"
    "$cutis" --quiet picture "$work/$body" --layer 1 --field constraint --size 1200x1080 --out "$work/$body/cells"
  done
  "$cutis" --quiet picture "$work/pinch" --layer 1 --frames 3 --size 1200x1080 --out "$work/pinch/support"
  "$cutis" --quiet picture "$work/pinch" --layer 1 --frames 3 --field strain --material-space --size 1200x1080 --out "$work/pinch/strain"
  ffmpeg -v error -y -i "$work"/pinch/support/*.png -i "$work"/pinch/strain/*.png -i "$work"/hand/cells/*.png -i "$work"/head/cells/*.png \
    -filter_complex "[0][1]hstack[a];[2][3]hstack[b];[a][b]vstack,$palette" docs/pictures/wrinkle-layers.png
}

# Wrinkles under highlights, and with a texture of skin.
draw_highlights() {
  local options=(--frames 13 --no-animation --size 960x720 --zoom middle --camera -0.6 1.0 0.25)
  /usr/bin/python3 scripts/paint_skin_texture.py "$work/skin.png"
  "$cutis" --quiet demo compress-static --no-pictures --out "$work/compressed"
  "$cutis" --quiet picture "$work/compressed" "${options[@]}" --look plain --gloss 0.8 --out "$work/compressed/gloss"
  "$cutis" --quiet picture "$work/compressed" "${options[@]}" --look texture --texture "$work/skin.png" --out "$work/compressed/texture"
  ffmpeg -v error -y -i "$work/compressed/gloss/still.png" -i "$work/compressed/texture/still.png" -filter_complex "hstack,$palette" docs/pictures/highlights.png
}

# Two real characters that are not part of Cutis, without and with wrinkles: the brow of a face and the belly of a man.
draw_brow_and_belly() {
  local data=../shared/data
  if [ ! -d "$data" ]; then
    echo "  $data is not there: its picture stays" >&2
    return
  fi
  wrinkles_of brow "$data/ict-face-neutral/ict_face_neutral_14expr.glb" '' 'start = 2
end = 2.5' '[0.02, 0.07, 0.1]' 0.03 '0.5 mm' '0.1 0.25 1'
  wrinkles_of belly "$data/makehuman-young-male/makehuman_young_male_cmu.glb" 'clip = "cmu_13_29_bend_squats"' 'start = 3.25
end = 3.75' '[0, 0.25, 0.134]' 0.06 '2 mm' '0.5 0.1 1'
  ffmpeg -v error -y -i "$work/brow.png" -i "$work/belly.png" -filter_complex "vstack,$palette" docs/pictures/brow-and-belly.png
}

# wrinkles_of NAME FILE BODY TIME CENTER RADIUS THICKNESS CAMERA: the skin of the last frame beside the same with wrinkles, as NAME.png.
wrinkles_of() {
  cat >"$work/shot.toml" <<SHOT
[body]
file = "$(realpath "$2")"
$3
[time]
$4
fps = 8
preroll = 0
[skin]
method = "lagrangian"
[[skin.region]]
name = "region"
use = "name"
center = $5
radius = $6
[wrinkle]
use = true
region = "region"
law = "layer"
adaptive = false
edge = 0.125
[[wrinkle.layer]]
young = "4 MPa"
thickness = "$7"
SHOT
  "$cutis" --quiet simulate "$work/shot.toml" --out "$work/$1"
  "$cutis" --quiet picture "$work/$1/stages/skin" "$work/$1" --caption skin --caption wrinkles --frames 5 --no-animation --size 960x720 \
    --look plain --gloss 0.35 --zoom region --camera $8 --out "$work/$1/pictures"
  mv "$work/$1/pictures/still.png" "$work/$1.png"
}

# Lines of "name|description", without the heading.
examples() { "$cutis" list examples | sed 1d | sed -E 's/^ +([^ ]+) +/\1|/'; }

# Lines of "name|description|clip clip ...", from a list of two lines a body.
bodies() {
  "$cutis" list bodies | sed 1d | while read -r name description; do
    read -r _ clips
    echo "$name|$description|${clips//,/}"
  done
}

wanted() { [ ${#only[@]} -eq 0 ] || [[ " ${only[*]} " == *" $1 "* ]]; }

only=("$@")
mkdir -p docs/pictures
examples >"$work/examples"
while IFS='|' read -r name _; do
  wanted "$name" || continue
  echo "$name"
  draw_example "$name" </dev/null
done <"$work/examples"
for name in langer-lines slide-limits buckling first-page wrinkle-layers highlights brow-and-belly; do
  wanted $name || continue
  echo $name
  draw_${name//-/_} </dev/null
done
bodies >"$work/bodies"
while IFS='|' read -r name _ clips; do
  wanted "$name" || continue
  for clip in $clips; do
    echo "$name $clip"
    draw "$name" "$clip" </dev/null
  done
done <"$work/bodies"

{
  cat <<'HEAD'
# Gallery

## Examples

Each is a shot file in `examples/`, with the figures that show it is right: `cutis demo NAME` runs it, checks them and makes its
pictures. Where two are side by side, plain skinning is on the left; where two meshes overlap, it is the green one.
HEAD
  while IFS='|' read -r name description; do
    printf '\n### %s\n\n%s\n\n![%s](pictures/example-%s.png)\n' "$name" "$description" "$name" "$name"
  done <"$work/examples"
  cat <<'HEAD'

## The cast

Bodies that Cutis makes itself, for trying things with no character at hand. Each picture shows the moment of a clip that is
furthest from rest. To play one, name it in a shot file, with any edge length:

```toml
[body]
make = "torus"
clip = "squeeze"
resolution = "10 mm"
```

`cutis list bodies` names them all; `cutis make male` writes one that has joints as a rigged GLB, clips and all. This page and its pictures are made by `scripts/gallery.sh`.
HEAD
  while IFS='|' read -r name description clips; do
    printf '\n### %s\n\n%s.\n\n' "$name" "${description^}"
    row() { for clip in $clips; do printf '| %s ' "${1//CLIP/$clip}"; done; echo '|'; }
    row CLIP
    row ---
    row "![$name: CLIP](pictures/$name-CLIP.png)"
  done <"$work/bodies"
} >docs/gallery.md
