import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'

const notes = readdirSync('docs/decisions')
const linesOf = (file: string) => readFileSync(file, 'utf8').trimEnd().split('\n')

describe('a note on a decision', () => {
  it.each(notes)('%s has a title, its date, the decision and why, in 15 lines', (note) => {
    const lines = linesOf(path.join('docs/decisions', note))
    expect(lines.length).toBeLessThanOrEqual(15)
    expect(lines.slice(0, 4)).toEqual([expect.stringMatching(/^# /), '', note.slice(0, 10), ''])
    expect(
      lines.filter((line) => /^\*\*(Decision|Why)\.\*\*( |$)/.test(line)).map((line) => line.split('.')[0]),
    ).toEqual(['**Decision', '**Why'])
  })
})

describe('ARCHITECTURE.md', () => {
  const text = linesOf('ARCHITECTURE.md')

  it('names only files and folders that exist', () => {
    const named = text.flatMap((line) => [...line.matchAll(/`([\w./-]+\/|[\w./-]+\.(?:tsx?|mjs|sh|md|yml))`/g)])
    const missing = named
      .map(([, name = '']) => name)
      .filter(
        (name) =>
          !name.startsWith('.') && !['.', 'app', 'app/features'].some((from) => existsSync(path.join(from, name))),
      )
      .filter((name) => !existsSync(path.join('app/server/database', name)) && !existsSync(path.join('scripts', name)))
    expect(named.length).toBeGreaterThan(40)
    expect(missing).toEqual([])
  })

  it('tells the one way for data in at most ten lines', () => {
    const start = text.indexOf('## One way for data')
    const end = text.findIndex((line, index) => index > start && line.startsWith('## '))
    const way = text.slice(start + 1, end).filter(Boolean)
    expect(way.length).toBeGreaterThan(0)
    expect(way.length).toBeLessThanOrEqual(10)
  })
})
