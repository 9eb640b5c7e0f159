//! Buckets of S3, Google Cloud Storage and Azure, through the crate `object_store`.

use std::{
    collections::HashMap,
    fs::File,
    io::{self, Read},
    ops::Range,
    path::{Path, PathBuf},
    sync::{Arc, LazyLock, Mutex, OnceLock, PoisonError},
    time::{Duration, Instant},
};

use bytes::Bytes;
use object_store::{
    Attribute, Attributes, BackoffConfig, ClientConfigKey, GetOptions, GetRange, MultipartUpload, ObjectMeta,
    ObjectStore, ObjectStoreExt, PutMode, PutMultipartOptions, PutOptions, RetryConfig, UpdateVersion,
    aws::{AmazonS3Builder, AmazonS3ConfigKey},
    azure::{AzureConfigKey, MicrosoftAzureBuilder},
    gcp::{GoogleCloudStorageBuilder, GoogleConfigKey},
    path::Path as Key,
};
use tokio::{
    runtime::{Builder, Runtime},
    task::{JoinError, JoinSet},
    time::{sleep, timeout},
};

use crate::{
    Error, Scheme, Url,
    reason::{attempts, failure},
    remote::{Identity, ObjectVersion, Remote, Source},
};

#[cfg(test)]
mod tests;

/// The name with which this program identifies itself to servers.
const USER_AGENT: &str = concat!("tabia/", env!("CARGO_PKG_VERSION"));

/// The size of a part of an upload. S3 requires at least 5 MiB for every part except the last.
const PART_BYTES: u64 = 8 << 20;

/// The maximum number of parts of an upload. S3 accepts at most 10,000 parts per object.
const PARTS_MAX: u64 = 9_000;

/// The number of parts of an upload that are sent at the same time.
const PARTS_AT_ONCE: usize = 4;

/// The base time limit of a request, and the number of bytes that extend it by one second. The limit depends
/// on the size, because a large part takes a long time on a slow connection.
const REQUEST_WITHIN: Duration = Duration::from_secs(30);
const BYTES_A_SECOND_MIN: u64 = 64 << 10;

/// The number of objects that are removed at the same time.
const DELETED_AT_ONCE: usize = 16;

/// The attribute of an object that holds the checksum of its file.
const CHECKSUM: Attribute = Attribute::Metadata(std::borrow::Cow::Borrowed("xxh3"));

/// How many times, and for how long, a failed request is retried. If a store stays down until the last retry,
/// the command fails.
const RETRIES: usize = 8;
const RETRIED_FOR: Duration = Duration::from_mins(1);

/// The pause before a retry is random, between the initial pause and six times the previous pause. The pause
/// roughly doubles each time, and all pauses together add up to about half a minute.
const BACKOFF: BackoffConfig = BackoffConfig {
    init_backoff: Duration::from_millis(200),
    max_backoff: Duration::from_secs(10),
    base: 6.,
};

/// How long the command waits while a failed upload is being cleaned up.
const ABORTED_WITHIN: Duration = Duration::from_secs(5);

type Client = object_store::Result<Arc<dyn ObjectStore>>;
type Patient = Box<dyn Fn(&Url, Duration) -> Client + Send + Sync>;
type Buckets = Mutex<HashMap<(Scheme, String), Arc<Bucket>>>;

/// All buckets that have been used, with their clients. Each client is kept until the process ends, so that
/// its connections remain open.
static BUCKETS: LazyLock<Buckets> = LazyLock::new(Buckets::default);

/// The client for `url`'s bucket. The client is created from the settings in the environment when the bucket
/// is first used.
pub(crate) fn bucket_of(url: &Url) -> Result<Arc<dyn Remote>, Error> {
    let mut buckets = BUCKETS.lock().unwrap_or_else(PoisonError::into_inner);
    let name = (url.scheme, url.bucket.clone());
    if let Some(bucket) = buckets.get(&name) {
        return Ok(Arc::clone(bucket) as _);
    }
    let client = client_of(url, REQUEST_WITHIN).map_err(|error| failure(url, "opened", &error))?;
    let bucket = Arc::new(Bucket { client, patient: Box::new(client_of), runtime: runtime(url)? });
    buckets.insert(name, Arc::clone(&bucket));
    Ok(bucket)
}

