import {
  chmod,
  cp,
  mkdir,
  mkdtemp,
  readFile,
  rename,
  rm,
  stat,
  symlink,
  truncate,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { env } from '~/server/env.server'
import { readContent } from './content-files.server'
import { hashContent } from './content-hashes.server'
import { listCategoryIds } from './site-files.server'

const courseId = 'python-from-zero'
const video = 'videos/names-and-values'
let folder: string
let courseFolder: string

/** The folder has a single course, so that it can be checked often. */
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'learnify-check-'))
  courseFolder = path.join(folder, 'courses', courseId)
  const names = ['testimonials.yaml', 'categories.yaml', 'instructors', `courses/${courseId}`]
  for (const name of names) {
    await cp(path.join(env.CONTENT_DIR, name), path.join(folder, name), { recursive: true })
  }
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** Returns the changed content of a file, from its original content. */
type Change = (originalBytes: Buffer) => string | Buffer | Promise<Buffer>

function replaceText(text: string | RegExp, replacement: string): Change {
  return (originalBytes) => originalBytes.toString().replace(text, replacement)
}

/** Returns the problems that `readContentWith` finds. */
async function findProblemsWith(name: string, change: Change): Promise<string[]> {
  const { problems } = await readContentWith(name, change)
  return problems
}

/**
 * Reads the content while one file is changed, and restores the file.
 *
 * @param name a path in the course's folder or, with `/` at its start, in the content folder
 */
async function readContentWith(name: string, change: Change) {
  const file = path.join(name.startsWith('/') ? folder : courseFolder, name)
  const originalBytes = await readFile(file).catch(() => null)
  await mkdir(path.dirname(file), { recursive: true })
  await writeFile(file, await change(originalBytes ?? Buffer.alloc(0)))

  try {
    return await readContent(folder)
  } finally {
    await (originalBytes ? writeFile(file, originalBytes) : rm(file))
  }
}

/** Returns the number of the first line with the text, counted from 1. */
async function findLineNumber(name: string, text: string): Promise<number> {
  const fileText = await readFile(path.join(courseFolder, name), 'utf8')
  return fileText.slice(0, fileText.indexOf(text)).split('\n').length
}

