import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'

/** Debian's Firefox; null where it is not installed. */
export const firefoxPath =
  ['/usr/bin/firefox-esr', '/usr/bin/firefox'].find((file) => existsSync(file)) ?? null

const patienceMs = 30_000

type Answer = {
  id?: number
  type?: string
  result?: unknown
  message?: string
  method?: string
  params?: unknown
}
type Waiting = { resolve(result: unknown): void; reject(error: Error): void }

/** A window of Firefox, driven over WebDriver BiDi: https://w3c.github.io/webdriver-bidi/. */
export class FirefoxWindow {
  /** Console errors of its pages. */
  readonly consoleErrors: string[] = []
  readonly #socket: WebSocket
  readonly #browser: ChildProcess
  readonly #profile: string
  readonly #waiting = new Map<number, Waiting>()
  #context = ''
  #last = 0
  #leaving = false

  static async open(): Promise<FirefoxWindow> {
    const profile = await mkdtemp(path.join(tmpdir(), 'learnify-firefox-'))
    const words = [
      '--headless',
      '--no-remote',
      '--profile',
      profile,
      '--remote-debugging-port',
      '0',
    ]
    const browser = spawn(firefoxPath ?? '', words, { stdio: ['ignore', 'ignore', 'pipe'] })
    try {
      const opened = new FirefoxWindow(browser, await connect(browser), profile)
      await opened.#start()
      return opened
    } catch (error) {
      await end(browser, profile)
      throw error
    }
  }

  private constructor(browser: ChildProcess, socket: WebSocket, profile: string) {
    this.#browser = browser
    this.#socket = socket
    this.#profile = profile
    socket.addEventListener('message', ({ data }) => this.#hear(JSON.parse(String(data))))
  }

  async #start(): Promise<void> {
    await this.#ask('session.new', { capabilities: {} })
    await this.#ask('session.subscribe', { events: ['log.entryAdded'] })
    const { contexts } = (await this.#ask('browsingContext.getTree', {})) as {
      contexts: { context: string }[]
    }
    this.#context = contexts[0]?.context ?? ''
  }

  /** Opens an address and waits until the page's script has taken over. */
  async open(url: string): Promise<void> {
    this.#leaving = true
    await this.#ask('browsingContext.navigate', { context: this.#context, url, wait: 'complete' })
    this.#leaving = false
    await this.waitFor(`document.documentElement.hasAttribute('data-hydrated')`)
  }

  /** The value of an expression in the page: text, number or boolean. */
  async evaluate<Value>(expression: string): Promise<Value> {
    const target = { context: this.#context }
    const answer = (await this.#ask('script.evaluate', {
      expression,
      target,
      awaitPromise: true,
    })) as {
      result?: { value: Value }
      exceptionDetails?: { text: string }
    }

    if (answer.exceptionDetails) {
      throw new Error(`${answer.exceptionDetails.text} in ${expression}`)
    }

    return answer.result?.value as Value
  }

  /** Waits until an expression is true; frames go by meanwhile. */
  async waitFor(expression: string): Promise<void> {
    const givenUpAt = Date.now() + patienceMs
    // A page that is just being left has no answer.
    while (
      !(await this.evaluate(
        `new Promise((go) => requestAnimationFrame(() => go(Boolean(${expression}))))`,
      ).catch(() => false))
    ) {
      if (Date.now() > givenUpAt) {
        throw new Error(`Firefox waited for: ${expression}`)
      }
    }
  }

  /** Clicks the middle of the first element of a selector, as a person does, once it is there. */
  async click(selector: string): Promise<void> {
    const found = `document.querySelector(${JSON.stringify(selector)})`
    await this.waitFor(`${found} && !${found}.disabled`)
    await this.evaluate(`${found}.scrollIntoView({ block: 'center', behavior: 'instant' })`)
    const [x, y] = await this.evaluate<string>(
      `(({ x, y, width, height }) => [x + width / 2, y + height / 2].map(Math.round).join())(${found}.getBoundingClientRect())`,
    ).then((text) => text.split(',').map(Number))
    await this.#perform({
      type: 'pointer',
      id: 'mouse',
      actions: [
        { type: 'pointerMove', x, y },
        { type: 'pointerDown', button: 0 },
        { type: 'pointerUp', button: 0 },
      ],
    })
  }

  /** Types into the focused element. */
  async type(text: string): Promise<void> {
    const actions = [...text].flatMap((value) => [
      { type: 'keyDown', value },
      { type: 'keyUp', value },
    ])
    await this.#perform({ type: 'key', id: 'keyboard', actions })
  }

  async close(): Promise<void> {
    this.#socket.close()
    await end(this.#browser, this.#profile)
  }

  #perform(source: object): Promise<unknown> {
    return this.#ask('input.performActions', { context: this.#context, actions: [source] })
  }

  #ask(method: string, params: object): Promise<unknown> {
    const id = ++this.#last
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject })
      this.#socket.send(JSON.stringify({ id, method, params }))
    })
  }

  #hear({ id, type, result, message, method, params }: Answer): void {
    if (id === undefined) {
      const { level, text } = params as { level: string; text: string }
      // Firefox reports aborted requests of a page that is left; Chromium is silent. A partly read
      // response fails a moment later; an unread one has another message.
      const cutOff =
        text === 'TypeError: Error in input stream' ||
        (this.#leaving && text.includes('NetworkError when attempting to fetch resource'))
      if (method === 'log.entryAdded' && level === 'error' && !cutOff) {
        this.consoleErrors.push(text)
      }

      return
    }

    const waiting = this.#waiting.get(id)
    this.#waiting.delete(id)
    if (type === 'error') {
      waiting?.reject(new Error(message))
    } else {
      waiting?.resolve(result)
    }
  }
}

async function connect(browser: ChildProcess): Promise<WebSocket> {
  const socket = new WebSocket(`${await addressOf(browser)}/session`)
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve, { once: true })
    socket.addEventListener('error', reject, { once: true })
  })
  return socket
}

async function end(browser: ChildProcess, profile: string): Promise<void> {
  const runs = browser.exitCode === null && browser.signalCode === null
  const ended = runs && new Promise((resolve) => browser.once('exit', resolve))
  browser.kill()
  await ended
  await rm(profile, { recursive: true, force: true, maxRetries: 5 })
}

/** Where it listens, which it writes when it does. */
async function addressOf(browser: ChildProcess): Promise<string> {
  if (browser.stderr === null) {
    throw new Error('Firefox has no stderr.')
  }

  for await (const line of createInterface({ input: browser.stderr })) {
    const [, address] = /WebDriver BiDi listening on (ws:\S+)/.exec(line) ?? []
    if (address) {
      return address
    }
  }

  throw new Error('Firefox ended before it listened.')
}