fn client_of(url: &Url, within: Duration) -> Client {
    // An `Err` means that a provider is already installed, which will do just as well.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let retry_timeout = RETRIED_FOR.max(within * 2);
    let retry = RetryConfig { max_retries: RETRIES, retry_timeout, backoff: BACKOFF };
    let (bucket, agent, limit) = (&url.bucket, ClientConfigKey::UserAgent, ClientConfigKey::Timeout);
    let seconds = format!("{}s", within.as_secs());
    Ok(match url.scheme {
        Scheme::S3 => {
            let client = AmazonS3Builder::from_env()
                .with_config(AmazonS3ConfigKey::Client(agent), USER_AGENT)
                .with_config(AmazonS3ConfigKey::Client(limit), seconds);
            Arc::new(client.with_bucket_name(bucket).with_retry(retry).build()?)
        }
        Scheme::Gs => {
            let client = GoogleCloudStorageBuilder::from_env()
                .with_config(GoogleConfigKey::Client(agent), USER_AGENT)
                .with_config(GoogleConfigKey::Client(limit), seconds);
            Arc::new(client.with_bucket_name(bucket).with_retry(retry).build()?)
        }
        Scheme::Az => {
            let client = MicrosoftAzureBuilder::from_env()
                .with_config(AzureConfigKey::Client(agent), USER_AGENT)
                .with_config(AzureConfigKey::Client(limit), seconds);
            Arc::new(client.with_container_name(bucket).with_retry(retry).build()?)
        }
    })
}

/// The process's only async runtime. Two threads are enough, since requests spend most of their time waiting.
fn runtime(url: &Url) -> Result<&'static Runtime, Error> {
    static RUNTIME: OnceLock<io::Result<Runtime>> = OnceLock::new();
    let start =
        || Builder::new_multi_thread().worker_threads(2).thread_name("object store").enable_all().build();
    RUNTIME.get_or_init(start).as_ref().map_err(|error| {
        let reason = format!("the system could not start a thread: {error}");
        Error::Failed { url: url.to_string(), done: "opened", reason, attempts: 1 }
    })
}

struct Bucket {
    client: Arc<dyn ObjectStore>,
    /// Creates a client whose requests have a longer time limit, so that it can send large parts.
    patient: Patient,
    runtime: &'static Runtime,
}

impl Bucket {
    /// Runs `request` with the client and the key of `url`, and waits for its result.
    fn wait<T>(
        &self,
        url: &Url,
        done: &'static str,
        request: impl AsyncFnOnce(&dyn ObjectStore, &Key) -> object_store::Result<T>,
    ) -> Result<T, Error> {
        let key = Key::parse(&url.key).map_err(|error| failure(url, done, &error.into()))?;
        let answer = self.runtime.block_on(request(&*self.client, &key));
        answer.map_err(|error| failure(url, done, &error))
    }

    /// Uploads a file in parts; the time limit for a part depends on the part size.
    fn upload(&self, file: &mut Parts, url: &Url, attributes: Attributes) -> Result<(), Error> {
        let key = Key::parse(&url.key).map_err(|error| failure(url, "written", &error.into()))?;
        let options = PutMultipartOptions { attributes, ..PutMultipartOptions::default() };
        let begun = self.runtime.block_on(async {
            let client = (self.patient)(url, time_limit(file.part_bytes))?;
            again_if_cut(|| client.put_multipart_opts(&key, options.clone())).await
        });
        let mut upload = begun.map_err(|error| failure(url, "written", &error))?;
        self.runtime.block_on(async {
            let sent = send(&mut *upload, file, url).await;
            if sent.is_err() {
                // The store charges for parts that are left behind, so the command asks the store to remove
                // them. If this fails, the command can do nothing about it.
                let taken_back = async { while upload.abort().await.is_err_and(|error| is_cut(&error)) {} };
                let _ = timeout(ABORTED_WITHIN, taken_back).await;
            }
            sent
        })
    }

    /// Asks the store to write an object only if the condition in `mode` holds. Returns whether the object
    /// was written.
    fn put_if(&self, url: &Url, bytes: &Bytes, mode: &PutMode, kept: &Attributes) -> Result<bool, Error> {
        let options = PutOptions { mode: mode.clone(), attributes: kept.clone(), ..PutOptions::default() };
        self.wait(url, "written", async |client, key| {
            let put = again_if_cut(|| client.put_opts(key, bytes.clone().into(), options.clone())).await;
            match put {
                Err(object_store::Error::AlreadyExists { .. } | object_store::Error::Precondition { .. }) => {
                    Ok(false)
                }
                put => put.map(|_| true),
            }
        })
    }

    /// Whether there is an object with this length and checksum at `url`. Fails if a different object is
    /// there.
    fn has(&self, url: &Url, bytes: u64, xxh3: &str) -> Result<bool, Error> {
        let head = self.wait(url, "read", async |client, key| {
            client.get_opts(key, GetOptions { head: true, ..GetOptions::default() }).await
        });
        let found = match head {
            Err(Error::Missing { .. }) => return Ok(false),
            found => found?,
        };
        let kept = found.attributes.get(&CHECKSUM).map_or("no checksum", |value| value.as_ref());
        if (found.meta.size, kept) == (bytes, xxh3) {
            return Ok(true);
        }
        let said = |bytes: u64, xxh3: &str| format!("{bytes} bytes, {xxh3}");
        let (expected, got) = (said(bytes, xxh3), said(found.meta.size, kept));
        Err(Error::Different { url: url.to_string(), expected, got })
    }
}

