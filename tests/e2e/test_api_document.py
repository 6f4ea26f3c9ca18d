"""The API's document says all that there is, and is well-formed. (Every answer of the other tests is held against it.)"""

import copy
import json
import re

import jsonschema
import pytest

from api_document import Document
from api_entities import ENTITIES
from retwis_clients import path as of_npm
from retwis_routes import read_api_routes
from retwis_server import Browser


@pytest.fixture(scope="module")
def document(push_server):
    return Document(push_server.url)


def test_every_route_is_in_it(document, server):
    """And nothing else; with its scopes, and with its variables as parameters of the path."""
    found = {(method.upper(), path) for path, item in document.value["paths"].items() for method in item}
    routes = {(method, re.sub(r"[:*](\w+)", r"{\1}", route.path)): route for route in read_api_routes(server) for method in route.methods}
    assert found == set(routes)
    for (method, path), route in routes.items():
        operation = document.value["paths"][path][method.lower()]
        assert operation["summary"] and operation["responses"]["default"]
        variables = {p["name"] for p in operation["parameters"] if p["in"] == "path"}
        assert variables == set(re.findall(r"{(\w+)}", path)), path
        assert all(p["required"] for p in operation["parameters"] if p["in"] == "path")
        names = [p["name"] for p in operation["parameters"]]
        assert len(names) == len(set(names)), path
        scopes = [scope for one in operation["security"] for scope in one.get("token", [])]
        assert ({} in operation["security"]) == (route.who[method] == "anyone"), path
        assert len(scopes) == len(set(scopes))


def test_it_is_well_formed(document):
    """Of version 3.1; schemas are schemas, references lead somewhere, required fields exist."""
    value = document.value
    assert re.fullmatch(r"3\.1\.\d+", value["openapi"]) and value["info"]["title"] and value["info"]["version"] and value["servers"]
    for name, schema in document.schemas.items():
        jsonschema.Draft202012Validator.check_schema(schema)
        assert set(schema["required"]) <= set(schema["properties"]), name

    def references(part):
        if isinstance(part, dict):
            if "$ref" in part:
                yield part["$ref"]
            for one in part.values():
                yield from references(one)
        elif isinstance(part, list):
            for one in part:
                yield from references(one)

    for reference in set(references(value)):
        assert reference.removeprefix("#/components/schemas/") in document.schemas, reference
    for item in value["paths"].values():
        for operation in item.values():
            assert set(operation) <= {"summary", "parameters", "requestBody", "security", "responses"}
            for status, answer in operation["responses"].items():
                assert re.fullmatch(r"[1-5]\d\d|default", status) and answer["description"]


def test_the_schema_of_openapi_accepts_it(document):
    """The official one of 3.1, which says what each object may hold; it notices what is missing, misspelt, of another type."""
    with open(of_npm("@seriousme", "openapi-schema-validator", "schemas", "v3.1", "schema.json"), encoding="utf-8") as f:
        schema = json.load(f)
    assert schema["$id"].startswith("https://spec.openapis.org/oas/3.1/schema/")
    validator = jsonschema.Draft202012Validator(schema)

    def faults(value):
        return [f"{'/'.join(map(str, e.absolute_path))}: {e.message[:300]}" for e in validator.iter_errors(value)]

    assert faults(document.value) == []
    for spoil in (lambda v, post: post["responses"]["default"].pop("description"), lambda v, post: post.update(parametres=[]),
                  lambda v, post: post.update(summary=1), lambda v, post: v["paths"].update({"api/v1/apps": {}}),
                  lambda v, post: v["info"].pop("version"), lambda v, post: v.update(openapi="3.0.3"),
                  lambda v, post: v["components"]["securitySchemes"]["token"].pop("type"),
                  lambda v, post: v["components"]["schemas"].update({"a b": {}})):
        other = copy.deepcopy(document.value)
        spoil(other, other["paths"]["/api/v1/apps"]["post"])
        assert faults(other) != []


def test_it_knows_the_fields_of_the_contract(document):
    """What the tests hold answers against field by field is in the document, with the same fields to be there."""
    for name, fields in ENTITIES.items():
        if name.endswith("+"):
            continue
        schema = document.schemas[name]
        assert set(schema["properties"]) >= {field.rstrip("~") for field in fields}, name
        assert set(schema["required"]) == {field for field in fields if not field.endswith("~")}, name


def test_people_can_read_it(document, server):
    """Every address on the page, too."""
    page = Browser(server).get("/developers")
    shown = {e.text for e in page.all(".route-address")}
    for path, item in document.value["paths"].items():
        for method in item:
            wanted = re.sub(r"{(\w+)}", r":\1", path)
            assert any(method.upper() in text and text.split()[-1].replace("*", ":") == wanted for text in shown), (method, path)
