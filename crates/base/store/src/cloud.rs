//! Buckets of S3, Google Cloud Storage and Azure, through the crate `object_store`.

use std::{
    collections::HashMap,
    fs::File,
    io::{self, Read},
    ops::Range,
    path::{Path, PathBuf},
    sync::{Arc, LazyLock, Mutex, OnceLock, PoisonError},
    time::Duration,
};

use bytes::Bytes;
use object_store::{
    BackoffConfig, ClientConfigKey, GetOptions, GetRange, MultipartUpload, ObjectMeta, ObjectStore,
    ObjectStoreExt, PutMode, RetryConfig,
    aws::{AmazonS3Builder, AmazonS3ConfigKey},
    azure::{AzureConfigKey, MicrosoftAzureBuilder},
    gcp::{GoogleCloudStorageBuilder, GoogleConfigKey},
    path::Path as Key,
};
use tokio::{
    runtime::{Builder, Runtime},
    task::{JoinError, JoinSet},
    time::timeout,
};

use crate::{
    Error, Scheme, Url,
    reason::failure,
    remote::{Identity, Remote, Source},
};

#[cfg(test)]
mod tests;

/// The name that servers get of this program.
const USER_AGENT: &str = concat!("tabia/", env!("CARGO_PKG_VERSION"));

/// The size of a part of an upload. S3 accepts no part below 5 MiB but the last.
const PART_BYTES: u64 = 8 << 20;

/// The most parts of an upload. S3 accepts 10,000 for each object.
const PARTS_MAX: u64 = 9_000;

/// Parts of an upload that are sent at the same time.
const PARTS_AT_ONCE: usize = 2;

/// The number of repetitions of a request. A store that is down for longer than they take fails the
/// command.
const RETRIES: usize = 8;
const RETRIED_FOR: Duration = Duration::from_mins(1);

/// The pause before a repetition is random, between the first pause and six times the last one. It about
/// doubles each time, and all pauses together take about half a minute.
const BACKOFF: BackoffConfig = BackoffConfig {
    init_backoff: Duration::from_millis(200),
    max_backoff: Duration::from_secs(10),
    base: 6.,
};

/// The time that the command waits for the end of a failed upload.
const ABORTED_WITHIN: Duration = Duration::from_secs(5);

type Buckets = Mutex<HashMap<(Scheme, String), Arc<Bucket>>>;

/// The clients of the buckets. There is one for each bucket until the process ends, because clients keep
/// connections.
static BUCKETS: LazyLock<Buckets> = LazyLock::new(Buckets::default);

/// The client of the bucket of `url`, made from the environment at its first use.
pub(crate) fn bucket_of(url: &Url) -> Result<Arc<dyn Remote>, Error> {
    let mut buckets = BUCKETS.lock().unwrap_or_else(PoisonError::into_inner);
    let name = (url.scheme(), url.bucket().to_owned());
    if let Some(bucket) = buckets.get(&name) {
        return Ok(Arc::clone(bucket) as _);
    }
    let client = client_of(url).map_err(|error| failure(url, "opened", &error))?;
    let bucket = Arc::new(Bucket { client, runtime: runtime(url)? });
    buckets.insert(name, Arc::clone(&bucket));
    Ok(bucket)
}

fn client_of(url: &Url) -> object_store::Result<Arc<dyn ObjectStore>> {
    // An `Err` says that a provider is installed already, which serves as well.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let retry = RetryConfig { max_retries: RETRIES, retry_timeout: RETRIED_FOR, backoff: BACKOFF };
    let (bucket, agent) = (url.bucket(), ClientConfigKey::UserAgent);
    Ok(match url.scheme() {
        Scheme::S3 => {
            let client =
                AmazonS3Builder::from_env().with_config(AmazonS3ConfigKey::Client(agent), USER_AGENT);
            Arc::new(client.with_bucket_name(bucket).with_retry(retry).build()?)
        }
        Scheme::Gs => {
            let client = GoogleCloudStorageBuilder::from_env();
            let client = client.with_config(GoogleConfigKey::Client(agent), USER_AGENT);
            Arc::new(client.with_bucket_name(bucket).with_retry(retry).build()?)
        }
        Scheme::Az => {
            let client =
                MicrosoftAzureBuilder::from_env().with_config(AzureConfigKey::Client(agent), USER_AGENT);
            Arc::new(client.with_container_name(bucket).with_retry(retry).build()?)
        }
    })
}

