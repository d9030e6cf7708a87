import { once } from 'node:events'
import { buffer } from 'node:stream/consumers'
import { expect, it, vi } from 'vitest'
import { readZip } from '../../../tests/support/read-zip'
import { createZipStream } from './zip-archive.server'

const at = new Date('2026-11-20T12:34:56Z')

it('an archive contains every file, whatever its name and bytes are', async () => {
  const big = Buffer.alloc(300_000, 'learn ')
  const files = new Map([
    ['profile.json', Buffer.from('{"name":"Zoë 👩‍🚀"}')],
    ['empty', Buffer.alloc(0)],
    ['certificates/مرحبا.pdf', big],
  ])
  const zip = await buffer(
    createZipStream(async (add) => {
      for (const [name, bytes] of files) {
        await add(name, bytes.length > 0 ? [bytes] : [])
      }
    }, at),
  )

  const readFiles = readZip(zip)
  expect([...readFiles.keys()]).toEqual([...files.keys()])

  for (const [name, bytes] of files) {
    expect([name, readFiles.get(name)?.equals(bytes)]).toEqual([name, true])
  }

  expect(zip.length).toBeLessThan(5_000)
})

it('an archive without files can be opened', async () => {
  expect(readZip(await buffer(createZipStream(async () => {}, at))).size).toBe(0)
})

it('an archive is incomplete if reading a file fails in the middle', async () => {
  async function* content() {
    yield 'a part'
    throw new Error('The disk is gone.')
  }

  const archive = createZipStream((add) => add('notes.json', content()), at)
  const parts: Buffer[] = []
  archive.on('data', (part) => parts.push(part))

  expect(await once(archive, 'end').catch((error) => error.message)).toBe('The disk is gone.')
  expect(Buffer.concat(parts).includes('PK\x05\x06')).toBe(false)
})

it('an archive that is destroyed before it is read is closed, without an uncaught error', async () => {
  const archive = createZipStream((add) => add('notes.json', ['a part']), at)
  const closed = new Promise<boolean>((resolve) =>
    archive.once('close', () => resolve(archive.destroyed)),
  )
  archive.destroy(new Error('Its reader has left.'))

  expect(await closed).toBe(true)
})

it('an archive is created only as fast as it is read, and no further once its reader has left', async () => {
  let made = 0
  let failure: unknown
  let isClosed = false
  // Nothing that would get smaller.
  const random = new Uint8Array(64 * 1024)
  async function* content() {
    try {
      for (;;) {
        for (let at = 0; at < random.length; at += 65_536) {
          crypto.getRandomValues(random.subarray(at, at + 65_536))
        }

        made += 1
        yield random.slice()
      }
    } finally {
      isClosed = true
    }
  }

  const archive = createZipStream(async (add) => {
    await add('endless', content()).catch((error) => {
      failure = error
    })
  }, at)
  let read = 0
  while (read < 2_000_000) {
    const part: Buffer | null = archive.read()
    if (part) {
      read += part.length
    } else {
      await once(archive, 'readable')
    }
  }

  expect(made * random.length).toBeLessThan(read + 1_000_000)

  archive.destroy()
  await vi.waitFor(() => expect(isClosed).toBe(true))
  expect(String(failure)).toContain('has left')
})
