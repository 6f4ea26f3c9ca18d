"""The subcommands: with a server running and without one, by hand at a terminal and from scripts."""

import fcntl
import json
import os
import pty
import re
import select
import shutil
import signal
import socket
import subprocess
import tempfile
import termios

import pytest

from retwis_server import PASSWORD, RETWIS, Browser, RedisServer, Server, limit, wait_until

SUBCOMMANDS = ["serve", "check-config", "user add", "user list", "user passwd", "user promote", "user demote",
               "user limit", "user suspend", "user restore",
               "user delete", "follow", "unfollow", "invite", "settings list", "settings get", "settings set",
               "settings history", "engine-check", "engine-export", "version", "help"]


def names_of(listing):
    """Names in the output of `user list`, by their admin flag."""
    return {line.split()[0]: line.split()[-1] for line in listing.splitlines()[1:]}


@pytest.fixture(name="tool", params=["running", "stopped"])
def fixture_tool(request, push_server):
    """Something with cli(): a server that runs, and a state directory whose server does not."""
    if request.param == "running":
        yield push_server
        return
    with Server(start=False) as server:
        yield server


def add(tool, name, *options, **more):
    """Adds an account."""
    return tool.cli("user", "add", name, *options, input=PASSWORD + "\n", **more)


# --- words -------------------------------------------------------------------------------------------------------------


def test_help(push_server):
    """Every command is listed and explains itself in each of the three ways."""
    listed = push_server.cli("--help")
    for name in SUBCOMMANDS:
        assert re.search(rf"^  {name}\b", listed, re.MULTILINE), name
        words = name.split()
        text = push_server.cli(*words, "--help")
        assert text.startswith(f"usage: retwis {name}")
        assert push_server.cli("help", *words) == text
    assert "user add" in push_server.cli("user", "--help")
    assert "engine" not in re.findall(r"^  (\S+)", listed, re.MULTILINE)


@pytest.mark.parametrize("words, hint", [
    (["srve"], 'did you mean "serve"?'), (["promote", "bob"], 'did you mean "user promote"?'), (["usr"], '"user"'),
    (["xyzzy"], '"retwis --help" lists all'), ([], "usage: retwis"), (["user"], "user add NAME"),
    (["user", "add"], "usage: retwis user add NAME"), (["serve", "now"], "too many arguments"),
    (["user", "add", "bob", "--king"], "unknown option --king"), (["invite", "--uses"], "--uses needs a value"),
    (["invite", "--uses", "many"], "from 1 to 100000"), (["invite", "--uses", "0"], "from 1 to 100000"),
    (["-c"], "needs the name of a file"), (["-c", "/nonexistent", "serve"], "/nonexistent"),
    (["engine"], "retwis serve"),
])
def test_wrong_usage(push_server, words, hint):
    """What was wrong is said, on standard error, and the status is 2."""
    done = push_server.cli(*words, expect=None)
    assert done.returncode == 2 and hint in done.stderr and done.stdout == ""


def test_version(push_server):
    """Names everything that is linked in."""
    text = push_server.cli("version")
    for name in ("retwis", "civetweb", "hiredis", "yyjson", "valkey", "inih", "sqlite", "libsodium", "libseccomp", "openssl", "zlib", "zstd",
                 "libdeflate", "zxcvbn"):
        assert re.search(rf"^{name} +\d", text, re.MULTILINE), name
    assert push_server.cli("--version") == text


@pytest.mark.parametrize("command", ["man", "config-man"])
def test_man_pages(push_server, command):
    """The pages are valid roff and say what the tables say."""
    page = push_server.cli(command)
    if shutil.which("groff"):
        done = subprocess.run(["groff", "-man", "-ww", "-Tutf8"], input=page, capture_output=True, text=True, check=True)
        assert done.stderr == ""
    for word in (SUBCOMMANDS if command == "man" else ["listen", "durability", "RETWIS_HTTP_LISTEN"]):
        assert word.replace("-", "\\-") in page


# --- configuration -----------------------------------------------------------------------------------------------------


