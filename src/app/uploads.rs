//! What is written into the adapter's memory, kept back until the frame that it belongs to is handed over.
//!
//! Bevy draws a frame while the next one is made. Strands that went to the adapter as soon as they were packed would be
//! drawn with the frame before: ahead of the camera, of the marks upon them and of the panels. Where frames are slow, one
//! sees it.

use std::num::NonZeroU64;

use bevy::prelude::*;
use bevy::render::render_resource::Buffer;
use bevy::render::renderer::RenderQueue;
use bevy::render::{ExtractSchedule, MainWorld, RenderApp};
use wgpu::QueueWriteBufferView;

/// Hands over what was written, with its frame.
pub struct UploadsPlugin;

impl Plugin for UploadsPlugin {
    fn build(&self, app: &mut App) {
        app.init_resource::<Uploads>();
        if let Some(renderer) = app.get_sub_app_mut(RenderApp) {
            renderer.add_systems(ExtractSchedule, hand_over);
        }
    }
}

/// What waits for its frame.
#[derive(Resource, Default)]
pub struct Uploads {
    waiting: Vec<(Buffer, QueueWriteBufferView)>,
}

impl Uploads {
    /// Memory from which the adapter will copy to the start of `buffer`; none if nothing is to be written, if it does not fit,
    /// or if the device is lost: then there is nobody to draw.
    pub fn begin(
        &mut self,
        queue: &RenderQueue,
        buffer: &Buffer,
        bytes: usize,
    ) -> Option<&mut QueueWriteBufferView> {
        let size = NonZeroU64::new(bytes as u64).filter(|size| size.get() <= buffer.size())?;
        let view = queue.write_buffer_with(buffer, 0, size)?;
        // A frame that was never drawn has nothing to say any more.
        self.waiting.retain(|(other, _)| other.id() != buffer.id());
        self.waiting.push((buffer.clone(), view));
        self.waiting.last_mut().map(|(_, view)| view)
    }
}

fn hand_over(mut main: ResMut<MainWorld>) {
    if let Some(mut uploads) = main.get_resource_mut::<Uploads>() {
        // A view that is dropped goes to the adapter with the next commands, which are those of this frame.
        uploads.waiting.clear();
    }
}
