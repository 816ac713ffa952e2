//! Finds out whether an opening book is shipped.

fn main() {
    println!("cargo::rustc-check-cfg=cfg(shipped_book)");
    if std::path::Path::new("default.book").exists() {
        println!("cargo::rerun-if-changed=default.book");
        println!("cargo::rustc-cfg=shipped_book");
    } else {
        // A missing file counts as changed at every build, and with it all that
        // depends on this crate; the folder changes when a book appears.
        println!("cargo::rerun-if-changed=.");
    }
}
