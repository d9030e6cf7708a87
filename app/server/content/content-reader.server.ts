import { existsSync, readdirSync, statSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { isNode, LineCounter, parseDocument } from 'yaml'
import type * as z from 'zod'

/** Collects problems instead of stopping at the first. */
export class ContentReader {
  readonly problems: string[] = []
  readonly #folder: string
  readonly #lineOf = new Map<string, (keys: readonly PropertyKey[]) => number>()

  constructor(folder: string) {
    this.#folder = folder
  }

  /** @param at where in a YAML file, like `['lessons', 2, 'id']`; its line is named then. */
  report(file: string, problem: string, at?: readonly PropertyKey[]) {
    const line = at ? this.#lineOf.get(file)?.(at) : undefined
    this.problems.push(`${path.join(this.#folder, file)}${line ? `:${line}` : ''}: ${problem}`)
  }

  has(file: string): boolean {
    return existsSync(path.join(this.#folder, file))
  }

  isEmpty(file: string): boolean {
    return statSync(path.join(this.#folder, file)).size === 0
  }

  /** Names of the files in a folder; none if there is no such folder. */
  list(folder: string): string[] {
    const whole = path.join(this.#folder, folder)
    return existsSync(whole) ? readdirSync(whole) : []
  }

  async text(file: string): Promise<string> {
    try {
      const text = await readFile(path.join(this.#folder, file), 'utf8')
      if (text.includes('\0')) this.report(file, 'expected text without the character NUL')
      return text
    } catch {
      this.report(file, 'expected this file, but it cannot be read')
      return ''
    }
  }

  /** An alias of nothing, or too many of them, show only here. */
  #valueOf(document: ReturnType<typeof parseDocument>, file: string): unknown {
    try {
      return document.toJS()
    } catch (error) {
      this.report(file, error instanceof Error ? error.message : 'expected YAML without such aliases')
      return null
    }
  }

  async yaml<Schema extends z.ZodType>(file: string, schema: Schema): Promise<z.infer<Schema> | null> {
    const text = await this.text(file)
    if (!this.has(file)) return null
    const lines = new LineCounter()
    const document = parseDocument(text, { lineCounter: lines })
    for (const error of document.errors)
      this.report(`${file}:${lines.linePos(error.pos[0]).line}`, error.message.split('\n')[0] ?? '')
    if (document.errors.length > 0) return null
    this.#lineOf.set(file, (keys) => lineOf(document, lines, keys))
    const parsed = schema.safeParse(this.#valueOf(document, file))
    if (parsed.success) return parsed.data
    for (const issue of parsed.error.issues)
      this.report(file, `${issue.path.join('.') || 'the file'}: ${issue.message}`, issue.path)
    return null
  }
}

/** The line of the value at `keys`, or of the nearest thing around it that exists. */
function lineOf(document: ReturnType<typeof parseDocument>, lines: LineCounter, keys: readonly PropertyKey[]): number {
  for (let depth = keys.length; depth >= 0; depth--) {
    const node = depth === 0 ? document.contents : document.getIn(keys.slice(0, depth), true)
    if (isNode(node) && node.range) return lines.linePos(node.range[0]).line
  }
  return 1
}
