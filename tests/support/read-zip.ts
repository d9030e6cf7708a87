import { crc32, inflateRawSync } from 'node:zlib'
import { expect } from 'vitest'

const signatures = { endOfDirectory: 0x06054b50, directoryEntry: 0x02014b50, localFile: 0x04034b50 }
/** The fixed lengths of the three headers. */
const headerLengths = { endOfDirectory: 22, directoryEntry: 46, localFile: 30 }
const utf8Flag = 0x0800
const deflateMethod = 8

/**
 * Reads an archive as unzip does, from the directory at the archive's end, and checks its
 * structure.
 */
export function readZip(zip: Buffer): Map<string, Buffer> {
  const end = zip.length - headerLengths.endOfDirectory
  expect(zip.readUInt32LE(end)).toBe(signatures.endOfDirectory)

  const files = new Map<string, Buffer>()
  const fileCount = zip.readUInt16LE(end + 10)
  let position = zip.readUInt32LE(end + 16)
  for (let index = 0; index < fileCount; index++) {
    const entry = readDirectoryEntry(zip, position)
    files.set(entry.name, readFile(zip, entry))
    position += entry.length
  }

  expect(position).toBe(end)

  return files
}

type DirectoryEntry = ReturnType<typeof readDirectoryEntry>

function readDirectoryEntry(zip: Buffer, position: number) {
  expect(zip.readUInt32LE(position)).toBe(signatures.directoryEntry)
  expect(zip.readUInt16LE(position + 8) & utf8Flag).toBe(utf8Flag)
  expect(zip.readUInt16LE(position + 10)).toBe(deflateMethod)

  const nameStart = position + headerLengths.directoryEntry
  const nameLength = zip.readUInt16LE(position + 28)
  const extraLength = zip.readUInt16LE(position + 30)

  return {
    length: headerLengths.directoryEntry + nameLength + extraLength,
    crc: zip.readUInt32LE(position + 16),
    compressedSize: zip.readUInt32LE(position + 20),
    size: zip.readUInt32LE(position + 24),
    localHeaderPosition: zip.readUInt32LE(position + 42),
    name: zip.toString('utf8', nameStart, nameStart + nameLength),
  }
}

function readFile(zip: Buffer, entry: DirectoryEntry): Buffer {
  const header = entry.localHeaderPosition
  expect(zip.readUInt32LE(header)).toBe(signatures.localFile)

  const nameStart = header + headerLengths.localFile
  const nameLength = zip.readUInt16LE(header + 26)
  const extraLength = zip.readUInt16LE(header + 28)
  expect(zip.toString('utf8', nameStart, nameStart + nameLength)).toBe(entry.name)

  const dataStart = nameStart + nameLength + extraLength
  const bytes = inflateRawSync(zip.subarray(dataStart, dataStart + entry.compressedSize))
  expect(bytes.length).toBe(entry.size)
  expect(crc32(bytes)).toBe(entry.crc)

  return bytes
}
