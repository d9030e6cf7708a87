/** A number for each course of a segment, in as few bytes as the largest of them needs. */
export type Column = Uint8Array | Uint16Array | Uint32Array

/** @param most the largest number that it will hold. */
export function makeColumn(length: number, most: number): Column {
  if (most < 2 ** 8) return new Uint8Array(length)
  return most < 2 ** 16 ? new Uint16Array(length) : new Uint32Array(length)
}

export function writeColumn(numbers: readonly number[]): Buffer {
  const column = makeColumn(
    numbers.length,
    numbers.reduce((most, number) => Math.max(most, number), 0),
  )
  column.set(numbers)
  return Buffer.from(column.buffer)
}

/** @param length how many numbers there are. */
export function readColumn(stored: Uint8Array, length: number): Column {
  // A copy: what a connection reads is a part of something larger.
  const { buffer } = new Uint8Array(stored)
  if (stored.length === length) return new Uint8Array(buffer)
  return stored.length === length * 2 ? new Uint16Array(buffer) : new Uint32Array(buffer)
}
