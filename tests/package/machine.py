"""A Debian that is booted with systemd-nspawn for one test and forgotten afterwards.

All that it writes goes to memory (--volatile=overlay), so the tree that it starts from stays as it is, and several can
run at once. It has a network of its own without a way out; `enter_network` takes the test there. Nothing of systemd is
needed outside: commands go in by nsenter, not over a bus. It goes away with this process, whatever ends that (kill -9
leaves empty control groups).
"""

import ctypes
import os
import pathlib
import signal
import subprocess
import tempfile
import time

# After which it is given up; a busy machine takes its time.
BOOT_SECONDS = 180
STOP_SECONDS = 60
COMMAND_SECONDS = 300
PR_SET_PDEATHSIG = 1
CLONE_NEWNET = 0x40000000
libc = ctypes.CDLL(None, use_errno=True)


def landlock_version():
    """Of this kernel; below 1 it has none. (The number of the call is the same on all machines.)"""
    return libc.syscall(444, None, 0, 1)


class CannotBoot(Exception):
    """This machine cannot run it, which says nothing about what is tested."""


class Machine:
    """To be used in a `with`. `files` are seen read-only in /mnt of the machine."""

    def __init__(self, tree, files=()):
        self.name = f"retwis-test-{os.getpid()}"
        self.cgroups = []
        arguments = ["systemd-nspawn", "--quiet", "--boot", f"--directory={tree}", f"--machine={self.name}",
                     "--volatile=overlay", "--private-network", "--register=no", "--console=pipe",
                     # which Debian 12's nspawn does not know yet and therefore forbids
                     "--system-call-filter=landlock_create_ruleset landlock_add_rule landlock_restrict_self"]
        arguments += [f"--bind-ro={pathlib.Path(f).resolve()}:/mnt/{pathlib.Path(f).name}" for f in files]
        if not os.path.isdir("/run/systemd/system"):
            # Nobody there to give it a unit: it stays where it is, and that must be a place of its own, because what
            # boots in there takes its control groups for its own, and ends what it does not know.
            arguments += ["--keep-unit"]
            self.make_cgroups()
        self.console = tempfile.TemporaryFile()
        self.process = subprocess.Popen(arguments, stdin=subprocess.DEVNULL, stdout=self.console,
                                        stderr=subprocess.STDOUT, preexec_fn=self.before_exec)
        self.leader = None

    def make_cgroups(self):
        """One group per hierarchy in which systemd keeps its units."""
        for top in ("/sys/fs/cgroup", "/sys/fs/cgroup/systemd", "/sys/fs/cgroup/unified"):
            path = pathlib.Path(top, self.name)
            if os.path.exists(f"{top}/cgroup.procs"):
                try:
                    path.mkdir()
                    self.cgroups.append(path)
                except OSError:
                    pass # read-only; then there is hardly a second one to meet

    def before_exec(self):
        """In the child: ends with us, and joins its groups. SIGTERM, on which it shuts the machine down: when it is
        killed itself, the machine goes on."""
        libc.prctl(PR_SET_PDEATHSIG, signal.SIGTERM)
        for path in self.cgroups:
            (path / "cgroup.procs").write_text("0")

    def __enter__(self):
        try:
            self.wait_for_boot()
        except BaseException:
            self.stop()
            raise
        return self

    def __exit__(self, *unused):
        self.stop()

    def wait_for_boot(self):
        """Until systemd in there has started what it wants to start."""
        end = time.monotonic() + BOOT_SECONDS
        state = ""
        while state not in ("running", "degraded"):
            if self.process.poll() is not None or time.monotonic() > end:
                self.console.seek(0)
                said = self.console.read().decode(errors="replace").split("\n")
                raise CannotBoot(f"systemd-nspawn: {' '.join(said[-3:]).strip() or 'no answer'}")
            time.sleep(0.1)
            # The second of its children: the first one makes the namespaces and is gone then.
            children = pathlib.Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children")
            pids = children.read_text().split()
            if len(pids) == 1 and os.path.basename(os.path.realpath(f"/proc/{pids[0]}/exe")) == "systemd":
                self.leader = int(pids[0])
                state = self.run("systemctl", "is-system-running", check=False).stdout.strip()

    def run(self, *command, check=True, **options):
        """A command in there. The result has stdout (with stderr) as text."""
        inside = ["nsenter", f"--target={self.leader}", "--mount", "--uts", "--ipc", "--net", "--pid", "--",
                  "/usr/bin/env", "-i", "PATH=/usr/sbin:/usr/bin:/sbin:/bin", "HOME=/root", "LC_ALL=C.UTF-8",
                  "DEBIAN_FRONTEND=noninteractive", *command]
        done = subprocess.run(inside, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                              timeout=COMMAND_SECONDS, check=False,
                              **({"stdin": subprocess.DEVNULL} if "input" not in options else {}), **options)
        if check and done.returncode != 0:
            raise AssertionError(f"{' '.join(command)}: exit status {done.returncode}\n{done.stdout}")
        return done

    def enter_network(self):
        """From here on, this thread's connections are those of the machine."""
        with open(f"/proc/{self.leader}/ns/net", "rb") as space:
            if libc.setns(space.fileno(), CLONE_NEWNET) != 0:
                raise CannotBoot(f"setns: {os.strerror(ctypes.get_errno())}")

    def stop(self):
        """Shuts it down, by force if need be."""
        if self.process.poll() is None:
            self.process.terminate()
            try:
                self.process.wait(STOP_SECONDS)
            except subprocess.TimeoutExpired:
                if self.leader:
                    os.kill(self.leader, signal.SIGKILL)
                self.process.kill()
                self.process.wait()
        for path in self.cgroups:
            for directory, _, _ in os.walk(path, topdown=False):
                try:
                    os.rmdir(directory)
                except OSError:
                    pass # still empties itself: an empty group harms nobody
