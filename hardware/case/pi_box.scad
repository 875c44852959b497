// The box for the Raspberry Pi, the strip board, the dial, the display, the lamp and the buzzer.
// Print `part="base"` and `part="lid"`, both as they lie, without supports.

include <common.scad>

part = "base";         // "base" or "lid"

inside = [150, 105, 48];   // room for a Pi with its socket, and a strip board beside it
corner = 5;
pi = [85, 56];             // the Pi's board
pi_at = [64.4, 1.5];       // its corner near the memory card, from the inner corner: the ports reach the right wall
pi_holes = [[3.5, 3.5], [61.5, 3.5], [3.5, 52.5], [61.5, 52.5]];
pi_up = 6;                 // it stands so high, for air and solder
lead = 9;                  // diameter of a plug in the wall, one for each place
places = 8;
display = [50.5, 19.5];    // window of the four digits
dial_hole = 7.4;
lamp_hole = 10.2;

size = [inside[0] + 2 * wall, inside[1] + 2 * wall, inside[2] + wall];
inset = wall + post / 2 - 0.2;

module base() {
    difference() {
        union() {
            tray(size, corner);
            at_corners(size, inset) screw_post(size[2]);
            translate([wall + pi_at[0], wall + pi_at[1], 0])
                for (h = pi_holes) translate([h[0], h[1], 0]) screw_post(wall + pi_up, core = 2.2, d = 6);
        }
        openings();
    }
}

module openings() {
    // USB-C, two HDMI, sound: one long window along the near wall
    translate([wall + pi_at[0] + 5, -eps, wall + pi_up]) cube([56, wall + 2 * eps, 14]);
    // the camera's flat cable, at the left wall above
    translate([-eps, size[1] / 2 - 13, size[2] - 8]) cube([wall + 2 * eps, 26, 2.5]);
    // plugs for the places, along the far wall
    for (i = [0 : places - 1])
        translate([size[0] * (i + 1) / (places + 1), size[1] + eps, size[2] * 0.6])
            rotate([90, 0, 0]) cylinder(d = lead, h = wall + 2 * eps);
    // network and USB
    translate([size[0] - wall - eps, wall + pi_at[1] + 1, wall + pi_up]) cube([wall + 2 * eps, 54, 18]);
    // air through the floor
    translate([wall + pi_at[0] + 16, wall + pi_at[1] + 16, 0]) slots(8, 24, 5, wall);
}

module lid() {
    difference() {
        union() {
            block([size[0], size[1], wall], corner);
            // a rim that finds its place inside the walls, between the posts
            translate([wall + play, wall + play, wall]) rim();
        }
        at_corners(size, inset) translate([0, 0, -eps]) cylinder(d = screw, h = wall + 2 * eps);
        // it lies face down: what is small in y here is at the far wall later
        translate([14, 22, -eps]) cube([display[0], display[1], wall + 2 * eps]);
        translate([14 + display[0] / 2, 72, -eps]) cylinder(d = dial_hole, h = wall + 2 * eps);
        translate([size[0] - 38, 30, -eps]) cylinder(d = lamp_hole, h = wall + 2 * eps);
        translate([size[0] - 58, 60, 0]) slots(9, 24, 5, wall);   // sound goes out here, and warm air
    }
}

module rim() {
    w = inside[0] - 2 * play;
    d = inside[1] - 2 * play;
    difference() {
        translate([0, 0, -eps]) block([w, d, 3], corner - wall);
        translate([wall, wall, -2 * eps]) block([w - 2 * wall, d - 2 * wall, 4], 1);
        for (x = [0, w], y = [0, d]) translate([x, y, 1.5]) cube([2 * post + 2, 2 * post + 2, 4], center = true);
    }
}

if (part == "base") base();
if (part == "lid") lid();
