/**
 * What staff can do with announcements: write, test, send now or later, stop, continue, delete.
 *
 * Each action locks its announcement first, so that actions on the same announcement run one after
 * the other, and then checks its status. A member of staff can only change announcements that they
 * see: a teacher's are those of their own courses. The emails themselves are sent by
 * `AnnouncementSender`, which notices a changed status before each email.
 */
import { eq, sql } from 'drizzle-orm'
import { parseLocalTime } from '~/features/school/local-time'
import { getVisibleCourseCondition } from '~/features/staff/visible-courses.server'
import { randomId } from '~/server/database/random-id.server'
import { announcements } from '~/server/database/schema/index'
import { bounceCondition } from '~/server/mail/bounce-replies.server'
import { lacksMailServer } from '~/server/mail/mail.server'
import { queueMails, queueMailWith } from '~/server/mail/outbox.server'
import { failure, type Result, success } from '~/server/result'
import { byCount, formatNumber } from '~/ui/format-count'
import { formatDateTime } from '~/ui/format-date'
import {
  createDeskAction,
  type DeskAction,
  type DeskChangeRequest,
  type DeskChangeResult,
  readText,
} from '../desk-form.server'
import { consumeTestEmailAttempt } from '../site/test-mail.server'
import { type Draft, readDraft } from './announcement-draft.server'
import type { AnnouncementStatus } from './announcement-types'
import { countAudience, listUnansweredInvitations } from './audience.server'
import { areEmailsRemoved, emailRetentionDays } from './mail-counts.server'

/**
 * @param options.needsRecentSignIn whether the action sends emails. Stopping is too urgent for it.
 */
function createAnnouncementAction(
  verb: string,
  change: (request: DeskChangeRequest) => Promise<Result<DeskChangeResult>>,
  { needsRecentSignIn = false } = {},
): DeskAction {
  const definition = {
    name: `announcement ${verb}`,
    permission: 'send announcements',
    needsRecentSignIn,
  } as const

  return createDeskAction(definition, change)
}

/** The action of the page for a new announcement. */
export const newAnnouncementActions = { create: createAnnouncementAction('create', createDraft) }

/** The actions of an announcement's page. */
export const announcementActions = {
  save: createAnnouncementAction('save', saveDraft),
  test: createAnnouncementAction('test', sendTest),
  delete: createAnnouncementAction('delete', deleteDraft),
  send: createAnnouncementAction('send', sendNow, { needsRecentSignIn: true }),
  schedule: createAnnouncementAction('schedule', sendLater, { needsRecentSignIn: true }),
  cancel: createAnnouncementAction('cancel', cancelSending),
  stop: createAnnouncementAction('stop', stopSending),
  continue: createAnnouncementAction('continue', continueSending, { needsRecentSignIn: true }),
  resend: createAnnouncementAction('resend', sendFailedAgain, { needsRecentSignIn: true }),
  invite: createAnnouncementAction('invite', inviteAgain),
}

type Announcement = typeof announcements.$inferSelect

async function createDraft(request: DeskChangeRequest): Promise<Result<DeskChangeResult>> {
  const draft = await readDraft(request)
  if (!draft.ok) {
    return draft
  }

  const id = randomId()
  const author = request.staff.uid
  await request.transaction.insert(announcements).values({ id, author, ...draft.value })

  return success({
    ...describeForAudit(id, draft.value),
    outcome: 'The draft is saved.',
    redirectTo: `/Desk/Announcements/${id}`,
  })
}

async function saveDraft(request: DeskChangeRequest): Promise<Result<DeskChangeResult>> {
  const announcement = await lockAnnouncement(request, 'draft')
  if (!announcement.ok) {
    return announcement
  }

  const draft = await readDraft(request)
  if (!draft.ok) {
    return draft
  }

  if (!isLatestVersion(request, announcement.value)) {
    return failure(
      'This draft has been changed in the meantime, by somebody else or in another tab. Your text is still in the form; the email shown here is the newer one. Saving again replaces it.',
    )
  }

  const { id } = announcement.value
  await updateAnnouncement(request, id, draft.value)

  return success({ ...describeForAudit(id, draft.value), outcome: 'The draft is saved.' })
}

async function deleteDraft(request: DeskChangeRequest): Promise<Result<DeskChangeResult>> {
  const announcement = await lockAnnouncement(request, 'draft')
  if (!announcement.ok) {
    return announcement
  }

  const { id, subject } = announcement.value
  await request.transaction.delete(announcements).where(eq(announcements.id, id))

  return success({
    subject: id,
    arguments: { subject },
    outcome: 'The draft is deleted.',
    redirectTo: '/Desk/Announcements',
  })
}

