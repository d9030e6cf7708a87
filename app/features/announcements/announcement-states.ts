/** Of an announcement. `stopped` and `done` may become `sending` again: for the rest, and for mails that failed. */
export type AnnouncementState = 'draft' | 'scheduled' | 'sending' | 'stopped' | 'done'

/** Which learners of the course, or of the whole school. */
export const audienceKinds = ['all', 'unfinished', 'away'] as const
export type AudienceKind = (typeof audienceKinds)[number]

/** Of one mail; see `announcementMails`. */
export type AnnouncementMailState = 'due' | 'claimed' | 'sent' | 'failed' | 'uncertain' | 'skipped'
