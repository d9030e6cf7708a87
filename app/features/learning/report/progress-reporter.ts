import type { Outcome } from '~/outbox/delivery'
import type { Entry } from '~/outbox/entry-store'
import type { Outbox } from '~/outbox/outbox'
import {
  emptyProgress,
  type LessonProgress,
  type Mark,
  mergeProgress,
} from '../progress/lesson-progress'
import { type Interval, uniteIntervals } from '../progress/watched-intervals'
import { progressReports, type ReportBody, type SentReport } from './progress-reports'

/** One opening of a lesson, as the server signed it. */
type LessonVisit = {
  uid: string
  courseId: string
  lessonId: string
  openedAt: number
  lengthMs: number
  signature: string
}

type Parts = {
  outbox: Outbox
  clock: VisitClock
  /** Whether work finishes the lesson, by the rule that the server has, too. */
  isDone(work: LessonProgress, before: boolean): boolean
}

/**
 * Keeps a report below the server's limit of 64 kB; earlier reports of the visit had the earlier
 * pieces.
 */
const mostPieces = 900
/** How long played ranges may stay in the browser before they are sent, in milliseconds. */
const sendAfterMs = 8_000
/** The same for study time alone. */
const sendStudiedAfterMs = 30_000
/** Between two writes to the browser's storage while something is played. */
const storeEveryMs = 1_000

/**
 * Collects a learner's work in one visit of a lesson, puts it into the outbox, and reports whether
 * it is saved. Each report contains the whole visit, so that a lost or repeated one changes
 * nothing.
 */
export class ProgressReporter {
  readonly #visit: LessonVisit
  readonly #key: string
  readonly #parts: Parts
  readonly #listeners = new Set<() => void>()
  #done: LessonProgress = emptyProgress
  #studied: Interval[] = []
  #missed: readonly string[] = []
  /**
   * Counts changes; `#sent` is the count that the server has, `#shown` the last that the learner
   * waits to see saved.
   */
  #changes = 0
  #sent = 0
  #shown = 0
  #timer: { dueAt: number; handle: ReturnType<typeof setTimeout> } | null = null
  #storedAt = 0
  #storageWorks = true
  #state: ReporterState

  constructor(visit: LessonVisit, stored: { work: LessonProgress; done: boolean }, parts: Parts) {
    const { uid, courseId, lessonId, openedAt } = visit
    this.#visit = visit
    this.#key = [uid, courseId, lessonId, openedAt].join(' ')
    this.#parts = parts
    this.#state = { status: 'saved', ...stored }
  }

  get state(): ReporterState {
    return this.#state
  }

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** The server's state has changed, for example after reports of earlier visits arrived. */
  takeStored({ work, done }: { work: LessonProgress; done: boolean }): void {
    const merged = mergeProgress(this.#state.work, work)
    this.#state = {
      ...this.#state,
      work: merged,
      done: this.#parts.isDone(merged, done || this.#state.done),
    }

    this.#tell(this.#state.status)
  }

