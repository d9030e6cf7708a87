export type ActivityType = 'lesson' | 'quiz' | 'certificate' | 'course' | 'milestone'

/** `icon` is the name of a lucide icon, decided by the type; `time` an ISO date-time. */
export type Activity = { id: string; type: ActivityType; icon: string; text: string; time: string }

/** The profile shows their icons. */
export const activityIcons: Record<ActivityType, string> = {
  lesson: 'book-open-check',
  quiz: 'circle-help',
  certificate: 'award',
  course: 'graduation-cap',
  milestone: 'flag',
}
