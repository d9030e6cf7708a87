import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'

/**
 * Compresses the scripts, styles, SVG pictures and JSON files of a folder. The compressed files are
 * stored beside them as .br and .gz, so that the server does not have to compress anything.
 */
export function compressAssets(folder: string): void {
  for (const entry of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (!/\.(js|css|svg|json|webmanifest)$/.test(entry)) {
      continue
    }

    const file = path.join(folder, entry)
    const bytes = readFileSync(file)
    writeFileSync(`${file}.br`, brotliCompressSync(bytes))
    writeFileSync(`${file}.gz`, gzipSync(bytes, { level: 9 }))
  }
}
