// Shadows of a light that is not a point: sharp where a strand lies on the ground, softer the higher it is above.
//
// Percentage-closer soft shadows [Fernando05]: look for what stands between here and the light; how far away it is says
// how wide the half shadow is; count how much of the light is seen over that width.
//
// Spaces   positions: world; uv: of the shadow map of a cascade
// Units    metres

#define_import_path prusik::soft_shadow

#import bevy_pbr::mesh_view_bindings as bindings
#import bevy_pbr::shadows::{fetch_directional_shadow, get_cascade_index, world_to_directional_light_local}

// Width of the light as seen from the ground: tan of half its angle. A softbox, not the sun.
const LIGHT: f32 = 0.10;
// Farthest from the ray that blockers are looked for, in cells of the shadow map.
const SEARCH: f32 = 16.0;
const LOOKS: u32 = 16u;
const TAPS: u32 = 20u;

// Points spread evenly over a disk: k-th of n, turned by `turn`.
fn on_disk(k: u32, n: u32, turn: f32) -> vec2<f32> {
    let angle = 2.3999632 * f32(k) + turn;
    return sqrt((f32(k) + 0.5) / f32(n)) * vec2(cos(angle), sin(angle));
}

// Share of the light that reaches a place, 0 to 1.
fn soft_shadow(light_id: u32, position: vec4<f32>, normal: vec3<f32>, view_z: f32, pixel: vec2<f32>) -> f32 {
#ifdef SHADOW_FILTER_METHOD_HARDWARE_2X2
    // The processor draws: one look will do.
    return fetch_directional_shadow(light_id, position, normal, view_z, pixel);
#else
#ifdef NO_ARRAY_TEXTURES_SUPPORT
    return fetch_directional_shadow(light_id, position, normal, view_z, pixel);
#else
    let light = &bindings::lights.directional_lights[light_id];
    let cascade_index = get_cascade_index(light_id, view_z);
    if cascade_index >= (*light).num_cascades {
        return 1.0;
    }
    let cascade = &(*light).cascades[cascade_index];
    let lifted = position.xyz + (*light).shadow_normal_bias * (*cascade).texel_size * normal
        + (*light).shadow_depth_bias * (*light).direction_to_light;
    let here = world_to_directional_light_local(light_id, cascade_index, vec4(lifted, 1.0));
    if here.w == 0.0 {
        return 1.0;
    }
    let layer = i32((*light).depth_texture_base_index + cascade_index);
    let cells = f32(textureDimensions(bindings::directional_shadow_textures).x);
    // Another turn for each pixel: what is left of the pattern becomes a fine grain.
    let turn = 6.2831853 * fract(52.9829189 * fract(dot(pixel, vec2(0.06711056, 0.00583715))));

    var depth_sum = 0.0;
    var found = 0.0;
    for (var k = 0u; k < LOOKS; k += 1u) {
        let at = here.xy * cells + SEARCH * on_disk(k, LOOKS, turn);
        let cell = clamp(vec2<i32>(at), vec2(0), vec2(i32(cells) - 1));
        let depth = textureLoad(bindings::directional_shadow_textures, cell, layer, 0);
        // Depth is reversed: nearer to the light is larger.
        if depth > here.z {
            depth_sum += depth;
            found += 1.0;
        }
    }
    if found == 0.0 {
        return 1.0;
    }
    // Metres per unit of depth, from the third row of the matrix.
    let matrix = (*cascade).clip_from_world;
    let per_metre = length(vec3(matrix[0].z, matrix[1].z, matrix[2].z));
    let gap_m = (depth_sum / found - here.z) / max(per_metre, 1e-9);
    let width = clamp(LIGHT * gap_m / (*cascade).texel_size, 0.9, SEARCH);
    var seen = 0.0;
    for (var k = 0u; k < TAPS; k += 1u) {
        let at = here.xy + width * on_disk(k, TAPS, turn) / cells;
        seen += textureSampleCompareLevel(
            bindings::directional_shadow_textures,
            bindings::directional_shadow_textures_comparison_sampler,
            at, layer, here.z);
    }
    return seen / f32(TAPS);
#endif
#endif
}
