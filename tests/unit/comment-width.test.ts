import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'

/** The formatter wraps code at this width, but leaves comments alone. */
const maxColumns = 100
const folders = ['app', 'bench', 'scripts', 'tests', 'tools']
const commentLine = /^\s*(?:\/\/|\/\*\*|\*)/
/** The linter's suppressions have to be on one line. */
const suppression = /biome-ignore/

it('no comment is wider than the code', () => {
  const files = folders.flatMap(listSourceFiles)

  const wideComments = files.flatMap((file) => {
    const lines = readFileSync(file, 'utf8').split('\n')
    return lines
      .filter((line) => line.length > maxColumns)
      .filter((line) => commentLine.test(line) && !suppression.test(line))
      .map((line) => `${file}: ${line.trim()}`)
  })

  expect(files.length).toBeGreaterThan(0)
  expect(wideComments).toEqual([])
})

function listSourceFiles(folder: string): string[] {
  return readdirSync(folder, { encoding: 'utf8', recursive: true })
    .filter((name) => /\.tsx?$/.test(name))
    .map((name) => path.join(folder, name))
}
