import { statSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { didYouMean } from '~/server/validation/schema-problems'
import { type ContentReader, explainFileError } from './content-reader.server'

/**
 * Allowed downloads: the displayed kind by extension. Text files must be text; others are checked
 * by their first bytes.
 */
const kinds = {
  pdf: { name: 'PDF', starts: ['%PDF-'] },
  zip: { name: 'ZIP archive', starts: ['PK\x03\x04'] },
  docx: { name: 'Word document', starts: ['PK\x03\x04'] },
  pptx: { name: 'PowerPoint slides', starts: ['PK\x03\x04'] },
  xlsx: { name: 'Excel workbook', starts: ['PK\x03\x04'] },
  jpg: { name: 'JPEG picture', starts: ['\xff\xd8\xff'] },
  png: { name: 'PNG picture', starts: ['\x89PNG'] },
  webp: { name: 'WebP picture', starts: ['RIFF'] },
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
} satisfies Record<string, { name: string; starts?: string[] }>

type Extension = keyof typeof kinds

export const downloadExtensions = Object.keys(kinds) as Extension[]

/** A plain name, which needs no escaping in a header or an address. */
export const downloadNamePattern = new RegExp(
  `^[A-Za-z0-9][A-Za-z0-9_-]*(?:\\.[A-Za-z0-9_-]+)*\\.(?:${downloadExtensions.join('|')})$`,
)

/** So that a slow connection and a small disk hold them; `docs/content.md` names the limit. */
const maxDownloadBytes = 20_000_000

export function getDownloadKind(file: string): { name: string; starts?: string[] } {
  return kinds[file.slice(file.lastIndexOf('.') + 1) as Extension]
}

/**
 * The `Content-Type` of a download. Browsers save it because of `Content-Disposition`. Active
 * content (HTML, SVG, scripts) is also sent as plain text, in case a browser ignores that header.
 */
export function getDownloadContentType(file: string): string {
  if (file.endsWith('.pdf')) {
    return 'application/pdf'
  }

  return getDownloadKind(file).starts ? 'application/octet-stream' : 'text/plain; charset=utf-8'
}

/** A file of a lesson; `bytes` as it was when the content was loaded. */
export type Download = { file: string; title: string; bytes: number }

/** A lesson and its place in course.yaml. Lessons without material offer no files. */
type OfferingLesson = {
  lesson: { id: string; downloads?: readonly { file: string; title: string }[] }
  at: readonly PropertyKey[]
}

/**
 * Checks the files that lessons offer, and that each file of the folder is offered by a lesson.
 *
 * @returns by lesson id; only lessons that have any.
 */
export async function readDownloads(
  reader: ContentReader,
  folder: string,
  lessons: readonly OfferingLesson[],
): Promise<Record<string, Download[]>> {
  const read: Record<string, Download[]> = {}
  const sizes = new Map<string, number>()
  for (const { lesson, at } of lessons) {
    const offered: Download[] = []
    for (const [index, { file, title }] of (lesson.downloads ?? []).entries()) {
      if (offered.some((other) => other.file === file)) {
        reader.report(`${folder}/course.yaml`, `This lesson names \`${file}\` twice. Delete one.`, [
          ...at,
          'downloads',
          index,
        ])
      }

      const bytes = sizes.get(file) ?? (await check(reader, `${folder}/downloads/${file}`, file))
      sizes.set(file, bytes)
      offered.push({ file, title, bytes })
    }

    if (offered.length > 0) {
      read[lesson.id] = offered
    }
  }

  for (const name of reader.list(`${folder}/downloads`)) {
    if (sizes.has(name)) {
      continue
    }

    const problem = `No lesson offers this file.${didYouMean(name, [...sizes.keys()])} Name it in \`downloads\` of a lesson, or delete it.`
    reader.report(`${folder}/downloads/${name}`, problem)
  }

  return read
}

/** Files a course has, each counted once. */
export function countDownloads(downloads: Record<string, Download[]>): number {
  return new Set(
    Object.values(downloads)
      .flat()
      .map(({ file }) => file),
  ).size
}

/** @returns its size; 0, after reporting it, if the file is missing. */
async function check(reader: ContentReader, file: string, name: string): Promise<number> {
  if (!reader.expect(file, 'Add it, or remove it from `downloads`.')) {
    return 0
  }

  const { size } = statSync(reader.path(file))
  if (size > maxDownloadBytes) {
    const [megabytes, limit] = [size, maxDownloadBytes].map((bytes) =>
      (bytes / 1_000_000).toFixed(1),
    )
    reader.report(
      file,
      `The file is ${megabytes} MB; the limit is ${limit} MB. Compress or split it.`,
    )
    return size
  }

  const problem = await bytesProblem(reader.path(file), name).catch(explainFileError)
  if (problem) {
    reader.report(file, problem)
  }

  return size
}

/** A file of another kind than its name says would not open. */
async function bytesProblem(path: string, file: string): Promise<string | null> {
  const { name, starts } = getDownloadKind(file)
  const handle = await open(path)
  try {
    if (!starts) {
      return isText(await handle.readFile()) ? null : 'The file isn’t UTF-8. Save it as UTF-8.'
    }

    const head = Buffer.alloc(16)
    await handle.read(head, 0, head.length, 0)
    if (starts.some((start) => head.toString('latin1').startsWith(start))) {
      return null
    }

    return `This isn’t a file of the kind ‘${name}’, despite its name. Export it again or correct the extension.`
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
