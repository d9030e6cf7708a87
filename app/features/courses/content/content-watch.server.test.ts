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
import { failure, type Result, success } from '~/server/result'
import { watchContent } from './content-watch.server'

let parentFolder: string
let folder: string
let stopWatch: () => Promise<void>
/** For each load, the texts of all files by their path in the folder. */
let loads: Record<string, string>[]
let messages: string[]

beforeEach(async () => {
  parentFolder = await mkdtemp(path.join(tmpdir(), 'learnify-watch-'))
  folder = path.join(parentFolder, 'content')
  await mkdir(inFolder('courses'), { recursive: true })
  await writeFile(inFolder('courses/a.yaml'), 'first')
  loads = []
  messages = []
  stopWatch = await watchContent({
    folder,
    load: readTexts,
    showMessage: (message) => messages.push(message),
  })
})
afterEach(async () => {
  await stopWatch()
  await rm(parentFolder, { recursive: true, force: true })
})

function inFolder(name: string): string {
  return path.join(folder, name)
}

/** Fails if a file has the text 'broken'. */
async function readTexts(): Promise<Result> {
  const names = await readdir(folder, { recursive: true })
  const texts: Record<string, string> = {}
  for (const name of names.filter((fileName) => fileName.endsWith('.yaml')).sort()) {
    texts[name] = await readFile(inFolder(name), 'utf8')
  }

  const brokenFile = Object.keys(texts).find((name) => texts[name] === 'broken')
  if (brokenFile) {
    return failure(`${brokenFile}:1: expected something else`)
  }

  loads.push(texts)
  return success()
}

/** Saves as editors do: they write a new file next to the old one and rename it. */
async function saveByRenaming(name: string, text: string) {
  await writeFile(`${inFolder(name)}~new`, text)
  await rename(`${inFolder(name)}~new`, inFolder(name))
}

function waitUntilLoaded(texts: Record<string, string>) {
  return waitFor(() => expect(loads.at(-1)).toMatchObject(texts))
}

function waitFor(check: () => void) {
  return vi.waitFor(check, { timeout: 20_000, interval: 20 })
}

test('each of several saves by renaming is loaded', async () => {
  for (const text of ['second', 'third', 'fourth', 'fifth']) {
    await saveByRenaming('courses/a.yaml', text)
    await waitUntilLoaded({ 'courses/a.yaml': text })
  }
})

test('each of several saves in place is loaded', async () => {
  for (const text of ['second', 'third', 'fourth']) {
    await writeFile(inFolder('courses/a.yaml'), text)
    await waitUntilLoaded({ 'courses/a.yaml': text })
  }
})

test('after many saves in a row, the last one is loaded', async () => {
  for (let save = 1; save <= 30; save++) {
    await saveByRenaming('courses/a.yaml', `save ${save}`)
  }

  await waitUntilLoaded({ 'courses/a.yaml': 'save 30' })
})

test('a new folder is loaded, also what is written into it later', async () => {
  await mkdir(inFolder('courses/new/lessons'), { recursive: true })
  await writeFile(inFolder('courses/new/b.yaml'), 'new')
  await waitUntilLoaded({ 'courses/new/b.yaml': 'new' })
  await saveByRenaming('courses/new/lessons/c.yaml', 'newer')
  await waitUntilLoaded({ 'courses/new/lessons/c.yaml': 'newer' })
})

test('a moved folder is loaded from its new place, also after later saves', async () => {
  await rename(inFolder('courses'), inFolder('moved'))
  await waitFor(() => expect(loads.at(-1)).toEqual({ 'moved/a.yaml': 'first' }))
  await saveByRenaming('moved/a.yaml', 'second')
  await waitUntilLoaded({ 'moved/a.yaml': 'second' })
})

test('the content folder itself may be moved away and come back', async () => {
  await rename(folder, `${folder}-away`)
  await rename(`${folder}-away`, folder)
  await writeFile(inFolder('courses/a.yaml'), 'back')
  await waitUntilLoaded({ 'courses/a.yaml': 'back' })
  await saveByRenaming('courses/a.yaml', 'and saved')
  await waitUntilLoaded({ 'courses/a.yaml': 'and saved' })
})

test('a deleted file disappears, and returns once it is written again', async () => {
  await rm(inFolder('courses/a.yaml'))
  await waitFor(() => expect(loads.at(-1)).toEqual({}))
  await writeFile(inFolder('courses/a.yaml'), 'back')
  await waitUntilLoaded({ 'courses/a.yaml': 'back' })
})

test('a failed load is shown, and the next save is loaded', async () => {
  await saveByRenaming('courses/a.yaml', 'broken')
  await waitFor(() => expect(messages).toContain('courses/a.yaml:1: expected something else'))
  await saveByRenaming('courses/a.yaml', 'repaired')
  await waitUntilLoaded({ 'courses/a.yaml': 'repaired' })
})

test('temporary files that cannot be read do not end the watch', async () => {
  await writeFile(inFolder('courses/.a.yaml.swp'), 'secret')
  await chmod(inFolder('courses/.a.yaml.swp'), 0)
  await symlink('/nowhere/at-all', inFolder('courses/.#a'))
  await mkdir(inFolder('closed'), { mode: 0 })
  await rm(inFolder('courses/.a.yaml.swp'))
  await saveByRenaming('courses/a.yaml', 'second')
  await chmod(inFolder('closed'), 0o700)
  await waitUntilLoaded({ 'courses/a.yaml': 'second' })
})

test('nothing is loaded after the watch has ended', async () => {
  await writeFile(inFolder('courses/a.yaml'), 'second')
  await stopWatch()
  const loadCount = loads.length

  await saveByRenaming('courses/a.yaml', 'third')

  expect(loads).toHaveLength(loadCount)
})