describe('the content check', () => {
  it('finds no problem in a folder with one valid course', async () => {
    expect((await readContent(folder)).problems).toEqual([])
  })

  it('names file, line and key of a missing key, and what to add', async () => {
    const problems = await findProblemsWith('course.yaml', replaceText(/^title: .*\n/m, ''))

    expect(problems).toHaveLength(1)
    expect(problems[0]).toMatch(/course\.yaml:2: `title` is missing\. Add a text\./)
  })

  it('reads formulas in titles as readable text, and prices as they are', async () => {
    const change = replaceText(/^title: .*\n/m, "title: 'Circles and $\\pi r^2$, from $5 to $10'\n")
    const { content } = await readContentWith('course.yaml', change)

    expect(content?.courses[0]?.title).toBe('Circles and πr², from $5 to $10')
  })

  it('warns about an exam that is not named after its course, and about no other exam', async () => {
    const { content, warnings } = await readContentWith(
      'exam.yaml',
      replaceText(/^title: .*$/m, 'title: Python, final exam'),
    )

    expect(content).not.toBeNull()
    expect(warnings.join('\n')).toContain(
      `exam.yaml:2: Exams are named after their course. Write \`title: 'Final exam: Python from Zero'\`.`,
    )
    expect((await readContent(folder)).warnings.join()).not.toContain('Exams are named')
  })

  it('names an exam in valid YAML if the course has an apostrophe in its title', async () => {
    const change = replaceText(/^title: .*\n/m, `title: "Ada's Python"\n`)
    const { warnings } = await readContentWith('course.yaml', change)

    expect(warnings.join('\n')).toContain("Write `title: 'Final exam: Ada''s Python'`.")
  })

  it('counts lessons, minutes and files that course.yaml does not', async () => {
    const change = (text: string) =>
      text.replaceAll(
        /^ *(lectures|durationMinutes|durationHours|downloadableResources): .*\n/gm,
        '',
      )
    const { content, problems, warnings } = await readContentWith('course.yaml', (bytes) =>
      change(bytes.toString()),
    )

    expect([problems, warnings]).toEqual([[], []])

    const [course] = content?.courses ?? []
    const lessonCounts = course?.curriculum.map(({ lessons }) => lessons.length) ?? []
    expect(course?.curriculum.map(({ lectures }) => lectures)).toEqual(lessonCounts)
    expect(course?.lectures).toBe(lessonCounts.reduce((total, lessonCount) => total + lessonCount))
    expect(course?.durationHours).toBeGreaterThan(0)
    expect(course?.downloadableResources).toBe(0)
  })

  it.each([
    [
      /^lectures: .*$/m,
      'lectures: 90',
      /:\d+: `lectures` is 90, but the sections have 110\. Write 110/,
    ],
    [
      /^durationHours: .*$/m,
      'durationHours: 90',
      /:\d+: `durationHours` is 90, but the sections have/,
    ],
    [
      /^ {4}durationMinutes: .*$/m,
      '    durationMinutes: 0',
      /`durationMinutes` is 0, but the listed/,
    ],
  ])('warns about a wrong number, such as %s with %j', async (from, to, warning) => {
    const { problems, warnings } = await readContentWith('course.yaml', replaceText(from, to))

    expect(problems).toEqual([])
    expect(warnings.join('\n')).toMatch(warning)
  })

  it('reads a price in cents from the legacy key, and warns about the key', async () => {
    const { content, warnings } = await readContentWith(
      'course.yaml',
      replaceText(/^price: .*$/m, 'priceCents: 4950'),
    )

    expect(content?.courses[0]?.priceMinor).toBe(4950)
    expect(warnings.join('\n')).toMatch(
      /course\.yaml:\d+: `priceCents` is the old key\. Write `price: 49\.50`\./,
    )
  })

  it('reads a price in the currency, and one without a discount', async () => {
    const change = replaceText(/^price: .*\noriginalPrice: .*$/m, 'price: 19.99')
    const [course] = (await readContentWith('course.yaml', change)).content?.courses ?? []

    expect(course).toMatchObject({ priceMinor: 1999, originalPriceMinor: 1999 })
  })

  it('reads a price in a currency with other decimal places', async () => {
    const priced = async (currency: string, price: string) => {
      const configuredCurrency = env.CURRENCY
      env.CURRENCY = currency
      try {
        return await readContentWith(
          'course.yaml',
          replaceText(/^price: .*\noriginalPrice: .*$/m, `price: ${price}`),
        )
      } finally {
        env.CURRENCY = configuredCurrency
      }
    }

    expect((await priced('JPY', '4900')).content?.courses[0]?.priceMinor).toBe(4900)
    expect((await priced('KWD', '49.005')).content?.courses[0]?.priceMinor).toBe(49005)
    expect((await priced('EUR', '49.005')).problems).toEqual([
      expect.stringMatching(/`price` is 49\.005\. Use at most 2 decimal places\./),
    ])
    expect((await priced('JPY', '49.5')).problems).toEqual([
      expect.stringMatching(/`price` is 49\.5\. Use a whole number: JPY has no decimal places\./),
    ])
  })

  it('finds no problem in a course without numbers from other platforms', async () => {
    const change = replaceText(
      /^(students|rating|reviews| {2}students| {2}courses| {2}rating): .*\n/gm,
      '',
    )
    const { content, problems } = await readContentWith('course.yaml', change)

    expect(problems).toEqual([])
    expect(content?.courses[0]).toMatchObject({ students: 0, rating: 0, reviews: 0 })
    expect(content?.courses[0]?.instructor).not.toHaveProperty('students')
  })

  it('reports a course without exam.yaml', async () => {
    await rename(path.join(courseFolder, 'exam.yaml'), path.join(folder, 'exam.kept'))
    const { problems } = await readContent(folder)
    await rename(path.join(folder, 'exam.kept'), path.join(courseFolder, 'exam.yaml'))

    expect(problems).toEqual([
      expect.stringMatching(/python-from-zero: This course has no exam\.yaml\. Add one/),
    ])
  })

  it('warns about HTML that an article would show as text, and accepts links to its headings', async () => {
    const text =
      '# Parts\n\n[Here](#parts) or [there](/AllCourses) or [far](https://x.example) <b>x</b>\n'
    const { problems, warnings } = await readContentWith(
      'lessons/functions-that-return.md',
      () => text,
    )

    expect(problems.join()).not.toContain('no heading `parts`')
    expect(warnings.join('\n')).toMatch(
      /return\.md:1: Headings .*\n.*return\.md:3: HTML is shown as text: `<b>`/,
    )
  })

  it('reports a lesson that becomes too large to be shown', async () => {
    const table = `||||||\n|-|-|-|-|-|\n${'||\n'.repeat(2_000)}`
    const problems = await findProblemsWith('lessons/functions-that-return.md', () => table)

    expect(problems).toContainEqual(
      expect.stringMatching(/functions-that-return\.md.*: This text becomes too large/),
    )
  })

  it('accepts any categories, and reports those that are missing or appear twice', async () => {
    const cooking =
      '- id: cooking\n  name: Cooking\n- id: technology\n  name: Tech\n  card: false\n'
    const { content, problems } = await readContentWith('/categories.yaml', () => cooking)

    expect(problems).toEqual([])
    expect(content?.categories).toMatchObject([
      { id: 'cooking', card: 'Cooking', courses: null, icon: 'book-open' },
      { id: 'technology', name: 'Tech', card: null },
    ])
    expect(
      await findProblemsWith('/categories.yaml', () => `${cooking}- id: cooking\n  name: Baking\n`),
    ).toEqual([expect.stringMatching(/categories\.yaml:6: The id `cooking` appears twice/)])
    expect(
      await findProblemsWith('course.yaml', replaceText(/^category: .*$/m, 'category: techology')),
    ).toEqual([
      expect.stringMatching(
        /course\.yaml:\d+: `category` is 'techology', which .* Did you mean `technology`\? Use one of/,
      ),
    ])
  })

  it('reads a legacy file of categories without IDs', async () => {
    const cards = '- name: Programming\n  courses: 9+\n  icon: code\n  catalogue: technology\n'
    const { content, problems } = await readContentWith('/categories.yaml', () => cards)

    expect(problems).toEqual([])
    expect(content?.categories[0]).toMatchObject({
      id: null,
      card: 'Programming',
      catalogue: 'technology',
    })

    expect(listCategoryIds(content?.categories ?? [])).toEqual([
      'technology',
      'design',
      'business',
      'marketing',
      'photography',
    ])
  })

  it('reports synonyms that appear twice or have no word', async () => {
    const problems = await findProblemsWith(
      '/synonyms.yaml',
      () => '- [email, e-mail]\n- [E-Mail, post]\n- ["++", plus]\n',
    )
    expect(problems).toEqual([
      expect.stringMatching(/synonyms\.yaml:2: `E-Mail` appears twice\./),
      expect.stringMatching(/synonyms\.yaml:3: `\+\+` has no letters or digits\./),
    ])
  })

  it('reports an unknown key once, with its line and a similar key', async () => {
    const problems = await findProblemsWith('course.yaml', replaceText(/^subtitle:/m, 'subtitel:'))

    expect(problems).toHaveLength(1)
    expect(problems[0]).toContain(
      `course.yaml:${await findLineNumber('course.yaml', 'subtitle:')}: \`subtitel\` isn’t a key here.`,
    )
    expect(problems[0]).toContain('Did you mean `subtitle`?')
  })

  it('reports the line of a deeply nested unknown key', async () => {
    const problems = await findProblemsWith(
      'course.yaml',
      replaceText('        preview: true', '        previw: true'),
    )

    expect(problems[0]).toContain(
      `:${await findLineNumber('course.yaml', 'preview: true')}: \`previw\``,
    )
    expect(problems[0]).toContain('Did you mean `preview`?')
  })

  it('suggests quotes for a text with a colon in a list', async () => {
    const problems = await findProblemsWith(
      'course.yaml',
      replaceText(/^skills:\n {2}- .*$/m, 'skills:\n  - Glass: Blowing'),
    )

    expect(problems).toHaveLength(1)
    expect(problems[0]).toMatch(
      /`skills\[0\]` has a colon .* Put the text in quotes: 'Glass: Blowing'\.$/,
    )
  })

  it.each([
    ['contains itself', '&all [*all]\n', /repeat too often/],
    ['is nested without end', `${'['.repeat(20_000)}${']'.repeat(20_000)}\n`, /nested too deep/],
  ])('reports a file that %s', async (_what, text, sentence) => {
    const problems = await findProblemsWith('/testimonials.yaml', () => text)
    expect(problems).toEqual([expect.stringMatching(sentence)])
  })

  it('reports every problem in one run, by file and line', async () => {
    await writeFile(
      path.join(courseFolder, 'cover.webp.kept'),
      await readFile(path.join(courseFolder, 'cover.webp')),
    )
    await rm(path.join(courseFolder, 'cover.webp'))
    const problems = await findProblemsWith('course.yaml', (originalBytes) =>
      originalBytes
        .toString()
        .replace(/^level: .*$/m, 'level: wizard')
        .replace('durationSeconds: 28', 'durationSeconds: 60')
        .replace(/^title: .*$/m, 'title: 2024'),
    )

    await rename(path.join(courseFolder, 'cover.webp.kept'), path.join(courseFolder, 'cover.webp'))
    const places = problems.map(
      (problem) => problem.slice(problem.indexOf(courseId) + courseId.length + 1).split(': ')[0],
    )

    expect(places).toEqual([
      'course.yaml:2',
      'course.yaml:14',
      'cover.webp',
      `${video}.mp4`,
      `${video}.webm`,
    ])
  })

  it.each([
    [
      /^title: .*$/m,
      'title: Glass: Blowing',
      /:2: A colon .* Put the text in quotes: `title: 'Glass: Blowing'`/,
    ],
    [/^title: .*$/m, 'title: @home', /:2: Text can’t start with this character.*`title: '@home'`/],
    [/^title: .*$/m, 'title: *home', /:2: `\*home` is read as a reference.*quotes/],
    [/^title: .*$/m, 'title: !home x', /:2: A word that starts with ! .*quotes/],
    [/^title: .*$/m, "title: 'It's'", /:2: The text ends too early/],
    [/^title: .*$/m, 'title: One\ntitle: Two', /:3: The key `title` appears twice/],
    [/^ {2}name: .*$/m, '\tname: X', /: A tab indents this line\. Use spaces/],
    [
      /^title: .*$/m,
      'title: 2024',
      /:2: `title` is read as a number\. Put the text in quotes: '2024'/,
    ],
    [/^title: .*$/m, 'title: true', /:2: `title` is read as true or false/],
    [/^title: .*$/m, 'title:', /:2: `title` has no value\. Write a text/],
    [/^title: .*$/m, `title: ${'W'.repeat(81)}`, /:2: `title` has 81 characters; the limit is 80/],
    [/^title: .*$/m, 'title: "\\u202egnp"', /:2: The text has the invisible character.*U\+202E/],
    [/^title: .*$/m, 'title: "\\ud800"', /:2: The text has the half of a character U\+D800/],
    [/^title: .*$/m, 'title: "\\u0007"', /:2: The text has the control character U\+0007/],
    [/^title: .*$/m, 'title: "\\u200b\\u2060"', /:2: `title` is .*some visible text/],
    [/^title: .*$/m, 'title: "One\\nTwo"', /:2: `title` is .*one line/],
    [
      /^level: .*$/m,
      'level: beginer',
      /: `level` is 'beginer'\. Use one of .*Did you mean `beginner`/,
    ],
    [
      /^category: .*$/m,
      'category: cooking',
      /: `category` is 'cooking', which .* Use one of `technology`/,
    ],
    [/^price: .*$/m, "price: '89.00'", /: `price` is a text\. Write the number without quotes: 89/],
    [/^price: .*$/m, 'price: -1', /: `price` is -1\. Use 0 or more/],
    [/^price: .*$/m, 'price: .nan', /: `price` is NaN\. Write a/],
    [/^price: .*$/m, 'price: 9.505', /: `price` is 9\.505\. Use at most 2 decimal places/],
    [/^price: .*$/m, 'price: 99999999999', /: `price` is 99999999999\. Use a lower price/],
    [/^price: .*$/m, 'price: 20000', /: `originalPrice` is below `price`/],
    [/^price: .*\n/m, '', /: `price` is missing\. Add a number/],
    [
      /^price: .*$/m,
      'priceCents: 49.00',
      /: `priceCents: 49\.00` would be 49\.00 cents\. Write `price: 49\.00`/,
    ],
    [
      /^price: .*$/m,
      'price: 49.00\npriceCents: 4900',
      /: `priceCents` is 4900\. The price is there twice\. Delete/,
    ],
    [
      /^lastUpdated: .*$/m,
      'lastUpdated: 2026-02-31',
      /: `lastUpdated` is '2026-02-31'\. Use a date that exists/,
    ],
    [/^lastUpdated: .*$/m, 'lastUpdated: 2099-01-01', /: 2099-01-01 is in the future/],
    [/^lastUpdated: .*$/m, 'lastUpdated: 0000-01-01', /: `lastUpdated` is '0000-01-01'/],
    [
      /^ {2}image: .*$/m,
      '  image: amara-okofor',
      /: There is no portrait .*Did you mean `amara-okafor`/,
    ],
    [/^ {2}- id: [\w-]+\n/gm, '  - id: twice\n', /: The section id `twice` appears twice/],
    [
      /id: names-and-values/,
      'id: check-values-and-names',
      /: The lesson id `check-values-and-names` appears twice/,
    ],
    [
      /id: names-and-values/,
      'id: names-and-values\n        aliases: [first-tests]',
      /: The alias `first-tests` is the id of a lesson/,
    ],
    [
      /^ {4}lectures: \d+$/m,
      '    lectures: 1',
      /: `lectures` is 1, but the section lists 4 lessons/,
    ],
    [/durationSeconds: 28/, 'durationSeconds: 0', /durationSeconds` is 0\. Use more than 0/],
    [
      /durationSeconds: 28/,
      'durationSeconds: 100000',
      /durationSeconds` is 100000\. Use 86400 or less/,
    ],
    [/kind: video/, 'kind: vidio', /kind` is 'vidio'\. Use one of .*Did you mean `video`/],
    [/ {8}kind: video|- kind: video\n {8}/, '- ', /kind` is missing\. Add one of `video`/],
    [
      /video: names-and-values/,
      'video: names-and-value',
      /names-and-value\.mp4: There is no such file\. Did you mean `names-and-values\.mp4`/,
    ],
    [/ {16}correct: true\n/, '', /: This question has no correct option/],
    [/- text: '9'/, "- text: '5'", /: Two options of this question read the same/],
    [
      /( +)explanation: >-\n/,
      '$1explainedIn: functions-that-retrn\n$&',
      /`functions-that-retrn` isn’t an article or video of this course\. Did you mean `functions-that-return`/,
    ],
    [
      /( +)explanation: >-\n/,
      '$1explainedIn: names-and-values#28\n$&',
      /`28` isn’t a second of this video\..* below 28/,
    ],
    [
      /( +)explanation: >-\n/,
      '$1explainedIn: functions-that-return#retrn\n$&',
      /The article has no heading `retrn`/,
    ],
    [
      /( +)explanation: >-\n/,
      '$1explainedIn: "#x"\n$&',
      /Write a lesson’s id, or like lesson-id#heading/,
    ],
    [/^skills:\n/m, 'skills:\n  - Functions\n', /: An entry in `skills` appears twice/],
  ])('for %s as %j', async (from, to, problem) => {
    const problems = await findProblemsWith('course.yaml', replaceText(from, to))
    expect(problems.join('\n')).toMatch(problem)
  })

  it.each([
    [
      'exam.yaml',
      replaceText(/^draw: .*$/m, 'draw: 150'),
      /exam\.yaml:3: `draw` is 150, but the exam has/,
    ],
    [
      'exam.yaml',
      replaceText(/^maxAttempts: .*$/m, 'maxAttempts: 0'),
      /`maxAttempts` is 0\. Use more than 0/,
    ],
    [
      'exam.yaml',
      replaceText(/^timeLimitMinutes: .*$/m, 'timeLimitMinutes: 0'),
      /`timeLimitMinutes` is 0/,
    ],
    [
      'exam.yaml',
      replaceText(/^passPercent: .*$/m, 'passPercent: 101'),
      /`passPercent` is 101\. Use 100 or less/,
    ],
    [
      'exam.yaml',
      replaceText("answer: 'The float 4.0'", "answer: 'The flot 4.0'"),
      /isn’t one of the options\. Did you mean `The float 4\.0`/,
    ],
    ['exam.yaml', replaceText('tolerance: 0', 'tolerance: -1'), /tolerance` is -1\. Use 0 or more/],
    [
      'exam.yaml',
      replaceText('tolerance: 0', "tolerance: 0\n    unit: '5'"),
      /Start the unit with a letter/,
    ],
    ['exam.yaml', replaceText('- The else block', '- The try  block'), /Two items read the same/],
    ['exam.yaml', replaceText("- 'len()'", '- "\\u200b"'), /some visible text/],
    [
      'exam.yaml',
      replaceText('id: quotient-and-remainder', 'id: type-of-a-division'),
      /`type-of-a-division` appears twice/,
    ],
    ['course.yaml', () => '', /course\.yaml: The file is empty/],
    ['course.yaml', () => '# nothing\n', /course\.yaml:1: The file is empty/],
    ['course.yaml', () => Buffer.from([0xff, 0xfe, 0x41, 0]), /isn’t UTF-8\. Save it/],
    ['course.yaml', () => 'x'.repeat(1_000_001), /1000001 bytes; the limit is 1000000/],
    [
      'course.yaml',
      () =>
        `a: &a [x]\n${'b: [*a, *a, *a, *a, *a, *a, *a, *a, *a]\n'.replace('b', 'b')}c: [${'*a, '.repeat(200)}*a]\n`,
      /repeat too often/,
    ],
    [
      'lessons/functions-that-return.md',
      () => ' \n',
      /functions-that-return\.md: The article is empty/,
    ],
    [
      'lessons/functions-that-return.md',
      () => 'a\n\n![x](/media/courses/python-from-zero/cove.webp)',
      /\.md:3: There is no picture.*Did you mean `cover\.webp`/,
    ],
    ...[
      [
        '![x](../figures/a.webp)',
        /The picture `\.\.\/figures\/a\.webp` leads nowhere.* like `\/media\/courses\/python-from-zero/,
      ],
      [
        '[x](first-tests.md)',
        /The link `first-tests\.md` leads nowhere.*`\/Learn\/python-from-zero\/first-tests`/,
      ],
      [
        '[x](/media/courses/python-from-zero/cove.webp)',
        /There is no file .*Did you mean `cover\.webp`/,
      ],
      ['[x](#pats)\n\n## Parts', /The article has no heading `pats`\. Did you mean `parts`/],
    ].map(([text, problem]) => ['lessons/functions-that-return.md', () => text, problem]),
    [
      `${video}.vtt`,
      () => '1\n00:00:01,000 --> 00:00:02,000\nHello\n',
      /^[^\n]*vtt: These captions are SRT[^\n]*$/,
    ],
    [
      'lessons/functions-that-return.md',
      () => 'a\u202eb',
      /\.md:1: The text has the invisible character/,
    ],
    [
      'lessons/functions-that-retrn.md',
      () => 'x',
      /retrn\.md: No article .*Did you mean `functions-that-return`/,
    ],
    [`${video}.vtt`, () => 'hello', /vtt:1: Captions must start with the line `WEBVTT`/],
    [
      `${video}.vtt`,
      () => 'WEBVTT\n\n00:04.000 --> 00:01.000\nx\n',
      /vtt:3: The caption ends before it begins/,
    ],
    [`${video}.vtt`, () => 'WEBVTT\n\n4 --> 5\nx\n', /vtt:3: A caption needs two times/],
    [
      `${video}.vtt`,
      () => 'WEBVTT\n\n00:05.000 --> 01:01.000\nx\n',
      /vtt:3: The caption runs past the end of the video/,
    ],
    [
      `${video}.vtt`,
      () => 'WEBVTT\n\n0:00:01.000 --> 0:00:04.000\nx\n',
      /vtt:3: The hours of a caption’s time need two digits/,
    ],
    [`${video}.vtt`, () => 'WEBVTT\n', /vtt: There are no captions/],
    [
      `${video}.vtt`,
      () => 'WEBVTT\n\nNOTE by Ida\n\n1\n00:01.000 --> 00:02.000\nSeen\n\nLost\nlines\n',
      /^[^\n]*vtt:9: This line is shown nowhere: it belongs to no caption[^\n]*$/,
    ],
    ['/demo-learner.yaml', () => 'courses: []\n', /demo-learner\.yaml:1: `profile` is missing/],
    [
      '/categories.yaml',
      () => 'name: Music\n',
      /categories\.yaml:1: The file is a group of keys\. Write a list/,
    ],
  ] as [string, Change, RegExp][])('for %s (%s)', async (name, change, problem) => {
    expect((await findProblemsWith(name, change)).join('\n')).toMatch(problem)
  })
})

