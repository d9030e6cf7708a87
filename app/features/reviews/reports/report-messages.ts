export const reportReasons = ['spam', 'offensive', 'private', 'unrelated', 'other'] as const
export type ReportReason = (typeof reportReasons)[number]

/** The reasons for a report, as learners and staff read them. */
export const reasonTexts: Record<ReportReason, string> = {
  spam: 'Advertising or spam',
  offensive: 'Insults, hate or threats',
  private: 'Somebody’s name or personal data',
  unrelated: 'Not about the course',
  other: 'Something else',
}

/** Counted in UTF-16 code units, like the attribute `maxlength`. */
export const maxReportLength = 500

export const reportTexts = {
  title: 'Report a review',
  what: 'What is wrong with it?',
  more: 'Anything we should know (optional)',
  button: 'Report this review',
  who: 'The people who run this site will look at it. The author won’t know who reported it.',
  thanks: 'Thank you. You’ve reported this review, and we’ll look at it.',
  back: 'Back to the reviews',
  choose: 'Choose what is wrong.',
  tooLong: `Please keep it to ${maxReportLength} characters.`,
  tooMany: 'You’ve reported many reviews today. Please continue tomorrow.',
  gone: 'This review no longer exists, or it’s your own.',
} as const