/** Queues a test to the member of staff's own email address. The outbox composes it later. */
async function sendTest(request: DeskChangeRequest): Promise<Result<DeskChangeResult>> {
  const announcement = await lockAnnouncement(request)
  if (!announcement.ok) {
    return announcement
  }

  const attempt = await consumeTestEmailAttempt(request)
  if (!attempt.ok) {
    return attempt
  }

  const { id } = announcement.value
  const { transaction, staff, now } = request
  await queueMailWith(transaction, staff.uid, 'announcement-test', { topic: id }, now.getTime())

  return success({ subject: id, outcome: 'The test is on its way to your own address.' })
}

async function sendNow(request: DeskChangeRequest): Promise<Result<DeskChangeResult>> {
  return schedule(request, request.now, 'It is being sent.')
}

/** An announcement can be scheduled for at most this many days ahead. */
const maxDaysAhead = 366
const dayMs = 24 * 60 * 60_000

async function sendLater(request: DeskChangeRequest): Promise<Result<DeskChangeResult>> {
  const { now, timeZone } = request
  const dueAt = parseLocalTime(readText(request, 'at'), timeZone)
  if (!dueAt) {
    return failure('Choose a day and a time.')
  }

  if (dueAt <= now) {
    return failure('This time has passed. Send it now, or choose a later one.')
  }

  if (dueAt.getTime() > now.getTime() + maxDaysAhead * dayMs) {
    return failure('Choose a time within a year from now.')
  }

  const dueText = formatDateTime(dueAt.toISOString(), timeZone)
  return schedule(request, dueAt, `It is sent on ${dueText}.`)
}

async function schedule(
  request: DeskChangeRequest,
  dueAt: Date,
  outcome: string,
): Promise<Result<DeskChangeResult>> {
  if (lacksMailServer) {
    return failure('There’s no mail server yet. Set SMTP_URL first.')
  }

  const draft = await lockAnnouncement(request, 'draft')
  if (!draft.ok) {
    return draft
  }

  if (!isLatestVersion(request, draft.value)) {
    return failure(
      'Somebody has changed this announcement in the meantime. Check it again before you send it.',
    )
  }

  const { reached } = await countAudience(request.transaction, draft.value)
  if (reached === 0) {
    return failure('No learner would get it.')
  }

  const { id } = draft.value
  const author = request.staff.uid
  await updateAnnouncement(request, id, { state: 'scheduled', dueAt, author, trouble: null })

  const entry = describeForAudit(id, draft.value)
  return success({
    ...entry,
    arguments: { ...entry.arguments, dueAt: dueAt.toISOString(), reaches: reached },
    outcome,
  })
}

/**
 * The time between two repeated invitations. Even a small mail server accepts emails at this pace.
 */
const invitationPauseMs = 1_000
const inviteActionName = 'announcement invite'

/** Invites the learners of the audience again who have never signed in, at most once a day. */
async function inviteAgain(request: DeskChangeRequest): Promise<Result<DeskChangeResult>> {
  const { transaction, now } = request
  const draft = await lockAnnouncement(request, 'draft')
  if (!draft.ok) {
    return draft
  }

  const subject = draft.value.courseId
  const oneDayAgo = new Date(now.getTime() - dayMs)
  const { rows: recentInvitations } = await transaction.execute(sql`
    select from operator_acts
    where act = ${inviteActionName}
      and subject is not distinct from ${subject}
      and at > ${oneDayAgo.toISOString()}::timestamptz
    limit 1`)
  if (recentInvitations.length > 0) {
    return failure('They were invited again less than a day ago. Give them some time.')
  }

  const uids = await listUnansweredInvitations(transaction, draft.value)
  if (uids.length === 0) {
    return failure('There’s nobody to invite: all invitations still wait to be sent.')
  }

  const invitations = uids.map((uid, index) => ({
    uid,
    dueAt: now.getTime() + index * invitationPauseMs,
  }))
  await queueMails(transaction, 'invitation', invitations, now.getTime())

  const learners = byCount(uids.length, '1 learner is', `${formatNumber(uids.length)} learners are`)
  return success({ subject, outcome: `${learners} invited again.` })
}

