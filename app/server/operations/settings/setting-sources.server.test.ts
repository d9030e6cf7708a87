import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { readSettings } from './settings.server'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'learnify-settings-'))
})
beforeEach(() => write('.env', ''))
afterAll(() => rm(folder, { recursive: true, force: true }))

async function write(name: string, text: string, mode = 0o600): Promise<string> {
  const file = path.join(folder, name)
  await writeFile(file, text)
  await chmod(file, mode)
  return file
}

const secret = 'x'.repeat(32)

describe('.env', () => {
  it('gives settings, and the environment wins over it', async () => {
    await write(
      '.env',
      '# ours\nPORT=4000\nexport DATA_DIR="/srv/a b" # here\nHOST=\r\n\nMAIL_FROM=\'Ada <a@b.example>\'\n',
    )
    const { usable, given, mistakes, warnings } = readSettings({ PORT: '5000' }, folder)
    expect(usable).toMatchObject({ PORT: 5000, DATA_DIR: '/srv/a b', MAIL_FROM: 'Ada <a@b.example>' })
    expect(given).toMatchObject({ PORT: { source: 'environment' }, DATA_DIR: { source: '.env' } })
    expect([given.HOST, mistakes, warnings]).toEqual([undefined, [], []])
  })

  it('may be missing, but not the file that ENV_FILE names', async () => {
    await rm(path.join(folder, '.env'))
    expect(readSettings({}, folder).mistakes).toEqual([])
    await write('other.env', 'PORT=4001')
    expect(readSettings({ ENV_FILE: 'other.env' }, folder).given.PORT).toEqual({
      value: '4001',
      source: 'other.env',
    })
    expect(readSettings({ ENV_FILE: '/no/such/file' }, folder).mistakes).toEqual([
      'ENV_FILE: /no/such/file can’t be read (ENOENT).',
    ])
  })

  it('warns of a misspelled name, and of what isn’t a setting', async () => {
    await write('.env', 'DATABSE_URL=x\nFAVORITE_COLOR=blue\nNODE_EXTRA_CA_CERTS=/ca.pem\nTZ=UTC')
    expect(readSettings({ TZ: 'UTC' }, folder).warnings).toEqual([
      '.env: DATABSE_URL isn’t a setting. Did you mean `DATABASE_URL`?',
      '.env: FAVORITE_COLOR isn’t a setting.',
      '.env: NODE_EXTRA_CA_CERTS isn’t a setting.',
    ])
  })

  it('takes a # in quotes and a comment after a blank', async () => {
    await write('.env', `AUTH_SECRET="ab#${secret}"\nPORT=80 # a#b\nHOST=#nothing`)
    const { given, mistakes } = readSettings({}, folder)
    expect([given.AUTH_SECRET?.value, given.PORT?.value, given.HOST, mistakes]).toEqual([
      `ab#${secret}`,
      '80',
      undefined,
      [],
    ])
  })

  it('warns while everyone can read a secret in it', async () => {
    const file = await write('.env', `PORT=80\nDATABASE_URL=postgres://a:b@localhost/c`, 0o644)
    expect(readSettings({}, folder).warnings).toEqual([
      `Everyone on this machine can read ${file}, which holds DATABASE_URL. Run: chmod 600 ${file}`,
    ])
    await write('.env', 'PORT=80\nDATABASE_URL=postgres://localhost/c', 0o644)
    expect(readSettings({}, folder).warnings).toEqual([])
  })
})

describe('a file for a secret', () => {
  it('is read without its line break, and named as the source', async () => {
    const file = await write('auth', `${secret}\n`)
    const { usable, given } = readSettings({ AUTH_SECRET_FILE: file }, folder)
    expect([usable.AUTH_SECRET, given.AUTH_SECRET?.source]).toEqual([secret, file])
    await write('.env', 'AUTH_SECRET_FILE=auth')
    expect(readSettings({}, folder).given.AUTH_SECRET?.value).toBe(secret)
  })

  it('beside the setting itself is a mistake, wherever the two are set', async () => {
    await write('.env', 'SMTP_URL_FILE=smtp')
    expect(readSettings({ SMTP_URL: 'smtp://localhost' }, folder).mistakes).toEqual([
      'SMTP_URL (environment) and SMTP_URL_FILE (.env) are both set. Keep one of them.',
    ])
  })

  it('that is missing, empty or a list is a mistake beside all others', async () => {
    const [empty, list] = [await write('empty', '\n'), await write('list', 'a\nb')]
    const variables = { AUTH_SECRET_FILE: '/no/file', SMTP_URL_FILE: empty, DATABASE_URL_FILE: list, PORT: 'x' }
    expect(readSettings(variables, folder).mistakes).toEqual([
      `DATABASE_URL_FILE: ${list} has more than one line.`,
      `SMTP_URL_FILE: ${empty} is empty.`,
      'AUTH_SECRET_FILE: /no/file can’t be read (ENOENT).',
      'PORT: expected a whole number from 1 to 65535',
    ])
  })

  it('that everyone can read is warned of', async () => {
    const file = await write('auth', secret, 0o644)
    expect(readSettings({ AUTH_SECRET_FILE: file }, folder).warnings).toEqual([
      `Everyone on this machine can read ${file}, which holds AUTH_SECRET. Run: chmod 600 ${file}`,
    ])
  })
})
