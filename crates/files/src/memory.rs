use std::io::{self, ErrorKind};

/// The bytes that this machine could still give, where the system says.
pub fn free_memory() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = text.lines().find(|line| line.starts_with("MemAvailable:"))?;
    let kibibytes: u64 = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kibibytes << 10)
}

/// Refuses work that needs more memory than is free, before it is begun: a
/// system that promises more than it has ends processes later.
pub fn check_memory(needed: u64) -> io::Result<()> {
    match free_memory() {
        Some(free) if needed > free => {
            let [needed, free] = [needed, free].map(|bytes| bytes as f64 / 1e9);
            let what = format!("this needs about {needed:.1} GB; {free:.1} GB are free");
            Err(io::Error::new(ErrorKind::OutOfMemory, what))
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_than_there_is_gets_a_sentence() {
        assert!(check_memory(1 << 20).is_ok());
        if free_memory().is_some() {
            let said = check_memory(1 << 60).unwrap_err().to_string();
            assert!(said.starts_with("this needs about 1152921504.6 GB; "), "{said}");
        }
    }
}
