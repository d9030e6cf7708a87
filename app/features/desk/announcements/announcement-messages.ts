/** Texts of announcements, on the desk's pages and in the emails. */
import { byCount } from '~/ui/format-count'
import type { AnnouncementEmailStatus, AudienceKind } from './announcement-types'

/**
 * Says which learners get an announcement.
 *
 * @param courseTitle null for the whole school
 * @param awayDays null unless the audience is 'away'
 */
export function describeAudience(
  courseTitle: string | null,
  audience: AudienceKind,
  awayDays: number | null,
): string {
  const courseOrSchool = courseTitle === null ? 'the school' : `“${courseTitle}”`
  if (audience === 'unfinished') {
    return `Learners of ${courseOrSchool} who haven’t finished it`
  }

  if (audience === 'away' && awayDays !== null) {
    const days = byCount(awayDays, '1 day', `${awayDays} days`)
    return `Learners of ${courseOrSchool} who haven’t come for ${days}`
  }

  return courseTitle === null ? 'All learners' : `All learners of ${courseOrSchool}`
}

export const emailStatusTexts: Record<AnnouncementEmailStatus, string> = {
  due: 'Waits',
  claimed: 'Being sent',
  sent: 'Sent',
  failed: 'Failed',
  uncertain: 'Uncertain',
  skipped: 'Left out',
}

/**
 * Returns the sentence below each email, and the label of the link that turns announcements off.
 *
 * @param courseTitle null for the whole school
 */
export function getUnsubscribeText(courseTitle: string | null) {
  const sentence =
    courseTitle === null
      ? 'You’re getting this as a learner of this school.'
      : `You’re getting this as a learner of “${courseTitle}”.`

  return { sentence, label: 'Stop announcements' }
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