async function cancelSending(request: DeskChangeRequest): Promise<Result<DeskChangeResult>> {
  const announcement = await lockAnnouncement(request, 'scheduled')
  if (!announcement.ok) {
    return announcement
  }

  const { id } = announcement.value
  await updateAnnouncement(request, id, { state: 'draft', dueAt: null })

  return success({ subject: id, outcome: 'It isn’t sent. It is a draft again.' })
}

/** Stops an announcement at once, because the sender checks the status before each email. */
async function stopSending(request: DeskChangeRequest): Promise<Result<DeskChangeResult>> {
  const announcement = await lockAnnouncement(request, 'sending')
  if (!announcement.ok) {
    return announcement
  }

  const { id } = announcement.value
  await updateAnnouncement(request, id, { state: 'stopped', endedAt: request.now })

  return success({ subject: id, outcome: 'It is stopped. What was sent can’t be taken back.' })
}

async function continueSending(request: DeskChangeRequest): Promise<Result<DeskChangeResult>> {
  const announcement = await lockEndedAnnouncement(request, 'stopped')
  if (!announcement.ok) {
    return announcement
  }

  const { id } = announcement.value
  await updateAnnouncement(request, id, { state: 'sending', endedAt: null, counted: null })

  return success({
    subject: id,
    outcome: 'It continues with the learners who haven’t gotten it yet.',
  })
}

/**
 * Queues the failed emails again, except bounces. The uncertain ones are not queued either, because
 * some of those may have arrived.
 */
async function sendFailedAgain(request: DeskChangeRequest): Promise<Result<DeskChangeResult>> {
  const announcement = await lockEndedAnnouncement(request, 'done')
  if (!announcement.ok) {
    return announcement
  }

  const { id } = announcement.value
  const { rows } = await request.transaction.execute(sql`
    update announcement_mails
    set state = 'due', at = now(), attempts = 0
    where announcement_id = ${id}
      and state = 'failed'
      and not ${bounceCondition}
    returning uid`)
  if (rows.length === 0) {
    return failure('No mail has failed that could be sent again.')
  }

  await updateAnnouncement(request, id, { state: 'sending', endedAt: null, counted: null })

  const outcome = byCount(
    rows.length,
    '1 mail is sent again.',
    `${formatNumber(rows.length)} mails are sent again.`,
  )
  return success({ subject: id, outcome })
}

/**
 * Locks the announcement in the page's URL for this transaction.
 *
 * @returns a failure if the member of staff doesn't see it, or if it has another status
 */
async function lockAnnouncement(
  { transaction, staff, params }: DeskChangeRequest,
  status?: AnnouncementStatus,
): Promise<Result<Announcement>> {
  const isInUrl = eq(announcements.id, params.announcement ?? '')
  const isVisibleToStaff = getVisibleCourseCondition(staff, sql`${announcements.courseId}`)
  const [announcement] = await transaction
    .select()
    .from(announcements)
    .where(sql`${isInUrl} and ${isVisibleToStaff}`)
    .for('update')

  if (!announcement) {
    return failure('There’s no such announcement.')
  }

  if (status !== undefined && announcement.state !== status) {
    return failure('Its state has changed in the meantime. Check it again.')
  }

  return success(announcement)
}

/**
 * Locks the announcement like `lockAnnouncement`, but also fails if its emails were removed long
 * after its end.
 */
async function lockEndedAnnouncement(
  request: DeskChangeRequest,
  status: AnnouncementStatus,
): Promise<Result<Announcement>> {
  const announcement = await lockAnnouncement(request, status)
  if (announcement.ok && areEmailsRemoved(announcement.value.endedAt, request.now)) {
    return failure(
      `It ended more than ${emailRetentionDays} days ago, so who got it isn’t known any more.`,
    )
  }

  return announcement
}

/** Tells whether the member of staff's page displayed the latest version of the announcement. */
function isLatestVersion(request: DeskChangeRequest, { updatedAt }: Announcement): boolean {
  return readText(request, 'version') === updatedAt.toISOString()
}

async function updateAnnouncement(
  { transaction, now }: DeskChangeRequest,
  id: string,
  values: Partial<Announcement>,
): Promise<void> {
  await transaction
    .update(announcements)
    .set({ ...values, updatedAt: now })
    .where(eq(announcements.id, id))
}

function describeForAudit(id: string, { courseId, audience, awayDays, subject }: Draft) {
  return {
    subject: id,
    arguments: {
      ...(courseId !== null && { course: courseId }),
      audience,
      ...(awayDays !== null && { days: awayDays }),
      subject,
    },
  }
}
