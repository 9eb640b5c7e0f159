//! Does one operation on objects, given by its arguments; `make check-store` runs it against servers.
//!
//! `put FILE URL`, `once FILE XXH3 URL`, `get URL` (to standard output), `read URL STEP FROM TO` (the same by
//! positioned reads of STEP bytes), `list URL`, `delete URL`, `exists URL`.

use std::{
    env,
    io::{self, Write},
    path::Path,
    process::ExitCode,
};

use store::{Object, Url};

type Failure = Box<dyn std::error::Error>;

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match run(&arguments, &mut io::stdout().lock()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            eprintln!("error: {failure}");
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: &[&str], out: &mut impl Write) -> Result<(), Failure> {
    match *arguments {
        ["put", file, url] => store::put_file(Path::new(file), &url.parse()?)?,
        ["once", file, xxh3, url] => store::put_file_once(Path::new(file), &url.parse()?, xxh3)?,
        ["get", url] => out.write_all(&store::get(&url.parse()?)?)?,
        ["read", url, step, from, to] => read(&url.parse()?, step.parse()?, from.parse()?, to.parse()?, out)?,
        ["list", url] => {
            for (name, bytes) in store::list(&url.parse()?)? {
                writeln!(out, "{bytes} {name}")?;
            }
        }
        ["delete", url] => store::delete(&url.parse()?)?,
        ["exists", url] => writeln!(out, "{}", store::exists(&url.parse()?)?)?,
        _ => return Err("put, once, get, read, list, delete or exists, with its arguments".into()),
    }
    Ok(())
}

fn read(url: &Url, step: usize, from: u64, to: u64, out: &mut impl Write) -> Result<(), Failure> {
    let object = Object::open(url)?;
    let (mut buffer, mut at) = (vec![0; step], from);
    while at < to.min(object.bytes()) {
        let wanted = step.min((to - at) as usize);
        let read = object.read_at(&mut buffer[..wanted], at)?;
        out.write_all(&buffer[..read])?;
        at += read as u64;
    }
    Ok(())
}
