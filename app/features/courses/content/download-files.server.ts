import { statSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { type SQL, sql } from 'drizzle-orm'
import { didYouMean } from '~/server/validation/schema-problems'
import { type ContentReader, explainFileError } from './content-reader.server'

/**
 * The kinds of files that lessons may offer, by extension. A file with a signature must start with
 * one of these bytes. A file of any other kind must be text.
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
  return downloadKinds[extension as DownloadExtension]
}

/**
 * Returns the `Content-Type` of a download. Browsers save it because of `Content-Disposition`.
 * Active content (HTML, SVG, scripts) is also sent as plain text, in case a browser ignores that
 * header.
 */
export function getDownloadContentType(fileName: string): string {
  if (fileName.endsWith('.pdf')) {
    return 'application/pdf'
  }

  const isText = getDownloadKind(fileName).signature === undefined
  return isText ? 'text/plain; charset=utf-8' : 'application/octet-stream'
}

export type Download = {
  file: string
  title: string
  /** The size of the file when the content was loaded. */
  bytes: number
}

/** A lesson and its place in course.yaml. Planned lessons have no downloads. */
type PlacedLesson = {
  lesson: { id: string; downloads?: readonly { file: string; title: string }[] }
  at: readonly PropertyKey[]
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
): Promise<Record<string, Download[]>> {
  const downloadsByLesson: Record<string, Download[]> = {}
  const bytesByFile = new Map<string, number>()

  for (const { lesson, at: yamlPath } of placedLessons) {
    const entries = lesson.downloads ?? []
    const downloads: Download[] = []

    for (const [index, { file, title }] of entries.entries()) {
      if (downloads.some((download) => download.file === file)) {
        const problem = `This lesson names \`${file}\` twice. Delete one.`
        reader.report(`${folder}/course.yaml`, problem, [...yamlPath, 'downloads', index])
      }

      const bytes =
        bytesByFile.get(file) ??
        (await checkDownload(reader, { path: `${folder}/downloads/${file}`, name: file }))
      bytesByFile.set(file, bytes)
      downloads.push({ file, title, bytes })
    }

    if (downloads.length > 0) {
      downloadsByLesson[lesson.id] = downloads
    }
  }

  reportUnusedFiles(reader, `${folder}/downloads`, [...bytesByFile.keys()])

  return downloadsByLesson
}

/** Small enough for a slow connection and a small disk. `docs/content.md` names the limit. */
const maxDownloadBytes = 20_000_000

/** @returns the size of the file in bytes; 0, after reporting it, if the file is missing */
async function checkDownload(
  reader: ContentReader,
  { path, name }: { path: string; name: string },
): Promise<number> {
  if (!reader.expect(path, 'Add it, or remove it from `downloads`.')) {
    return 0
  }

  const { size: bytes } = statSync(reader.path(path))
  if (bytes > maxDownloadBytes) {
    reader.report(
      path,
      `The file is ${formatMegabytes(bytes)} MB; the limit is ${formatMegabytes(maxDownloadBytes)} MB. Compress or split it.`,
    )
    return bytes
  }

  const problem = await findFormatProblem(reader.path(path), name).catch(explainFileError)
  if (problem) {
    reader.report(path, problem)
  }

  return bytes
}

function formatMegabytes(bytes: number): string {
  return (bytes / 1_000_000).toFixed(1)
}

/** Reports a file that would not open, because its format isn't that of its extension. */
async function findFormatProblem(path: string, name: string): Promise<string | null> {
  const kind = getDownloadKind(name)
  const handle = await open(path)
  try {
    if (kind.signature === undefined) {
      return isText(await handle.readFile()) ? null : 'The file isn’t UTF-8. Save it as UTF-8.'
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

function isText(bytes: Buffer): boolean {
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
  for (const name of reader.list(downloadsFolder)) {
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
export function countDownloads(downloadsByLesson: Record<string, Download[]>): number {
  const downloads = Object.values(downloadsByLesson).flat()
  return new Set(downloads.map(({ file }) => file)).size
}

/**
 * Returns a subquery for the number (`count`) and the total size (`bytes`) of a lesson's downloads, as JSON.
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
