"""The smallest valid instance of a JSON schema that the stand-in does not know."""

from __future__ import annotations

from typing import Any

_FORMATS = {
    "date": "2000-01-01",
    "date-time": "2000-01-01T00:00:00Z",
    "time": "00:00:00Z",
    "duration": "PT0S",
    "email": "nobody@example.com",
    "hostname": "example.com",
    "uri": "https://example.com/",
    "ipv4": "192.0.2.1",
    "ipv6": "2001:db8::1",
    "uuid": "00000000-0000-4000-8000-000000000000",
}


def instance(schema: dict[str, Any], root: dict[str, Any] | None = None) -> Any:
    root = schema if root is None else root
    if "$ref" in schema:
        return instance(_resolve(schema["$ref"], root), root)
    if "const" in schema:
        return schema["const"]
    if schema.get("enum"):
        return schema["enum"][0]
    for choice in ("anyOf", "oneOf"):
        if schema.get(choice):
            return instance(schema[choice][0], root)
    if schema.get("allOf"):
        merged: dict[str, Any] = {}
        for part in schema["allOf"]:
            merged |= _resolve(part["$ref"], root) if "$ref" in part else part
        return instance(merged, root)
    return _of_type(schema, root)


def _of_type(schema: dict[str, Any], root: dict[str, Any]) -> Any:
    kind = schema.get("type", "object")
    match kind[0] if isinstance(kind, list) else kind:
        case "object":
            properties = schema.get("properties", {})
            return {
                name: instance(properties.get(name, {"type": "string"}), root) for name in schema.get("required", [])
            }
        case "array":
            return [instance(schema.get("items", {"type": "string"}), root) for _ in range(schema.get("minItems", 0))]
        case "string":
            return _FORMATS.get(schema.get("format", "")) or "-" * schema.get("minLength", 0)
        case "integer" | "number":
            return _number(schema)
        case "boolean":
            return False
        case _:
            return None


def _number(schema: dict[str, Any]) -> Any:
    least = schema.get("minimum", schema.get("exclusiveMinimum", -1) + 1)
    return min(least, schema["maximum"]) if "maximum" in schema else least


def _resolve(reference: str, root: dict[str, Any]) -> dict[str, Any]:
    found: Any = root
    for step in reference.removeprefix("#/").split("/"):
        found = found[step]
    return dict(found)
