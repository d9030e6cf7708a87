import { cp, mkdir, mkdtemp, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { env } from '~/server/env.server'
import { readContent } from './content-files.server'
import {
  downloadExtensions,
  downloadNamePattern,
  getDownloadContentType,
  getDownloadKind,
} from './download-files.server'

const slug = 'python-from-zero'
const lesson = 'video: names-and-values'
let folder: string
let course: string
let yaml: string

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'learnify-downloads-'))
  course = path.join(folder, 'courses', slug)
  for (const name of ['testimonials.yaml', 'categories.yaml', 'instructors', `courses/${slug}`]) {
    await cp(path.join(env.CONTENT_DIR, name), path.join(folder, name), { recursive: true })
  }

  yaml = (await readFile(path.join(course, 'course.yaml'), 'utf8')).replaceAll(
    /^ +downloads:\n( +- .*\n +title: .*\n)+/gm,
    '',
  )
})
beforeEach(async () => {
  await rm(path.join(course, 'downloads'), { recursive: true, force: true })
  await mkdir(path.join(course, 'downloads'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

async function read(downloads: string[], files: Record<string, string | Buffer> = {}) {
  const list = downloads
    .map((file) => `          - file: ${file}\n            title: A file\n`)
    .join('')
  const block = downloads.length > 0 ? `${lesson}\n        downloads:\n${list.trimEnd()}` : lesson
  await writeFile(path.join(course, 'course.yaml'), yaml.replace(lesson, block))
  for (const [name, bytes] of Object.entries(files)) {
    await writeFile(path.join(course, 'downloads', name), bytes)
  }

  return readContent(folder)
}

it('a lesson’s files are read with their size, in their order', async () => {
  const files = { 'a.csv': 'a,b\n1,2\n', 'b.pdf': '%PDF-1.7 and more' }
  const { content, problems } = await read(['b.pdf', 'a.csv'], files)

  expect(problems).toEqual([])
  expect(content?.courses[0]?.downloads.get('names-and-values')).toEqual([
    { file: 'b.pdf', title: 'A file', bytes: 17 },
    { file: 'a.csv', title: 'A file', bytes: 8 },
  ])
})

it('fewer files than the course promises are a warning that names the line', async () => {
  const { content, warnings } = await read(['a.csv'], { 'a.csv': 'a' })
  expect(content).not.toBeNull()

  const line = yaml.slice(0, yaml.indexOf('downloadableResources')).split('\n').length
  expect(warnings).toContainEqual(
    expect.stringMatching(
      new RegExp(
        `course\\.yaml:${line}: \`downloadableResources\` is 18, but the lessons offer 1 download\\. Add 17 more`,
      ),
    ),
  )
})

it('as many files as the course promises are no warning', async () => {
  const names = Array.from({ length: 18 }, (_, index) => `file-${index}.txt`)
  const { warnings } = await read(names, Object.fromEntries(names.map((name) => [name, name])))

  expect(warnings.join()).not.toContain('downloadableResources')
})

it.each<[string, string[], Record<string, string | Buffer>, RegExp]>([
  [
    'a file that is missing',
    ['a.csv'],
    { 'b.csv': 'x' },
    /downloads\/a\.csv: There is no such file\..*Add it, or remove/,
  ],
  [
    'a file that no lesson offers',
    ['a.csv'],
    { 'a.csv': 'x', 'a2.csv': 'x' },
    /a2\.csv: No lesson offers this file\./,
  ],
  ['an empty file', ['a.csv'], { 'a.csv': '' }, /a\.csv: The file is empty/],
  [
    'a file named twice',
    ['a.csv', 'a.csv'],
    { 'a.csv': 'x' },
    /course\.yaml:\d+: This lesson names `a\.csv` twice/,
  ],
  [
    'a text as PDF',
    ['a.pdf'],
    { 'a.pdf': 'a text' },
    /a\.pdf: This isn’t a file of the kind ‘PDF’/,
  ],
  [
    'a ZIP archive as text',
    ['a.csv'],
    { 'a.csv': Buffer.from('PK\x03\x04\0\0') },
    /a\.csv: The file isn’t UTF-8/,
  ],
  [
    'another encoding',
    ['a.csv'],
    { 'a.csv': Buffer.from([0xff, 0xfe, 0x41, 0]) },
    /a\.csv: The file isn’t UTF-8/,
  ],
  [
    'a program',
    ['setup.exe'],
    {},
    /course\.yaml:\d+: .*file` is 'setup\.exe'\. Use letters, digits/,
  ],
  ['a hidden file', ['.a.csv'], {}, /Use letters, digits/],
  ['a way out of the folder', ['../exam.yaml'], {}, /Use letters, digits/],
])('%s is a problem', async (_what, downloads, files, problem) => {
  expect((await read(downloads, files)).problems.join('\n')).toMatch(problem)
})

it('a file above the limit is a problem', async () => {
  await writeFile(path.join(course, 'downloads', 'large.zip'), 'PK\x03\x04')
  await truncate(path.join(course, 'downloads', 'large.zip'), 20_000_001)

  expect((await read(['large.zip'])).problems.join()).toMatch(
    /large\.zip: The file is 20\.0 MB; the limit is 20\.0 MB/,
  )
})

it('every extension has a kind and is sent as a type that no browser runs', async () => {
  const types = new Set(
    downloadExtensions.map((extension) => getDownloadContentType(`a.${extension}`)),
  )
  expect([...types].sort()).toEqual([
    'application/octet-stream',
    'application/pdf',
    'text/plain; charset=utf-8',
  ])

  const guide = await readFile('docs/content.md', 'utf8')
  for (const extension of downloadExtensions) {
    expect(`a.${extension}`).toMatch(downloadNamePattern)
    expect(getDownloadKind(`a.${extension}`).name).not.toBe('')
    expect(guide).toContain(`\`${extension}\``)
  }
})
