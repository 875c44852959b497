// The box for the Raspberry Pi, the board on its pins, the dial, the display, the lamp and the buzzer.
// Print `part="base"` and `part="lid"`, both as they lie, without supports.

include <common.scad>

part = "base";         // "base" or "lid"

inside = [150, 140, 48];   // room for a Pi, and for the board that stands on its pins and beside it
corner = 5;
pi = [85, 56];             // the Pi's board
pi_at = [64.4, 1.5];       // its corner near the memory card, from the inner corner: the ports reach the right wall
pi_holes = [[3.5, 3.5], [61.5, 3.5], [3.5, 52.5], [61.5, 52.5]];
pi_up = 6;                 // it stands so high, for air and solder
board_at = [29.59, 48.92]; // the board's corner nearest to the origin, from the inner corner: its socket is on the pins
board_holes = [[13.97, 60.96], [80.01, 60.96]];   // those that aren't above the Pi's own
board_up = pi_up + 1.4 + 11;                      // a Pi's thickness and a socket's height above the Pi
lead = 9;                  // diameter of a plug in the wall, one for each place
places = 8;
display = [50.5, 19.5];    // window of the four digits; eight of a MAX7219 module have about [60.5, 14.5]
dial_hole = 7.4;
lamp_hole = 10.2;

size = [inside[0] + 2 * wall, inside[1] + 2 * wall, inside[2] + wall];
inset = wall + post / 2 - 0.2;
lead_up = size[2] * 0.6;
leads = [for (i = [1 : places]) size[0] * i / (places + 1)];
// three posts in corners; in the fourth is the Pi, so this one is beside its network and USB
posts = [
    [inset, inset], [inset, size[1] - inset], [size[0] - inset, size[1] - inset],
    [size[0] - inset, wall + pi_at[1] + pi[1] + post / 2 + 1]
];
// Windows are notches from above, so that nothing bridges them and the Pi's sockets come in from above; a tongue of the
// lid closes what is left: corner, length along the wall, whether that is x, lower and upper edge.
windows = [
    // USB-C with its plug, two HDMI, sound
    [[wall + pi_at[0] + 5, 0], 56, true, wall + pi_up - 2, wall + pi_up + 14],
    // network and USB
    [[size[0] - wall, wall + pi_at[1] + 1], 54, false, wall + pi_up, wall + pi_up + 18],
    // the camera's flat cable
    [[0, size[1] / 2 - 13], 26, false, size[2] - 8, size[2] - 5.5]
];

module base() {
    difference() {
        union() {
            tray(size, corner);
            at(posts) screw_post(size[2]);
            for (x = leads) translate([x, size[1] - wall, lead_up - lead / 2 - play]) tie_ledge();
            translate([wall + pi_at[0], wall + pi_at[1], 0])
                for (h = pi_holes) translate([h[0], h[1], 0]) screw_post(wall + pi_up, core = 2.2, d = 6);
            translate([wall + board_at[0], wall + board_at[1], 0])
                for (h = board_holes) translate([h[0], h[1], 0]) screw_post(wall + board_up, core = 2.2, d = 6);
        }
        openings();
    }
}

module openings() {
    for (w = windows) {
        across = w[2] ? [w[1], wall + 2 * eps] : [wall + 2 * eps, w[1]];
        translate([w[0][0] - (w[2] ? 0 : eps), w[0][1] - (w[2] ? eps : 0), w[3]])
            cube([across[0], across[1], size[2]]);
    }
    // plugs for the places, along the far wall
    for (x = leads) translate([x, size[1] + eps, lead_up])
        rotate([90, 0, 0]) cylinder(d = lead, h = wall + 2 * eps);
    // air through the floor
    translate([wall + pi_at[0] + 16, wall + pi_at[1] + 16, 0]) slots(8, 24, 5, wall);
}

module lid() {
    difference() {
        union() {
            block([size[0], size[1], wall], corner);
            // a rim that finds its place inside the walls, between the posts
            translate([wall + play, wall + play, wall]) rim();
            for (w = windows) tongue(w);
        }
        at_face_down(posts) translate([0, 0, -eps]) cylinder(d = screw, h = wall + 2 * eps);
        translate([14, 22, -eps]) cube([display[0], display[1], wall + 2 * eps]);
        translate([14 + display[0] / 2, 72, -eps]) cylinder(d = dial_hole, h = wall + 2 * eps);
        translate([size[0] - 38, 30, -eps]) cylinder(d = lamp_hole, h = wall + 2 * eps);
        translate([size[0] - 58, 60, 0]) slots(9, 24, 5, wall);   // sound goes out here, and warm air
    }
}

// It lies face down: what is small in y here is at the far wall later.
module at_face_down(places) {
    at([for (place = places) [place[0], size[1] - place[1]]]) children();
}

module tongue(w) {
    across = w[2] ? [w[1] - 2 * play, wall] : [wall, w[1] - 2 * play];
    at_face_down([w[0]]) translate([w[2] ? play : 0, -across[1] - (w[2] ? 0 : play), wall - eps])
        cube([across[0], across[1], size[2] - w[4] + eps]);
}

module rim() {
    w = inside[0] - 2 * play;
    d = inside[1] - 2 * play;
    difference() {
        translate([0, 0, -eps]) block([w, d, 3], corner - wall);
        translate([wall, wall, -2 * eps]) block([w - 2 * wall, d - 2 * wall, 4], 1);
        translate([-wall - play, -wall - play, 0]) at_face_down(posts)
            translate([0, 0, 1.5]) cube([post + 4, post + 4, 4], center = true);
    }
}

if (part == "base") base();
if (part == "lid") lid();
