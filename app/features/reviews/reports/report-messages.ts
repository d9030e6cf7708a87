export const reportReasons = ['spam', 'offensive', 'private', 'unrelated', 'other'] as const
export type ReportReason = (typeof reportReasons)[number]

/** The texts of the reasons, which learners and staff read. */
export const reportReasonTexts: Record<ReportReason, string> = {
  spam: 'Advertising or spam',
  offensive: 'Insults, hate or threats',
  private: 'Somebody’s name or personal data',
  unrelated: 'Not about the course',
  other: 'Something else',
}

/** The length is counted in UTF-16 code units, as the HTML attribute `maxlength` counts it. */
export const maxReportLength = 500

export const reportTexts = {
  title: 'Report a review',
  reasonQuestion: 'What is wrong with it?',
  commentLabel: 'Anything we should know (optional)',
  button: 'Report this review',
  privacyNote:
    'The people who run this site will look at it. The author won’t know who reported it.',
  thanks: 'Thank you. You’ve reported this review, and we’ll look at it.',
  backToReviews: 'Back to the reviews',
  reasonMissing: 'Choose what is wrong.',
  commentTooLong: `Please keep it to ${maxReportLength} characters.`,
  tooManyReports: 'You’ve reported many reviews today. Please continue tomorrow.',
  notReportable: 'This review no longer exists, or it’s your own.',
} as const
