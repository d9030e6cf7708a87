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

const courseId = 'python-from-zero'
const videos = `/media/courses/${courseId}/videos`
const video = `${videos}/names-and-values.webm`
const signedAt = new Date('2026-11-21T09:10:00Z')
let db: Database
let folder: string
let now: Date
let app: Hono

beforeAll(async () => {
  db = (await createTestDatabase()).db
  folder = await mkdtemp(path.join(tmpdir(), 'learnify-media-'))
  await cp(`content/courses/${courseId}`, path.join(folder, 'courses', courseId), {
    recursive: true,
  })
  await cp('content/instructors', path.join(folder, 'instructors'), { recursive: true })
  app = new Hono().get('/media/*', courseMedia({ db, folder, now: () => now }))
})
beforeEach(async () => {
  now = signedAt
  await db.update(courses).set({ published: true })
  await markPreview(false)
})
afterAll(() => rm(folder, { recursive: true }))

function markPreview(preview: boolean) {
  return db
    .update(courseLessons)
    .set({ preview })
    .where(and(eq(courseLessons.courseId, courseId), eq(courseLessons.id, 'names-and-values')))
}

function requestMedia(url: string, headers: Record<string, string> = {}, method = 'GET') {
  return app.request(url, { headers, method })
}

async function readBytes(response: Response): Promise<Buffer> {
  return Buffer.from(await response.arrayBuffer())
}

function readVideo(): Promise<Buffer> {
  return readFile(path.join(folder, video.slice('/media'.length)))
}

describe('a video of a lesson that is not a preview', () => {
  test.each(['webm', 'mp4', 'vtt', 'webp'])('has no public URL for %s', async (extension) => {
    const response = await requestMedia(`${videos}/names-and-values.${extension}`)

    expect(response.status).toBe(404)
    expect(await response.text()).toContain('Please reload the lesson.')
    expect(response.headers.get('cache-control')).toBe('no-store')
  })

  test('has a signed URL, which only private caches store', async () => {
    const response = await requestMedia(await signMediaUrl(video, signedAt))
    expect(response.status).toBe(200)
    expect(response.headers.get('cache-control')).toMatch(/^private, max-age=\d+$/)
    expect(response.headers.get('referrer-policy')).toBe('no-referrer')

    // `toEqual` compares large files byte by byte in JavaScript, which takes seconds.
    const receivedBytes = await readBytes(response)
    expect(receivedBytes.equals(await readVideo())).toBe(true)
  })

  test('has the same signed URL within two hours, and then another one', async () => {
    const later = new Date(signedAt.getTime() + 30 * 60_000)
    const nextWindow = new Date(signedAt.getTime() + 2 * 60 * 60_000)

    expect(await signMediaUrl(video, later)).toBe(await signMediaUrl(video, signedAt))
    expect(await signMediaUrl(video, nextWindow)).not.toBe(await signMediaUrl(video, signedAt))
  })

  test('has a signed URL that works for at least two hours and at most four', async () => {
    const url = await signMediaUrl(video, signedAt)
    now = new Date(signedAt.getTime() + 2 * 60 * 60_000)
    expect((await requestMedia(url)).status).toBe(200)

    now = new Date(signedAt.getTime() + 4 * 60 * 60_000)
    expect((await requestMedia(url)).status).toBe(404)
  })

  test('is cached no longer than its signed URL works', async () => {
    const url = await signMediaUrl(video, signedAt)
    now = new Date(Number(/until=(\d+)/.exec(url)?.[1]) * 1000 - 5_000)

    expect((await requestMedia(url)).headers.get('cache-control')).toBe('private, max-age=5')
  })

  test.each<[string, (url: string) => string]>([
    ['for another file', (url) => url.replace('.webm', '.mp4')],
    ['for another video', (url) => url.replace('names-and-values', 'text-numbers-and-conversion')],
    ['with a later end', (url) => url.replace(/until=\d+/, 'until=99999999999')],
    ['with an end that is no number', (url) => url.replace(/until=/, 'until=0x')],
    ['with a cut key', (url) => url.slice(0, -1)],
    ['without a key', (url) => url.replace(/&key=.*/, '')],
    ['with two ends, the first one later', (url) => url.replace('?', '?until=99999999999&')],
    ['in other letters', (url) => url.replace('/courses/', '/Courses/')],
  ])('is not found by a signed URL %s', async (_what, change) => {
    expect((await requestMedia(change(await signMediaUrl(video, signedAt)))).status).toBe(404)
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

    for (const [extension, type] of Object.entries(types)) {
      const response = await requestMedia(`${videos}/names-and-values.${extension}`)
      expect([response.status, response.headers.get('content-type')]).toEqual([200, type])
      expect(response.headers.get('cache-control')).toBe('public, max-age=3600')
    }
  })

  test('stays public if another lesson that is not a preview has the same video', async () => {
    const shared = `${videos}/names-and-values`
    const other = eq(courseLessons.id, 'how-a-for-loop-walks')
    await db.update(courseLessons).set({ video: shared, preview: false }).where(other)

    expect((await requestMedia(video)).status).toBe(200)
  })

  test('is not public once the lesson stops being a preview', async () => {
    await markPreview(false)
    expect((await requestMedia(video)).status).toBe(404)
  })

  test('is not public while the course is not published, but its learners can play it', async () => {
    await db.update(courses).set({ published: false })

    expect((await requestMedia(video)).status).toBe(404)
    expect((await requestMedia(await signMediaUrl(video, signedAt))).status).toBe(200)
  })
})

