// Light on a fibre of hair: two highlights, a white one off the surface (R) and a coloured one that has been inside and
// came back (TRT), shifted along the fibre to either side by the tilt of its scales; light that shines through (TT); and
// a diffuse part. After [Marschner03] in the simplified form of [Karis16].
//
// Spaces   positions and directions: world
// Units    metres, radians; colours are linear RGB

#define_import_path prusik::hair

#import bevy_pbr::mesh_view_bindings::{lights, view}
#import bevy_pbr::mesh_view_types::DIRECTIONAL_LIGHT_FLAGS_SHADOWS_ENABLED_BIT
#import bevy_pbr::shadows::fetch_directional_shadow

// Tilt of the highlights along the fibre and their widths, rad. The scales lean by about 3°.
const TILT_R: f32 = -0.07;
const TILT_TRT: f32 = 0.13;
const WIDTH_R: f32 = 0.13;
const WIDTH_TRT: f32 = 0.24;
const WIDTH_TT: f32 = 0.30;

fn bell(x: f32, width: f32) -> f32 {
    let scaled = x / width;
    return exp(-0.5 * scaled * scaled) / (width * 2.5066283);
}

// Light that a fibre sends to the eye from one direction.
fn scattered(color: vec3<f32>, tangent: vec3<f32>, normal: vec3<f32>, to_eye: vec3<f32>, to_light: vec3<f32>, gloss: f32, seed: f32) -> vec3<f32> {
    let sin_l = clamp(dot(tangent, to_light), -1.0, 1.0);
    let sin_e = clamp(dot(tangent, to_eye), -1.0, 1.0);
    let theta = asin(sin_l) + asin(sin_e) + 0.05 * (seed - 0.5);
    let cos_l = sqrt(max(1.0 - sin_l * sin_l, 1e-4));
    // Angle about the fibre between light and eye.
    let light_across = to_light - sin_l * tangent;
    let eye_across = to_eye - sin_e * tangent;
    let cos_phi = dot(light_across, eye_across)
        * inverseSqrt(dot(light_across, light_across) * dot(eye_across, eye_across) + 1e-4);
    let half_phi = sqrt(clamp(0.5 + 0.5 * cos_phi, 0.0, 1.0));

    // Schlick, with the reflectance of keratin, n = 1.55.
    let cos_half = sqrt(clamp(0.5 + 0.5 * dot(to_light, to_eye), 0.0, 1.0));
    let fresnel = 0.0465 + 0.9535 * pow(1.0 - cos_half, 5.0);
    let white = 0.25 * half_phi * bell(theta - 2.0 * TILT_R, WIDTH_R) * fresnel;
    let inside = exp(17.0 * cos_phi - 16.78) * bell(theta - 2.0 * TILT_TRT, WIDTH_TRT);
    let through = exp(-3.65 * cos_phi - 3.98) * bell(theta, WIDTH_TT);
    let tint = pow(max(color, vec3(1e-3)), vec3(0.8));
    // Where a fibre is wide enough to be seen as a tube, its far side is dark.
    let facing = dot(normal, to_light);
    let rim = clamp(0.55 + 0.45 * facing, 0.0, 1.0);
    let wrapped = clamp((facing + 0.35) / 1.35, 0.0, 1.0);
    let diffuse = 0.31830989 * color * mix(cos_l, wrapped, 0.6);
    let shine = 9.0 * white * vec3(1.0) + 1.1 * inside * tint + 0.35 * through * tint * tint;
    return diffuse + gloss * rim * cos_l * shine;
}

// Light of all directional lights and of the surroundings, as displayed before tone mapping.
fn hair_light(
    color: vec3<f32>,
    position: vec4<f32>,
    normal: vec3<f32>,
    tangent: vec3<f32>,
    pixel: vec2<f32>,
    gloss: f32,
    seed: f32,
) -> vec3<f32> {
    let to_eye = normalize(view.world_position.xyz - position.xyz);
    let view_z = dot(vec4(
        view.view_from_world[0].z,
        view.view_from_world[1].z,
        view.view_from_world[2].z,
        view.view_from_world[3].z
    ), position);
    var sum = color * lights.ambient_color.rgb * (0.75 + 0.25 * normal.y);
    for (var i = 0u; i < lights.n_directional_lights; i += 1u) {
        let to_light = lights.directional_lights[i].direction_to_light;
        var open = 1.0;
        if (lights.directional_lights[i].flags & DIRECTIONAL_LIGHT_FLAGS_SHADOWS_ENABLED_BIT) != 0u {
            open = fetch_directional_shadow(i, position, normal, view_z, pixel);
        }
        let sent = scattered(color, tangent, normal, to_eye, to_light, gloss, seed);
        sum += open * sent * lights.directional_lights[i].color.rgb;
    }
    return view.exposure * sum;
}
