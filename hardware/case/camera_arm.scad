// The camera above the table: a clamp at the table's edge that holds a tube, and a head at the tube's other end
// that looks down. Tubes are 20 mm (aluminium or steel: PVC sways): one upright of 100 cm, one across of 45 cm, an elbow between.
// Print `part="clamp"`, `part="elbow"` and the head of your camera; no supports.

include <common.scad>

part = "clamp";        // "clamp", "elbow", "head_usb", "head_module" or "head_hq"

tube = 20;             // outer diameter of the pipe
table = 35;            // the thickest table top it goes round
thick = 7;             // thickness of what has to be strong
deep = 45;             // how far it reaches over the table
wide = 36;
bolt = 8.4;            // an M8 bolt with a wing nut or a knob presses from below
nut = 13.2;            // its nut, across the flats
tripod = 6.8;          // a screw of 1/4", as USB cameras have a thread for
camera = [25, 24];     // Camera Module 3
camera_holes = [[2, 2], [23, 2], [2, 14.5], [23, 14.5]];
hq = [38, 38];         // HQ Camera
hq_holes = [[4, 4], [34, 4], [4, 34], [34, 34]];

// Lies on its side: the C goes round the table's edge, y is upwards in use, the upright stands in the block behind.
module clamp() {
    jaw = thick + 12;                  // the lower jaw is thicker: the bolt's nut sits in it
    high = jaw + table + thick;
    back = tube + 2 * thick;
    difference() {
        union() {
            cube([deep + thick, high, wide]);
            translate([thick - back, 0, 0]) cube([back, high, wide]);
        }
        translate([thick, jaw, -eps]) cube([deep + 1, table, wide + 2 * eps]);
        // the bolt from below, its nut let into the lower jaw
        translate([thick + deep * 0.6, -eps, wide / 2]) rotate([-90, 0, 0]) cylinder(d = bolt, h = jaw + 1);
        translate([thick + deep * 0.6, jaw - 7, wide / 2]) rotate([-90, 0, 0])
            cylinder(d = nut / cos(30), h = 8, $fn = 6);
        // the upright, from above, and the screw that holds it
        translate([thick - back / 2, thick, wide / 2]) lying_hole(tube + play, high);
        translate([thick - back - eps, high - 15, wide / 2]) rotate([0, 90, 0])
            cylinder(d = screw_core, h = thick + 2);
    }
}

module elbow() {
    length = 45;
    side = tube + 2 * thick;
    difference() {
        union() {
            for (turn = [0, -90]) translate([0, 0, side / 2]) rotate([0, 0, turn]) lying_tube(side, length);
            translate([0, 0, side / 2]) sphere(d = side);
            // the ball stands on a cone
            cylinder(h = side / 2 * (1 - cos(45)), r1 = side / 2 * (sqrt(2) - 1), r2 = side / 2 * sin(45));
        }
        for (turn = [0, -90]) rotate([0, 0, turn]) {
            translate([0, tube / 2 + thick, side / 2]) lying_hole(tube + play, length);
            translate([0, length * 0.75, side / 2]) cylinder(d = screw_core, h = side);
        }
    }
}

// A USB camera is screwed by its tripod's thread on the end of the tube that goes across, and turned until it looks down.
// It stands on its closed end; the screw goes in before the tube.
module head_usb() {
    difference() {
        cylinder(d = tube + 2 * thick, h = 40);
        translate([0, 0, 6]) cylinder(d = tube + play, h = 40);
        translate([0, 0, -eps]) cylinder(d = tripod, h = 7);
        translate([0, 0, 28]) rotate([0, 90, 0]) cylinder(d = screw_core, h = tube);
    }
}

// The plate with the camera hangs on the end of the tube; the lens, of this diameter, looks down through the hole.
module head(camera, holes, lens, across, screw) {
    plate = [camera[0] + 12, camera[1] + 16];
    difference() {
        union() {
            block([plate[0], plate[1], 4], 4);
            translate([plate[0] / 2, plate[1] - 4, tube / 2 + thick]) rotate([-90, 0, 0])
                cylinder(d = tube + 2 * thick, h = 34);
            translate([plate[0] / 2 - 12, plate[1] - 4, 0]) cube([24, 34, thick]);
        }
        translate([plate[0] / 2, plate[1] + thick - 4, tube / 2 + thick]) lying_hole(tube + play, 34);
        translate([plate[0] / 2, plate[1] + 20, tube / 2 + thick]) cylinder(d = screw_core, h = tube);
        // lens, screws of the camera, and its flat cable
        translate([6 + camera[0] / 2, 6 + lens, -eps]) cylinder(d = across, h = 4 + 2 * eps);
        for (h = holes) translate([6 + h[0], 6 + h[1], -eps]) cylinder(d = screw, h = 4 + 2 * eps, $fn = 20);
        translate([plate[0] / 2 - 9.5, 6 + camera[1] + (across > 20 ? 1 : -3), -eps]) cube([19, 2.5, 4 + 2 * eps]);
    }
}

if (part == "clamp") clamp();
if (part == "elbow") elbow();
if (part == "head_usb") head_usb();
if (part == "head_module") head(camera, camera_holes, 9.5, 13, 1.8);
if (part == "head_hq") head(hq, hq_holes, hq[1] / 2, 36.5, 2.2);
