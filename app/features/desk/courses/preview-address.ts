/** The part of the address between /Desk and the course. */
export const previewPath = 'Preview'

/** Stands instead of a lesson's ID; no lesson has it. */
const previewExam = '~exam'

export const previewExamAddress = (courseId: string) =>
  `/Desk/${previewPath}/${courseId}/${previewExam}`

/** Leads to the course's first lesson, because no lesson has the ID '~'. */
export const previewAddress = (courseId: string) => `/Desk/${previewPath}/${courseId}/~`
