// Strands as lit tubes around their centrelines, round or with another section. One draw for all strands.
//
// Inputs   key       per vertex: (node index, place along the edge that starts there, angle about the centreline);
//                    the place runs from 0 to 1, below 0 it is the start cap, above 1 the end cap, one unit = 90°
//          points    storage buffer: one entry per node of all strands, see `StrandPoint`
//          style     strength of the ply relief and of the stripe
// Spaces   positions, directors, normals: world; y up
// Units    metres, radians; colours are linear RGB
//
// Compiled twice: for the picture (lit by Bevy's lights), and with PREPASS_PIPELINE for the shadow maps.

#import bevy_pbr::view_transformations::position_world_to_clip

#ifdef PREPASS_PIPELINE
#import bevy_pbr::prepass_io::VertexOutput
#else
#import bevy_pbr::forward_io as forward
#import bevy_pbr::pbr_fragment::pbr_input_from_standard_material
#import bevy_pbr::pbr_functions::{apply_pbr_lighting, main_pass_post_lighting_processing}
#endif

struct StrandPoint {
    position: vec3<f32>,
    // Distance from the start of the strand.
    arc: f32,
    // First material director; turns with the strand, so a stripe along it shows twist.
    director: vec3<f32>,
    // Bit 0: first node of an open strand. Bit 1: its last node. Bit 2: an ellipse. Bit 3: a rectangle.
    flags: u32,
    color: vec3<f32>,
    // The nodes before and after this one, around the joint of a loop.
    before: u32,
    // Half sizes of the section along the first and the second director.
    half: vec2<f32>,
    after: u32,
    unused: u32,
}

struct Style {
    ply: f32,
    stripe: f32,
}

