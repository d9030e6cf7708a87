/** The path of all previews, which is followed by the IDs of the course and the lesson. */
export const previewPath = '/Desk/Preview'

/** Returns the path of the preview of a course, which opens its first lesson. */
export function coursePreviewPath(courseId: string): string {
  // No lesson has the ID '~'. For an unknown lesson, the preview shows the first one.
  return `${previewPath}/${courseId}/~`
}

/** Returns the path of the preview of a course's exam. No lesson has the ID '~exam'. */
export function examPreviewPath(courseId: string): string {
  return `${previewPath}/${courseId}/~exam`
}
