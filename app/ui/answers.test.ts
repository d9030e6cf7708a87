import { afterEach, describe, expect, it, vi } from 'vitest'
import { foreignAnswer, setNextAddress, watchAnswers } from './answers'
import { notReached, refusalSentence, refuseUnanswered } from './connection'

describe('an answer that is not the product’s', () => {
  const withPhoto = new FormData()
  withPhoto.set('photo', new File(['x'], 'me.jpg'))

  it.each([
    [413, withPhoto, 413, 'The photo is too large to upload.'],
    [413, new FormData(), 413, 'This is too large to send.'],
    [413, '{}', 413, 'This is too large to send.'],
    [502, undefined, 503, 'The server is busy. Try again in a moment.'],
    [504, undefined, 503, 'The server is busy. Try again in a moment.'],
    // A firewall's or a hotel's page: what was sent has not arrived, so that it may be sent again.
    [403, undefined, 503, 'The server is busy. Try again in a moment.'],
    [200, undefined, 503, 'The server is busy. Try again in a moment.'],
  ])('with status %d becomes a sentence', async (status, body, shownStatus, sentence) => {
    const answer = foreignAnswer(status, body)
    expect(answer.status).toBe(shownStatus)
    expect(await answer.text()).toBe(sentence)
  })
})

describe('page data of another build', () => {
  const assign = vi.fn()
  const href = 'http://localhost:3000/'

  function answerData(path: string) {
    const answer = new Response('', { headers: { Build: 'other' } })
    Object.defineProperty(answer, 'url', { value: new URL(path, href).href })
    vi.stubGlobal('window', { fetch: async () => answer, location: { href, assign } })
    watchAnswers({ header: 'Build', build: 'own' })
    return window.fetch(path)
  }

  afterEach(() => {
    setNextAddress(null)
    assign.mockClear()
    vi.unstubAllGlobals()
  })

  it('does not lead back to the page that a further link has left', async () => {
    setNextAddress('/AllCourses')
    await answerData('/OneCourse/python.data?_routes=routes%2Fone-course')
    expect(assign.mock.calls).not.toContainEqual(['/AllCourses'])
  })

  it.each([
    ['/', '/_.data'],
    ['/AllCourses?q=python', '/AllCourses.data?q=python'],
  ])('loads the page at %s whole', async (address, data) => {
    vi.stubGlobal('window', { location: { href, assign } })
    setNextAddress(address)
    assign.mockClear()
    void answerData(data)
    await vi.waitFor(() => expect(assign.mock.calls).toEqual([[address]]))
  })
})

const refused = (status: number, data: unknown) => ({ status, statusText: '', data, internal: false })

describe('the data of a page that is read again without a connection', () => {
  const location = { href: 'http://localhost:3000/Learn/a/b?at=3', search: '?at=3' }

  function failOnce() {
    const answer = new Response('', { headers: { Build: 'own' } })
    const goOnline = new EventTarget()
    const fetch = vi.fn().mockRejectedValueOnce(new TypeError('Failed to fetch')).mockResolvedValue(answer)
    vi.stubGlobal('window', { fetch, location, addEventListener: goOnline.addEventListener.bind(goOnline) })
    watchAnswers({ header: 'Build', build: 'own' })
    return { answer, goOnline }
  }

  afterEach(() => {
    setNextAddress(null)
    vi.restoreAllMocks()
    vi.unstubAllGlobals()
  })

  it('comes once there is one, and the page stays', async () => {
    const { answer, goOnline } = failOnce()
    const asked = window.fetch(new URL('/Learn/a/b.data?at=3&_routes=x', location.href))
    await new Promise((resolve) => setImmediate(resolve))
    goOnline.dispatchEvent(new Event('online'))
    expect(await asked).toBe(answer)
  })

  it('comes after some seconds, too, as the server may be what was away', async () => {
    const seconds = new AbortController()
    const timeout = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(seconds.signal)
    const { answer } = failOnce()
    const listen = vi.spyOn(window, 'addEventListener')
    const asked = window.fetch('/Learn/a/b.data?at=3')
    await vi.waitFor(() => expect(timeout).toHaveBeenCalled())
    seconds.abort()
    expect(await asked).toBe(answer)
    // Then nobody listens for the connection any more.
    expect(listen.mock.calls).toMatchObject([['online', expect.any(Function), { signal: seconds.signal }]])
  })

  it('is no longer waited for when the learner goes elsewhere', async () => {
    failOnce()
    const leaving = new AbortController()
    const asked = window.fetch('/Learn/a/b.data?at=3', { signal: leaving.signal })
    await new Promise((resolve) => setImmediate(resolve))
    leaving.abort()
    await expect(asked).rejects.toThrow('aborted')
  })

  it.each(['/Learn/a/c.data?at=3', '/Learn/a/b.data?at=4', '/Learn/a/b/progress'])(
    'is not what %s asks for: that fails at once',
    async (address) => {
      failOnce()
      await expect(window.fetch(address)).rejects.toThrow('Failed to fetch')
    },
  )

  it('is not waited for by a form', async () => {
    failOnce()
    await expect(window.fetch('/Learn/a/b.data?at=3', { method: 'POST' })).rejects.toThrow('Failed to fetch')
  })

  it('is not waited for by who is on the way to it', async () => {
    failOnce()
    vi.stubGlobal('window', { ...window, location: { ...location, assign: vi.fn() } })
    setNextAddress('/Learn/a/b?at=3')
    await expect(window.fetch('/Learn/a/b.data?at=3')).rejects.toThrow('Failed to fetch')
  })
})

describe('a form whose answer does not come', () => {
  const sentenceFor = (error: unknown) => refuseUnanswered(error).data.errors.form

  it.each([
    [new TypeError('Failed to fetch'), notReached],
    // A part of the page that comes late, in Chrome, Firefox and Safari.
    [new TypeError('Failed to fetch dynamically imported module: /assets/a.js'), notReached],
    [new TypeError('error loading dynamically imported module: /assets/a.js'), notReached],
    [new TypeError('Importing a module script failed.'), notReached],
    [refused(503, 'The server is busy. Try again in a moment.'), 'The server is busy. Try again in a moment.'],
    [refused(413, 'The photo is too large to upload.'), 'The photo is too large to upload.'],
    [new Error('Unexpected Server Error'), 'Something went wrong on our side. Please try again in a moment.'],
  ])('stays, with a sentence', (error, sentence) => {
    expect(sentenceFor(error)).toBe(sentence)
  })

  it.each([[refused(404, 'We couldn’t find that attempt.')], [new Response(null, { status: 302 })]])(
    'leaves refusals and redirects to the page',
    async (error) => {
      await expect(Promise.resolve().then(() => sentenceFor(error))).rejects.toBe(error)
    },
  )
})

it.each([
  ['<html><h1>Bad gateway</h1></html>'],
  ['Error: You made a POST request to "/" but did not provide an `action`'],
  [{ secret: true }],
  [''],
  ['x'.repeat(1000)],
])('a page never shows what is no sentence', (data) => {
  expect(refusalSentence({ status: 500, data })).toBe('We couldn’t show this page. Please try again in a moment.')
})
