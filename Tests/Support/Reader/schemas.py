"""The schema that a space follows, from its document (Schemas.md)."""
from dataclasses import dataclass, field

import yaml

from wire import expect


@dataclass
class Field:
    name: str
    type: str
    strategy: str
    local: bool = False
    was: tuple = ()
    of: str = ""                      # type of the elements of a set
    to: str = ""
    on_delete: str = ""


@dataclass
class Collection:
    name: str
    fields: dict
    was: tuple = ()
    derived: dict = field(default_factory=dict)

    @property
    def title(self):
        """The field by which people call a record."""
        texts = [one.name for one in self.fields.values() if one.type == "text"]
        return next((name for name in ("title", "name") if name in self.fields), (texts + [""])[0])

    @property
    def order(self):
        return next((one.name for one in self.fields.values() if one.type == "order"), None)


def names(word):
    return tuple(word) if isinstance(word, list) else (word,) if word else ()


def field_of(name, node):
    inner = node.get("of", {})
    is_set = node["type"] == "set"
    strategy = node.get("strategy", "union" if is_set else "lastWrite")
    reference = inner if is_set else node
    return Field(name, node["type"], strategy, node.get("local") == "true", names(node.get("was")),
                 inner.get("type", ""), reference.get("to", ""), reference.get("on_delete", ""))


def everywhere(name, *fields):
    return Collection(name, {one: Field(one, "text", "lastWrite") for one in fields})


class Schema:
    def __init__(self, document):
        root = yaml.load(document.decode(), yaml.BaseLoader)
        expect(root["schema"] == "1", "format of a schema")
        self.name = root["name"]
        found = [everywhere("person_profile", "name"),
                 everywhere("device_profile", "name", "person"),
                 everywhere("space_profile", "name"),
                 everywhere("record_origin", "author", "written", "source"),
                 everywhere("data_set", "name", "level", "content"),
                 everywhere("dismissed_change", "space", "change")]
        self.own = []
        for name, node in root["collections"].items():
            fields = {word: field_of(word, one) for word, one in node["fields"].items()}
            found.append(Collection(name, fields, names(node.get("was")), node.get("derived", {})))
            self.own.append(name)
        self.collections = {one.name: one for one in found}
        self.former = {was: one.name for one in found for was in one.was}
        for collection in found:
            for derived in collection.derived.values():
                if "through" not in derived:
                    derived["through"] = next(
                        one.name for one in self.collections[derived["of"]].fields.values()
                        if one.type == "reference" and one.to == collection.name)

    @property
    def is_journal(self):
        return self.name == "journal" and {"trip", "memory"} <= set(self.collections)

    @property
    def title_collection(self):
        return "trip" if self.is_journal else "space_profile"

    def current(self, collection, word):
        """A collection and a field by the names that they have now."""
        name = self.former.get(collection, collection)
        known = self.collections.get(name)
        for one in known.fields.values() if known else ():
            if word in one.was:
                return name, one.name
        return name, word
