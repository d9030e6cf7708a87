import { existsSync } from 'node:fs'
import path from 'node:path'
import * as z from 'zod'
import { parseTrustedProxies } from '../../http/client-ip-address.server'
import { defaultContentFolder, getDefaultDataFolder } from '../product-folder.server'

const text = z.string().min(1)
const onOrOff = {
  truthy: ['true', '1', 'yes', 'on'],
  falsy: ['false', '0', 'no', 'off'],
  error: 'on or off',
}

function wholeNumber(min: number, max: number) {
  const error = `a whole number from ${min} to ${max}`
  return z.coerce.number({ error }).int(error).min(min, error).max(max, error)
}

function url(protocols: string[], advice = '') {
  const error = `an address that starts with ${protocols.join(':// or ')}://${advice}`
  return z.url({ protocol: new RegExp(`^(${protocols.join('|')})$`), error, abort: true })
}

const webUrl = url(['http', 'https'])
const endpoint = webUrl
  .optional()
  .describe('other endpoints, for tests or if the providers move theirs')
const photoStorage = 'S3-compatible storage for profile photos'

/** A setting that is never printed. Its value may be in a file that `NAME_FILE` names. */
const secret = (kind: z.ZodType<string>, description: string) =>
  kind.optional().meta({ description, secret: true })

const encodingAdvice = ', with special characters in the name and password encoded, like %40 for @'

/** A URL with a name and a password. */
const urlWithPassword = (protocols: string[], description: string) =>
  secret(
    url(protocols, encodingAdvice).refine(hasEncodedLogin, `an address${encodingAdvice}`),
    description,
  )

const databaseUrl = (description: string) =>
  urlWithPassword(['postgres', 'postgresql'], description)

/**
 * Returns whether the special characters in the name and password of a URL are encoded. Otherwise a
 * part of the password could be parsed as the host, which is logged.
 */
function hasEncodedLogin(text: string): boolean {
  if (!URL.canParse(text)) {
    return false
  }

  const { hash, search, username, password } = new URL(text)
  return !hash && !search.includes('@') && !/%(?![\da-f]{2})/i.test(username + password)
}

function isOrigin(text: string): boolean {
  return URL.canParse(text) && new URL(text).href === `${new URL(text).origin}/`
}

const origin = webUrl.refine(isOrigin, 'an address without a path, like https://school.example')

/** Matches public keys in the alphabet of age. Their checksums are checked by each backup. */
const agePublicKeys =
  /^(?:[\s,]*age1(?:(?:pq|tag|tagpq)1)?[02-9ac-hj-np-z]{58,}(?=[\s,]|$))+[\s,]*$/

function parseProxies(list: string, context: z.RefinementCtx) {
  try {
    return parseTrustedProxies(list)
  } catch (error) {
    context.addIssue((error as Error).message)
    return z.NEVER
  }
}

/**
 * All settings with their descriptions. `npm run settings` prints the descriptions, and the tables
 * in `docs/operate.md` repeat them. Attempt limits are constants in `attempt-limits.server.ts`.
 */
