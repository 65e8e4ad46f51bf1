"""Two texts put together over the one they were made from (Merging.md)."""
SIGNS = ((0x2E80, 0x303F), (0x3041, 0x3096), (0x30A1, 0x30FA), (0x3400, 0x9FFF), (0xF900, 0xFAFF),
         (0x20000, 0x3FFFF))
EDITS, STEPS, SLIDES = 1_000, 2_000_000, 64


def kind(scalar):
    if scalar in " \t":
        return "space"
    if scalar < "\x80":
        return "word" if scalar.isalnum() or scalar == "_" else "single"
    code = ord(scalar)
    return "single" if any(low <= code <= high for low, high in SIGNS) else "word"


def words(text):
    pieces, last = [], None
    for scalar in text:
        now = kind(scalar)
        if pieces and now == last and now != "single":
            pieces[-1] += scalar
        else:
            pieces.append(scalar)
        last = now
    return pieces


def lines(text):
    pieces = text.split("\n")
    return [piece + "\n" for piece in pieces[:-1]] + ([pieces[-1]] if pieces[-1] else [])


def alignment(base, other):
    """By index in the base the place of that piece in the other text, or -1; nothing when they
    differ too much."""
    shorter = min(len(base), len(other))
    start = 0
    while start < shorter and base[start] == other[start]:
        start += 1
    end = 0
    while end < shorter - start and base[-1 - end] == other[-1 - end]:
        end += 1
    pairs = common(base[start:len(base) - end], other[start:len(other) - end])
    if pairs is None:
        return None
    places = [-1] * len(base)
    for index in range(start):
        places[index] = index
    for index in range(1, end + 1):
        places[-index] = len(other) - index
    for old, new in pairs:
        places[start + old] = start + new
    slide(places, base, other)
    return places


def slide(places, base, other):
    """Moves what stands in one text alone towards the end, as far as it reads the same there."""
    pairs = [(index, place) for index, place in enumerate(places) if place >= 0]
    steps = 0
    for start in range(len(pairs) - 1, -1, -1):
        for at in range(start, len(pairs)):
            old, new = pairs[at]
            before = pairs[at - 1] if at else (-1, -1)
            moved = before[0] + 1, before[1] + 1
            is_one_sided = (moved[0] == old) != (moved[1] == new)
            if not is_one_sided or base[moved[0]] != other[moved[1]] or steps == STEPS:
                break
            steps += 1
            places[old] = -1
            places[moved[0]] = moved[1]
            pairs[at] = moved


def comes_down(reached, diagonal, distance):
    return diagonal == -distance or diagonal != distance and (
        reached.get(diagonal - 1, -1) < reached.get(diagonal + 1, -1))


def common(old, new):
    """Myers' greedy algorithm; diagonals from the lowest, a step down where it reaches further."""
    if not old or not new:
        return []
    trace, reached, steps = [], {}, 0
    for distance in range(min(len(old) + len(new), EDITS) + 1):
        trace.append(reached)
        following = {}
        for diagonal in range(-distance, distance + 1, 2):
            if distance == 0:
                x = 0
            elif comes_down(reached, diagonal, distance):
                x = reached.get(diagonal + 1, -1)
            else:
                x = reached.get(diagonal - 1, -1) + 1
            begin = x
            while x < len(old) and x - diagonal < len(new) and old[x] == new[x - diagonal]:
                x += 1
            following[diagonal] = x
            if x >= len(old) and x - diagonal >= len(new):
                return backwards(trace, len(old), len(new))
            steps += 1 + x - begin
        if steps > STEPS:
            return None
        reached = following
    return None


def backwards(trace, x, y):
    pairs = []
    for distance in range(len(trace) - 1, -1, -1):
        reached, diagonal = trace[distance], x - y
        before = diagonal + 1 if comes_down(reached, diagonal, distance) else diagonal - 1
        before_x = reached.get(before, -1) if distance else 0
        before_y = before_x - before if distance else 0
        while x > before_x and y > before_y:
            x, y = x - 1, y - 1
            pairs.append((x, y))
        x, y = before_x, before_y
    return pairs


