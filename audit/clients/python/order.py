"""What is said between the audit and a client program: see ../README.md."""

import json
import logging
import os
import sys
import threading
import time


def emit(event, **fields):
    line = json.dumps({"event": event, **fields})
    with _lock:
        sys.stdout.write(line + "\n")
        sys.stdout.flush()


_lock = threading.Lock()


class Order:
    """What is to be done, and whether it still is."""

    def __init__(self):
        line = sys.stdin.readline()
        if not line:
            sys.exit(0)
        order = json.loads(line)
        self.role = order["role"]
        self.bootstrap = order["bootstrap"]
        self.topic = order["topic"]
        self.client = order["client"]
        self.producer = order["producer"]
        self.rate = order["rate"]
        self.size = order["size"]
        self.security = order.get("security")
        self.stopped = threading.Event()
        threading.Thread(target=self._listen, daemon=True).start()

    def _listen(self):
        for line in sys.stdin:
            command = json.loads(line)
            if command.get("command") == "stop":
                self.stopped.set()
            elif command.get("command") == "rate":
                self.rate = command["rate"]
        # Nobody is there to be told anything.
        if not self.stopped.is_set():
            os._exit(3)

    def key(self, sequence):
        return ("k%d" % (sequence % 101)).encode()

    def value(self, sequence):
        head = "%s %d " % (self.producer, sequence)
        padding = chr(ord("a") + sequence % 26)
        return (head + padding * max(0, self.size - len(head))).encode()


def librdkafka(security):
    """Its settings for who the client is, and whom it believes."""
    return {} if security is None else {
        "security.protocol": "SASL_SSL",
        "ssl.ca.location": security["ca"],
        "ssl.certificate.location": security["certificate"],
        "ssl.key.location": security["key"],
        "sasl.mechanisms": security["mechanism"],
        "sasl.username": security["user"],
        "sasl.password": security["password"],
    }


class Pace:
    """The rate of an order, evenly; what could not be sent in time is left out."""

    def __init__(self, order):
        self.order = order
        self.next = time.monotonic()

    def due(self):
        """Seconds to wait for the next record."""
        now = time.monotonic()
        period = 1.0 / self.order.rate
        self.next = max(self.next + period, now - period)
        return max(0.0, self.next - now)


class _Told(logging.Handler):
    def emit(self, record):
        level = "ERROR" if record.levelno >= logging.ERROR else "WARN"
        emit("log", level=level, text="%s: %s" % (record.name, record.getMessage()))


def tell_log(name=None):
    """From now on what a library writes into its log is told."""
    logger = logging.getLogger(name)
    logger.addHandler(_Told(level=logging.WARNING))
    logger.setLevel(logging.WARNING)
    logger.propagate = False
    return logger


class Rebalances:
    """The first assignment is the beginning, each further one a rebalance."""

    def __init__(self):
        self.begun = False

    def assigned(self):
        if self.begun:
            emit("rebalance")
        self.begun = True
