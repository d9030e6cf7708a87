import { execFile } from 'node:child_process'
import { mkdtemp, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { StateFile } from './state-file.server'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'learnify-state-'))
})
afterAll(() => rm(folder, { recursive: true }))

const counterIn = (file: string) => new StateFile(file, () => ({ count: 0 }))

it('what several processes change at once is all there', async () => {
  const file = path.join(folder, 'shared.json')
  const program = path.join(folder, 'count.mjs')
  await writeFile(
    program,
    `import { StateFile } from '${path.join(import.meta.dirname, 'state-file.server.ts')}'
    const counter = new StateFile('${file}', () => ({ count: 0 }))
    for (let times = 0; times < 200; times++) counter.change((state) => void state.count++)`,
  )
  const count = () => promisify(execFile)(process.execPath, [program])
  await Promise.all([count(), count(), count()])
  expect(counterIn(file).read()).toEqual({ count: 600 })
})

it('a change that was cut short by a kill, or failed, holds up none later', async () => {
  const file = path.join(folder, 'cut.json')
  await writeFile(`${file}.new`, '{"cou')
  await utimes(`${file}.new`, 0, 0)
  const counter = counterIn(file)
  counter.change((state) => void state.count++)
  const fails = () => counter.change(() => JSON.parse('{'))
  expect(fails).toThrow()
  counter.change((state) => void state.count++)
  expect(counterIn(file).read()).toEqual({ count: 2 })
})
