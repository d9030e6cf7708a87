import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'

/** `docs/specification.md`: each sentence, where it is built, and the tests that prove it. */
const rows = readRows(readFileSync('docs/specification.md', 'utf8'))

type Row = { number: string; sentence: string; built: string[]; proofs: string[] }

/**
 * The rows of every table: those whose first cell is a number like 2.12 or R.3. Cells list things
 * in code spans.
 */
function readRows(markdown: string): Row[] {
  return markdown
    .split('\n')
    .filter((line) => /^\| [\dR]+\.\d+ \|/.test(line))
    .map((line) => {
      const [, number = '', sentence = '', built = '', proof = ''] = line
        .split(/(?<!\\)\|/)
        .map((cell) => cell.trim())
      return { number, sentence, built: codeSpans(built), proofs: codeSpans(proof) }
    })
}

function codeSpans(cell: string): string[] {
  return [...cell.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code)
}

/** @returns what is wrong with a proof like `tests/e2e/x.spec.ts › a title`, or null. */
function problemOf(proof: string): string | null {
  const [file = '', title = ''] = proof.split(' › ')
  if (!/\.(test|spec)\.tsx?$/.test(file) || !existsSync(file)) {
    return `there is no test file ${file}`
  }

  const source = readFileSync(file, 'utf8')
  const quoted = [`'${title}'`, `"${title}"`, `\`${title}\``]

  return title !== '' && quoted.some((text) => source.includes(text))
    ? null
    : `${file} has no test '${title}'`
}

/** @returns what is wrong with a row, each as a sentence that begins with its number. */
function problemsOf({ number, sentence, built, proofs }: Row): string[] {
  const problems = [
    sentence === '' && 'there is no sentence',
    built.length === 0 && 'no file builds it',
    proofs.length === 0 && 'no test proves it',
    ...built.filter((file) => !existsSync(file)).map((file) => `there is no file ${file}`),
    ...proofs.map(problemOf),
  ]

  return problems.filter(Boolean).map((problem) => `${number}: ${problem}`)
}

function repeated(values: string[]): string[] {
  return values.filter((value, index) => values.indexOf(value) !== index)
}

describe('the table of the specification', () => {
  it('has the nine sections and the readings', () => {
    const sections = new Set(rows.map(({ number }) => number.split('.')[0]))

    expect([...sections]).toEqual(['1', '2', '3', '4', '5', '6', '7', '8', '9', 'R'])
    expect(rows.length).toBeGreaterThan(150)
  })

  it('has no sentence and no number twice', () => {
    expect(repeated(rows.map(({ number }) => number))).toEqual([])
    expect(repeated(rows.map(({ sentence }) => sentence.toLowerCase()))).toEqual([])
  })

  it('names for each sentence a file that builds it and a test that proves it', () => {
    expect(rows.flatMap(problemsOf)).toEqual([])
  })

  it('would report a row whose file or test does not exist', () => {
    const row = { number: '1.1', sentence: 'It is so.', built: ['app/nowhere.ts'], proofs: [] }

    expect(problemsOf(row)).toEqual([
      '1.1: no test proves it',
      '1.1: there is no file app/nowhere.ts',
    ])
    expect(problemOf('tests/e2e/nowhere.spec.ts › a title')).toContain('no test file')
    expect(
      problemOf(
        'tests/unit/specification.test.ts › no such title, at all'.replace('title', 'tit-le'),
      ),
    ).toContain('has no test')

    expect(problemOf('tests/unit/specification.test.ts')).toContain('has no test')
  })
})
