use std::net::IpAddr;

/// The names under which the server may be addressed.
///
/// A page of another site can let its own name point to this machine (DNS
/// rebinding); its requests then carry that name.
#[derive(Debug, Clone, Copy)]
pub struct Hosts(IpAddr);

impl Hosts {
    /// Those of a server bound to this address.
    pub fn new(address: IpAddr) -> Hosts {
        Hosts(address)
    }

    /// Is a `Host` header, with or without a port, one of ours?
    pub fn contains(self, authority: &str) -> bool {
        let Some(host) = without_port(authority) else { return false };
        if host.eq_ignore_ascii_case("localhost") {
            return true;
        }
        let bare = host.strip_prefix('[').and_then(|host| host.strip_suffix(']')).unwrap_or(host);
        // Bound to all addresses, any of them is right: an attack needs a name.
        bare.parse::<IpAddr>().is_ok_and(|ip| {
            ip.is_loopback() || ip == self.0 || self.0.is_unspecified() && !ip.is_unspecified()
        })
    }
}

/// The host of `host`, `host:port`, `[address]:port`.
fn without_port(authority: &str) -> Option<&str> {
    let end = if authority.starts_with('[') {
        authority.find(']')? + 1
    } else {
        authority.find(':').unwrap_or(authority.len())
    };
    let (host, rest) = authority.split_at(end);
    let port = match rest.strip_prefix(':') {
        Some(port) => port.parse::<u16>().is_ok(),
        None => rest.is_empty(),
    };
    port.then_some(host)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_our_own_names_are_accepted() {
        let local = Hosts::new("127.0.0.1".parse().unwrap());
        for host in ["127.0.0.1", "127.0.0.1:8295", "localhost:8295", "LOCALHOST", "[::1]:80"] {
            assert!(local.contains(host), "{host}");
        }
        for host in [
            "",
            "evil.example",
            "127.0.0.1.evil.example",
            "localhost.evil.example:8295",
            "192.168.0.7",
            "127.0.0.1:port",
            "[::1",
            "[::1]x",
            "user@127.0.0.1",
            "127.0.0.1:80:80",
            "0.0.0.0",
        ] {
            assert!(!local.contains(host), "{host}");
        }
        let bound = Hosts::new("192.168.0.7".parse().unwrap());
        assert!(bound.contains("192.168.0.7:8295") && !bound.contains("192.168.0.8"));
        let everywhere = Hosts::new("0.0.0.0".parse().unwrap());
        assert!(everywhere.contains("192.168.0.8:1") && !everywhere.contains("evil.example"));
    }
}
