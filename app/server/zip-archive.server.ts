import { buffer } from 'node:stream/consumers'
import { ZipFile } from 'yazl'

export type ArchiveFile = {
  /** With `/` between folders; any characters. */
  name: string
  bytes: Uint8Array
}

/** A ZIP archive, deflated. @param at the time of all files. */
export async function zipArchive(files: readonly ArchiveFile[], at: Date): Promise<Buffer> {
  const zip = new ZipFile()
  for (const { name, bytes } of files) zip.addBuffer(Buffer.from(bytes), name, { mtime: at })
  zip.end()
  return buffer(zip.outputStream)
}
