import { crc32, deflateSync } from 'node:zlib'
import { eq } from 'drizzle-orm'
import sharp from 'sharp'
import { beforeEach, describe, expect, test } from 'vitest'
import type { Database } from '~/server/database/client.server'
import { users } from '~/server/database/schema/index'
import type { FileStore } from '~/server/files/files.server'
import { getFieldErrors } from '~/ui/form/form-result'
import { testDatabase } from '../../../../tests/support/test-database'
import { AttemptCounter } from '../attempt-limits.server'
import { photoMessages } from './settings-messages'
import { saveSettings } from './settings-saving.server'

let db: Database
let kept: Map<string, Uint8Array>
let now = Date.parse('2026-11-21T09:00:00Z')
const files: FileStore = {
  write: async (name, bytes) => void kept.set(name, bytes),
  read: async (name) => Buffer.from(kept.get(name) ?? []),
  remove: async (name) => void kept.delete(name),
  check: async () => {},
}
const good = {
  firstName: 'Grace',
  lastName: 'Hopper',
  phone: '+1 555 0100',
  location: 'Arlington',
  timezone: 'America/Chicago',
}

beforeEach(async () => {
  db ??= (await testDatabase()).db
  kept = new Map()
  // Yesterday's uploads count no longer.
  now += 24 * 60 * 60_000
  await db.delete(users)
  for (const id of ['ada', 'eve']) {
    await db.insert(users).values({
      id,
      name: 'Ada L',
      firstName: 'Ada',
      lastName: 'L',
      email: `${id}@learnify.example`,
    })
  }
})

/** @param bytes as the browser declares them; without, the form counts as one with a photo. */
async function save(fields: Record<string, string | File>, uid = 'ada', bytes?: number) {
  const body = new FormData()
  for (const [name, value] of Object.entries(fields)) {
    body.set(name, value)
  }

  const headers: Record<string, string> =
    bytes === undefined ? {} : { 'Content-Length': String(bytes) }
  const request = new Request('http://localhost/Profile/settings', {
    method: 'POST',
    body,
    headers,
  })
  const { data: result, init } = await saveSettings(parts(), uid, request)

  return { status: init?.status ?? 200, headers: init?.headers, result }
}

const parts = () => ({
  db,
  files,
  attempts: new AttemptCounter(db, 'a secret of the test', () => now),
})

async function stored(uid = 'ada') {
  const [user] = await db.select().from(users).where(eq(users.id, uid))
  if (!user) {
    throw new Error('The learner is gone.')
  }

  return user
}

const picture = (format: 'jpeg' | 'png' | 'webp' | 'gif', width = 600, height = 400) =>
  sharp({ create: { width, height, channels: 3, background: '#5140e0' } })
    .withExif({ IFD0: { Copyright: 'a secret place' } })
    .toFormat(format)
    .toBuffer()
const blank = (width: number, height: number, background = '#000') =>
  sharp({ create: { width, height, channels: 3, background }, limitInputPixels: false })

/** A compressed comment of a PNG. */
function pngText(words: Buffer): Buffer {
  const chunk = Buffer.concat([
    Buffer.from('zTXtComment\0\0', 'latin1'),
    deflateSync(words, { level: 9 }),
  ])
  const frame = Buffer.alloc(8)
  frame.writeUInt32BE(chunk.length - 4, 0)
  frame.writeUInt32BE(crc32(chunk), 4)

  return Buffer.concat([frame.subarray(0, 4), chunk, frame.subarray(4)])
}

const upload = (bytes: Uint8Array, name = 'photo.jpg', type = 'image/jpeg') =>
  new File([new Uint8Array(bytes)], name, { type })