def test_check_config(push_server, tmp_path):
    """All mistakes at once with their lines; nothing starts."""
    assert push_server.cli("check-config") == "configuration is good\n"
    assert f"state.directory = {push_server.state}\n" in push_server.cli("check-config", "--print")
    bad = tmp_path / "bad.ini"
    bad.write_text("[http]\nlisten = 80x\nport = 1\n[timeline]\nmode = pool\n")
    for words in (["check-config", "-c", str(bad)], ["-c", str(bad), "user", "list"], [f"--config={bad}", "serve"]):
        env = {k: v for k, v in push_server.env.items() if not k.startswith("RETWIS_")}
        done = subprocess.run([RETWIS, *words], env=env, capture_output=True, text=True, timeout=limit(30), check=False)
        assert done.returncode == 2
        assert re.findall(r"bad\.ini:(\d+): ", done.stderr) == ["2", "3", "5"]


def test_example_is_good(push_server, tmp_path):
    """retwis.ini as it is shipped is accepted and changes nothing."""
    example = tmp_path / "retwis.ini"
    example.write_text(push_server.cli("config-example"))
    assert push_server.cli("-c", str(example), "check-config", "--print") == push_server.cli("check-config", "--print")


# --- accounts ----------------------------------------------------------------------------------------------------------


def test_user_life(tool, unique):
    """Added, listed, promoted, demoted, deleted; a taken name is refused in words."""
    name, boss = unique("cli"), unique("boss")
    assert name in add(tool, name)
    assert "administrator" in add(tool, boss, "--admin", "--password-stdin")
    assert "This name is taken." in add(tool, name.upper(), expect=None).stderr
    listed = names_of(tool.cli("user", "list"))
    assert listed[name] == "no" and listed[boss] == "yes"
    tool.cli("user", "promote", name)
    tool.cli("user", "demote", boss.upper())
    rows = {row["name"]: row for row in map(json.loads, tool.cli("user", "list", "--json").splitlines())}
    assert rows[name]["admin"] is True and rows[boss]["admin"] is False
    assert (rows[name]["posts"], rows[name]["following"], rows[name]["followers"]) == (0, 0, 0)
    assert "--yes" in tool.cli("user", "delete", name, input="", expect=None).stderr
    tool.cli("user", "delete", name, "--yes")
    assert name not in names_of(tool.cli("user", "list"))
    assert "taken" in add(tool, name, expect=None).stderr


def test_output_that_goes_nowhere(server):
    """A reader who has seen enough (head) needs no words; a full disk does. Both are no success."""
    for words in ("config-example", "settings list"):  # without and with a look at the data
        reader, writer = os.pipe()
        os.close(reader)
        done = subprocess.run([RETWIS, *words.split()], env=server.env, check=False, stdout=writer, stderr=subprocess.PIPE)
        os.close(writer)
        assert done.returncode in (1, -signal.SIGPIPE) and done.stderr == b"", words
        with open("/dev/full", "w", encoding="ascii") as full:
            done = subprocess.run([RETWIS, *words.split()], env=server.env, check=False, stdout=full, stderr=subprocess.PIPE)
        assert done.returncode == 1 and b"No space left" in done.stderr, words


def test_rules_in_words(tool):
    """Every broken rule of a form is told with its numbers."""
    done = tool.cli("user", "add", "x!", input="short\n", expect=None)
    assert done.returncode == 1
    assert "username: Use 3 to 30 letters" in done.stderr and "password: Use at least 8 characters" in done.stderr
    assert tool.cli("user", "add", "nobody_yet", input="", expect=None).returncode == 1


@pytest.mark.parametrize("words", [("passwd",), ("promote",), ("demote",), ("limit",), ("suspend",), ("restore",), ("delete", "--yes")])
def test_no_such_user(push_server, words):
    """Said in words, status 1."""
    done = push_server.cli("user", words[0], "nobody_here", *words[1:], input=PASSWORD, expect=None)
    assert done.returncode == 1 and '"nobody_here"' in done.stderr


