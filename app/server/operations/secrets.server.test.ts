import { createHmac } from 'node:crypto'
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { isValidSignature, loadSecret, sign } from './secrets.server'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'learnify-secrets-'))
})
afterEach(() => rm(folder, { recursive: true }))

it('creates one secret for all processes that start at the same time', async () => {
  const secrets = await Promise.all(Array.from({ length: 8 }, () => loadSecret(folder)))

  expect(new Set(secrets).size).toBe(1)
  expect(await loadSecret(folder)).toBe(secrets[0])
  expect(secrets[0]?.length).toBeGreaterThanOrEqual(43)
})

it('lets only its owner read the file', async () => {
  await loadSecret(folder)
  expect((await stat(path.join(folder, 'secrets.json'))).mode & 0o777).toBe(0o600)
})

it('uses the configured secret', async () => {
  expect(await loadSecret(folder, 'x'.repeat(40))).toBe('x'.repeat(40))
})

it('prevents the start if the file is broken, instead of signing everyone out', async () => {
  await writeFile(path.join(folder, 'secrets.json'), '{')
  await expect(loadSecret(folder)).rejects.toThrow('can’t be read')
})

it('accepts signatures of a previous secret, but only for their purpose', async () => {
  const previousSecret = 'the secret of before, 0123456789abcdef'
  const signature = createHmac('sha256', previousSecret)
    .update(JSON.stringify(['test', 'ada']))
    .digest('base64url')

  expect(await isValidSignature('test', ['ada'], signature, [previousSecret])).toBe(true)
  expect(await isValidSignature('other', ['ada'], signature, [previousSecret])).toBe(false)
  expect(await isValidSignature('test', ['ada'], signature, [])).toBe(false)
  expect(
    await isValidSignature('test', ['ada'], await sign('test', ['ada']), [previousSecret]),
  ).toBe(true)
})
