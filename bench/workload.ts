/**
 * Simulates learners who watch videos, take exams, sign up and read pages while a benchmark kills,
 * replaces or breaks a part of the system. As in a browser, a request without a response is sent again.
 * The ledger records each acknowledged change.
 */
import { setTimeout as pause } from 'node:timers/promises'
import {
  benchPassword,
  courseId,
  type Learner,
  parseQuestion,
  type Question,
  randomAnswer,
  type SignVisit,
  videoLessonId,
} from './learners.ts'
import { Ledger } from './ledger.ts'

const quizId = 'check-values-and-names'
/** Each report is an interval with a gap to the next one, so that a lost or repeated report is noticed. */
const watchedMs = 10
const reportIntervalMs = 15
const reportCount = 28_000 / reportIntervalMs
const retryMs = 100
const publicPages = ['/', '/AllCourses', `/OneCourse/${courseId}`, '/AllCourses?q=python', '/Login']

export type WorkloadResponse = { status: number; text: string; type: string; location: string }
/** For each kind of request, how often each status was received. */
export type StatusCounts = Record<string, Record<string, number>>
/** For each kind of request, the milliseconds until each response. */
export type ResponseTimes = Record<string, number[]>

type Request = {
  method?: string
  cookie?: string
  json?: unknown
  form?: Record<string, string> | FormData
}

export type WorkloadOptions = {
  watching?: Learner[]
  taking?: Learner[]
  readers?: number
  /** The pages that readers visit in turn. */
  pages?: string[]
  newcomers?: number
  signVisit: SignVisit
  /** Milliseconds between two steps of one learner, on average. */
  everyMs: number
}

export class Workload {
  readonly ledger = new Ledger()
  /**
   * Failures that no learner should see: no response, a server error, or a refused valid request.
   */
  readonly failures: string[] = []
  /**
   * How many changes were acknowledged, and the longest time without one, since the last
   * `readAndResetFigures`.
   */
  #writeCount = 0
  #lastWriteAt = performance.now()
  #longestMs = 0
  #counts: StatusCounts = {}
  #times: ResponseTimes = {}
  #isRunning = true
  #work: Promise<unknown> = Promise.resolve()
  responseCount = 0
  readonly #url: string

  constructor(url: string) {
    this.#url = url
  }

