import {
  cp,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  symlink,
  utimes,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { and, eq } from 'drizzle-orm'
import { Hono } from 'hono'
import sharp from 'sharp'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Database } from '~/server/database/client.server'
import { courseLessons, courses } from '~/server/database/schema'
import { env } from '~/server/env.server'
import { createTestDatabase } from '../../../../tests/support/test-database'
import { courseMedia, signMediaUrl } from './course-media.server'

const course = 'python-from-zero'
const videos = `/media/courses/${course}/videos`
const video = `${videos}/names-and-values.webm`
const opened = new Date('2026-11-21T09:10:00Z')
let db: Database
let folder: string
let now: Date
let app: Hono

beforeAll(async () => {
  db = (await createTestDatabase()).db
  folder = await mkdtemp(path.join(tmpdir(), 'learnify-media-'))
  await cp(`content/courses/${course}`, path.join(folder, 'courses', course), { recursive: true })
  await cp('content/instructors', path.join(folder, 'instructors'), { recursive: true })
  app = new Hono().get('/media/*', courseMedia({ db, folder, now: () => now }))
})
beforeEach(async () => {
  now = opened
  await db.update(courses).set({ published: true })
  await markPreview(false)
})
afterAll(() => rm(folder, { recursive: true }))

const markPreview = (preview: boolean, lesson = 'names-and-values') =>
  db
    .update(courseLessons)
    .set({ preview })
    .where(and(eq(courseLessons.courseId, course), eq(courseLessons.id, lesson)))
const get = (address: string, headers: Record<string, string> = {}, method = 'GET') =>
  app.request(address, { headers, method })
const bytesOf = async (response: Response) => Buffer.from(await response.arrayBuffer())
const original = () => readFile(path.join(folder, video.slice('/media'.length)))

describe('a video of a lesson that is no preview', () => {
  test.each(['webm', 'mp4', 'vtt', 'webp'])('is not at its plain address as %s', async (ending) => {
    const response = await get(`${videos}/names-and-values.${ending}`)
    expect(response.status).toBe(404)
    expect(await response.text()).toContain('Please reload the lesson.')
    expect(response.headers.get('cache-control')).toBe('no-store')
  })

  test('is at its signed address, for private caches', async () => {
    const response = await get(await signMediaUrl(video, opened))
    expect(response.status).toBe(200)
    expect(response.headers.get('cache-control')).toMatch(/^private, max-age=\d+$/)
    expect(response.headers.get('referrer-policy')).toBe('no-referrer')
    expect(await bytesOf(response)).toEqual(await original())
  })

  test('has the same signed address throughout a window, and another one in the next', async () => {
    const later = new Date(opened.getTime() + 30 * 60_000)
    const nextWindow = new Date(opened.getTime() + 2 * 60 * 60_000)
    expect(await signMediaUrl(video, later)).toBe(await signMediaUrl(video, opened))
    expect(await signMediaUrl(video, nextWindow)).not.toBe(await signMediaUrl(video, opened))
  })

  test('keeps its address for at least two hours, and for at most four', async () => {
    const address = await signMediaUrl(video, opened)
    now = new Date(opened.getTime() + 2 * 60 * 60_000)
    expect((await get(address)).status).toBe(200)
    now = new Date(opened.getTime() + 4 * 60 * 60_000)
    expect((await get(address)).status).toBe(404)
  })

  test('is kept by a cache no longer than its address works', async () => {
    const address = await signMediaUrl(video, opened)
    now = new Date(Number(/until=(\d+)/.exec(address)?.[1]) * 1000 - 5_000)
    expect((await get(address)).headers.get('cache-control')).toBe('private, max-age=5')
  })

  test.each<[string, (address: string) => string]>([
    ['for another file', (address) => address.replace('.webm', '.mp4')],
    [
      'for another video',
      (address) => address.replace('names-and-values', 'text-numbers-and-conversion'),
    ],
    ['with a later end', (address) => address.replace(/until=\d+/, 'until=99999999999')],
    ['with an end that is no number', (address) => address.replace(/until=/, 'until=0x')],
    ['with a cut key', (address) => address.slice(0, -1)],
    ['without a key', (address) => address.replace(/&key=.*/, '')],
    [
      'with two ends, the first one later',
      (address) => address.replace('?', '?until=99999999999&'),
    ],
    ['in other letters', (address) => address.replace('/courses/', '/Courses/')],
  ])('is not there %s', async (_what, change) => {
    expect((await get(change(await signMediaUrl(video, opened)))).status).toBe(404)
  })
})

