internal import LocalAPI

/// Schemas as rows.
enum SchemaTable {
    static func rendered(_ schemas: [SchemaView], width: Int?) -> String {
        var table = Table([
            .text("schema"), .number("version"), .text("collections", shrinksTo: 20),
            .text("spaces", shrinksTo: 12),
        ])
        for schema in schemas {
            table.add([
                schema.name, String(schema.version),
                schema.collections.map(\.name).joined(separator: ", "),
                schema.spaces.map(\.name).joined(separator: ", "),
            ])
        }
        return table.rendered(width: width)
    }
}
