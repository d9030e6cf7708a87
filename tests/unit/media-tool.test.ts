import { spawnSync } from 'node:child_process'
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import {
  listBrandPictures,
  listCovers,
  listPortraits,
  listVideos,
} from '../../tools/artwork/artworks.ts'
import { GeneratedFiles } from '../../tools/artwork/generated-files.ts'
import { copyShippedContent } from '../support/shipped-content.ts'

/**
 * The tests run `npm run media` on a content folder of their own. They make no videos, because a
 * machine may have no ffmpeg.
 */
let contentFolder: string
const course = 'courses/knitting-for-beginners'
const resolveFile = (name: string) => path.join(contentFolder, name)

function runMediaTool(...args: string[]) {
  const { status, stdout, stderr } = spawnSync('node', ['tools/artwork/make-media.ts', ...args], {
    env: { ...process.env, CONTENT_DIR: contentFolder },
    encoding: 'utf8',
  })
  return { status, output: stdout + stderr }
}

/** Lists every file of the content folder with the time of its last change. */
async function listFiles() {
  const files = (await readdir(contentFolder, { recursive: true })).sort()
  return Promise.all(files.map(async (file) => [file, (await stat(resolveFile(file))).mtimeMs]))
}

beforeAll(async () => {
  contentFolder = await mkdtemp(path.join(tmpdir(), 'learnify-media-tool-'))
  await mkdir(resolveFile(course), { recursive: true })
  await writeFile(
    resolveFile(`${course}/course.yaml`),
    'category: crafts\ninstructor:\n  image: nora-wool\n',
  )
})
afterAll(() => rm(contentFolder, { recursive: true }))

describe('npm run media', () => {
  test('looks where .env says that the content is', async () => {
    const file = path.join(contentFolder, 'settings.env')
    await writeFile(file, `CONTENT_DIR="${contentFolder}"\n`)
    const { CONTENT_DIR: _not, ...others } = process.env
    const env = { ...others, ENV_FILE: file }
    const { stdout } = spawnSync('node', ['tools/artwork/make-media.ts', '--help'], {
      env,
      encoding: 'utf8',
    })
    await rm(file)

    expect(stdout).toContain(`The content is in ${contentFolder};`)
  })

  test.each([
    [['--help'], 0, 'changes nothing'],
    [['--halp'], 2, "Unknown option '--halp'"],
    [['posters'], 2, "There is no kind 'posters'"],
    [['covers', '--only'], 2, 'Nothing was changed.'],
    [['covers', '--only', 'unknown-course'], 1, "There is nothing named 'unknown-course'."],
  ])('with %s changes nothing', async (args, status, sentence) => {
    const filesBefore = await listFiles()
    const result = runMediaTool(...args)

    expect(result.status).toBe(status)
    expect(result.output).toContain(sentence)
    expect(await listFiles()).toEqual(filesBefore)
  })

  test('makes the cover and the portrait of a new course, and says so', async () => {
    const { status, output } = runMediaTool('covers', 'instructors')
    expect(status).toBe(0)

    for (const file of [
      `${course}/cover.svg`,
      `${course}/cover.webp`,
      `${course}/cover-1280.webp`,
      'instructors/nora-wool.webp',
    ]) {
      expect(output).toMatch(new RegExp(`^made .*${file}$`, 'm'))
      expect((await stat(resolveFile(file))).size).toBeGreaterThan(500)
    }
  })

  test('touches nothing that is current', async () => {
    const filesBefore = await listFiles()

    expect(runMediaTool('covers', 'instructors').output).not.toMatch(/^made/m)
    expect(await listFiles()).toEqual(filesBefore)
  })

  test('makes again what is missing', async () => {
    await rm(resolveFile('instructors/nora-wool.webp'))

    expect(runMediaTool('instructors').output).toMatch(/^made .*nora-wool\.webp$/m)
    expect(runMediaTool('instructors').output).toMatch(/^current .*nora-wool\.webp$/m)
  })

  test("keeps an operator's portrait, and says whose it is", async () => {
    await writeFile(resolveFile('instructors/nora-wool.webp'), 'a photo of Nora')
    const { status, output } = runMediaTool('instructors')

    expect(status).toBe(0)
    expect(output).toMatch(/^kept .*nora-wool\.webp \(yours\)$/m)
    expect(await readFile(resolveFile('instructors/nora-wool.webp'), 'utf8')).toBe(
      'a photo of Nora',
    )
  })

  test("draws nothing beside an operator's cover, and names what it lacks", async () => {
    await writeFile(resolveFile(`${course}/cover.webp`), 'a cover of ours')
    await rm(resolveFile(`${course}/cover-1280.webp`))
    const { status, output } = runMediaTool('covers')

    expect(status).toBe(1)
    expect(output).toMatch(/^missing .*cover-1280\.webp$/m)
    expect(await readFile(resolveFile(`${course}/cover.webp`), 'utf8')).toBe('a cover of ours')
  })
})

test('everything that is shipped is current: the drawings and storyboards are those that the files were made of', async () => {
  const { folder, remove } = await copyShippedContent()
  onTestFinished(remove)
  const contentFiles = await GeneratedFiles.open(folder, path.join(folder, '.media.json'))
  const brandFiles = await GeneratedFiles.open('public', 'tools/artwork/brand.json')

  const artworkLists = await Promise.all(
    [listCovers, listPortraits, listVideos].map((listArtworks) => listArtworks(folder)),
  )
  const inspections = await Promise.all([
    ...artworkLists.flat().map((artwork) => contentFiles.inspect(artwork)),
    ...(await listBrandPictures()).map((artwork) => brandFiles.inspect(artwork)),
  ])

  const statuses = inspections.flatMap(({ statusByFile }) => Object.entries(statusByFile))
  expect(statuses.filter(([, status]) => status !== 'current')).toEqual([])
})
