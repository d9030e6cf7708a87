import { existsSync, readdirSync, readFileSync, type Stats, statSync } from 'node:fs'
import path from 'node:path'
import { LRUCache } from 'lru-cache'
import type * as z from 'zod'
import { findTextProblems } from '~/server/validation/content-fields'
import { describeSchemaProblems, didYouMean } from '~/server/validation/schema-problems'
import { readYaml, type YamlFile } from './yaml-file.server'

/** A sentence about a file for its author. Line 0 stands for the whole file. */
type Problem = { file: string; line: number; message: string }

/** The path of a value in a YAML file, like `['lessons', 2, 'id']`. */
type YamlPath = readonly PropertyKey[]

/** Where a problem is: at a line, or at a value, which is reported by its line. */
type Location = number | YamlPath

/** Much more than any article needs. A page with a longer text would be slow. */
const maxTextBytes = 1_000_000

/**
 * The maximum number of parsed files in the cache, from which the line numbers of problems come.
 * The cache needs room for the files of all courses that are read in parallel, but each file takes
 * much memory.
 */
const maxParsedFiles = 64

/**
 * Reads the files of a content folder, and collects problems instead of stopping at the first. All
 * paths of files are relative to the folder.
 */
export class ContentReader {
  readonly #folder: string
  readonly #problems: Problem[] = []
  readonly #warnings: Problem[] = []
  readonly #yamlFiles = new LRUCache<string, YamlFile>({ max: maxParsedFiles })

  constructor(folder: string) {
    this.#folder = folder
  }

  /** Every problem as `file:line: sentence`, by file and line. */
  get problems(): string[] {
    return this.#format(this.#problems)
  }

  /** Warnings, which do not prevent loading, in the same form. */
  get warnings(): string[] {
    return this.#format(this.#warnings)
  }

  /** The files that have problems. */
  get brokenFiles(): string[] {
    return [...new Set(this.#problems.map(({ file }) => file))]
  }

  /** Adds a problem. */
  report(file: string, message: string, location: Location = 0): void {
    this.#problems.push({ file, line: this.#findLine(file, location), message })
  }

  /** Adds a warning. */
  warn(file: string, message: string, location: Location = 0): void {
    this.#warnings.push({ file, line: this.#findLine(file, location), message })
  }

  /** Returns the path for functions of Node.js. */
  resolvePath(file: string): string {
    return path.join(this.#folder, file)
  }

  /**
   * Returns whether a file exists. Folders and links that lead nowhere are not files. A link that
   * points to itself counts, and so does a file in a folder without permission, because reading
   * them reports what is wrong.
   */
  hasFile(file: string): boolean {
    try {
      return statSync(this.resolvePath(file), { throwIfNoEntry: false })?.isFile() ?? false
    } catch (error) {
      return ['ELOOP', 'EACCES', 'EPERM'].includes(getErrorCode(error))
    }
  }

  /**
   * Returns the sorted names in a folder, without files of editors and operating systems. A missing
   * folder counts as empty.
   */
  listNames(folder: string): string[] {
    try {
      return readdirSync(this.resolvePath(folder))
        .filter((name) => !isSystemFile(name))
        .sort()
    } catch (error) {
      if (getErrorCode(error) !== 'ENOENT') {
        this.report(folder, explainFileError(error))
      }

      return []
    }
  }

  /**
   * Reports a file that is missing, empty, unreadable or not a regular file.
   *
   * @param repair a sentence that says what to do if the file is missing or empty
   * @returns whether the file can be read
   */
  checkFile(file: string, repair: string): boolean {
    try {
      const problemMessage = describeUnreadableStats(statSync(this.resolvePath(file)), repair)
      if (problemMessage === null) {
        return true
      }

      this.report(file, problemMessage)
    } catch (error) {
      if (getErrorCode(error) === 'ENOENT') {
        this.#reportMissing(file, repair)
      } else {
        this.report(file, explainFileError(error))
      }
    }

    return false
  }

  /**
   * Returns the text of a file. Returns null, after reporting it, if the file isn't readable text.
   */
  async readText(
    file: string,
    repair = 'Add it, or remove what refers to it.',
  ): Promise<string | null> {
    if (!this.checkFile(file, repair)) {
      return null
    }

    try {
      const { size } = statSync(this.resolvePath(file))
      if (size > maxTextBytes) {
        this.report(
          file,
          `The file is ${size} bytes; the limit is ${maxTextBytes}. Split or shorten it.`,
        )
        return null
      }

      const bytes = readFileSync(this.resolvePath(file))
      const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
      for (const { line, message } of findTextProblems(text)) {
        this.report(file, message, line)
      }

      return text
    } catch (error) {
      const isWrongEncoding = error instanceof TypeError
      this.report(
        file,
        isWrongEncoding ? 'The file isn’t UTF-8. Save it as UTF-8.' : explainFileError(error),
      )
      return null
    }
  }

  /**
   * Reads a YAML file.
   *
   * @param missingMessage reported for the folder if the file is missing
   * @returns `value` is the content of the file as it was parsed, or null if it can't be parsed.
   *   `data` is what the schema makes of it, or null if it isn't valid.
   */
  async readYamlFile<Schema extends z.ZodType>(
    file: string,
    schema: Schema,
    missingMessage?: string,
  ): Promise<{ value: unknown; data: z.infer<Schema> | null }> {
    if (missingMessage && this.#isMissing(file)) {
      const { dir, base } = path.posix.parse(file)
      this.report(dir, `${missingMessage}${didYouMean(base, this.listNames(dir))}`)
      return { value: null, data: null }
    }

    const text = await this.readText(file)
    if (text === null) {
      return { value: null, data: null }
    }

    const yamlFile = readYaml(text)
    if (yamlFile.problems.length > 0) {
      for (const { line, message } of yamlFile.problems) {
        this.report(file, message, line)
      }

      return { value: null, data: null }
    }

    this.#yamlFiles.set(file, yamlFile)
    const parsed = schema.safeParse(yamlFile.value, { reportInput: true })
    if (parsed.success) {
      return { value: yamlFile.value, data: parsed.data }
    }

    const problems = describeSchemaProblems(parsed.error.issues, schema, yamlFile.value)
    for (const { path: yamlPath, message } of problems) {
      this.report(file, message, yamlPath)
    }

    return { value: yamlFile.value, data: null }
  }

  /** Returns how a value is written in a YAML file that has been read, like `49.00`. */
  findYamlSource(file: string, yamlPath: YamlPath): string | null {
    return this.#yamlFiles.get(file)?.getSource(yamlPath) ?? null
  }

  /** A link that leads nowhere is not missing. It gets its own problem when it is read. */
  #isMissing(file: string): boolean {
    const { dir, base } = path.posix.parse(file)
    return !existsSync(this.resolvePath(file)) && !this.listNames(dir).includes(base)
  }

  #reportMissing(file: string, repair: string): void {
    const { dir, base } = path.posix.parse(file)
    const names = this.listNames(dir)
    const isBrokenLink = names.includes(base)
    this.report(
      file,
      isBrokenLink
        ? 'This link points to a missing file. Put the file itself here.'
        : `There is no such file.${didYouMean(base, names)} ${repair}`,
    )
  }

  #findLine(file: string, location: Location): number {
    if (typeof location === 'number') {
      return location
    }

    try {
      const yamlFile =
        this.#yamlFiles.get(file) ?? readYaml(readFileSync(this.resolvePath(file), 'utf8'))
      this.#yamlFiles.set(file, yamlFile)
      return yamlFile.getLine(location)
    } catch {
      return 0
    }
  }

