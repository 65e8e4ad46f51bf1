internal import LocalAPI

/// Schemas as rows.
enum SchemaTable {
    static func rendered(_ schemas: [SchemaView], width: Int?) -> String {
        var table = Table([
            .text(tr("schema")), .number(tr("version")), .text(tr("collections"), shrinksTo: 20),
            .text(tr("spaces"), shrinksTo: 12),
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
