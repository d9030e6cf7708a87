import { setTimeout as wait } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import { rolesWithAllCourses } from '~/features/staff/permissions'
import type { Database, Transaction } from '~/server/database/client.server'
import { type Mailer, sendWithinMs } from '~/server/mail/mail.server'
import { retryPauseMs } from '~/server/mail/outbox.server'
import { backgroundWork } from '~/server/operations/background-work.server'
import { log } from '~/server/operations/log.server'
import { announcementComposer, type Compose, type Recipient } from './announcement-mail.server'
import { authorMayNotSend } from './announcement-messages'
import type { AnnouncementMailState, AnnouncementState } from './announcement-states'
import { type Audience, addMails, getsAnnouncements } from './audience.server'
import { outcomeOf } from './delivery-outcome'

const secondMs = 1000
/** A run ends after this time, so that other background work gets its turn. */
const runMs = 10 * secondMs
/** The pause after the mail server took no mail. */
const restMs = 30 * secondMs
/** Connections to the mail server at a time. */
const mostAtOnce = 10
/** No conversation takes this long, so the process behind an older claim has ended. */
const claimMs = sendWithinMs + 30 * secondMs
/** Attempts at a mail that the server defers, over about three hours. */
const mostAttempts = 10

type SenderParts = {
  db: Database
  send: Mailer
  /** Rejects while the mail server can't be reached or refuses the sign-in. */
  greet(): Promise<void>
  mailsPerMinute: number
  /** In milliseconds. */
  clock?(): number
  pause?(ms: number, signal: AbortSignal): Promise<unknown>
}

/** When the product stops, conversations under way get this time to end. */
const stopWithinMs = 5 * secondMs

/**
 * Sends announcements, each mail at most once.
 *
 * - A claim is committed before the conversation with the mail server begins. After a kill, claimed
 * mails become 'uncertain'
 *   and are never sent again.
 * - Claiming checks the state of the announcement, so no mail begins after 'stop'.
 * - After an error of the mail server itself, sending pauses. It resumes once the server answers a
 * greeting.
 */
export class AnnouncementSender {
  readonly #composers = new Map<string, Compose | null>()
  readonly #ending = new AbortController()
  readonly #impatient = new AbortController()
  #restsUntil = 0

  constructor(private parts: SenderParts) {}

  /** @returns a function that stops it. */
  start(): () => Promise<void> {
    const run = (mayGoOn: () => boolean) => this.run(mayGoOn)
    const stop = backgroundWork.add({ name: 'announcements', everyMs: 2 * secondMs, run })

    return async () => {
      this.#ending.abort()
      const impatience = setTimeout(() => this.#impatient.abort(), stopWithinMs)
      await stop()
      clearTimeout(impatience)
    }
  }

  /**
   * Sends for some seconds, or until nothing is due.
   *
   * @param mayGoOn false once another process has taken over.
   */
  async run(mayGoOn: () => boolean = () => true): Promise<void> {
    await beginDue(this.parts.db)
    await markUncertain(this.parts.db)
    await this.#sendDue(mayGoOn)
    await finishSettled(this.parts.db)
  }

  async #sendDue(mayGoOn: () => boolean): Promise<void> {
    const { db } = this.parts
    const begunAt = this.#clock()
    const goesOn = () =>
      mayGoOn() && !this.#ending.signal.aborted && this.#clock() >= this.#restsUntil
    if (!goesOn() || (await listSending(db)).length === 0 || !(await this.#serverAnswers())) {
      return
    }

    this.#composers.clear()
    while (goesOn() && this.#clock() < begunAt + runMs) {
      let begun = 0
      for (const id of await listSending(db)) {
        if (goesOn()) {
          begun += await this.#sendSome(id)
        }
      }

      if (begun === 0) {
        return
      }
    }
  }

  async #serverAnswers(): Promise<boolean> {
    try {
      await this.parts.greet()
      await this.parts.db.execute(
        sql`update announcements set trouble = null where state = 'sending' and trouble is not null`,
      )
      return true
    } catch (error) {
      await this.#rest(error)
      return false
    }
  }

  /** @returns the number of mails that were due. */
  async #sendSome(id: string): Promise<number> {
    const { db, mailsPerMinute, pause = waitFor } = this.parts
    const startedAt = this.#clock()
    const size = Math.min(mostAtOnce, Math.ceil(mailsPerMinute / 60))
    const taken = await claim(db, id, size)
    const claimed = taken.filter(({ state }) => state === 'claimed')
    await Promise.all(claimed.map((recipient) => this.#send(id, recipient)))
    const leftMs = (claimed.length * 60 * secondMs) / mailsPerMinute - (this.#clock() - startedAt)
    if (leftMs > 0) {
      await pause(leftMs, this.#ending.signal)
    }

    return taken.length
  }

  async #send(id: string, recipient: Recipient & { attempts: number }): Promise<void> {
    const { signal } = this.#impatient
    const { db, send } = this.parts
    const mark = (state: AnnouncementMailState, more?: Marked) =>
      markMail(db, { id, uid: recipient.uid }, state, more)
    const compose = await this.#composerOf(id)
    if (!compose) {
      return
    }

    const mail = await compose(recipient)
    try {
      await send({ ...mail, id: `${id}.${recipient.uid}` }, signal)
    } catch (error) {
      const reason = String((error as Error).message ?? error).slice(0, 500)
      const outcome = outcomeOf(error)
      const attempts = recipient.attempts + 1
      if (outcome === 'failed' || (outcome === 'later' && attempts >= mostAttempts)) {
        return mark('failed', { reason })
      }

      if (outcome === 'later') {
        return mark('due', { reason, attempts, pauseMs: retryPauseMs(attempts) })
      }

      await mark(outcome === 'uncertain' ? 'uncertain' : 'due', { reason })
      if (!signal.aborted) {
        await this.#rest(error)
      }

      return
    }

    await mark('sent')
  }

  async #composerOf(id: string): Promise<Compose | null> {
    const known = this.#composers.get(id)
    if (known !== undefined) {
      return known
    }

    const made = await announcementComposer(this.parts.db, id)
    this.#composers.set(id, made)

    return made
  }

  /** Pauses, and shows the reason at every announcement that is being sent. */
  async #rest(error: unknown): Promise<void> {
    this.#restsUntil = this.#clock() + restMs
    const { message, code, responseCode } = error as {
      message?: string
      code?: string
      responseCode?: number
    }

    log.warn({ code, responseCode }, 'announcements wait: the mail server took no mail')
    const trouble = String(message ?? error).slice(0, 500)
    await this.parts.db.execute(
      sql`update announcements set trouble = ${trouble} where state = 'sending'`,
    )
  }

