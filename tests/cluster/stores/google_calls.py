"""Google's store as the crate `object_store` calls it: the XML API, in memory, on loopback.

fake-gcs-server takes no objects that programs write by this API, so here is what they call: PUT of a
whole object, with `x-goog-if-generation-match`; uploads in parts, which are begun, sent, completed and
taken back; GET and HEAD with ranges; DELETE; listings in pages.  Any other call or condition is refused
with 501, so none passes unseen.  Answers are those of these pages of docs.cloud.google.com/storage/docs:
`xml-api/put-object-upload`, `xml-api/post-object-multipart`, `xml-api/put-object-multipart`,
`xml-api/post-object-complete`, `xml-api/delete-multipart`, `xml-api/get-object-download`,
`xml-api/delete-object`, `xml-api/get-bucket-list`, `xml-api/reference-status`, `request-preconditions`
and, for the least size of a part, `quotas`.  What these leave open is a guess.
"""

import hashlib
import threading
import xml.etree.ElementTree as xml
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.utils import format_datetime
from http.server import BaseHTTPRequestHandler
from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit
from xml.sax.saxutils import escape

PART_BYTES_MIN = 5 << 20
PARTS_MAX = 10_000

# Entries of a listing that are given at once: Google gives up to 1,000, and may give fewer.
PAGE = 5

# Headers of requests that are conditions, or ask for something else than what is known here.
ASKING = ("if-", "x-goog-if-", "x-goog-copy-")
CONDITION = "x-goog-if-generation-match"
KEPT = "x-goog-meta-"


class Refusal(Exception):
    """An answer that is an error: status, code and message."""


@dataclass(frozen=True)
class Stored:
    """An object: bytes, the number of this version, its tag, and the headers that are kept with it."""

    content: bytes
    generation: int
    tag: str
    kept: Mapping[str, str]
    modified: datetime = field(default_factory=lambda: datetime.now(UTC))

    @property
    def headers(self) -> dict[str, str]:
        """What is said of it in answers."""
        modified = format_datetime(self.modified, usegmt=True)
        said = {"ETag": self.tag, "x-goog-generation": str(self.generation), "Last-Modified": modified}
        return {**said, **self.kept}


@dataclass
class Upload:
    """Parts of an object that is not there yet."""

    name: str
    kept: Mapping[str, str]
    parts: dict[int, bytes] = field(default_factory=dict)


