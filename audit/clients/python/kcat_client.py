"""kcat, a program of its own: this speaks for it. Needs nothing but Python."""

import subprocess
import sys
import threading
import time

from order import Order, Pace, Rebalances, emit, librdkafka


def kcat(order, *arguments, **pipes):
    settings = ["-b", order.bootstrap, "-X", "client.id=" + order.client]
    for name, value in librdkafka(order.security).items():
        settings += ["-X", name + "=" + value]
    return subprocess.Popen(
        ["kcat", *settings, *arguments],
        stderr=subprocess.PIPE,
        text=True,
        encoding="latin-1",
        bufsize=1,
        **pipes,
    )


def told(line):
    """librdkafka writes '%LEVEL|time|FACILITY|...', kcat itself '% text'."""
    if line.startswith("%") and line[1:2].isdigit():
        level = int(line[1])
        if level <= 4:
            text = line.split("|", 3)[-1]
            emit("log", level="ERROR" if level <= 3 else "WARN", text=text.strip())
    elif line.startswith("% ERROR") or line.startswith("% FATAL"):
        emit("log", level="ERROR", text=line.strip())


def produce(order):
    # One partition: then the answers come in the order of the records, and no number is needed.
    process = kcat(
        order, "-P", "-t", order.topic, "-p", "0", "-K:", "-vv", stdin=subprocess.PIPE
    )

    def listen():
        answered = 0
        for line in process.stderr:
            if "delivered to partition" in line:
                emit("acked", seq=answered)
                answered += 1
            elif "Delivery failed" in line:
                emit("exception", text=line.strip())
                answered += 1
            else:
                told(line)

    listener = threading.Thread(target=listen)
    listener.start()
    pace = Pace(order)
    sequence = 0
    while not order.stopped.is_set() and process.poll() is None:
        time.sleep(pace.due())
        emit("sent", seq=sequence)
        record = "%s:%s\n" % (order.key(sequence).decode(), order.value(sequence).decode())
        try:
            process.stdin.write(record)
            process.stdin.flush()
        except BrokenPipeError:
            break
        sequence += 1
    try:
        process.stdin.close()
    except BrokenPipeError:
        pass
    status = process.wait(35)
    listener.join(5)
    return status


def read(order):
    rebalances = Rebalances()
    process = kcat(
        order,
        "-G", order.client,
        "-X", "auto.offset.reset=earliest",
        "-u",
        "-f", "%p %s\n",
        order.topic,
        stdout=subprocess.PIPE,
    )

    def listen():
        for line in process.stderr:
            if "rebalanced" in line and "assigned" in line:
                rebalances.assigned()
            else:
                told(line)

    def end():
        order.stopped.wait()
        process.terminate()

    threading.Thread(target=listen, daemon=True).start()
    threading.Thread(target=end, daemon=True).start()
    for line in process.stdout:
        partition, value = line.rstrip("\n").split(" ", 1)
        emit("seen", partition=int(partition), value=value)
    status = process.wait(15)
    return 0 if order.stopped.is_set() else status or 1


order = Order()
status = (produce if order.role == "producer" else read)(order)
if status != 0:
    emit("exception", text="kcat ended with status %d" % status)
emit("done")
sys.exit(0)