describe('a video of a preview lesson', () => {
  beforeEach(() => markPreview(true))

  test('is public, with its captions and its poster', async () => {
    const types = {
      webm: 'video/webm',
      mp4: 'video/mp4',
      vtt: 'text/vtt; charset=utf-8',
      webp: 'image/webp',
    }

    for (const [ending, type] of Object.entries(types)) {
      const response = await get(`${videos}/names-and-values.${ending}`)
      expect([response.status, response.headers.get('content-type')]).toEqual([200, type])
      expect(response.headers.get('cache-control')).toBe('public, max-age=3600')
    }
  })

  test('stays public when another lesson, which is no preview, shows it, too', async () => {
    const shared = `${videos}/names-and-values`
    const other = eq(courseLessons.id, 'how-a-for-loop-walks')
    await db.update(courseLessons).set({ video: shared, preview: false }).where(other)
    expect((await get(video)).status).toBe(200)
  })

  test('is closed once the lesson stops being a preview', async () => {
    await markPreview(false)
    expect((await get(video)).status).toBe(404)
  })

  test('is closed while the course is not published, but not to its learners', async () => {
    await db.update(courses).set({ published: false })
    expect((await get(video)).status).toBe(404)
    expect((await get(await signMediaUrl(video, opened))).status).toBe(200)
  })
})

test('a course without a cover has one that is drawn, always the same for it', async () => {
  const drawn = await get('/media/courses/no-cover/cover.webp')
  expect(drawn.status).toBe(200)
  expect(drawn.headers.get('content-type')).toBe('image/svg+xml; charset=utf-8')
  expect(drawn.headers.get('cache-control')).toBe('public, max-age=3600')
  const drawing = await drawn.text()
  expect(drawing).toMatch(/^<svg .*<\/svg>\n$/s)
  expect(await (await get('/media/courses/no-cover/cover-1280.webp')).text()).toBe(drawing)
  expect(await (await get('/media/courses/another/cover.webp')).text()).not.toBe(drawing)
})

test('covers and portraits are public and kept for a day', async () => {
  for (const file of [
    `courses/${course}/cover.webp`,
    `courses/${course}/cover-1280.webp`,
    'instructors/amara-okafor.webp',
  ]) {
    const response = await get(`/media/${file}`)
    expect([file, response.status]).toEqual([file, 200])
    expect(response.headers.get('cache-control')).toBe('public, max-age=86400')
  }
})

describe('a file to download', () => {
  const address = `/media/courses/${course}/downloads/a-page.html`
  const bytes = '<script>alert(1)</script>'
  beforeAll(async () => {
    const downloads = path.join(folder, 'courses', course, 'downloads')
    await mkdir(downloads, { recursive: true })
    for (const name of ['a-page.html', 'setup.exe', 'notes.pdf']) {
      await writeFile(path.join(downloads, name), bytes)
    }
  })

  test('is saved and never shown, whatever it contains', async () => {
    const { status, headers } = await get(await signMediaUrl(address, opened))
    expect(status).toBe(200)
    expect(headers.get('content-disposition')).toBe('attachment; filename="a-page.html"')
    expect(headers.get('content-type')).toBe('text/plain; charset=utf-8')
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('content-security-policy')).toBe(
      "default-src 'none'; frame-ancestors 'none'; sandbox",
    )
    expect(headers.get('cache-control')).toMatch(/^private, max-age=\d+$/)
  })

  test('may be had in parts, so that a broken download can go on', async () => {
    const response = await get(await signMediaUrl(address, opened), { Range: 'bytes=8-' })
    expect(response.status).toBe(206)
    expect((await bytesOf(response)).toString()).toBe(bytes.slice(8))
    expect(response.headers.get('content-disposition')).toContain('attachment')
  })

  test.each(['a-page.html', 'notes.pdf'])('is not there without a signature: %s', async (name) => {
    expect((await get(`/media/courses/${course}/downloads/${name}`)).status).toBe(404)
  })

  test.each([
    `courses/${course}/downloads/setup.exe`,
    `courses/${course}/downloads/.notes.pdf`,
    `courses/${course}/downloads/../exam.yaml`,
    `courses/${course}/lessons/functions-that-return.md`,
    `courses/${course}/exam.yaml`,
  ])('%s is none, even if it is signed', async (file) => {
    expect((await get(await signMediaUrl(`/media/${file}`, opened))).status).toBe(404)
  })
})

