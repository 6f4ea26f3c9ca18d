"""The thinnest complete path: sign up, post, read. When this fails, look here first."""

from retwis_server import Browser


def test_sign_up_post_read(any_server, unique):
    """The whole way of a newcomer."""
    name = unique("smoke")
    browser = Browser(any_server).sign_up(name)
    post = browser.post("Hello, world")
    assert browser.get("/home").texts == ["Hello, world"]
    assert post in browser.get(f"/@{name}").ids
    assert post in Browser(any_server).get("/public").ids
