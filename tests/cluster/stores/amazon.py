"""Amazon's S3: moto's."""

import json
import ssl
import subprocess
import sys
import urllib.request
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Self

import boto3

from judge import processes
from stores.bucket import Bucket
from stores.servers import Server, send


def moto(folder: Path, *flags: str) -> Server:
    """Starts moto's servers of Amazon's protocols."""
    port = processes.free_port("127.0.0.1")
    command = [sys.executable, "-m", "moto.server", "-H", "127.0.0.1", "-p", str(port), *flags]
    return Server(command, port, folder / f"moto-{port}.log")


class S3(Bucket):
    """moto's S3."""

    store, scheme, removal, credentials = "S3", "s3", "POST", "AWS_SECRET_ACCESS_KEY"

    def __init__(self, folder: Path, *, signed: bool = False) -> None:
        """Starts it with one bucket; it checks signatures if they are `signed`.

        moto takes signatures of listings for wrong where `/` in a query is not encoded, which
        servers of Amazon do not, so only one that no one lists checks them.
        """
        self.server = moto(folder)
        self.port = self.server.port
        self.endpoint = f"http://{self.server.address}"
        self.secrets = ("tabia", "tabia")
        made = {"endpoint_url": self.endpoint, "region_name": "us-east-1"}
        if signed:
            self.make_user(made)
        own = dict(zip(("aws_access_key_id", "aws_secret_access_key"), self.secrets, strict=True))
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
        self.secrets = (key["AccessKeyId"], key["SecretAccessKey"])
        text = {"Content-Type": "text/plain"}
        send(f"{self.endpoint}/moto-api/reset-auth", b"0", "POST", text)

    def environment(self, endpoint: str = "") -> dict[str, str]:
        """What a program needs to reach it."""
        return {
            "AWS_ACCESS_KEY_ID": self.secrets[0],
            "AWS_SECRET_ACCESS_KEY": self.secrets[1],
            "AWS_REGION": "us-east-1",
            "AWS_ENDPOINT_URL": endpoint or self.endpoint,
            "AWS_ALLOW_HTTP": "true",
        }

    def wrong(self) -> list[Mapping[str, str]]:
        """A wrong key, the key of no one; and no key, on a machine without a role."""
        changes = ({"AWS_SECRET_ACCESS_KEY": "wrong"}, {"AWS_ACCESS_KEY_ID": "AKIAUNKNOWN"})
        none = {**self.environment(), "AWS_METADATA_ENDPOINT": "http://127.0.0.1:9"}
        del none["AWS_ACCESS_KEY_ID"], none["AWS_SECRET_ACCESS_KEY"]
        return [*({**self.environment(), **changed} for changed in changes), none]

    def guarded(self, folder: Path) -> Self:
        """One that checks signatures, and must not be listed."""
        return type(self)(folder, signed=True)

    def put(self, name: str, content: bytes) -> str:
        """Makes an object; its URL."""
        self.client.put_object(Bucket="games", Key=name, Body=content)
        return self.url(name)

    def remove(self, name: str) -> None:
        """Removes an object."""
        self.client.delete_object(Bucket="games", Key=name)

    def objects(self, prefix: str) -> dict[str, bytes]:
        """The objects below a prefix, by the rest of their names."""
        pages = self.client.get_paginator("list_objects_v2").paginate(Bucket="games", Prefix=prefix)
        keys = [entry["Key"] for page in pages for entry in page.get("Contents", [])]
        read = {key: self.client.get_object(Bucket="games", Key=key)["Body"].read() for key in keys}
        return {key.removeprefix(prefix): content for key, content in read.items()}

    def unfinished(self) -> int:
        """Uploads that were begun and neither finished nor taken back."""
        return len(self.client.list_multipart_uploads(Bucket="games").get("Uploads", []))


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