/// Retries a request whose connection was cut, until `RETRIED_FOR` has passed, but no more than `RETRIES`
/// times. The client itself retries no request that it considers unsafe to repeat. The requests passed here
/// are safe to repeat.
async fn again_if_cut<T, F>(request: impl Fn() -> F) -> object_store::Result<T>
where
    F: Future<Output = object_store::Result<T>>,
{
    let (begun, mut pause) = (Instant::now(), BACKOFF.init_backoff);
    for _ in 0..RETRIES {
        match request().await {
            Err(error) if is_cut(&error) && begun.elapsed() < RETRIED_FOR => {}
            answer => return answer,
        }
        sleep(pause).await;
        pause = (pause * 2).min(BACKOFF.max_backoff);
    }
    request().await
}

/// Whether a request failed without an answer although the client had some of its own retries left.
fn is_cut(error: &object_store::Error) -> bool {
    let text = error.to_string();
    let is_answered = text.contains("status code");
    matches!(error, object_store::Error::Generic { .. }) && !is_answered && attempts(&text) <= RETRIES
}

/// How long a request with this many bytes may take.
fn time_limit(bytes: u64) -> Duration {
    REQUEST_WITHIN + Duration::from_secs(bytes / BYTES_A_SECOND_MIN)
}

/// Uploads all parts of a file, a few at a time, and then completes the object.
async fn send(upload: &mut dyn MultipartUpload, file: &mut Parts, url: &Url) -> Result<(), Error> {
    let failed = |error| failure(url, "written", &error);
    let mut tasks = JoinSet::new();
    while let Some(part) = file.next_part(url)? {
        if tasks.len() >= PARTS_AT_ONCE {
            sent(tasks.join_next().await).map_err(failed)?;
        }
        tasks.spawn(upload.put_part(part.into()));
    }
    while !tasks.is_empty() {
        sent(tasks.join_next().await).map_err(failed)?;
    }
    upload.complete().await.map(drop).map_err(failed)
}

fn sent(part: Option<Result<object_store::Result<()>, JoinError>>) -> object_store::Result<()> {
    part.map_or(Ok(()), |joined| joined?)
}

impl Source for Bucket {
    fn identify(&self, url: &Url) -> Result<Identity, Error> {
        let meta = self.wait(url, "opened", async |client, key| client.head(key).await)?;
        Ok(identity_of(&meta))
    }

    fn read(&self, url: &Url, range: Range<u64>) -> Result<(Bytes, Identity), Error> {
        self.wait(url, "read", async |client, key| {
            let options = GetOptions { range: Some(GetRange::Bounded(range)), ..GetOptions::default() };
            let answer = client.get_opts(key, options).await?;
            let identity = identity_of(&answer.meta);
            Ok((answer.bytes().await?, identity))
        })
    }
}

impl Remote for Bucket {
    fn put_file(&self, local: &Path, url: &Url) -> Result<(), Error> {
        let mut file = Parts::open(local, url)?;
        if file.left > file.part_bytes {
            return self.upload(&mut file, url, Attributes::new());
        }
        let bytes = file.next_part(url)?.unwrap_or_default();
        self.put(url, bytes)
    }

    fn put_file_once(&self, local: &Path, url: &Url, xxh3: &str) -> Result<(), Error> {
        let mut file = Parts::open(local, url)?;
        let bytes = file.left;
        if self.has(url, bytes, xxh3)? {
            return Ok(());
        }
        let kept = Attributes::from_iter([(CHECKSUM, xxh3.to_owned())]);
        let sent = if bytes > file.part_bytes {
            self.upload(&mut file, url, kept)
        } else {
            let whole = file.next_part(url)?.unwrap_or_default().into();
            self.put_if(url, &whole, &PutMode::Create, &kept).map(drop)
        };
        // A failed request may still have taken effect: its answer may have been lost, or another attempt may
        // have written the object.
        match self.has(url, bytes, xxh3) {
            Ok(true) => Ok(()),
            Ok(false) => Err(sent.err().unwrap_or_else(|| vanished(url))),
            Err(error) => Err(sent.err().unwrap_or(error)),
        }
    }

    fn put(&self, url: &Url, bytes: Vec<u8>) -> Result<(), Error> {
        self.wait(url, "written", async |client, key| client.put(key, bytes.into()).await.map(drop))
    }

