import { Hono } from 'hono'
import { describe, expect, it } from 'vitest'
import { workOf } from '../request-work'
import { Shedding, shedWork } from './shedding.server'

function newShedding() {
  const state = { now: 0, delayMs: 0, measured: 0, levels: [] as number[] }
  const shedding = new Shedding({
    measure() {
      state.measured += 1
      return { delayMs: state.delayMs, waiting: 0 }
    },
    shedAfterMs: 300,
    now: () => state.now,
    onChange: (level) => state.levels.push(level),
  })
  return { state, shedding }
}

describe('shedding', () => {
  it('measures once a second, however many ask, and tells each change once', () => {
    const { state, shedding } = newShedding()
    expect(shedding.level).toBe(0)
    state.delayMs = 5_000
    state.now = 999
    expect(shedding.level).toBe(0)
    state.now = 1_000
    expect([shedding.level, shedding.level, shedding.level]).toEqual([4, 4, 4])
    expect(state).toMatchObject({ measured: 2, levels: [4] })
  })

  it('is over after a quiet time, and falls by one a second while somebody asks', () => {
    const { state, shedding } = newShedding()
    state.delayMs = 5_000
    expect(shedding.level).toBe(4)
    state.delayMs = 0
    state.now = 1_000
    expect(shedding.level).toBe(3)
    state.now = 60_000
    expect(shedding.level).toBe(0)
  })
})

describe('a server that is behind', () => {
  async function answers(delayMs: number) {
    const { state, shedding } = newShedding()
    state.delayMs = delayMs
    const app = new Hono().use(shedWork(workOf, shedding)).all('*', (context) => context.text('done'))
    const ask = async (method: string, path: string, headers = {}) =>
      app.request(`http://localhost${path}`, { method, headers })
    return { shedding, ask, status: async (method: string, path: string) => (await ask(method, path)).status }
  }

  it('answers everything while it keeps up', async () => {
    const { status } = await answers(299)
    expect(await status('GET', '/OwnData')).toBe(200)
  })

  it('refuses archives first, and still signs in', async () => {
    const { status, shedding } = await answers(300)
    expect(await status('GET', '/OwnData')).toBe(503)
    expect(await status('POST', '/Login')).toBe(200)
    expect(shedding.refused).toMatchObject({ costly: 1, 'sign-in': 0 })
  })

  it('refuses sign-ins next, with a code where a program asks, and a page on the way back from a provider', async () => {
    const { ask, status } = await answers(600)
    const login = await ask('POST', '/account/login')
    expect(login.status).toBe(503)
    expect(await login.json()).toEqual({ success: false, code: 'busy' })
    const back = await ask('GET', '/account/callback/google', { Accept: 'text/html,*/*;q=0.8' })
    expect([back.status, back.headers.get('Content-Type')]).toEqual([503, expect.stringContaining('text/html')])
    expect(await status('GET', '/Profile')).toBe(200)
  })

  it('takes progress and answers longer than it shows pages, and never refuses a public page here', async () => {
    const { ask, status } = await answers(1_500)
    const refused = await ask('GET', '/Profile')
    expect(refused.status).toBe(503)
    expect(Number(refused.headers.get('Retry-After'))).toBeGreaterThanOrEqual(2)
    expect(await refused.text()).toMatch(/^Learnify is very busy/)
    const opened = await ask('GET', '/Profile', { Accept: 'text/html,*/*;q=0.8' })
    expect(opened.headers.get('Content-Type')).toContain('text/html')
    expect(await opened.text()).toMatch(/name="viewport"[\s\S]*very busy[\s\S]*Try again/)
    expect(await status('POST', '/Learn/python-from-zero/names-and-values/progress')).toBe(200)
    expect(await (await answers(5_000)).status('POST', '/ExamAnswers')).toBe(503)
    expect(await (await answers(5_000)).status('GET', '/AllCourses')).toBe(200)
  })
})
