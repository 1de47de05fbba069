"""A `prof view` that serves, and its answers: docs/view-format.md, "From a server"."""
import http.client
import json
import os
import signal
import subprocess
import time
import urllib.parse

from page import lanes, rows, sections_of

WAIT_S = 600  # for a machine under load; nothing is measured
STALE = 409  # a live recording was read again meanwhile
NO_SERVER = b"without libmicrohttpd"


class Answer:
    def __init__(self, response):
        self.status, self.body = response.status, response.read()
        self.headers = {key.lower(): value for key, value in response.getheaders()}

    def sections(self):
        assert self.status == 200 and self.headers["content-type"] == "application/octet-stream", (self.status, self.body[:300])
        raw = sections_of(self.body)
        return {name: data if name == "lanes" else json.loads(data) for name, data in raw.items()}


class Server:
    """With its address; to be used in a `with`, which ends it."""

    def __init__(self, prof, *arguments, folder, environment=None, before=()):
        self.process = subprocess.Popen([*before, prof, "view", *arguments], cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                        stderr=subprocess.PIPE, env={**os.environ, **(environment or {"DISPLAY": "", "WAYLAND_DISPLAY": ""})})
        self.address = self.process.stdout.readline().decode().strip()
        if not self.address:
            self.messages = self.process.communicate(timeout=WAIT_S)[1]
            return
        parts = urllib.parse.urlparse(self.address)
        self.port, self.path = parts.port, parts.path
        self.reading, self.frames = 1, {}

    def __enter__(self):
        assert self.address, self.messages
        return self

    def __exit__(self, *_):
        if self.process.returncode is None:
            self.end(signal.SIGTERM)

    def end(self, number):
        """The exit status."""
        self.process.send_signal(number)
        self.messages = self.process.communicate(timeout=WAIT_S)[1]
        return self.process.returncode

    def request(self, path, method="GET", body=None, **headers):
        """An answer; headers: Host=... replaces the usual one, None leaves it out.  A path from '/' on has no token."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=WAIT_S)
        connection.putrequest(method, path if path.startswith("/") else self.path + path, skip_host="Host" in headers)
        for key, value in headers.items():
            if value is not None:
                connection.putheader(key, value)
        if body is not None:
            connection.putheader("Content-Length", str(len(body)))
        connection.endheaders(body)
        answer = Answer(connection.getresponse())
        connection.close()
        return answer

    def ask(self, path, **query):
        """Sections; of the present reading."""
        return self.request(f"{path}?{urllib.parse.urlencode({'g': self.reading, **query})}").sections()

    def progress(self):
        return self.request("progress").sections()["progress"]

    def data(self, early=False):
        """All sections; early: also before the recording is read as a whole."""
        while True:
            progress = self.progress()
            while progress["stage"] != "whole" and not early:
                time.sleep(0.02)
                progress = self.progress()
            self.reading = progress["reading"]
            answer = self.request(f"data?g={self.reading}")
            if answer.status != STALE:
                break
        out = answer.sections()
        self.frames = out["frames"]
        return out

    def span(self, begin, end, columns, sections=None):
        """(step, lanes); the names of new frames are kept."""
        out = sections or self.ask("view", t0=begin, t1=end, px=columns, frames=len(self.frames["name"]),
                                   files=len(self.frames["files"]), modules=len(self.frames["modules"]))
        self.take_frames(out["frames"])
        shift, found = lanes(out["lanes"])
        return 1 << shift, found

    def take_frames(self, more):
        for key in ("name", "module", "file", "line", "loop"):
            self.frames[key][more["first"]:] = more[key]
        self.frames["files"][more["first_file"]:] = more["files"]
        self.frames["modules"][more["first_module"]:] = more["modules"]

    def name(self, frame):
        return self.frames["name"][frame]


def table(section):
    return rows(section, ("modules", "files", "light_thread", "light_begin_ns", "light_end_ns", "burst_begin_ns", "burst_end_ns", "counters"))
