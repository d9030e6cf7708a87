import { once } from 'node:events'
import { buffer } from 'node:stream/consumers'
import { expect, it, vi } from 'vitest'
import { readZip } from '../../../tests/support/read-zip'
import { createZipStream } from './zip-archive.server'

const createdAt = new Date('2026-11-20T12:34:56Z')

it('an archive contains every file, whatever its name and bytes are', async () => {
  const files = new Map([
    ['profile.json', Buffer.from('{"name":"Zoë 👩‍🚀"}')],
    ['empty', Buffer.alloc(0)],
    ['certificates/مرحبا.pdf', Buffer.alloc(300_000, 'learn ')],
  ])
  const zip = await buffer(
    createZipStream(async (add) => {
      for (const [name, bytes] of files) {
        await add(name, bytes.length > 0 ? [bytes] : [])
      }
    }, createdAt),
  )

  const readFiles = readZip(zip)
  expect([...readFiles.keys()]).toEqual([...files.keys()])

  for (const [name, bytes] of files) {
    expect([name, readFiles.get(name)?.equals(bytes)]).toEqual([name, true])
  }

  expect(zip.length).toBeLessThan(5_000)
})

it('an archive without files can be opened', async () => {
  const zip = await buffer(createZipStream(async () => {}, createdAt))

  expect(readZip(zip).size).toBe(0)
})

it('an archive is incomplete if reading a file fails in the middle', async () => {
  async function* content() {
    yield 'a part'
    throw new Error('The disk is gone.')
  }

  const archive = createZipStream((add) => add('notes.json', content()), createdAt)
  const parts: Buffer[] = []
  archive.on('data', (part) => parts.push(part))

  expect(await once(archive, 'end').catch((error) => error.message)).toBe('The disk is gone.')
  // A complete ZIP archive ends with this signature.
  expect(Buffer.concat(parts).includes('PK\x05\x06')).toBe(false)
})

it('an archive that is destroyed before it is read is closed, without an uncaught error', async () => {
  const archive = createZipStream((add) => add('notes.json', ['a part']), createdAt)
  const closed = new Promise<boolean>((resolve) =>
    archive.once('close', () => resolve(archive.destroyed)),
  )
  archive.destroy(new Error('Its reader has left.'))

  expect(await closed).toBe(true)
})

it('an archive is created only as fast as it is read, and no further once its reader has left', async () => {
  let createdBytes = 0
  let failure: unknown
  let isClosed = false
  const chunkSize = 64 * 1024
  async function* content() {
    try {
      for (;;) {
        createdBytes += chunkSize
        // Random bytes can't be compressed, so the archive is as large as its content.
        yield crypto.getRandomValues(new Uint8Array(chunkSize))
      }
    } finally {
      isClosed = true
    }
  }

  const archive = createZipStream(async (add) => {
    await add('endless', content()).catch((error) => {
      failure = error
    })
  }, createdAt)
  let readBytes = 0
  while (readBytes < 2_000_000) {
    const part: Buffer | null = archive.read()
    if (part) {
      readBytes += part.length
    } else {
      await once(archive, 'readable')
    }
  }

  expect(createdBytes).toBeLessThan(readBytes + 1_000_000)

  archive.destroy()
  await vi.waitFor(() => expect(isClosed).toBe(true))
  expect(String(failure)).toContain('has left')
})
