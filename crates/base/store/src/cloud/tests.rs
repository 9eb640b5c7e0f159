use std::{fs, sync::Arc};

use object_store::memory::InMemory;

use super::*;
use crate::{Object, read_ahead::Limits, testing::byte_at};

fn memory() -> Arc<Bucket> {
    bucket(Arc::new(InMemory::new()))
}

fn bucket(client: Arc<dyn ObjectStore>) -> Arc<Bucket> {
    let kept = Arc::clone(&client);
    let patient = Box::new(move |_: &Url, _| Ok(Arc::clone(&kept)));
    Arc::new(Bucket { client, patient, runtime: runtime(&url("")).unwrap() })
}

fn url(key: &str) -> Url {
    format!("s3://bucket/{key}").parse().unwrap()
}

fn content(bytes: u64) -> Vec<u8> {
    (0..bytes).map(byte_at).collect()
}

#[test]
fn what_is_put_is_got() {
    let bucket = memory();
    bucket.put(&url("a/b c+%20#?.pgn"), b"games".to_vec()).unwrap();
    assert_eq!(bucket.get(&url("a/b c+%20#?.pgn")).unwrap(), b"games");
    bucket.put(&url("a/b c+%20#?.pgn"), b"others".to_vec()).unwrap();
    assert_eq!(bucket.get(&url("a/b c+%20#?.pgn")).unwrap(), b"others");
    let error = bucket.get(&url("a")).unwrap_err();
    assert!(matches!(error, Error::Missing { .. }), "{error}");
    assert!(error.to_string().starts_with("s3://bucket/a cannot be read: "), "{error}");
}

#[test]
fn of_several_writers_of_a_new_object_one_is_first() {
    let bucket = memory();
    assert!(bucket.put_new(&url("claim"), b"one".to_vec()).unwrap());
    assert!(!bucket.put_new(&url("claim"), b"two".to_vec()).unwrap());
    assert!(bucket.put_new(&url("claim"), b"one".to_vec()).unwrap(), "as after an answer that was lost");
    assert_eq!(bucket.get(&url("claim")).unwrap(), b"one");
}

#[test]
fn an_object_is_replaced_in_the_version_that_was_looked_at() {
    let (bucket, url) = (memory(), url("manifest"));
    assert_eq!(bucket.version(&url).unwrap(), None);
    bucket.put(&url, b"one".to_vec()).unwrap();
    let one = bucket.version(&url).unwrap().unwrap();
    assert!(bucket.put_over(&url, b"two".to_vec(), &one).unwrap());
    assert!(bucket.put_over(&url, b"two".to_vec(), &one).unwrap(), "as after an answer that was lost");
    assert!(!bucket.put_over(&url, b"three".to_vec(), &one).unwrap());
    assert_eq!(bucket.get(&url).unwrap(), b"two");
    bucket.delete(std::slice::from_ref(&url)).unwrap();
    assert!(bucket.put_over(&url, b"three".to_vec(), &one).is_err());
}

#[test]
fn objects_are_deleted_whether_they_are_there_or_not() {
    let bucket = memory();
    let urls: Vec<_> = (0..40).map(|number| url(&format!("part-{number}"))).collect();
    urls.iter().step_by(2).for_each(|url| bucket.put(url, content(10)).unwrap());
    bucket.put(&url("kept"), content(10)).unwrap();
    bucket.delete(&urls).unwrap();
    assert_eq!(bucket.list(&url("")).unwrap(), [("kept".to_owned(), 10)]);
}

#[test]
fn a_request_that_was_cut_is_made_again_and_one_that_was_refused_is_not() {
    let attempts_until = |failures: usize, reason: &str| {
        let made = std::cell::Cell::new(0);
        let request = || {
            made.set(made.get() + 1);
            let failed = object_store::Error::Generic { store: "GCS", source: reason.into() };
            std::future::ready(if made.get() > failures { Ok(()) } else { Err(failed) })
        };
        let answer = runtime(&url("")).unwrap().block_on(again_if_cut(request));
        (made.get(), answer.is_ok())
    };
    assert_eq!(attempts_until(0, ""), (1, true));
    assert_eq!(attempts_until(2, "connection closed"), (3, true));
    assert_eq!(attempts_until(2, "Server returned non-2xx status code: 400 Bad Request"), (1, false));
    assert_eq!(attempts_until(2, "connection closed, after 8 retries"), (1, false));
}

#[test]
fn a_file_is_put_once_and_only_the_same_one_again() {
    let bucket = memory();
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("part");
    for bytes in [100, 2 * PART_BYTES + 1] {
        let url = url(&format!("part-of-{bytes}"));
        fs::write(&path, content(bytes)).unwrap();
        bucket.put_file_once(&path, &url, "aa").unwrap();
        let first = bucket.version(&url).unwrap();
        bucket.put_file_once(&path, &url, "aa").unwrap();
        assert_eq!(bucket.version(&url).unwrap(), first, "it was not written again");
        let other = bucket.put_file_once(&path, &url, "bb").unwrap_err();
        assert!(matches!(other, Error::Different { .. }), "{other}");
        fs::write(&path, content(bytes - 1)).unwrap();
        let shorter = bucket.put_file_once(&path, &url, "aa").unwrap_err();
        assert!(matches!(shorter, Error::Different { .. }), "{shorter}");
        assert!(bucket.get(&url).unwrap() == content(bytes));
    }
}

