/** The part of the address between /Desk and the course. */
export const previewPath = 'Preview'

/** Leads to the course's first lesson, because no lesson has the ID '~'. */
export const previewAddress = (courseId: string) => `/Desk/${previewPath}/${courseId}/~`
