import { hash } from 'node:crypto'

export type Checksum = { rows: number; checksum: string }

const newline = 0x0a
/** A SHA-256 as eight numbers of 32 bits. */
const words = 8

/**
 * Counts rows and adds up their SHA-256, word by word modulo 2³². The sum doesn't depend on the order of the rows: PostgreSQL
 * returns those of a restored table in another one.
 */
export class RowChecksum {
  #rows = 0
  readonly #sum = new Uint32Array(words)

  add(row: Uint8Array): void {
    const digest = hash('sha256', row, 'buffer')
    for (let word = 0; word < words; word++) {
      this.#sum[word] = (this.#sum[word] ?? 0) + digest.readUInt32LE(word * 4)
    }
    this.#rows += 1
  }

  /** @param lines rows as `COPY` writes them, each with its newline. */
  addLines(lines: Uint8Array): void {
    for (let start = 0; start < lines.length; ) {
      const end = lines.indexOf(newline, start)
      const next = end === -1 ? lines.length : end + 1
      this.add(lines.subarray(start, next))
      start = next
    }
  }

  addFile(name: string, bytes: Uint8Array): void {
    this.add(Buffer.concat([Buffer.from(`${name}\0`), bytes]))
  }

  result(): Checksum {
    const checksum = Buffer.alloc(words * 4)
    for (const [word, sum] of this.#sum.entries()) checksum.writeUInt32LE(sum, word * 4)
    return { rows: this.#rows, checksum: checksum.toString('hex') }
  }
}

export function sameChecksum(one: Checksum, other: Checksum | undefined): boolean {
  return one.rows === other?.rows && one.checksum === other.checksum
}
