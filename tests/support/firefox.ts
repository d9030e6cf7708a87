import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'

/** The path of Debian's Firefox, or null where Firefox is not installed. */
export const firefoxPath =
  ['/usr/bin/firefox-esr', '/usr/bin/firefox'].find((file) => existsSync(file)) ?? null

const waitTimeoutMs = 30_000

/** A response to a command, which has the command's ID, or an event, which has none. */
type BidiMessage = {
  id?: number
  type?: string
  result?: unknown
  message?: string
  method?: string
  params?: unknown
}
type PendingCommand = { resolve(result: unknown): void; reject(error: Error): void }

/** A window of Firefox, driven over WebDriver BiDi: https://w3c.github.io/webdriver-bidi/. */
export class FirefoxWindow {
  /** The console errors of the pages. */
  readonly consoleErrors: string[] = []
  readonly #socket: WebSocket
  readonly #browser: ChildProcess
  readonly #profile: string
  readonly #pendingCommands = new Map<number, PendingCommand>()
  #context = ''
  #lastCommandId = 0
  #isNavigating = false

  static async open(): Promise<FirefoxWindow> {
    if (firefoxPath === null) {
      throw new Error('Firefox is not installed.')
    }

    const profile = await mkdtemp(path.join(tmpdir(), 'learnify-firefox-'))
    const args = ['--headless', '--no-remote', '--profile', profile, '--remote-debugging-port', '0']
    const browser = spawn(firefoxPath, args, { stdio: ['ignore', 'ignore', 'pipe'] })
    try {
      const window = new FirefoxWindow(browser, await connect(browser), profile)
      await window.#startSession()
      return window
    } catch (error) {
      await endBrowser(browser, profile)
      throw error
    }
  }

  private constructor(browser: ChildProcess, socket: WebSocket, profile: string) {
    this.#browser = browser
    this.#socket = socket
    this.#profile = profile
    socket.addEventListener('message', ({ data }) => this.#receive(JSON.parse(String(data))))
  }

  async #startSession(): Promise<void> {
    await this.#send('session.new', { capabilities: {} })
    await this.#send('session.subscribe', { events: ['log.entryAdded'] })
    const { contexts } = (await this.#send('browsingContext.getTree', {})) as {
      contexts: { context: string }[]
    }
    this.#context = contexts[0]?.context ?? ''
  }

  /** Opens a URL and waits until React has hydrated the page. */
  async open(url: string): Promise<void> {
    this.#isNavigating = true
    await this.#send('browsingContext.navigate', { context: this.#context, url, wait: 'complete' })
    this.#isNavigating = false
    await this.waitFor(`document.documentElement.hasAttribute('data-hydrated')`)
  }

  /** Returns the value of an expression in the page, which is a text, a number or a boolean. */
  async evaluate<Value>(expression: string): Promise<Value> {
    const target = { context: this.#context }
    const response = (await this.#send('script.evaluate', {
      expression,
      target,
      awaitPromise: true,
    })) as {
      result?: { value: Value }
      exceptionDetails?: { text: string }
    }

    if (response.exceptionDetails) {
      throw new Error(`${response.exceptionDetails.text} in ${expression}`)
    }

    return response.result?.value as Value
  }

  /**
   * Waits until an expression in the page is true. The expression is evaluated once in each frame.
   */
  async waitFor(expression: string): Promise<void> {
    const inNextFrame = `new Promise((resolve) => requestAnimationFrame(() => resolve(Boolean(${expression}))))`
    const deadline = Date.now() + waitTimeoutMs
    while (Date.now() < deadline) {
      // The evaluation fails while the browser leaves a page.
      const isTrue = await this.evaluate(inNextFrame).catch(() => false)
      if (isTrue) {
        return
      }
    }

    throw new Error(`Firefox waited for: ${expression}`)
  }

  /**
   * Clicks the center of the first element of a selector, once the element exists and is enabled.
   */
  async click(selector: string): Promise<void> {
    const element = `document.querySelector(${JSON.stringify(selector)})`
    await this.waitFor(`${element} && !${element}.disabled`)
    await this.evaluate(`${element}.scrollIntoView({ block: 'center', behavior: 'instant' })`)

    const center = await this.evaluate<string>(
      `(({ x, y, width, height }) => [x + width / 2, y + height / 2].map(Math.round).join())(${element}.getBoundingClientRect())`,
    )
    const [x, y] = center.split(',').map(Number)
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
    await endBrowser(this.#browser, this.#profile)
  }

  #perform(source: object): Promise<unknown> {
    return this.#send('input.performActions', { context: this.#context, actions: [source] })
  }

  #send(method: string, params: object): Promise<unknown> {
    const id = ++this.#lastCommandId
    return new Promise((resolve, reject) => {
      this.#pendingCommands.set(id, { resolve, reject })
      this.#socket.send(JSON.stringify({ id, method, params }))
    })
  }

  #receive({ id, type, result, message, method, params }: BidiMessage): void {
    if (id === undefined) {
      const { level, text } = params as { level: string; text: string }
      // Unlike Chromium, Firefox reports the requests that it aborts when it leaves a page. The
      // message depends on whether a part of the response has been read.
      const isAbortedRequest =
        text === 'TypeError: Error in input stream' ||
        (this.#isNavigating && text.includes('NetworkError when attempting to fetch resource'))
      if (method === 'log.entryAdded' && level === 'error' && !isAbortedRequest) {
        this.consoleErrors.push(text)
      }

      return
    }

    const command = this.#pendingCommands.get(id)
    this.#pendingCommands.delete(id)
    if (type === 'error') {
      command?.reject(new Error(message))
    } else {
      command?.resolve(result)
    }
  }
}

async function connect(browser: ChildProcess): Promise<WebSocket> {
  const socket = new WebSocket(`${await readBidiUrl(browser)}/session`)
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve, { once: true })
    socket.addEventListener('error', reject, { once: true })
  })
  return socket
}

async function endBrowser(browser: ChildProcess, profile: string): Promise<void> {
  const isRunning = browser.exitCode === null && browser.signalCode === null
  if (isRunning) {
    const exited = new Promise((resolve) => browser.once('exit', resolve))
    browser.kill()
    await exited
  }

  await rm(profile, { recursive: true, force: true, maxRetries: 5 })
}

/** Waits until Firefox prints the URL on which it listens for WebDriver BiDi. */
async function readBidiUrl(browser: ChildProcess): Promise<string> {
  if (browser.stderr === null) {
    throw new Error('Firefox has no stderr.')
  }

  for await (const line of createInterface({ input: browser.stderr })) {
    const [, url] = /WebDriver BiDi listening on (ws:\S+)/.exec(line) ?? []
    if (url) {
      return url
    }
  }

  throw new Error('Firefox ended before it listened.')
}
