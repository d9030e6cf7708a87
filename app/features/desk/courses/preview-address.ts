/** Below /Desk, before the course. */
export const previewPath = 'Preview'

/** Instead of a lesson: no lesson has this ID. */
export const previewExam = '~exam'

export const previewExamAddress = (courseId: string) => `/Desk/${previewPath}/${courseId}/${previewExam}`

/** Of a course's first lesson: no lesson has this ID, and the first one stands in for it. */
export const previewAddress = (courseId: string) => `/Desk/${previewPath}/${courseId}/~`