describe('a video or picture', () => {
  it.each([
    [
      'a video that is shorter than declared',
      'course.yaml',
      replaceText('durationSeconds: 28', 'durationSeconds: 33'),
      /mp4: The video lasts 28 s, but its lesson says 33 s\. Write `durationSeconds: 28`/,
    ],
    ['a text as MP4', `${video}.mp4`, () => 'a text', /mp4: This isn’t an? MP4 video/],
    [
      'a WebM as MP4',
      `${video}.mp4`,
      () => readFile(path.join(courseFolder, `${video}.webm`)),
      /mp4: This isn’t an? MP4 video/,
    ],
    [
      'an MP4 as WebM',
      `${video}.webm`,
      () => readFile(path.join(courseFolder, `${video}.mp4`)),
      /webm: This isn’t an? WebM video/,
    ],
    [
      'a cut MP4',
      `${video}.mp4`,
      (originalBytes) => originalBytes.subarray(0, originalBytes.length - 5000),
      /mp4: The video is cut off/,
    ],
    [
      'a cut WebM',
      `${video}.webm`,
      (originalBytes) => originalBytes.subarray(0, originalBytes.length - 5000),
      /webm: The video is cut off/,
    ],
    [
      'an MP4 of sound only',
      `${video}.mp4`,
      (originalBytes) =>
        Buffer.from(originalBytes.toString('latin1').replaceAll('vide', 'xxxx'), 'latin1'),
      /mp4: The file has sound only/,
    ],
    [
      'an MP4 that browsers do not play',
      `${video}.mp4`,
      (originalBytes) =>
        Buffer.from(originalBytes.toString('latin1').replaceAll('avc1', 'hvc1'), 'latin1'),
      /mp4: Browsers may not play its format 'hevc'/,
    ],
    [
      'the video of another lesson as WebM',
      `${video}.webm`,
      () =>
        readFile(
          path.join(
            env.CONTENT_DIR,
            'courses/business-strategy-essentials/videos/value-price-and-cost.webm',
          ),
        ),
      /mp4: The video lasts 28 s here and .* in the \.webm/,
    ],
    ['an empty video', `${video}.webm`, () => '', /webm: The file is empty/],
    [
      'random bytes as cover',
      'cover.webp',
      () => Buffer.alloc(5000, 7),
      /cover\.webp: This isn’t a readable picture/,
    ],
    [
      'a PNG as cover',
      'cover.webp',
      (originalBytes) => sharp(originalBytes).png().toBuffer(),
      /cover\.webp: This is a PNG picture with the wrong extension/,
    ],
    [
      'a small cover',
      'cover.webp',
      (originalBytes) => sharp(originalBytes).resize(320, 180).webp().toBuffer(),
      /320 x 180 pixels\. Make it at least 640 x 360/,
    ],
    [
      'a cover of another shape',
      'cover.webp',
      (originalBytes) => sharp(originalBytes).resize(800, 800).webp().toBuffer(),
      /800 x 800 pixels/,
    ],
    [
      'a cut cover',
      'cover.webp',
      (originalBytes) => originalBytes.subarray(0, originalBytes.length / 2),
      /cover\.webp: /,
    ],
    [
      'a drawing with a script',
      'cover.svg',
      replaceText('</svg>', '<script>alert(1)</script></svg>'),
      /cover\.svg: The drawing contains a script/,
    ],
    [
      'a drawing that acts',
      'cover.svg',
      replaceText('<svg', '<svg onload="alert(1)"'),
      /cover\.svg: The drawing has a script in an/,
    ],
    [
      'a drawing with a hidden address',
      'cover.svg',
      replaceText('</svg>', '<a href="&#106;avascript:alert(1)"/></svg>'),
      /cover\.svg: The drawing has a script in a link/,
    ],
    [
      'a drawing that asks another host',
      'cover.svg',
      replaceText('</svg>', '<image href="//x.example/a.png"/></svg>'),
      /cover\.svg: The drawing refers to another/,
    ],
  ] as [string, string, Change, RegExp][])(
    'that is %s is refused',
    async (_, name, change, problem) => {
      expect((await findProblemsWith(name, change)).join('\n')).toMatch(problem)
    },
  )
})

