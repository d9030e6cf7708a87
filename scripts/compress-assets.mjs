/**
 * Takes out of React Router's list of routes what only a link that prefetches reads. Stores every script, style and picture
 * in text form beside itself as .br and .gz, so that the server compresses nothing.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'

const folder = path.resolve(import.meta.dirname, '../build/client')
/** Where links lead that prefetch. */
const prefetched = new Set(['routes/one-course'])

for (const name of readdirSync(path.join(folder, 'assets')))
  if (/^manifest-.*\.js$/.test(name)) shorten(path.join(folder, 'assets', name))
for (const entry of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
  if (!/\.(js|css|svg|json|webmanifest)$/.test(entry)) continue
  const file = path.join(folder, entry)
  const bytes = readFileSync(file)
  writeFileSync(`${file}.br`, brotliCompressSync(bytes))
  writeFileSync(`${file}.gz`, gzipSync(bytes, { level: 9 }))
}

/** Each page names the files that it needs itself; the list names them for every page. */
function shorten(file) {
  const [before, list, after] = readFileSync(file, 'utf8').split(/(?<==)(\{.*\})/s)
  const { routes, ...rest } = JSON.parse(list)
  for (const [id, route] of Object.entries(routes)) if (!prefetched.has(id)) delete route.imports
  writeFileSync(file, before + JSON.stringify({ ...rest, routes }) + after)
}