@dataclass
class Objects:
    """The objects of a bucket, and its uploads."""

    stored: dict[str, Stored] = field(default_factory=dict)
    uploads: dict[str, Upload] = field(default_factory=dict)
    changes: int = 0
    lock: threading.Lock = field(default_factory=threading.Lock)

    def change(self) -> int:
        """A number that no version and no upload has yet."""
        self.changes += 1
        return self.changes

    def found(self, name: str) -> Stored:
        """An object that must be there."""
        if name not in self.stored:
            raise Refusal(404, "NoSuchKey", "The specified key does not exist.")
        return self.stored[name]

    def put(self, name: str, content: bytes, kept: Mapping[str, str], expected: str | None = None) -> Stored:
        """Writes an object whole; if a generation is expected, only over that one, and 0 is none."""
        there = self.stored[name].generation if name in self.stored else 0
        if expected is not None and int(expected) != there:
            raise Refusal(412, "PreconditionFailed", "At least one of the pre-conditions did not hold.")
        return self.appear(name, content, kept, hashlib.md5(content).hexdigest())

    def appear(self, name: str, content: bytes, kept: Mapping[str, str], tag: str) -> Stored:
        """An object takes the place of any other one."""
        self.stored[name] = Stored(content, self.change(), f'"{tag}"', kept)
        return self.stored[name]

    def remove(self, name: str) -> None:
        """Removes an object that must be there."""
        self.found(name)
        del self.stored[name]

    def begin(self, name: str, kept: Mapping[str, str]) -> str:
        """Begins an upload; its number."""
        number = f"upload/{self.change()}"
        self.uploads[number] = Upload(name, kept)
        return number

    def upload(self, number: str) -> Upload:
        """An upload that must have been begun, and neither completed nor taken back."""
        if number not in self.uploads:
            raise Refusal(404, "NoSuchUpload", "The requested upload was not found.")
        return self.uploads[number]

    def complete(self, number: str, wanted: list[tuple[int, str]]) -> Stored:
        """The parts, in order, become an object; its tag is not of its bytes alone."""
        upload = self.upload(number)
        if [part for part, _ in wanted] != sorted({part for part, _ in wanted}) or not wanted:
            raise Refusal(400, "InvalidPartOrder", "Parts are not in ascending order.")
        if any(part not in upload.parts or tag != tag_of(upload.parts[part]) for part, tag in wanted):
            raise Refusal(400, "InvalidPart", "A part was not found, or has another tag.")
        contents = [upload.parts[part] for part, _ in wanted]
        if any(len(content) < PART_BYTES_MIN for content in contents[:-1]):
            raise Refusal(400, "EntityTooSmall", "A part that is not the last one is too small.")
        del self.uploads[number]
        return self.appear(upload.name, b"".join(contents), upload.kept, f"upload-{number}")

    def take_back(self, number: str) -> None:
        """Ends an upload without an object."""
        self.upload(number)
        del self.uploads[number]

    def page(self, prefix: str, delimiter: str, after: str) -> tuple[dict[str, Stored | None], str]:
        """Objects, and prefixes up to a delimiter without one; and where the next page begins."""
        entries: dict[str, Stored | None] = {}
        for name in sorted(name for name in self.stored if name.startswith(prefix)):
            end = name.find(delimiter, len(prefix)) if delimiter else -1
            entry = name if end < 0 else name[: end + len(delimiter)]
            entries[entry] = self.stored[name] if end < 0 else None
        later = [entry for entry in entries if entry > after]
        page = {entry: entries[entry] for entry in later[:PAGE]}
        return page, later[PAGE - 1] if len(later) > PAGE else ""


def tag_of(part: bytes) -> str:
    """The tag of a part of an upload."""
    return f'"{hashlib.md5(part).hexdigest()}"'


# Status, headers and body.
Answer = tuple[int, Mapping[str, str], bytes]


