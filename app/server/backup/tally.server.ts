import { hash } from 'node:crypto'

const lanes = 8
const newline = 0x0a

/**
 * How many rows there are, and a checksum that doesn't depend on their order: a restored table gives back the same rows, but
 * PostgreSQL keeps them in places of its own. The checksum is the sum of the rows' SHA-256, number by number.
 */
export class Tally {
  rows = 0
  bytes = 0
  readonly #sums = new Uint32Array(lanes)
  #rest: Uint8Array | null = null

  add(row: Uint8Array): void {
    const digest = hash('sha256', row, 'buffer')
    for (let lane = 0; lane < lanes; lane++) {
      this.#sums[lane] = (this.#sums[lane] ?? 0) + digest.readUInt32LE(lane * 4)
    }
    this.rows += 1
    this.bytes += row.length
  }

  /** A file counts together with its name. */
  addFile(name: string, bytes: Uint8Array): void {
    this.add(Buffer.concat([Buffer.from(`${name}\0`), bytes]))
  }

  /** Rows as `COPY` writes them, each ended by a newline; a piece may end anywhere. */
  write(piece: Uint8Array): void {
    let start = 0
    for (let end = piece.indexOf(newline); end >= 0; end = piece.indexOf(newline, start)) {
      const row = piece.subarray(start, end + 1)
      this.add(this.#rest ? Buffer.concat([this.#rest, row]) : row)
      this.#rest = null
      start = end + 1
    }
    // The piece may be reused by whoever gave it.
    if (start < piece.length) this.#rest = Buffer.concat([this.#rest ?? Buffer.alloc(0), piece.subarray(start)])
  }

  /** @throws {Error} if the last row is not whole. */
  result(): TallyResult {
    if (this.#rest) throw new Error('The last row isn’t whole.')
    const checksum = Buffer.alloc(lanes * 4)
    for (const [lane, sum] of this.#sums.entries()) checksum.writeUInt32LE(sum, lane * 4)
    return { rows: this.rows, checksum: checksum.toString('hex') }
  }
}

export type TallyResult = { rows: number; checksum: string }

export function isSameTally(one: TallyResult | undefined, other: TallyResult | undefined): boolean {
  return one !== undefined && one.rows === other?.rows && one.checksum === other.checksum
}
