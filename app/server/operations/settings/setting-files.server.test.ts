import { mkdtemp, rm, writeFile } from 'node:fs/promises'
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

async function write(name: string, text: string): Promise<string> {
  const file = path.join(folder, name)
  await writeFile(file, text)
  return file
}

const secret = 'x'.repeat(32)

describe('.env', () => {
  it('contains settings, but the environment takes precedence', async () => {
    await write(
      '.env',
      '# ours\nPORT=4000\nexport DATA_DIR="/srv/a b" # here\nHOST=\r\n\nMAIL_FROM=\'Ada <a@b.example>\'\n',
    )
    const { values, rawValues, mistakes, warnings } = readSettings({ PORT: '5000' }, folder)

    expect(values).toMatchObject({
      PORT: 5000,
      DATA_DIR: '/srv/a b',
      MAIL_FROM: 'Ada <a@b.example>',
    })

    expect([rawValues.HOST, mistakes, warnings]).toEqual([undefined, [], []])
  })

  it('may be missing, but not the file that ENV_FILE names', async () => {
    await rm(path.join(folder, '.env'))
    expect(readSettings({}, folder).mistakes).toEqual([])

    await write('other.env', 'PORT=4001')
    expect(readSettings({ ENV_FILE: 'other.env' }, folder).values.PORT).toBe(4001)
    expect(readSettings({ ENV_FILE: '/no/such/file' }, folder).mistakes).toEqual([
      'ENV_FILE: /no/such/file can’t be read (ENOENT).',
    ])
  })

  it('is read with a warning about each name that isn’t a setting', async () => {
    await write('.env', 'DATABSE_URL=x\nFAVORITE_COLOR=blue\nNODE_EXTRA_CA_CERTS=/ca.pem\nTZ=UTC')
    expect(readSettings({ TZ: 'UTC' }, folder).warnings).toEqual([
      '.env: DATABSE_URL isn’t a setting. Did you mean `DATABASE_URL`?',
      '.env: FAVORITE_COLOR isn’t a setting.',
      '.env: NODE_EXTRA_CA_CERTS isn’t a setting.',
    ])
  })

  it('may have a # in quotes, and a comment after a space', async () => {
    await write('.env', `AUTH_SECRET="ab#${secret}"\nPORT=80 # a#b\nHOST=#nothing`)
    const { rawValues, mistakes } = readSettings({}, folder)

    expect([rawValues.AUTH_SECRET, rawValues.PORT, rawValues.HOST, mistakes]).toEqual([
      `ab#${secret}`,
      '80',
      undefined,
      [],
    ])
  })
})

describe('a file for a secret', () => {
  it('is read without the line break at its end', async () => {
    const file = await write('auth', `${secret}\n`)
    expect(readSettings({ AUTH_SECRET_FILE: file }, folder).values.AUTH_SECRET).toBe(secret)

    await write('.env', 'AUTH_SECRET_FILE=auth')
    expect(readSettings({}, folder).values.AUTH_SECRET).toBe(secret)
  })

  it('may contain the client ID or the secret of single sign-on', async () => {
    const [id, key] = [await write('client', 'learnify\n'), await write('key', 'sesame\n')]
    const files = { SSO_ACME_CLIENT_ID_FILE: id, SSO_ACME_CLIENT_SECRET_FILE: key }
    const variables = {
      SSO_ACME_NAME: 'Acme',
      SSO_ACME_ISSUER: 'https://id.acme.example',
      ...files,
    }
    const { values, mistakes, warnings } = readSettings(variables, folder)
    expect([mistakes, warnings]).toEqual([[], []])
    expect(values.SSO).toMatchObject([{ CLIENT_ID: 'learnify', CLIENT_SECRET: 'sesame' }])

    await write('.env', 'SSO_ACME_ISUER=https://id.acme.example')
    expect(readSettings(variables, folder).warnings).toEqual([
      '.env: SSO_ACME_ISUER isn’t a setting.',
    ])
  })

  it('is a mistake if the setting itself is set, too', async () => {
    await write('smtp', 'smtp://localhost')
    await write('.env', 'SMTP_URL_FILE=smtp')

    expect(readSettings({ SMTP_URL: 'smtp://localhost' }, folder).mistakes).toEqual([
      'SMTP_URL and SMTP_URL_FILE are both set. Keep one of them.',
    ])
  })

  it('is a mistake if it is missing, empty or has several lines', async () => {
    const [empty, list] = [
      await write('empty', '\n'),
      await write('list', 'postgres://a\npostgres://b'),
    ]
    const variables = {
      AUTH_SECRET_FILE: '/no/file',
      SMTP_URL_FILE: empty,
      DATABASE_URL_FILE: list,
      PORT: 'x',
    }

    expect(readSettings(variables, folder).mistakes).toEqual([
      `DATABASE_URL_FILE: ${list} has more than one line.`,
      `SMTP_URL_FILE: ${empty} is empty.`,
      'AUTH_SECRET_FILE: /no/file can’t be read (ENOENT).',
      'PORT: expected a whole number from 1 to 65535',
    ])
  })
})
