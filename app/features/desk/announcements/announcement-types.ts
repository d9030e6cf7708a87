/**
 * The status of an announcement. A stopped announcement can be sent again to the learners who have
 * not received it, and one that is done to those whose email has failed. Both are `sending` then.
 */
export type AnnouncementStatus = 'draft' | 'scheduled' | 'sending' | 'stopped' | 'done'

/** Which learners of a course, or of the whole school, receive an announcement. */
export const audienceKinds = ['all', 'unfinished', 'away'] as const
export type AudienceKind = (typeof audienceKinds)[number]

/** The status of one learner's email. The schema explains it at `announcementMails`. */
export type AnnouncementEmailStatus =
  | 'due'
  | 'claimed'
  | 'sent'
  | 'failed'
  | 'uncertain'
  | 'skipped'

/** The maximum length of the subject and the body in characters, and of an absence in days. */
export const draftLimits = { subject: 150, body: 20_000, days: 365 } as const
