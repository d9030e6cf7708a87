/** Texts of announcements, on the desk's pages and in the emails. */
import { byCount, formatNumber } from '~/ui/format-count'
import type { AnnouncementMailState, AnnouncementState, AudienceKind } from './announcement-states'
import type { AudienceCount } from './audience.server'

export const audienceTexts: Record<AudienceKind, string> = {
  all: 'All of them',
  unfinished: 'Those who haven’t finished the course',
  away: 'Those who haven’t come for some days',
}

/** @param courseTitle null for the whole school */
export function describeAudience(
  courseTitle: string | null,
  audience: AudienceKind,
  awayDays: number | null,
): string {
  const audienceName = courseTitle === null ? 'the school' : `“${courseTitle}”`
  if (audience === 'unfinished') {
    return `Learners of ${audienceName} who haven’t finished it`
  }

  if (audience === 'away') {
    const days = byCount(awayDays ?? 0, '1 day', `${awayDays} days`)
    return `Learners of ${audienceName} who haven’t come for ${days}`
  }

  return courseTitle === null ? 'All learners' : `All learners of ${audienceName}`
}

export const stateTexts: Record<AnnouncementState, string> = {
  draft: 'Draft',
  scheduled: 'Scheduled',
  sending: 'Being sent',
  stopped: 'Stopped',
  done: 'Sent',
}

/** Says why a scheduled announcement became a draft again. */
export const authorMayNotSend =
  'It wasn’t sent on time, because the member of staff who scheduled it may no longer write to these learners. You can send it yourself.'

export const mailStateTexts: Record<AnnouncementMailState, string> = {
  due: 'Waits',
  claimed: 'Being sent',
  sent: 'Sent',
  failed: 'Failed',
  uncertain: 'Uncertain',
  skipped: 'Left out',
}

/** Says how many learners receive the email. */
export function describeReach({
  learners,
  reached,
}: Pick<AudienceCount, 'learners' | 'reached'>): string {
  const all = byCount(learners, '1 learner', `${formatNumber(learners)} learners`)
  return learners === reached ? all : `${formatNumber(reached)} of ${all}`
}

/** Lists the reasons why learners don't receive the email, with the number of learners for each. */
export function listObstacles(count: AudienceCount): string[] {
  const { unconfirmed, optedOut, bounced, disabled } = count
  const obstacles = [
    [unconfirmed, 'hasn’t confirmed their email address', 'haven’t confirmed their email address'],
    [optedOut, 'has turned announcements off', 'have turned announcements off'],
    [bounced, 'has an address that accepts no email', 'have an address that accepts no email'],
    [disabled, 'has a disabled account', 'have a disabled account'],
  ] as const

  return obstacles
    .filter(([learners]) => learners > 0)
    .map(([learners, one, many]) =>
      byCount(learners, `1 learner ${one}`, `${formatNumber(learners)} learners ${many}`),
    )
}

/**
 * Returns the text below each email, with the label of the link that turns announcements off.
 *
 * @param courseTitle null for the whole school
 */
export function getStopText(courseTitle: string | null) {
  const words =
    courseTitle === null
      ? 'You’re getting this as a learner of this school.'
      : `You’re getting this as a learner of “${courseTitle}”.`

  return { words, label: 'Stop announcements' }
}

/** The texts of the page that turns announcements off. */
export const stopTexts = {
  invalidLink: {
    title: 'We couldn’t read this link',
    text: 'This link isn’t complete. You can turn announcements off in your settings.',
  },
  question: {
    title: 'Stop announcements?',
    text: 'You’ll no longer get news about your courses and the school by email.',
  },
  stopped: {
    title: 'Announcements stopped',
    text: 'You won’t get any more announcements. You can turn them back on anytime.',
  },
  button: 'Stop announcements',
} as const

/** The texts of the form in a learner's settings. */
export const choiceTexts = {
  label: 'Announcements of your courses and the school',
  hint: 'News from the people who teach and run them.',
  needsAddress: 'They’ll come once your address is confirmed.',
  on: 'Announcements are on.',
  off: 'Announcements are off.',
} as const
