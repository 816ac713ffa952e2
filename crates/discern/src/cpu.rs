//! Does this processor have what the program was compiled for?

/// What a processor without AVX2 is told.
#[cfg(all(target_arch = "x86_64", target_feature = "avx2"))]
const MISSING: &[u8] =
    b"discern: this processor lacks AVX2 or BMI2 (x86-64-v3), which this program \
was built for; build it on this machine with RUSTFLAGS=\"-C target-cpu=native\"\n";

/// Ends the program with one sentence if the processor lacks something.
///
/// The sentence is a constant: building a string already takes instructions
/// that may be missing. `scripts/test` runs the
/// program on an emulated old processor.
///
/// A program built for every processor looks for its faster sibling instead,
/// as packages install both ([`start_sibling`]).
#[inline(never)]
pub fn check() {
    #[cfg(all(target_arch = "x86_64", unix, not(target_feature = "avx2")))]
    if discern_board::flips::has_x86_64_v3() {
        start_sibling();
    }
    #[cfg(all(target_arch = "x86_64", target_feature = "avx2"))]
    if !discern_board::flips::has_x86_64_v3() {
        use std::io::Write;
        let _ = std::io::stderr().write_all(MISSING);
        std::process::exit(1);
    }
}

/// Becomes `../lib/discern/discern-v3`, seen from the folder of this program,
/// if there is one.
#[cfg(all(target_arch = "x86_64", unix, not(target_feature = "avx2")))]
fn start_sibling() {
    use std::os::unix::process::CommandExt;

    // Where /proc is missing, the name it was started by has to do.
    let named = || std::env::args_os().next().map(std::path::PathBuf::from);
    let Some(own) = std::env::current_exe().ok().or_else(named) else { return };
    let Some(prefix) = own.parent().and_then(|bin| bin.parent()) else { return };
    let sibling = prefix.join("lib/discern/discern-v3");
    if sibling.is_file() {
        let mut arguments = std::env::args_os();
        let name = arguments.next().unwrap_or_else(|| "discern".into());
        // It returns only if it fails; then this program does the work.
        let _ = std::process::Command::new(sibling).arg0(name).args(arguments).exec();
    }
}