# ---------------------------------------------------------------- three texts

def is_space(piece):
    return piece[0] in " \t"


def ends_line(piece):
    return piece[-1] in "\r\n"


def ends_sentence(piece):
    return ends_line(piece) or piece in (".", "!", "?", "。")


def is_addition(before, run, one, other):
    """Whether both put whole lines or sentences in at one place; `run` pieces before it stand in
    all three texts."""
    for step in range(SLIDES + 1):
        sides = [[piece for piece in side if not is_space(piece)] for side in (one, other)]
        if all(side and ends_line(side[0]) for side in sides):
            return True
        left = [piece for piece in before if not is_space(piece)]
        if (not left or ends_sentence(left[-1])) and all(
                side and ends_sentence(side[-1]) for side in sides):
            return True
        if step >= run or not before or not before[-1] == one[-1] == other[-1]:
            return False
        one, other, before = one[-1:] + one[:-1], other[-1:] + other[:-1], before[:-1]
    return False


def chunks(base, one, other, ones, others):
    """Base and sides, cut where all three agree: their pieces, and the place in the base with the
    length of the run of agreeing pieces before it."""
    found = []
    at = (0, 0, 0)
    same = 0

    def close(*to):
        nonlocal at
        if at != to:
            found.append((base[at[0]:to[0]], one[at[1]:to[1]], other[at[2]:to[2]], at[0],
                          at[0] - same))
        at = to

    for index in range(len(base)):
        if ones[index] >= 0 and others[index] >= 0:
            place = (index, ones[index], others[index])
            is_next = at == place
            close(*place)
            if not is_next:
                same = index
            close(*(number + 1 for number in place))
    close(len(base), len(one), len(other))
    return found


def put_back(base, steps, cut):
    """The places of the pieces of the base that a step has put in again."""
    found = set()
    for step in steps:
        before, after = (alignment(base, cut(text)) for text in step)
        if before is not None and after is not None:
            found |= {place for place in range(len(base)) if before[place] < 0 <= after[place]}
    return found


def repeated(pieces):
    """Words that stand twice in a row, white space aside."""
    rest = [piece for piece in pieces if not is_space(piece)]
    return {one for one, other in zip(rest, rest[1:]) if one == other and kind(one[0]) == "word"}


def moves_deleted(base, one, other, ones, others):
    """Whether a word that neither side has in its place is put in elsewhere by one side alone."""
    gone = {piece for piece, mine, theirs in zip(base, ones, others)
            if mine < 0 and theirs < 0 and kind(piece[0]) == "word"}

    def put_in(text, places):
        kept = set(places)
        return gone & {piece for place, piece in enumerate(text) if place not in kept}

    return put_in(one, ones) != put_in(other, others)


def merged(base, one, other, prefers_other, steps=lambda side: []):
    """The merged text, and whether somebody should look; nothing when they differ too much.
    `steps` gives what writes of a side, 0 or 1, made of the texts before them."""
    for cut in (words, lines):
        pieces = [cut(text) for text in (base, one, other)]
        ones, others = alignment(pieces[0], pieces[1]), alignment(pieces[0], pieces[2])
        if ones is None or others is None:
            continue
        found = list(chunks(*pieces, ones, others))
        back = [set(), set()]
        for side in (0, 1):
            if any(old and sides[side] == old != sides[1 - side] for old, *sides, _, _ in found):
                back[side] = put_back(pieces[0], steps(side), cut)
        text, overlaps = [], False
        for old, mine, theirs, place, run in found:
            places = set(range(place, place + len(old)))
            if mine == theirs or mine == old and not places & back[0]:
                text += theirs
            elif theirs == old and not places & back[1]:
                text += mine
            elif not old and pieces[0] and is_addition(pieces[0][:place], run, mine, theirs):
                text += mine + theirs
            else:
                overlaps = True
                text += theirs if prefers_other else mine
        overlaps = bool(overlaps or repeated(text) - set().union(*map(repeated, pieces))
                        or moves_deleted(*pieces, ones, others))
        return "".join(text), overlaps
    return None
