// Strands as lit tubes around their centrelines, round or with another section. One draw for all strands.
//
// Inputs   key       per vertex: (node index, place along the edge that starts there, angle about the centreline);
//                    the place runs from 0 to 1, below 0 it is the start cap, above 1 the end cap, one unit = 90°;
//                    the angles of hair n of a wisp begin at 2π n
//          place     per vertex: (strand index, arc length from its start)
//          nodes     storage buffer: five words per node of all strands: position, director, the quantity shown; one more
//                    word at the end: what the quantity is multiplied by to be a share of the colour range
//          strands   storage buffer: one entry per strand, see `Strand`
//          style     the colour map, and the strength of the stripe
// Spaces   positions, directors, normals: world; y up
// Units    metres, radians; colours are linear RGB
//
// Compiled twice: for the picture (lit by Bevy's lights), and with PREPASS_PIPELINE for the shadow maps.

#import bevy_pbr::view_transformations::position_world_to_clip

#ifdef PREPASS_PIPELINE
#import bevy_pbr::prepass_io::VertexOutput
#else
#import bevy_pbr::forward_io as forward
#import bevy_pbr::mesh_view_bindings as seen
#import bevy_pbr::pbr_fragment::pbr_input_from_standard_material
#import bevy_pbr::pbr_functions::{apply_pbr_lighting, main_pass_post_lighting_processing}
#import prusik::hair::hair_light
#endif

struct Strand {
    color: vec3<f32>,
    // Bit 0: its ends are joined. Bit 2: an ellipse. Bit 3: a rectangle. Bit 4: a rope. Bit 5: hair.
    // Bit 6: coloured by the map even among strands in their own colours.
    flags: u32,
    // Half sizes of the section along the first and the second director.
    half: vec2<f32>,
    // What makes a loop's length a whole number of plies.
    stretch: f32,
    // Its first and last node.
    first: u32,
    last: u32,
    // From 0 to 1, another for each strand.
    seed: f32,
    // Where it stands for a wisp: how far its hairs are from it at the root, and the radius of each; else zero.
    wisp: vec2<f32>,
}

struct Style {
    map: array<vec4<f32>, 33>,
    // 0: the strands' own colours. 1: a map from zero up. 2: a map about zero.
    mapping: u32,
    stripe: f32,
}

