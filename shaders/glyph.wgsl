// Small markers: contact dots, force arrows, pins, clamps in one draw; friction cones, which are see-through, in another.
//
// Inputs   corner, normal   per vertex: a corner of the template and its normal, in the frame of its part
//          tag              per vertex: (index into `glyphs`, part: 0 dot, 1 shaft, 2 head, 3 box, 4 cone)
//          glyphs           storage buffer, see `Glyph`; entries with all sizes 0 are not drawn
//          look.reveal      how far towards the eye a glyph is drawn, so that a contact shows through its strand
// Spaces   origin, vector: world
// Units    metres; colours are linear RGB

#import bevy_pbr::mesh_view_bindings::view
#import bevy_pbr::view_transformations::position_world_to_clip

struct Glyph {
    origin: vec3<f32>,
    // Radius of the dot, 0 for none.
    dot_radius: f32,
    // From the arrow's foot (the origin) to its tip.
    vector: vec3<f32>,
    // Radius of the arrow's shaft, 0 for no arrow.
    shaft: f32,
    color: vec3<f32>,
    // Half the edge of the box, 0 for none.
    half_edge: f32,
    // From the tip of the friction cone to the middle of its rim; 0 for none.
    axis: vec3<f32>,
    // Its slope: the coefficient of friction.
    mu: f32,
}

struct Look {
    reveal: f32,
}

@group(#{MATERIAL_BIND_GROUP}) @binding(0) var<storage, read> glyphs: array<Glyph>;
@group(#{MATERIAL_BIND_GROUP}) @binding(1) var<uniform> look: Look;

struct Vertex {
    @builtin(instance_index) instance_index: u32,
    @location(0) corner: vec3<f32>,
    @location(1) normal: vec3<f32>,
    @location(2) tag: vec2<f32>,
}

struct Varyings {
    @builtin(position) position: vec4<f32>,
    @location(0) world_position: vec3<f32>,
    @location(1) world_normal: vec3<f32>,
    @location(2) color: vec3<f32>,
    // 0 for what is solid; on a cone how far up it is, 1 at the rim.
    @location(3) up: f32,
}

const DOT: u32 = 0u;
const SHAFT: u32 = 1u;
const HEAD: u32 = 2u;
const CONE: u32 = 4u;
// The head's radius and length, in shaft radii.
const HEAD_RADIUS: f32 = 2.6;
const HEAD_LENGTH: f32 = 6.0;

// Any right-handed frame whose y axis is `axis`.
fn frame_along(axis: vec3<f32>) -> mat3x3<f32> {
    let helper = select(vec3(1.0, 0.0, 0.0), vec3(0.0, 0.0, 1.0), abs(axis.x) > 0.7);
    let x = normalize(cross(axis, helper));
    return mat3x3(x, axis, cross(x, axis));
}

@vertex
fn vertex(in: Vertex) -> Varyings {
    let glyph = glyphs[min(u32(in.tag.x + 0.5), arrayLength(&glyphs) - 1u)];
    let part = u32(in.tag.y + 0.5);
    let length_m = length(glyph.vector);
    // Short arrows shrink as a whole instead of turning into a lone head.
    let shaft = min(glyph.shaft, length_m / (1.6 * HEAD_LENGTH));
    let head_m = HEAD_LENGTH * shaft;

    var size = 0.0;
    var offset = vec3(0.0);
    var normal = in.normal;
    if part == DOT {
        size = glyph.dot_radius;
        offset = in.corner * size;
    } else if part == SHAFT || part == HEAD {
        size = shaft;
        let frame = frame_along(glyph.vector / max(length_m, 1e-9));
        let wide = select(1.0, HEAD_RADIUS, part == HEAD) * shaft;
        let foot = select(0.0, length_m - head_m, part == HEAD);
        let tall = select(length_m - head_m, head_m, part == HEAD);
        offset = frame * vec3(in.corner.x * wide, foot + in.corner.y * tall, in.corner.z * wide);
        normal = frame * in.normal;
    } else if part == CONE {
        size = length(glyph.axis) * glyph.mu;
        let frame = frame_along(glyph.axis / max(length(glyph.axis), 1e-9));
        offset = frame * vec3(in.corner.x * size, in.corner.y * length(glyph.axis), in.corner.z * size);
        normal = frame * normalize(vec3(in.normal.x, -glyph.mu, in.normal.z));
    } else {
        size = glyph.half_edge;
        offset = in.corner * size;
    }

    var out: Varyings;
    out.world_position = glyph.origin + offset;
    out.world_normal = normal;
    out.color = glyph.color;
    out.up = select(0.0, max(in.corner.y, 1e-3), part == CONE);
    out.position = position_world_to_clip(out.world_position);
    let towards_eye = normalize(view.world_position - out.world_position);
    let nearer = position_world_to_clip(out.world_position + look.reveal * towards_eye);
    out.position.z = nearer.z / nearer.w * out.position.w;
    if size <= 0.0 {
        // Outside the clip volume: an unused part costs no pixels.
        out.position = vec4(2.0, 2.0, 2.0, 1.0);
    }
    return out;
}

@fragment
fn fragment(in: Varyings) -> @location(0) vec4<f32> {
    let towards_eye = normalize(view.world_position - in.world_position);
    let facing = abs(dot(normalize(in.world_normal), towards_eye));
    let up_step = fwidth(in.up);
    if in.up > 0.0 {
        // Glass: hardly there in the middle, clear at the edges and along the rim.
        let edge = pow(1.0 - facing, 2.0);
        let rim = smoothstep(1.0 - 2.5 * up_step, 1.0 - 0.5 * up_step, in.up);
        return vec4(in.color, clamp(0.16 + 0.35 * edge + 0.75 * rim, 0.0, 1.0));
    }
    // A soft headlight: markers must read the same on the lit and on the dark side.
    let light = 0.55 + 0.45 * max(dot(normalize(in.world_normal), towards_eye), 0.0);
    return vec4(in.color * light, 1.0);
}
