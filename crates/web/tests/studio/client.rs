//! A client that says exactly what a test wants, right or wrong.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

use serde_json::Value;

pub const START: &str = "---------------------------OX------XO---------------------------+X";

/// One connection.
pub struct Client {
    stream: TcpStream,
    address: SocketAddr,
    /// What requests for work must know; none is sent if it is empty.
    token: String,
}

/// The head of an answer and its body.
#[derive(Debug)]
pub struct Answer {
    pub status: u16,
    pub headers: Vec<(String, String)>,
    pub body: Vec<u8>,
}

impl Client {
    pub fn connect(address: SocketAddr) -> Client {
        let stream = TcpStream::connect(address).expect("the server listens");
        stream.set_read_timeout(Some(Duration::from_secs(30))).unwrap();
        Client { stream, address, token: String::new() }
    }

    /// A client that knows the token.
    pub fn with_token(self, token: &str) -> Client {
        Client { token: token.to_owned(), ..self }
    }

    /// Sends bytes as they are. The server may have hung up already.
    pub fn send(&mut self, bytes: &[u8]) -> bool {
        self.stream.write_all(bytes).is_ok()
    }

    /// The head of a request, complete but for the blank line.
    pub fn head(&self, method: &str, target: &str) -> String {
        let token = match self.token.as_str() {
            "" => String::new(),
            token => format!("X-Discern-Token: {token}\r\n"),
        };
        let Client { address, .. } = self;
        format!("{method} {target} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n{token}")
    }

    pub fn get(mut self, target: &str) -> Answer {
        let head = self.head("GET", target) + "\r\n";
        self.send(head.as_bytes());
        self.answer().expect("an answer")
    }

    pub fn get_with(mut self, target: &str, headers: &[(&str, &str)]) -> Answer {
        let mut head = self.head("GET", target);
        headers.iter().for_each(|(name, value)| head += &format!("{name}: {value}\r\n"));
        self.send((head + "\r\n").as_bytes());
        self.answer().expect("an answer")
    }

    pub fn post(mut self, target: &str, headers: &[(&str, &str)], body: &[u8]) -> Answer {
        let mut head = self.head("POST", target) + &format!("Content-Length: {}\r\n", body.len());
        headers.iter().for_each(|(name, value)| head += &format!("{name}: {value}\r\n"));
        self.send((head + "\r\n").as_bytes());
        self.send(body);
        self.answer().expect("an answer")
    }

    pub fn post_json(self, target: &str, body: &Value) -> Answer {
        self.post(target, &[("Content-Type", "application/json")], body.to_string().as_bytes())
    }

    /// Reads an answer up to its end; `None` if the server just hung up.
    pub fn answer(&mut self) -> Option<Answer> {
        let mut bytes = Vec::new();
        // A reset after the answer is as good as an end.
        let _ = self.stream.read_to_end(&mut bytes);
        Answer::parse(&bytes)
    }

    /// Opens a stream of events.
    pub fn events(mut self, target: &str) -> Events {
        let head = self.head("GET", target) + "\r\n";
        self.send(head.as_bytes());
        let mut reader = BufReader::new(self.stream);
        let mut head = String::new();
        while !head.ends_with("\r\n\r\n") {
            if reader.read_line(&mut head).expect("a head") == 0 {
                break;
            }
        }
        let answer = Answer::parse(head.as_bytes()).expect("a head");
        Events { status: answer.status, head: answer, reader }
    }
}

impl Answer {
    fn parse(bytes: &[u8]) -> Option<Answer> {
        let end = bytes.windows(4).position(|window| window == b"\r\n\r\n")?;
        let head = std::str::from_utf8(&bytes[..end]).ok()?;
        let mut lines = head.split("\r\n");
        let status = lines.next()?.split(' ').nth(1)?.parse().ok()?;
        let headers: Vec<(String, String)> = lines
            .filter_map(|line| line.split_once(": "))
            .map(|(name, value)| (name.to_ascii_lowercase(), value.to_owned()))
            .collect();
        let mut answer = Answer { status, headers, body: bytes[end + 4..].to_vec() };
        if answer.header("transfer-encoding") == Some("chunked") {
            answer.body = unchunked(&answer.body);
        }
        Some(answer)
    }

    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    pub fn text(&self) -> &str {
        std::str::from_utf8(&self.body).expect("text")
    }

    #[track_caller]
    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|_| panic!("not JSON: {self:?}"))
    }

    /// The answer, which must be good.
    #[track_caller]
    pub fn ok(&self) -> Value {
        assert_eq!(self.status, 200, "{}", String::from_utf8_lossy(&self.body));
        self.json()
    }

    /// The sentence of a refusal with this status.
    #[track_caller]
    pub fn refusal(&self, status: u16) -> String {
        assert_eq!(self.status, status, "{}", String::from_utf8_lossy(&self.body));
        let sentence = self.json()["error"].as_str().expect("a sentence").to_owned();
        assert!(!sentence.contains('\n') && sentence.len() < 1000, "{sentence}");
        sentence
    }
}

fn unchunked(mut bytes: &[u8]) -> Vec<u8> {
    let mut body = Vec::new();
    while let Some(end) = bytes.windows(2).position(|window| window == b"\r\n") {
        let size = std::str::from_utf8(&bytes[..end]).expect("a size");
        let size = usize::from_str_radix(size, 16).expect("a size");
        let chunk = &bytes[end + 2..];
        if size == 0 || chunk.len() < size + 2 {
            break;
        }
        body.extend_from_slice(&chunk[..size]);
        bytes = &chunk[size + 2..];
    }
    body
}

/// An open stream of events.
pub struct Events {
    pub status: u16,
    pub head: Answer,
    reader: BufReader<TcpStream>,
}

impl Events {
    /// All events of a stream that ends, which must be a good one.
    #[track_caller]
    pub fn all(self) -> Vec<(String, Value)> {
        assert_eq!(self.status, 200);
        self.collect()
    }

    /// The body of a refusal.
    pub fn refusal(mut self) -> Value {
        let mut text = String::new();
        let _ = self.reader.read_to_string(&mut text);
        serde_json::from_str(&text).expect("a refusal")
    }
}

impl Iterator for Events {
    type Item = (String, Value);

    /// The next event: its name and its data. Chunk sizes, blank lines and
    /// signs of life between events are skipped: no line of ours looks alike.
    fn next(&mut self) -> Option<(String, Value)> {
        let mut name = None;
        loop {
            let mut line = String::new();
            if self.reader.read_line(&mut line).ok()? == 0 {
                return None;
            }
            if let Some(event) = line.trim_end().strip_prefix("event: ") {
                name = Some(event.to_owned());
            } else if let Some(data) = line.trim_end().strip_prefix("data: ") {
                return Some((name?, serde_json::from_str(data).expect("JSON")));
            }
        }
    }
}
