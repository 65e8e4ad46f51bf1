/// A peer broke the protocol: its session ends.
struct Misbehaviour: Error {}