def test_added_user_signs_in(push_server, unique):
    """The site and the tool mean the same accounts; a new password ends the sessions."""
    name = unique("cli")
    add(push_server, name)
    browser = Browser(push_server).sign_in(name)
    push_server.cli("user", "passwd", name, input="another good phrase\n")
    assert not browser.is_signed_in()
    assert Browser(push_server).try_sign_in(name).path != "/home"
    Browser(push_server).sign_in(name, "another good phrase")


def at_terminal(server, words, dialogue):
    """Runs a subcommand at a terminal; dialogue is what to wait for and what to type then. Status and screen."""
    master, slave = pty.openpty()
    process = subprocess.Popen([RETWIS, *words], env=server.env, stdin=slave, stdout=slave, stderr=slave,
                               start_new_session=True)
    os.close(slave)
    screen, seen = "", 0
    for prompt, answer in [*dialogue, (None, None)]:
        while prompt is None or prompt not in screen[seen:]:
            ready, _, _ = select.select([master], [], [], 20)
            assert ready, f"no {prompt!r} in {screen!r}"
            try:
                screen += os.read(master, 4096).decode()
            except OSError:  # the other side is closed
                break
        if prompt is None:
            break
        seen = len(screen)
        os.write(master, answer.encode() + b"\n")
    os.close(master)
    return process.wait(20), screen


def test_password_at_terminal(push_server, unique):
    """Asked for twice, and not shown."""
    name = unique("typed")
    status, screen = at_terminal(push_server, ["user", "add", name],
                                 [("Password: ", PASSWORD), ("again: ", PASSWORD)])
    assert status == 0 and PASSWORD not in screen
    status, screen = at_terminal(push_server, ["user", "passwd", name],
                                 [("Password: ", PASSWORD + "1"), ("again: ", PASSWORD + "2")])
    assert status == 1 and "The two passwords differ." in screen
    assert at_terminal(push_server, ["user", "delete", name], [("[y/N] ", "")])[0] == 1
    assert at_terminal(push_server, ["user", "delete", name], [("[y/N] ", "y")])[0] == 0


def test_check_shows_how_far_it_is(push_server):
    """A bar at a terminal, gone at the end; none of it where a program reads."""
    status, screen = at_terminal(push_server, ["check"], [])
    assert status == 0 and re.search(r"1/5 keys +\[#+ *\] +\d+%", screen)
    after = screen.rpartition("\r\x1b[K")[2]  # notes of caches may stand there, of tests that ran before
    assert re.search(r"^checked \d+ keys in [0-9.]+ s: [^\r\n]* no errors[^\r\n]*\r\n$", after, re.MULTILINE)
    done = push_server.cli("check", expect=None)
    assert done.stderr == "" and "\r" not in done.stdout and "checked " in done.stdout


def test_terminal_is_put_right():
    """Ctrl-C at the question for a password ends the tool, and the terminal shows again what is typed."""
    def prepare():
        signal.signal(signal.SIGINT, signal.SIG_DFL)  # a test run in the background ignores it, and so would the tool
        fcntl.ioctl(0, termios.TIOCSCTTY, 0)

    with Server(start=False) as server:
        master, slave = pty.openpty()
        process = subprocess.Popen([RETWIS, "user", "add", "somebody"], env=server.env, stdin=slave, stdout=slave,
                                   stderr=slave, start_new_session=True, preexec_fn=prepare)
        wait_until(lambda: not termios.tcgetattr(slave)[3] & termios.ECHO, 20, "the echo is off")
        os.write(master, b"secret\x03")
        assert process.wait(limit(20)) == -signal.SIGINT
        assert termios.tcgetattr(slave)[3] & termios.ECHO
        os.close(slave)
        os.close(master)


# --- relations, invitations, settings ----------------------------------------------------------------------------------


