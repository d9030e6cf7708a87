/** `stopped` becomes `sending` again to send the rest, and `done` to send failed mails again. */
export type AnnouncementState = 'draft' | 'scheduled' | 'sending' | 'stopped' | 'done'

/** The learners of a course, or of the whole school, who get an announcement. */
export const audienceKinds = ['all', 'unfinished', 'away'] as const
export type AudienceKind = (typeof audienceKinds)[number]

/** Explained at `announcementMails` in the schema. */
export type AnnouncementMailState = 'due' | 'claimed' | 'sent' | 'failed' | 'uncertain' | 'skipped'
