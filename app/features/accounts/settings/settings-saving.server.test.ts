import { crc32, deflateSync } from 'node:zlib'
import { eq } from 'drizzle-orm'
import sharp from 'sharp'
import { beforeEach, describe, expect, test } from 'vitest'
import type { Database } from '~/server/database/client.server'
import { users } from '~/server/database/schema/index'
import type { FileStore } from '~/server/files/files.server'
import { getFieldErrors } from '~/ui/form/form-result'
import { createTestDatabase } from '../../../../tests/support/test-database'
import { AttemptCounter } from '../attempt-counter.server'
import { settingsMessages } from './settings-messages'
import { saveSettings } from './settings-saving.server'

let db: Database
let storedFiles: Map<string, Uint8Array>
let now = Date.parse('2026-11-21T09:00:00Z')
const files: FileStore = {
  write: async (name, bytes) => void storedFiles.set(name, bytes),
  read: async (name) => Buffer.from(storedFiles.get(name) ?? []),
  remove: async (name) => void storedFiles.delete(name),
  check: async () => {},
}
const validFields = {
  firstName: 'Grace',
  lastName: 'Hopper',
  phone: '+1 555 0100',
  location: 'Arlington',
  timezone: 'America/Chicago',
}

beforeEach(async () => {
  db ??= (await createTestDatabase()).db
  storedFiles = new Map()
  // Each test runs on another day, so that earlier uploads do not count.
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

/** @param contentLength without this header, the form counts as one with a photo */
async function save(fields: Record<string, string | File>, uid = 'ada', contentLength?: number) {
  const request = createRequest(fields, contentLength)
  const { data: result, init } = await saveSettings(services(), uid, request)

  return { status: init?.status ?? 200, headers: init?.headers, result }
}

function createRequest(fields: Record<string, string | File>, contentLength?: number) {
  const body = new FormData()
  for (const [name, value] of Object.entries(fields)) {
    body.set(name, value)
  }

  const headers: Record<string, string> =
    contentLength === undefined ? {} : { 'Content-Length': String(contentLength) }

  return new Request('http://localhost/Profile/settings', { method: 'POST', body, headers })
}

const services = () => ({
  db,
  files,
  attempts: new AttemptCounter(db, 'a secret of the test', () => now),
})

async function getStoredUser(uid = 'ada') {
  const [user] = await db.select().from(users).where(eq(users.id, uid))
  if (!user) {
    throw new Error('The learner does not exist.')
  }

  return user
}

const createPicture = (format: 'jpeg' | 'png' | 'webp' | 'gif', width = 600, height = 400) =>
  sharp({ create: { width, height, channels: 3, background: '#5140e0' } })
    .withExif({ IFD0: { Copyright: 'a secret place' } })
    .toFormat(format)
    .toBuffer()
const createBlankPicture = (width: number, height: number, background = '#000') =>
  sharp({ create: { width, height, channels: 3, background }, limitInputPixels: false })

/** Creates a PNG chunk with a compressed comment. */
function createPngComment(comment: Buffer): Buffer {
  const chunk = Buffer.concat([
    Buffer.from('zTXtComment\0\0', 'latin1'),
    deflateSync(comment, { level: 9 }),
  ])
  const frame = Buffer.alloc(8)
  frame.writeUInt32BE(chunk.length - 4, 0)
  frame.writeUInt32BE(crc32(chunk), 4)

  return Buffer.concat([frame.subarray(0, 4), chunk, frame.subarray(4)])
}

const createUpload = (bytes: Uint8Array, name = 'photo.jpg', type = 'image/jpeg') =>
  new File([new Uint8Array(bytes)], name, { type })

describe('saving the settings', () => {
  test('stores all fields and derives the display name from the names', async () => {
    const { status, result } = await save({ ...validFields, firstName: '  Grace ' })

    expect({ status, result }).toEqual({
      status: 200,
      result: { done: true, notice: 'Settings saved successfully!' },
    })
    expect(await getStoredUser()).toMatchObject({ ...validFields, name: 'Grace Hopper' })
  })

  test('an account without a last name can be saved without one, until it gets one', async () => {
    await db
      .update(users)
      .set({ name: 'Madonna', firstName: 'Madonna', lastName: '' })
      .where(eq(users.id, 'ada'))

    expect((await save({ ...validFields, firstName: 'Madonna', lastName: '' })).status).toBe(200)
    expect(await getStoredUser()).toMatchObject({
      name: 'Madonna',
      lastName: '',
      location: 'Arlington',
    })
    expect((await save({ ...validFields, lastName: '\u3164' })).result).toMatchObject({
      errors: { lastName: 'Last name needs at least one visible character' },
    })

    await save(validFields)

    expect((await save({ ...validFields, lastName: '' })).result).toMatchObject({
      errors: { lastName: 'Last name is required' },
    })
  })

  test('ignores fields that the form does not have, and changes no other account', async () => {
    await save({
      ...validFields,
      uid: 'eve',
      id: 'eve',
      email: 'new@learnify.example',
      role: 'admin',
    })

    expect(await getStoredUser('eve')).toMatchObject({ firstName: 'Ada' })
    expect(await getStoredUser()).toMatchObject({ email: 'ada@learnify.example', role: 'learner' })
  })

  test('an empty phone or location is removed, and a missing time zone stays the same', async () => {
    await save(validFields)
    const { timezone: _omitted, ...rest } = validFields
    await save({ ...rest, phone: ' ', location: '' })

    expect(await getStoredUser()).toMatchObject({
      phone: null,
      location: null,
      timezone: 'America/Chicago',
    })
  })

  test('the time zone can follow the browser again', async () => {
    await save(validFields)
    await save({ ...validFields, timezone: '' })

    expect(await getStoredUser()).toMatchObject({ timezone: null })
  })

  test('accepts names in every script', async () => {
    const names = { firstName: 'محمد', lastName: '𠜎𠜱 O’Brien 👩🏽‍🚀' }

    expect((await save({ ...validFields, ...names })).status).toBe(200)
    expect(await getStoredUser()).toMatchObject({
      ...names,
      name: `${names.firstName} ${names.lastName}`,
    })
  })
})

describe('invalid input gets an error message, and nothing is stored', () => {
  test.each<[string, Record<string, string | File>, Record<string, string>]>([
    ['no first name', { firstName: '   ' }, { firstName: 'First name is required' }],
    ['no last name', { lastName: '' }, { lastName: 'Last name is required' }],
    [
      'a name of 500 characters',
      { firstName: 'x'.repeat(500) },
      { firstName: expect.stringContaining('100 characters or fewer') },
    ],
    [
      'a phone number with letters',
      { phone: 'call me' },
      { phone: 'Please enter a valid phone number' },
    ],
    [
      'a long phone number',
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
      'a file instead of a name',
      { firstName: createUpload(Buffer.from('x')) },
      { firstName: 'First name is required' },
    ],
  ])('%s', async (_input, invalidFields, errors) => {
    const { status, result } = await save({ ...validFields, ...invalidFields })

    expect(status).toBe(422)
    expect(result).toMatchObject({ done: false, errors })
    expect(Object.keys(getFieldErrors(result))).toEqual(Object.keys(errors))
    expect(result).toMatchObject({
      submittedValues: { lastName: invalidFields.lastName ?? validFields.lastName },
    })
    expect(await getStoredUser()).toMatchObject({ firstName: 'Ada', lastName: 'L', phone: null })
  })

  test('a body that is not a form', async () => {
    for (const type of ['application/json', 'multipart/form-data; boundary=x', 'text/plain']) {
      const request = new Request('http://localhost/x', {
        method: 'POST',
        body: '{',
        headers: { 'Content-Type': type },
      })

      await expect(saveSettings(services(), 'ada', request)).rejects.toMatchObject({ status: 400 })
    }
  })

  test('a NUL byte', async () => {
    await expect(save({ ...validFields, location: 'a\0b' })).rejects.toMatchObject({ status: 400 })
  })
})

describe('a photo', () => {
  test.each(['jpeg', 'png', 'webp'] as const)(
    'in the format %s becomes a square WebP without metadata',
    async (format) => {
      // The file name and the declared type are wrong, because only the bytes count.
      const { status } = await save({
        ...validFields,
        photo: createUpload(await createPicture(format), 'notes.txt', 'text/plain'),
      })

      expect(status).toBe(200)

      const [[name, bytes] = ['', new Uint8Array()]] = [...storedFiles]

      expect((await getStoredUser()).image).toBe(`/files/${name}`)

      const { format: is, width, height, exif } = await sharp(Buffer.from(bytes)).metadata()

      expect({ is, width, height, exif }).toEqual({
        is: 'webp',
        width: 256,
        height: 256,
        exif: undefined,
      })
    },
  )

  test('replaces the previous one, whose file is removed', async () => {
    await save({ ...validFields, photo: createUpload(await createPicture('png')) })
    await save({ ...validFields, photo: createUpload(await createPicture('jpeg')) })

    expect(storedFiles.size).toBe(1)
    expect((await getStoredUser()).image).toBe(`/files/${[...storedFiles.keys()][0]}`)
  })

  test('is removed only if the learner asks for it', async () => {
    await save({ ...validFields, photo: createUpload(await createPicture('png')) })
    await save({ ...validFields, photo: createUpload(Buffer.alloc(0), '') })

    expect((await getStoredUser()).image).toMatch(/^\/files\//)

    await save({ ...validFields, removePhoto: 'on' })

    expect((await getStoredUser()).image).toBeNull()
    expect(storedFiles.size).toBe(0)
  })

  test.each<[string, () => Promise<Buffer> | Buffer, number, string]>([
    [
      'more than 5 MB',
      () => Buffer.alloc(5 * 1024 * 1024 + 1, 0xff),
      413,
      settingsMessages.photoMessages.tooLarge,
    ],
    ['a GIF', () => createPicture('gif'), 415, settingsMessages.photoMessages.wrongKind],
    [
      'an SVG named photo.jpg',
      () => Buffer.from('<svg onload=alert(1)>'),
      415,
      settingsMessages.photoMessages.wrongKind,
    ],
    ['an empty file', () => Buffer.alloc(0), 415, settingsMessages.photoMessages.wrongKind],
    [
      'a truncated picture',
      async () => (await createPicture('png')).subarray(0, 300),
      415,
      settingsMessages.photoMessages.unreadable,
    ],
    [
      'a JPEG header without content',
      () => Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 0]),
      415,
      settingsMessages.photoMessages.unreadable,
    ],
  ])(
    'that is %s is refused with an error message',
    async (_file, createBytes, expectedStatus, message) => {
      const { status, result } = await save({
        ...validFields,
        photo: createUpload(await createBytes()),
      })

      expect({ status, errors: getFieldErrors(result) }).toEqual({
        status: expectedStatus,
        errors: { photo: message },
      })
      expect(storedFiles.size).toBe(0)
      expect((await getStoredUser()).firstName).toBe('Ada')
    },
  )

  test.each([
    ['60 megapixels', 10_000, 6_000],
    ['slightly more than 25 megapixels', 5_001, 5_000],
    ['a very wide picture', 16_000, 1_600],
  ])('that decompresses to %s is refused', async (_size, width, height) => {
    const bomb = await createBlankPicture(width, height)
      .toColourspace('b-w')
      .png({ compressionLevel: 3 })
      .toBuffer()

    expect(bomb.length).toBeLessThan(5 * 1024 * 1024)

    const { status, result } = await save({ ...validFields, photo: createUpload(bomb) })

    expect({ status, errors: getFieldErrors(result) }).toEqual({
      status: 413,
      errors: { photo: settingsMessages.photoMessages.tooManyPixels },
    })
  })

  test('with 25 megapixels is accepted', async () => {
    const large = await createBlankPicture(5000, 5000).jpeg().toBuffer()
    expect((await save({ ...validFields, photo: createUpload(large) })).status).toBe(200)
  })

  test('is processed without decompressing its comments', async () => {
    const png = await createPicture('png')
    const text = createPngComment(Buffer.alloc(8_000_000))
    // The comments follow the signature and the header. Decompressing them would give six gigabytes
    // and take 18 seconds of processor time.
    const bomb = Buffer.concat([
      png.subarray(0, 33),
      ...Array.from({ length: 600 }, () => text),
      png.subarray(33),
    ])
    const before = process.cpuUsage()

    expect((await save({ ...validFields, photo: createUpload(bomb) })).status).toBe(200)

    const { user, system } = process.cpuUsage(before)

    expect((user + system) / 1_000_000).toBeLessThan(5)
  })

  test('that is animated is refused', async () => {
    const frames = await Promise.all(
      ['#5140e0', '#e05140'].map((color) => createBlankPicture(40, 40, color).png().toBuffer()),
    )
    const animation = await sharp(frames, { join: { animated: true } })
      .webp()
      .toBuffer()
    const { status, result } = await save({ ...validFields, photo: createUpload(animation) })

    expect({ status, errors: getFieldErrors(result) }).toEqual({
      status: 415,
      errors: { photo: settingsMessages.photoMessages.moving },
    })
  })

  test.each([
    ['an SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>')],
    ['a TIFF', Buffer.from('II*\0\x08\0\0\0', 'latin1')],
    ['a PDF', Buffer.from('%PDF-1.7')],
  ])('that is %s is refused before decoding', async (_file, bytes) => {
    expect(
      getFieldErrors((await save({ ...validFields, photo: createUpload(bytes) })).result),
    ).toEqual({
      photo: settingsMessages.photoMessages.wrongKind,
    })
  })

  test('can be changed at most ten times an hour', async () => {
    const photo = createUpload(await createPicture('png'))
    for (let time = 0; time < 10; time++) {
      expect((await save({ ...validFields, photo })).status).toBe(200)
    }

    const refused = await save({ ...validFields, photo })

    expect(refused).toMatchObject({ status: 429, headers: { 'Retry-After': '3600' } })
    expect(getFieldErrors(refused.result)).toEqual({
      photo: settingsMessages.photoMessages.tooOften,
    })
    expect((await save({ ...validFields, photo }, 'eve')).status).toBe(200)

    now += 60 * 60_000

    expect((await save({ ...validFields, photo })).status).toBe(200)
  })

  test('whose upload got stuck allows one more upload by the same learner, and any by others', async () => {
    const photo = createUpload(await createPicture('png'))
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
      services(),
      'ada',
      new Request('http://localhost/Profile/settings', request),
    )
    const [other, ...more] = await Promise.all([
      save({ ...validFields, photo }, 'eve'),
      save({ ...validFields, photo }),
      save({ ...validFields, photo }),
    ])

    expect(other.status).toBe(200)

    const [second, third] = more.toSorted((a, b) => a.status - b.status)

    expect(second?.status).toBe(200)
    expect(third).toMatchObject({
      status: 503,
      headers: { 'Retry-After': '60' },
      result: { errors: { photo: settingsMessages.photoMessages.busy } },
    })

    stuck.abort()

    await expect(first).rejects.toMatchObject({ status: 400 })
    expect((await save({ ...validFields, photo })).status).toBe(200)
  })

  test('that is saved at the same time as another one is stored only if the record uses it', async () => {
    const photo = createUpload(await createPicture('png'))
    await Promise.all([
      save({ ...validFields, photo }, 'ada', 900),
      save({ ...validFields, photo }, 'ada', 900),
    ])

    expect([...storedFiles.keys()].map((name) => `/files/${name}`)).toEqual([
      (await getStoredUser()).image,
    ])
  })

  test('that can’t be stored gets an error message, and the form keeps its values', async () => {
    const { write } = files
    files.write = async () =>
      Promise.reject(Object.assign(new Error('ENOSPC: no space left'), { code: 'ENOSPC' }))
    const refused = await save({ ...validFields, photo: createUpload(await createPicture('png')) })
    files.write = write

    expect(refused).toMatchObject({
      status: 503,
      headers: { 'Retry-After': '60' },
      result: {
        errors: { photo: settingsMessages.photoMessages.noStorage },
        submittedValues: { firstName: 'Grace' },
      },
    })

    expect(await getStoredUser()).toMatchObject({ firstName: 'Ada', image: null })
  })

  test('is saved even if the file of the previous one cannot be removed', async () => {
    await save({ ...validFields, photo: createUpload(await createPicture('png')) })
    const { remove } = files
    files.remove = async () => Promise.reject(new Error('The file store is unreachable.'))

    expect(
      (await save({ ...validFields, photo: createUpload(await createPicture('jpeg')) })).status,
    ).toBe(200)

    files.remove = remove

    expect([...storedFiles.keys()].map((name) => `/files/${name}`)).toContain(
      (await getStoredUser()).image,
    )
  })

  test('is kept if the connection is lost after the record was committed', async () => {
    const lostConnection = new Error('The connection was lost.')
    const losingDb = new Proxy(db, {
      get: (target, property) =>
        property === 'transaction'
          ? async (...args: Parameters<Database['transaction']>) => {
              await target.transaction(...args)
              throw lostConnection
            }
          : Reflect.get(target, property),
    })
    const photo = createUpload(await createPicture('png'))

    await expect(
      saveSettings(
        { ...services(), db: losingDb },
        'ada',
        createRequest({ ...validFields, photo }),
      ),
    ).rejects.toBe(lostConnection)

    const storedUrls = [...storedFiles.keys()].map((name) => `/files/${name}`)

    expect(storedUrls).toEqual([(await getStoredUser()).image])
  })

  test('is removed if the record could not be written', async () => {
    const failure = new Error('The record could not be written.')
    const failingDb = new Proxy(db, {
      get: (target, property) =>
        property === 'transaction' ? () => Promise.reject(failure) : Reflect.get(target, property),
    })
    const photo = createUpload(await createPicture('png'))

    await expect(
      saveSettings(
        { ...services(), db: failingDb },
        'ada',
        createRequest({ ...validFields, photo }),
      ),
    ).rejects.toBe(failure)

    expect(storedFiles.size).toBe(0)
  })

  test('of a deleted account is not stored', async () => {
    await expect(
      save({ ...validFields, photo: createUpload(await createPicture('png')) }, 'nobody'),
    ).rejects.toThrow('No learner')
    expect(storedFiles.size).toBe(0)
  })
})
