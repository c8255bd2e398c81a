//! The widest vector instructions of the machine, chosen at run time.
//!
//! A closure handed to the dispatcher is compiled on its own, with the narrowest instructions; what is called through
//! [`Work`] is compiled inside it. The arithmetic and its order stay the same.

/// Arithmetic worth wide registers.
pub trait Work {
    /// Its result.
    type Output;

    /// Does it. Must be `#[inline(always)]`, and so must be whatever it calls.
    fn run(self) -> Self::Output;
}

struct Op<T>(T);

impl<T: Work> pulp::WithSimd for Op<T> {
    type Output = T::Output;

    #[inline(always)]
    fn with_simd<S: pulp::Simd>(self, _: S) -> T::Output {
        self.0.run()
    }
}

/// Does the work with the widest instructions there are.
#[inline]
pub fn run<T: Work>(work: T) -> T::Output {
    pulp::Arch::new().dispatch(Op(work))
}
