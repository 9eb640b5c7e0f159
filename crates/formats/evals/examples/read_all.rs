use evals::{Form, LineReader};
fn main() {
    let bytes = std::fs::read(std::env::args().nth(1).unwrap()).unwrap();
    let form = Form::of(&bytes[..2000]).unwrap();
    for _ in 0..1 {
        let start = std::time::Instant::now();
        let mut reader = LineReader::default();
        let (mut n, mut bad) = (0usize, 0usize);
        for line in bytes.split(|b| *b == b'\n').filter(|l| !l.is_empty()) {
            match reader.read(line, &form) { Ok(_) => n += reader.found().len(), Err(_) => bad += 1 }
        }
        let s = start.elapsed().as_secs_f64();
        println!("{n} {bad} {:.3} s {:.0} MB/s", s, bytes.len() as f64 / 1e6 / s);
    }
}