export const settingsSchema = z.object({
  PORT: wholeNumber(1, 65535).default(3000).describe('the port Learnify listens on'),
  HOST: text.optional().describe('network interface'),
  PUBLIC_URL: origin
    .optional()
    .describe('the address learners use; links in emails and OAuth redirects start with it'),
  DRAIN_SECONDS: wholeNumber(0, 600)
    .optional()
    .describe('how long a process that gets SIGTERM keeps answering'),
  DATA_DIR: text
    .default(getDefaultDataFolder)
    .describe('database, uploads, email, secrets; one folder per product'),
  CONTENT_DIR: text.default(defaultContentFolder).describe('courses, testimonials, categories'),
  CURRENCY: z
    .string()
    .refine(
      (code) => Intl.supportedValuesOf('currency').includes(code),
      'a currency’s code of ISO 4217, like EUR',
    )
    .default('USD')
    .describe('the currency of all prices, as its ISO 4217 code'),
  DATABASE_URL: databaseUrl(
    'a server to use instead of the embedded one: `postgres://user:password@host/database`',
  ),
  DATABASE_POOL_SIZE: wholeNumber(2, 200).default(10).describe('connections of this process'),
  DATABASE_DIRECT_URL: databaseUrl(
    'the same database without the pooler, used for migrations at start',
  ),
  DATABASE_READ_URL: databaseUrl('a streaming replica that public pages are read from'),
  SMTP_URL: urlWithPassword(
    ['smtp', 'smtps'],
    'the mail server: `smtp://user:password@host:587` or `smtps://...`',
  ),
  MAIL_FROM: z
    .string()
    .regex(/[^\s<>@]+@[^\s<>@]+/, 'an email address, like Learnify <no-reply@school.example>')
    .default('Learnify <no-reply@learnify.example>')
    .describe('sender of emails'),
  ANNOUNCEMENTS_PER_MINUTE: wholeNumber(1, 100_000)
    .default(300)
    .describe('how many announcement emails are sent per minute'),
  AUTH_SECRET: secret(z.string().min(32, 'at least 32 characters'), 'signs cookies'),
  AUTH_SECRET_FORMER: z
    .string()
    .default('')
    .transform((list) => list.split(/[\s,]+/).filter(Boolean))
    .refine((list) => list.every(({ length }) => length >= 32), 'at least 32 characters each')
    .meta({
      description: 'former values of `AUTH_SECRET`, the newest first, separated by commas',
      secret: true,
    }),
  PASSWORD_MIN_LENGTH: wholeNumber(6, 64)
    .default(6)
    .describe('how many characters a new password needs'),
  PASSWORD_REFUSE_COMMON: z
    .stringbool(onOrOff)
    .default(false)
    .describe('refuses new passwords that are among the 10,000 most common, or only a name'),
  REQUIRE_TWO_FACTOR: z
    .enum(['none', 'staff', 'all'])
    .default('none')
    .describe(
      'who has to set up two-step sign-in before anything else: `none`, `staff` (who has a role at the desk) or `all`',
    ),
  SESSION_MAX_DEVICES: wholeNumber(1, 1_000)
    .optional()
    .describe(
      'how many devices an account may be signed in on; a further one signs out the one unused the longest',
    ),
  GOOGLE_CLIENT_ID: text.optional().describe('OAuth client of Google'),
  GOOGLE_CLIENT_SECRET: secret(text, 'OAuth client of Google'),
  FACEBOOK_CLIENT_ID: text.optional().describe('OAuth client of Facebook'),
  FACEBOOK_CLIENT_SECRET: secret(text, 'OAuth client of Facebook'),
  GOOGLE_AUTHORIZATION_URL: endpoint,
  GOOGLE_TOKEN_URL: endpoint,
  GOOGLE_USERINFO_URL: endpoint,
  DEMO_ACCOUNT: z
    .stringbool(onOrOff)
    .optional()
    .describe('the demo account `demo@learnify.example`'),
  TRUST_PROXY: z
    .string()
    .default('off')
    .transform(parseProxies)
    .describe('the proxies in front of Learnify'),
  S3_ENDPOINT: webUrl.optional().describe(photoStorage),
  S3_BUCKET: text.optional().describe(photoStorage),
  S3_REGION: text.default('us-east-1').describe(photoStorage),
  S3_ACCESS_KEY_ID: text.optional().describe(photoStorage),
  S3_SECRET_ACCESS_KEY: secret(text, photoStorage),
  CERTIFICATE_FONTS: z
    .string()
    .default('')
    .transform((list) => list.split(path.delimiter).filter(Boolean))
    .refine(
      (files) => files.every((file) => existsSync(file)),
      `existing font files, separated by ${path.delimiter}`,
    )
    .describe(
      'font files (TTF, OTF, TTC, separated by `:`) for names on certificate PDFs and pictures',
    ),
  BACKUP_RECIPIENT: text
    .regex(
      agePublicKeys,
      'public keys of age (age1...), separated by commas, without the secret key that opens backups',
    )
    .optional()
    .describe('public keys of age that backups are encrypted for, separated by commas'),
  BACKUP_PASSPHRASE: secret(
    z.string().min(12, 'at least 12 characters'),
    'or the passphrase that encrypts and opens backups',
  ),
  PAYMENTS: z
    .enum(['off', 'sample', 'stripe'], { error: 'off, sample or stripe' })
    .default('off')
    .describe(
      'how courses are paid for: `off` gives them away, `sample` moves no money and works on a loopback address only, `stripe`',
    ),
  STRIPE_SECRET_KEY: secret(text, 'secret key of Stripe'),
  STRIPE_WEBHOOK_SECRET: secret(text, 'signs the events that Stripe sends to `/payments/events`'),
  STRIPE_API_URL: endpoint,
  STRIPE_CHECKOUT_ORIGIN: webUrl
    .default('https://checkout.stripe.com')
    .describe('where Stripe’s page to pay on is, if it has a domain of its own'),
  PAY_LATER: z
    .stringbool(onOrOff)
    .default(false)
    .describe('offers what is paid later, too, like bank debits'),
  SELLER_NAME: text.default('Learnify').describe('who sells, as receipts say it'),
  SELLER_ADDRESS: z
    .string()
    .default('')
    .describe('the seller’s address on receipts, its lines separated by semicolons'),
  SELLER_TAX_ID: z.string().default('').describe('the seller’s tax number on receipts'),
  REFUND_DAYS: wholeNumber(0, 3_650)
    .default(30)
    .describe(
      'how many days after paying learners may ask for a refund, about which you decide; `0` for never',
    ),
  WITHDRAWAL_DAYS: wholeNumber(0, 3_650)
    .default(14)
    .describe(
      'how many days after paying learners may withdraw, which gives their money back at once; `0` for never',
    ),
  WITHDRAWAL_WAIVER: z
    .enum(['off', 'optional', 'required'], { error: 'off, optional or required' })
    .default('off')
    .describe(
      'the box at checkout by which learners give up the right of withdrawal: `off`, `optional`, `required`',
    ),
  WITHDRAWAL_WAIVER_TEXT: text
    .default(
      'I want the course to open at once, and I know that I lose my right of withdrawal when it opens.',
    )
    .describe('the text beside that box; stored with the order as it was shown'),
  TAX_RATES: z
    .string()
    .default('')
    .describe('the tax that prices contain, in percent by country: `DE=19 AT=20 *=0`'),
  SHOW_LOWEST_PRICE: z
    .stringbool(onOrOff)
    .default(false)
    .describe(
      'shows the lowest price of the last 30 days beside a reduced one, as the law of the EU asks for',
    ),
  SHED_AFTER_MS: wholeNumber(50, 600_000)
    .default(300)
    .describe(
      'how far behind the main thread may be, on average over a second, before work is refused',
    ),
  METRICS_TOKEN: secret(
    z.string().regex(/^[\w.~+/=-]{16,}$/, 'at least 16 letters, digits or -._~+/='),
    'the bearer token that opens `/metrics`',
  ),
  LOG_LEVEL: z
    .enum(['silent', 'error', 'warn', 'info', 'debug'], {
      error: 'silent, error, warn, info or debug',
    })
    .optional()
    .describe('the least that is logged: `silent`, `error`, `warn`, `info`, `debug`'),
})

export type SettingName = keyof typeof settingsSchema.shape
export const settingNames = Object.keys(settingsSchema.shape) as SettingName[]

/** Returns the description of a setting, in one line. */
export function describeSetting(name: SettingName): string {
  return settingsSchema.shape[name].meta()?.description ?? ''
}

/** Returns whether the value of a setting must not be printed. */
export function isSecret(name: SettingName): boolean {
  return settingsSchema.shape[name].meta()?.secret === true
}
