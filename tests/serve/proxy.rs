//! `tabia serve` behind a real nginx.

use std::{
    fs::{read_to_string, remove_file},
    os::unix::net::UnixStream,
    path::PathBuf,
    process::{Child, Command},
};

use testing::skip;

use super::*;
use crate::{asking::ask_over, workbench::root};

/// nginx at a socket in a folder, killed when it is dropped.
struct Nginx {
    process: Child,
    socket: PathBuf,
}

impl Nginx {
    /// Runs a site, which has `listen SOCKET;` where it listens; `None`, loudly, where there is no nginx.
    fn start(bench: &Workbench, site: &str) -> Option<Self> {
        let (socket, log) = (bench.path("nginx.socket"), bench.path("nginx.log"));
        let site = site.replace("listen SOCKET;", &format!("listen unix:{};", socket.display()));
        let folders = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"];
        let folders =
            folders.map(|name| format!("{name}_temp_path {};\n", bench.path(name).display())).concat();
        let pid = bench.path("nginx.pid");
        let settings = format!(
            "daemon off;\nmaster_process off;\npid {};\nerror_log {};\nevents {{}}\n\
             http {{\naccess_log off;\n{folders}{site}\n}}\n",
            pid.display(),
            log.display()
        );
        bench.write("nginx.conf", settings);
        let program =
            ["/usr/sbin/nginx", "/usr/bin/nginx"].map(PathBuf::from).into_iter().find(|path| path.exists());
        let Some(program) = program else {
            skip("nginx is missing: apt-get install nginx");
            return None;
        };
        let mut nginx = Command::new(program);
        nginx.arg("-e").arg(&log).arg("-c").arg(bench.path("nginx.conf"));
        let process = nginx.spawn().unwrap();
        until(&format!("nginx listens: {}", read_to_string(&log).unwrap_or_default()), || {
            UnixStream::connect(&socket).is_ok()
        });
        Some(Self { process, socket })
    }

    /// A request of a stranger, who knows the proxy as `books.example`.
    fn ask(&self, request: &str, headers: &str, body: &str) -> Answer {
        let stream = UnixStream::connect(&self.socket).unwrap();
        ask_over(stream, request, &format!("Host: books.example\n{headers}"), body.as_bytes())
    }

    /// The status of an edit.
    fn edit(&self, headers: &str) -> u16 {
        self.ask("PUT /tabia/experience", headers, r#"{"move":"e4","value":1}"#).status
    }
}

impl Drop for Nginx {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
        let _ = remove_file(&self.socket);
    }
}

/// Such a proxy sends every stranger's request on from this machine, to a `Host` of this machine.
#[test]
fn behind_a_plain_proxy_strangers_read_and_edit_nothing() {
    let bench = bench();
    let server = Server::start(&bench, "book.tabia --experience x.parquet");
    let site = format!("server {{ listen SOCKET; location / {{ proxy_pass {}; }} }}", server.0.url());
    let Some(proxy) = Nginx::start(&bench, &site) else { return };
    assert_eq!(proxy.ask("GET /lichess", "", "").status, 200);
    for headers in
        ["", "Origin: http://books.example", "Authorization: Bearer 0123456789abcdef0123456789abcdef"]
    {
        assert_eq!(proxy.edit(headers), 403, "{headers}");
    }
    assert_eq!(proxy.ask("DELETE /tabia/experience?move=e4", "", "").status, 403);
    assert!(!bench.path("x.parquet").exists());
    assert_eq!(proxy.edit(&server.token()), 200, "and who has the token edits");
}

/// The site that `docs/serve.md` shows, without its certificate.
fn documented_site(server: &Server) -> String {
    let page = read_to_string(root().join("docs/serve.md")).unwrap();
    let (_, rest) = page.split_once("```nginx\n").unwrap();
    let (site, _) = rest.split_once("```").unwrap();
    let of_certificate = |line: &&str| line.trim_start().starts_with("ssl_");
    let site = site.lines().filter(|line| !of_certificate(line)).collect::<Vec<_>>().join("\n");
    assert!(site.contains("listen 443 ssl;") && site.contains("http://127.0.0.1:9002"), "{site}");
    site.replace("listen 443 ssl;", "listen SOCKET;").replace("http://127.0.0.1:9002", &server.0.url())
}

#[test]
fn the_proxy_of_the_manual_is_answered_by_its_name() {
    let bench = bench();
    let server = Server::start(&bench, "book.tabia --experience x.parquet --host books.example");
    let Some(proxy) = Nginx::start(&bench, &documented_site(&server)) else { return };
    assert_eq!(proxy.ask("GET /lichess", "Origin: https://lila.example", "").status, 200);
    let page = |origin: &str| format!("Origin: {origin}\n{}", server.token());
    assert_eq!(proxy.edit("Origin: https://books.example"), 403);
    assert_eq!(proxy.edit(&page("https://evil.example")), 403);
    assert!(!bench.path("x.parquet").exists());
    assert_eq!(proxy.edit(&page("https://books.example")), 200);
    let asked = (0..200).filter(|_| proxy.ask("GET /lichess", "", "").status == 503).count();
    assert!(asked > 0, "who asks too often waits");

    let nameless = Server::start(&bench, "book.tabia");
    drop(proxy);
    let Some(proxy) = Nginx::start(&bench, &documented_site(&nameless)) else { return };
    assert_eq!(proxy.ask("GET /lichess", "", "").status, 403, "without --host");
}
