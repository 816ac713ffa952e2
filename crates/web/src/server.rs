use std::future::Future;
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use axum::Router;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::{GracefulConnection, GracefulShutdown};
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpStream};
use tokio_io_timeout::TimeoutStream;
use tower::ServiceExt;

use crate::connections::{Connections, Visit};
use crate::front_door::Peer;
use crate::refusal::quoted;
use crate::routes;
use crate::studio::Studio;

/// How long answers may take to finish once the server is to stop.
const FAREWELL: Duration = Duration::from_secs(2);

/// The longest head of a request.
const HEAD_BYTES: usize = 32 << 10;

/// Answers the connections of a listener until `stop` comes true; then ends
/// all searches and lets answers under way finish.
///
/// # Errors
/// If the listener fails for good.
pub async fn serve(
    studio: Arc<Studio>,
    listener: TcpListener,
    stop: impl Future<Output = ()>,
) -> io::Result<()> {
    let app = routes::app(studio.clone());
    let connections = Connections::new(studio.bounds().connections);
    let graceful = GracefulShutdown::new();
    let mut stop = std::pin::pin!(stop);
    loop {
        let (stream, peer) = tokio::select! {
            accepted = listener.accept() => match accepted {
                Ok(accepted) => accepted,
                Err(error) => {
                    // Usually too many open files: others will be closed.
                    (studio.settings().log)(&format!("cannot accept a connection: {error}"));
                    tokio::time::sleep(Duration::from_millis(100)).await;
                    continue;
                }
            },
            () = &mut stop => break,
        };
        let place = tokio::select! {
            place = connections.enter() => place,
            () = &mut stop => break,
        };
        let served = Arc::new(AtomicBool::new(false));
        let visit = place.visit();
        let connection = connection(&studio, app.clone(), stream, peer, visit, served.clone());
        let connection = graceful.watch(connection);
        let studio = studio.clone();
        tokio::spawn(async move {
            let ended = tokio::select! {
                ended = connection => ended,
                // Dropping it hangs up.
                () = place.is_needed() => Ok(()),
            };
            if let Err(error) = ended {
                // Browsers keep connections open that they may need again.
                let idle = error.is_timeout() && served.load(Ordering::Relaxed);
                if !idle {
                    complain(&studio, peer, &error);
                }
            }
        });
    }
    drop(listener);
    studio.close();
    // Who does not read his answer does not keep us.
    let _ = tokio::time::timeout(FAREWELL, graceful.shutdown()).await;
    Ok(())
}

/// One connection: HTTP/1.1 with bounded heads, and clients that must not
/// dawdle. `served` tells whether a request has come.
fn connection(
    studio: &Studio,
    app: Router,
    stream: TcpStream,
    peer: SocketAddr,
    visit: Arc<Visit>,
    served: Arc<AtomicBool>,
) -> impl GracefulConnection<Error = hyper::Error> + Send + use<> {
    // Events are small and must not wait for more.
    let _ = stream.set_nodelay(true);
    let mut stream = TimeoutStream::new(stream);
    // Who does not read must not keep a place for ever.
    stream.set_write_timeout(Some(studio.bounds().writing));
    let service = tower::service_fn(move |mut request: hyper::Request<hyper::body::Incoming>| {
        served.store(true, Ordering::Relaxed);
        request.extensions_mut().insert(Peer(peer.ip()));
        let busy = visit.begin();
        let answer = app.clone().oneshot(request);
        async move { answer.await.map(|answer| busy.until_sent(answer)) }
    });
    http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(studio.bounds().reading)
        .max_buf_size(HEAD_BYTES)
        .max_headers(64)
        .serve_connection(TokioIo::new(Box::pin(stream)), TowerToHyperService::new(service))
}

/// One line about a connection that broke the rules of HTTP; one that just
/// ended is nobody's fault.
fn complain(studio: &Studio, peer: SocketAddr, error: &hyper::Error) {
    if error.is_parse() || error.is_parse_too_large() || error.is_timeout() {
        (studio.settings().log)(&format!("{}: {}", peer.ip(), quoted(&error.to_string())));
    }
}

/// Serves at this address until Ctrl-C (or a request to terminate) comes.
/// `ready` hears the address once connections are accepted: with port 0 the
/// system chooses one.
///
/// # Errors
/// If the address cannot be listened at.
pub fn run(
    studio: Arc<Studio>,
    address: SocketAddr,
    ready: impl FnOnce(SocketAddr),
) -> io::Result<()> {
    let runtime =
        tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
    let served = runtime.block_on(async {
        let listener = TcpListener::bind(address).await?;
        let interrupted = interrupted()?;
        ready(listener.local_addr()?);
        serve(studio, listener, interrupted).await
    });
    runtime.shutdown_timeout(FAREWELL);
    served
}

/// Why nobody can be served at this address, in one sentence.
pub fn cannot_serve(address: SocketAddr, error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::AddrInUse => {
            format!(
                "{address} is in use already: is another studio open? (--port 0 takes any free port)"
            )
        }
        io::ErrorKind::AddrNotAvailable => {
            format!("{} is no address of this machine", address.ip())
        }
        io::ErrorKind::PermissionDenied => format!("no permission to listen at {address}"),
        _ => format!("cannot serve at {address}: {error}"),
    }
}

/// Comes true when the user or the system wants the program to end.
#[cfg(unix)]
fn interrupted() -> io::Result<impl Future<Output = ()>> {
    use tokio::signal::unix::{SignalKind, signal};
    let (mut interrupt, mut terminate) =
        (signal(SignalKind::interrupt())?, signal(SignalKind::terminate())?);
    Ok(async move {
        tokio::select! {
            _ = interrupt.recv() => {}
            _ = terminate.recv() => {}
        }
    })
}

/// Comes true when the user wants the program to end.
#[cfg(not(unix))]
fn interrupted() -> io::Result<impl Future<Output = ()>> {
    Ok(async {
        let _ = tokio::signal::ctrl_c().await;
    })
}