class Calls(BaseHTTPRequestHandler):
    """Answers the calls of one connection."""

    protocol_version = "HTTP/1.1"
    wbufsize = 1 << 16

    def __init__(self, objects: Objects, token: str, *given: Any) -> None:  # noqa: ANN401
        """Serves a connection to its end."""
        self.objects, self.token = objects, token
        super().__init__(*given)

    def log_message(self, *_: object) -> None:
        """Writes no log."""

    def answer(self) -> None:
        """One request; one that is cut has no effect and no answer."""
        length = int(self.headers.get("Content-Length") or 0)
        body = self.rfile.read(length)
        if len(body) < length:
            self.close_connection = True
            return
        with self.objects.lock:
            try:
                status, headers, content = self.call(body)
            except Refusal as refusal:
                status, code, message = refusal.args
                headers = {}
                content = document("Error", element("Code", code) + element("Message", message))
        self.send_response(status)
        for name, value in {"Content-Length": str(len(content)), **headers}.items():
            self.send_header(name, value)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(content)

    do_GET = do_HEAD = do_PUT = do_POST = do_DELETE = answer

    def call(self, body: bytes) -> Answer:
        """Finds out what is asked for, and does it."""
        if self.headers.get("Authorization") != f"Bearer {self.token}":
            raise Refusal(401, "AuthenticationRequired", "Authentication required.")
        url = urlsplit(self.path)
        query = dict(parse_qsl(url.query, keep_blank_values=True))
        bucket, _, name = url.path[1:].partition("/")
        if bucket != "games":
            raise Refusal(404, "NoSuchBucket", "The specified bucket does not exist.")
        asked = {header.lower() for header in self.headers if header.lower().startswith(ASKING)}
        if asked - ({CONDITION} if self.command == "PUT" and not query else set()):
            raise Refusal(501, "NotImplemented", f"Not known here: {asked}")
        return self.call_object(unquote(name), query, body) if name else self.call_bucket(query)

    def call_bucket(self, query: Mapping[str, str]) -> Answer:
        """A page of a listing."""
        known = {"list-type", "prefix", "delimiter", "continuation-token"}
        if self.command != "GET" or query.get("list-type") != "2" or set(query) - known:
            raise Refusal(501, "NotImplemented", self.requestline)
        given = [query.get(name, "") for name in ("prefix", "delimiter", "continuation-token")]
        page, more = self.objects.page(*given)
        listed = "".join(entry(name, stored) for name, stored in page.items())
        more_said = element("NextContinuationToken", more) if more else ""
        return 200, {}, document("ListBucketResult", listed + more_said)

    def call_object(self, name: str, query: Mapping[str, str], body: bytes) -> Answer:
        """A call that names an object."""
        objects = self.objects
        kept = {key: value for key, value in self.headers.items() if key.lower().startswith(KEPT)}
        match [self.command, *sorted(query)]:
            case ["GET" | "HEAD"]:
                return self.content(objects.found(name))
            case ["PUT"]:
                return 200, objects.put(name, body, kept, self.headers.get(CONDITION)).headers, b""
            case ["DELETE"]:
                objects.remove(name)
                return 204, {}, b""
            case ["POST", "uploads"]:
                begun = element("UploadId", objects.begin(name, kept))
                return 200, {}, document("InitiateMultipartUploadResult", begun)
            case ["PUT", "partNumber", "uploadId"]:
                if not 1 <= int(query["partNumber"]) <= PARTS_MAX:
                    raise Refusal(400, "InvalidArgument", "No such part number.")
                objects.upload(query["uploadId"]).parts[int(query["partNumber"])] = body
                return 200, {"ETag": tag_of(body)}, b""
            case ["POST", "uploadId"]:
                stored = objects.complete(query["uploadId"], parts_of(body))
                made = element("ETag", stored.tag)
                return 200, stored.headers, document("CompleteMultipartUploadResult", made)
            case ["DELETE", "uploadId"]:
                objects.take_back(query["uploadId"])
                return 204, {}, b""
        raise Refusal(501, "NotImplemented", self.requestline)

    def content(self, stored: Stored) -> Answer:
        """An object or a range of it."""
        whole, asked = stored.content, self.headers.get("Range")
        if asked is None:
            return 200, stored.headers, whole
        first, _, last = asked.removeprefix("bytes=").partition("-")
        if int(first) >= len(whole):
            raise Refusal(416, "InvalidRange", "The requested range cannot be satisfied.")
        content = whole[int(first) : int(last) + 1]
        end = int(first) + len(content) - 1
        return 206, {**stored.headers, "Content-Range": f"bytes {first}-{end}/{len(whole)}"}, content


def entry(name: str, stored: Stored | None) -> str:
    """An entry of a listing."""
    if stored is None:
        return f"<CommonPrefixes>{element('Prefix', name)}</CommonPrefixes>"
    modified = stored.modified.strftime("%Y-%m-%dT%H:%M:%S.%fZ")
    said = {"Key": name, "Size": len(stored.content), "ETag": stored.tag, "LastModified": modified}
    return f"<Contents>{''.join(element(key, value) for key, value in said.items())}</Contents>"


def element(name: str, content: object) -> str:
    """An element of an answer in XML, with a text."""
    return f"<{name}>{escape(str(content))}</{name}>"


def document(name: str, content: str) -> bytes:
    """An answer in XML."""
    return f"<?xml version='1.0' encoding='UTF-8'?><{name}>{content}</{name}>".encode()


def parts_of(body: bytes) -> list[tuple[int, str]]:
    """The numbers and tags of the parts of which an upload is to be made."""
    parts = xml.fromstring(body).iter("Part")
    return [(int(part.findtext("PartNumber", "0")), part.findtext("ETag", "")) for part in parts]
