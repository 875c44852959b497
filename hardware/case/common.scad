// What all pieces share, in millimetres. Change these to what you have; nothing else has to change.

wall = 2.4;            // thickness of walls and floors
play = 0.3;            // room between pieces that go into each other
screw = 3.2;           // hole for an M3 screw
screw_core = 2.7;      // hole that an M3 screw cuts its own thread into
post = 7;              // diameter of what a screw goes into
ledge = [14, 8];       // width and depth of the ledge that a cable is tied to
tie = [2, 4];          // slot for a cable tie, which is up to 3.6 mm wide
tied = 6.5;            // the thickest cable that fits between the two slots
eps = 0.01;            // so that what is cut away is really gone

$fn = 40;

// A box with round upright edges.
module block(size, r) {
    linear_extrude(size[2])
        translate([r, r]) offset(r) square([size[0] - 2 * r, size[1] - 2 * r]);
}

// A box that is open above, with a floor.
module tray(size, r, floor = wall) {
    difference() {
        block(size, r);
        translate([wall, wall, floor])
            block([size[0] - 2 * wall, size[1] - 2 * wall, size[2]], max(r - wall, 0.5));
    }
}

// A post for a screw, standing on the floor; its hole stops above the floor.
module screw_post(height, core = screw_core, d = post) {
    difference() {
        cylinder(d = d, h = height);
        translate([0, 0, wall]) cylinder(d = core, h = height);
    }
}

// A ledge inside a wall, below a cable's hole: a tie through its two slots holds the cable, so that no pull reaches the
// solder or the screws of a terminal. Its top is at 0, its back at y = 0. The slope below prints without supports; the
// bars in front of the slots bridge them.
module tie_ledge() {
    tip = 2;
    bar = 1.6;
    low = tip + ledge[1] + 1;
    difference() {
        translate([-ledge[0] / 2, 0, 0]) rotate([90, 0, 90]) linear_extrude(ledge[0])
            polygon([[eps, 0], [-ledge[1], 0], [-ledge[1], -tip], [eps, -tip - ledge[1]]]);
        for (side = [-1, 1]) translate([side * (tied + tie[0]) / 2 - tie[0] / 2, -ledge[1], 0]) {
            translate([0, bar, -low]) cube([tie[0], tie[1], low + 1]);
            translate([0, -1, -low]) cube([tie[0], tie[1] + bar + 1, low - bar]);
        }
    }
}

// Where the four screws of a lid are.
function corners(size, inset) = [for (x = [inset, size[0] - inset], y = [inset, size[1] - inset]) [x, y]];

module at(places) {
    for (place = places) translate([place[0], place[1], 0]) children();
}

// A round hole that lies, along y. Above 45 degrees its roof is flat, so that it prints without supports: the flat part
// bridges 0.41 of the diameter.
module lying_hole(d, h) {
    rotate([-90, 0, 0]) linear_extrude(h) { circle(d = d); roof(-d / 2); }
}

// The same as a body, flat where it lies on the bed.
module lying_tube(d, h) {
    rotate([-90, 0, 0]) linear_extrude(h) { circle(d = d); roof(d / 2); }
}

module roof(r) {
    flat = r * (sqrt(2) - 1);
    polygon([[-r * cos(45), r * sin(45)], [-flat, r], [flat, r], [r * cos(45), r * sin(45)]]);
}

// Slots to let warm air out, in a plate of the given thickness.
module slots(count, length, pitch, deep) {
    for (i = [0 : count - 1])
        translate([i * pitch, 0, -eps]) linear_extrude(deep + 2 * eps)
            hull() { circle(d = 2.2, $fn = 16); translate([0, length]) circle(d = 2.2, $fn = 16); }
}