describe('a drawing', () => {
  it.each(['url(#a)', `url("#a")`, `url( '#a' )`])(
    'may refer to its own part by %s',
    async (url) => {
      const change = replaceText('</svg>', `<style>path { fill: ${url} }</style></svg>`)
      expect(await findProblemsWith('cover.svg', change)).toEqual([])
    },
  )

  it.each(['url(a.svg#a)', `url("//x.example/a.svg#a")`, `url( 'a.svg' )`])(
    'may not refer to another file by %s',
    async (url) => {
      const change = replaceText('</svg>', `<style>path { fill: ${url} }</style></svg>`)
      expect(await findProblemsWith('cover.svg', change)).toEqual([
        expect.stringContaining('refers to another file'),
      ])
    },
  )
})

/** Reads the content while another file takes the place of one of the course's files. */
async function readContentWithReplacedFile(name: string, newName: string, change: Change) {
  const movedFile = path.join(folder, 'moved')
  await rename(path.join(courseFolder, name), movedFile)
  await writeFile(path.join(courseFolder, newName), await change(await readFile(movedFile)))

  try {
    return await readContent(folder)
  } finally {
    await rm(path.join(courseFolder, newName))
    await rename(movedFile, path.join(courseFolder, name))
  }
}

describe('files in other formats', () => {
  it.each([
    ['png', (originalBytes: Buffer) => sharp(originalBytes).png().toBuffer()],
    ['jpg', (originalBytes: Buffer) => sharp(originalBytes).jpeg().toBuffer()],
    ['JPEG', (originalBytes: Buffer) => sharp(originalBytes).resize(900, 900).jpeg().toBuffer()],
    ['avif', (originalBytes: Buffer) => sharp(originalBytes).avif({ effort: 0 }).toBuffer()],
  ])('a cover may be %s, of any shape', async (ending, change) => {
    expect(
      (await readContentWithReplacedFile('cover.webp', `cover.${ending}`, change)).problems,
    ).toEqual([])
  })

  it('a small cover is a problem in every format', async () => {
    const small = (originalBytes: Buffer) => sharp(originalBytes).resize(320, 180).png().toBuffer()
    expect((await readContentWithReplacedFile('cover.webp', 'cover.png', small)).problems).toEqual([
      expect.stringMatching(
        /cover\.png: The picture has 320 x 180 pixels\. Make it at least 640 x 360/,
      ),
    ])
  })

  it('a cover may be HEIC, the format of photos from iPhones, unless it is cut off', async () => {
    const photo = await readFile('tests/fixtures/photo.heic')
    expect(
      (await readContentWithReplacedFile('cover.webp', 'cover.heic', () => photo)).problems,
    ).toEqual([])

    const half = photo.subarray(0, photo.length / 2)
    expect(
      (await readContentWithReplacedFile('cover.webp', 'cover.heic', () => half)).problems,
    ).toEqual([expect.stringMatching(/cover\.heic: The picture is cut off or damaged/)])
  })

  it('a video without WebM, poster and captions is valid, with a warning about the captions', async () => {
    const files = ['webm', 'vtt', 'webp'].map((ending) =>
      path.join(courseFolder, `${video}.${ending}`),
    )
    for (const file of files) {
      await rename(file, `${file}.bak`)
    }

    const { problems, warnings } = await readContent(folder)
    for (const file of files) {
      await rename(`${file}.bak`, file)
    }

    expect(problems).toEqual([])
    expect(warnings.join('\n')).toMatch(
      /names-and-values\.mp4: The video has no captions, `names-and-values\.vtt`/,
    )
  })
})

