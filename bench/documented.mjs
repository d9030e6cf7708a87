/** The files of docs/examples, with ports and folders of a run, so that what is tried is what operators copy. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import path from 'node:path'

const examples = path.resolve(import.meta.dirname, '../docs/examples')

/** @param {[from: string | RegExp, to: string][]} changes of lines that have to be there. */
export function documented(file, changes) {
  return changes.reduce(
    (text, [from, to]) => {
      const found = typeof from === 'string' ? text.includes(from) : from.test(text)
      assert.ok(found, `docs/examples/${file} no longer has ${from}`)
      return text.replace(from, to)
    },
    readFileSync(path.join(examples, file), 'utf8'),
  )
}
