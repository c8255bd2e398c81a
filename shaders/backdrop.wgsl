// The studio behind everything: a soft vertical gradient that fills the picture at infinite depth.
//
// Inputs   corner    per vertex: a corner of one triangle that covers the picture, clip space
//          backdrop  colours at the top and at the bottom
// Units    colours are linear RGB, already as displayed (no tone mapping is applied)

struct Backdrop {
    top: vec4<f32>,
    bottom: vec4<f32>,
}

@group(#{MATERIAL_BIND_GROUP}) @binding(0) var<uniform> backdrop: Backdrop;

struct Varyings {
    @builtin(position) position: vec4<f32>,
    @location(0) corner: vec2<f32>,
}

@vertex
fn vertex(@location(0) corner: vec3<f32>) -> Varyings {
    var out: Varyings;
    // Depth 0 is infinitely far in Bevy's reversed depth.
    out.position = vec4(corner.xy, 0.0, 1.0);
    out.corner = corner.xy;
    return out;
}

@fragment
fn fragment(in: Varyings) -> @location(0) vec4<f32> {
    let height = smoothstep(-1.0, 1.0, in.corner.y);
    let vignette = 1.0 - 0.18 * dot(in.corner, in.corner) * 0.5;
    // Half a step of 8-bit noise hides the bands of a slow gradient.
    let noise = fract(52.9829189 * fract(dot(in.position.xy, vec2(0.06711056, 0.00583715)))) - 0.5;
    return vec4(mix(backdrop.bottom.rgb, backdrop.top.rgb, height) * vignette + noise * 0.0015, 1.0);
}