describe('saving', () => {
  test('stores the names, phone, location and time zone, and the display name follows', async () => {
    const { status, result } = await save({ ...good, firstName: '  Grace ' })
    expect({ status, result }).toEqual({
      status: 200,
      result: { done: true, notice: 'Settings saved successfully!' },
    })
    expect(await stored()).toMatchObject({ ...good, name: 'Grace Hopper' })
  })

  test('an account that came with one name saves the rest without a last name, until it has one', async () => {
    await db
      .update(users)
      .set({ name: 'Madonna', firstName: 'Madonna', lastName: '' })
      .where(eq(users.id, 'ada'))
    expect((await save({ ...good, firstName: 'Madonna', lastName: '' })).status).toBe(200)
    expect(await stored()).toMatchObject({ name: 'Madonna', lastName: '', location: 'Arlington' })
    expect((await save({ ...good, lastName: '\u3164' })).result).toMatchObject({
      errors: { lastName: 'Last name needs at least one visible character' },
    })
    await save(good)
    expect((await save({ ...good, lastName: '' })).result).toMatchObject({
      errors: { lastName: 'Last name is required' },
    })
  })

  test('touches nobody else, whatever else the form says', async () => {
    await save({ ...good, uid: 'eve', id: 'eve', email: 'new@learnify.example', role: 'admin' })
    expect(await stored('eve')).toMatchObject({ firstName: 'Ada' })
    expect(await stored()).toMatchObject({ email: 'ada@learnify.example', role: 'learner' })
  })

  test('an empty phone and location are nothing, and a missing time zone stays as it was', async () => {
    await save(good)
    const { timezone: _left, ...rest } = good
    await save({ ...rest, phone: ' ', location: '' })
    expect(await stored()).toMatchObject({
      phone: null,
      location: null,
      timezone: 'America/Chicago',
    })
  })

  test('a time zone can be the browser’s again', async () => {
    await save(good)
    await save({ ...good, timezone: '' })
    expect(await stored()).toMatchObject({ timezone: null })
  })

  test('takes names of every script', async () => {
    const names = { firstName: 'محمد', lastName: '𠜎𠜱 O’Brien 👩🏽‍🚀' }
    expect((await save({ ...good, ...names })).status).toBe(200)
    expect(await stored()).toMatchObject({ ...names, name: `${names.firstName} ${names.lastName}` })
  })
})

describe('bad input gets a sentence, and nothing is stored', () => {
  test.each<[string, Record<string, string | File>, Record<string, string>]>([
    ['no first name', { firstName: '   ' }, { firstName: 'First name is required' }],
    ['no last name', { lastName: '' }, { lastName: 'Last name is required' }],
    [
      'a name of 500 characters',
      { firstName: 'x'.repeat(500) },
      { firstName: expect.stringContaining('100 characters or fewer') },
    ],
    ['a phone of words', { phone: 'call me' }, { phone: 'Please enter a valid phone number' }],
    [
      'a long phone',
      { phone: '1'.repeat(41) },
      { phone: expect.stringContaining('40 characters or fewer') },
    ],
    [
      'a long location',
      { location: 'x'.repeat(121) },
      { location: expect.stringContaining('120 characters or fewer') },
    ],
    [
      'an unknown time zone',
      { timezone: 'Mars/Olympus' },
      { timezone: 'Please choose a time zone from the list' },
    ],
    [
      'a file as a name',
      { firstName: upload(Buffer.from('x')) },
      { firstName: 'First name is required' },
    ],
  ])('%s', async (_what, wrong, errors) => {
    const { status, result } = await save({ ...good, ...wrong })
    expect(status).toBe(422)
    expect(result).toMatchObject({ done: false, errors })
    expect(Object.keys(getFieldErrors(result))).toEqual(Object.keys(errors))
    expect(result).toMatchObject({ submittedValues: { lastName: wrong.lastName ?? good.lastName } })
    expect(await stored()).toMatchObject({ firstName: 'Ada', lastName: 'L', phone: null })
  })

  test('a body that is no form', async () => {
    for (const type of ['application/json', 'multipart/form-data; boundary=x', 'text/plain']) {
      const request = new Request('http://localhost/x', {
        method: 'POST',
        body: '{',
        headers: { 'Content-Type': type },
      })

      await expect(saveSettings(parts(), 'ada', request)).rejects.toMatchObject({ status: 400 })
    }
  })

  test('a NUL byte', async () => {
    await expect(save({ ...good, location: 'a\0b' })).rejects.toMatchObject({ status: 400 })
  })
})

