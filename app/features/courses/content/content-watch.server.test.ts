import {
  chmod,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  symlink,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { watchContent } from './content-watch.server'

let home: string
let folder: string
let stop: () => Promise<void>
/** The text of every file at each load; a file with the text 'broken' fails it. */
let loads: Record<string, string>[]
let said: string[]

const at = (name: string) => path.join(folder, name)
const latest = () => loads.at(-1) ?? {}

async function load() {
  const texts: Record<string, string> = {}
  for (const name of (await readdir(folder, { recursive: true }))
    .filter((name) => name.endsWith('.yaml'))
    .sort()) {
    texts[name] = await readFile(at(name), 'utf8')
  }

  const broken = Object.keys(texts).find((name) => texts[name] === 'broken')
  if (broken) {
    throw new Error(`${broken}:1: expected something else`)
  }

  loads.push(texts)
}

/** Writes the way editors do: a new file next to the old one, then a rename. */
async function saveByRename(name: string, text: string) {
  await writeFile(`${at(name)}~new`, text)
  await rename(`${at(name)}~new`, at(name))
}

beforeEach(async () => {
  home = await mkdtemp(path.join(tmpdir(), 'learnify-watch-'))
  folder = path.join(home, 'content')
  await mkdir(at('courses'), { recursive: true })
  await writeFile(at('courses/a.yaml'), 'first')
  loads = []
  said = []
  stop = await watchContent({ folder, load, say: (text) => said.push(text) })
})
afterEach(async () => {
  await stop()
  await rm(home, { recursive: true, force: true })
})

const see = (check: () => void) => vi.waitFor(check, { timeout: 20_000, interval: 20 })

test('every one of several saves by rename is seen', async () => {
  for (const text of ['second', 'third', 'fourth', 'fifth']) {
    await saveByRename('courses/a.yaml', text)
    await see(() => expect(latest()['courses/a.yaml']).toBe(text))
  }
})

test('every one of several saves in place is seen', async () => {
  for (const text of ['second', 'third', 'fourth']) {
    await writeFile(at('courses/a.yaml'), text)
    await see(() => expect(latest()['courses/a.yaml']).toBe(text))
  }
})

test('many saves in a row end with the last one loaded', async () => {
  for (let save = 1; save <= 30; save++) {
    await saveByRename('courses/a.yaml', `save ${save}`)
  }

  await see(() => expect(latest()['courses/a.yaml']).toBe('save 30'))
})

test('a new folder and what is written into it later are seen', async () => {
  await mkdir(at('courses/new/lessons'), { recursive: true })
  await writeFile(at('courses/new/b.yaml'), 'new')
  await see(() => expect(latest()['courses/new/b.yaml']).toBe('new'))
  await saveByRename('courses/new/lessons/c.yaml', 'newer')
  await see(() => expect(latest()['courses/new/lessons/c.yaml']).toBe('newer'))
})

test('a moved folder is seen at its new place, with its later saves', async () => {
  await rename(at('courses'), at('moved'))
  await see(() => expect(latest()).toEqual({ 'moved/a.yaml': 'first' }))
  await saveByRename('moved/a.yaml', 'second')
  await see(() => expect(latest()['moved/a.yaml']).toBe('second'))
})

test('the content folder itself may be moved away and come back', async () => {
  await rename(folder, `${folder}-away`)
  await rename(`${folder}-away`, folder)
  await writeFile(at('courses/a.yaml'), 'back')
  await see(() => expect(latest()['courses/a.yaml']).toBe('back'))
  await saveByRename('courses/a.yaml', 'and saved')
  await see(() => expect(latest()['courses/a.yaml']).toBe('and saved'))
})

test('a deletion is seen, and the same file once it is back', async () => {
  await rm(at('courses/a.yaml'))
  await see(() => expect(loads.at(-1)).toEqual({}))
  await writeFile(at('courses/a.yaml'), 'back')
  await see(() => expect(latest()['courses/a.yaml']).toBe('back'))
})

test('a broken save is told, and the next good one is loaded', async () => {
  await saveByRename('courses/a.yaml', 'broken')
  await see(() => expect(said).toContain('courses/a.yaml:1: expected something else'))
  await saveByRename('courses/a.yaml', 'repaired')
  await see(() => expect(latest()['courses/a.yaml']).toBe('repaired'))
})

test('temporary files that nobody can read end nothing', async () => {
  await writeFile(at('courses/.a.yaml.swp'), 'secret')
  await chmod(at('courses/.a.yaml.swp'), 0)
  await symlink('/nowhere/at-all', at('courses/.#a'))
  await mkdir(at('closed'), { mode: 0 })
  await rm(at('courses/.a.yaml.swp'))
  await saveByRename('courses/a.yaml', 'second')
  await chmod(at('closed'), 0o700)
  await see(() => expect(latest()['courses/a.yaml']).toBe('second'))
})

test('nothing is loaded after the end', async () => {
  await writeFile(at('courses/a.yaml'), 'second')
  await stop()
  const { length } = loads
  await saveByRename('courses/a.yaml', 'third')
  expect(loads).toHaveLength(length)
})
