import * as z from 'zod'
import { slug, text } from '~/server/validation/content-fields'
import { didYouMean } from '~/server/validation/schema-problems'
import type { ContentReader } from './content-reader.server'
import type { CourseOutline } from './course-folder.server'

function isTimeZone(name: string): boolean {
  return Intl.supportedValuesOf('timeZone').includes(name)
}

/** Whole days before the history was stored. */
const daysAgo = z.int().min(1).max(3650)

/** `content/demo-learner.yaml`, which may be missing: the demo learner's history. */
export const demoLearnerFile = z.strictObject({
  profile: z.strictObject({
    joinedDaysAgo: daysAgo,
    phone: text,
    location: text,
    timezone: z.string().refine(isTimeZone, 'Use an IANA time zone, such as America/New_York.'),
  }),
  courses: z
    .array(
      z.strictObject({
        course: slug,
        enrolledDaysAgo: daysAgo,
        lastAccessedDaysAgo: daysAgo,
        completedDaysAgo: daysAgo.optional(),
        certificateDaysAgo: daysAgo.optional(),
        /** Finished lessons by id, and how long ago. */
        lessons: z.record(slug, daysAgo).default({}),
        /** `score` counts right answers among the questions that the course's exam draws. */
        exams: z.array(z.strictObject({ daysAgo, score: z.int().nonnegative() })).default([]),
      }),
    )
    .min(1),
  /** Earned ones by id, and how long ago. */
  achievements: z.record(slug, daysAgo).default({}),
  study: z.strictObject({
    /** The weekly goal: days to learn on, 1 is Monday. */
    weekdays: z.array(z.int().min(1).max(7)).max(7).default([]),
    startsAt: z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'Use a time like 18:30.'),
    /** Minutes a day, a list a week, oldest first; the last number is the day before. */
    minutes: z.array(z.array(z.int().min(0).max(240)).length(7)).min(1),
  }),
})

const file = 'demo-learner.yaml'

/**
 * Reads the demo learner's history.
 *
 * @param ids of all courses.
 * @param findOutlines of those that can be read.
 * @returns null also without the file, which is optional.
 */
export async function readDemoLearner(
  reader: ContentReader,
  ids: readonly string[],
  findOutlines: (ids: readonly string[]) => Promise<CourseOutline[]>,
): Promise<z.infer<typeof demoLearnerFile> | null> {
  if (!reader.has(file)) {
    return null
  }

  const { data } = await reader.yaml(file, demoLearnerFile)
  const courses = await findOutlines((data?.courses ?? []).map(({ course }) => course))
  for (const [index, history] of (data?.courses ?? []).entries()) {
    const at = ['courses', index]
    const course = courses.find(({ id }) => id === history.course)
    // A course that is there and cannot be read is reported already.
    if (!course && reader.has(`courses/${history.course}/course.yaml`)) {
      continue
    }

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

function checkHistory(
  reader: ContentReader,
  course: CourseOutline,
  history: History,
  at: readonly PropertyKey[],
) {
  const ids = course.lessons.filter(({ hasMaterial }) => hasMaterial).map(({ id }) => id)
  for (const lesson of Object.keys(history.lessons)) {
    if (ids.includes(lesson)) {
      continue
    }

    const near = didYouMean(lesson, ids)
    reader.report(
      file,
      `\`${lesson}\` isn’t a lesson with material in \`${course.id}\`.${near} Correct or delete it.`,
      [...at, 'lessons', lesson],
    )
  }

  for (const [index, { score }] of history.exams.entries()) {
    if (score > course.draw) {
      reader.report(
        file,
        `The score is ${score}, but the exam has ${course.draw} questions. Lower it.`,
        [...at, 'exams', index],
      )
    }
  }
}
