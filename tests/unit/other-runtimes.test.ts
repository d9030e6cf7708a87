import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { beforeAll, expect, it } from 'vitest'
import { prepareBuild } from '../../scripts/prepare.mjs'
import { freePort } from '../support/product'
import { testDatabase } from '../support/test-database'

/** `npm test` installs them from `tests/runtimes/`; no other program does. */
const runtimeOf = (major: number) =>
  path.resolve(`tests/runtimes/node_modules/node-${major}-${process.platform}-${process.arch}/bin/node`)

beforeAll(() => prepareBuild(), 300_000)

it.for([22, 26])('the built product runs on Node %i', async (major, { skip }) => {
  const runtime = runtimeOf(major)
  skip(!existsSync(runtime), `there is no Node ${major} for this machine, or npm test could not install it`)
  const { url } = await testDatabase()
  const product = await startOn(runtime, url)
  try {
    const ask = (address: string, options: RequestInit = {}) => fetch(product.origin + address, options)
    expect((await ask('/readyz')).status).toBe(200)
    expect(await (await ask('/AllCourses')).text()).toContain('Python from Zero')
    // Parts with native code: a picture is drawn, a password hashed.
    expect((await ask('/OneCourse/python-from-zero/picture.jpg')).headers.get('content-type')).toBe('image/jpeg')
    const person = { email: 'ada@learnify.example', password: 'Long-enough-1', firstName: 'Ada', lastName: 'Lovelace' }
    const headers = { 'Content-Type': 'application/json', Origin: product.origin }
    const registered = await ask('/account/register', { method: 'POST', headers, body: JSON.stringify(person) })
    expect(await registered.json()).toEqual({ success: true })
    const cookie = registered.headers.getSetCookie().map((line) => line.split(';')[0])
    const viewer = await ask('/viewer', { headers: { Cookie: cookie.join('; ') } })
    expect(await viewer.json()).toMatchObject({ user: { email: person.email } })
  } finally {
    expect(await product.stop()).toEqual({ status: 0, errors: [] })
  }
})

async function startOn(runtime: string, databaseUrl: string) {
  const folder = await mkdtemp(path.join(tmpdir(), 'learnify-runtime-'))
  const port = await freePort()
  const settings = { ENV_FILE: '/dev/null', DATABASE_URL: databaseUrl, DATA_DIR: folder, LOG_LEVEL: 'warn' }
  const { PATH, SHED_AFTER_MS } = process.env
  const child = spawn(runtime, ['scripts/learnify.mjs'], {
    env: { PATH, SHED_AFTER_MS, CONTENT_DIR: path.resolve('tests/content'), PORT: String(port), ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const ended = once(child, 'close')
  const lines: string[] = []
  const running = new Promise<void>((resolve, reject) => {
    for (const output of [child.stdout, child.stderr])
      createInterface({ input: output }).on('line', (line) => {
        lines.push(line)
        if (line.includes('Learnify is running')) resolve()
      })
    void ended.then(() => reject(new Error(lines.join('\n'))))
  })
  await running
  return {
    origin: `http://localhost:${port}`,
    async stop() {
      child.kill('SIGTERM')
      const [status] = await ended
      await rm(folder, { recursive: true, force: true })
      return { status, errors: lines.filter((line) => /"level":"?(50|60|error|fatal)/.test(line)) }
    },
  }
}
