"""What schemathesis is told about the local API: what is there, and which answers are wrong.

API_FOLDER is a folder to read from and write to. The names are those that the test 34-api makes.
"""
import os

import schemathesis

FOLDER = os.environ["API_FOLDER"]
# Names of existing things, by the property that takes one.
NAMES = {
    "trip": "Crete", "space": "Home", "collection": "product", "record": "Milk", "memory": "Beach",
    "person": "Ann", "device": "ann-pc", "bucketItem": "Dive", "tag": "sea",
}
# By the part of a path before the name. A trip called Spare may be deleted.
PLACES = {
    "trips": "Crete", "spaces": "Home", "schemas": "Home", "records": "Milk", "memories": "Beach",
    "why": "Beach", "devices": "ann-pc", "bucket": "Dive",
}
ENDINGS = ("leave", "decline")


def mostly(value, name):
    """Of made-up values, most become such as lead somewhere."""
    return name if sum(map(ord, value)) % 4 else value


def path(value):
    return f"{FOLDER}/{sum(map(ord, value)) % 7}" if isinstance(value, str) else value


def improved(value):
    if isinstance(value, list):
        return [improved(element) for element in value]
    if not isinstance(value, dict):
        return value
    result = {}
    for name, part in value.items():
        if name in NAMES and isinstance(part, str):
            result[name] = mostly(part, NAMES[name])
        elif name in ("path", "trackPath"):
            result[name] = path(part)
        elif name in ("photoPaths", "addPhotoPaths") and isinstance(part, list):
            result[name] = [path(element) for element in part]
        elif name == "fields" and isinstance(part, dict) and part:
            # Every collection has a name.
            result[name] = {"name": list(part.values())[0]}
        elif name == "waitSeconds":
            # A long poll finds no fault that an immediate answer would not show.
            result[name] = 0 if isinstance(part, int) else part
        else:
            result[name] = improved(part)
    return result


@schemathesis.hook
def map_path_parameters(context, path_parameters):
    if path_parameters and isinstance(path_parameters.get("id"), str):
        operation = context.operation
        place = operation.path.split("/")[2]
        name = PLACES.get(place, "nothing")
        ends = operation.method.lower() in ("delete", "patch") or operation.path.endswith(ENDINGS)
        if place == "trips" and ends:
            name = "Spare"
        path_parameters["id"] = mostly(path_parameters["id"], name)
    return path_parameters


@schemathesis.hook
def map_query(context, query):
    return improved(query) if query else query


@schemathesis.hook
def map_body(context, body):
    return improved(body)


@schemathesis.check
def no_surprise(ctx, response, case):
    """An answer that nobody foresaw. That something is busy or out of reach was foreseen."""
    if response.status_code >= 500:
        code = response.json().get("code")
        assert code in ("busy", "unreachable"), f"{response.status_code} {response.text}"
