import type { SendOutcome } from '~/outbox/entry-kind'
import type { OutboxEntry } from '~/outbox/entry-store'
import type { Outbox } from '~/outbox/outbox'
import {
  emptyProgress,
  type LessonProgress,
  type Mark,
  mergeProgress,
} from '../progress/lesson-progress'
import { type Interval, uniteIntervals } from '../progress/watched-intervals'
import { progressReports, type ReportBody, type ReportSendResult } from './progress-reports'

/**
 * Collects a learner's progress in one visit to a lesson and sends it to the server.
 *
 * Reports are put into the outbox, which stores them in the browser before it sends them. So a
 * closed tab or a lost connection loses nothing. Each report contains the whole visit, so a lost
 * or repeated report changes nothing.
 */

/**
 * Whether the learner's progress is saved. `collected` means that more was played, which is sent
 * within seconds. `not-stored` means that only this page has the progress: neither the server nor
 * the browser's storage does.
 */
export type SaveStatus =
  | 'saved'
  | 'collected'
  | 'saving'
  | 'offline'
  | 'not-stored'
  | 'signed-out'
  | 'not-enrolled'
  | 'refused'

/** One opening of a lesson, as the server signed it. */
export type LessonVisit = {
  uid: string
  /** The server's time, in milliseconds since 1970. */
  openedAt: number
  /** The length of the lesson at that time. */
  lengthMs: number
  signature: string
}

type LessonState = { progress: LessonProgress; done: boolean }

type ReporterState = LessonState & { status: SaveStatus }

type Dependencies = {
  outbox: Outbox
  clock: VisitClock
  /** Whether the progress finishes the lesson, by the same rule as on the server. */
  isDone(progress: LessonProgress, wasDone: boolean): boolean
}

/**
 * The most intervals in one report. It keeps reports below the server's limit of 64 kB. Earlier
 * reports of the visit contained the earlier intervals.
 */
const maxIntervals = 900

/** How long played intervals may wait in the browser before they are sent. */
const sendPlayedAfterMs = 8_000

/** How long study time may wait if there is nothing else to send. */
const sendStudiedAfterMs = 30_000

/** The shortest time between two writes to the browser's storage while a video plays. */
const storeEveryMs = 1_000

export class ProgressReporter {
  readonly #visit: LessonVisit & { courseId: string; lessonId: string }
  readonly #key: string
  readonly #dependencies: Dependencies
  readonly #listeners = new Set<() => void>()
  #state: ReporterState

  /** The progress of this visit. */
  #collected: LessonProgress = emptyProgress
  #studied: Interval[] = []
  #missedQuestionIds: readonly string[] = []

  /** The number of changes in this visit. */
  #changeCount = 0
  /** How many of the changes the server has. */
  #sentCount = 0
  /** The last of the changes that the learner waits to see saved. */
  #visibleCount = 0

  #timer: { dueAt: number; handle: ReturnType<typeof setTimeout> } | null = null
  #storedAt = 0
  #isStorageWorking = true

  constructor(
    visit: LessonVisit & { courseId: string; lessonId: string },
    initial: LessonState,
    dependencies: Dependencies,
  ) {
    const { uid, courseId, lessonId, openedAt } = visit
    this.#visit = visit
    this.#key = [uid, courseId, lessonId, openedAt].join(' ')
    this.#dependencies = dependencies
    this.#state = { status: 'saved', ...initial }
  }

