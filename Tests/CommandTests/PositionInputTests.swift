import LocalAPI
import Testing

struct PositionInputTests {
    @Test(
        "positions of both hemispheres are understood",
        arguments: [
            ("-33.9,151.2", -33.9, 151.2), ("43.46, 11.88", 43.46, 11.88), ("+1,-0.5", 1, -0.5),
            ("-90,180", -90, 180), ("0,0", 0, 0), ("47,07;15,44", 47.07, 15.44),
            ("47,07; -15,4", 47.07, -15.4), ("47,1 15,4", 47.1, 15.4),
            ("43.46;11.88", 43.46, 11.88),
            ("43.46 11.88", 43.46, 11.88), ("43, 11", 43, 11), ("47,5;15", 47.5, 15),
        ])
    func understood(text: String, latitude: Double, longitude: Double) throws {
        let position = try PositionInput(text)
        #expect(position.latitude == latitude)
        #expect(position.longitude == longitude)
    }

    @Test(
        "a text that is not a position is refused",
        arguments: [
            "", "43.46", "47,07,15,44", "47,1 15", "47,07, 15,44", "1,2;3,4;5",
            "1;", "1,2,3;4", "43.46,11.88,5", "91,0", "0,181", "-90.1,0", "nan,0",
            "0,inf",
            "0x10,1", "1e1,2", "north,east", ",", "1,",
        ])
    func refused(text: String) {
        #expect(throws: APIError.self) { try PositionInput(text) }
    }

    @Test(
        "a circle has a distance in metres or kilometres, by default one kilometre",
        arguments: [
            ("-33.9,151.2", 1000.0), ("1,2,300m", 300), ("1,2,5km", 5000), ("1,2, 2.5 km", 2500),
            ("1,2,70", 70), ("47,1;15,4;2,5km", 2500), ("47,1 15,4 300m", 300),
            ("47,1;15,4; 5 km", 5000),
        ])
    func circle(text: String, metres: Double) throws {
        #expect(try NearInput(text).near.radius == metres)
    }

    @Test(
        "a circle without a usable distance is refused",
        arguments: [
            "1,2,0", "1,2,-5km", "1,2,far", "1,2,nan", "1,2,infkm", "1,2,3,4", "1",
        ])
    func badCircle(text: String) {
        #expect(throws: APIError.self) { try NearInput(text) }
    }
}
