internal import LocalAPI
internal import SyncCore
internal import Yams

/// Fields, their types, and derived values.
extension SchemaReader {
    private static let keys: Set<String> = [
        "type", "strategy", "search", "required", "local", "was", "of", "to", "on_delete", "kind",
    ]

    mutating func field(
        _ name: String, _ node: Node, _ path: String, targets: [String]
    ) -> FieldSchema {
        check(node, path, allows: SchemaReader.keys)
        let type = type(node, path, targets: targets)
        let field = FieldSchema(
            name: name, type: type, strategy: strategy(node, type, path),
            isSearched: flag(node, "search", path), isRequired: flag(node, "required", path),
            isLocal: flag(node, "local", path), formerNames: former(node, path))
        if field.isSearched, !type.isText {
            wrong(node, path, tr("only texts and sets of texts can be searched"))
        }
        if field.isRequired, !type.canBeRequired {
            wrong(node, path, tr("a \(type.word) cannot be required"))
        }
        guard field.isLocal else { return field }
        if field.isSearched || field.isRequired || node.mapping?["strategy"] != nil {
            wrong(
                node, path,
                tr("a local field is never sent: it has no strategy, search or required"))
        }
        if !type.canBeLocal { wrong(node, path, tr("a \(type.word) cannot be local")) }
        return field
    }

    private mutating func strategy(
        _ node: Node, _ type: FieldType, _ path: String
    ) -> MergeStrategy {
        var strategy = MergeStrategy.lastWrite
        if case .set = type { strategy = .union }
        guard let named = node.mapping?["strategy"] else { return strategy }
        guard let known = named.string.flatMap(MergeStrategy.init(rawValue:)) else {
            let choices = MergeStrategy.allCases.map(\.rawValue).joined(separator: ", ")
            unknown(named, path, tr("`strategy` must be one of \(choices)"))
            return strategy
        }
        guard known.fits(type) else {
            wrong(named, path, tr("the strategy \(known.rawValue) does not fit a \(type.word)"))
            return strategy
        }
        return known
    }

    private mutating func type(_ node: Node, _ path: String, targets: [String]) -> FieldType {
        guard let mapping = node.mapping, let word = mapping["type"]?.string else {
            wrong(node.mapping?["type"] ?? node, path, tr("a field has a `type`"))
            return .text
        }
        let type: FieldType
        switch word {
        case "text": type = .text
        case "integer": type = .integer
        case "decimal": type = .decimal
        case "boolean": type = .boolean
        case "time": type = .time
        case "position": type = .position
        case "json": type = .json
        case "order": type = .order
        case "blob": type = .blob(blobKind(mapping["kind"], path))
        case "reference": type = reference(node, mapping, path, targets: targets)
        case "set": type = set(node, mapping, path, targets: targets)
        default:
            unknown(
                mapping["type"] ?? node, path,
                tr(
                    """
                    `type` must be text, integer, decimal, boolean, time, position, json, blob, reference, \
                    set or order
                    """))
            type = .text
        }
        let own: [String: String] = [
            "kind": "blob", "to": "reference", "on_delete": "reference", "of": "set",
        ]
        for (key, owner) in own.sorted(by: { $0.key < $1.key }) where owner != word {
            if let stray = mapping[key] { wrong(stray, path, tr("`\(key)` belongs to a \(owner)")) }
        }
        return type
    }

    private mutating func set(
        _ node: Node, _ mapping: Node.Mapping, _ path: String, targets: [String]
    ) -> FieldType {
        guard let element = mapping["of"] else {
            wrong(node, path, tr("a set says `of` what"))
            return .set(of: .text)
        }
        check(element, path + ".of", allows: ["type", "to", "on_delete"])
        let word = element.mapping?["type"]?.string
        guard word != "set", word != "order", word != "blob" else {
            wrong(element, path + ".of", tr("a set is not of \(word ?? "")"))
            return .set(of: .text)
        }
        let elementType = type(element, path + ".of", targets: targets)
        if case .reference(_, .cascade) = elementType {
            wrong(element, path + ".of", tr("a set of references restricts or detaches"))
        }
        return .set(of: elementType)
    }

    private mutating func blobKind(_ node: Node?, _ path: String) -> NamedBlobKind {
        guard let node else { return .original }
        switch node.string {
        case "original": return .original
        case "thumbnail": return .thumbnail
        case "track": return .track
        default:
            unknown(node, path, tr("the `kind` of a blob is original, thumbnail or track"))
            return .original
        }
    }

