"""Azure's blobs: Azurite's."""

import base64
import email.utils
import hashlib
import hmac
import shutil
import subprocess
import xml.etree.ElementTree as xml
from collections.abc import Mapping
from pathlib import Path
from typing import Self
from urllib.parse import quote, urlencode

from judge import processes
from stores.bucket import Bucket
from stores.servers import Server, send

# The well-known account of Azurite; no secret.
AZURE_ACCOUNT = "devstoreaccount1"
AZURE_KEY = "Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw=="


class Azure(Bucket):
    """Azurite."""

    store, scheme, part, removal = "Azure", "az", "comp=block&", "POST"
    credentials, missing_bucket = "AZURE_STORAGE_ACCOUNT_KEY", "ContainerNotFound"
    secrets = (AZURE_KEY,)

    def __init__(self, folder: Path, program: Path) -> None:
        """Starts it with one container."""
        self.port = processes.free_port("127.0.0.1")
        command = [str(program), "--disableTelemetry", "--skipApiVersionCheck"]
        command += ["--blobHost", "127.0.0.1", "--blobPort", str(self.port), "--location", str(folder)]
        self.server = Server(command, self.port, folder / "azurite.log")
        self.signed("PUT", "games", {"restype": "container"})

    def environment(self, endpoint: str = "") -> dict[str, str]:
        """What a program needs to reach it."""
        url = endpoint or f"http://{self.server.address}"
        return {"AZURE_STORAGE_USE_EMULATOR": "true", "AZURITE_BLOB_STORAGE_URL": url}

    def wrong(self) -> list[Mapping[str, str]]:
        """A wrong key; and no key, on a machine without a role."""
        wrong = base64.b64encode(b"unknown-key").decode()
        none = {"AZURE_STORAGE_ACCOUNT_NAME": AZURE_ACCOUNT, "AZURE_ALLOW_HTTP": "true"}
        none["AZURE_MSI_ENDPOINT"] = "http://127.0.0.1:9/metadata/identity/oauth2/token"
        return [{**self.environment(), "AZURE_STORAGE_ACCOUNT_KEY": wrong}, none]

    def guarded(self, folder: Path) -> Self:
        """It checks all signatures; one that is empty."""
        folder.joinpath("azurite").mkdir()
        return type(self)(folder / "azurite", Path(self.server.command[0]))

    def put(self, name: str, content: bytes) -> str:
        """Makes an object; its URL."""
        self.signed("PUT", f"games/{quote(name)}", {}, content)
        return self.url(name)

    def remove(self, name: str) -> None:
        """Removes an object."""
        self.signed("DELETE", f"games/{quote(name)}", {})

    def objects(self, prefix: str) -> dict[str, bytes]:
        """The objects below a prefix, by the rest of their names."""
        asked = {"comp": "list", "prefix": prefix, "restype": "container"}
        names = [name.text or "" for name in xml.fromstring(self.signed("GET", "games", asked)).iter("Name")]
        found = {name: self.signed("GET", f"games/{quote(name)}", {}) for name in names}
        return {name.removeprefix(prefix): content for name, content in found.items()}

    def unfinished(self) -> int:
        """None: Azure itself removes blocks that are in no blob after a week, and no one else can."""
        return 0

    def signed(self, method: str, path: str, query: Mapping[str, str], body: bytes = b"") -> bytes:
        """The answer to a request with the signature of the account's key; the query is in order."""
        headers = {"x-ms-date": email.utils.formatdate(usegmt=True), "x-ms-version": "2021-08-06"}
        if body:
            headers = {"x-ms-blob-type": "BlockBlob", **headers}
        size, kind = (str(len(body)), "application/octet-stream") if body else ("", "")
        canonical = "".join(f"{name}:{value}\n" for name, value in headers.items())
        canonical += f"/{AZURE_ACCOUNT}/{AZURE_ACCOUNT}/{path}"
        canonical += "".join(f"\n{name}:{value}" for name, value in query.items())
        text = "\n".join([method, "", "", size, "", kind, "", "", "", "", "", "", canonical])
        digest = hmac.new(base64.b64decode(AZURE_KEY), text.encode(), hashlib.sha256).digest()
        headers["Authorization"] = f"SharedKey {AZURE_ACCOUNT}:{base64.b64encode(digest).decode()}"
        headers |= {"Content-Length": str(len(body)), **({"Content-Type": kind} if kind else {})}
        url = f"http://{self.server.address}/{AZURE_ACCOUNT}/{path}?{urlencode(query)}"
        return send(url, body, method, headers)


def azurite(folder: Path) -> Path | None:
    """The program, installed from npm if it is not there; none without npm."""
    program = folder / "node_modules/.bin/azurite-blob"
    if not program.exists() and shutil.which("npm"):
        folder.mkdir(parents=True, exist_ok=True)
        command = ["npm", "install", "--silent", "--prefix", str(folder), "azurite@3.37.0"]
        subprocess.run(command, stdin=subprocess.DEVNULL, check=False)
    return program if program.exists() else None
