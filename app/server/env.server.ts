import { existsSync } from 'node:fs'
import path from 'node:path'
import * as z from 'zod'
import { parseTrustedProxies } from './trusted-proxies.server'

const flag = z.stringbool({ truthy: ['true', '1', 'yes', 'on'], falsy: ['false', '0', 'no', 'off'] })
const address = (...protocols: string[]) =>
  z.url({
    protocol: new RegExp(`^(${protocols.join('|')})$`),
    error: `an address that starts with ${protocols.join(':// or ')}://`,
  })
/** With name and password in it; one that is not encoded moves the host, and a part of the password would be logged as it. */
const login = (...protocols: string[]) => {
  const error = `an address that starts with ${protocols.join(':// or ')}://, with special characters in the name and password encoded, like %40 for @`
  return address(...protocols).refine(hasEncodedLogin, { error })
}
const wholeNumber = (min: number, max: number) =>
  z.coerce
    .number({ error: `a whole number from ${min} to ${max}` })
    .int(`a whole number from ${min} to ${max}`)
    .min(min, `a whole number from ${min} to ${max}`)
    .max(max, `a whole number from ${min} to ${max}`)

/** A limit that an operator may set. */
const most = (count: number) => wholeNumber(1, 1_000_000).default(count)

const schema = z.object({
  NODE_ENV: z.enum(['production', 'development', 'test']).default('production'),
  /** Where the server listens. */
  PORT: wholeNumber(1, 65535).default(3000),
  /** Network interface; by default only this machine while PUBLIC_URL is a loopback address, all interfaces otherwise. */
  HOST: z.string().min(1).optional(),
  /** Database, uploads, secrets and mail of this product; made if missing. */
  DATA_DIR: z.string().min(1).default('data'),
  /** Content files, see docs/content.md. */
  CONTENT_DIR: z.string().min(1).default('content'),
  /** The address that learners use; links in mail and OAuth redirects start with it. */
  PUBLIC_URL: address('http', 'https')
    .refine(isOrigin, 'an address without a path, like https://school.example')
    .optional(),
  /** A PostgreSQL server to use instead of the embedded one. */
  DATABASE_URL: login('postgres', 'postgresql').optional(),
  /** The same database without a pooler in between, to change its tables at start. */
  DATABASE_DIRECT_URL: login('postgres', 'postgresql').optional(),
  DATABASE_POOL_SIZE: wholeNumber(2, 200).default(10),
  /** Whether statements are prepared: auto does so unless a pooler is found in front of the database. */
  DATABASE_PREPARE: z.enum(['auto', 'on', 'off'], { error: 'auto, on or off' }).default('auto'),
  /** For example smtp://user:password@mail.example.com:587. Without it messages are kept in DATA_DIR/mail. */
  SMTP_URL: login('smtp', 'smtps').optional(),
  MAIL_FROM: z.string().min(3).default('Learnify <no-reply@learnify.example>'),
  /** Signs cookies and tokens; made once and kept in DATA_DIR/secrets.json when missing. */
  AUTH_SECRET: z.string().min(32, 'at least 32 characters').optional(),
  GOOGLE_CLIENT_ID: z.string().min(1).optional(),
  GOOGLE_CLIENT_SECRET: z.string().min(1).optional(),
  FACEBOOK_CLIENT_ID: z.string().min(1).optional(),
  FACEBOOK_CLIENT_SECRET: z.string().min(1).optional(),
  /** Endpoints of Google and Facebook, should they ever move, or to test against others. */
  GOOGLE_AUTHORIZATION_URL: address('http', 'https').optional(),
  GOOGLE_TOKEN_URL: address('http', 'https').optional(),
  GOOGLE_USERINFO_URL: address('http', 'https').optional(),
  FACEBOOK_AUTHORIZATION_URL: address('http', 'https').optional(),
  FACEBOOK_TOKEN_URL: address('http', 'https').optional(),
  FACEBOOK_USERINFO_URL: address('http', 'https').optional(),
  /** On: the demo learner exists and the login page offers it; by default only on a loopback address. */
  DEMO_ACCOUNT: flag.optional(),
  /** Addresses and networks of reverse proxies in front: only they are believed in X-Forwarded-For. */
  TRUST_PROXY: z
    .string()
    .default('off')
    .transform((text, context) => {
      try {
        return parseTrustedProxies(text)
      } catch (error) {
        context.addIssue({ code: 'custom', message: (error as Error).message })
        return z.NEVER
      }
    }),
  /** S3-compatible storage for uploads; without it they are kept in DATA_DIR/files. */
  S3_ENDPOINT: address('http', 'https').optional(),
  S3_BUCKET: z.string().min(1).optional(),
  S3_REGION: z.string().min(1).default('us-east-1'),
  S3_ACCESS_KEY_ID: z.string().min(1).optional(),
  S3_SECRET_ACCESS_KEY: z.string().min(1).optional(),
  /** Font files (TTF, OTF, TTC) for names on certificates in scripts that the product has no font for, like Chinese. */
  CERTIFICATE_FONTS: z
    .string()
    .default('')
    .transform((list) => list.split(path.delimiter).filter(Boolean))
    .refine((files) => files.every((file) => existsSync(file)), `existing font files, separated by ${path.delimiter}`),
  /** Limits on attempts, see `attempt-limits.server.ts` for their windows. */
  LIMIT_WRONG_PASSWORDS_BY_ACCOUNT: most(5),
  LIMIT_WRONG_PASSWORDS_BY_BROWSER: most(10),
  LIMIT_WRONG_PASSWORDS_BY_ADDRESS: most(30),
  LIMIT_SIGN_INS: most(60),
  LIMIT_REGISTRATIONS_BY_ADDRESS: most(60),
  LIMIT_REGISTRATIONS_BY_ADDRESS_AND_DAY: most(300),
  LIMIT_WELCOME_MAILS: most(5),
  LIMIT_CONFIRMATION_MAILS: most(5),
  LIMIT_EXPORTS: most(20),
  LIMIT_RESET_MAILS: most(5),
  LIMIT_RESETS_BY_ADDRESS: most(60),
  LIMIT_PHOTOS: most(10),
  LOG_LEVEL: z.enum(['silent', 'error', 'warn', 'info', 'debug']).default('info'),
})