test('a course without a cover gets a drawing, which is always the same for this course', async () => {
  const drawn = await requestMedia('/media/courses/no-cover/cover.webp')
  expect(drawn.status).toBe(200)
  expect(drawn.headers.get('content-type')).toBe('image/svg+xml; charset=utf-8')
  expect(drawn.headers.get('cache-control')).toBe('public, max-age=3600')

  const drawing = await drawn.text()
  expect(drawing).toMatch(/^<svg .*<\/svg>\n$/s)
  expect(await (await requestMedia('/media/courses/no-cover/cover-1280.webp')).text()).toBe(drawing)
  expect(await (await requestMedia('/media/courses/another/cover.webp')).text()).not.toBe(drawing)
})

test('covers and portraits are public and cached for a day', async () => {
  for (const file of [
    `courses/${courseId}/cover.webp`,
    `courses/${courseId}/cover-1280.webp`,
    'instructors/amara-okafor.webp',
  ]) {
    const response = await requestMedia(`/media/${file}`)
    expect([file, response.status]).toEqual([file, 200])
    expect(response.headers.get('cache-control')).toBe('public, max-age=86400')
  }
})

describe('a download', () => {
  const url = `/media/courses/${courseId}/downloads/a-page.html`
  const bytes = '<script>alert(1)</script>'
  beforeAll(async () => {
    const downloads = path.join(folder, 'courses', courseId, 'downloads')
    await mkdir(downloads, { recursive: true })
    for (const name of ['a-page.html', 'setup.exe', 'notes.pdf']) {
      await writeFile(path.join(downloads, name), bytes)
    }
  })

  test('is saved by browsers and never shown, whatever it contains', async () => {
    const { status, headers } = await requestMedia(await signMediaUrl(url, signedAt))

    expect(status).toBe(200)
    expect(headers.get('content-disposition')).toBe('attachment; filename="a-page.html"')
    expect(headers.get('content-type')).toBe('text/plain; charset=utf-8')
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('content-security-policy')).toBe(
      "default-src 'none'; frame-ancestors 'none'; sandbox",
    )
    expect(headers.get('cache-control')).toMatch(/^private, max-age=\d+$/)
  })

  test('can be requested in parts, so that browsers can resume it', async () => {
    const response = await requestMedia(await signMediaUrl(url, signedAt), { Range: 'bytes=8-' })

    expect(response.status).toBe(206)
    expect((await readBytes(response)).toString()).toBe(bytes.slice(8))
    expect(response.headers.get('content-disposition')).toContain('attachment')
  })

  test.each(['a-page.html', 'notes.pdf'])('is not found without a signature: %s', async (name) => {
    expect((await requestMedia(`/media/courses/${courseId}/downloads/${name}`)).status).toBe(404)
  })

  test.each([
    `courses/${courseId}/downloads/setup.exe`,
    `courses/${courseId}/downloads/.notes.pdf`,
    `courses/${courseId}/downloads/../exam.yaml`,
    `courses/${courseId}/lessons/functions-that-return.md`,
    `courses/${courseId}/exam.yaml`,
  ])('is not found at %s, even with a signature', async (file) => {
    expect((await requestMedia(await signMediaUrl(`/media/${file}`, signedAt))).status).toBe(404)
  })
})

