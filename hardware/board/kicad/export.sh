#!/bin/sh
# Checks the board, and exports its files: needs kicad-cli of KiCad 9, its libraries and its 3D models.
#
# fab/ is for the board's manufacturer (`coyote print board`); schematic, picture and 3D model are beside it. Any error
# or warning of the checks stops it. Dates are removed, so that files change only with the board.
set -eu
cd "$(dirname "$0")"

report() {
    "$@" --severity-all --exit-code-violations --output report.rpt >&2 || failed=yes
    cat report.rpt
    rm report.rpt
}
failed=
report kicad-cli sch erc coyote.kicad_sch
report kicad-cli pcb drc --schematic-parity --all-track-errors coyote.kicad_pcb
[ -z "$failed" ]

rm -rf fab
mkdir fab
layers=F.Cu,B.Cu,F.Mask,B.Mask,F.SilkS,B.SilkS,Edge.Cuts
kicad-cli pcb export gerbers --layers $layers --use-drill-file-origin --subtract-soldermask --output fab/ coyote.kicad_pcb
kicad-cli pcb export drill --excellon-separate-th --drill-origin plot --output fab/ coyote.kicad_pcb
kicad-cli pcb export pos --format csv --units mm --use-drill-file-origin --output fab/positions-fab.csv coyote.kicad_pcb
kicad-cli sch export bom --output fab/parts-fab.csv --ref-range-delimiter "" --group-by "Value,Package,Manufacturer part" \
    --fields 'Reference,${QUANTITY},Value,Package,Manufacturer,Manufacturer part,LCSC,Mouser' \
    --labels "Designator,Quantity,Value,Package,Manufacturer,Manufacturer part,LCSC,Mouser" coyote.kicad_sch
sed -i -E '/CreationDate/d; s/ date [-0-9T:+ ]+//' fab/*.g* fab/*.drl

kicad-cli sch export pdf --output coyote.pdf coyote.kicad_sch
kicad-cli pcb render --width 1400 --height 1060 --zoom 1.3 --output coyote.jpg coyote.kicad_pcb
kicad-cli pcb export step --drill-origin --force --output coyote.step coyote.kicad_pcb
sed -i -E "s/'[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:]{8}'/''/" coyote.step

rm -f coyote.kicad_prl
sha256sum coyote.kicad_pro coyote.kicad_dru coyote.kicad_sch coyote.kicad_pcb > exported.sha256