export type Environment = ReturnType<typeof readEnvironment>

/** A mistake of the operator's that stops the start; its message is shown without a stack. */
export class StartError extends Error {
  override name = 'StartError'
}

/**
 * @param source usually `process.env`; an empty string counts as not set.
 * @throws {StartError} naming every bad variable and what is expected of it.
 */
export function readEnvironment(source: Record<string, string | undefined>) {
  const given = Object.fromEntries(Object.entries(source).filter(([, value]) => value !== ''))
  const parsed = schema.safeParse(given)
  if (!parsed.success) {
    const lines = parsed.error.issues.map((issue) => `  ${issue.path.join('.')}: expected ${issue.message}`)
    throw new StartError(`These environment variables are invalid:\n${lines.join('\n')}`)
  }
  const values = parsed.data
  const publicUrl = (values.PUBLIC_URL ?? `http://localhost:${values.PORT}`).replace(/\/+$/, '')
  return {
    ...values,
    DATA_DIR: path.resolve(values.DATA_DIR),
    CONTENT_DIR: path.resolve(values.CONTENT_DIR),
    PUBLIC_URL: publicUrl,
    DEMO_ACCOUNT: values.DEMO_ACCOUNT ?? isLoopbackUrl(publicUrl),
  }
}

/** What a browser calls the machine it runs on. */
export const loopbackNames = ['localhost', '127.0.0.1', '[::1]']

/** The only reader of `process.env`. */
export const env = readEnvironment(process.env)

/** True when learners reach this product only on the machine it runs on. */
export const isLoopback = isLoopbackUrl(env.PUBLIC_URL)

function isOrigin(text: string): boolean {
  return URL.canParse(text) && new URL(text).href === `${new URL(text).origin}/`
}

function hasEncodedLogin(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { hash, search, username, password } = new URL(text)
  return !hash && !search.includes('@') && !/%(?![\da-f]{2})/i.test(username + password)
}

export function isLoopbackUrl(url: string): boolean {
  return loopbackNames.includes(new URL(url).hostname)
}

/** Every name of this machine, with the port of an address on it. */
export function loopbackOrigins(publicUrl: string): string[] {
  const { protocol, port } = new URL(publicUrl)
  return loopbackNames.map((name) => `${protocol}//${name}${port && `:${port}`}`)
}
