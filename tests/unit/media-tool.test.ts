import { spawnSync } from 'node:child_process'
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { MadeFiles } from '../../tools/artwork/made-files.ts'
import { brandThings, coverThings, filmThings, portraitThings } from '../../tools/artwork/things.ts'
import { copyShippedContent } from '../support/shipped-content.ts'

/**
 * `npm run media` on a content folder of its own; films are left out, because a machine may have no
 * ffmpeg.
 */
let content: string
const course = 'courses/knitting-for-beginners'
const at = (name: string) => path.join(content, name)

function media(...words: string[]) {
  const { status, stdout, stderr } = spawnSync('node', ['tools/artwork/make-media.ts', ...words], {
    env: { ...process.env, CONTENT_DIR: content },
    encoding: 'utf8',
  })
  return { status, said: stdout + stderr }
}

async function listing() {
  const files = (await readdir(content, { recursive: true })).sort()
  return Promise.all(files.map(async (file) => [file, (await stat(at(file))).mtimeMs]))
}

beforeAll(async () => {
  content = await mkdtemp(path.join(tmpdir(), 'learnify-media-tool-'))
  await mkdir(at(course), { recursive: true })
  await writeFile(
    at(`${course}/course.yaml`),
    'category: crafts\ninstructor:\n  image: nora-wool\n',
  )
})
afterAll(() => rm(content, { recursive: true }))

describe('npm run media', () => {
  test('looks where .env says that the content is', async () => {
    const file = path.join(content, 'settings.env')
    await writeFile(file, `CONTENT_DIR="${content}"\n`)
    const { CONTENT_DIR: _not, ...others } = process.env
    const env = { ...others, ENV_FILE: file }
    const { stdout } = spawnSync('node', ['tools/artwork/make-media.ts', '--help'], {
      env,
      encoding: 'utf8',
    })
    await rm(file)

    expect(stdout).toContain(`The content is in ${content};`)
  })

  test.each([
    [['--help'], 0, 'changes nothing'],
    [['--halp'], 2, "Unknown option '--halp'"],
    [['posters'], 2, "There is no kind 'posters'"],
    [['covers', '--only'], 2, 'Nothing was changed.'],
    [['covers', '--only', 'unknown-course'], 1, "There is nothing named 'unknown-course'."],
  ])('with %s changes nothing', async (words, status, sentence) => {
    const before = await listing()
    const run = media(...words)

    expect(run.status).toBe(status)
    expect(run.said).toContain(sentence)
    expect(await listing()).toEqual(before)
  })

  test('makes the cover and the portrait of a new course, and says so', async () => {
    const { status, said } = media('covers', 'instructors')
    expect(status).toBe(0)

    for (const file of [
      `${course}/cover.svg`,
      `${course}/cover.webp`,
      `${course}/cover-1280.webp`,
      'instructors/nora-wool.webp',
    ]) {
      expect(said).toMatch(new RegExp(`^made .*${file}$`, 'm'))
      expect((await stat(at(file))).size).toBeGreaterThan(500)
    }
  })

  test('touches nothing that is current', async () => {
    const before = await listing()

    expect(media('covers', 'instructors').said).not.toMatch(/^made/m)
    expect(await listing()).toEqual(before)
  })

  test('makes again what is missing', async () => {
    await rm(at('instructors/nora-wool.webp'))

    expect(media('instructors').said).toMatch(/^made .*nora-wool\.webp$/m)
    expect(media('instructors').said).toMatch(/^current .*nora-wool\.webp$/m)
  })

  test("keeps an operator's portrait, and says whose it is", async () => {
    await writeFile(at('instructors/nora-wool.webp'), 'a photo of Nora')
    const { status, said } = media('instructors')

    expect(status).toBe(0)
    expect(said).toMatch(/^kept .*nora-wool\.webp \(yours\)$/m)
    expect(await readFile(at('instructors/nora-wool.webp'), 'utf8')).toBe('a photo of Nora')
  })

  test("draws nothing beside an operator's cover, and names what it lacks", async () => {
    await writeFile(at(`${course}/cover.webp`), 'a cover of ours')
    await rm(at(`${course}/cover-1280.webp`))
    const { status, said } = media('covers')

    expect(status).toBe(1)
    expect(said).toMatch(/^missing .*cover-1280\.webp$/m)
    expect(await readFile(at(`${course}/cover.webp`), 'utf8')).toBe('a cover of ours')
  })
})

test('everything that is shipped is current: the drawings and storyboards are those that the files were made of', async () => {
  const { folder, remove } = await copyShippedContent()
  onTestFinished(remove)
  const pictures = await MadeFiles.open(folder, path.join(folder, '.media.json'))
  const brand = await MadeFiles.open('public', 'tools/artwork/brand.json')
  const things = [coverThings, portraitThings, filmThings]
  const looks = await Promise.all(
    (await Promise.all(things.map((list) => list(folder))))
      .flat()
      .map((thing) => pictures.look(thing)),
  )

  for (const thing of await brandThings()) {
    looks.push(await brand.look(thing))
  }

  const states = looks.flatMap((look) => Object.entries(look.states))

  expect(states.filter(([, state]) => state !== 'current')).toEqual([])
})
