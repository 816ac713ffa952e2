use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// How many requests an address may make: a bucket of tokens for each, which
/// fills up again.
#[derive(Debug)]
pub struct RateLimit {
    burst: f64,
    per_second: f64,
    buckets: Mutex<HashMap<IpAddr, Bucket>>,
}

#[derive(Debug, Clone, Copy)]
struct Bucket {
    tokens: f64,
    filled: Instant,
}

/// Addresses remembered at a time. Full buckets are forgotten first.
const ADDRESSES: usize = 4096;

impl RateLimit {
    /// So many requests at once; a quarter of them come back every second.
    pub fn new(burst: u32) -> RateLimit {
        let burst = f64::from(burst.max(1));
        RateLimit { burst, per_second: burst / 4.0, buckets: Mutex::default() }
    }

    /// Counts a request; if it is one too many, says when to come back.
    pub fn count(&self, address: IpAddr, now: Instant) -> Result<(), Duration> {
        let mut buckets = self.buckets.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        if buckets.len() >= ADDRESSES && !buckets.contains_key(&address) {
            buckets.retain(|_, bucket| self.tokens(bucket, now) < self.burst);
            if buckets.len() >= ADDRESSES {
                return Err(Duration::from_secs(1));
            }
        }
        let bucket = buckets.entry(address).or_insert(Bucket { tokens: self.burst, filled: now });
        *bucket = Bucket { tokens: self.tokens(bucket, now), filled: now };
        if bucket.tokens < 1.0 {
            return Err(Duration::from_secs_f64((1.0 - bucket.tokens) / self.per_second));
        }
        bucket.tokens -= 1.0;
        Ok(())
    }

    fn tokens(&self, bucket: &Bucket, now: Instant) -> f64 {
        let gained = now.saturating_duration_since(bucket.filled).as_secs_f64() * self.per_second;
        (bucket.tokens + gained).min(self.burst)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_burst_is_free_and_then_comes_back_slowly() {
        let limit = RateLimit::new(4);
        let (us, them) = (IpAddr::from([127, 0, 0, 1]), IpAddr::from([10, 0, 0, 1]));
        let start = Instant::now();
        assert!((0..4).all(|_| limit.count(us, start).is_ok()));
        assert_eq!(limit.count(us, start), Err(Duration::from_secs(1)));
        assert!(limit.count(them, start).is_ok());
        let later = start + Duration::from_secs(1);
        assert!(limit.count(us, later).is_ok());
        assert!(limit.count(us, later).is_err());
    }

    #[test]
    fn any_number_of_addresses_takes_bounded_memory() {
        let limit = RateLimit::new(4);
        let start = Instant::now();
        for number in 0..20_000u32 {
            let _ = limit.count(IpAddr::from(number.to_be_bytes()), start);
        }
        assert!(limit.buckets.lock().unwrap().len() <= ADDRESSES);
        let later = start + Duration::from_secs(10);
        assert!(limit.count(IpAddr::from([9, 9, 9, 9]), later).is_ok());
    }
}
