#!/usr/bin/env bash
# Installs the Debian packages that some tests need, where it may: as root, or by a sudo that asks for no password.
# It never fails: without a package the tests that need it are skipped, and say what they lack.
#
#     tools/system_packages.sh          installs what is missing
#     tools/system_packages.sh --may    says by its exit code alone whether it may install anything
set -u

as_root() {
  if [ "$(id -u)" = 0 ]; then "$@"; else sudo -n "$@"; fi
}

may_install() {
  command -v apt-get >/dev/null && as_root true 2>/dev/null
}

if [ "${1:-}" = --may ]; then
  may_install
  exit
fi

missing=()

# needs PACKAGE PURPOSE SIGN...: each sign is a file or a program that shows that nothing need be installed.
needs() {
  local package=$1 purpose=$2 sign
  shift 2
  for sign in "$@"; do
    case $sign in
      /*) [ -e "$sign" ] && return ;;
      *) command -v "$sign" >/dev/null && return ;;
    esac
  done
  missing+=("$package")
  echo "Some tests need Debian's $package: $purpose."
}

needs wordnet-base "WordNet, for METEOR as NLTK computes it" /usr/share/wordnet/index.noun
needs default-jre-headless "Java, for METEOR's own program" java
needs chromium "a browser, for the reports" chromium google-chrome
needs chromium-driver "the driver of that browser" chromedriver
needs postgresql "PostgreSQL, for campaigns of judge" /usr/lib/postgresql/*/bin/initdb initdb
needs strace "strace, which shows when answers of judge are on disk" strace

[ ${#missing[@]} = 0 ] && exit 0
if ! may_install; then
  echo "Not installed: that takes apt-get, and root or a sudo that asks for no password. These tests are skipped."
  exit 0
fi

echo "Installing ${missing[*]} ..."
log=$(mktemp)
trap 'rm -f "$log"' EXIT

apt() {
  as_root env DEBIAN_FRONTEND=noninteractive apt-get --quiet --yes --option Acquire::http::Timeout=30 \
    --option Acquire::Retries=1 --option DPkg::Lock::Timeout=120 "$@" >"$log" 2>&1
}

apt update || echo "The lists of packages cannot be renewed: $(grep -m 1 '^[EW]:' "$log")"
for package in "${missing[@]}"; do  # each alone: one that cannot be had shall not keep the others away
  apt install --no-install-recommends "$package" ||
    echo "$package cannot be installed, and the tests that need it are skipped: $(grep -m 1 '^E:' "$log")"
done
exit 0
