import { readFileSync } from 'node:fs'
import path from 'node:path'
import { generateHybridIdentity, generateX25519Identity, identityToRecipient } from 'age-encryption'
import { describe, expect, it } from 'vitest'
import { readEnvironment } from '../../../../tests/support/settings'
import { listSettings, StartError } from './settings.server'
import { describeSetting, isSecret, type SettingName, settingNames } from './settings-schema.server'
import { canBeInFile, parseSsoVariable, ssoParts } from './sso-settings.server'

describe('the environment', () => {
  it('needs no settings', () => {
    expect(readEnvironment({})).toMatchObject({
      PORT: 3000,
      PUBLIC_URL: 'http://localhost:3000',
      DEMO_ACCOUNT: true,
    })

    expect(readEnvironment({ PUBLIC_URL: 'https://learn.example' }).DEMO_ACCOUNT).toBe(false)
    expect(
      readEnvironment({ PUBLIC_URL: 'https://learn.example', DEMO_ACCOUNT: 'on' }).DEMO_ACCOUNT,
    ).toBe(true)
  })

  it('derives PUBLIC_URL from the port if it is not set', () => {
    expect(readEnvironment({ PORT: '4000' }).PUBLIC_URL).toBe('http://localhost:4000')
  })

  it('treats an empty variable as not set', () => {
    expect(readEnvironment({ PORT: '', SMTP_URL: '' })).toEqual(readEnvironment({}))
  })

  it.each([
    ['PORT', 'eighty', 'a whole number from 1 to 65535'],
    ['PORT', '70000', 'a whole number from 1 to 65535'],
    ['PUBLIC_URL', 'learnify.example', 'http:// or https://'],
    ['DATABASE_URL', 'mysql://localhost/x', 'postgres:// or postgresql://'],
    ['SMTP_URL', 'mail.example', 'smtp:// or smtps://'],
    ['AUTH_SECRET', 'short', 'at least 32 characters'],
    ['DATABASE_URL', 'postgres://learnify:p@ss/w#rd@127.0.0.1/learnify', '%40 for @'],
    ['DATABASE_URL', 'postgres://learnify:50%off@127.0.0.1/learnify', '%40 for @'],
    ['DATABASE_DIRECT_URL', 'postgres://learnify:p/ss@127.0.0.1/learnify', '%40 for @'],
    ['SMTP_URL', 'smtp://school:a?b@mail.example:587', '%40 for @'],
    ['PUBLIC_URL', 'https://school.example/learn', 'an address without a path'],
    ['PUBLIC_URL', 'https://ada:secret@school.example', 'an address without a path'],
    ['TRUST_PROXY', 'on', "the addresses of your proxies instead of 'on'"],
    ['TRUST_PROXY', '10.0.0.0/40', 'addresses and networks of proxies'],
    ['LOG_LEVEL', 'loud', 'silent, error, warn, info or debug'],
    ['MAIL_FROM', 'Learnify', 'an email address, like'],
    ['BACKUP_RECIPIENT', 'age1xyz', 'public keys of age'],
    ['CERTIFICATE_FONTS', '/no/such/font.otf', 'existing font files'],
  ])('names %s=%s and what is expected', (name, value, expected) => {
    const read = () => readEnvironment({ [name]: value })

    expect(read).toThrow(StartError)
    expect(read).toThrow(new RegExp(`${name}: expected .*${expected}`))
  })

  it('does not repeat the password of a URL that it refuses', () => {
    const read = () =>
      readEnvironment({ DATABASE_URL: 'postgres://learnify:sec#ret@127.0.0.1/learnify' })
    expect(read).toThrow(/^(?!.*(sec|ret@))/s)
  })

  it('reports all mistakes at once', () => {
    const read = () => readEnvironment({ PORT: 'x', SMTP_URL: 'y', GOOGLE_CLIENT_ID: 'z' })
    expect(read).toThrow(
      /PORT[\s\S]*SMTP_URL[\s\S]*GOOGLE_CLIENT_ID, GOOGLE_CLIENT_SECRET: set all of them or none/,
    )
  })

  it('accepts every kind of public key that a backup can be encrypted for', async () => {
    const keys = [await generateX25519Identity(), await generateHybridIdentity()].map(
      identityToRecipient,
    )
    const BACKUP_RECIPIENT = (await Promise.all(keys)).join(', ')

    expect(readEnvironment({ BACKUP_RECIPIENT }).BACKUP_RECIPIENT).toBe(BACKUP_RECIPIENT)
  })

  it('refuses incomplete settings of S3', () => {
    const read = () =>
      readEnvironment({ S3_ENDPOINT: 'http://localhost:9000', S3_BUCKET: 'photos' })
    expect(read).toThrow(
      'set all of them or none. Missing: S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY.',
    )
  })

  it('logs less for a command, unless LOG_LEVEL is set', () => {
    const level = (variables: Record<string, string>) => readEnvironment(variables).LOG_LEVEL

    expect([level({}), level({ LEARNIFY_COMMAND: 'mail' })]).toEqual(['info', 'warn'])
    expect(level({ LEARNIFY_COMMAND: 'mail', LOG_LEVEL: 'debug' })).toBe('debug')
  })
})

