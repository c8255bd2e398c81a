//! Whether a window can be opened and pictures can be drawn, asked before Bevy would give up with a panic.

use std::net::{TcpStream, ToSocketAddrs};
use std::time::Duration;

use bevy::render::RenderPlugin;
use bevy::render::settings::{RenderCreation, WgpuSettings};
use bevy::tasks::block_on;
use wgpu::{Adapter, Backends, Instance, InstanceDescriptor};

use super::AppError;

/// Whether there is a display that answers.
pub fn check_display() -> Result<(), AppError> {
    if !cfg!(all(unix, not(target_os = "macos"))) {
        return Ok(());
    }
    let set = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
    if set("WAYLAND_DISPLAY").is_some() || set("WAYLAND_SOCKET").is_some() {
        return Ok(());
    }
    let display = set("DISPLAY").ok_or(AppError::NoDisplay)?;
    reach_x11(&display).map_err(|why| AppError::DeadDisplay { display, why })
}

/// Where an X11 display listens.
#[derive(Debug, PartialEq)]
enum Address {
    Socket(String),
    Tcp(String, u16),
}

/// `:77` or `unix:77.0` is a socket, `host:1` a port counted from 6000.
fn x11_address(display: &str) -> Option<Address> {
    let (host, rest) = display.rsplit_once(':')?;
    let number: u16 = rest.split('.').next()?.parse().ok()?;
    Some(match host {
        "" | "unix" => Address::Socket(format!("/tmp/.X11-unix/X{number}")),
        host => Address::Tcp(host.into(), number.checked_add(6000)?),
    })
}

fn reach_x11(display: &str) -> Result<(), String> {
    match x11_address(display) {
        None => Err("it is not of the form host:number".into()),
        Some(Address::Socket(path)) => reach_socket(&path),
        Some(Address::Tcp(host, port)) => {
            let addresses = (host.as_str(), port).to_socket_addrs();
            let address = addresses.map_err(|why| why.to_string())?.next();
            let address = address.ok_or("its host has no address")?;
            TcpStream::connect_timeout(&address, Duration::from_secs(3))
                .map(drop)
                .map_err(|why| why.to_string())
        }
    }
}

#[cfg(unix)]
fn reach_socket(path: &str) -> Result<(), String> {
    std::os::unix::net::UnixStream::connect(path)
        .map(drop)
        .map_err(|why| format!("{path}: {why}"))
}

#[cfg(not(unix))]
fn reach_socket(_path: &str) -> Result<(), String> {
    Ok(())
}

/// Families of drivers with an adapter that can run our shaders; a software one will do.
///
/// OpenGL is asked last: it is the slowest, and merely asking for it makes some drivers print complaints.
pub fn find_backends() -> Result<Backends, AppError> {
    let allowed = Backends::from_env().unwrap_or(Backends::all());
    let mut unfit = Vec::new();
    for backends in [allowed & Backends::PRIMARY, allowed & Backends::SECONDARY] {
        if backends.is_empty() {
            continue;
        }
        let mut descriptor = InstanceDescriptor::new_without_display_handle();
        descriptor.backends = backends;
        let instance = Instance::new(descriptor);
        let adapters = block_on(instance.enumerate_adapters(backends));
        if adapters.iter().any(is_able) {
            return Ok(backends);
        }
        unfit.extend(adapters.iter().map(|adapter| adapter.get_info().name));
    }
    Err(AppError::NoAdapter {
        why: if unfit.is_empty() {
            "neither hardware nor software".into()
        } else {
            format!("{} cannot read storage buffers", unfit.join(", "))
        },
    })
}

/// Strands and glyphs come from storage buffers, beside those that Bevy itself uses.
fn is_able(adapter: &Adapter) -> bool {
    adapter.limits().max_storage_buffers_per_shader_stage >= 4
}

/// The renderer restricted to these drivers. `wait` for shaders instead of drawing without them at first.
pub fn render_plugin(backends: Backends, wait: bool) -> RenderPlugin {
    RenderPlugin {
        render_creation: RenderCreation::Automatic(Box::new(WgpuSettings {
            backends: Some(backends),
            ..Default::default()
        })),
        synchronous_pipeline_compilation: wait,
        ..Default::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn display_names_lead_to_sockets_and_ports() {
        let socket = |n| Some(Address::Socket(format!("/tmp/.X11-unix/X{n}")));
        assert_eq!(x11_address(":77"), socket(77));
        assert_eq!(x11_address("unix:3.0"), socket(3));
        assert_eq!(
            x11_address("far.host:1.0"),
            Some(Address::Tcp("far.host".into(), 6001))
        );
        assert_eq!(x11_address("nonsense"), None);
        assert_eq!(x11_address(":x"), None);
        assert_eq!(x11_address("h:65000"), None);
    }

    #[test]
    fn a_display_where_nobody_listens_is_named_in_a_sentence() {
        let why = reach_x11(":60001").expect_err("nobody listens there");
        assert!(why.contains("X60001"), "{why}");
    }
}