describe('nothing but media leaves the folder', () => {
  beforeAll(async () => {
    const root = path.join(folder, 'courses', course)
    await writeFile(path.join(root, '.hidden.webp'), 'hidden')
    await writeFile(path.join(root, 'cover.webp.gz'), 'sibling')
    await writeFile(path.join(root, 'cover.webp.br'), 'sibling')
    await mkdir(path.join(root, 'folder.webp'), { recursive: true })
    await writeFile(path.join(root, 'folder.webp/index.html'), 'a page')
    await symlink('/etc/passwd', path.join(root, 'exam.yaml.txt'))
  })

  test.each([
    `/media/courses/${course}/exam.yaml`,
    `/media/courses/${course}/course.yaml`,
    `/media/courses/${course}/EXAM.YAML`,
    `/media/courses/${course}/exam.yaml.`,
    `/media/courses/${course}/exam.yaml%00.webp`,
    `/media/courses/${course}/.hidden.webp`,
    `/media/courses/${course}/folder.webp`,
    `/media/courses/${course}/folder.webp/`,
    `/media/courses/${course}/`,
    '/media/',
    '/media/..%2fpackage.json',
    '/media/%2e%2e/package.json',
    `/media/courses/${course}/videos/..%2fexam.yaml`,
    `/media//courses/${course}/cover.webp`,
    `/media/courses/${course}//cover.webp`,
    `/media/courses%2f${course}%2fcover.webp`,
    `/media/courses/${course}/cover.webp/`,
    `/media/courses/${course}/cover.webp.gz`,
    `/media/courses/${course}%5ccover.webp`,
    `/media/courses/${course}/cover.webp%20`,
  ])('%s is not there', async (address) => {
    const response = await get(address)
    expect(response.status).not.toBe(200)
  })

  test('a signature does not open what is no media', async () => {
    for (const name of [
      'exam.yaml',
      'course.yaml',
      '.hidden.webp',
      'folder.webp',
      'cover.webp.gz',
    ]) {
      const address = await signMediaUrl(`/media/courses/${course}/${name}`, opened)
      expect([name, (await get(address)).status]).toEqual([name, 404])
    }
  })

  test('a compressed file beside a picture is not sent in its place', async () => {
    const response = await get(`/media/courses/${course}/cover.webp`, {
      'Accept-Encoding': 'br, gzip',
    })
    expect(response.headers.get('content-encoding')).toBeNull()
    expect((await bytesOf(response)).toString()).not.toBe('sibling')
  })
})

describe('browsers and players', () => {
  const signed = () => signMediaUrl(video, opened)

  test('get a part of the video', async () => {
    const response = await get(await signed(), { Range: 'bytes=100-199' })
    expect(response.status).toBe(206)
    expect(response.headers.get('content-range')).toMatch(/^bytes 100-199\/\d+$/)
    expect(await bytesOf(response)).toEqual((await original()).subarray(100, 200))
  })

  test('are told when a part lies behind the end', async () => {
    const response = await get(await signed(), { Range: 'bytes=999999999-' })
    expect(response.status).toBe(416)
    expect(response.headers.get('content-range')).toMatch(/^bytes \*\/\d+$/)
  })

  test.each(['x', 'bytes', 'bytes=', '0-9', 'lines=0-9', 'bytes=0-1,5-6'])(
    'get the whole video for the range %s, which names no part',
    async (Range) => {
      const response = await get(await signed(), { Range })
      expect(response.status).toBe(200)
      expect((await bytesOf(response)).length).toBe((await original()).length)
    },
  )

  test('learn the length, and that parts may be had, without the video', async () => {
    const response = await get(await signed(), {}, 'HEAD')
    expect(Number(response.headers.get('content-length'))).toBe((await original()).length)
    expect(response.headers.get('accept-ranges')).toBe('bytes')
    expect((await bytesOf(response)).length).toBe(0)
  })

  test('get no video again that they have', async () => {
    const { headers } = await get(await signed())
    const [etag, date] = [headers.get('etag') ?? '', headers.get('last-modified') ?? '']
    expect((await get(await signed(), { 'If-None-Match': `"other", W/${etag}` })).status).toBe(304)
    expect((await get(await signed(), { 'If-Modified-Since': date })).status).toBe(304)
    expect(
      (await get(await signed(), { 'If-None-Match': '"other"', 'If-Modified-Since': date })).status,
    ).toBe(200)
  })

  test('get the whole video when the part that they have is of another one', async () => {
    const { headers } = await get(await signed())
    const part = { Range: 'bytes=0-9' }
    expect(
      (await get(await signed(), { ...part, 'If-Range': headers.get('etag') ?? '' })).status,
    ).toBe(206)
    expect((await get(await signed(), { ...part, 'If-Range': '"other"' })).status).toBe(200)
  })
})