  get state(): ReporterState {
    return this.#state
  }

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Merges progress that the page has loaded again, for example after reports of other visits. */
  mergeLoaded({ progress, done }: LessonState): void {
    const merged = mergeProgress(this.#state.progress, progress)
    const isDone = this.#dependencies.isDone(merged, done || this.#state.done)
    this.#state = { ...this.#state, progress: merged, done: isDone }
    this.#setStatus(this.#state.status)
  }

  /** Records what the video element has played, and its position. */
  recordPlayed(played: readonly Interval[], positionMs: number): void {
    const watched = uniteIntervals(this.#collected.watched, played)
    const isSamePosition = positionMs === this.#collected.position?.ms
    const isSameWatched = String(watched) === String(this.#collected.watched)
    if (isSamePosition && isSameWatched) {
      // A repeated position must not get a newer time than a position on another device.
      return
    }

    const position = { ms: positionMs, at: this.#dependencies.clock.now() }
    this.#addProgress({ ...emptyProgress, watched, position }, sendPlayedAfterMs)
  }

  recordMark(value: Mark): void {
    const mark = { value, at: this.#dependencies.clock.now() }
    const { readToEnd } = this.#state.progress
    this.#addProgress({ ...emptyProgress, readToEnd, mark }, 0)
  }

  recordAnswer(questionId: string): void {
    this.#addProgress({ ...emptyProgress, answered: [questionId] }, 0)
  }

  /** Records a wrong answer. Practice asks the question again, even after a right answer. */
  recordMissedQuestion(questionId: string): void {
    this.#missedQuestionIds = [...new Set([...this.#missedQuestionIds, questionId])]
    this.#addProgress(emptyProgress, 0)
  }

  recordReadToEnd(): void {
    if (!this.#state.progress.readToEnd) {
      this.#addProgress({ ...emptyProgress, readToEnd: true }, 0)
    }
  }

  /** Records study time. It is sent with other changes, and alone only every now and then. */
  recordStudied(from: number, to: number): void {
    if (to <= from) {
      return
    }

    this.#studied = uniteIntervals(this.#studied, [[from, to]])
    this.#changeCount += 1
    this.#storeOccasionally()
    this.#sendWithin(sendStudiedAfterMs)
  }

  #addProgress(part: LessonProgress, sendWithinMs: number): void {
    this.#collected = mergeProgress(this.#collected, part)
    this.#changeCount += 1
    this.#visibleCount = this.#changeCount

    const progress = mergeProgress(this.#state.progress, part)
    const done = this.#dependencies.isDone(progress, this.#state.done)
    const isUrgent = sendWithinMs === 0 || done !== this.#state.done
    this.#state = { ...this.#state, progress, done }
    this.#setStatus(getStatusAfterChange(this.#state.status, isUrgent))

    // What the learner has chosen is stored at once. Up to a second of played video may be lost.
    if (sendWithinMs === 0) {
      void this.store()
    } else {
      this.#storeOccasionally()
    }

    this.#sendWithin(isUrgent ? 0 : sendWithinMs)
  }

  /**
   * Sends everything that the server does not have yet.
   *
   * @param options.isPageClosing whether the page may be about to unload, so that it can't wait
   */
  async flush({ isPageClosing = false } = {}): Promise<void> {
    if (this.#sentCount === this.#changeCount) {
      return
    }

    this.#stopTimer()
    if (this.#sentCount < this.#visibleCount) {
      this.#setStatus(getStatusAfterChange(this.#state.status, true))
    }

    const { outbox } = this.#dependencies
    const { entry, whenStored } = this.#putIntoOutbox()
    if (isPageClosing) {
      return outbox.sendWhilePageCloses(progressReports, entry, this.#visit.uid)
    }

    // The report is stored before it is sent, so that a closed tab loses nothing.
    await whenStored
    await outbox.send(progressReports, this.#visit.uid)
  }

  /** Handles the result of sending a report. Returns whether the report belongs to this visit. */
  handleReportResult = (
    { key, body }: OutboxEntry<ReportBody>,
    { outcome, response }: ReportSendResult,
  ): boolean => {
    if (key !== this.#key) {
      return false
    }

    const isSettled = outcome === 'delivered' || outcome === 'refused'
    if (isSettled) {
      this.#sentCount = Math.max(this.#sentCount, body.changes ?? 0)
    }

    if (response) {
      this.#dependencies.clock.moveForwardTo(response.now)
      const progress = mergeProgress(response.work, this.#collected)
      const done = this.#dependencies.isDone(progress, response.done)
      this.#state = { ...this.#state, progress, done }
    }

    const isEverythingSaved = this.#sentCount >= this.#visibleCount
    this.#setStatus(getStatusAfterSending(outcome, isEverythingSaved, this.#isStorageWorking))
    if (isSettled && this.#sentCount < this.#changeCount) {
      this.#sendWithin(sendPlayedAfterMs)
    }

    return true
  }

  /** Ends the visit: nothing is sent automatically afterwards. */
  async close(): Promise<void> {
    const sending = this.flush({ isPageClosing: true })
    this.#stopTimer()
    await sending
  }

  /** Stores the visit in the outbox without sending it. */
  async store(): Promise<void> {
    if (this.#sentCount < this.#changeCount) {
      await this.#putIntoOutbox().whenStored
    }
  }

  #putIntoOutbox() {
    const { uid, courseId, lessonId, openedAt, lengthMs, signature } = this.#visit
    const missed = this.#missedQuestionIds
    const report = {
      uid,
      openedAt,
      lengthMs,
      signature,
      ...this.#collected,
      ...(missed.length > 0 ? { missed } : {}),
      watched: this.#collected.watched.slice(-maxIntervals),
      studied: this.#studied.slice(-maxIntervals),
    }
    const body = {
      address: `/Learn/${courseId}/${lessonId}/progress`,
      report,
      changes: this.#changeCount,
    }

    const { outbox } = this.#dependencies
    const { entry, whenStored } = outbox.put(progressReports, { key: this.#key, uid, body })
    void whenStored.then((isStorageWorking) => {
      this.#isStorageWorking = isStorageWorking
    })

    return { entry, whenStored }
  }

  #storeOccasionally(): void {
    const now = this.#dependencies.clock.now()
    if (now - this.#storedAt < storeEveryMs) {
      return
    }

    this.#storedAt = now
    void this.store()
  }

  /** Sends the visit after some time, or earlier if that is planned already. */
  #sendWithin(ms: number): void {
    const dueAt = this.#dependencies.clock.now() + ms
    if (this.#timer && this.#timer.dueAt <= dueAt) {
      return
    }

    this.#stopTimer()
    this.#timer = { dueAt, handle: setTimeout(() => void this.flush(), ms) }
  }

  #stopTimer(): void {
    clearTimeout(this.#timer?.handle)
    this.#timer = null
  }

  #setStatus(status: SaveStatus): void {
    this.#state = { ...this.#state, status }
    for (const listener of this.#listeners) {
      listener()
    }
  }
}

const problemStatuses: readonly SaveStatus[] = [
  'offline',
  'not-stored',
  'signed-out',
  'not-enrolled',
]

/** Returns the status after a change. A problem is displayed until a report is accepted. */
function getStatusAfterChange(status: SaveStatus, isSentNow: boolean): SaveStatus {
  if (problemStatuses.includes(status)) {
    return status
  }

  return isSentNow || status === 'saving' ? 'saving' : 'collected'
}

/**
 * @param isEverythingSaved whether the server has everything that the learner waits to see saved
 * @param isStored whether the browser's storage has what the server doesn't
 */
function getStatusAfterSending(
  outcome: SendOutcome,
  isEverythingSaved: boolean,
  isStored: boolean,
): SaveStatus {
  switch (outcome) {
    case 'delivered':
      return isEverythingSaved ? 'saved' : 'collected'
    case 'refused':
      return 'refused'
    case 'signed-out':
      return isStored ? 'signed-out' : 'not-stored'
    case 'held-back':
      return isStored ? 'not-enrolled' : 'not-stored'
    default:
      return isStored ? 'offline' : 'not-stored'
  }
}

/**
 * The server's time in the browser.
 *
 * The clock uses the browser's monotonic clock, so a wrong or changed clock of the learner's
 * computer makes no report implausible. That clock may stop while the computer sleeps, so every
 * response of the server moves this one forward.
 */
export class VisitClock {
  readonly #getMonotonicMs: () => number
  #serverMs: number
  #monotonicMs: number

  /**
   * @param getMonotonicMs returns the milliseconds since any fixed point, like `performance.now`
   */
  constructor(serverMs: number, getMonotonicMs: () => number = () => performance.now()) {
    this.#getMonotonicMs = getMonotonicMs
    this.#serverMs = serverMs
    this.#monotonicMs = getMonotonicMs()
  }

  /** Returns whole milliseconds since 1970. The clock is never ahead of the server. */
  now(): number {
    const elapsedMs = this.#getMonotonicMs() - this.#monotonicMs
    return Math.round(this.#serverMs + elapsedMs)
  }

  /** Never moves the clock back, so that measured times stay in order. */
  moveForwardTo(serverMs: number): void {
    if (serverMs <= this.now()) {
      return
    }

    this.#serverMs = serverMs
    this.#monotonicMs = this.#getMonotonicMs()
  }
}
