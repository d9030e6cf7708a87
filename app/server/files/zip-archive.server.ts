import { Readable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { ZipFile } from 'yazl'

type Content = Iterable<Uint8Array | string> | AsyncIterable<Uint8Array | string>

/**
 * Adds a file to an archive. The promise resolves when all of the content is in the archive.
 *
 * @param name may have any characters, with `/` between folders
 */
export type AddFile = (name: string, content: Content) => Promise<void>

/**
 * Returns a stream of a ZIP archive. The archive is created as fast as the stream is read, so that
 * only a small part of it is in memory.
 *
 * @param addFiles adds the files one after the other. If it fails, the stream ends with its error.
 * @param modifiedAt the modification time of all files
 */
export function createZipStream(
  addFiles: (add: AddFile) => Promise<void>,
  modifiedAt: Date,
): Readable {
  const zip = new ZipFile()
  const output = zip.outputStream as Readable
  zip.on('error', (error) => output.destroy(error))
  // The reader gets errors from the stream itself. Without this listener, an error before the first
  // read would end the process.
  output.on('error', () => {})

  const add: AddFile = async (name, content) => {
    const source = Readable.from(content)
    zip.addReadStream(source, name, { mtime: modifiedAt })
    // yazl does not stop reading the source when the reader of the archive has left.
    const stopReading = () => source.destroy(new Error('The reader of the archive has left.'))
    if (output.destroyed) {
      stopReading()
    }

    output.once('close', stopReading)
    await finished(source).finally(() => output.off('close', stopReading))
  }

  addFiles(add).then(
    () => zip.end(),
    (error) => output.destroy(error),
  )

  return output
}
