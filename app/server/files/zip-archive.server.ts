import { Readable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { ZipFile } from 'yazl'

type Content = Iterable<Uint8Array | string> | AsyncIterable<Uint8Array | string>
/**
 * @param name with `/` between folders; any characters. Resolves when all of the content has gone
 * into the archive.
 */
export type AddFile = (name: string, content: Content) => Promise<void>

/**
 * A ZIP archive, deflated, that is made as fast as it is read, so that only a few parts are in
 * memory.
 *
 * @param fill adds the files, one after the other. If it fails, the stream ends with its error and
 * no archive.
 * @param at the time of all files.
 */
export function zipArchive(fill: (add: AddFile) => Promise<void>, at: Date): Readable {
  const zip = new ZipFile()
  const output = zip.outputStream as Readable
  zip.on('error', (error) => output.destroy(error))
  // Errors reach the reader through the stream itself. It may have been closed before the first
  // read.
  output.on('error', () => {})
  const add: AddFile = async (name, content) => {
    const source = Readable.from(content)
    zip.addReadStream(source, name, { mtime: at })
    // The reader is gone, and the source doesn't notice by itself.
    const leave = () => source.destroy(new Error('The reader of the archive has left.'))
    if (output.destroyed) {
      leave()
    }

    output.once('close', leave)
    await finished(source).finally(() => output.off('close', leave))
  }

  fill(add).then(
    () => zip.end(),
    (error) => output.destroy(error),
  )

  return output
}
