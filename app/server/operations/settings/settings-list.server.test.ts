import { readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { listSettings, settingsText } from './settings-list.server'
import { isSecret, meaningOf, type SettingName, settingNames } from './settings-schema.server'

const nowhere = path.resolve('tests/fixtures')
const show = (variables: Record<string, string>) => listSettings(variables, nowhere)

describe('the list of settings', () => {
  it('has each one with its value, source and meaning', () => {
    const { settings, mistakes } = show({ PORT: '4000' })
    expect(settings.map(({ name }) => name)).toEqual(settingNames)
    expect(settings.filter(({ meaning }) => meaning.length < 10)).toEqual([])
    expect(settingsText({ settings, mistakes, warnings: [] })).toMatch(
      /^PORT = 4000 {2}\(environment\)\n {4}the port Learnify listens on\nHOST = not set {2}\(default\)\n/,
    )
    expect(settings.find(({ name }) => name === 'PUBLIC_URL')?.value).toBe('http://localhost:4000')
  })

  it('has what Learnify uses, not what its command does', () => {
    const { settings } = show({ LEARNIFY_COMMAND: 'settings' })
    expect(settings.find(({ name }) => name === 'LOG_LEVEL')?.value).toBe('info')
  })

  it('has the defaults that follow from what can be used, beside mistakes', () => {
    const { settings, mistakes } = show({ PORT: '4000', LOG_LEVEL: 'loud', S3_BUCKET: 'half-of-it' })
    expect(mistakes).toHaveLength(2)
    expect(settings.find(({ name }) => name === 'PUBLIC_URL')?.value).toBe('http://localhost:4000')
    const bad = show({ PUBLIC_URL: 'nowhere', PORT: 'x' }).settings
    expect(bad.find(({ name }) => name === 'PUBLIC_URL')).toMatchObject({ value: 'nowhere', source: 'environment' })
  })

  it('shows no secret and no password, also of what it refuses', () => {
    const shown = show({
      AUTH_SECRET: 'hidden-and-far-too-short',
      DATABASE_URL: 'postgres://learnify:hidden@db.example/learnify?sslpassword=hidden',
      DATABASE_DIRECT_URL: 'postgres://learnify:hid/hidden@db.example/learnify',
      SMTP_URL: 'hidden',
      S3_SECRET_ACCESS_KEY: 'hidden',
      GOOGLE_CLIENT_SECRET: 'hidden://hidden',
    })
    expect(JSON.stringify(shown)).not.toContain('hidden')
    expect(settingsText(shown)).toContain('DATABASE_URL = postgres://learnify:*****@db.example/learnify?*****')
    expect(shown.mistakes).toHaveLength(5)
  })
})

describe('docs/operate.md', () => {
  const rows = readFileSync('docs/operate.md', 'utf8').split('\n').flatMap(readRow)

  it.each(settingNames)('has a row for %s with its default and its meaning', (name) => {
    const { line = '' } = rows.find(({ names }) => names.includes(name)) ?? {}
    for (const part of meaningOf(name).split(', per ')) expect(line).toContain(part)
    expect(line.includes(`\`${name}\`*`)).toBe(isSecret(name))
    expect(line).toContain(documentedDefault(name))
  })

  it('names no setting that there is not', () => {
    expect(rows.flatMap(({ names }) => names).filter((name) => !settingNames.some((known) => known === name))).toEqual(
      [],
    )
  })
})

/** Of a table of settings; in those of limits they are in the second column. */
function readRow(line: string): { line: string; names: string[] }[] {
  const [, first = '', second = ''] = line.split('|')
  const cell = [first, second.startsWith(' `LIMIT_') ? second : ''].find((text) => /^ `[A-Z\d_]+`/.test(text))
  return cell ? [{ line, names: [...cell.matchAll(/`([A-Z\d_]+)`/g)].map(([, name = '']) => name) }] : []
}

function documentedDefault(name: SettingName): string {
  const value = show({}).settings.find((setting) => setting.name === name)?.value ?? ''
  if (name === 'PUBLIC_URL') return '`http://localhost:PORT`'
  if (value.startsWith('/')) return `\`${path.basename(value)}\``
  return value && (name.startsWith('LIMIT_') ? `| ${value} |` : `\`${value}\``)
}

it('a secret key of backups in the place of the public one is a mistake, and shown nowhere', () => {
  const BACKUP_RECIPIENT = 'AGE-SECRET-KEY-1EZP5AUZAAWHCV5F282DAXZ4HRWZG9T5TH3FCXSTC9VH4V8ZVZ5ESGY68ZN'
  const shown = listSettings({ BACKUP_RECIPIENT }, '/nowhere')
  expect(shown.mistakes).toEqual([
    'BACKUP_RECIPIENT: expected public keys of age (age1...), separated by commas, without the secret key that opens backups',
  ])
  expect(JSON.stringify(shown)).not.toContain('EZP5AUZ')
})