  /**
   * The played ranges and the position from the video element. Reporting them again doesn't make
   * the place newer.
   */
  recordPlayed(played: readonly Interval[], positionMs: number): void {
    const watched = uniteIntervals(this.#done.watched, played)
    if (positionMs === this.#done.position?.ms && String(watched) === String(this.#done.watched)) {
      return
    }

    const position = { ms: positionMs, at: this.#parts.clock.now() }
    this.#change({ ...emptyProgress, watched, position }, sendAfterMs)
  }

  recordMark(value: Mark): void {
    const readToEnd = this.#state.work.readToEnd
    this.#change({ ...emptyProgress, readToEnd, mark: { value, at: this.#parts.clock.now() } }, 0)
  }

  recordAnswer(questionId: string): void {
    this.#change({ ...emptyProgress, answered: [questionId] }, 0)
  }

  /** A wrong answer, whatever comes after it: practice asks the question again. */
  recordMissed(questionId: string): void {
    this.#missed = [...new Set([...this.#missed, questionId])]
    this.#change(emptyProgress, 0)
  }

  recordReadToEnd(): void {
    if (!this.#state.work.readToEnd) {
      this.#change({ ...emptyProgress, readToEnd: true }, 0)
    }
  }

  /** Active time. It is sent with other changes, and alone only now and then. */
  recordStudied(from: number, to: number): void {
    if (to <= from) {
      return
    }

    this.#studied = uniteIntervals(this.#studied, [[from, to]])
    this.#changes += 1
    this.#storeNowAndThen()
    this.#sendWithin(sendStudiedAfterMs)
  }

  #change(part: LessonProgress, sendInMs: number): void {
    this.#done = mergeProgress(this.#done, part)
    this.#changes += 1
    this.#shown = this.#changes
    const work = mergeProgress(this.#state.work, part)
    const done = this.#parts.isDone(work, this.#state.done)
    const now = sendInMs === 0 || done !== this.#state.done
    this.#state = { ...this.#state, work, done }
    this.#tell(statusAfterChange(this.#state.status, now))
    // The learner's choices are stored at once; up to a second of played video may be missing.
    if (sendInMs === 0) {
      void this.store()
    } else {
      this.#storeNowAndThen()
    }

    this.#sendWithin(now ? 0 : sendInMs)
  }

  /**
   * Sends everything that the server does not have yet.
   *
   * @param leaving the page is about to unload.
   */
  async flush({ leaving = false } = {}): Promise<void> {
    if (this.#sent === this.#changes) {
      return
    }

    this.#stopTimer()
    if (this.#sent < this.#shown) {
      this.#tell(statusAfterChange(this.#state.status, true))
    }

    const { outbox } = this.#parts
    const { entry, stored } = this.#put()
    if (leaving) {
      return outbox.sendLeaving(progressReports, entry)
    }

    // Stored before sending, so that a closed tab or a dead network loses nothing.
    await stored
    await outbox.send(progressReports, this.#visit.uid)
  }

  /** Called by the outbox with the result for a report. */
  take = ({ key, body }: Entry<ReportBody>, { outcome, answer }: SentReport): boolean => {
    if (key !== this.#key) {
      return false
    }

    const settled = outcome === 'delivered' || outcome === 'refused'
    if (settled) {
      this.#sent = Math.max(this.#sent, body.changes ?? 0)
    }

    if (answer) {
      this.#parts.clock.moveForwardTo(answer.now)
      const work = mergeProgress(answer.work, this.#done)
      this.#state = { ...this.#state, work, done: this.#parts.isDone(work, answer.done) }
    }

    this.#tell(statusAfterDelivery(outcome, this.#sent >= this.#shown, this.#storageWorks))
    if (settled && this.#sent < this.#changes) {
      this.#sendWithin(sendAfterMs)
    }

    return true
  }

  /** Ends the visit: nothing is sent automatically afterwards. */
  async close(): Promise<void> {
    const sending = this.flush({ leaving: true })
    this.#stopTimer()
    await sending
  }

  /** Puts the current state of the visit into the outbox, without sending it. */
  async store(): Promise<void> {
    if (this.#sent < this.#changes) {
      await this.#put().stored
    }
  }

  #put() {
    const { uid, courseId, lessonId, openedAt, lengthMs, signature } = this.#visit
    const missed = this.#missed.length > 0 ? { missed: this.#missed } : {}
    const pieces = {
      watched: this.#done.watched.slice(-mostPieces),
      studied: this.#studied.slice(-mostPieces),
    }
    const report = { uid, openedAt, lengthMs, signature, ...this.#done, ...missed, ...pieces }
    const body = {
      address: `/Learn/${courseId}/${lessonId}/progress`,
      report,
      changes: this.#changes,
    }
    const { entry, stored } = this.#parts.outbox.put(progressReports, { key: this.#key, uid, body })
    void stored.then((works) => {
      this.#storageWorks = works
    })

    return { entry, stored }
  }

  #storeNowAndThen(): void {
    const now = this.#parts.clock.now()
    if (now - this.#storedAt < storeEveryMs) {
      return
    }

    this.#storedAt = now
    void this.store()
  }

  /** The earliest time that was asked for counts. */
  #sendWithin(ms: number): void {
    const dueAt = this.#parts.clock.now() + ms
    if (this.#timer && dueAt >= this.#timer.dueAt) {
      return
    }

    this.#stopTimer()
    this.#timer = { dueAt, handle: setTimeout(() => void this.flush(), ms) }
  }

  #stopTimer(): void {
    clearTimeout(this.#timer?.handle)
    this.#timer = null
  }

  #tell(status: SaveStatus): void {
    this.#state = { ...this.#state, status }
    for (const listener of this.#listeners) {
      listener()
    }
  }
}

/**
 * The server's time in the browser. It runs by the monotonic clock, so that a learner's wrong or
 * changed clock makes no report implausible; every answer of the server brings it forward again,
 * for example after the computer slept.
 */
export class VisitClock {
  readonly #monotonic: () => number
  #serverMs: number
  #readAt: number

  /** @param monotonic milliseconds since any fixed point, like `performance.now`. */
  constructor(serverMs: number, monotonic: () => number = () => performance.now()) {
    this.#monotonic = monotonic
    this.#serverMs = serverMs
    this.#readAt = monotonic()
  }

  /** Whole milliseconds since 1970, never ahead of the server. */
  now(): number {
    return Math.round(this.#serverMs + this.#monotonic() - this.#readAt)
  }

  /** Monotonic, so that measured times stay in order. */
  moveForwardTo(serverMs: number): void {
    if (serverMs <= this.now()) {
      return
    }

    this.#serverMs = serverMs
    this.#readAt = this.#monotonic()
  }
}

/**
 * `collected`: more was played, and is sent within seconds. `unkept`: neither the server nor the
 * browser's storage has it, only this page.
 */
export type SaveStatus =
  | 'saved'
  | 'collected'
  | 'saving'
  | 'offline'
  | 'unkept'
  | 'signed-out'
  | 'not-enrolled'
  | 'refused'

type ReporterState = { status: SaveStatus; work: LessonProgress; done: boolean }

const waiting: readonly SaveStatus[] = ['offline', 'unkept', 'signed-out', 'not-enrolled']

/**
 * The learner did something.
 *
 * @param sentNow whether it is sent at once. A problem stays until a report is taken.
 */
function statusAfterChange(before: SaveStatus, sentNow: boolean): SaveStatus {
  if (waiting.includes(before)) {
    return before
  }

  return sentNow || before === 'saving' ? 'saving' : 'collected'
}

/**
 * @param everything whether the server has all that the learner waits to see saved.
 * @param stored whether the browser's storage has the rest.
 */
function statusAfterDelivery(outcome: Outcome, everything: boolean, stored: boolean): SaveStatus {
  switch (outcome) {
    case 'delivered':
      return everything ? 'saved' : 'collected'
    case 'refused':
      return 'refused'
    case 'signed-out':
      return stored ? outcome : 'unkept'
    case 'held-back':
      return stored ? 'not-enrolled' : 'unkept'
    default:
      return stored ? 'offline' : 'unkept'
  }
}
