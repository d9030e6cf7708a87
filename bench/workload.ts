/**
 * Simulates learners who watch videos, take exams, sign up and read pages while a benchmark kills,
 * replaces or breaks a part of the system. As in a browser, a request without a response is sent
 * again. The ledger records each acknowledged change.
 */
import { setTimeout as pause } from 'node:timers/promises'
import {
  benchPassword,
  courseId,
  createRandomAnswer,
  type Learner,
  parseQuestion,
  type Question,
  type SignVisit,
  videoLessonId,
} from './learners.ts'
import { Ledger } from './ledger.ts'

const quizLessonId = 'check-values-and-names'
/** There is a gap between two reported intervals, so that a lost or repeated report is noticed. */
const watchedMs = 10
const reportIntervalMs = 15
const reportCount = 28_000 / reportIntervalMs
/** After this number of reports, the learner also finishes a quiz. */
const reportsBeforeQuiz = 5
const retryMs = 100
const publicPages = ['/', '/AllCourses', `/OneCourse/${courseId}`, '/AllCourses?q=python', '/Login']

export type WorkloadResponse = { status: number; text: string; type: string; location: string }
/** The number of responses for each kind of request and each status. */
export type StatusCounts = Record<string, Record<string, number>>
/** The milliseconds until each response, for each kind of request. */
export type ResponseTimes = Record<string, number[]>

type Request = {
  method?: string
  cookie?: string
  json?: unknown
  form?: Record<string, string> | FormData
}