describe('files that are not media', () => {
  beforeAll(async () => {
    const root = path.join(folder, 'courses', courseId)
    await writeFile(path.join(root, '.hidden.webp'), 'hidden')
    await writeFile(path.join(root, 'cover.webp.gz'), 'sibling')
    await writeFile(path.join(root, 'cover.webp.br'), 'sibling')
    await mkdir(path.join(root, 'folder.webp'), { recursive: true })
    await writeFile(path.join(root, 'folder.webp/index.html'), 'a page')
    await symlink('/etc/passwd', path.join(root, 'exam.yaml.txt'))
  })

  test.each([
    `/media/courses/${courseId}/exam.yaml`,
    `/media/courses/${courseId}/course.yaml`,
    `/media/courses/${courseId}/EXAM.YAML`,
    `/media/courses/${courseId}/exam.yaml.`,
    `/media/courses/${courseId}/exam.yaml%00.webp`,
    `/media/courses/${courseId}/.hidden.webp`,
    `/media/courses/${courseId}/folder.webp`,
    `/media/courses/${courseId}/folder.webp/`,
    `/media/courses/${courseId}/`,
    '/media/',
    '/media/..%2fpackage.json',
    '/media/%2e%2e/package.json',
    `/media/courses/${courseId}/videos/..%2fexam.yaml`,
    `/media//courses/${courseId}/cover.webp`,
    `/media/courses/${courseId}//cover.webp`,
    `/media/courses%2f${courseId}%2fcover.webp`,
    `/media/courses/${courseId}/cover.webp/`,
    `/media/courses/${courseId}/cover.webp.gz`,
    `/media/courses/${courseId}%5ccover.webp`,
    `/media/courses/${courseId}/cover.webp%20`,
  ])('are not found at %s', async (url) => {
    const response = await requestMedia(url)
    expect(response.status).not.toBe(200)
  })

  test('are not found by a signed URL', async () => {
    for (const name of [
      'exam.yaml',
      'course.yaml',
      '.hidden.webp',
      'folder.webp',
      'cover.webp.gz',
    ]) {
      const url = await signMediaUrl(`/media/courses/${courseId}/${name}`, signedAt)
      expect([name, (await requestMedia(url)).status]).toEqual([name, 404])
    }
  })

  test('are not sent in place of a picture as its compressed form', async () => {
    const response = await requestMedia(`/media/courses/${courseId}/cover.webp`, {
      'Accept-Encoding': 'br, gzip',
    })

    expect(response.headers.get('content-encoding')).toBeNull()
    expect((await readBytes(response)).toString()).not.toBe('sibling')
  })
})

describe('browsers and players', () => {
  const signed = () => signMediaUrl(video, signedAt)

  test('get the requested part of a video', async () => {
    const response = await requestMedia(await signed(), { Range: 'bytes=100-199' })

    expect(response.status).toBe(206)
    expect(response.headers.get('content-range')).toMatch(/^bytes 100-199\/\d+$/)
    expect(await readBytes(response)).toEqual((await readVideo()).subarray(100, 200))
  })

  test('get an error for a part after the end', async () => {
    const response = await requestMedia(await signed(), { Range: 'bytes=999999999-' })

    expect(response.status).toBe(416)
    expect(response.headers.get('content-range')).toMatch(/^bytes \*\/\d+$/)
  })

  test.each(['x', 'bytes', 'bytes=', '0-9', 'lines=0-9', 'bytes=0-1,5-6'])(
    'get the whole video for the invalid range %s',
    async (Range) => {
      const response = await requestMedia(await signed(), { Range })

      expect(response.status).toBe(200)
      expect((await readBytes(response)).length).toBe((await readVideo()).length)
    },
  )

  test('learn the length, and that parts can be requested, from HEAD', async () => {
    const response = await requestMedia(await signed(), {}, 'HEAD')

    expect(Number(response.headers.get('content-length'))).toBe((await readVideo()).length)
    expect(response.headers.get('accept-ranges')).toBe('bytes')
    expect((await readBytes(response)).length).toBe(0)
  })

  test('do not get a video again that they have cached', async () => {
    const { headers } = await requestMedia(await signed())
    const [etag, date] = [headers.get('etag') ?? '', headers.get('last-modified') ?? '']

    expect(
      (await requestMedia(await signed(), { 'If-None-Match': `"other", W/${etag}` })).status,
    ).toBe(304)
    expect((await requestMedia(await signed(), { 'If-Modified-Since': date })).status).toBe(304)
    expect(
      (
        await requestMedia(await signed(), {
          'If-None-Match': '"other"',
          'If-Modified-Since': date,
        })
      ).status,
    ).toBe(200)
  })

  test('get the whole video if their cached part is of another version', async () => {
    const { headers } = await requestMedia(await signed())
    const part = { Range: 'bytes=0-9' }

    expect(
      (await requestMedia(await signed(), { ...part, 'If-Range': headers.get('etag') ?? '' }))
        .status,
    ).toBe(206)
    expect((await requestMedia(await signed(), { ...part, 'If-Range': '"other"' })).status).toBe(
      200,
    )
  })
})

