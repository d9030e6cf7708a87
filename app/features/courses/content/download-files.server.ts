import { statSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { type SQL, sql } from 'drizzle-orm'
import { didYouMean } from '~/server/validation/schema-problems'
import { type ContentReader, explainFileError } from './content-reader.server'

/**
 * The kinds of files that lessons may offer, by extension. A file of a kind with a signature must
 * start with the signature's bytes. A file of any other kind must be text.
 */
const downloadKinds = {
  pdf: { name: 'PDF', signature: '%PDF-' },
  zip: { name: 'ZIP archive', signature: 'PK\x03\x04' },
  docx: { name: 'Word document', signature: 'PK\x03\x04' },
  pptx: { name: 'PowerPoint slides', signature: 'PK\x03\x04' },
  xlsx: { name: 'Excel workbook', signature: 'PK\x03\x04' },
  jpg: { name: 'JPEG picture', signature: '\xff\xd8\xff' },
  png: { name: 'PNG picture', signature: '\x89PNG' },
  webp: { name: 'WebP picture', signature: 'RIFF' },
  css: { name: 'CSS' },
  csv: { name: 'CSV data' },
  html: { name: 'HTML' },
  ipynb: { name: 'Jupyter notebook' },
  js: { name: 'JavaScript' },
  json: { name: 'JSON data' },
  md: { name: 'Markdown' },
  py: { name: 'Python' },
  sh: { name: 'Shell script' },
  sql: { name: 'SQL' },
  svg: { name: 'SVG drawing' },
  ts: { name: 'TypeScript' },
  tsv: { name: 'TSV data' },
  txt: { name: 'Text' },
  xml: { name: 'XML' },
  yaml: { name: 'YAML' },
} satisfies Record<string, DownloadKind>

type DownloadKind = { name: string; signature?: string }

type DownloadExtension = keyof typeof downloadKinds

export const downloadExtensions = Object.keys(downloadKinds) as DownloadExtension[]

/** Matches names that need no escaping in a header or a URL. */
export const downloadNamePattern = new RegExp(
  `^[A-Za-z0-9][A-Za-z0-9_-]*(?:\\.[A-Za-z0-9_-]+)*\\.(?:${downloadExtensions.join('|')})$`,
)

/** @param fileName a name that matches `downloadNamePattern` */
export function getDownloadKind(fileName: string): DownloadKind {
  const extension = fileName.slice(fileName.lastIndexOf('.') + 1)
  if (!Object.hasOwn(downloadKinds, extension)) {
    throw new Error(`Downloads can't have the extension '${extension}'.`)
  }

  return downloadKinds[extension as DownloadExtension]
}

/**
 * Returns the `Content-Type` of a download. `Content-Disposition` makes browsers save it. In case a
 * browser ignores that header, even HTML, SVG and scripts are sent as plain text.
 */
export function getDownloadContentType(fileName: string): string {
  if (fileName.endsWith('.pdf')) {
    return 'application/pdf'
  }

  const hasTextFormat = getDownloadKind(fileName).signature === undefined
  return hasTextFormat ? 'text/plain; charset=utf-8' : 'application/octet-stream'
}

export type Download = {
  file: string
  title: string
  /** The size of the file when the content was loaded. */
  bytes: number
}

/** A lesson and its path in course.yaml, such as `['curriculum', 0, 'lessons', 2]`. */
type PlacedLesson = {
  /** Planned lessons have no downloads. */
  lesson: { id: string; downloads?: readonly { file: string; title: string }[] }
  yamlPath: readonly PropertyKey[]
}

/**
 * Checks the files that lessons offer, and that each file in the folder of downloads is offered.
 *
 * @returns the downloads by lesson ID; lessons without downloads are not among them
 */
export async function readDownloads(
  reader: ContentReader,
  folder: string,
  placedLessons: readonly PlacedLesson[],
): Promise<Map<string, Download[]>> {
  const downloadsByLesson = new Map<string, Download[]>()
  const bytesByFile = new Map<string, number>()

  for (const { lesson, yamlPath } of placedLessons) {
    const entries = lesson.downloads ?? []
    const downloads: Download[] = []

    for (const [index, { file, title }] of entries.entries()) {
      if (downloads.some((download) => download.file === file)) {
        const problem = `This lesson names \`${file}\` twice. Delete one.`
        reader.report(`${folder}/course.yaml`, problem, [...yamlPath, 'downloads', index])
      }

      const bytes =
        bytesByFile.get(file) ??
        (await checkAndMeasure(reader, { path: `${folder}/downloads/${file}`, name: file }))
      bytesByFile.set(file, bytes)
      downloads.push({ file, title, bytes })
    }

    if (downloads.length > 0) {
      downloadsByLesson.set(lesson.id, downloads)
    }
  }

  reportUnusedFiles(reader, `${folder}/downloads`, [...bytesByFile.keys()])

  return downloadsByLesson
}

/** Small enough for a slow connection and a small disk. `docs/content.md` names the limit. */
const maxDownloadBytes = 20_000_000

/**
 * Reports a download that is missing, is too large or has the wrong format.
 *
 * @returns the size of the file in bytes, or 0 if it is missing
 */
async function checkAndMeasure(
  reader: ContentReader,
  { path, name }: { path: string; name: string },
): Promise<number> {
  // `checkFile` reports a missing file.
  if (!reader.checkFile(path, 'Add it, or remove it from `downloads`.')) {
    return 0
  }

  const { size: bytes } = statSync(reader.resolvePath(path))
  if (bytes > maxDownloadBytes) {
    reader.report(
      path,
      `The file is ${formatMegabytes(bytes)} MB; the limit is ${formatMegabytes(maxDownloadBytes)} MB. Compress or split it.`,
    )
    return bytes
  }

  const problem = await findFormatProblem(reader.resolvePath(path), name).catch(explainFileError)
  if (problem) {
    reader.report(path, problem)
  }

  return bytes
}

function formatMegabytes(bytes: number): string {
  return (bytes / 1_000_000).toFixed(1)
}

/** Returns a sentence about a file that isn't of the kind of its extension, or null. */
async function findFormatProblem(filePath: string, fileName: string): Promise<string | null> {
  const kind = getDownloadKind(fileName)
  const handle = await open(filePath)
  try {
    if (kind.signature === undefined) {
      const bytes = await handle.readFile()
      return isUtf8Text(bytes) ? null : 'The file isn’t UTF-8. Save it as UTF-8.'
    }

    const firstBytes = Buffer.alloc(kind.signature.length)
    await handle.read(firstBytes, 0, firstBytes.length, 0)
    if (firstBytes.toString('latin1') === kind.signature) {
      return null
    }

    return `This isn’t a file of the kind ‘${kind.name}’, despite its name. Export it again or correct the extension.`
  } finally {
    await handle.close()
  }
}

function isUtf8Text(bytes: Buffer): boolean {
  try {
    return !new TextDecoder('utf-8', { fatal: true }).decode(bytes).includes('\0')
  } catch {
    return false
  }
}

function reportUnusedFiles(
  reader: ContentReader,
  downloadsFolder: string,
  usedFiles: readonly string[],
): void {
  for (const name of reader.listNames(downloadsFolder)) {
    if (!usedFiles.includes(name)) {
      const suggestion = didYouMean(name, usedFiles)
      reader.report(
        `${downloadsFolder}/${name}`,
        `No lesson offers this file.${suggestion} Name it in \`downloads\` of a lesson, or delete it.`,
      )
    }
  }
}

/** Counts the files of a course. A file that several lessons offer counts once. */
export function countDownloads(downloadsByLesson: ReadonlyMap<string, Download[]>): number {
  const downloads = [...downloadsByLesson.values()].flat()
  return new Set(downloads.map(({ file }) => file)).size
}

/**
 * Returns a subquery for the downloads of a lesson: a JSON object with their number (`count`) and
 * their total size (`bytes`).
 *
 * @param downloads the column with the downloads
 */
export function selectDownloadSummary(downloads: SQL): SQL {
  return sql`
    select json_build_object(
      'count', count(*),
      'bytes', coalesce(sum((download->>'bytes')::int), 0)
    )
    from jsonb_array_elements(${downloads}) download`
}
