// The box at a seat: a large button, its lamp, a second button where the board has one, a plug or a cable.
// Print `part="top"` upside down as it lies here, and `part="floor"`; no supports.

include <common.scad>

part = "top";          // "top" or "floor"

size = [78, 104, 42];
corner = 6;
post = 9;
button = 30.2;         // hole of the button: an arcade button of 30 mm, or one of 28 mm with a nut and a broad rim
second = 0;            // hole of the second button, such as 24.2; 0 for none
lamp = 5.2;            // hole of the lamp; 0 if it is in the button or in a ring
cable = 6.5;           // the cable to the box of the Pi

inset = wall + post / 2 - 0.2;   // the posts grow out of the walls

module top() {
    difference() {
        union() {
            tray(size, corner);
            at(corners(size, inset)) screw_post(size[2] - wall);
        }
        translate([size[0] / 2, 38, -eps]) cylinder(d = button, h = wall + 2 * eps);
        if (second > 0) translate([size[0] / 2, 78, -eps]) cylinder(d = second, h = wall + 2 * eps);
        if (lamp > 0) translate([size[0] - 13, 60, -eps]) cylinder(d = lamp, h = wall + 2 * eps);
        translate([size[0] / 2, size[1] + eps, size[2] * 0.55])
            rotate([90, 0, 0]) cylinder(d = cable, h = wall + 2 * eps);
    }
}

module floor_plate() {
    difference() {
        translate([wall + play, wall + play, 0])
            block([size[0] - 2 * (wall + play), size[1] - 2 * (wall + play), wall], corner - wall);
        at(corners(size, inset)) translate([0, 0, -eps]) {
            cylinder(d = screw, h = wall + 2 * eps);
            cylinder(d1 = screw + 2.4, d2 = screw, h = 1.4);
        }
    }
}

if (part == "top") top();
if (part == "floor") floor_plate();
