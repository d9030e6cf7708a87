import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readEnvironment } from './env.server'
import { type FileStore, fileAddress, fileNameOf, newFileName, openFileStore } from './files.server'
import { signS3Request } from './s3-signature.server'

const secrets = { S3_ACCESS_KEY_ID: 'TESTKEY', S3_SECRET_ACCESS_KEY: 'test-secret', S3_REGION: 'eu-test-1' }
const objects = new Map<string, { bytes: Buffer; type: string | undefined }>()
let folder = ''

/** Stores and gives back objects like S3, after recomputing each request's signature from what arrived. */
const s3 = createServer(async (request, response) => {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  const body = Buffer.concat(chunks)
  const method = request.method ?? ''
  const url = new URL(request.url ?? '', `http://${request.headers.host}`)
  const moment = String(request.headers['x-amz-date'])
  const at = new Date(moment.replace(/^(\d{4})(\d{2})(\d{2})T(\d{2})(\d{2})(\d{2})Z$/, '$1-$2-$3T$4:$5:$6Z'))
  const type = request.headers['content-type']
  const expected = signS3Request(
    { method, url, headers: method === 'PUT' && type ? { 'content-type': type } : {}, body },
    { accessKeyId: 'TESTKEY', secretAccessKey: 'test-secret', region: 'eu-test-1' },
    at,
  )
  const fresh = Math.abs(Date.now() - at.getTime()) < 60_000
  if (!fresh || request.headers.authorization !== expected.authorization) return response.writeHead(403).end()
  if (url.pathname === '/bucket') return response.end()
  if (!url.pathname.startsWith('/bucket/')) return response.writeHead(404).end()
  if (method === 'PUT') objects.set(url.pathname, { bytes: body, type })
  if (method === 'DELETE') return response.writeHead(objects.delete(url.pathname) ? 204 : 404).end()
  const object = objects.get(url.pathname)
  return object ? response.end(method === 'GET' ? object.bytes : '') : response.writeHead(404).end()
})

const s3Settings = (more: Record<string, string>) =>
  readEnvironment({ S3_ENDPOINT: `http://127.0.0.1:${(s3.address() as AddressInfo).port}`, ...secrets, ...more })

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'learnify-files-'))
  await new Promise<void>((resolve) => s3.listen(0, '127.0.0.1', resolve))
})
afterAll(async () => {
  s3.close()
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

  test('gives back what was written, until it is removed', async () => {
    const name = newFileName('photos')
    await store.write(name, Buffer.from('picture'), 'image/webp')
    expect((await store.read(name))?.toString()).toBe('picture')
    await store.check()
    await store.remove(name)
    expect(await store.read(name)).toBeNull()
    await store.remove(name)
  })

  test('knows nothing by names that are not its own', async () => {
    for (const name of ['../secrets.json', 'photos/../../secrets.json', 'photos/a.webp', '', 'photos/%2e%2e.webp']) {
      expect(await store.read(name)).toBeNull()
      await expect(store.write(name, Buffer.from('x'), 'image/webp')).rejects.toThrow('Not a name')
    }
  })
})

test('a local file is never half there', async () => {
  const store = openFileStore(readEnvironment({ DATA_DIR: folder }))
  await store.write(newFileName('halves'), Buffer.alloc(100_000), 'image/webp')
  expect((await readdir(path.join(folder, 'files/halves'))).filter((file) => file.endsWith('.part'))).toEqual([])
})

test('an object keeps its content type', async () => {
  const name = newFileName('photos')
  await openFileStore(s3Settings({ S3_BUCKET: 'bucket' })).write(name, Buffer.from('x'), 'image/webp')
  expect(objects.get(`/bucket/${name}`)?.type).toBe('image/webp')
})

test('a wrong key and a missing bucket are errors, not lost files', async () => {
  const wrongKey = openFileStore(s3Settings({ S3_BUCKET: 'bucket', S3_SECRET_ACCESS_KEY: 'wrong' }))
  await expect(wrongKey.write(newFileName('photos'), Buffer.from('x'), 'image/webp')).rejects.toThrow('status 403')
  const noBucket = openFileStore(s3Settings({ S3_BUCKET: 'elsewhere' }))
  await expect(noBucket.write(newFileName('photos'), Buffer.from('x'), 'image/webp')).rejects.toThrow('no such bucket')
})

test('a store that can take nothing says so before somebody needs it', async () => {
  const unable = [
    openFileStore(readEnvironment({ DATA_DIR: path.join(folder, 'nowhere') })),
    openFileStore(s3Settings({ S3_BUCKET: 'elsewhere' })),
    openFileStore(s3Settings({ S3_BUCKET: 'bucket', S3_SECRET_ACCESS_KEY: 'wrong' })),
  ]
  for (const store of unable) await expect(store.check()).rejects.toThrow(/ENOENT|status 40[34]/)
})

test('S3 configured by halves stops the start with a sentence', () => {
  expect(() => openFileStore(readEnvironment({ S3_ENDPOINT: 'http://localhost:9000' }))).toThrow('S3_BUCKET')
})

test('only addresses of stored files lead back to a name', () => {
  const name = newFileName('photos')
  expect(fileNameOf(fileAddress(name))).toBe(name)
  for (const address of [null, '', '/files/', '/files/../x', 'https://elsewhere.example/files/photos/x.webp']) {
    expect(fileNameOf(address)).toBeNull()
  }
})