describe('the content folder', () => {
  it.each([
    '.DS_Store',
    'Thumbs.db',
    'course.yaml~',
    '.course.yaml.swp',
    '#course.yaml#',
    '.git/HEAD',
    'lessons/.DS_Store',
    'lessons/x.md~',
  ])('may have %s, which changes nothing', async (name) => {
    const hashBefore = hashContent(folder).content
    const file = path.join(courseFolder, name)
    await mkdir(path.dirname(file), { recursive: true })
    await writeFile(file, 'x')
    const hashAfter = hashContent(folder).content
    const { problems } = await readContent(folder)
    await rm(file)

    expect(problems).toEqual([])
    expect(hashAfter).toBe(hashBefore)
  })

  it.each([
    ['that is missing', async () => '/nowhere/at/all', /There is no such folder\. Set CONTENT_DIR/],
    ['that is empty', () => mkdtemp(path.join(tmpdir(), 'learnify-empty-')), /The folder is empty/],
    [
      'that is a file',
      async () => path.join(folder, 'categories.yaml'),
      /There’s a file where a folder should be/,
    ],
  ])('%s is a problem', async (_, place, problem) => {
    expect((await readContent(await place())).problems.join()).toMatch(problem)
  })

  it('with a link that leads back to itself is checked to the end and names the link', async () => {
    const link = path.join(courseFolder, 'lessons', 'functions-that-return.md')
    const contentOfLink = await readFile(link)
    await rm(link)
    await symlink(link, link)
    const { problems } = await readContent(folder)
    await rm(link)
    await writeFile(link, contentOfLink)

    expect(problems.join('\n')).toMatch(/functions-that-return\.md: This link points to itself/)
  })

  it('with captions that link to themselves is checked to the end and names the link', async () => {
    const link = path.join(courseFolder, `${video}.vtt`)
    await rename(link, `${link}.bak`)
    await symlink(link, link)
    const { problems } = await readContent(folder)
    await rename(`${link}.bak`, link)
    expect(problems.join('\n')).toMatch(/names-and-values\.vtt: This link points to itself/)
  })

  it('with a text of several gigabytes names its size', async () => {
    const lesson = path.join(courseFolder, 'lessons', 'functions-that-return.md')
    await rename(lesson, `${lesson}.bak`)
    await writeFile(lesson, '')
    // The file is sparse, so it takes no room on the disk.
    await truncate(lesson, 5_000_000_000)
    const { problems } = await readContent(folder)
    await rename(`${lesson}.bak`, lesson)
    expect(problems.join('\n')).toMatch(/5000000000 bytes; the limit is 1000000/)
  })

  it.skipIf(process.getuid?.() === 0)('with a file that may not be read names it', async () => {
    const file = path.join(courseFolder, 'exam.yaml')
    const { mode } = await stat(file)
    await chmod(file, 0)
    const { problems } = await readContent(folder)
    await chmod(file, mode)

    expect(problems.join('\n')).toMatch(/exam\.yaml: Permission denied/)
  })

  it.each([
    ['a device', '/dev/zero', /pipe or a device/],
    ['nothing', 'nowhere.yaml', /This link points to a missing file\. Put the file itself here\./],
  ])(
    'with a link to %s is checked to the end and names the link',
    async (_what, target, sentence) => {
      const file = path.join(folder, 'testimonials.yaml')
      await rename(file, `${file}.bak`)
      await symlink(target, file)
      const { problems } = await readContent(folder)
      await rename(`${file}.bak`, file)

      expect(problems).toEqual([expect.stringMatching(sentence)])
    },
  )

  it('may have links to the folders of courses', async () => {
    const movedFolder = path.join(folder, 'elsewhere')
    await rename(courseFolder, movedFolder)
    await symlink(movedFolder, courseFolder)

    const { content } = await readContent(folder)

    await rm(courseFolder)
    await rename(movedFolder, courseFolder)

    expect(content?.courses.map(({ id }) => id)).toEqual([courseId])
  })

  it('with two courses that differ only in case is refused', async () => {
    const twin = path.join(folder, 'courses', 'Python-From-Zero')
    await cp(courseFolder, twin, { recursive: true })
    const { problems } = await readContent(folder)
    await rm(twin, { recursive: true })

    expect(problems.join('\n')).toMatch(/differs from this one only in case/)
  })
})
