# Installs and starts Coyote Table; runs at each boot until it succeeds. By hand: sudo sh /boot/firmware/coyote/install.
# `coyote table image` prepends the variables user, language, packages, board and screen.

set -eu
boot=${COYOTE_BOOT:-/boot/firmware}
home=${COYOTE_HOME:-/home/$user/coyote-table}
wheels=$boot/coyote/wheels
exec >>"${COYOTE_LOG:-$boot/coyote/install.log}" 2>&1
as_user() {
    runuser -u "$user" -- env LANG="$language" "$@"
}

# the Wi-Fi password was read, so remove it from the readable boot partition
rm -f "$boot/network-config" "$boot/network-config.before-coyote"

# end the first-boot wizard, on a desktop too
! command -v cancel-rename >/dev/null || cancel-rename "$user" || true

# shellcheck disable=SC2086 # a list
lacking() { ! dpkg --status $packages >/dev/null 2>&1; }
add() { DEBIAN_FRONTEND=noninteractive apt-get install --quiet --yes --no-install-recommends "$@"; }
set -- "$wheels"/*.deb
if lacking && [ -e "$1" ]; then add "$@"; fi
if lacking; then
    apt-get update --quiet
    # shellcheck disable=SC2086
    add $packages
fi
if [ ! -e "$home/run" ]; then
    rm -rf "$home.new"
    git -c init.defaultBranch=main clone --quiet "$boot/coyote/coyote.bundle" "$home.new"
    git -C "$home.new" remote remove origin
    chown -R "$user:" "$home.new"
    mv "$home.new" "$home"
fi
# use only the packages on the card, if any
if [ -d "$wheels" ]; then
    export PIP_NO_INDEX=1 PIP_FIND_LINKS="$wheels"
fi
as_user "$home/run" --version
[ -z "$board" ] || as_user "$home/run" table board "$board"
# shellcheck disable=SC2086 # nothing, or an option
SUDO_USER=$user LANG=$language "$home/run" table service $screen
echo done