describe('a picture of another kind', () => {
  const cover = async (width: number, height: number) =>
    sharp({ create: { width, height, channels: 3, background: 'teal' } })
      .jpeg()
      .toBuffer()
  const sizeOf = async (response: Response) => {
    const { format, width, height } = await sharp(await bytesOf(response)).metadata()
    return { format, width, height }
  }

  test('is sent as WebP, a cover and its larger one cut to their sizes', async () => {
    await mkdir(path.join(folder, 'courses/photos/figures'), { recursive: true })
    await writeFile(path.join(folder, 'courses/photos/cover.jpg'), await cover(2000, 1500))
    await writeFile(path.join(folder, 'courses/photos/figures/knot.JPG'), await cover(2000, 1500))
    const small = await get('/media/courses/photos/cover.webp')
    expect(small.headers.get('content-type')).toBe('image/webp')
    expect(await sizeOf(small)).toEqual({ format: 'webp', width: 640, height: 360 })
    const large = await get('/media/courses/photos/cover-1280.webp')
    expect(await sizeOf(large)).toEqual({ format: 'webp', width: 1280, height: 720 })
    const figure = '/media/courses/photos/figures/knot.JPG'
    expect((await get(figure)).status).toBe(404)
    const signed = await get(await signMediaUrl(figure, opened))
    expect(await sizeOf(signed)).toEqual({ format: 'webp', width: 1600, height: 1200 })
  })

  test('may be HEIC, as an iPhone takes it', async () => {
    await mkdir(path.join(folder, 'courses/phone'), { recursive: true })
    await cp('tests/fixtures/photo.heic', path.join(folder, 'courses/phone/cover.heic'))
    const sent = await get('/media/courses/phone/cover.webp')
    expect(await sizeOf(sent)).toEqual({ format: 'webp', width: 640, height: 360 })
  })

  test('is made once, and anew when its file has changed', async () => {
    const file = path.join(folder, 'courses/photos/cover.jpg')
    const tag = async () => (await get('/media/courses/photos/cover.webp')).headers.get('etag')
    await writeFile(file, await cover(800, 450))
    const before = await tag()
    expect(await tag()).toBe(before)
    await writeFile(file, await cover(900, 500))
    expect(await tag()).not.toBe(before)
  })

  test('that has changed leaves no earlier one behind', async () => {
    const file = path.join(folder, 'courses/photos/cover.jpg')
    const listMade = () => readdir(path.join(env.DATA_DIR, 'pictures'))
    await writeFile(file, await cover(800, 450))
    await get('/media/courses/photos/cover.webp')
    const before = await listMade()
    await utimes(file, opened, opened)
    await get('/media/courses/photos/cover.webp')
    const after = await listMade()
    expect(after).not.toEqual(before)
    expect(after).toHaveLength(before.length)
  })

  test.each<[string, () => Promise<Buffer> | Buffer]>([
    ['is no picture', () => Buffer.from('no picture')],
    ['is cut off', async () => (await cover(800, 450)).subarray(0, 300)],
    ['has more pixels than are decoded', () => cover(8000, 7000)],
    ['is longer than is read', () => Buffer.alloc(30_000_001)],
  ])('that %s is not there, and a cover is drawn in its place', async (_what, bytes) => {
    await mkdir(path.join(folder, 'courses/broken/figures'), { recursive: true })
    await writeFile(path.join(folder, 'courses/broken/cover.jpg'), await bytes())
    await writeFile(path.join(folder, 'courses/broken/figures/knot.jpg'), await bytes())
    const drawn = await get('/media/courses/broken/cover.webp')
    expect([drawn.status, drawn.headers.get('content-type')]).toEqual([
      200,
      'image/svg+xml; charset=utf-8',
    ])
    expect(
      (await get(await signMediaUrl('/media/courses/broken/figures/knot.jpg', opened))).status,
    ).toBe(404)
  })

  test('is cut to the size of a cover only as the cover of its course', async () => {
    await mkdir(path.join(folder, 'courses/photos/figures'), { recursive: true })
    await writeFile(path.join(folder, 'courses/photos/figures/cover.jpg'), await cover(900, 900))
    const figure = await get(await signMediaUrl('/media/courses/photos/figures/cover.jpg', opened))
    expect(await sizeOf(figure)).toEqual({ format: 'webp', width: 900, height: 900 })
  })

  test('is found by its name in capitals, too', async () => {
    await writeFile(path.join(folder, 'courses/photos/figures/Map.PNG'), await cover(20, 20))
    const figure = await get(await signMediaUrl('/media/courses/photos/figures/Map.webp', opened))
    expect(figure.status).toBe(200)
  })
})
