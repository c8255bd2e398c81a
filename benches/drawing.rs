//! `cargo bench --bench drawing`: frame times of 1, 84 and 2000 strands, and the part that is ours. `prusik bench drawing`
//! prints the same as a table or as JSON.

fn main() -> Result<(), String> {
    let scene = prusik::scene::load("knot", &[]).map_err(|why| why.to_string())?;
    let table = prusik::app::drawing(&scene, 10, |row| {
        println!(
            "{} strands, {}: frame {:.1} ms, ours {:.3} ms",
            row.strands, row.color, row.frame_ms, row.ours_ms
        );
    });
    let table = table.map_err(|why| why.to_string())?;
    println!("on {}", table.adapter);
    Ok(())
}
