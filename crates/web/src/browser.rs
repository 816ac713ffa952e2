//! The browser in front of the studio.

use std::net::{IpAddr, SocketAddr};
use std::process::{Command, Stdio};

/// The address to give to a browser: one that listens everywhere is reached
/// at this machine's own.
pub fn reachable(address: SocketAddr) -> SocketAddr {
    match address.ip() {
        IpAddr::V4(ip) if ip.is_unspecified() => ([127, 0, 0, 1], address.port()).into(),
        IpAddr::V6(ip) if ip.is_unspecified() => ([0, 0, 0, 0, 0, 0, 0, 1], address.port()).into(),
        _ => address,
    }
}

/// Is somebody sitting in front of a desktop?
pub fn has_desktop() -> bool {
    if cfg!(any(target_os = "macos", windows)) {
        return true;
    }
    ["DISPLAY", "WAYLAND_DISPLAY"]
        .iter()
        .any(|name| std::env::var_os(name).is_some_and(|v| !v.is_empty()))
}

/// Opens a browser.
///
/// # Errors
/// A sentence if there is no program for it.
pub fn open(url: &str) -> Result<(), String> {
    let opener = if cfg!(target_os = "macos") {
        "open"
    } else if cfg!(windows) {
        "explorer"
    } else {
        "xdg-open"
    };
    let nothing = Stdio::null;
    let child =
        Command::new(opener).arg(url).stdin(nothing()).stdout(nothing()).stderr(nothing()).spawn();
    match child {
        // Waits for it, so that no dead process is left behind.
        Ok(mut child) => drop(std::thread::spawn(move || child.wait())),
        Err(error) => return Err(format!("cannot open a browser ({opener}: {error})")),
    }
    Ok(())
}