  #clock(): number {
    return (this.parts.clock ?? Date.now)()
  }
}

const waitFor = (ms: number, signal: AbortSignal) => wait(ms, undefined, { signal }).catch(() => {})

/**
 * Begins the announcements that are due, with the audience of this time. If the author lost the
 * permission, the announcement becomes a draft again. Safe in several processes at once.
 */
export async function beginDue(db: Database): Promise<void> {
  while (await db.transaction(beginOne)) {}
}

async function beginOne(transaction: Transaction): Promise<boolean> {
  const { rows } = await transaction.execute<
    Audience & { id: string; state: AnnouncementState }
  >(sql`
    update announcements a set state = case when ${authorMaySend} then 'sending' else 'draft' end,
      started_at = case when ${authorMaySend} then now() end,
      due_at = case when ${authorMaySend} then due_at end,
      trouble = case when not ${authorMaySend} then ${authorMayNotSend}::text end
    where id = (
      select id from announcements where state = 'scheduled' and due_at <= now()
      order by due_at limit 1 for update skip locked)
    returning id, state, course_id as "courseId", audience, away_days as "awayDays"`)
  const [due] = rows
  if (!due) {
    return false
  }

  const { state, ...begun } = due
  if (state === 'sending') {
    await addMails(transaction, begun)
  }

  return true
}

/**
 * Every role may announce, teachers only to their own courses. The author may lose a role while an
 * announcement waits.
 */
const authorMaySend = sql`exists (
  select from staff s
    join users u on u.id = s.uid
  where s.uid = a.author
    and not u.banned
    and (
      s.role = any(${sql.param(rolesWithAllCourses)}::text[])
      or exists (
        select from staff_courses c
        where c.uid = s.uid and c.course_id = a.course_id)))`

async function listSending(db: Database): Promise<string[]> {
  const { rows } = await db.execute<{ id: string }>(
    sql`select id from announcements where state = 'sending' order by due_at, id`,
  )
  return rows.map(({ id }) => id)
}

/**
 * Claims mails that are due.
 *
 * @returns them; 'skipped' for learners who became unreachable or left the course.
 */
async function claim(db: Database, id: string, most: number) {
  const { rows } = await db.execute<
    Recipient & { attempts: number; state: AnnouncementMailState }
  >(sql`
    with chosen as (
      select m.uid, a.course_id from announcement_mails m join announcements a on a.id = m.announcement_id
      where a.id = ${id} and a.state = 'sending' and m.state = 'due' and m.at <= now()
      order by m.at limit ${most} for update of m skip locked)
    update announcement_mails m set at = now(),
      state = case when ${getsAnnouncements} and (c.course_id is null
        or exists (select from enrollments e where e.uid = u.id and e.course_id = c.course_id)) then 'claimed' else 'skipped' end
    from chosen c join users u on u.id = c.uid
    where m.uid = c.uid and m.announcement_id = ${id}
    returning m.uid, m.state, m.attempts, u.email`)

  return rows
}

type Marked = { reason?: string; attempts?: number; pauseMs?: number }

/**
 * Also settles a mail that was marked as uncertain meanwhile. Deleted accounts have no mail left to
 * mark.
 */
async function markMail(
  db: Database,
  { id, uid }: { id: string; uid: string },
  state: AnnouncementMailState,
  { reason, attempts = 0, pauseMs = 0 }: Marked = {},
): Promise<void> {
  await db.execute(sql`
    update announcement_mails set state = ${state}, reason = ${reason ?? null}, attempts = ${attempts},
      at = now() + make_interval(secs => ${pauseMs / secondMs}::float8)
    where uid = ${uid} and announcement_id = ${id} and state in ('claimed', 'uncertain')`)
}

async function markUncertain(db: Database): Promise<void> {
  await db.execute(sql`
    update announcement_mails set state = 'uncertain', at = now()
    where state = 'claimed' and at < now() - make_interval(secs => ${claimMs / secondMs}::float8)`)
}

/** Marks announcements as done once no mail is waiting. */
async function finishSettled(db: Database): Promise<void> {
  await db.execute(sql`
    update announcements a set state = 'done', ended_at = now(), trouble = null
    where a.state = 'sending' and not exists (
      select from announcement_mails m where m.announcement_id = a.id and m.state in ('due', 'claimed'))`)
}
