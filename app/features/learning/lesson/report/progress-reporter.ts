import { type LessonWork, type Mark, mergeWork, noWork } from '../../course-work/lesson-work'
import { type Interval, uniteIntervals } from '../../course-work/watched-intervals'
import { keyOf, type LessonVisit, reportOf } from './lesson-visit'
import { type Delivery, deliver } from './report-delivery'
import type { KeptReport, ReportStore } from './report-store'
import { type ReporterState, type SaveStatus, statusAfterChange, statusAfterDelivery } from './save-state'
import { retryAfterMs, SendTimer, sendAfterMs, studySentAfterMs } from './send-timer'
import type { VisitClock } from './visit-clock'

type Parts = {
  store: ReportStore
  clock: VisitClock
  /** Whether work finishes the lesson, by the rule that the server has, too. */
  isDone(work: LessonWork, before: boolean): boolean
  deliver?: typeof deliver
}

/** Between two writes to the browser's storage while something is played. */
const keepEveryMs = 1_000

/**
 * Collects what a learner does in one visit of a lesson, keeps it in the browser until the server has it, and tells how
 * that stands. Each report says everything that this visit did, so that a lost or repeated one changes nothing.
 */
export class ProgressReporter {
  readonly #visit: LessonVisit
  readonly #parts: Required<Parts>
  readonly #listeners = new Set<() => void>()
  #done: LessonWork = noWork
  #studied: Interval[] = []
  #missed: readonly string[] = []
  /** Counts changes; `#sent` is the count that the server has, `#shown` the last that the learner waits to see saved. */
  #changes = 0
  #sent = 0
  #shown = 0
  #sending = false
  #again = false
  readonly #timer: SendTimer
  #keptAt = 0
  #storageWorks = true
  #state: ReporterState

  constructor(visit: LessonVisit, stored: { work: LessonWork; done: boolean }, parts: Parts) {
    this.#visit = visit
    this.#parts = { deliver, ...parts }
    this.#timer = new SendTimer(
      () => parts.clock.now(),
      () => void this.flush(),
    )
    this.#state = { status: 'saved', ...stored }
  }

  get key(): string {
    return keyOf(this.#visit)
  }

  get state(): ReporterState {
    return this.#state
  }

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** The server told what it has by now, for example after reports of earlier visits arrived. */
  takeStored({ work, done }: { work: LessonWork; done: boolean }): void {
    const merged = mergeWork(this.#state.work, work)
    this.#state = { ...this.#state, work: merged, done: this.#parts.isDone(merged, done || this.#state.done) }
    this.#tell(this.#state.status)
  }

  /** What the video element says was really played, and where it stands. Saying it again doesn't make the place newer. */
  recordPlayed(played: readonly Interval[], positionMs: number): void {
    const watched = uniteIntervals(this.#done.watched, played)
    if (positionMs === this.#done.position?.ms && String(watched) === String(this.#done.watched)) return
    const position = { ms: positionMs, at: this.#parts.clock.now() }
    this.#change({ ...noWork, watched, position }, sendAfterMs)
  }

  recordMark(value: Mark): void {
    const readToEnd = this.#state.work.readToEnd
    this.#change({ ...noWork, readToEnd, mark: { value, at: this.#parts.clock.now() } }, 0)
  }

  recordAnswer(questionId: string): void {
    this.#change({ ...noWork, answered: [questionId] }, 0)
  }

  /** A wrong answer, whatever comes after it: practice asks the question again. */
  recordMissed(questionId: string): void {
    this.#missed = [...new Set([...this.#missed, questionId])]
    this.#change(noWork, 0)
  }

  recordReadToEnd(): void {
    if (!this.#state.work.readToEnd) this.#change({ ...noWork, readToEnd: true }, 0)
  }

  /** The learner was there. It is sent along, and by itself only now and then. */
  recordStudied(from: number, to: number): void {
    if (to <= from) return
    this.#studied = uniteIntervals(this.#studied, [[from, to]])
    this.#changes += 1
    this.#keepNowAndThen()
    this.#timer.within(studySentAfterMs)
  }

  /** Sends what the server does not have yet. @param leaving the page is about to go. */
  async flush({ leaving = false } = {}): Promise<void> {
    if (this.#sent === this.#changes) return
    if (this.#sending && !leaving) {
      this.#again = true
      return
    }
    this.#sending = true
    this.#again = false
    this.#timer.stop()
    if (this.#sent < this.#shown) this.#tell(statusAfterChange(this.#state.status, true))
    const upTo = this.#changes
    const kept = this.#report()
    // Kept first: a closed tab or a dead network then loses nothing. A page that goes cannot wait for it.
    const keeping = this.#put(kept)
    if (!leaving) await keeping
    const delivery = await this.#parts.deliver(kept, { leaving })
    if (delivery.outcome === 'taken' || delivery.outcome === 'refused') {
      this.#sent = Math.max(this.#sent, upTo)
      await keeping
      await this.#parts.store.settle(kept).catch(() => {})
    }
    this.#sending = false
    this.#learn(delivery)
    this.#sendRest(delivery)
  }

  #learn(delivery: Delivery): void {
    if (delivery.outcome === 'taken') {
      this.#parts.clock.moveForwardTo(delivery.now)
      const work = mergeWork(delivery.work, this.#done)
      this.#state = { ...this.#state, work, done: this.#parts.isDone(work, delivery.done) }
    }
    this.#tell(statusAfterDelivery(delivery.outcome, this.#sent >= this.#shown, this.#storageWorks))
  }

  #sendRest({ outcome }: Delivery): void {
    if (outcome === 'unreachable') this.#timer.within(retryAfterMs)
    else if (this.#again) void this.flush()
    else if (this.#sent < this.#changes) this.#timer.within(sendAfterMs)
  }

  /** Ends the visit: nothing is sent by itself any more. */
  async close(): Promise<void> {
    await this.flush({ leaving: true })
    this.#timer.stop()
  }

  /** Puts the visit as it stands into the browser's storage, without sending it. */
  async keep(): Promise<void> {
    if (this.#sent < this.#changes) await this.#put(this.#report())
  }

  async #put(report: KeptReport): Promise<void> {
    this.#storageWorks = await this.#parts.store.put(report).then(
      () => true,
      () => false,
    )
  }

  #change(part: LessonWork, sendInMs: number): void {
    this.#done = mergeWork(this.#done, part)
    this.#changes += 1
    this.#shown = this.#changes
    const work = mergeWork(this.#state.work, part)
    const done = this.#parts.isDone(work, this.#state.done)
    const now = sendInMs === 0 || done !== this.#state.done
    this.#state = { ...this.#state, work, done }
    this.#tell(statusAfterChange(this.#state.status, now))
    // What the learner decided is kept at once; of what is played, a second may be missing.
    if (sendInMs === 0) void this.keep()
    else this.#keepNowAndThen()
    this.#timer.within(now ? 0 : sendInMs)
  }

  #report(): KeptReport {
    return reportOf(this.#visit, { ...this.#done, missed: this.#missed, studied: this.#studied })
  }

  #keepNowAndThen(): void {
    const now = this.#parts.clock.now()
    if (now - this.#keptAt < keepEveryMs) return
    this.#keptAt = now
    void this.keep()
  }

  #tell(status: SaveStatus): void {
    this.#state = { ...this.#state, status }
    for (const listener of this.#listeners) listener()
  }
}
