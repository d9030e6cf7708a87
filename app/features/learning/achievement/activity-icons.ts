import type { ActivityType } from '../profile/learner-record'

/** Names of lucide icons; the profile draws them. */
export const activityIcons: Record<ActivityType, string> = {
  lesson: 'book-open-check',
  quiz: 'circle-help',
  certificate: 'award',
  course: 'graduation-cap',
  milestone: 'flag',
}
