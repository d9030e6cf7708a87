import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startS3Server } from '../../../tests/support/s3-server'
import { readEnvironment } from '../../../tests/support/settings'
import {
  createFileName,
  type FileStore,
  getFileUrl,
  openFileStore,
  parseFileUrl,
} from './files.server'

const secrets = {
  S3_ACCESS_KEY_ID: 'TESTKEY',
  S3_SECRET_ACCESS_KEY: 'test-secret',
  S3_REGION: 'eu-test-1',
}
let s3: Awaited<ReturnType<typeof startS3Server>>
let folder = ''

const s3Settings = (more: Record<string, string>) =>
  readEnvironment({ S3_ENDPOINT: s3.url, ...secrets, ...more })

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'learnify-files-'))
  s3 = await startS3Server({
    accessKeyId: 'TESTKEY',
    secretAccessKey: 'test-secret',
    region: 'eu-test-1',
  })
})
afterAll(async () => {
  s3.stop()
  await rm(folder, { recursive: true })
})

describe.each([
  ['a local folder', () => openFileStore(readEnvironment({ DATA_DIR: folder }))],
  ['an S3-compatible store', () => openFileStore(s3Settings({ S3_BUCKET: 'bucket' }))],
])('%s', (_kind, open) => {
  let store: FileStore
  beforeAll(() => {
    store = open()
  })

  test('reads a file that was written, until it is removed', async () => {
    const name = createFileName('photos')
    await store.write(name, Buffer.from('picture'), 'image/webp')
    expect((await store.read(name))?.toString()).toBe('picture')

    await store.check()
    await store.remove(name)
    expect(await store.read(name)).toBeNull()

    await store.remove(name)
  })

  test('accepts only names that it generated itself', async () => {
    for (const name of [
      '../secrets.json',
      'photos/../../secrets.json',
      'photos/a.webp',
      '',
      'photos/%2e%2e.webp',
    ]) {
      expect(await store.read(name)).toBeNull()
      await expect(store.write(name, Buffer.from('x'), 'image/webp')).rejects.toThrow(
        'Not the name',
      )
    }
  })
})

test('a local file is never incomplete', async () => {
  const store = openFileStore(readEnvironment({ DATA_DIR: folder }))
  await store.write(createFileName('halves'), Buffer.alloc(100_000), 'image/webp')

  expect(
    (await readdir(path.join(folder, 'files/halves'))).filter((file) => file.endsWith('.part')),
  ).toEqual([])
})

test('an object in S3 has the content type of its file', async () => {
  const name = createFileName('photos')
  await openFileStore(s3Settings({ S3_BUCKET: 'bucket' })).write(
    name,
    Buffer.from('x'),
    'image/webp',
  )

  expect(s3.objects.get(`/bucket/${name}`)?.type).toBe('image/webp')
})

test('a wrong key and a missing bucket are reported as errors, not as missing files', async () => {
  const wrongKey = openFileStore(s3Settings({ S3_BUCKET: 'bucket', S3_SECRET_ACCESS_KEY: 'wrong' }))
  await expect(
    wrongKey.write(createFileName('photos'), Buffer.from('x'), 'image/webp'),
  ).rejects.toThrow('status 403')

  const noBucket = openFileStore(s3Settings({ S3_BUCKET: 'elsewhere' }))
  await expect(
    noBucket.write(createFileName('photos'), Buffer.from('x'), 'image/webp'),
  ).rejects.toThrow('no such bucket')
})

test('a file is not sent to another host that the store redirects to', async () => {
  const name = createFileName('photos')
  const elsewhere = createServer((_request, response) =>
    response.writeHead(307, { Location: s3.url }).end(),
  )
  await new Promise<void>((resolve) => elsewhere.listen(0, '127.0.0.1', resolve))
  const { port } = elsewhere.address() as AddressInfo
  const store = openFileStore(
    s3Settings({ S3_ENDPOINT: `http://127.0.0.1:${port}`, S3_BUCKET: 'bucket' }),
  )
  await expect(store.write(name, Buffer.from('x'), 'image/webp')).rejects.toThrow('status 307')

  elsewhere.close()
})

test('the check of a store fails if no file can be stored', async () => {
  const unable = [
    openFileStore(readEnvironment({ DATA_DIR: path.join(folder, 'nowhere') })),
    openFileStore(s3Settings({ S3_BUCKET: 'elsewhere' })),
    openFileStore(s3Settings({ S3_BUCKET: 'bucket', S3_SECRET_ACCESS_KEY: 'wrong' })),
  ]

  for (const store of unable) {
    await expect(store.check()).rejects.toThrow(/ENOENT|status 40[34]/)
  }
})

test('only URLs of stored files lead to a file name', () => {
  const name = createFileName('photos')
  expect(parseFileUrl(getFileUrl(name))).toBe(name)

  for (const address of [
    null,
    '',
    '/files/',
    '/files/../x',
    'https://elsewhere.example/files/photos/x.webp',
  ]) {
    expect(parseFileUrl(address)).toBeNull()
  }
})