def test_follow(tool, unique, tmp_path):
    """Names from arguments, a file or standard input; a line and a status for what happened."""
    alice, bob, carol = unique("alice"), unique("bob"), unique("carol")
    for name in (alice, bob, carol):
        add(tool, name)
    assert tool.cli("follow", alice, bob, f"@{carol}") == f"{bob}: followed\n{carol}: followed\n"
    assert tool.cli("follow", alice, bob) == f"{bob}: was followed already\n"
    names = tmp_path / "names"
    names.write_text(f"# friends\n{bob}, nobody_here\n\n{alice} # myself\n")
    done = tool.cli("unfollow", alice, "--from", str(names), expect=None)
    assert done.returncode == 1
    assert done.stdout == f"{bob}: no longer followed\nnobody_here: no such user\n{alice}: is this account itself\n"
    assert tool.cli("unfollow", alice, "--from", "-", input=f"{bob}\n{carol}\n").count("\n") == 2
    assert tool.cli("follow", alice, expect=None).returncode == 2


def test_follow_more_than_a_call_takes(push_server, unique):
    """2500 names go in chunks."""
    name = unique("many")
    add(push_server, name)
    names = "\n".join(f"nobody_{i}" for i in range(2500))
    done = push_server.cli("follow", name, "--from", "-", input=names, expect=None)
    assert done.returncode == 1 and done.stdout.count("no such user") == 2500


def test_invite(unique):
    """A code of the tool lets one person in while registration is by invitation."""
    with Server(env={"RETWIS_HTTP_PUBLIC_URL": "http://site.example"}) as server:
        server.cli("settings", "set", "registration", "invite")
        code, link = server.cli("invite").splitlines()
        assert link == f"http://site.example/auth/sign_up?invite={code}"

        def page():
            return Browser(server).get(f"/auth/sign_up?invite={code}")

        wait_until(lambda: "invite_code" in page().form("form.sign-up").values, 3, "the form asks for a code")
        assert page().form("form.sign-up").values["invite_code"] == code
        Browser(server).sign_up(unique("guest"), invite_code=code)
        assert Browser(server).try_sign_up(unique("late"), invite_code=code).status == 422


def test_invite_without_an_address(push_server):
    """Nobody gets half an address: the code, and which key is missing."""
    done = push_server.cli("invite", expect=None)
    assert done.returncode == 0 and re.fullmatch(r"[\w-]{16}\n", done.stdout)
    assert "http.public_url" in done.stderr and done.stdout.strip() in done.stderr


def test_settings(tool):
    """Listed, changed, kept with time and who; what breaks a rule is refused with the rule."""
    before = tool.cli("settings", "get", "site.description")
    tool.cli("settings", "set", "site.description", "a\\b")
    assert tool.cli("settings", "get", "site.description") == "a\\b\n"
    tool.cli("settings", "set", "site.rules", "-", input="Be kind.\nBe brief.\n")
    assert tool.cli("settings", "get", "site.rules") == "Be kind.\nBe brief.\n"
    assert "site.rules = Be kind.\\nBe brief.\n" in tool.cli("settings", "list")
    assert re.match(r"\S+Z \S+ site\.rules: ", tool.cli("settings", "history"))
    assert "(hidden)" in tool.cli("settings", "get", "site.secret_key")
    done = tool.cli("settings", "set", "posts.length", "none", expect=None)
    assert done.returncode == 1 and "1 to 5000" in done.stderr
    done = tool.cli("settings", "set", "nonsense", "1", expect=None)
    assert done.returncode == 1 and '"nonsense"' in done.stderr
    tool.cli("settings", "set", "site.description", before.rstrip("\n"))
    tool.cli("settings", "set", "site.rules", "")


def test_settings_reach_the_server(push_server):
    """A running server shows a change within a second or so."""
    push_server.cli("settings", "set", "site.name", "Renamed & co")
    wait_until(lambda: "Renamed &amp; co" in Browser(push_server).get("/about").text, 2, "the page has the new name")
    push_server.cli("settings", "set", "site.name", "Retwis")


# --- as root, and from far ---------------------------------------------------------------------------------------------


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become somebody else")
def test_root_leaves_no_files_of_root():
    """A tool run by root writes as the owner of the state directory, so that the service can read it."""
    with Server(start=False) as server:
        os.chmod(server.directory, 0o755)
        os.chown(server.state, 65534, 65534)
        add(server, "somebody")
        server.cli("settings", "set", "site.name", "Mine")
        owners = {os.lstat(os.path.join(d, f)).st_uid for d, _, files in os.walk(server.state) for f in files}
        assert owners == {65534}


