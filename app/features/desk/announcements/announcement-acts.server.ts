import { eq, sql } from 'drizzle-orm'
import type { StaffMember } from '~/features/staff/staff-queries.server'
import { isVisible } from '~/server/content/content-fields'
import type { Transaction } from '~/server/database/client.server'
import { randomId } from '~/server/database/random-id.server'
import { announcements } from '~/server/database/schema/index'
import { StartError } from '~/server/env.server'
import { lacksMailServer } from '~/server/mail/mail.server'
import { queueMailWith } from '~/server/mail/outbox.server'
import { byCount, formatNumber } from '~/ui/format-count'
import { formatDateTime } from '~/ui/format-date'
import { findCourseTitle } from '../courses/course-title.server'
import { isOwnCourse, seesCourse } from '../courses/own-courses.server'
import { type ActionOutcome, type DeskActionRequest, textOf } from '../desk-form.server'
import { countTestMail } from '../test-mail-limit.server'
import { type AnnouncementState, audienceKinds } from './announcement-states'
import { type Audience, countAudience } from './audience.server'
import { draftLimits } from './draft-limits'
import { instantOf } from './local-time'
import { isForgotten, mailsKeptDays } from './mail-counts.server'

/** The acts on announcements. A refusal is a `StartError` with a sentence for the page. */

type Draft = Audience & { subject: string; body: string }

async function readDraft(call: DeskActionRequest): Promise<Draft> {
  const [subject, body] = [textOf(call, 'subject'), textOf(call, 'body')]
  if (!isVisible(subject) || subject.length > draftLimits.subject || /[\r\n]/.test(subject)) {
    throw new StartError(`Write a subject of at most ${draftLimits.subject} characters.`)
  }

  if (!isVisible(body) || body.length > draftLimits.body) {
    throw new StartError(`Write a text of at most ${formatNumber(draftLimits.body)} characters.`)
  }

  return { ...(await readAudience(call)), subject, body }
}

async function readAudience(call: DeskActionRequest): Promise<Audience> {
  const courseId = textOf(call, 'course') || null
  const audience = audienceKinds.find((kind) => kind === textOf(call, 'audience'))
  if (!audience) {
    throw new StartError('Choose which learners get it.')
  }

  if (courseId === null && call.staff.courseIds !== null) {
    throw new StartError('Choose one of your courses.')
  }

  if (
    courseId !== null &&
    !(seesCourse(call.staff, courseId) && (await findCourseTitle(call.transaction, courseId)))
  ) {
    throw new StartError('There’s no such course.')
  }

  if (courseId === null && audience === 'unfinished') {
    throw new StartError('Choose the course that they haven’t finished.')
  }

  const days = Number(textOf(call, 'days'))
  if (audience === 'away' && !(Number.isInteger(days) && days >= 1 && days <= draftLimits.days)) {
    throw new StartError(`Give the days that they haven’t come, from 1 to ${draftLimits.days}.`)
  }

  return { courseId, audience, awayDays: audience === 'away' ? days : null }
}

export async function createDraft(call: DeskActionRequest): Promise<ActionOutcome> {
  const draft = await readDraft(call)
  const id = randomId()
  await call.transaction.insert(announcements).values({ id, author: call.staff.uid, ...draft })

  return {
    ...entryOf(id, draft),
    outcome: 'The draft is saved.',
    onward: `/Desk/Announcements/${id}`,
  }
}

export async function saveDraft(call: DeskActionRequest): Promise<ActionOutcome> {
  const found = await requireIn(call, ['draft'])
  const { id } = found
  const draft = await readDraft(call)
  if (!wasSeen(call, found)) {
    throw new StartError(
      'This draft has been changed in the meantime, by somebody else or in another tab. Your text is still in the form; the email shown here is the newer one. Saving again replaces it.',
    )
  }

  await change(call, id, { ...draft })

  return { ...entryOf(id, draft), outcome: 'The draft is saved.' }
}

export async function deleteDraft(call: DeskActionRequest): Promise<ActionOutcome> {
  const { id, subject } = await requireIn(call, ['draft'])
  await call.transaction.delete(announcements).where(eq(announcements.id, id))

  return {
    subject: id,
    arguments: { subject },
    outcome: 'The draft is deleted.',
    onward: '/Desk/Announcements',
  }
}

/** Queues a test to the member of staff's own address. The outbox renders it when it is sent. */
export async function sendTest(call: DeskActionRequest): Promise<ActionOutcome> {
  const { id } = await requireAnnouncement(call)
  await countTestMail(call)
  await queueMailWith(
    call.transaction,
    call.staff.uid,
    'announcement-test',
    { about: id },
    call.now.getTime(),
  )

  return { subject: id, outcome: 'The test is on its way to your own address.' }
}

export async function sendNow(call: DeskActionRequest): Promise<ActionOutcome> {
  return schedule(call, call.now, 'It is being sent.')
}

const mostDaysAhead = 366
const dayMs = 24 * 60 * 60_000

