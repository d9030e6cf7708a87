import { promisify } from 'node:util'
import { crc32, deflateRaw } from 'node:zlib'

const deflate = promisify(deflateRaw)

export type ArchiveFile = {
  /** With `/` between folders; any characters. */
  name: string
  bytes: Uint8Array
}

type Packed = { name: Buffer; stored: Buffer; crc: number; size: number; offset: number }

/** Names are UTF-8. */
const flags = 0x0800
const deflated = 8
/** The version that a reader needs: 2.0. */
const version = 20

/**
 * A ZIP archive (PKWARE's APPNOTE 6.3): deflated, names in UTF-8, no ZIP64, so at most 4 GB and 65,535 files.
 *
 * @param at of all files; years 1980 to 2107, to two seconds, in UTC.
 */
export async function zipArchive(files: readonly ArchiveFile[], at: Date): Promise<Buffer> {
  const packed: Packed[] = []
  const parts: Buffer[] = []
  let offset = 0
  for (const { name, bytes } of files) {
    const entry = {
      name: Buffer.from(name),
      stored: await deflate(bytes),
      crc: crc32(bytes),
      size: bytes.length,
      offset,
    }
    const header = Buffer.concat([numbers([[4, 0x04034b50]]), commonHeader(entry, at), entry.name])
    packed.push(entry)
    parts.push(header, entry.stored)
    offset += header.length + entry.stored.length
  }
  const directory = Buffer.concat(packed.map((entry) => directoryEntry(entry, at)))
  const end = numbers([
    [4, 0x06054b50],
    [2, 0],
    [2, 0],
    [2, packed.length],
    [2, packed.length],
    [4, directory.length],
    [4, offset],
    [2, 0],
  ])
  return Buffer.concat([...parts, directory, end])
}

/** What a file's own header and its entry in the directory share, from 'version needed' to 'extra length'. */
function commonHeader({ name, stored, crc, size }: Packed, at: Date): Buffer {
  const time = (at.getUTCHours() << 11) | (at.getUTCMinutes() << 5) | (at.getUTCSeconds() >> 1)
  const day = ((at.getUTCFullYear() - 1980) << 9) | ((at.getUTCMonth() + 1) << 5) | at.getUTCDate()
  return numbers([
    [2, version],
    [2, flags],
    [2, deflated],
    [2, time],
    [2, day],
    [4, crc],
    [4, stored.length],
    [4, size],
    [2, name.length],
    [2, 0],
  ])
}

function directoryEntry(entry: Packed, at: Date): Buffer {
  const start = numbers([
    [4, 0x02014b50],
    [2, version],
  ])
  // Comment length, disk, internal and external attributes: none.
  const rest = numbers([
    [2, 0],
    [2, 0],
    [2, 0],
    [4, 0],
    [4, entry.offset],
  ])
  return Buffer.concat([start, commonHeader(entry, at), rest, entry.name])
}

/** Little-endian numbers of two or four bytes. */
function numbers(fields: readonly (readonly [bytes: 2 | 4, value: number])[]): Buffer {
  const buffer = Buffer.alloc(fields.reduce((sum, [bytes]) => sum + bytes, 0))
  let at = 0
  for (const [bytes, value] of fields) at = buffer.writeUIntLE(value, at, bytes)
  return buffer
}
