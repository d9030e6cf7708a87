import { createHash } from 'node:crypto'
import { readdir, readFile, stat } from 'node:fs/promises'
import path from 'node:path'

/** Names that editors and systems leave behind: no content, wherever they lie. */
const foreignNames = [
  /^\./,
  /^#.*#$/,
  /~$/,
  /\.(sw[a-z]|tmp|temp|bak|orig|rej|part|crdownload)$/i,
  /^(thumbs\.db|ehthumbs\.db|desktop\.ini|__macosx|node_modules|4913)$/i,
  /___jb_(tmp|old)___$/,
]

/** Whether a file or folder of this name is none of ours: `.DS_Store`, `Thumbs.db`, `course.yaml~`, `.git` ... */
export function isForeign(name: string): boolean {
  return foreignNames.some((pattern) => pattern.test(name))
}

/** The same for a path: one foreign part is enough. */
export function isForeignPath(file: string): boolean {
  return file.split(/[\\/]/).some(isForeign)
}

/** Deeper folders hold no content; it also ends a link that leads back up. */
const deepest = 6

/**
 * Every file below a folder, links followed, foreign ones and unreadable folders left out.
 *
 * @returns paths from the folder with `/`, sorted.
 */
async function listFiles(folder: string, depth = deepest): Promise<string[]> {
  if (depth === 0) return []
  const names = await readdir(folder).catch(() => [])
  const lists = await Promise.all(
    names
      .filter((name) => !isForeign(name))
      .map(async (name) => {
        const found = await stat(path.join(folder, name)).catch(() => null)
        // What cannot be looked at is reported by whoever needs it.
        if (!found?.isDirectory()) return [name]
        return (await listFiles(path.join(folder, name), depth - 1)).map((file) => `${name}/${file}`)
      }),
  )
  return lists.flat().sort()
}

/**
 * SHA-256 over the names of all files, the bytes of texts and the sizes of the others: quick to take, so that a start can
 * skip the rest, and the same on every machine.
 */
export async function hashContent(folder: string): Promise<string> {
  const hash = createHash('sha256')
  for (const file of await listFiles(folder)) {
    const whole = path.join(folder, file)
    hash.update(file).update('\0')
    const found = await stat(whole).catch(() => null)
    // A pipe or a device would be read without end.
    const isText = found?.isFile() && /\.(yaml|md|vtt|svg)$/.test(file)
    hash.update(isText ? await readFile(whole).catch(() => 'unreadable') : String(found?.size))
    hash.update('\0')
  }
  return hash.digest('hex')
}
