import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { LRUCache } from 'lru-cache'
import type * as z from 'zod'
import { textProblems } from '~/server/validation/content-fields'
import { didYouMean, schemaProblems } from '~/server/validation/schema-problems'
import { readYaml, type YamlFile } from './yaml-file.server'

type Problem = { file: string; line: number; text: string }

/** Far longer than any article; a page of it would be slow. */
const maxTextBytes = 1_000_000

/**
 * Parsed files that are remembered for their line numbers: more than the courses read at a time
 * have, but each takes much memory.
 */
const maxParsed = 64

/** Reads the files of a content folder and collects problems instead of stopping at the first. */
export class ContentReader {
  readonly #folder: string
  readonly #problems: Problem[] = []
  readonly #warnings: Problem[] = []
  readonly #yaml = new LRUCache<string, YamlFile>({ max: maxParsed })

  constructor(folder: string) {
    this.#folder = folder
  }

  /** Every problem as `file:line: sentence`, by file and line. */
  get problems(): string[] {
    return this.#sorted(this.#problems)
  }

  /** The files that have problems. */
  get brokenFiles(): string[] {
    return [...new Set(this.#problems.map(({ file }) => file))]
  }

  /** Warnings that do not prevent loading, in the same form. */
  get warnings(): string[] {
    return this.#sorted(this.#warnings)
  }

  /**
   * @param at a line, or a path in a YAML file, like `['lessons', 2, 'id']`, which is reported by
   * its line.
   */
  report(file: string, text: string, at: number | readonly PropertyKey[] = 0) {
    this.#problems.push({ file, line: this.#lineOf(file, at), text })
  }

  /** Like `report`, for problems that do not prevent loading. */
  warn(file: string, text: string, at: number | readonly PropertyKey[] = 0) {
    this.#warnings.push({ file, line: this.#lineOf(file, at), text })
  }

  path(file: string): string {
    return path.join(this.#folder, file)
  }

  has(file: string): boolean {
    return statSync(this.path(file), { throwIfNoEntry: false })?.isFile() ?? false
  }

  /** Names in a folder without files of editors and systems; empty without the folder. */
  list(folder: string): string[] {
    try {
      return readdirSync(this.path(folder))
        .filter((name) => !isSystemFile(name))
        .sort()
    } catch (error) {
      if (codeOf(error) !== 'ENOENT') {
        this.report(folder, explainFileError(error))
      }

      return []
    }
  }

  /**
   * Whether a file is there and can be looked at; reported if not.
   *
   * @param repair the fix if it is missing, as a sentence.
   */
  expect(file: string, repair: string): boolean {
    try {
      const found = statSync(this.path(file))
      if (found.isFile() && found.size > 0) {
        return true
      }

      if (found.isFile()) {
        this.report(file, `The file is empty. ${repair}`)
      } else {
        this.report(
          file,
          found.isDirectory()
            ? folderInstead
            : 'This is a pipe or a device. Put a file in its place.',
        )
      }
    } catch (error) {
      if (codeOf(error) === 'ENOENT') {
        this.#reportMissing(file, repair)
      } else {
        this.report(file, explainFileError(error))
      }
    }

    return false
  }

  /** @returns null, after reporting it, if the file cannot be read as text. */
  async text(
    file: string,
    repair = 'Add it, or remove what refers to it.',
  ): Promise<string | null> {
    if (!this.expect(file, repair)) {
      return null
    }

    try {
      const bytes = readFileSync(this.path(file))
      if (bytes.length > maxTextBytes) {
        this.report(
          file,
          `The file is ${bytes.length} bytes; the limit is ${maxTextBytes}. Split or shorten it.`,
        )
        return null
      }

      const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
      for (const { line, problem } of textProblems(text)) {
        this.report(file, problem, line)
      }

      return text
    } catch (error) {
      const encoded = error instanceof TypeError
      this.report(
        file,
        encoded ? 'The file isn’t UTF-8. Save it as UTF-8.' : explainFileError(error),
      )
      return null
    }
  }

  /**
   * @param missing the sentence for a missing file.
   * @returns `value` is the raw content of the file; `data` is set only if it is valid.
   */
  async yaml<Schema extends z.ZodType>(
    file: string,
    schema: Schema,
    missing?: string,
  ): Promise<{ value: unknown; data: z.infer<Schema> | null }> {
    if (
      missing &&
      !existsSync(this.path(file)) &&
      !this.list(path.posix.dirname(file)).includes(path.posix.basename(file))
    ) {
      const near = didYouMean(path.posix.basename(file), this.list(path.posix.dirname(file)))
      this.report(path.posix.dirname(file), `${missing}${near}`)
      return { value: null, data: null }
    }

    const text = await this.text(file)
    if (text === null) {
      return { value: null, data: null }
    }

    const yaml = readYaml(text)
    for (const { line, problem } of yaml.problems) {
      this.report(file, problem, line)
    }

    if (yaml.problems.length > 0) {
      return { value: null, data: null }
    }

    this.#yaml.set(file, yaml)
    const parsed = schema.safeParse(yaml.value, { reportInput: true })
    if (parsed.success) {
      return { value: yaml.value, data: parsed.data }
    }

    for (const { at, text } of schemaProblems(parsed.error.issues, schema, yaml.value)) {
      this.report(file, text, at)
    }

    return { value: yaml.value, data: null }
  }

  /** How a value of a YAML file is written, like `49.00`. */
  source(file: string, at: readonly PropertyKey[]): string | null {
    return this.#yaml.get(file)?.sourceOf(at) ?? null
  }

  #lineOf(file: string, at: number | readonly PropertyKey[]): number {
    if (typeof at === 'number') {
      return at
    }

    try {
      if (!this.#yaml.has(file)) {
        this.#yaml.set(file, readYaml(readFileSync(this.path(file), 'utf8')))
      }

      return this.#yaml.get(file)?.lineOf(at) ?? 0
    } catch {
      return 0
    }
  }

  #sorted(found: readonly Problem[]): string[] {
    const sorted = found.toSorted(byFileAndLine)
    const named = sorted.map(
      ({ file, line, text }) => `${this.#shown(file)}${line > 0 ? `:${line}` : ''}: ${text}`,
    )
    return [...new Set(named)]
  }

  #reportMissing(file: string, repair: string) {
    const { dir, base } = path.posix.parse(file)
    const names = this.list(dir)
    if (names.includes(base)) {
      return this.report(file, 'This link points to a missing file. Put the file itself here.')
    }

    this.report(file, `There is no such file.${didYouMean(base, names)} ${repair}`)
  }

