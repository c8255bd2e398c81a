//! Triangle meshes from files: Wavefront OBJ and STL, both binary and ASCII.
//!
//! Readers of our own, since a wrong file must get a sentence with the line, and a huge one must not exhaust memory.

mod obj;
mod stl;

use std::path::Path;

use nalgebra::Point3;

use super::read_file::read_file;
use crate::geometry::TriangleMesh;

/// Most triangles of a mesh: they take about half a gigabyte while it is read.
pub(super) const MOST_TRIANGLES: usize = 1_000_000;

/// Corners and triangles as a file gives them.
#[derive(Debug, Default)]
struct Raw {
    points: Vec<Point3<f64>>,
    triangles: Vec<[u32; 3]>,
}

impl Raw {
    /// Adds a triangle, or says that there are too many.
    fn add(&mut self, triangle: [u32; 3]) -> Result<(), String> {
        if self.triangles.len() == MOST_TRIANGLES {
            return Err(format!("it has more than {MOST_TRIANGLES} triangles"));
        }
        self.triangles.push(triangle);
        Ok(())
    }
}

/// Reads a mesh, every length times `scale`, or says what is wrong with the file.
pub(super) fn read_mesh(place: &Path, scale: f64) -> Result<TriangleMesh, String> {
    let bytes = read_file(place)?;
    let ending = place.extension().unwrap_or_default();
    mesh(&ending.to_string_lossy(), &bytes, scale)
}

fn mesh(ending: &str, bytes: &[u8], scale: f64) -> Result<TriangleMesh, String> {
    let mut raw = match ending.to_ascii_lowercase().as_str() {
        "obj" => obj::parse(&String::from_utf8_lossy(bytes)),
        "stl" => stl::parse(bytes),
        _ => Err("its name must end in .obj or .stl".to_owned()),
    }?;
    for point in &mut raw.points {
        *point *= scale;
    }
    TriangleMesh::new(&raw.points, &raw.triangles).map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    pub(super) const TETRAHEDRON: &str = "# four\nv 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\n\nf 1 3 2\nf 1/1 2/2 4/4\nf 2//1 3//1 4//1\nf -4 -1 -2\n";

    /// Whether a file gives a mesh with finite corners, or a reason why not.
    fn is_mesh_or_sentence(ending: &str, bytes: &[u8], scale: f64) -> bool {
        match mesh(ending, bytes, scale) {
            Ok(mesh) => {
                let mut corners = mesh.vertices().iter().flat_map(|p| p.iter());
                !mesh.triangles().is_empty() && corners.all(|x| x.is_finite())
            }
            Err(why) => !why.is_empty(),
        }
    }

    proptest! {
        #[test]
        fn no_bytes_make_a_reader_panic(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
            for ending in ["obj", "stl", "txt"] {
                prop_assert!(is_mesh_or_sentence(ending, &bytes, 1.0));
            }
        }

        #[test]
        fn no_words_make_a_reader_panic(
            words in prop::collection::vec(
                prop::sample::select(vec![
                    "v", "f", "\n", "\n", "1", "-2", "3/1", "0", "1e999", "nan", "solid", "facet", "vertex", "\n vertex 0 1 2",
                    "\n v 1 2 3", "\n f 1 2 3", "99999999999", "/", "é",
                ]),
                0..60,
            ),
        ) {
            let text = words.join(" ");
            for ending in ["obj", "stl"] {
                prop_assert!(is_mesh_or_sentence(ending, text.as_bytes(), 1e300));
            }
        }

        #[test]
        fn damaged_files_are_read_or_refused(at in 0..200_usize, byte in any::<u8>()) {
            for (ending, mut bytes) in [("obj", TETRAHEDRON.as_bytes().to_vec()), ("stl", stl::tests::binary())] {
                let place = at % bytes.len();
                bytes[place] = byte;
                prop_assert!(is_mesh_or_sentence(ending, &bytes, 1.0));
                bytes.truncate(place);
                prop_assert!(is_mesh_or_sentence(ending, &bytes, 1.0));
            }
        }
    }

    #[test]
    fn the_same_solid_from_every_format_is_the_same() {
        let ascii: String = stl::tests::facets()
            .iter()
            .map(|t| {
                let corner = |p: &[f32; 3]| format!("   vertex {} {} {}\n", p[0], p[1], p[2]);
                let corners: String = t.iter().map(corner).collect();
                format!(" facet normal 0 0 0\n  outer loop\n{corners}  endloop\n endfacet\n")
            })
            .collect();
        let ascii = format!("solid four\n{ascii}endsolid\n");
        let files = [
            mesh("obj", TETRAHEDRON.as_bytes(), 0.5),
            mesh("STL", ascii.as_bytes(), 0.5),
            mesh("stl", &stl::tests::binary(), 0.5),
        ];
        for found in files {
            let found = found.expect("a tetrahedron");
            assert!(found.is_closed());
            assert_eq!((found.vertices().len(), found.triangles().len()), (4, 4));
            let out = found.signed_distance(&Point3::new(0.5, 0.5, 0.5));
            assert!((out.distance - 1.0 / 3.0_f64.sqrt()).abs() < 1e-9);
        }
    }

    #[test]
    fn wrong_files_get_a_sentence() {
        let says = |ending: &str, text: &str, part: &str| {
            let error = mesh(ending, text.as_bytes(), 1.0).expect_err(text);
            assert!(error.contains(part), "{error}");
        };
        says("ply", "", ".obj or .stl");
        says("obj", "", "no triangles");
        says("obj", "hello\nworld\n", "no triangles");
        says("obj", "v 0 0 0\nv 1 x 0\n", "line 2: found \"v 1 x 0\"");
        says("obj", "v 0 0 0\nv 1 0 nan\n", "line 2");
        says("obj", &TETRAHEDRON.replace("-4", "-5"), "line 10");
        says(
            "obj",
            &TETRAHEDRON.replace("f 1 3 2", "f 1 3 7"),
            "line 7: names vertex 7, but there are 4",
        );
        says("obj", &TETRAHEDRON.replace("f 1 3 2", "f 1 3"), "line 7");
        says(
            "obj",
            &TETRAHEDRON.replace("f 1 3 2", "f 1 3 two"),
            "line 7",
        );
        says(
            "obj",
            "v 0 0 0\nv 1 0 0\nv 2 0 0\nf 1 2 3\n",
            "1 without area",
        );
        says("stl", "", "neither");
        says("stl", "v 0 0 0\n", "neither");
        says("stl", "solid\nvertex 0 0 0\nvertex 0 1 x\n", "line 3");
        says(
            "stl",
            "solid\nvertex 0 0 0\nvertex 0 1 0\nendsolid\n",
            "2 corners",
        );
        says("stl", "solid\nendsolid\n", "no triangles");
    }
}
