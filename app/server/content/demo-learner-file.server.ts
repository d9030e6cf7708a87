import type * as z from 'zod'
import type { ContentReader } from './content-reader.server'
import type { CourseOutline } from './course-outline'
import { demoLearnerFile } from './demo-learner-schema'
import { didYouMean } from './nearest-name'

const file = 'demo-learner.yaml'

/**
 * Reads the demo learner's history.
 *
 * @param ids of all courses.
 * @param findOutlines of those that can be read.
 * @returns null also when there is no such file, which is fine.
 */
export async function readDemoLearner(
  reader: ContentReader,
  ids: readonly string[],
  findOutlines: (ids: readonly string[]) => Promise<CourseOutline[]>,
): Promise<z.infer<typeof demoLearnerFile> | null> {
  if (!reader.has(file)) return null
  const { data } = await reader.yaml(file, demoLearnerFile)
  const courses = await findOutlines((data?.courses ?? []).map(({ course }) => course))
  for (const [index, history] of (data?.courses ?? []).entries()) {
    const at = ['courses', index]
    const course = courses.find(({ id }) => id === history.course)
    // A course that is there and cannot be read is reported already.
    if (!course && reader.has(`courses/${history.course}/course.yaml`)) continue
    if (!course) {
      const near = didYouMean(history.course, ids)
      reader.report(
        file,
        `There is no course \`${history.course}\`.${near} Correct it, or delete the entry or this file.`,
        at,
      )
      continue
    }
    checkHistory(reader, course, history, at)
  }
  return data
}

type History = z.infer<typeof demoLearnerFile>['courses'][number]

function checkHistory(reader: ContentReader, course: CourseOutline, history: History, at: readonly PropertyKey[]) {
  const ids = course.lessons.filter(({ hasMaterial }) => hasMaterial).map(({ id }) => id)
  for (const lesson of Object.keys(history.lessons)) {
    if (ids.includes(lesson)) continue
    const near = didYouMean(lesson, ids)
    reader.report(
      file,
      `\`${lesson}\` isn’t a lesson with material in \`${course.id}\`.${near} Correct or delete it.`,
      [...at, 'lessons', lesson],
    )
  }
  for (const [index, { score }] of history.exams.entries())
    if (score > course.draw)
      reader.report(file, `The score is ${score}, but the exam has ${course.draw} questions. Lower it.`, [
        ...at,
        'exams',
        index,
      ])
}
