import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { sampleClient } from '~/features/accounts/social/social-providers.server'
import { startEmbeddedPostgres } from '~/server/database/embedded-postgres.server'
import { parseEmail } from '~/server/mail/dev-mailbox.server'
import { startProduct } from './product'
import { startS3Server } from './s3-server'
import { startSampleIdentityProvider } from './sample-identity-provider'
import { startSmtpServer } from './smtp-server'
import { startTlsProxy } from './tls-proxy'

export type School = Awaited<ReturnType<typeof startSchool>>

/**
 * The browser resolves this name to 127.0.0.1 (see playwright.config.ts). It stands for a real
 * host.
 */
const schoolHost = 'school.example'

/**
 * Starts Learnify as `docs/operate.md` tells a school to install it: two processes with one
 * database and one data folder behind a TLS proxy, emails by SMTP, photos in S3, and social sign-in
 * at a separate provider.
 */
export async function startSchool() {
  const folder = await mkdtemp(path.join(tmpdir(), 'learnify-school-'))
  const [proxy, smtp, s3, database] = await Promise.all([
    startTlsProxy(schoolHost),
    startSmtpServer(),
    startS3Server(s3Keys),
    startEmbeddedPostgres({ folder: path.join(folder, 'database'), settings: { fsync: 'off' } }),
  ])
  const publicUrl = `https://${schoolHost}:${proxy.port}`
  const google = await startSampleIdentityProvider({ origin: publicUrl })
  const variables = {
    HOST: '127.0.0.1',
    PUBLIC_URL: publicUrl,
    DRAIN_SECONDS: '0',
    TRUST_PROXY: '127.0.0.1',
    DATABASE_URL: database.url,
    SMTP_URL: `smtp://127.0.0.1:${smtp.port}`,
    ...s3Settings(s3.url),
    ...googleSettings(google.publicUrl),
  }
  const processes = await Promise.all(
    [1, 2].map(() => startProduct({ folder: path.join(folder, 'data'), variables })),
  )
  proxy.upstreamPorts = processes.map(({ url }) => Number(new URL(url).port))

  return {
    publicUrl,
    proxy,
    providerHost: new URL(google.publicUrl).host,
    databaseUrl: database.url,
    photos: s3.objects,
    /** Lists the texts of the emails to an address, oldest first. */
    listEmailsTo: (email: string) =>
      smtp.received
        .filter(({ to }) => to.includes(email))
        .map(({ source }) => parseEmail(source).text),
    async stop() {
      proxy.stop()
      await Promise.all(processes.map((process) => process.stop()))
      google.stop()
      s3.stop()
      await Promise.all([smtp.stop(), database.stop()])
      await rm(folder, { recursive: true, force: true })
    },
  }
}

const s3Keys = { accessKeyId: 'TESTKEY', secretAccessKey: 'test-secret', region: 'eu-test-1' }

function s3Settings(url: string) {
  return {
    S3_ENDPOINT: url,
    S3_BUCKET: 'bucket',
    S3_REGION: s3Keys.region,
    S3_ACCESS_KEY_ID: s3Keys.accessKeyId,
    S3_SECRET_ACCESS_KEY: s3Keys.secretAccessKey,
  }
}

function googleSettings(providerUrl: string) {
  const { clientId, clientSecret } = sampleClient('google')
  return {
    GOOGLE_CLIENT_ID: clientId,
    GOOGLE_CLIENT_SECRET: clientSecret,
    GOOGLE_AUTHORIZATION_URL: `${providerUrl}/sample-identity/auth`,
    GOOGLE_TOKEN_URL: `${providerUrl}/sample-identity/token`,
    GOOGLE_USERINFO_URL: `${providerUrl}/sample-identity/me`,
  }
}