  #format(problems: readonly Problem[]): string[] {
    const formattedProblems = problems
      .toSorted(compareByFileAndLine)
      .map(({ file, line, message }) => {
        const lineSuffix = line > 0 ? `:${line}` : ''
        return `${this.#formatPath(file)}${lineSuffix}: ${message}`
      })

    return [...new Set(formattedProblems)]
  }

  /** Returns the path as the operator would type it, if that is inside the working folder. */
  #formatPath(file: string): string {
    const relativePath = path.relative(process.cwd(), this.resolvePath(file))
    return relativePath.startsWith('..') ? this.resolvePath(file) : relativePath
  }
}

function compareByFileAndLine(one: Problem, other: Problem): number {
  if (one.file === other.file) {
    return one.line - other.line
  }

  return one.file < other.file ? -1 : 1
}

const folderInsteadOfFile = 'This is a folder. Put a file of this name in its place.'

/** Returns a sentence that says why this is not a readable file, or null if it is one. */
function describeUnreadableStats(stats: Stats, repair: string): string | null {
  if (stats.isDirectory()) {
    return folderInsteadOfFile
  }

  if (!stats.isFile()) {
    return 'This is a pipe or a device. Put a file in its place.'
  }

  return stats.size > 0 ? null : `The file is empty. ${repair}`
}

/** Returns a sentence that says why a file or folder cannot be read, and what to do. */
export function explainFileError(error: unknown): string {
  const code = getErrorCode(error)
  return (
    explanationByCode[code] ??
    `The file can’t be read (${code || 'unknown reason'}). Check the disk.`
  )
}

const explanationByCode: Record<string, string> = {
  ENOENT: 'There is no such file.',
  EACCES: 'Permission denied. Make it readable for the account that runs Learnify.',
  EPERM: 'Permission denied. Make it readable for the account that runs Learnify.',
  ELOOP: 'This link points to itself. Put the file itself here.',
  ENOTDIR: 'There’s a file where a folder should be. Move it.',
  EISDIR: folderInsteadOfFile,
  ENAMETOOLONG: 'This name is too long. Shorten it.',
}

function getErrorCode(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}

const systemFilePatterns = [
  // Hidden files, such as .DS_Store of macOS.
  /^\./,
  // Emacs.
  /^#.*#$/,
  /~$/,
  // Swap files of Vim, backups, rejected patches and unfinished downloads.
  /\.(sw[a-z]|tmp|temp|bak|orig|rej|part|crdownload)$/i,
  // Windows, archives of macOS, npm, and Vim's test whether a folder is writable.
  /^(thumbs\.db|ehthumbs\.db|desktop\.ini|__macosx|node_modules|4913)$/i,
  // Editors of JetBrains.
  /___jb_(tmp|old)___$/,
]

/**
 * Returns whether a file is one of those that editors and operating systems leave behind, like
 * `.DS_Store`.
 */
export function isSystemFile(name: string): boolean {
  return systemFilePatterns.some((pattern) => pattern.test(name))
}

/** Returns whether a path is, or lies in, a file or folder of an editor or operating system. */
export function isSystemPath(file: string): boolean {
  return file.split(/[\\/]/).some(isSystemFile)
}