const folderWithoutEnvFile = path.resolve('tests/fixtures')
const list = (variables: Record<string, string>) => listSettings(variables, folderWithoutEnvFile)
const findListedValue = (name: SettingName, variables: Record<string, string>) =>
  list(variables).settings.find((setting) => setting.name === name)?.value

describe('the list of settings', () => {
  it('contains each setting with its value and meaning', () => {
    const { settings } = list({ PORT: '4000' })

    expect(settings.map(({ name }) => name)).toEqual(settingNames)
    expect(settings.filter(({ meaning }) => meaning.length < 10)).toEqual([])
    expect(settings.slice(0, 3)).toEqual([
      { name: 'PORT', value: '4000', isDefault: false, meaning: 'the port Learnify listens on' },
      { name: 'HOST', value: null, isDefault: true, meaning: 'network interface' },
      expect.objectContaining({ name: 'PUBLIC_URL', value: 'http://localhost:4000' }),
    ])
  })

  it('contains the values of the product, not those of the command', () => {
    expect(findListedValue('LOG_LEVEL', { LEARNIFY_COMMAND: 'settings' })).toBe('info')
  })

  it('contains invalid values as they are', () => {
    const variables = { PUBLIC_URL: 'nowhere', LOG_LEVEL: 'loud', S3_BUCKET: 'half-of-it' }

    expect(list(variables).mistakes).toHaveLength(3)
    expect(findListedValue('PUBLIC_URL', variables)).toBe('nowhere')
  })

  it('contains no secret and no password, not even of invalid values', () => {
    const listing = list({
      AUTH_SECRET: 'hidden-and-far-too-short',
      DATABASE_URL: 'postgres://learnify:hidden@db.example/learnify?sslpassword=hidden',
      DATABASE_DIRECT_URL: 'postgres://learnify:hid/hidden@db.example/learnify',
      SMTP_URL: 'hidden',
      S3_SECRET_ACCESS_KEY: 'hidden',
      GOOGLE_CLIENT_SECRET: 'hidden://hidden',
    })

    expect(JSON.stringify(listing)).not.toContain('hidden')
    expect(listing.mistakes).toHaveLength(5)
  })
})

describe('docs/operate.md', () => {
  const rows = readFileSync('docs/operate.md', 'utf8').split('\n').flatMap(readRow)

  it.each(settingNames)('has a row for %s with its default and its meaning', (name) => {
    const { line = '' } = rows.find(({ names }) => names.includes(name)) ?? {}
    for (const part of describeSetting(name).split(', per ')) {
      expect(line).toContain(part)
    }

    expect(line.includes(`\`${name}\`*`)).toBe(isSecret(name))
    expect(line).toContain(formatDocumentedDefault(name))
  })

  it('names no setting that does not exist', () => {
    const isSetting = (name: string) =>
      settingNames.some((settingName) => settingName === name) || parseSsoVariable(name)
    const documentedNames = rows.flatMap(({ names }) => names)

    expect(documentedNames.filter((name) => !isSetting(name))).toEqual([])
  })

  it.each(Object.keys(ssoParts))('has a row for the %s of single sign-on', (part) => {
    const name = `SSO_ACME_${part}`
    const { line = '' } = rows.find(({ names }) => names.includes(name)) ?? {}

    expect(line).toContain(parseSsoVariable(name)?.meaning)
    expect(line.includes(`\`${name}\`*`)).toBe(canBeInFile(name))
  })
})

/**
 * Reads a line of a table of settings. The names are in its first column or, for limits, in its
 * second.
 *
 * @returns an empty list for any other line
 */
function readRow(line: string): { line: string; names: string[] }[] {
  const [, first = '', second = ''] = line.split('|')
  const cell = [first, second.startsWith(' `LIMIT_') ? second : ''].find((text) =>
    /^ `[A-Z\d_]+`/.test(text),
  )

  return cell
    ? [{ line, names: [...cell.matchAll(/`([A-Z\d_]+)`/g)].map(([, name = '']) => name) }]
    : []
}