describe('a picture that is not WebP', () => {
  const cover = async (width: number, height: number) =>
    sharp({ create: { width, height, channels: 3, background: 'teal' } })
      .jpeg()
      .toBuffer()
  const readPictureSize = async (response: Response) => {
    const { format, width, height } = await sharp(await readBytes(response)).metadata()
    return { format, width, height }
  }

  test('is converted to WebP, and covers are cut to their two sizes', async () => {
    await mkdir(path.join(folder, 'courses/photos/figures'), { recursive: true })
    await writeFile(path.join(folder, 'courses/photos/cover.jpg'), await cover(2000, 1500))
    await writeFile(path.join(folder, 'courses/photos/figures/knot.JPG'), await cover(2000, 1500))
    const small = await requestMedia('/media/courses/photos/cover.webp')
    expect(small.headers.get('content-type')).toBe('image/webp')
    expect(await readPictureSize(small)).toEqual({ format: 'webp', width: 640, height: 360 })

    const large = await requestMedia('/media/courses/photos/cover-1280.webp')
    expect(await readPictureSize(large)).toEqual({ format: 'webp', width: 1280, height: 720 })

    const figure = '/media/courses/photos/figures/knot.JPG'
    expect((await requestMedia(figure)).status).toBe(404)

    const signed = await requestMedia(await signMediaUrl(figure, signedAt))
    expect(await readPictureSize(signed)).toEqual({ format: 'webp', width: 1600, height: 1200 })
  })

  test('may be HEIC, the format of photos from iPhones', async () => {
    await mkdir(path.join(folder, 'courses/phone'), { recursive: true })
    await cp('tests/fixtures/photo.heic', path.join(folder, 'courses/phone/cover.heic'))
    const sent = await requestMedia('/media/courses/phone/cover.webp')

    expect(await readPictureSize(sent)).toEqual({ format: 'webp', width: 640, height: 360 })
  })

  test('is converted once, and again when its file has changed', async () => {
    const file = path.join(folder, 'courses/photos/cover.jpg')
    const tag = async () =>
      (await requestMedia('/media/courses/photos/cover.webp')).headers.get('etag')
    await writeFile(file, await cover(800, 450))
    const before = await tag()
    expect(await tag()).toBe(before)

    await writeFile(file, await cover(900, 500))
    expect(await tag()).not.toBe(before)
  })

  test('leaves no earlier version behind when its file has changed', async () => {
    const file = path.join(folder, 'courses/photos/cover.jpg')
    const listConvertedPictures = () => readdir(path.join(env.DATA_DIR, 'pictures'))
    await writeFile(file, await cover(800, 450))
    await requestMedia('/media/courses/photos/cover.webp')
    const before = await listConvertedPictures()
    await utimes(file, signedAt, signedAt)
    await requestMedia('/media/courses/photos/cover.webp')
    const after = await listConvertedPictures()

    expect(after).not.toEqual(before)
    expect(after).toHaveLength(before.length)
  })

  test.each<[string, () => Promise<Buffer> | Buffer]>([
    ['is no picture', () => Buffer.from('no picture')],
    ['is cut off', async () => (await cover(800, 450)).subarray(0, 300)],
    ['has more pixels than are decoded', () => cover(8000, 7000)],
    ['is longer than is read', () => Buffer.alloc(30_000_001)],
  ])('that %s is not found, and a cover is drawn in its place', async (_what, createBytes) => {
    const bytes = await createBytes()
    await mkdir(path.join(folder, 'courses/broken/figures'), { recursive: true })
    await writeFile(path.join(folder, 'courses/broken/cover.jpg'), bytes)
    await writeFile(path.join(folder, 'courses/broken/figures/knot.jpg'), bytes)
    const drawn = await requestMedia('/media/courses/broken/cover.webp')

    expect([drawn.status, drawn.headers.get('content-type')]).toEqual([
      200,
      'image/svg+xml; charset=utf-8',
    ])
    expect(
      (await requestMedia(await signMediaUrl('/media/courses/broken/figures/knot.jpg', signedAt)))
        .status,
    ).toBe(404)
  })

  test('is cut to the size of a cover only as the cover of its course', async () => {
    await mkdir(path.join(folder, 'courses/photos/figures'), { recursive: true })
    await writeFile(path.join(folder, 'courses/photos/figures/cover.jpg'), await cover(900, 900))
    const figure = await requestMedia(
      await signMediaUrl('/media/courses/photos/figures/cover.jpg', signedAt),
    )

    expect(await readPictureSize(figure)).toEqual({ format: 'webp', width: 900, height: 900 })
  })

  test('is found in a file whose name is in capitals', async () => {
    await writeFile(path.join(folder, 'courses/photos/figures/Map.PNG'), await cover(20, 20))
    const figure = await requestMedia(
      await signMediaUrl('/media/courses/photos/figures/Map.webp', signedAt),
    )

    expect(figure.status).toBe(200)
  })
})