    private mutating func reference(
        _ node: Node, _ mapping: Node.Mapping, _ path: String, targets: [String]
    ) -> FieldType {
        let target = mapping["to"]?.string ?? ""
        if !targets.contains(target) {
            wrong(
                mapping["to"] ?? node, path,
                tr("`to` names the collection itself or one that stands before it"))
        }
        let word = mapping["on_delete"]?.string
        let rule = word.flatMap(ReferenceRule.init(rawValue:))
        if rule == nil {
            let choices = ReferenceRule.allCases.map(\.rawValue).joined(separator: ", ")
            unknown(mapping["on_delete"] ?? node, path, tr("`on_delete` must be one of \(choices)"))
        }
        return .reference(collection: target, onDelete: rule ?? .detach)
    }

    // MARK: Derived values

    mutating func derived(
        _ node: Node, of collection: CollectionSchema, among collections: [CollectionSchema]
    ) -> [DerivedField] {
        let path = "collections.\(collection.name).derived"
        guard let nodes = node.mapping else {
            wrong(node, path, tr("`derived` must be a mapping of names"))
            return []
        }
        if nodes.count > Limits.schemaFields {
            wrong(node, path, tr("more than \(Limits.schemaFields) derived values"))
        }
        return nodes.prefix(Limits.schemaFields).compactMap { key, node in
            let name = self.name(key, path)
            return derived(name, node, "\(path).\(name)", of: collection, among: collections)
        }
    }

    private mutating func derived(
        _ name: String, _ node: Node, _ path: String, of collection: CollectionSchema,
        among collections: [CollectionSchema]
    ) -> DerivedField? {
        check(node, path, allows: ["rule", "of", "through", "field", "by"])
        let mapping = node.mapping
        guard let rule = mapping?["rule"]?.string.flatMap(DerivedField.Rule.init(rawValue:)) else {
            let choices = DerivedField.Rule.allCases.map(\.rawValue).joined(separator: ", ")
            unknown(mapping?["rule"] ?? node, path, tr("`rule` must be one of \(choices)"))
            return nil
        }
        guard let source = collections.first(where: { $0.name == mapping?["of"]?.string }) else {
            wrong(
                mapping?["of"] ?? node, path,
                tr("`of` names the collection whose records refer here"))
            return nil
        }
        guard let through = through(node, path, from: source, to: collection) else { return nil }
        let field = part(
            "field", node, path, of: source, isWanted: rule.hasField
        ) { rule.fits($0.type) }
        let by = part("by", node, path, of: source, isWanted: rule.hasOrder) { $0.type.isOrdered }
        return DerivedField(
            name: name, rule: rule, collection: source.name, through: through, field: field, by: by)
    }

    /// The reference field; it need not be named when there is only one.
    private mutating func through(
        _ node: Node, _ path: String, from source: CollectionSchema, to target: CollectionSchema
    ) -> String? {
        let candidates = source.fields.filter { field in
            if case .reference(target.name, _) = field.type { true } else { false }
        }
        guard let named = node.mapping?["through"] else {
            if candidates.count == 1 { return candidates.first?.name }
            wrong(
                node, path,
                tr("`through` names the field of \(source.name) that refers to \(target.name)"))
            return nil
        }
        guard let field = candidates.first(where: { $0.name == named.string }) else {
            wrong(named, path, tr("\(source.name) has no such reference to \(target.name)"))
            return nil
        }
        return field.name
    }

    private mutating func part(
        _ word: String, _ node: Node, _ path: String, of source: CollectionSchema, isWanted: Bool,
        fits: (FieldSchema) -> Bool
    ) -> String? {
        guard let named = node.mapping?[word] else {
            if isWanted {
                wrong(node, path, tr("this rule needs `\(word)`, a field of \(source.name)"))
            }
            return nil
        }
        guard isWanted else {
            wrong(named, path, tr("this rule has no `\(word)`"))
            return nil
        }
        guard let field = named.string.flatMap({ source.field($0) }), !field.isLocal, fits(field)
        else {
            wrong(named, path, tr("`\(word)` is no field of \(source.name) that fits this rule"))
            return nil
        }
        return field.name
    }
}

extension FieldType {
    fileprivate var isText: Bool { self == .text || self == .set(of: .text) }

    fileprivate var canBeRequired: Bool {
        switch self {
        case .set, .order: false
        default: true
        }
    }

    fileprivate var canBeLocal: Bool {
        switch self {
        case .set, .order, .blob, .reference: false
        default: true
        }
    }

    /// Whether its values can be ordered.
    fileprivate var isOrdered: Bool {
        switch self {
        case .time, .integer, .decimal, .order: true
        default: false
        }
    }
}
