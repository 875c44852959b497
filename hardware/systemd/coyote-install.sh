# Installs Coyote Table and starts it. Each boot runs this until it succeeds; by hand: sudo sh /boot/firmware/coyote/install
# $user, $language, $packages, $board and $screen are set above by `coyote table image`.

set -eu
boot=${COYOTE_BOOT:-/boot/firmware}
home=${COYOTE_HOME:-/home/$user/coyote-table}
wheels=$boot/coyote/wheels
exec >>"${COYOTE_LOG:-$boot/coyote/install.log}" 2>&1
as_user() {
    runuser -u "$user" -- env LANG="$language" "$@"
}

# cloud-init has read the Wi-Fi password: delete it, as any computer can read this partition
rm -f "$boot/network-config" "$boot/network-config.before-coyote"

# end the first-boot wizard of a desktop image
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
# use the card's packages instead of downloading them
if [ -d "$wheels" ]; then
    export PIP_NO_INDEX=1 PIP_FIND_LINKS="$wheels"
fi
as_user "$home/run" --version
[ -z "$board" ] || as_user "$home/run" table board "$board"
# shellcheck disable=SC2086 # nothing, or an option
SUDO_USER=$user LANG=$language "$home/run" table service $screen
echo done
