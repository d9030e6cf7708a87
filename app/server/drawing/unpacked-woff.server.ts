import { inflateSync } from 'node:zlib'

type Table = { tag: string; checksum: number; bytes: Buffer }

/**
 * The font inside a WOFF 1.0 file as TrueType or OpenType, other files as they are. Of a WOFF file `fontkit` unpacks all
 * outlines again for each letter that it draws, by a slow decoder of its own: half a second a certificate.
 */
export function unpackedWoff(file: Buffer): Buffer {
  if (file.toString('latin1', 0, 4) !== 'wOFF') return file
  const tables = listTables(file)
  const header = Buffer.alloc(12 + 16 * tables.length)
  file.copy(header, 0, 4, 8)
  const power = Math.floor(Math.log2(tables.length))
  for (const [index, number] of [tables.length, 16 << power, power, 16 * tables.length - (16 << power)].entries()) {
    header.writeUInt16BE(number, 4 + 2 * index)
  }
  let end = header.length
  for (const [index, { tag, checksum, bytes }] of tables.entries()) {
    const at = 12 + 16 * index
    header.write(tag, at, 'latin1')
    for (const [place, number] of [checksum, end, bytes.length].entries()) {
      header.writeUInt32BE(number, at + 4 + 4 * place)
    }
    end += padded(bytes.length)
  }
  return Buffer.concat([
    header,
    ...tables.flatMap(({ bytes }) => [bytes, Buffer.alloc(padded(bytes.length) - bytes.length)]),
  ])
}

/** A table that would not become smaller is stored as it is. */
function listTables(woff: Buffer): Table[] {
  return Array.from({ length: woff.readUInt16BE(12) }, (_, index) => {
    const entry = 44 + 20 * index
    const number = (place: number) => woff.readUInt32BE(entry + 4 * place)
    const [offset, packed, length, checksum] = [number(1), number(2), number(3), number(4)]
    const bytes = woff.subarray(offset, offset + packed)
    const tag = woff.toString('latin1', entry, entry + 4)
    return { tag, checksum, bytes: packed < length ? inflateSync(bytes, { maxOutputLength: length }) : bytes }
  })
}

const padded = (length: number) => Math.ceil(length / 4) * 4
