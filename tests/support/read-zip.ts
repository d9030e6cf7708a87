import { crc32, inflateRawSync } from 'node:zlib'
import { expect } from 'vitest'

/** Reads an archive the way unzip does: from its directory at the end. */
export function readZip(zip: Buffer): Map<string, Buffer> {
  const end = zip.length - 22
  expect(zip.readUInt32LE(end)).toBe(0x06054b50)
  const files = new Map<string, Buffer>()
  let at = zip.readUInt32LE(end + 16)
  for (let left = zip.readUInt16LE(end + 10); left > 0; left--) {
    expect(zip.readUInt32LE(at)).toBe(0x02014b50)
    const [crc, stored, size] = [16, 20, 24].map((place) => zip.readUInt32LE(at + place)) as [
      number,
      number,
      number,
    ]
    const [nameLength, extraLength] = [zip.readUInt16LE(at + 28), zip.readUInt16LE(at + 30)]
    // Names in UTF-8, bytes deflated.
    expect([zip.readUInt16LE(at + 8) & 0x0800, zip.readUInt16LE(at + 10)]).toEqual([0x0800, 8])
    const local = zip.readUInt32LE(at + 42)
    const name = zip.toString('utf8', at + 46, at + 46 + nameLength)
    expect(zip.readUInt32LE(local)).toBe(0x04034b50)
    expect(zip.toString('utf8', local + 30, local + 30 + nameLength)).toBe(
      zip.toString('utf8', at + 46, at + 46 + nameLength),
    )
    const start = local + 30 + nameLength + zip.readUInt16LE(local + 28)
    const bytes = inflateRawSync(zip.subarray(start, start + stored))
    expect([bytes.length, crc32(bytes)]).toEqual([size, crc])
    files.set(name, bytes)
    at += 46 + nameLength + extraLength
  }

  expect(at).toBe(end)

  return files
}