export type WorkloadOptions = {
  /** The learners who watch a video. */
  watching?: Learner[]
  /** The learners who take exams. */
  taking?: Learner[]
  /** The number of visitors who read public pages. */
  readers?: number
  /** The paths of the pages that readers visit in turn. */
  pages?: string[]
  /** The number of visitors who sign up, again and again. */
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
  responseCount = 0

  // The figures since the last call of `readAndResetFigures`.
  /** The number of acknowledged changes. */
  #writeCount = 0
  #lastWriteAt = performance.now()
  #longestMsWithoutWrite = 0
  #counts: StatusCounts = {}
  #times: ResponseTimes = {}

  #averageStepMs = 0
  #isRunning = true
  #work: Promise<unknown> = Promise.resolve()
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
    this.#averageStepMs = everyMs

    // The learners start at different times.
    const startLater = (run: () => Promise<void>) => this.#pauseBetweenSteps().then(run)
    this.#work = Promise.all([
      ...watching.map((learner) => startLater(() => this.#watch(learner, signVisit))),
      ...taking.map((learner) => startLater(() => this.#takeExams(learner))),
      ...Array.from({ length: readers }, () => startLater(() => this.#read(pages))),
      ...Array.from({ length: newcomers }, (_, index) => startLater(() => this.#signUp(index))),
    ])

    // `stop` reports the error. Until then, it must not count as an unhandled rejection.
    this.#work.catch(() => {})
  }

  #pauseBetweenSteps(): Promise<void> {
    return pause(this.#averageStepMs * (0.5 + Math.random()))
  }

  /** Waits until every learner has ended the current step. */
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
    this.#updateLongestWait()
    const figures = {
      written: this.#writeCount,
      secondsWithoutWrite: this.#longestMsWithoutWrite / 1000,
      counts: this.#counts,
      times: this.#times,
    }

    this.#writeCount = 0
    this.#longestMsWithoutWrite = 0
    this.#lastWriteAt = performance.now()
    this.#counts = {}
    this.#times = {}

    return figures
  }

  #updateLongestWait(): void {
    const msWithoutWrite = performance.now() - this.#lastWriteAt
    this.#longestMsWithoutWrite = Math.max(this.#longestMsWithoutWrite, msWithoutWrite)
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

    // The connection may also break after the head of the response.
    const text = (await response?.text().catch(() => null)) ?? null
    const status = text === null ? 0 : (response?.status ?? 0)
    this.#recordResponse(kind, status, performance.now() - sentAt)
    if (isFailure(kind, status)) {
      const excerpt = (text ?? '').slice(0, 100).replaceAll(/\s+/g, ' ')
      this.failures.push(`${new Date().toISOString()} ${path}: ${status || 'no answer'} ${excerpt}`)
    }

    const readHeader = (name: string) => response?.headers.get(name) ?? ''
    return {
      status,
      text: text ?? '',
      type: readHeader('content-type'),
      location: readHeader('location'),
    }
  }

  #recordResponse(kind: string, status: number, ms: number): void {
    if (status > 0) {
      this.responseCount += 1
    }

    const times = this.#times[kind] ?? []
    this.#times[kind] = times
    times.push(ms)

    const countsByStatus = this.#counts[kind] ?? {}
    this.#counts[kind] = countsByStatus
    countsByStatus[status] = (countsByStatus[status] ?? 0) + 1
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
      const response = await this.request(kind, path, options)
      if (response.status > 0 && response.status < 400) {
        this.#writeCount += 1
        this.#updateLongestWait()
        this.#lastWriteAt = performance.now()
      }

      if (response.status > 0 && response.status < 500) {
        return response
      }

      await pause(retryMs)
    }

    return null
  }

  /** Reports watched intervals of a video, one after the other, and once a finished quiz. */
  async #watch({ uid, cookie }: Learner, signVisit: SignVisit): Promise<void> {
    // The visit started an hour ago, so that all reported times are in the past.
    const openedAt = Date.now() - 3_600_000
    const sendReport = (lessonId: string, progress: object) => {
      const json = { uid, openedAt, signature: signVisit(uid, lessonId, openedAt), ...progress }
      return this.#requestUntilHandled('report', `/Learn/${courseId}/${lessonId}/progress`, {
        json,
        cookie,
      })
    }

    for (let reportNumber = 0; this.#isRunning && reportNumber < reportCount; reportNumber++) {
      const start = reportNumber * reportIntervalMs
      const end = start + watchedMs
      const progress = {
        watched: [[start, end]],
        studied: [[openedAt + start, openedAt + end]],
        position: { ms: start, at: openedAt + start },
      }
      const facts = [
        this.ledger.recordSent('film', `${uid} ${videoLessonId} ${start}-${end}`),
        this.ledger.recordSent('studied', `${uid} ${openedAt + start}-${openedAt + end}`),
      ]

      // Some reports are sent twice although they were acknowledged.
      const attempts = reportNumber % 3 === 0 ? 2 : 1
      for (let attempt = 0; attempt < attempts; attempt++) {
        const response = await sendReport(videoLessonId, progress)
        acknowledgeIfSaved(response, facts)
      }

      if (reportNumber === reportsBeforeQuiz) {
        const fact = this.ledger.recordSent('finished lesson', `${uid} ${quizLessonId}`)
        const mark = { value: 'done', at: openedAt + start }
        const response = await sendReport(quizLessonId, { mark })
        acknowledgeIfSaved(response, [fact])
      }

      await this.#pauseBetweenSteps()
    }
  }

  async #takeExams(learner: Learner): Promise<void> {
    while (this.#isRunning) {
      await this.#takeExam(learner)
      await this.#pauseBetweenSteps()
    }
  }

  /** Starts an exam or continues the open attempt, and submits the attempt. */
  async #takeExam({ uid, cookie }: Learner): Promise<void> {
    const examPath = `/Exam/${courseId}`
    const readQuestion = async (number: number) => {
      const questionPath = `${examPath}?question=${number}`
      const { status, text } = await this.request('exam', questionPath, { cookie })
      return status === 200 ? parseQuestion(text, number) : null
    }

    await this.#requestUntilHandled('exam', examPath, { form: { intent: 'start' }, cookie })
    const firstQuestion = await readQuestion(1)
    if (!firstQuestion) {
      return
    }

    const { attemptId, questionCount } = firstQuestion
    for (let number = 1; this.#isRunning && number <= questionCount; number++) {
      const question = number === 1 ? firstQuestion : await readQuestion(number)
      if (question?.attemptId !== attemptId) {
        return
      }

      // Some learners change their answer.
      const answerCount = Math.random() < 0.3 ? 2 : 1
      for (let answer = 0; answer < answerCount; answer++) {
        await this.#answerQuestion({ uid, cookie }, question)
      }

      await this.#pauseBetweenSteps()
    }

    const result = this.ledger.recordSent('exam result', `${uid} ${attemptId}`)
    const response = await this.#requestUntilHandled('exam', examPath, {
      form: { intent: 'hand-in', attempt: attemptId },
      cookie,
    })
    if (response?.location.endsWith(attemptId)) {
      result.acknowledge()
    }
  }

  async #answerQuestion({ uid, cookie }: Learner, question: Question): Promise<void> {
    const { attemptId, number } = question
    const key = `${uid} ${attemptId} ${number}`
    const value = createRandomAnswer(question)
    const revision = this.ledger.getRevision('exam answer', key) + 1
    const fact = this.ledger.recordSent('exam answer', key, [revision, value])
    const json = { attemptId, question: number, value, revision, ageMs: 0 }
    const response = await this.#requestUntilHandled('exam', '/ExamAnswers', { json, cookie })
    if (response?.status === 200) {
      fact.acknowledge()
    }
  }

  async #signUp(newcomerIndex: number): Promise<void> {
    for (let turn = 0; this.#isRunning; turn++) {
      const email = `new-${newcomerIndex}-${turn}@bench.example`
      const json = { email, password: benchPassword, firstName: 'New', lastName: 'Learner' }
      const fact = this.ledger.recordSent('account', email)
      const response = await this.#requestUntilHandled('sign-up', '/account/register', { json })
      if (response && (response.status < 300 || response.status === 409)) {
        fact.acknowledge()
      }

      await this.#pauseBetweenSteps()
    }
  }

  async #read(pages: string[]): Promise<void> {
    for (let turn = 0; this.#isRunning; turn++) {
      await this.request('page', pages[turn % pages.length] ?? '/')
      await this.#pauseBetweenSteps()
    }
  }
}

/**
 * Returns whether a response is a failure: there was none, or it is an error that is not expected.
 */
function isFailure(kind: string, status: number): boolean {
  // After a lost response, the account of the repeated request exists already.
  const isAccountTaken = kind === 'sign-up' && status === 409
  const isCouponUsedUp = kind === 'coupon' && status === 400

  return status === 0 || (status >= 400 && !isAccountTaken && !isCouponUsedUp)
}

function toBody(form: Request['form'], json: Request['json']) {
  if (form !== undefined) {
    return form instanceof FormData ? form : new URLSearchParams(form)
  }

  return json === undefined ? undefined : JSON.stringify(json)
}

/** Acknowledges facts if the response says that the product has saved them. */
function acknowledgeIfSaved(
  response: { status: number } | null,
  facts: readonly { acknowledge(): void }[],
): void {
  if (response?.status !== 200) {
    return
  }

  for (const fact of facts) {
    fact.acknowledge()
  }
}
