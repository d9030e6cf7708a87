import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { env } from '../env.server'
import { readContent } from './content-files.server'

const slug = 'python-from-zero'
let folder: string
let course: string

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'learnify-style-'))
  course = path.join(folder, 'courses', slug)
  for (const name of ['testimonials.yaml', 'categories.yaml', 'instructors', `courses/${slug}`])
    await cp(path.join(env.CONTENT_DIR, name), path.join(folder, name), { recursive: true })
})
afterAll(() => rm(folder, { recursive: true, force: true }))

async function warningsAfter(file: string, change: (text: string) => string): Promise<string[]> {
  const whole = path.join(course, file)
  const before = await readFile(whole, 'utf8')
  await writeFile(whole, change(before))
  try {
    const { content, problems, warnings } = await readContent(folder)
    expect(problems).toEqual([])
    expect(content).not.toBeNull()
    return warnings.filter((warning) => !warning.includes('downloadableResources'))
  } finally {
    await writeFile(whole, before)
  }
}

it.each<[string, string, (text: string) => string, RegExp]>([
  [
    'a title in sentence case',
    'course.yaml',
    (text) => text.replace(/^title: .*$/m, 'title: Python from nothing'),
    /course\.yaml:2: .*Write ‘Python from Nothing’/,
  ],
  [
    'a subtitle with a period',
    'course.yaml',
    (text) => text.replace(/^subtitle: .*$/m, 'subtitle: Learn to program.'),
    /course\.yaml:3: `subtitle` has no period/,
  ],
  [
    'British words',
    'course.yaml',
    (text) => text.replace(/^skills:\n/m, 'skills:\n  - Modelling colours\n'),
    /course\.yaml:\d+: ‘Modelling’ is British/,
  ],
  [
    'words of an article',
    'lessons/functions-that-return.md',
    (text) => `${text}\nIts behaviour\n`,
    /functions-that-return\.md:\d+: ‘behaviour’ is British/,
  ],
  [
    'a reading time that nobody has',
    'course.yaml',
    (text) => text.replace(/(id: functions-that-return\n(?:.*\n)*? +durationSeconds: )\d+/, '$186400'),
    /functions-that-return\.md: The article has [\d,]+ words/,
  ],
])('%s is a warning with its place, and the content stays good', async (_what, file, change, warning) => {
  expect((await warningsAfter(file, change)).join('\n')).toMatch(warning)
})

it('code, paths and formulas of an article are no words', async () => {
  const code = '\n`colour` /catalogue/grey $colour$ [a link](/behaviour)\n\n```css\ncolour: grey; width: 90 %\n```\n'
  const before = await warningsAfter('lessons/functions-that-return.md', (text) => text)
  expect(await warningsAfter('lessons/functions-that-return.md', (text) => text + code)).toEqual(before)
})