export async function sendLater(call: DeskActionRequest): Promise<ActionOutcome> {
  const dueAt = instantOf(textOf(call, 'at'), call.timeZone)
  if (!dueAt) {
    throw new StartError('Choose a day and a time.')
  }

  if (dueAt <= call.now) {
    throw new StartError('This time has passed. Send it now, or choose a later one.')
  }

  if (dueAt.getTime() > call.now.getTime() + mostDaysAhead * dayMs) {
    throw new StartError('Choose a time within a year from now.')
  }

  return schedule(
    call,
    dueAt,
    `It is sent on ${formatDateTime(dueAt.toISOString(), call.timeZone)}.`,
  )
}

/**
 * Compares versions, so that nothing is overwritten or sent that the member of staff hasn't seen.
 */
const wasSeen = (call: DeskActionRequest, { updatedAt }: Found) =>
  textOf(call, 'version') === updatedAt.toISOString()

async function schedule(
  call: DeskActionRequest,
  dueAt: Date,
  outcome: string,
): Promise<ActionOutcome> {
  if (lacksMailServer) {
    throw new StartError('There’s no mail server yet. Set SMTP_URL first.')
  }

  const found = await requireIn(call, ['draft'])
  if (!wasSeen(call, found)) {
    throw new StartError(
      'Somebody has changed this announcement in the meantime. Check it again before you send it.',
    )
  }

  const { reached } = await countAudience(call.transaction, found)
  if (reached === 0) {
    throw new StartError('No learner would get it.')
  }

  await change(call, found.id, { state: 'scheduled', dueAt, author: call.staff.uid, trouble: null })
  const entry = entryOf(found.id, found)

  return {
    ...entry,
    arguments: { ...entry.arguments, dueAt: dueAt.toISOString(), reaches: reached },
    outcome,
  }
}

export async function cancelSending(call: DeskActionRequest): Promise<ActionOutcome> {
  const { id } = await requireIn(call, ['scheduled'])
  await change(call, id, { state: 'draft', dueAt: null })
  return { subject: id, outcome: 'It isn’t sent. It is a draft again.' }
}

/** Takes effect at once, because the sender checks the state before each mail. */
export async function stopSending(call: DeskActionRequest): Promise<ActionOutcome> {
  const { id } = await requireIn(call, ['sending'])
  await change(call, id, { state: 'stopped', endedAt: call.now })
  return { subject: id, outcome: 'It is stopped. What was sent can’t be taken back.' }
}

export async function continueSending(call: DeskActionRequest): Promise<ActionOutcome> {
  const { id } = await requireKnown(call, 'stopped')
  await change(call, id, { state: 'sending', endedAt: null, counted: null })
  return { subject: id, outcome: 'It continues with the learners who haven’t gotten it yet.' }
}

/** Leaves out uncertain mails, because some of them may have arrived. */
export async function sendFailedAgain(call: DeskActionRequest): Promise<ActionOutcome> {
  const { id } = await requireKnown(call, 'done')
  const { rows } = await call.transaction.execute(sql`
    update announcement_mails set state = 'due', at = now(), attempts = 0
    where announcement_id = ${id} and state = 'failed' returning uid`)
  if (rows.length === 0) {
    throw new StartError('No mail has failed.')
  }

  await change(call, id, { state: 'sending', endedAt: null, counted: null })
  const outcome = byCount(
    rows.length,
    '1 mail is sent again.',
    `${formatNumber(rows.length)} mails are sent again.`,
  )

  return { subject: id, outcome }
}

type Found = typeof announcements.$inferSelect

/** @throws {StartError} unless the member of staff sees the announcement in the page's address. */
async function requireAnnouncement(call: DeskActionRequest): Promise<Found> {
  const found = await findAnnouncement(call.transaction, call.staff, call.params.announcement ?? '')
  if (!found) {
    throw new StartError('There’s no such announcement.')
  }

  return found
}

async function requireIn(
  call: DeskActionRequest,
  states: readonly AnnouncementState[],
): Promise<Found> {
  const found = await requireAnnouncement(call)
  if (!states.includes(found.state)) {
    throw new StartError('Its state has changed in the meantime. Check it again.')
  }

  return found
}

/** @throws {StartError} also if its mails were removed, long after its end. */
async function requireKnown(call: DeskActionRequest, state: AnnouncementState): Promise<Found> {
  const found = await requireIn(call, [state])
  if (isForgotten(found.endedAt, call.now)) {
    throw new StartError(
      `It ended more than ${mailsKeptDays} days ago, so who got it isn’t known any more.`,
    )
  }

  return found
}

/**
 * Locks the announcement for this transaction.
 *
 * @returns null unless this member of staff sees it.
 */
async function findAnnouncement(
  transaction: Transaction,
  staff: StaffMember,
  id: string,
): Promise<Found | null> {
  const [found] = await transaction
    .select()
    .from(announcements)
    .where(
      sql`${eq(announcements.id, id)} and ${isOwnCourse(staff, sql`${announcements.courseId}`)}`,
    )
    .for('update')

  return found ?? null
}

async function change(
  { transaction, now }: DeskActionRequest,
  id: string,
  values: Partial<Found>,
): Promise<void> {
  await transaction
    .update(announcements)
    .set({ ...values, updatedAt: now })
    .where(eq(announcements.id, id))
}

function entryOf(id: string, { courseId, audience, awayDays, subject }: Draft) {
  const course = courseId === null ? {} : { course: courseId }
  return {
    subject: id,
    arguments: { ...course, audience, ...(awayDays !== null && { days: awayDays }), subject },
  }
}
