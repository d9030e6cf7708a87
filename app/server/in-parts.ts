/** In parts of at least `most` by `sizeOf`; only the last may have less. */
export function* inParts<Each>(all: Iterable<Each>, sizeOf: (each: Each) => number, most: number): Generator<Each[]> {
  let part: Each[] = []
  let size = 0
  for (const each of all) {
    part.push(each)
    size += sizeOf(each)
    if (size < most) continue
    yield part
    part = []
    size = 0
  }
  if (part.length > 0) yield part
}
