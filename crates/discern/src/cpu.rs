//! Does this processor have what the program was compiled for?

/// A sentence that names what is missing, if anything is.
///
/// The standard feature test cannot be used: in a build for x86-64-v3 it is
/// compiled down to "yes".
pub fn check() -> Result<(), String> {
    #[cfg(all(target_arch = "x86_64", target_feature = "avx2"))]
    {
        let missing: Vec<&str> = x86_64_v3_parts()
            .into_iter()
            .filter_map(|(name, present)| (!present).then_some(name))
            .collect();
        if !missing.is_empty() {
            return Err(format!(
                "this program was built for processors with AVX2 (x86-64-v3), and this one lacks {}; \
                 build it for this machine with RUSTFLAGS=\"-C target-cpu=native\"",
                missing.join(", ")
            ));
        }
    }
    Ok(())
}

/// The parts of x86-64-v3 and whether the processor has them.
#[cfg(all(target_arch = "x86_64", target_feature = "avx2"))]
fn x86_64_v3_parts() -> [(&'static str, bool); 7] {
    use std::arch::x86_64::{__cpuid, __cpuid_count};

    let highest = __cpuid(0).eax;
    let basic = __cpuid(1);
    let extended = if highest >= 7 { __cpuid_count(7, 0).ebx } else { 0 };
    let more = if __cpuid(0x8000_0000).eax > 0x8000_0000 { __cpuid(0x8000_0001).ecx } else { 0 };
    // The operating system must save the wide registers, too.
    let saves_registers = basic.ecx >> 27 & 1 != 0;
    [
        ("AVX", saves_registers && basic.ecx >> 28 & 1 != 0),
        ("AVX2", saves_registers && extended >> 5 & 1 != 0),
        ("BMI1", extended >> 3 & 1 != 0),
        ("BMI2", extended >> 8 & 1 != 0),
        ("FMA", basic.ecx >> 12 & 1 != 0),
        ("LZCNT", more >> 5 & 1 != 0),
        ("MOVBE", basic.ecx >> 22 & 1 != 0),
    ]
}
