//! Passes decompressed text from the decoder of an archive, which pushes it, to a reader, which pulls it.
//!
//! The decoders of archives pass their text to a closure, and they cannot be suspended. So each decoder runs
//! in its own thread, a few blocks ahead of the reader.

use std::{
    io::{self, Read},
    sync::{
        Arc, Mutex,
        mpsc::{Receiver, Sender, SyncSender, channel, sync_channel},
    },
    thread,
};

use crate::input::lock::lock;

const BLOCK_BYTES: usize = 256 << 10;

/// How many blocks the decoder may be ahead of the reader.
const BLOCKS_AHEAD: usize = 2;

enum Message {
    Member(String),
    Block(Vec<u8>),
    Failed(io::Error),
    End,
}

/// The sending side of a [`Feed`], which the decoder uses.
pub(crate) struct Feeder {
    messages: SyncSender<Message>,
    emptied: Receiver<Vec<u8>>,
}

impl Feeder {
    /// Sends a member's name and its whole text.
    ///
    /// # Errors
    /// Fails if the text cannot be read, or the feed was dropped.
    pub(crate) fn member(&self, name: &str, text: &mut dyn Read) -> io::Result<()> {
        self.send(Message::Member(name.to_owned()))?;
        loop {
            let mut block = self.emptied.try_recv().unwrap_or_default();
            block.clear();
            if text.take(BLOCK_BYTES as u64).read_to_end(&mut block)? == 0 {
                return Ok(());
            }
            self.send(Message::Block(block))?;
        }
    }

    fn send(&self, message: Message) -> io::Result<()> {
        self.messages.send(message).map_err(|_| io::Error::other("no one reads the archive any more"))
    }
}

/// The receiving side of a feed, which the reader uses.
///
/// # Memory
/// Holds four blocks of 256 KiB: two are waiting, one is being filled, and one is being read.
pub(crate) struct Feed {
    messages: Receiver<Message>,
    emptied: Sender<Vec<u8>>,
    /// A message that was received but belongs to the next member.
    held: Option<Message>,
}

impl Feed {
    /// Starts a thread that runs `decode`, which sends the members through a [`Feeder`]. The thread ends by
    /// itself once the feed is dropped.
    ///
    /// # Errors
    /// Fails if the system cannot start a thread.
    pub(crate) fn start(decode: impl FnOnce(&Feeder) -> io::Result<()> + Send + 'static) -> io::Result<Self> {
        let (sender, messages) = sync_channel(BLOCKS_AHEAD);
        let (emptied, returned) = channel();
        let feeder = Feeder { messages: sender, emptied: returned };
        thread::Builder::new().name("unpack".into()).spawn(move || {
            let last = decode(&feeder).map_or_else(Message::Failed, |()| Message::End);
            // Fails only if the feed was dropped, in which case no one would read the message.
            feeder.messages.send(last).ok();
        })?;
        Ok(Self { messages, emptied, held: None })
    }

    /// Moves on to the next member and returns its name; the text of this member can then be read. The
    /// previous member must have been read to its end.
    pub(crate) fn next_member(&mut self) -> io::Result<Option<String>> {
        match self.take()? {
            Message::Member(name) => Ok(Some(name)),
            Message::Failed(error) => Err(error),
            Message::End => {
                self.held = Some(Message::End);
                Ok(None)
            }
            Message::Block(_) => unreachable!("a member was not read to its end"),
        }
    }

    /// The next block of the member's text, or an empty block at the end of the text.
    fn next_block(&mut self) -> io::Result<Vec<u8>> {
        match self.take()? {
            Message::Block(block) => Ok(block),
            Message::Failed(error) => Err(error),
            other => {
                self.held = Some(other);
                Ok(Vec::new())
            }
        }
    }

    fn take(&mut self) -> io::Result<Message> {
        match self.held.take() {
            Some(message) => Ok(message),
            None => self.messages.recv().map_err(|_| io::Error::other("the decoder gave up")),
        }
    }
}

/// Reads the text of the current member, whose name [`Feed::next_member`] returned most recently.
pub(crate) struct MemberText {
    feed: Arc<Mutex<Feed>>,
    block: Vec<u8>,
    at: usize,
}

impl MemberText {
    pub(crate) fn new(feed: &Arc<Mutex<Feed>>) -> Self {
        Self { feed: Arc::clone(feed), block: Vec::new(), at: 0 }
    }
}

impl Read for MemberText {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.at == self.block.len() {
            let mut feed = lock(&self.feed);
            // If the decoder has already ended, the block is simply dropped.
            feed.emptied.send(std::mem::take(&mut self.block)).ok();
            self.block = feed.next_block()?;
            self.at = 0;
        }
        let bytes = (&self.block[self.at..]).read(buffer)?;
        self.at += bytes;
        Ok(bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read_member(feed: &Arc<Mutex<Feed>>) -> io::Result<Option<(String, usize)>> {
        let Some(name) = lock(feed).next_member()? else { return Ok(None) };
        let bytes = io::copy(&mut MemberText::new(feed), &mut io::sink())?;
        Ok(Some((name, usize::try_from(bytes).unwrap())))
    }

    #[test]
    fn members_come_one_after_another() {
        let text = vec![7; 3_000_000];
        let feed = Feed::start(move |feeder| {
            feeder.member("a", &mut &text[..])?;
            feeder.member("b", &mut &b""[..])?;
            feeder.member("c", &mut &text[..1])
        });
        let feed = Arc::new(Mutex::new(feed.unwrap()));
        assert_eq!(read_member(&feed).unwrap(), Some(("a".into(), 3_000_000)));
        assert_eq!(read_member(&feed).unwrap(), Some(("b".into(), 0)));
        assert_eq!(read_member(&feed).unwrap(), Some(("c".into(), 1)));
        assert_eq!(read_member(&feed).unwrap(), None);
    }

    #[test]
    fn errors_of_the_decoder_are_passed_on() {
        let feed = Feed::start(|feeder| {
            feeder.member("a", &mut &b"abc"[..])?;
            Err(io::Error::other("broken"))
        });
        let feed = Arc::new(Mutex::new(feed.unwrap()));
        assert_eq!(read_member(&feed).unwrap_err().to_string(), "broken");
        let died = Feed::start(|_| std::panic::resume_unwind(Box::new(()))).unwrap();
        assert!(read_member(&Arc::new(Mutex::new(died))).is_err());
    }
}