/// The one runtime of the process. It has two threads, since requests wait and do not compute.
fn runtime(url: &Url) -> Result<&'static Runtime, Error> {
    static RUNTIME: OnceLock<io::Result<Runtime>> = OnceLock::new();
    let start =
        || Builder::new_multi_thread().worker_threads(2).thread_name("object store").enable_all().build();
    RUNTIME.get_or_init(start).as_ref().map_err(|error| {
        let reason = format!("no thread can be started for it: {error}");
        Error::Failed { url: url.to_string(), done: "opened", reason, attempts: 1 }
    })
}

struct Bucket {
    client: Arc<dyn ObjectStore>,
    runtime: &'static Runtime,
}

impl Bucket {
    /// Waits for the result of `request` with the client and the key of `url`.
    fn wait<T>(
        &self,
        url: &Url,
        done: &'static str,
        request: impl AsyncFnOnce(&dyn ObjectStore, &Key) -> object_store::Result<T>,
    ) -> Result<T, Error> {
        let key = Key::parse(url.key()).map_err(|error| failure(url, done, &error.into()))?;
        let answer = self.runtime.block_on(request(&*self.client, &key));
        answer.map_err(|error| failure(url, done, &error))
    }

    fn upload(&self, file: &mut Parts, url: &Url) -> Result<(), Error> {
        let mut upload = self.wait(url, "written", async |client, key| client.put_multipart(key).await)?;
        self.runtime.block_on(async {
            let sent = send(&mut *upload, file, url).await;
            if sent.is_err() {
                // The store charges for parts that stay behind, but no more can be done than to ask for
                // their removal.
                let _ = timeout(ABORTED_WITHIN, upload.abort()).await;
            }
            sent
        })
    }
}

/// Sends all parts of a file, a few at once, and then lets the object appear.
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
            return self.upload(&mut file, url);
        }
        let bytes = file.next_part(url)?.unwrap_or_default();
        self.put(url, bytes)
    }

    fn put(&self, url: &Url, bytes: Vec<u8>) -> Result<(), Error> {
        self.wait(url, "written", async |client, key| client.put(key, bytes.into()).await.map(drop))
    }

    fn put_new(&self, url: &Url, bytes: Vec<u8>) -> Result<bool, Error> {
        let is_new = self.wait(url, "written", async |client, key| {
            match client.put_opts(key, bytes.clone().into(), PutMode::Create.into()).await {
                Err(object_store::Error::AlreadyExists { .. }) => Ok(false),
                put => put.map(|_| true),
            }
        })?;
        // A client that gets no answer asks again, and then meets what it wrote itself.
        Ok(is_new || self.get(url)? == bytes)
    }

    fn get(&self, url: &Url) -> Result<Vec<u8>, Error> {
        self.wait(url, "read", async |client, key| Ok(client.get(key).await?.bytes().await?.into()))
    }

    fn copy(&self, from: &Url, to: &Url) -> Result<(), Error> {
        let target = Key::parse(to.key()).map_err(|error| failure(to, "written", &error.into()))?;
        self.wait(from, "copied", async |client, key| client.copy(key, &target).await)
    }

    fn delete(&self, url: &Url) -> Result<(), Error> {
        match self.wait(url, "deleted", async |client, key| client.delete(key).await) {
            Err(Error::Missing { .. }) => Ok(()),
            deleted => deleted,
        }
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

/// The name of an object below `prefix`.
fn relative(prefix: &Key, object: &Key) -> String {
    let name = object.as_ref();
    let below = name.strip_prefix(prefix.as_ref()).unwrap_or(name);
    below.strip_prefix('/').unwrap_or(below).to_owned()
}

fn identity_of(meta: &ObjectMeta) -> Identity {
    let version = meta.e_tag.clone().unwrap_or_else(|| meta.last_modified.to_rfc3339());
    Identity { bytes: meta.size, version }
}

/// A local file, part by part.
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

    /// The next part; `None` at the end. The end is the length that the file had when it was opened.
    fn next_part(&mut self, url: &Url) -> Result<Option<Vec<u8>>, Error> {
        let mut part = vec![0; self.left.min(self.part_bytes) as usize];
        self.file.read_exact(&mut part).map_err(|error| local_fault(&self.path, url, error))?;
        self.left -= part.len() as u64;
        Ok((!part.is_empty()).then_some(part))
    }
}

fn local_fault(path: &Path, url: &Url, source: io::Error) -> Error {
    Error::Local { path: path.to_owned(), url: url.to_string(), source }
}