  /** The path as the operator would type it, if that is short. */
  #shown(file: string): string {
    const relative = path.relative(process.cwd(), this.path(file))
    return relative.startsWith('..') ? this.path(file) : relative
  }
}

const folderInstead = 'This is a folder. Put a file of this name in its place.'

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}

/** Why a file or folder cannot be read, and the fix. */
export function explainFileError(error: unknown): string {
  const reasons: Record<string, string> = {
    ENOENT: 'There is no such file.',
    EACCES: 'Permission denied. Make it readable for the account that runs Learnify.',
    EPERM: 'Permission denied. Make it readable for the account that runs Learnify.',
    ELOOP: 'This link points to itself. Put the file itself here.',
    ENOTDIR: 'There’s a file where a folder should be. Move it.',
    EISDIR: folderInstead,
    ENAMETOOLONG: 'This name is too long. Shorten it.',
  }

  return (
    reasons[codeOf(error)] ??
    `The file can’t be read (${codeOf(error) || 'unknown reason'}). Check the disk.`
  )
}

/** Names of files that editors and systems leave behind. */
const systemFilePatterns = [
  /^\./,
  /^#.*#$/,
  /~$/,
  /\.(sw[a-z]|tmp|temp|bak|orig|rej|part|crdownload)$/i,
  /^(thumbs\.db|ehthumbs\.db|desktop\.ini|__macosx|node_modules|4913)$/i,
  /___jb_(tmp|old)___$/,
]

/** True for files of editors and systems: `.DS_Store`, `Thumbs.db`, `course.yaml~`, `.git` ... */
export function isSystemFile(name: string): boolean {
  return systemFilePatterns.some((pattern) => pattern.test(name))
}

/** The same for a path: true if any part of it is foreign. */
export function isSystemPath(file: string): boolean {
  return file.split(/[\\/]/).some(isSystemFile)
}

function byFileAndLine(one: Problem, other: Problem): number {
  if (one.file === other.file) {
    return one.line - other.line
  }

  return one.file < other.file ? -1 : 1
}
