/** Chunks whose sizes by `sizeOf` sum up to at least `size`; only the last may have less. */
export function* chunk<Item>(items: Iterable<Item>, sizeOf: (item: Item) => number, size: number): Generator<Item[]> {
  let part: Item[] = []
  let partSize = 0
  for (const item of items) {
    part.push(item)
    partSize += sizeOf(item)
    if (partSize < size) continue
    yield part
    part = []
    partSize = 0
  }
  if (part.length > 0) yield part
}
