import { generateHybridIdentity, generateX25519Identity, identityToRecipient } from 'age-encryption'
import { describe, expect, it } from 'vitest'
import { readEnvironment, StartError } from './settings.server'

describe('the environment', () => {
  it('needs nothing', () => {
    expect(readEnvironment({})).toMatchObject({ PORT: 3000, PUBLIC_URL: 'http://localhost:3000', DEMO_ACCOUNT: true })
    expect(readEnvironment({ PUBLIC_URL: 'https://learn.example' }).DEMO_ACCOUNT).toBe(false)
    expect(readEnvironment({ PUBLIC_URL: 'https://learn.example', DEMO_ACCOUNT: 'on' }).DEMO_ACCOUNT).toBe(true)
  })

  it('takes the public address from the port when it is not given', () => {
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

  it('repeats no password of an address that it refuses', () => {
    const read = () => readEnvironment({ DATABASE_URL: 'postgres://learnify:sec#ret@127.0.0.1/learnify' })
    expect(read).toThrow(/^(?!.*(sec|ret@))/s)
  })

  it('reports every bad variable at once', () => {
    const read = () => readEnvironment({ PORT: 'x', SMTP_URL: 'y', GOOGLE_CLIENT_ID: 'z' })
    expect(read).toThrow(/PORT[\s\S]*SMTP_URL[\s\S]*GOOGLE_CLIENT_ID is set, so GOOGLE_CLIENT_SECRET must be set, too/)
  })

  it('takes every kind of public key that a backup can be encrypted for', async () => {
    const keys = [await generateX25519Identity(), await generateHybridIdentity()].map(identityToRecipient)
    const BACKUP_RECIPIENT = (await Promise.all(keys)).join(', ')
    expect(readEnvironment({ BACKUP_RECIPIENT }).BACKUP_RECIPIENT).toBe(BACKUP_RECIPIENT)
  })

  it('refuses S3 by halves', () => {
    const read = () => readEnvironment({ S3_ENDPOINT: 'http://localhost:9000', S3_BUCKET: 'photos' })
    expect(read).toThrow('S3_ENDPOINT and S3_BUCKET are set, so S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY must be set')
  })

  it('logs less for a command, unless it was told otherwise', () => {
    const level = (variables: Record<string, string>) => readEnvironment(variables).LOG_LEVEL
    expect([level({}), level({ LEARNIFY_COMMAND: 'mail' })]).toEqual(['info', 'warn'])
    expect(level({ LEARNIFY_COMMAND: 'mail', LOG_LEVEL: 'debug' })).toBe('debug')
  })
})