@group(#{MATERIAL_BIND_GROUP}) @binding(100) var<storage, read> points: array<StrandPoint>;
@group(#{MATERIAL_BIND_GROUP}) @binding(101) var<uniform> style: Style;

struct Vertex {
    @builtin(instance_index) instance_index: u32,
    @location(0) key: vec3<f32>,
}

struct TubePoint {
    position: vec3<f32>,
    normal: vec3<f32>,
    tangent: vec3<f32>,
    color: vec3<f32>,
    // cos and sin of the angle to the director, arc length over radius, 1 where plies show: on round strands.
    pattern: vec4<f32>,
}

// Across a section: place and normal, along the two directors.
struct Outline {
    place: vec2<f32>,
    normal: vec2<f32>,
}

const FIRST: u32 = 1u;
const LAST: u32 = 2u;
const ELLIPSE: u32 = 4u;
const RECTANGLE: u32 = 8u;
const HALF_PI: f32 = 1.5707963;

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

fn tube_point(key: vec3<f32>) -> TubePoint {
    let last_edge = arrayLength(&points) - 2u;
    let i = min(u32(key.x + 0.5), last_edge);
    let start = points[i];
    let end = points[i + 1u];
    // Beyond an end the curve goes on straight.
    var before = 2.0 * start.position - end.position;
    if (start.flags & FIRST) == 0u {
        before = points[start.before].position;
    }
    var after = 2.0 * end.position - start.position;
    if (end.flags & LAST) == 0u {
        after = points[end.after].position;
    }

    let t = clamp(key.y, 0.0, 1.0);
    let centre = spline(before, start.position, end.position, after, t);
    let tangent = normalize(spline_slope(before, start.position, end.position, after, t));
    let mixed = mix(start.director, end.director, t);
    let director = normalize(mixed - tangent * dot(mixed, tangent));
    let across = cross(tangent, director);

    let cap = key.y - t;
    let latitude = abs(cap) * HALF_PI;
    let half = mix(start.half, end.half, t);
    let section = outline(half, start.flags, key.z);
    let place = section.place.x * director + section.place.y * across;
    let radial = section.normal.x * director + section.normal.y * across;
    let beyond = sin(latitude) * sign(cap);

    var out: TubePoint;
    out.position = centre + cos(latitude) * place + min(half.x, half.y) * beyond * tangent;
    out.normal = cos(latitude) * radial + beyond * tangent;
    out.tangent = tangent;
    out.color = mix(start.color, end.color, t);
    let round = f32((start.flags & (ELLIPSE | RECTANGLE)) == 0u);
    out.pattern = vec4(cos(key.z), sin(key.z), mix(start.arc, end.arc, t) / half.x + beyond, round);
    return out;
}

#ifdef PREPASS_PIPELINE

@vertex
fn vertex(in: Vertex) -> VertexOutput {
    let tube = tube_point(in.key);
    var out: VertexOutput;
    out.world_position = vec4(tube.position, 1.0);
    out.position = position_world_to_clip(tube.position);
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
    @location(2) color: vec3<f32>,
    @location(3) pattern: vec4<f32>,
    @location(4) tangent: vec3<f32>,
    @location(5) @interpolate(flat) instance_index: u32,
}

@vertex
fn vertex(in: Vertex) -> Varyings {
    let tube = tube_point(in.key);
    var out: Varyings;
    out.world_position = vec4(tube.position, 1.0);
    out.position = position_world_to_clip(tube.position);
    out.world_normal = tube.normal;
    out.color = tube.color;
    out.pattern = tube.pattern;
    out.tangent = tube.tangent;
    out.instance_index = in.instance_index;
    return out;
}

// Number of plies, and how many radii one ply takes to go once around.
const PLIES: f32 = 3.0;
const LAY: f32 = 10.0;
// Half the angle that the stripe covers, rad.
const STRIPE: f32 = 0.30;

// Height of the relief at a groove, in radii.
const RELIEF: f32 = 0.11;

// Tilts the normal by the slope of h = RELIEF r √(|sin(φ/2)| + ε), where φ = PLIES · angle + turn is constant along a groove.
// The radius cancels: ∇φ = PLIES (e_angle + 2π/LAY e_tangent) / r.
fn ply_normal(normal: vec3<f32>, tangent: vec3<f32>, phase: f32) -> vec3<f32> {
    let along = normalize(tangent - normal * dot(tangent, normal));
    let around = cross(along, normal);
    let wave = sin(0.5 * phase);
    let slope = RELIEF * 0.25 * cos(0.5 * phase) * sign(wave) / sqrt(abs(wave) + 0.03);
    return normalize(normal - slope * (PLIES * (around + 6.2831853 / LAY * along)));
}

@fragment
fn fragment(in: Varyings, @builtin(front_facing) is_front: bool) -> forward::FragmentOutput {
    var surface: forward::VertexOutput;
    surface.position = in.position;
    surface.world_position = in.world_position;
    surface.world_normal = in.world_normal;
#ifdef VERTEX_OUTPUT_INSTANCE_INDEX
    surface.instance_index = in.instance_index;
#endif
    var pbr = pbr_input_from_standard_material(surface, is_front);

    let angle = atan2(in.pattern.y, in.pattern.x);
    // Derivatives of cos and sin instead of the angle: the angle jumps at ±π.
    let angle_step = length(fwidth(in.pattern.xy)) + 1e-5;
    let turn = PLIES * 6.2831853 * in.pattern.z / LAY;
    let turn_step = fwidth(turn) + PLIES * angle_step;

    // Grooves between the plies: |sin| has its cusps there. Faded out where a pixel covers a good part of a ply.
    let phase = PLIES * angle + turn;
    let visible = style.ply * in.pattern.w * (1.0 - smoothstep(0.5, 1.8, turn_step));
    let smooth_normal = normalize(in.world_normal);
    pbr.N = normalize(mix(smooth_normal, ply_normal(smooth_normal, in.tangent, phase), visible));
    let shade = mix(1.0, 0.62 + 0.38 * smoothstep(0.0, 0.55, abs(sin(0.5 * phase))), visible);

    let luminance = dot(in.color, vec3(0.2126, 0.7152, 0.0722));
    let contrast = select(vec3(0.85, 0.82, 0.74), vec3(0.03, 0.05, 0.10), luminance > 0.25);
    let on_stripe = style.stripe * (1.0 - smoothstep(STRIPE - angle_step, STRIPE + angle_step, abs(angle)));
    pbr.material.base_color = vec4(mix(in.color, contrast, 0.75 * on_stripe) * shade, 1.0);

    var out: forward::FragmentOutput;
    out.color = main_pass_post_lighting_processing(pbr, apply_pbr_lighting(pbr));
    return out;
}

#endif