#[test]
fn large_parts_have_more_time() {
    assert_eq!(time_limit(0), REQUEST_WITHIN);
    assert_eq!(time_limit(PART_BYTES).as_secs(), 158);
    let of_five_terabytes = (5_u64 << 40).div_ceil(PARTS_MAX);
    assert!(of_five_terabytes < 5 << 30, "S3 takes parts of up to 5 GiB");
    assert!(time_limit(of_five_terabytes).as_secs() > 9_000);
}

#[test]
fn objects_are_listed_at_any_depth_and_by_whole_names() {
    let bucket = memory();
    for key in ["t/manifest.json", "t/part-1", "t/.staging/x/part-0", "t.old/part-1", "t2"] {
        bucket.put(&url(key), content(key.len() as u64)).unwrap();
    }
    let listed = |prefix: &str| bucket.list(&url(prefix)).unwrap();
    let names: Vec<_> = listed("t").into_iter().map(|(name, _)| name).collect();
    assert_eq!(names, [".staging/x/part-0", "manifest.json", "part-1"]);
    assert_eq!(listed("t")[2].1, 8);
    assert_eq!(listed("t/.staging"), [("x/part-0".to_owned(), 19)]);
    assert_eq!(listed("none"), []);
    assert_eq!(listed("").len(), 5);
    assert_eq!(listed("")[0].0, "t.old/part-1");
}

#[test]
fn files_of_any_length_are_uploaded() {
    let bucket = memory();
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("part");
    for bytes in [0, 1, PART_BYTES - 1, PART_BYTES, PART_BYTES + 1, 3 * PART_BYTES, 3 * PART_BYTES + 5] {
        fs::write(&path, content(bytes)).unwrap();
        bucket.put_file(&path, &url("part")).unwrap();
        assert!(bucket.get(&url("part")).unwrap() == content(bytes), "{bytes} bytes");
    }
}

#[test]
fn a_file_that_cannot_be_read_leaves_no_object() {
    let bucket = memory();
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("part");
    let error = bucket.put_file(&path, &url("part")).unwrap_err();
    assert!(matches!(error, Error::Local { .. }), "{error}");
    fs::write(&path, content(2 * PART_BYTES)).unwrap();
    let mut file = Parts::open(&path, &url("part")).unwrap();
    fs::write(&path, content(PART_BYTES)).unwrap();
    let error = bucket.upload(&mut file, &url("part"), Attributes::new()).unwrap_err();
    assert!(error.to_string().contains("cannot be copied to s3://bucket/part"), "{error}");
    assert!(bucket.get(&url("part")).is_err());
}

#[test]
fn large_files_have_parts_that_s3_takes() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("part");
    let file = fs::File::create(&path).unwrap();
    for bytes in [1, PART_BYTES * PARTS_MAX, PART_BYTES * PARTS_MAX + 1, 5 << 40] {
        file.set_len(bytes).unwrap();
        let parts = Parts::open(&path, &url("part")).unwrap();
        assert!(parts.part_bytes >= 5 << 20 && bytes.div_ceil(parts.part_bytes) <= 10_000, "{bytes}");
    }
}

#[test]
fn an_object_is_read_at_any_offset_and_never_mixed() {
    let bucket = memory();
    bucket.put(&url("games.pgn"), content(300_000)).unwrap();
    let object = Object::open_in(Arc::clone(&bucket) as _, &url("games.pgn"), Limits::of_cores(1)).unwrap();
    assert_eq!(object.bytes(), 300_000);
    let mut buffer = [0; 100];
    assert_eq!(object.read_at(&mut buffer, 299_950).unwrap(), 50);
    assert!(buffer[..50].iter().zip(299_950..).all(|(&byte, at)| byte == byte_at(at)));
    bucket.put(&url("games.pgn"), content(300_000)).unwrap();
    let error = object.read_at(&mut buffer, 100_000).unwrap_err();
    assert!(error.to_string().contains("s3://bucket/games.pgn changed while it was being read"), "{error}");
    bucket.delete(&[url("games.pgn")]).unwrap();
    assert_eq!(object.read_at(&mut buffer, 200_000).unwrap_err().kind(), io::ErrorKind::NotFound);
}

/// This asks no server: the system itself refuses the connection.
#[test]
fn a_server_that_is_not_there_is_named_with_the_reason() {
    let retry = RetryConfig { max_retries: 1, ..RetryConfig::default() };
    let _ = rustls::crypto::ring::default_provider().install_default();
    let client = AmazonS3Builder::new()
        .with_endpoint("http://127.0.0.1:9")
        .with_config(AmazonS3ConfigKey::Client(ClientConfigKey::AllowHttp), "true")
        .with_access_key_id("the id")
        .with_secret_access_key("the secret")
        .with_bucket_name("bucket")
        .with_retry(retry)
        .build()
        .unwrap();
    let bucket = bucket(Arc::new(client));
    let error = bucket.get(&url("games.pgn")).unwrap_err().to_string();
    assert!(error.starts_with("s3://bucket/games.pgn cannot be read: Connection refused"), "{error}");
    assert!(error.ends_with(", 2 attempts"), "{error}");
}
