//! Finds out whether an opening book is shipped.

fn main() {
    println!("cargo::rustc-check-cfg=cfg(shipped_book)");
    println!("cargo::rerun-if-changed=default.book");
    if std::path::Path::new("default.book").exists() {
        println!("cargo::rustc-cfg=shipped_book");
    }
}
