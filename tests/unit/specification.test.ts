import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'

/**
 * Each row of `docs/specification.md` has a sentence of the specification, the files that implement
 * it and the tests that prove it.
 */
type Row = { number: string; sentence: string; files: string[]; proofs: string[] }

const rows = readRows(readFileSync('docs/specification.md', 'utf8'))

/**
 * Reads the rows whose first cell is a number like 2.12 or R.3. Files and tests are in code spans.
 */
function readRows(markdown: string): Row[] {
  return markdown
    .split('\n')
    .filter((line) => /^\| [\dR]+\.\d+ \|/.test(line))
    .map((line) => {
      const [, number = '', sentence = '', files = '', proofs = ''] = line
        .split(/(?<!\\)\|/)
        .map((cell) => cell.trim())
      return { number, sentence, files: listCodeSpans(files), proofs: listCodeSpans(proofs) }
    })
}

function listCodeSpans(cell: string): string[] {
  return [...cell.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code)
}

/** Returns what is wrong with a proof like `tests/e2e/x.spec.ts › a title`, or null. */
function findProofProblem(proof: string): string | null {
  const [file = '', title = ''] = proof.split(' › ')
  if (!/\.(test|spec)\.tsx?$/.test(file) || !existsSync(file)) {
    return `there is no test file ${file}`
  }

  const source = readFileSync(file, 'utf8')
  const quotedTitles = [`'${title}'`, `"${title}"`, `\`${title}\``]
  const hasTest = title !== '' && quotedTitles.some((quoted) => source.includes(quoted))

  return hasTest ? null : `${file} has no test '${title}'`
}

/** Lists what is wrong with a row. Each problem begins with the number of the row. */
function listRowProblems({ number, sentence, files, proofs }: Row): string[] {
  const problems = [
    sentence === '' && 'there is no sentence',
    files.length === 0 && 'no file implements it',
    proofs.length === 0 && 'no test proves it',
    ...files.filter((file) => !existsSync(file)).map((file) => `there is no file ${file}`),
    ...proofs.map(findProofProblem),
  ]

  return problems.filter(Boolean).map((problem) => `${number}: ${problem}`)
}

function listRepeated(values: string[]): string[] {
  return values.filter((value, index) => values.indexOf(value) !== index)
}

describe('the table of the specification', () => {
  it('has the nine sections, and section R on how the specification is read', () => {
    const sections = new Set(rows.map(({ number }) => number.split('.')[0]))

    expect([...sections]).toEqual(['1', '2', '3', '4', '5', '6', '7', '8', '9', 'R'])
    expect(rows.length).toBeGreaterThan(150)
  })

  it('has no sentence and no number twice', () => {
    expect(listRepeated(rows.map(({ number }) => number))).toEqual([])
    expect(listRepeated(rows.map(({ sentence }) => sentence.toLowerCase()))).toEqual([])
  })

  it('names a file that implements each sentence and a test that proves it', () => {
    expect(rows.flatMap(listRowProblems)).toEqual([])
  })
})

describe('the check of a row', () => {
  it('reports a file that does not exist, and a missing proof', () => {
    const row = { number: '1.1', sentence: 'It is so.', files: ['app/nowhere.ts'], proofs: [] }

    expect(listRowProblems(row)).toEqual([
      '1.1: no test proves it',
      '1.1: there is no file app/nowhere.ts',
    ])
  })

  it('reports a proof whose test does not exist', () => {
    const thisFile = 'tests/unit/specification.test.ts'
    // The title is assembled, because this file contains every title that it quotes.
    const missingTitle = ['no', 'such', 'test'].join(' ')

    expect(findProofProblem('tests/e2e/nowhere.spec.ts › a title')).toContain('no test file')
    expect(findProofProblem(`${thisFile} › ${missingTitle}`)).toContain('has no test')
    expect(findProofProblem(thisFile)).toContain('has no test')
  })
})