/** Returns how the documentation writes the default of a setting. */
function formatDocumentedDefault(name: SettingName): string {
  const value = findListedValue(name, {}) ?? ''
  if (name === 'PUBLIC_URL') {
    return '`http://localhost:PORT`'
  }

  if (value.startsWith('/')) {
    return `\`${path.basename(value)}\``
  }

  return value && (name.startsWith('LIMIT_') ? `| ${value} |` : `\`${value}\``)
}

it('a secret key of backups in the place of the public key is a mistake, and is never printed', () => {
  const BACKUP_RECIPIENT =
    'AGE-SECRET-KEY-1EZP5AUZAAWHCV5F282DAXZ4HRWZG9T5TH3FCXSTC9VH4V8ZVZ5ESGY68ZN'
  const listing = listSettings({ BACKUP_RECIPIENT }, '/nowhere')

  expect(listing.mistakes).toEqual([
    'BACKUP_RECIPIENT: expected public keys of age (age1...), separated by commas, without the secret key that opens backups',
  ])
  expect(JSON.stringify(listing)).not.toContain('EZP5AUZ')
})

describe('single sign-on', () => {
  const acme = {
    SSO_ACME_NAME: 'Acme',
    SSO_ACME_ISSUER: 'https://id.acme.example/realms/staff',
    SSO_ACME_CLIENT_ID: 'learnify',
    SSO_ACME_CLIENT_SECRET: 'hidden',
  }

  it('can have any number of providers, ordered by their IDs', () => {
    const uni = Object.fromEntries(
      Object.entries(acme).map(([name, value]) => [name.replace('ACME', 'A1'), value]),
    )
    const domains = { SSO_ACME_DOMAINS: 'ACME.example, bücher.example', SSO_ACME_ONLY_WAY: 'on' }

    expect(readEnvironment({ ...acme, ...domains, ...uni }).SSO).toMatchObject([
      { id: 'a1', DOMAINS: [], ONLY_WAY: false, VERIFIES: 'claim' },
      {
        id: 'acme',
        NAME: 'Acme',
        DOMAINS: ['acme.example', 'xn--bcher-kva.example'],
        ONLY_WAY: true,
      },
    ])

    expect(readEnvironment({}).SSO).toEqual([])
  })

  it('has its settings in the list, without the secret', () => {
    const { settings, mistakes } = list(acme)

    expect(mistakes).toEqual([])
    expect(settings.slice(settingNames.length)).toMatchObject([
      { name: 'SSO_ACME_CLIENT_ID', value: 'learnify', isDefault: false },
      { name: 'SSO_ACME_CLIENT_SECRET', value: '*****' },
      { name: 'SSO_ACME_ISSUER' },
      { name: 'SSO_ACME_NAME', value: 'Acme' },
    ])
  })

  it.each([
    [{ SSO_ACME_ISSUER: '' }, 'SSO_ACME_ISSUER is missing.'],
    [{ SSO_ACME_NAME: '' }, 'SSO_ACME_NAME is missing.'],
    [{ SSO_ACME_CLIENT_ID: '' }, 'SSO_ACME_CLIENT_ID is missing.'],
    [{ SSO_ACME_CLIENT_SECRET: '' }, 'SSO_ACME_CLIENT_SECRET is missing.'],
    [
      { SSO_ACME_ISSUER: 'http://id.acme.example' },
      'SSO_ACME_ISSUER: expected the provider’s address',
    ],
    [
      { SSO_ACME_ISSUER: 'https://id.acme.example?tenant=1' },
      'SSO_ACME_ISSUER: expected the provider’s address',
    ],
    [
      { SSO_ACME_DOMAINS: '@acme.example' },
      'SSO_ACME_DOMAINS: expected domains like school.example',
    ],
    [{ SSO_ACME_DOMAINS: 'acme' }, 'SSO_ACME_DOMAINS: expected domains like school.example'],
    [{ SSO_ACME_ONLY_WAY: 'perhaps' }, 'SSO_ACME_ONLY_WAY: expected on or off'],
    [{ SSO_ACME_VERIFIES: 'always' }, 'SSO_ACME_VERIFIES=always needs SSO_ACME_DOMAINS.'],
  ])('refuses %j', (changes, mistake) => {
    const mistakes = list({ ...acme, ...changes }).mistakes

    expect(mistakes).toHaveLength(1)
    expect(mistakes[0]).toContain(mistake)
  })
})
