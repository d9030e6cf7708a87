import { eq } from 'drizzle-orm'
import sharp from 'sharp'
import { beforeEach, describe, expect, test } from 'vitest'
import type { Database } from '~/server/database/client.server'
import { users } from '~/server/database/schema'
import type { FileStore } from '~/server/files.server'
import { testDatabase } from '../../../tests/support/test-database'
import { photoMessages } from './photo-rules'
import { saveSettings } from './settings-saving.server'

let db: Database
let kept: Map<string, Uint8Array>
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
  await db.delete(users)
  for (const id of ['ada', 'eve']) {
    await db
      .insert(users)
      .values({ id, name: 'Ada L', firstName: 'Ada', lastName: 'L', email: `${id}@learnify.example` })
  }
})

function save(fields: Record<string, string | File>, uid = 'ada') {
  const body = new FormData()
  for (const [name, value] of Object.entries(fields)) body.set(name, value)
  return saveSettings({ db, files }, uid, new Request('http://localhost/Profile/settings', { method: 'POST', body }))
}

async function stored(uid = 'ada') {
  const [user] = await db.select().from(users).where(eq(users.id, uid))
  if (!user) throw new Error('The learner is gone.')
  return user
}

const picture = (format: 'jpeg' | 'png' | 'webp' | 'gif', width = 600, height = 400) =>
  sharp({ create: { width, height, channels: 3, background: '#5140e0' } })
    .withExif({ IFD0: { Copyright: 'a secret place' } })
    .toFormat(format)
    .toBuffer()
const upload = (bytes: Uint8Array, name = 'photo.jpg', type = 'image/jpeg') =>
  new File([new Uint8Array(bytes)], name, { type })

describe('saving', () => {
  test('stores the names, phone, location and time zone, and the display name follows', async () => {
    const { status, result } = await save({ ...good, firstName: '  Grace ' })
    expect({ status, result }).toEqual({ status: 200, result: { saved: true, errors: {} } })
    expect(await stored()).toMatchObject({ ...good, name: 'Grace Hopper' })
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
    expect(await stored()).toMatchObject({ phone: null, location: null, timezone: 'America/Chicago' })
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
    ['a name of 500 characters', { firstName: 'x'.repeat(500) }, { firstName: expect.stringContaining('at most 100') }],
    ['a NUL byte', { lastName: 'Hop\0per' }, { lastName: expect.any(String) }],
    ['a NUL byte in the location', { location: 'a\0b' }, { location: expect.any(String) }],
    ['a phone of words', { phone: 'call me' }, { phone: 'Please enter a valid phone number' }],
    ['a long phone', { phone: '1'.repeat(41) }, { phone: expect.stringContaining('at most 40') }],
    ['a long location', { location: 'x'.repeat(121) }, { location: expect.stringContaining('at most 120') }],
    ['an unknown time zone', { timezone: 'Mars/Olympus' }, { timezone: 'Please choose one of the time zones' }],
    ['a file as a name', { firstName: upload(Buffer.from('x')) }, { firstName: 'First name is required' }],
  ])('%s', async (_what, wrong, errors) => {
    const { status, result } = await save({ ...good, ...wrong })
    expect(status).toBe(422)
    expect(result).toMatchObject({ saved: false, errors })
    expect(Object.keys(result.errors)).toEqual(Object.keys(errors))
    expect(result.typed?.lastName).toBe(wrong.lastName ?? good.lastName)
    expect(await stored()).toMatchObject({ firstName: 'Ada', lastName: 'L', phone: null })
  })

  test('a body that is no form', async () => {
    for (const type of ['application/json', 'multipart/form-data; boundary=x', 'text/plain']) {
      const request = new Request('http://localhost/x', {
        method: 'POST',
        body: '{',
        headers: { 'Content-Type': type },
      })
      expect((await saveSettings({ db, files }, 'ada', request)).status).toBe(400)
    }
  })
})

describe('a photo', () => {
  test.each(['jpeg', 'png', 'webp'] as const)('in %s becomes a square WebP without metadata', async (format) => {
    // The name and the declared type say something else: only the bytes count.
    const { status } = await save({ ...good, photo: upload(await picture(format), 'notes.txt', 'text/plain') })
    expect(status).toBe(200)
    const [[name, bytes] = ['', new Uint8Array()]] = [...kept]
    expect((await stored()).image).toBe(`/files/${name}`)
    const { format: is, width, height, exif } = await sharp(Buffer.from(bytes)).metadata()
    expect({ is, width, height, exif }).toEqual({ is: 'webp', width: 256, height: 256, exif: undefined })
  })

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
    ['a page named photo.jpg', () => Buffer.from('<svg onload=alert(1)>'), 415, photoMessages.wrongKind],
    ['an empty file', () => Buffer.alloc(0), 415, photoMessages.wrongKind],
    ['half a picture', async () => (await picture('png')).subarray(0, 300), 415, photoMessages.unreadable],
    [
      'a JPEG head with nothing behind',
      () => Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 0]),
      415,
      photoMessages.unreadable,
    ],
  ])('that is %s is refused with a sentence', async (_what, bytes, expected, message) => {
    const { status, result } = await save({ ...good, photo: upload(await bytes()) })
    expect({ status, errors: result.errors }).toEqual({ status: expected, errors: { photo: message } })
    expect(kept.size).toBe(0)
    expect((await stored()).firstName).toBe('Ada')
  })

  test('that unfolds to more pixels than any camera has is refused', async () => {
    const bomb = await sharp({ create: { width: 9000, height: 9000, channels: 3, background: '#000' } })
      .png({ compressionLevel: 9 })
      .toBuffer()
    expect(bomb.length).toBeLessThan(5 * 1024 * 1024)
    expect((await save({ ...good, photo: upload(bomb) })).status).toBe(415)
  })

  test('of a learner who is gone is not kept', async () => {
    await expect(save({ ...good, photo: upload(await picture('png')) }, 'nobody')).rejects.toThrow('No learner')
    expect(kept.size).toBe(0)
  })
})
