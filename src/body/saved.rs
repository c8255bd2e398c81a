//! What must be kept of a body to go on from the same bits later.

use std::any::Any;

use super::Body;

/// A body as it was at one time. What never changes is shared with the body, not copied.
pub trait Saved: Any + Send + Sync {
    /// The body as it was.
    fn revive(&self) -> Box<dyn Body>;
    /// Memory that it takes, without what it shares.
    fn bytes(&self) -> usize;
}

impl dyn Saved {
    /// Itself as a type that it may be.
    pub fn of_kind<T: Saved>(&self) -> Option<&T> {
        (self as &dyn Any).downcast_ref()
    }

    /// Itself as a type that it may be.
    pub fn of_kind_mut<T: Saved>(&mut self) -> Option<&mut T> {
        (self as &mut dyn Any).downcast_mut()
    }
}

/// Saves into `slot`: with `again` where it holds one of the same kind, whose memory is used again, or else with `new`.
pub fn save_into<T: Saved>(
    slot: &mut Option<Box<dyn Saved>>,
    again: impl FnOnce(&mut T),
    new: impl FnOnce() -> T,
) {
    match slot.as_mut().and_then(|saved| saved.of_kind_mut::<T>()) {
        Some(saved) => again(saved),
        None => *slot = Some(Box::new(new())),
    }
}
