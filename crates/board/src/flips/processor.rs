/// Does the processor have all of x86-64-v3, and does the operating system
/// save its wide registers?
///
/// The standard feature test cannot be used: in a build for x86-64-v3 it is
/// compiled down to "yes".
#[cfg(target_arch = "x86_64")]
pub fn has_x86_64_v3() -> bool {
    use std::arch::x86_64::{__cpuid, __cpuid_count};

    const FMA_MOVBE_OSXSAVE_AVX_F16C: u32 = 1 << 12 | 1 << 22 | 1 << 27 | 1 << 28 | 1 << 29;
    const BMI1_AVX2_BMI2: u32 = 1 << 3 | 1 << 5 | 1 << 8;
    const LZCNT: u32 = 1 << 5;
    let all = |register: u32, bits: u32| register & bits == bits;
    __cpuid(0).eax >= 7
        && __cpuid(0x8000_0000).eax > 0x8000_0000
        && all(__cpuid(1).ecx, FMA_MOVBE_OSXSAVE_AVX_F16C)
        && all(__cpuid_count(7, 0).ebx, BMI1_AVX2_BMI2)
        && all(__cpuid(0x8000_0001).ecx, LZCNT)
}