describe('a photo', () => {
  test.each(['jpeg', 'png', 'webp'] as const)(
    'in %s becomes a square WebP without metadata',
    async (format) => {
      // The name and the declared type say something else: only the bytes count.
      const { status } = await save({
        ...good,
        photo: upload(await picture(format), 'notes.txt', 'text/plain'),
      })
      expect(status).toBe(200)
      const [[name, bytes] = ['', new Uint8Array()]] = [...kept]
      expect((await stored()).image).toBe(`/files/${name}`)
      const { format: is, width, height, exif } = await sharp(Buffer.from(bytes)).metadata()
      expect({ is, width, height, exif }).toEqual({
        is: 'webp',
        width: 256,
        height: 256,
        exif: undefined,
      })
    },
  )

  test('replaces the old one, which is removed afterwards', async () => {
    await save({ ...good, photo: upload(await picture('png')) })
    await save({ ...good, photo: upload(await picture('jpeg')) })
    expect(kept.size).toBe(1)
    expect((await stored()).image).toBe(`/files/${[...kept.keys()][0]}`)
  })

  test('is taken away on request, and stays otherwise', async () => {
    await save({ ...good, photo: upload(await picture('png')) })
    await save({ ...good, photo: upload(Buffer.alloc(0), '') })
    expect((await stored()).image).toMatch(/^\/files\//)
    await save({ ...good, removePhoto: 'on' })
    expect((await stored()).image).toBeNull()
    expect(kept.size).toBe(0)
  })

  test.each<[string, () => Promise<Buffer> | Buffer, number, string]>([
    ['more than 5 MB', () => Buffer.alloc(5 * 1024 * 1024 + 1, 0xff), 413, photoMessages.tooLarge],
    ['a GIF', () => picture('gif'), 415, photoMessages.wrongKind],
    [
      'a page named photo.jpg',
      () => Buffer.from('<svg onload=alert(1)>'),
      415,
      photoMessages.wrongKind,
    ],
    ['an empty file', () => Buffer.alloc(0), 415, photoMessages.wrongKind],
    [
      'half a picture',
      async () => (await picture('png')).subarray(0, 300),
      415,
      photoMessages.unreadable,
    ],
    [
      'a JPEG head with nothing behind',
      () => Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 0]),
      415,
      photoMessages.unreadable,
    ],
  ])('that is %s is refused with a sentence', async (_what, bytes, expected, message) => {
    const { status, result } = await save({ ...good, photo: upload(await bytes()) })
    expect({ status, errors: getFieldErrors(result) }).toEqual({
      status: expected,
      errors: { photo: message },
    })
    expect(kept.size).toBe(0)
    expect((await stored()).firstName).toBe('Ada')
  })

  test.each([
    ['60 megapixels', 10_000, 6_000],
    ['a little more than 25', 5_001, 5_000],
    ['a strip', 16_000, 1_600],
  ])('that unfolds to %s is refused', async (_what, width, height) => {
    const bomb = await blank(width, height).png({ compressionLevel: 9 }).toBuffer()
    expect(bomb.length).toBeLessThan(5 * 1024 * 1024)
    const { status, result } = await save({ ...good, photo: upload(bomb) })
    expect({ status, errors: getFieldErrors(result) }).toEqual({
      status: 413,
      errors: { photo: photoMessages.tooManyPixels },
    })
  })

  test('of 25 megapixels is taken', async () => {
    const large = await blank(5000, 5000).jpeg().toBuffer()
    expect((await save({ ...good, photo: upload(large) })).status).toBe(200)
  })

  test('does not cost what its texts unfold to', async () => {
    const png = await picture('png')
    const text = pngText(Buffer.alloc(8_000_000))
    // Behind the signature and the header; six gigabytes in all, which took 18 seconds of processor
    // time.
    const bomb = Buffer.concat([
      png.subarray(0, 33),
      ...Array.from({ length: 600 }, () => text),
      png.subarray(33),
    ])
    const before = process.cpuUsage()
    expect((await save({ ...good, photo: upload(bomb) })).status).toBe(200)
    const { user, system } = process.cpuUsage(before)
    expect((user + system) / 1_000_000).toBeLessThan(5)
  })

  test('that moves is refused', async () => {
    const frames = await Promise.all(
      ['#5140e0', '#e05140'].map((color) => blank(40, 40, color).png().toBuffer()),
    )
    const moving = await sharp(frames, { join: { animated: true } })
      .webp()
      .toBuffer()
    const { status, result } = await save({ ...good, photo: upload(moving) })
    expect({ status, errors: getFieldErrors(result) }).toEqual({
      status: 415,
      errors: { photo: photoMessages.moving },
    })
  })

  test.each([
    ['an SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>')],
    ['a TIFF', Buffer.from('II*\0\x08\0\0\0', 'latin1')],
    ['a PDF', Buffer.from('%PDF-1.7')],
  ])('that is %s never reaches a decoder', async (_what, bytes) => {
    expect(getFieldErrors((await save({ ...good, photo: upload(bytes) })).result)).toEqual({
      photo: photoMessages.wrongKind,
    })
  })

  test('is changed at most ten times an hour', async () => {
    const photo = upload(await picture('png'))
    for (let time = 0; time < 10; time++) {
      expect((await save({ ...good, photo })).status).toBe(200)
    }

    const refused = await save({ ...good, photo })
    expect(refused).toMatchObject({ status: 429, headers: { 'Retry-After': '3600' } })
    expect(getFieldErrors(refused.result)).toEqual({ photo: photoMessages.tooOften })
    expect((await save({ ...good, photo }, 'eve')).status).toBe(200)
    now += 60 * 60_000
    expect((await save({ ...good, photo })).status).toBe(200)
  })

  test('that got stuck on its way leaves room for a second attempt, but for no third, and for other learners', async () => {
    const photo = upload(await picture('png'))
    const stuck = new AbortController()
    const stuckBody = new ReadableStream({
      start: (body) => stuck.signal.addEventListener('abort', () => body.error(new Error('left'))),
    })
    const type = { 'Content-Type': 'multipart/form-data; boundary=b' }
    const request = {
      method: 'POST',
      body: stuckBody,
      headers: type,
      duplex: 'half',
    } as RequestInit
    const first = saveSettings(
      parts(),
      'ada',
      new Request('http://localhost/Profile/settings', request),
    )
    const [other, ...more] = await Promise.all([
      save({ ...good, photo }, 'eve'),
      save({ ...good, photo }),
      save({ ...good, photo }),
    ])

    expect(other.status).toBe(200)
    const [second, third] = more.toSorted((a, b) => a.status - b.status)
    expect(second?.status).toBe(200)
    expect(third).toMatchObject({
      status: 503,
      headers: { 'Retry-After': '60' },
      result: { errors: { photo: photoMessages.busy } },
    })

    stuck.abort()
    await expect(first).rejects.toMatchObject({ status: 400 })
    expect((await save({ ...good, photo })).status).toBe(200)
  })

  test('of two that are saved at once only the one in the record is kept', async () => {
    const photo = upload(await picture('png'))
    await Promise.all([save({ ...good, photo }, 'ada', 900), save({ ...good, photo }, 'ada', 900)])
    expect([...kept.keys()].map((name) => `/files/${name}`)).toEqual([(await stored()).image])
  })

  test('that can’t be stored is refused beside its field, and the rest of the form stays typed', async () => {
    const { write } = files
    files.write = async () =>
      Promise.reject(Object.assign(new Error('ENOSPC: no space left'), { code: 'ENOSPC' }))
    const refused = await save({ ...good, photo: upload(await picture('png')) })
    files.write = write
    expect(refused).toMatchObject({
      status: 503,
      headers: { 'Retry-After': '60' },
      result: {
        errors: { photo: photoMessages.noStorage },
        submittedValues: { firstName: 'Grace' },
      },
    })

    expect(await stored()).toMatchObject({ firstName: 'Ada', image: null })
  })

  test('is forgotten last: a file that cannot be removed does not undo the new one', async () => {
    await save({ ...good, photo: upload(await picture('png')) })
    const { remove } = files
    files.remove = async () => Promise.reject(new Error('The file store is away.'))
    expect((await save({ ...good, photo: upload(await picture('jpeg')) })).status).toBe(200)
    files.remove = remove
    expect([...kept.keys()].map((name) => `/files/${name}`)).toContain((await stored()).image)
  })

  test('of a learner who is gone is not kept', async () => {
    await expect(save({ ...good, photo: upload(await picture('png')) }, 'nobody')).rejects.toThrow(
      'No learner',
    )
    expect(kept.size).toBe(0)
  })
})