def test_external_engine(unique):
    """The same commands over an engine that is not embedded; when it is away, they say so."""
    with RedisServer() as redis, Server(engine=redis, start=False) as server:
        name = unique("far")
        add(server, name)
        assert name in server.cli("user", "list")
        redis.kill9()
        done = server.cli("user", "list", expect=None)
        assert done.returncode == 1 and "engine" in done.stderr


# --- serve: what the outside sees of its life --------------------------------------------------------------------------


@pytest.mark.parametrize("abstract", [False, True])
def test_tells_systemd(abstract):
    """READY, RELOADING, WATCHDOG and STOPPING, to a socket with a path or an abstract one."""
    directory = tempfile.mkdtemp(prefix="rt-n-", dir="/tmp")
    path = os.path.join(directory, "notify")
    said = []
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as listener:
        listener.bind("\0" + path if abstract else path)
        listener.settimeout(0.1)

        def hears(word):
            try:
                while True:
                    said.extend(listener.recv(4096).decode().splitlines())
            except TimeoutError:
                return word in said

        env = {"NOTIFY_SOCKET": "@" + path if abstract else path, "WATCHDOG_USEC": "3000000"}
        with Server(env=env) as server:
            wait_until(lambda: hears("READY=1"), 5, "READY=1")
            wait_until(lambda: hears("WATCHDOG=1"), 5, "WATCHDOG=1")
            said.clear()
            server.process.send_signal(signal.SIGHUP)
            wait_until(lambda: hears("READY=1"), 5, "READY=1 after RELOADING=1")
            assert said.index("RELOADING=1") < said.index("READY=1")
            server.stop()
            assert hears("STOPPING=1")
    shutil.rmtree(directory)


def test_reload(tmp_path):
    """SIGHUP: the log's level changes; a mistake in the file is told and changes nothing."""
    file = tmp_path / "retwis.ini"
    file.write_text("[log]\nlevel = info\n")
    with Server(arguments=["-c", str(file)]) as server:
        file.write_text("[log]\nlevel = nonsense\n")
        server.process.send_signal(signal.SIGHUP)
        wait_until(lambda: "stays as it was" in server.log(), 5, "the mistake is told")
        assert f"{file}:2" in server.log()
        file.write_text("[log]\nformat = json\n")
        server.process.send_signal(signal.SIGHUP)
        wait_until(lambda: server.log_lines()[-1].startswith("{"), 5, "lines of JSON")
        assert json.loads(server.log_lines()[-1])["area"] == "serve"
        assert server.health() == 200


def test_reload_says_what_needs_a_restart(tmp_path):
    """Keys that a reload takes are taken; those that it does not are named, also a password inside of a URL."""
    file = tmp_path / "retwis.ini"
    file.write_text("[log]\naccess_rate = 0\n[http]\nmax_body = 64k\n")
    with Server(arguments=["-c", str(file)]) as server:
        browser = Browser(server)

        def reload(text, word):
            file.write_text(text)
            before = len(server.log_lines())
            server.process.send_signal(signal.SIGHUP)
            wait_until(lambda: any(word in line for line in server.log_lines()[before:]), 5, word)
            return [line for line in server.log_lines()[before:] if "restart" in line]

        assert not reload("[log]\naccess = no\n[http]\nmax_body = 64k\n", "read again")
        before = len(server.log_lines())
        browser.get("/about")
        assert not [line for line in server.log_lines()[before:] if "request" in line]
        told = reload("[http]\nmax_body = 128k\n[timeline]\npage = 10\n[log]\naccess = yes\n", "a restart is needed")
        assert told[0].endswith(": http.max_body, timeline.page")
        told = reload("[redis]\nurl = redis://:secret@127.0.0.1:1\n", "a restart is needed")
        assert told[0].endswith(": redis.url") and "secret" not in server.log()
        before = len(server.log_lines())
        browser.get("/about")
        wait_until(lambda: any('path="/about"' in line for line in server.log_lines()[before:]), 5, "lines are written again")


