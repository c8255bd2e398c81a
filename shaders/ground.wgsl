// A matte plane with a grid for scale: two sets of lines ten apart, smooth at any distance, fading into the backdrop.
//
// Inputs   Bevy's own mesh vertex shader; the plane is y = 0 of its own frame, uv = local (x, z)
//          ground    colours, line distance, fading, see `Ground`
// Spaces   uv: the plane's own frame; positions and normals: world
// Units    metres; colours are linear RGB
//
// It covers most of the picture, so it is lit by hand instead of by Bevy's full material: diffuse light and shadow of
// the directional lights only. On a software renderer that is several times faster, and looks the same when matte.

#import bevy_pbr::forward_io::VertexOutput
#import bevy_pbr::mesh_view_bindings::{lights, view}
#import bevy_pbr::mesh_view_types::DIRECTIONAL_LIGHT_FLAGS_SHADOWS_ENABLED_BIT
#import prusik::soft_shadow::soft_shadow

#ifdef TONEMAP_IN_SHADER
#import bevy_core_pipeline::tonemapping::tone_mapping
#endif

struct Ground {
    color: vec4<f32>,
    // Alpha is the strength of the lines.
    line_color: vec4<f32>,
    // Distances from the middle at which the plane begins to fade, and at which it is gone.
    fade: vec2<f32>,
    // Distance of the fine lines.
    cell: f32,
    // Opacity of the surface between the lines.
    fill: f32,
}

@group(#{MATERIAL_BIND_GROUP}) @binding(0) var<uniform> ground: Ground;

// Share of this pixel that lines `width` pixels wide cover, for lines one unit apart.
fn lines(place: vec2<f32>, width: f32) -> f32 {
    let step = fwidth(place) + vec2(1e-6);
    let distance = abs(fract(place - 0.5) - 0.5) / step;
    let cover = 1.0 - smoothstep(vec2(0.5 * width - 0.5), vec2(0.5 * width + 0.5), distance);
    // Where cells shrink to a few pixels the lines would flicker: fade them to nothing.
    let calm = 1.0 - smoothstep(vec2(0.04), vec2(0.22), step);
    return max(cover.x * calm.x, cover.y * calm.y);
}

fn diffuse_light(in: VertexOutput) -> vec3<f32> {
    let normal = normalize(in.world_normal);
    let view_z = dot(vec4(
        view.view_from_world[0].z,
        view.view_from_world[1].z,
        view.view_from_world[2].z,
        view.view_from_world[3].z
    ), in.world_position);
    var sum = lights.ambient_color.rgb;
    for (var i = 0u; i < lights.n_directional_lights; i += 1u) {
        let facing = dot(normal, lights.directional_lights[i].direction_to_light);
        if facing <= 0.0 {
            continue;
        }
        var lit = facing;
        if (lights.directional_lights[i].flags & DIRECTIONAL_LIGHT_FLAGS_SHADOWS_ENABLED_BIT) != 0u {
            lit *= soft_shadow(i, in.world_position, normal, view_z, in.position.xy);
        }
        sum += lit * 0.31830989 * lights.directional_lights[i].color.rgb;
    }
    return view.exposure * sum;
}

@fragment
fn fragment(in: VertexOutput) -> @location(0) vec4<f32> {
    let place = in.uv / ground.cell;
    let fine = 0.4 * lines(place, 1.0);
    let coarse = lines(place * 0.1, 1.3);
    let line = max(fine, coarse) * ground.line_color.a;
    let near = 1.0 - smoothstep(ground.fade.x, ground.fade.y, length(in.uv));
    let alpha = near * mix(ground.fill, 1.0, line);
    if alpha <= 0.002 {
        discard;
    }
    let surface = mix(ground.color.rgb, ground.line_color.rgb, line);
    var color = vec4(surface * diffuse_light(in), alpha);
#ifdef TONEMAP_IN_SHADER
    color = tone_mapping(color, view.color_grading);
#endif
    return color;
}