    fn put_new(&self, url: &Url, bytes: Vec<u8>) -> Result<bool, Error> {
        let bytes = Bytes::from(bytes);
        let is_new = self.put_if(url, &bytes, &PutMode::Create, &Attributes::new())?;
        // If a client gets no answer, it sends the request again. It may then find the object that its first
        // request wrote.
        Ok(is_new || self.get(url)? == bytes)
    }

    fn put_over(&self, url: &Url, bytes: Vec<u8>, old: &ObjectVersion) -> Result<bool, Error> {
        let bytes = Bytes::from(bytes);
        let old = UpdateVersion { e_tag: old.tag.clone(), version: old.generation.clone() };
        let is_over = self.put_if(url, &bytes, &PutMode::Update(old), &Attributes::new())?;
        Ok(is_over || self.get(url)? == bytes)
    }

    fn version(&self, url: &Url) -> Result<Option<ObjectVersion>, Error> {
        match self.wait(url, "read", async |client, key| client.head(key).await) {
            Ok(meta) => Ok(Some(ObjectVersion { tag: meta.e_tag, generation: meta.version })),
            Err(Error::Missing { .. }) => Ok(None),
            Err(error) => Err(error),
        }
    }

    fn get(&self, url: &Url) -> Result<Vec<u8>, Error> {
        self.wait(url, "read", async |client, key| Ok(client.get(key).await?.bytes().await?.into()))
    }

    fn delete(&self, urls: &[Url]) -> Result<(), Error> {
        let removed = |deleted: Result<(), Error>| match deleted {
            Err(Error::Missing { .. }) => Ok(()),
            deleted => deleted,
        };
        for urls in urls.chunks(DELETED_AT_ONCE) {
            self.runtime.block_on(async {
                let mut tasks = JoinSet::new();
                for url in urls {
                    let (client, url) = (Arc::clone(&self.client), url.clone());
                    tasks.spawn(async move {
                        let failed = |error| failure(&url, "deleted", &error);
                        let key = Key::parse(&url.key).map_err(|error| failed(error.into()))?;
                        again_if_cut(|| client.delete(&key)).await.map_err(failed)
                    });
                }
                tasks.join_all().await.into_iter().try_for_each(removed)
            })?;
        }
        Ok(())
    }

    fn list(&self, prefix: &Url) -> Result<Vec<(String, u64)>, Error> {
        let mut found = self.wait(prefix, "listed", async |client, key| {
            let (mut folders, mut found) = (vec![key.clone()], Vec::new());
            while let Some(folder) = folders.pop() {
                let listed = client.list_with_delimiter(Some(&folder)).await?;
                folders.extend(listed.common_prefixes);
                found.extend(
                    listed.objects.into_iter().map(|object| (relative(key, &object.location), object.size)),
                );
            }
            Ok(found)
        })?;
        found.sort();
        Ok(found)
    }
}

/// The name of an object relative to `prefix`.
fn relative(prefix: &Key, object: &Key) -> String {
    let name = object.as_ref();
    let below = name.strip_prefix(prefix.as_ref()).unwrap_or(name);
    below.strip_prefix('/').unwrap_or(below).to_owned()
}

fn identity_of(meta: &ObjectMeta) -> Identity {
    let version = meta.e_tag.clone().unwrap_or_else(|| meta.last_modified.to_rfc3339());
    Identity { bytes: meta.size, version }
}

/// A local file that is read part by part.
struct Parts {
    path: PathBuf,
    file: File,
    left: u64,
    part_bytes: u64,
}

impl Parts {
    fn open(path: &Path, url: &Url) -> Result<Self, Error> {
        let opened = File::open(path).and_then(|file| Ok((file.metadata()?.len(), file)));
        let (left, file) = opened.map_err(|error| local_fault(path, url, error))?;
        Ok(Self { path: path.to_owned(), file, left, part_bytes: PART_BYTES.max(left.div_ceil(PARTS_MAX)) })
    }

    /// The next part; `None` at the end. Bytes beyond the length that the file had when it was opened are not
    /// read.
    fn next_part(&mut self, url: &Url) -> Result<Option<Vec<u8>>, Error> {
        let mut part = vec![0; self.left.min(self.part_bytes) as usize];
        self.file.read_exact(&mut part).map_err(|error| local_fault(&self.path, url, error))?;
        self.left -= part.len() as u64;
        Ok((!part.is_empty()).then_some(part))
    }
}

fn vanished(url: &Url) -> Error {
    let reason = "it was removed as soon as it was there".to_owned();
    Error::Failed { url: url.to_string(), done: "written", reason, attempts: 1 }
}

fn local_fault(path: &Path, url: &Url, source: io::Error) -> Error {
    Error::Local { path: path.to_owned(), url: url.to_string(), source }
}