def test_access_log_is_whole_at_the_end(tmp_path):
    """Lines that wait to be written in one go are there when the server has ended in order, each once and before its last words;
    after a kill those that had been written are there, and no half line."""
    with Server(tmp_path, env={"RETWIS_LOG_ACCESS_RATE": "0"}) as server:
        browser = Browser(server)
        ids = [browser.get("/robots.txt").headers["X-Request-Id"] for _ in range(200)]
        server.stop()
        lines = server.log_lines()
        logged = [line for line in lines if 'path="/robots.txt"' in line]
        assert [re.search(r' id="(\w+)"', line)[1] for line in logged] == ids and lines[-1].endswith("serve: ended")
        server.start()
        last = [browser.get("/robots.txt") for _ in range(50)][-1]
        server.access(last)
        server.kill9()
        text = server.log()
        assert text.endswith("\n") and text.count('path="/robots.txt"') >= 50


def test_access_log_under_a_flood(tmp_path):
    """Above the rate only a sample of the requests gets a line; the others are counted, and nothing is lost to the metrics."""
    with Server(tmp_path, env={"RETWIS_LOG_ACCESS_RATE": "1"}) as server:
        browser, asked, told, lines = Browser(server), 0, 0, 0
        while asked < 2000 and not told:  # within one second there is more than one, on any machine
            for _ in range(50):
                browser.get("/about")
            asked += 50
            lines = len(re.findall(r'path="/about"', server.log()))
            told = sum(int(n) for n in re.findall(r"(\d+) requests got no line", server.log()))
        assert told and lines + told <= asked + 10 and lines < asked
        text = server.cli("stats", "--json")
        rows = [row for row in json.loads(text)["times"] if row.get("route") == "/about"]
        assert [(row["status"], row["count"]) for row in rows] == [(200, asked)]


def test_bash_completion(tmp_path):
    """Commands, their second words, options, and files where one is wanted."""
    script = tmp_path / "retwis"
    script.write_text(subprocess.run([RETWIS, "completion"], check=True, capture_output=True, text=True).stdout)
    (tmp_path / "names.txt").write_text("")

    def complete(*words):
        line = 'source "$0"; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _retwis; printf "%s\n" "${COMPREPLY[@]}"'
        done = subprocess.run(["bash", "-c", line, str(script), "retwis", *words], check=True, capture_output=True,
                              text=True, cwd=tmp_path)
        assert not done.stderr
        return done.stdout.split()

    everything = complete("")
    assert {"serve", "user", "settings", "check-config", "stats"} <= set(everything) and "engine" not in everything
    assert len(everything) == len(set(everything))
    assert complete("user", "") == ["add", "delete", "demote", "limit", "list", "passwd", "promote", "restore", "suspend"]
    assert complete("-c", "names.txt", "user", "pa") == ["passwd"]
    assert complete("user", "add", "--") == ["--admin", "--help", "--password-stdin"]
    assert complete("stats", "--j") == ["--json"]
    assert complete("follow", "ann", "--from", "na") == complete("-c", "na") == ["names.txt"]
    assert complete("nonsense", "") == []


def test_second_server_is_refused(push_server):
    """Two servers on one state directory: the second says who is there, and the first goes on."""
    done = push_server.cli("serve", expect=None)
    assert done.returncode == 1 and f"pid {push_server.process.pid}" in done.stderr
    assert push_server.health() == 200


def test_starts_without_engine_and_recovers(unique):
    """An external engine that is away: pages say 503, health is red; when it comes, so does the site."""
    with RedisServer() as redis:
        redis.stop()
        with Server(engine=redis, start=False) as server:
            server.start(wait=False)
            assert server.health() == 503
            assert Browser(server).get("/public", expect=None).status == 503
            redis.start()
            server.wait_healthy()
            Browser(server).sign_up(unique("late")).post("There it is")
            server.stop()
