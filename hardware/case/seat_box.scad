// The box at a seat: a large button, its lamp, a second button where the board has one, a plug or a cable.
// Print `part="top"` upside down as it lies here, and `part="floor"`; no supports.

include <common.scad>

part = "top";          // "top" or "floor"

second = 0;            // hole of the second button, such as 24.2; 0 for none
size = [78, second > 0 ? 104 : 84, 42];
wall = 1.2;            // three lines of a nozzle of 0.4 mm; ribs stiffen it
face = 2;              // thickness of the face with the buttons
floor = 1.2;
pad = 2.4;             // thickness of the floor around its screws
rib = 1.2;             // thickness of a rib
corner = 5;
post = 8.4;
button = 30.2;         // hole of the button: an arcade button of 30 mm, or one of 28 mm with a nut and a broad rim
lamp = 5.2;            // hole of the lamp; 0 if it is in the button
cable = 6.5;           // the cable to the box of the Pi

inset = wall + post / 2 - 0.2;   // the posts grow out of the walls
button_at = [size[0] / 2, 38];
beside = 21;           // from the middle of the button to the ribs beside its nut
cable_up = size[2] * 0.55;

module top() {
    difference() {
        union() {
            tray(size, corner, face);
            at(corners(size, inset)) screw_post(size[2] - pad);
            translate([size[0] / 2, size[1] - wall, cable_up - cable / 2 - play]) tie_ledge();
            wall_ribs();
            face_ribs();
        }
        translate([button_at[0], button_at[1], -eps]) cylinder(d = button, h = face + 2 * eps);
        if (second > 0) translate([size[0] / 2, 78, -eps]) cylinder(d = second, h = face + 2 * eps);
        if (lamp > 0) translate([size[0] - 13, 60, -eps]) cylinder(d = lamp, h = face + 2 * eps);
        translate([size[0] / 2, size[1] + eps, cable_up])
            rotate([90, 0, 0]) cylinder(d = cable, h = wall + 2 * eps);
    }
}

// Ribs up the walls; the floor rests on them.
module wall_ribs() {
    deep = 3;
    up = size[2] - floor - play;
    for (third = [1, 2]) {
        for (y = [0, size[1] - wall - deep])
            translate([size[0] * third / 3 - rib / 2, y, 0]) cube([rib, wall + deep, up]);
        for (x = [0, size[0] - wall - deep])
            translate([x, size[1] * third / 3 - rib / 2, 0]) cube([wall + deep, rib, up]);
    }
}

// Ribs across the face, around the nut of the button; the one beside the lamp ends before it.
module face_ribs() {
    up = face + 6;
    for (x = [-beside, beside])
        translate([button_at[0] + x - rib / 2, wall - eps, 0]) cube([rib, size[1] - 2 * wall + 2 * eps, up]);
    translate([wall - eps, button_at[1] - beside - rib / 2, 0]) cube([size[0] - 2 * wall + 2 * eps, rib, up]);
    translate([wall - eps, button_at[1] + beside - rib / 2, 0]) cube([button_at[0] + beside - wall, rib, up]);
}

module floor_plate() {
    edge = wall + play;
    difference() {
        union() {
            translate([edge, edge, 0]) block([size[0] - 2 * edge, size[1] - 2 * edge, floor], corner - wall);
            intersection() {
                at(corners(size, inset)) cylinder(d = post + 2, h = pad);
                translate([edge, edge, 0]) block([size[0] - 2 * edge, size[1] - 2 * edge, pad], corner - wall);
            }
            // ribs that lie beside the button's body
            for (x = [-beside, beside])
                translate([button_at[0] + x - rib / 2, 14, 0]) cube([rib, size[1] - 28, floor + 4]);
        }
        at(corners(size, inset)) translate([0, 0, -eps]) {
            cylinder(d = screw, h = pad + 2 * eps);
            cylinder(d1 = screw + 2.4, d2 = screw, h = 1.4);
        }
    }
}

if (part == "top") top();
if (part == "floor") floor_plate();
