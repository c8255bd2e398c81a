// A plane with a grid for scale: two sets of lines ten apart, smooth at any distance, fading into the backdrop.
//
// Inputs   Bevy's own mesh vertex shader; the plane is y = 0 of its own frame, uv = local (x, z)
//          grid.cell      distance of the fine lines
//          grid.fade      distance from the middle at which the plane begins to fade, and at which it is gone
//          grid.fill      opacity of the surface between the lines
// Spaces   uv: the plane's own frame
// Units    metres; colours are linear RGB

#import bevy_pbr::forward_io::{VertexOutput, FragmentOutput}
#import bevy_pbr::pbr_fragment::pbr_input_from_standard_material
#import bevy_pbr::pbr_functions::{apply_pbr_lighting, main_pass_post_lighting_processing}

struct Grid {
    line_color: vec4<f32>,
    fade: vec2<f32>,
    cell: f32,
    fill: f32,
}

@group(#{MATERIAL_BIND_GROUP}) @binding(100) var<uniform> grid: Grid;

// Share of this pixel that lines of `width` pixels cover, for lines one unit apart.
fn lines(place: vec2<f32>, width: f32) -> f32 {
    let step = fwidth(place) + vec2(1e-6);
    let distance = abs(fract(place - 0.5) - 0.5) / step;
    let cover = 1.0 - smoothstep(vec2(0.5 * width - 0.5), vec2(0.5 * width + 0.5), distance);
    // Where cells shrink to a few pixels the lines would flicker: fade them to nothing.
    let calm = 1.0 - smoothstep(vec2(0.15), vec2(0.4), step);
    return max(cover.x * calm.x, cover.y * calm.y);
}

@fragment
fn fragment(in: VertexOutput, @builtin(front_facing) is_front: bool) -> FragmentOutput {
    var pbr = pbr_input_from_standard_material(in, is_front);
    let place = in.uv / grid.cell;
    let fine = 0.45 * lines(place, 1.1);
    let coarse = lines(place * 0.1, 1.6);
    let line = max(fine, coarse) * grid.line_color.a;
    let near = 1.0 - smoothstep(grid.fade.x, grid.fade.y, length(in.uv));

    pbr.material.base_color = vec4(mix(pbr.material.base_color.rgb, grid.line_color.rgb, line), 1.0);
    let lit = apply_pbr_lighting(pbr);
    var out: FragmentOutput;
    let alpha = near * mix(grid.fill, 1.0, line);
    out.color = main_pass_post_lighting_processing(pbr, vec4(lit.rgb, 1.0));
    out.color = vec4(out.color.rgb, alpha);
    return out;
}
