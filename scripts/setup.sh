# Shared by ./demo and ./test: installs what is missing and builds. Safe to run again; needs no network once done.
# Meant to be sourced from the repository root.

say() { printf '\n\033[1m%s\033[0m\n' "$*"; }

# packages PURPOSE: the Debian packages for it, one a line. Node.js is left out where the machine has its own.
packages() {
  awk -v purpose="$1" '$1 == purpose { for (i = 2; i <= NF; ++i) print $i }' scripts/packages.txt |
    if command -v node >/dev/null && command -v npm >/dev/null; then grep -vxE 'nodejs|npm'; else cat; fi
}

install_packages() {
  local missing=()
  for package in $(for purpose in "$@"; do packages "$purpose"; done); do
    [ "$(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null)" = installed ] || missing+=("$package")
  done
  [ ${#missing[@]} -eq 0 ] && return
  say "Installing ${#missing[@]} Debian packages: ${missing[*]}"
  local root=()
  if [ "$(id -u)" -ne 0 ]; then
    command -v sudo >/dev/null || { echo "Please install them as root: apt-get install ${missing[*]}" >&2; exit 2; }
    root=(sudo)
  fi
  "${root[@]}" apt-get update -qq
  "${root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
}

# build TARGETS...: configures and builds them in build/release.
build() {
  say "Building build/release (a few minutes the first time)"
  mkdir -p build
  cmake --preset release "${CONFIGURE[@]}" >build/configure.log 2>&1 || { cat build/configure.log; exit 1; }
  cmake --build --preset release --target "$@"
}
