# Runs early in the first boot. The image would ask for a user name and password on the monitor if its first
# user has no password (userconf-pi). multi-user.target waits for the answer, and so does the installer.
# $installed and $log are set above by `coyote table image`.

[ ! -e "$installed" ] || exit 0
# the first line of the log: the installer itself starts minutes later
echo "$(date): waiting for the system to come up" >>"${COYOTE_LOG:-$log}"
systemctl mask --quiet userconfig.service
systemctl stop --quiet --no-block userconfig.service
exit 0