  start({
    watching = [],
    taking = [],
    readers = 0,
    pages = publicPages,
    newcomers = 0,
    signVisit,
    everyMs,
  }: WorkloadOptions): void {
    const step = () => pause(everyMs * (0.5 + Math.random()))
    // The learners start at different times.
    const startLater = (begin: () => Promise<void>) => step().then(begin)
    this.#work = Promise.all([
      ...watching.map((learner) => startLater(() => this.#watch(learner, signVisit, step))),
      ...taking.map((learner) => startLater(() => this.#takeExams(learner, step))),
      ...Array.from({ length: readers }, () => startLater(() => this.#read(pages, step))),
      ...Array.from({ length: newcomers }, (_, place) =>
        startLater(() => this.#signUp(place, step)),
      ),
    ])

    // `stop` reports the error. Until then, it must not count as an unhandled rejection.
    this.#work.catch(() => {})
  }

  async stop(): Promise<void> {
    this.#isRunning = false
    await this.#work
  }

  /** Returns the figures since the last call, and starts new ones. */
  readAndResetFigures(): {
    written: number
    secondsWithoutWrite: number
    counts: StatusCounts
    times: ResponseTimes
  } {
    const secondsWithoutWrite =
      Math.max(this.#longestMs, performance.now() - this.#lastWriteAt) / 1000
    const figures = {
      written: this.#writeCount,
      secondsWithoutWrite,
      counts: this.#counts,
      times: this.#times,
    }

    this.#writeCount = 0
    this.#longestMs = 0
    this.#lastWriteAt = performance.now()
    this.#counts = {}
    this.#times = {}

    return figures
  }

  get writeCount(): number {
    return this.#writeCount
  }

  /** Sends one request. A status of 0 means that there was no response. */
  async request(
    kind: string,
    path: string,
    { method = 'GET', cookie, json, form }: Request = {},
  ): Promise<WorkloadResponse> {
    const sentAt = performance.now()
    const isChange = json !== undefined || form !== undefined
    const response = await fetch(this.#url + path, {
      method: isChange ? 'POST' : method,
      redirect: 'manual',
      signal: AbortSignal.timeout(30_000),
      headers: {
        Origin: this.#url,
        Accept: 'text/html',
        ...(cookie && { Cookie: cookie }),
        ...(json !== undefined && { 'Content-Type': 'application/json' }),
      },
      body: toBody(form, json),
    }).catch(() => null)
    const text = (await response?.text().catch(() => null)) ?? null
    const status = text === null ? 0 : (response?.status ?? 0)
    this.#recordResponse(
      kind,
      status,
      performance.now() - sentAt,
      `${path}: ${status || 'no answer'} ${(text ?? '').slice(0, 100).replaceAll(/\s+/g, ' ')}`,
    )
    const header = (name: string) => response?.headers.get(name) ?? ''

    return { status, text: text ?? '', type: header('content-type'), location: header('location') }
  }

  #recordResponse(kind: string, status: number, ms: number, what: string): void {
    if (status > 0) {
      this.responseCount += 1
    }

    const times = this.#times[kind] ?? []
    this.#times[kind] = times
    times.push(ms)
    const statuses = this.#counts[kind] ?? {}
    this.#counts[kind] = statuses
    statuses[status] = (statuses[status] ?? 0) + 1
    // No failures: an account that a lost answer had already created, and a coupon that is used up.
    const isExpectedRefusal =
      (kind === 'sign-up' && status === 409) || (kind === 'coupon' && status === 400)
    if (status === 0 || (status >= 400 && !isExpectedRefusal)) {
      this.failures.push(`${new Date().toISOString()} ${what}`)
    }
  }

  /**
   * Repeats a request until the server accepts it or refuses it with a client error.
   *
   * @returns null if the workload was stopped before
   */
  async #requestUntilHandled(
    kind: string,
    path: string,
    options: Request,
  ): Promise<WorkloadResponse | null> {
    while (this.#isRunning) {
      const reply = await this.request(kind, path, options)
      if (reply.status > 0 && reply.status < 400) {
        this.#writeCount += 1
        this.#longestMs = Math.max(this.#longestMs, performance.now() - this.#lastWriteAt)
        this.#lastWriteAt = performance.now()
      }

      if (reply.status > 0 && reply.status < 500) {
        return reply
      }

      await pause(retryMs)
    }

    return null
  }

  async #watch(
    { uid, cookie }: Learner,
    signVisit: SignVisit,
    step: () => Promise<void>,
  ): Promise<void> {
    const openedAt = Date.now() - 3_600_000
    const report = (lessonId: string, part: object) => {
      const json = { uid, openedAt, signature: signVisit(uid, lessonId, openedAt), ...part }
      return this.#requestUntilHandled('report', `/Learn/${courseId}/${lessonId}/progress`, {
        json,
        cookie,
      })
    }
    for (let piece = 0; this.#isRunning && piece < reportCount; piece++) {
      const start = piece * reportIntervalMs
      const end = start + watchedMs
      const part = {
        watched: [[start, end]],
        studied: [[openedAt + start, openedAt + end]],
        position: { ms: start, at: openedAt + start },
      }
      const facts = [
        this.ledger.recordSent('film', `${uid} ${videoLessonId} ${start}-${end}`),
        this.ledger.recordSent('studied', `${uid} ${openedAt + start}-${openedAt + end}`),
      ]
      // Some reports are sent twice although they were acknowledged.
      const attempts = piece % 3 === 0 ? 2 : 1
      for (let attempt = 0; attempt < attempts; attempt++) {
        const reply = await report(videoLessonId, part)
        acknowledgeIfSaved(reply, facts)
      }

      if (piece === 5) {
        const fact = this.ledger.recordSent('finished lesson', `${uid} ${quizId}`)
        const reply = await report(quizId, { mark: { value: 'done', at: openedAt + start } })
        acknowledgeIfSaved(reply, [fact])
      }

      await step()
    }
  }

  async #takeExams(learner: Learner, step: () => Promise<void>): Promise<void> {
    while (this.#isRunning) {
      await this.#takeExam(learner, step)
      await step()
    }
  }

  /** Starts an exam or continues the open attempt, and submits the attempt. */
  async #takeExam({ uid, cookie }: Learner, step: () => Promise<void>): Promise<void> {
    const exam = `/Exam/${courseId}`
    const readQuestion = async (number: number) => {
      const { status, text } = await this.request('exam', `${exam}?question=${number}`, { cookie })
      return status === 200 ? parseQuestion(text, number) : null
    }
    await this.#requestUntilHandled('exam', exam, { form: { intent: 'start' }, cookie })
    const first = await readQuestion(1)
    if (!first) {
      return
    }

    const { attemptId, count } = first
    for (let number = 1; this.#isRunning && number <= count; number++) {
      const question = number === 1 ? first : await readQuestion(number)
      if (question?.attemptId !== attemptId) {
        return
      }

      for (let times = Math.random() < 0.3 ? 2 : 1; times > 0; times--) {
        await this.#answer({ uid, cookie }, question)
      }

      await step()
    }

    const result = this.ledger.recordSent('exam result', `${uid} ${attemptId}`)
    const handIn = { form: { intent: 'hand-in', attempt: attemptId }, cookie }
    const reply = await this.#requestUntilHandled('exam', exam, handIn)
    if (reply?.location.endsWith(attemptId)) {
      result.acknowledge()
    }
  }

  async #answer({ uid, cookie }: Learner, question: Question): Promise<void> {
    const { attemptId, number } = question
    const key = `${uid} ${attemptId} ${number}`
    const value = randomAnswer(question)
    const revision = this.ledger.revision('exam answer', key) + 1
    const fact = this.ledger.recordSent('exam answer', key, [revision, value])
    const json = { attemptId, question: number, value, revision, ageMs: 0 }
    const reply = await this.#requestUntilHandled('exam', '/ExamAnswers', { json, cookie })
    if (reply?.status === 200) {
      fact.acknowledge()
    }
  }

  async #signUp(place: number, step: () => Promise<void>): Promise<void> {
    for (let turn = 0; this.#isRunning; turn++) {
      const email = `new-${place}-${turn}@bench.example`
      const json = { email, password: benchPassword, firstName: 'New', lastName: 'Learner' }
      const fact = this.ledger.recordSent('account', email)
      const reply = await this.#requestUntilHandled('sign-up', '/account/register', { json })
      if (reply && (reply.status < 300 || reply.status === 409)) {
        fact.acknowledge()
      }

      await step()
    }
  }

  async #read(pages: string[], step: () => Promise<void>): Promise<void> {
    for (let turn = 0; this.#isRunning; turn++) {
      await this.request('page', pages[turn % pages.length] ?? '/')
      await step()
    }
  }
}

function toBody(form: Request['form'], json: Request['json']) {
  if (form !== undefined) {
    return form instanceof FormData ? form : new URLSearchParams(form)
  }

  return json === undefined ? undefined : JSON.stringify(json)
}

/** Acknowledges facts if the response says that the product has saved them. */
function acknowledgeIfSaved(
  reply: { status: number } | null,
  facts: readonly { acknowledge(): void }[],
): void {
  if (reply?.status !== 200) {
    return
  }

  for (const fact of facts) {
    fact.acknowledge()
  }
}
