import { readFile } from 'node:fs/promises'
import path from 'node:path'
import privacy from '../../../content/pages/privacy.md?raw'
import terms from '../../../content/pages/terms.md?raw'
import { env } from '../env.server'
import type { ContentReader } from './content-reader.server'

const shipped = { terms, privacy }

/**
 * CommonMark of a page that the operator writes, read at each rendering.
 *
 * @returns the file in `content/pages/`; without one, Learnify's own.
 */
export async function readOperatorPage(name: keyof typeof shipped, folder = env.CONTENT_DIR): Promise<string> {
  return readFile(path.join(folder, 'pages', `${name}.md`), 'utf8').catch((error) => {
    if (error.code === 'ENOENT') return shipped[name]
    throw error
  })
}

/** Every page can be read and has an address. */
export async function checkOperatorPages(reader: ContentReader): Promise<void> {
  for (const name of reader.list('pages')) {
    const known = Object.keys(shipped).map((page) => `${page}.md`)
    if (known.includes(name)) await reader.text(`pages/${name}`)
    else reader.report(`pages/${name}`, `There is no page of this name. Use ${known.join(' or ')}.`)
  }
}