@group(#{MATERIAL_BIND_GROUP}) @binding(100) var<storage, read> nodes: array<u32>;
@group(#{MATERIAL_BIND_GROUP}) @binding(101) var<storage, read> strands: array<Strand>;
@group(#{MATERIAL_BIND_GROUP}) @binding(102) var<uniform> style: Style;

struct Vertex {
    @builtin(instance_index) instance_index: u32,
    @location(0) key: vec3<f32>,
#ifdef PREPASS_PIPELINE
    @location(1) place: vec2<f32>,
#else
    @location(2) place: vec2<f32>,
#endif
}

struct TubePoint {
    position: vec3<f32>,
    normal: vec3<f32>,
    tangent: vec3<f32>,
    // Share of the colour range.
    share: f32,
    // cos and sin of the angle to the director, arc length over radius.
    pattern: vec3<f32>,
}

// Across a section: place and normal, along the two directors.
struct Outline {
    place: vec2<f32>,
    normal: vec2<f32>,
}

const CLOSED: u32 = 1u;
const ELLIPSE: u32 = 4u;
const RECTANGLE: u32 = 8u;
const ROPE: u32 = 16u;
const HAIR: u32 = 32u;
const TINTED: u32 = 64u;
const HALF_PI: f32 = 1.5707963;
const TAU: f32 = 6.2831853;
const WORDS: u32 = 5u;

// Number of plies, and how many radii one ply takes to go once around.
const PLIES: f32 = 3.0;
const LAY: f32 = 10.0;

fn position_of(node: u32) -> vec3<f32> {
    let at = WORDS * node;
    return vec3(bitcast<f32>(nodes[at]), bitcast<f32>(nodes[at + 1u]), bitcast<f32>(nodes[at + 2u]));
}

// Turns with the strand, so a stripe along it shows twist.
fn director_of(node: u32) -> vec3<f32> {
    let word = nodes[WORDS * node + 3u];
    return vec3(f32(word & 1023u), f32((word >> 10u) & 1023u), f32((word >> 20u) & 1023u)) / 511.0 - 1.0;
}

fn share_of(node: u32) -> f32 {
    let scale = bitcast<f32>(nodes[arrayLength(&nodes) - 1u]);
    return clamp(scale * bitcast<f32>(nodes[WORDS * node + 4u]), -1.0, 1.0);
}

fn strand_of(place: vec2<f32>) -> Strand {
    return strands[min(u32(place.x + 0.5), arrayLength(&strands) - 1u)];
}

// Catmull-Rom through b and c; a and d are the nodes before and after.
fn spline(a: vec3<f32>, b: vec3<f32>, c: vec3<f32>, d: vec3<f32>, t: f32) -> vec3<f32> {
    let linear = c - a;
    let square = 2.0 * a - 5.0 * b + 4.0 * c - d;
    let cube = 3.0 * (b - c) + d - a;
    return b + 0.5 * t * (linear + t * (square + t * cube));
}

fn spline_slope(a: vec3<f32>, b: vec3<f32>, c: vec3<f32>, d: vec3<f32>, t: f32) -> vec3<f32> {
    let linear = c - a;
    let square = 2.0 * a - 5.0 * b + 4.0 * c - d;
    let cube = 3.0 * (b - c) + d - a;
    return 0.5 * (linear + t * (2.0 * square + t * 3.0 * cube));
}

// Half sizes a, b: an ellipse is (a cos, b sin) with the normal (cos/a, sin/b). A rectangle is drawn as the superellipse
// (x/a)⁸ + (y/b)⁸ = 1, whose sides are flat and whose edges are a little round.
fn outline(half: vec2<f32>, flags: u32, angle: f32) -> Outline {
    let round = vec2(cos(angle), sin(angle));
    let least = min(half.x, half.y);
    var out: Outline;
    if (flags & RECTANGLE) != 0u {
        let size = abs(round);
        out.place = half * sign(round) * pow(size, vec2(0.25));
        out.normal = normalize(sign(round) * pow(size, vec2(1.75)) * least / half);
    } else if (flags & ELLIPSE) != 0u {
        out.place = half * round;
        out.normal = normalize(round * least / half);
    } else {
        out.place = half.x * round;
        out.normal = round;
    }
    return out;
}

// The node before `node`, around the joint of a loop; beyond an open end the curve goes on straight.
fn position_before(strand: Strand, node: u32) -> vec3<f32> {
    if node > strand.first {
        return position_of(node - 1u);
    }
    if (strand.flags & CLOSED) != 0u {
        // The last node of a loop is its first, so the one before is the last but one.
        return position_of(strand.last - 1u);
    }
    return 2.0 * position_of(node) - position_of(node + 1u);
}

fn position_after(strand: Strand, node: u32) -> vec3<f32> {
    if node < strand.last {
        return position_of(node + 1u);
    }
    if (strand.flags & CLOSED) != 0u {
        return position_of(strand.first + 1u);
    }
    return 2.0 * position_of(node) - position_of(node - 1u);
}

// A number from 0 to 1 that looks random, from two whole numbers.
fn scatter(a: u32, b: u32) -> f32 {
    var x = a * 747796405u + b * 2891336453u + 1013904223u;
    x = ((x >> ((x >> 28u) + 4u)) ^ x) * 277803737u;
    x = (x >> 22u) ^ x;
    return f32(x >> 8u) / 16777216.0;
}

// How far hair n of a wisp is from its strand, along the two directors: anywhere in a disc at the root, a third as far at
// the tip, with a slow wave of its own; a few stray.
fn hair_offset(strand: Strand, n: u32, along: f32) -> vec2<f32> {
    let far = sqrt(scatter(n, strand.first)) * (1.0 + 0.7 * step(0.93, scatter(n, strand.first + 7u)));
    let angle = TAU * scatter(n, strand.first + 1u) + 2.5 * along * (scatter(n, strand.first + 2u) - 0.5);
    let wave = 0.16 * vec2(
        sin(TAU * (2.1 * along + scatter(n, strand.first + 3u))),
        sin(TAU * (2.7 * along + scatter(n, strand.first + 4u))));
    let narrow = mix(1.0, 0.33, smoothstep(0.0, 1.0, along));
    return strand.wisp.x * narrow * (far * vec2(cos(angle), sin(angle)) + wave * smoothstep(0.0, 0.25, along));
}

#ifndef PREPASS_PIPELINE
// Half the width that a strand is drawn with at least, pixels: what is thinner falls between them, and is dust.
const LEAST: f32 = 0.25;

fn least_half(centre: vec3<f32>) -> f32 {
    let depth = position_world_to_clip(centre).w;
    return LEAST * 2.0 * abs(depth) / (seen::view.clip_from_view[1][1] * seen::view.viewport.w);
}
#endif

fn tube_point(key: vec3<f32>, place_along: vec2<f32>) -> TubePoint {
    var strand = strand_of(place_along);
    // The word after the last node does not count.
    let last_edge = arrayLength(&nodes) / WORDS - 2u;
    let i = min(u32(key.x + 0.5), last_edge);
    let start = position_of(i);
    let end = position_of(i + 1u);
    let before = position_before(strand, i);
    let after = position_after(strand, i + 1u);

    let t = clamp(key.y, 0.0, 1.0);
    var centre = spline(before, start, end, after, t);
    let tangent = normalize(spline_slope(before, start, end, after, t));
    let mixed = mix(director_of(i), director_of(i + 1u), t);
    let director = normalize(mixed - tangent * dot(mixed, tangent));
    let across = cross(tangent, director);
    if strand.wisp.y > 0.0 {
        let along = (f32(i - strand.first) + t) / f32(strand.last - strand.first);
        let offset = hair_offset(strand, u32(key.z / TAU + 1e-3), along);
        centre += offset.x * director + offset.y * across;
        strand.half = vec2(strand.wisp.y * mix(1.0, 0.4, along));
    }

    let radius = strand.half.x;
#ifndef PREPASS_PIPELINE
    strand.half = max(strand.half, vec2(least_half(centre)));
#endif

    let cap = key.y - t;
    let latitude = abs(cap) * HALF_PI;
    let beyond = sin(latitude) * sign(cap);
    let section = outline(strand.half, strand.flags, key.z);
    let arc = place_along.y * strand.stretch / radius + beyond;
    var grow = 1.0;
    if (strand.flags & ROPE) != 0u {
        // Plies bulge: the outline of a rope is wavy, not straight.
        let wave = abs(sin(0.5 * PLIES * (key.z + TAU * arc / LAY)));
        grow = 1.0 - BULGE * (1.0 - sqrt(wave + 0.01));
    }
    let place = grow * (section.place.x * director + section.place.y * across);
    let radial = section.normal.x * director + section.normal.y * across;

    var out: TubePoint;
    out.position = centre + cos(latitude) * place + min(strand.half.x, strand.half.y) * beyond * tangent;
    out.normal = cos(latitude) * radial + beyond * tangent;
    out.tangent = tangent;
    out.share = mix(share_of(i), share_of(i + 1u), t);
    out.pattern = vec3(cos(key.z), sin(key.z), arc);
    return out;
}

// How far the grooves of a rope are drawn in, in radii.
const BULGE: f32 = 0.14;

#ifdef PREPASS_PIPELINE

@vertex
fn vertex(in: Vertex) -> VertexOutput {
    let tube = tube_point(in.key, in.place);
    var out: VertexOutput;
    out.world_position = vec4(tube.position, 1.0);
    out.position = position_world_to_clip(tube.position);
#ifdef VERTEX_UVS_A
    out.uv = in.place;
#endif
#ifdef UNCLIPPED_DEPTH_ORTHO_EMULATION
    out.unclipped_depth = out.position.z;
    out.position.z = min(out.position.z, 1.0);
#endif
#ifdef NORMAL_PREPASS_OR_DEFERRED_PREPASS
    out.world_normal = tube.normal;
#endif
#ifdef MOTION_VECTOR_PREPASS
    out.previous_world_position = out.world_position;
#endif
#ifdef VERTEX_OUTPUT_INSTANCE_INDEX
    out.instance_index = in.instance_index;
#endif
    return out;
}

#else

struct Varyings {
    @builtin(position) position: vec4<f32>,
    @location(0) world_position: vec4<f32>,
    @location(1) world_normal: vec3<f32>,
    @location(2) share: f32,
    @location(3) pattern: vec3<f32>,
    @location(4) tangent: vec3<f32>,
    @location(5) @interpolate(flat) instance_index: u32,
    @location(6) @interpolate(flat) strand: u32,
}

@vertex
fn vertex(in: Vertex) -> Varyings {
    let tube = tube_point(in.key, in.place);
    var out: Varyings;
    out.world_position = vec4(tube.position, 1.0);
    out.position = position_world_to_clip(tube.position);
    out.world_normal = tube.normal;
    out.share = tube.share;
    out.pattern = tube.pattern;
    out.tangent = tube.tangent;
    out.instance_index = in.instance_index;
    out.strand = min(u32(in.place.x + 0.5), arrayLength(&strands) - 1u);
    return out;
}

// Half the angle that the stripe covers, rad.
const STRIPE: f32 = 0.26;
// Height of the relief at a groove between plies, in radii.
const RELIEF: f32 = 0.15;
// Yarns on the visible side of one ply, and the height of their relief.
const YARNS: f32 = 5.0;
const YARN_RELIEF: f32 = 0.018;

fn mapped(share: f32) -> vec3<f32> {
    var place = share;
    if style.mapping != 1u {
        place = 0.5 + 0.5 * share;
    }
    let scaled = clamp(place, 0.0, 1.0) * 32.0;
    let low = min(u32(scaled), 31u);
    return mix(style.map[low].rgb, style.map[low + 1u].rgb, scaled - f32(low));
}

struct Relief {
    normal: vec3<f32>,
    // How much light reaches down there.
    shade: f32,
}

// Three plies twisted about each other, each of yarns that run along the rope, as in a real one.
//
// h = RELIEF r √(|sin(φ/2)| + ε) with φ = PLIES · angle + turn, constant along a groove; the radius cancels in the slope:
// ∇φ = PLIES (e_angle + 2π/LAY e_tangent) / r. `clear` and `clear_yarn` fade what is finer than a pixel.
fn rope_relief(normal: vec3<f32>, tangent: vec3<f32>, phase: f32, yarn: f32, clear: f32, clear_yarn: f32) -> Relief {
    let along = normalize(tangent - normal * dot(tangent, normal));
    let around = cross(along, normal);
    let wave = sin(0.5 * phase);
    let crest = sqrt(abs(wave) + 0.02);
    let slope = clear * RELIEF * 0.25 * cos(0.5 * phase) * sign(wave) / crest;
    let yarn_wave = sin(0.5 * yarn);
    let yarn_slope = clear_yarn * YARN_RELIEF * 0.5 * PLIES * YARNS * cos(0.5 * yarn) * sign(yarn_wave);
    let tilt = slope * PLIES * (around + TAU / LAY * along)
        + yarn_slope * (around - 0.5 * TAU / LAY * along);
    var out: Relief;
    out.normal = normalize(normal - tilt);
    let groove = mix(1.0, 0.34 + 0.66 * smoothstep(0.0, 0.62, abs(wave)), clear);
    let seam = mix(1.0, 0.80 + 0.20 * smoothstep(0.0, 0.7, abs(yarn_wave)), clear_yarn);
    out.shade = groove * seam;
    return out;
}

@fragment
fn fragment(in: Varyings, @builtin(front_facing) is_front: bool) -> forward::FragmentOutput {
    var surface: forward::VertexOutput;
    surface.position = in.position;
    surface.world_position = in.world_position;
    surface.world_normal = in.world_normal;
#ifdef VERTEX_UVS_A
    surface.uv = in.pattern.xy;
#endif
#ifdef VERTEX_OUTPUT_INSTANCE_INDEX
    surface.instance_index = in.instance_index;
#endif
    var pbr = pbr_input_from_standard_material(surface, is_front);
    let strand = strands[in.strand];

    let angle = atan2(in.pattern.y, in.pattern.x);
    // Derivatives of cos and sin instead of the angle: the angle jumps at ±π.
    let angle_step = length(fwidth(in.pattern.xy)) + 1e-5;
    let turn = TAU * in.pattern.z / LAY;
    let turn_step = fwidth(turn) + angle_step;

    var color = strand.color;
    let by_map = style.mapping != 0u || (strand.flags & TINTED) != 0u;
    if by_map {
        color = mapped(in.share);
    }
    // Colours that mean numbers keep most of their own: highlights would pass for other numbers.
    let gloss = select(1.0, 0.25, by_map);
    let normal = normalize(in.world_normal);
    pbr.N = normal;
    var shade = 1.0;
    var stripe = style.stripe * select(0.75, 0.45, by_map);
    if (strand.flags & ROPE) != 0u {
        // Faded out where a pixel covers a good part of a ply, or of a yarn.
        let clear = 1.0 - smoothstep(0.5, 1.8, PLIES * turn_step);
        let clear_yarn = 1.0 - smoothstep(0.4, 1.4, PLIES * YARNS * turn_step);
        let phase = PLIES * (angle + turn);
        let yarn = PLIES * YARNS * (angle - 0.5 * turn);
        let relief = rope_relief(normal, in.tangent, phase, yarn, clear, clear_yarn);
        pbr.N = relief.normal;
        shade = relief.shade;
        pbr.material.perceptual_roughness = 0.82;
        stripe *= 0.8;
    }
    let on_stripe = stripe * (1.0 - smoothstep(STRIPE - angle_step, STRIPE + angle_step, abs(angle)));
    let luminance = dot(color, vec3(0.2126, 0.7152, 0.0722));
    let contrast = select(vec3(0.85, 0.82, 0.74), vec3(0.03, 0.05, 0.10), luminance > 0.25);

    var lit: vec4<f32>;
    if (strand.flags & HAIR) != 0u {
        // No two hairs are alike, and none has a stripe: it would be thinner than a pixel, and is not there.
        let own = color * select(0.82 + 0.36 * strand.seed, 1.0, by_map);
        lit = vec4(hair_light(own, in.world_position, normal, normalize(in.tangent), in.position.xy, gloss, strand.seed), 1.0);
    } else {
        pbr.material.base_color = vec4(mix(color, contrast, on_stripe) * shade, 1.0);
        pbr.material.reflectance = pbr.material.reflectance * gloss;
        lit = apply_pbr_lighting(pbr);
    }
    var out: forward::FragmentOutput;
    out.color = main_pass_post_lighting_processing(pbr, lit);
    return out;
}

#endif
