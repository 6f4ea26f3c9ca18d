"""A socket between a server and its engine that can keep back what the server's listener of events says and hears."""

import os
import socket
import threading

LISTENER = b"retwis-events-"  # how a listener names its connection


class Proxy:
    """All connections are passed on. While `silent` is set nothing of a listener's is, and nothing tells it so."""

    def __init__(self, engine, path):
        """Both are paths of Unix sockets."""
        self.engine = engine
        self.path = path
        self.silent = threading.Event()
        self._server = socket.socket(socket.AF_UNIX)
        self._server.bind(path)
        self._server.listen(64)
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self):
        while True:
            try:
                client, _ = self._server.accept()
            except OSError:
                return
            engine = socket.socket(socket.AF_UNIX)
            try:
                engine.connect(self.engine)
            except OSError:
                client.close()
                continue
            pair = _Pair(client, engine, self.silent)
            for args in ((client, engine, True), (engine, client, False)):
                threading.Thread(target=pair.pass_on, args=args, daemon=True).start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._server.close()
        os.unlink(self.path)


class _Pair:
    """One connection, both ways."""

    def __init__(self, client, engine, silent):
        self.client, self.engine, self.silent = client, engine, silent
        self.is_listener = False

    def pass_on(self, source, target, upwards):
        """Until one side ends; what comes while it must be silent is lost."""
        try:
            while data := source.recv(65536):
                self.is_listener = self.is_listener or (upwards and LISTENER in data)
                if not (self.is_listener and self.silent.is_set()):
                    target.sendall(data)
        except OSError:
            pass
        for end in (self.client, self.engine):
            try:
                end.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass
