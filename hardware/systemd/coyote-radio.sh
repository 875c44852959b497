# Switches the Wi-Fi radio on before packages are downloaded. cloud-init repeats it until it succeeds.
# An image of Raspberry Pi OS has no country: its kernel blocks the radio and NetworkManager's stored state
# disables it (pi-gen, stage2/02-net-tweaks/01-run.sh). $country is set above by `coyote table image`.

state=${COYOTE_RADIO:-/var/lib/NetworkManager/NetworkManager.state}
# these two may fail: other systems have no raspi-config
raspi-config nonint do_wifi_country "$country"
rfkill unblock wifi
sed -i s/^WirelessEnabled=false/WirelessEnabled=true/ "$state"
# a NetworkManager that starts later reads the state; a running one needs a command
systemctl is-active --quiet NetworkManager || exit 0
nmcli radio wifi on
