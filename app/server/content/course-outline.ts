import type * as z from 'zod'
import type { courseFile } from './course-schema'
import type { examFile } from './exam-schema'

/** What is kept of a course, so that its folder needs no second reading: names that others refer to. */
export type CourseOutline = {
  id: string
  aliases: string[]
  /** The instructor's. */
  portrait: string
  lessons: { id: string; aliases: string[]; title: string; hasMaterial: boolean }[]
  /** Questions of an exam. */
  draw: number
}

export function outlineOf({
  id,
  aliases,
  instructor,
  curriculum,
  exam,
}: { id: string; exam: z.infer<typeof examFile> } & Pick<
  z.infer<typeof courseFile>,
  'aliases' | 'instructor' | 'curriculum'
>): CourseOutline {
  const lessons = curriculum.flatMap((section) => section.lessons)
  return {
    id,
    aliases,
    portrait: instructor.image,
    lessons: lessons.map((lesson) => ({
      id: lesson.id,
      aliases: lesson.aliases,
      title: lesson.title,
      hasMaterial: lesson.kind !== 'announced',
    })),
    draw: exam.draw,
  }
}
