import * as z from 'zod'
import { isTimeZone } from '~/server/site/site-values'
import { slug, text } from '~/server/validation/content-fields'
import { didYouMean } from '~/server/validation/schema-problems'
import type { ContentReader } from './content-reader.server'
import type { CourseOutline } from './course-folder.server'

/** Whole days before the day on which the demo learner is created. */
const daysAgo = z.int().min(1).max(3650)

/** The format of `content/demo-learner.yaml`, an optional file with the demo learner's history. */
export const demoLearnerSchema = z.strictObject({
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
        /** How many days ago each lesson was finished, by lesson ID. */
        lessons: z.record(slug, daysAgo).default({}),
        /** `score` is the number of correct answers. */
        exams: z.array(z.strictObject({ daysAgo, score: z.int().nonnegative() })).default([]),
      }),
    )
    .min(1),
  /** How many days ago each achievement was earned, by achievement ID. */
  achievements: z.record(slug, daysAgo).default({}),
  study: z.strictObject({
    /** The weekly goal: the days to learn on. 1 is Monday. */
    weekdays: z.array(z.int().min(1).max(7)).max(7).default([]),
    startsAt: z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'Use a time like 18:30.'),
    /** The minutes of each day, one list per week, oldest first. The last number is yesterday's. */
    minutes: z.array(z.array(z.int().min(0).max(240)).length(7)).min(1),
  }),
})

export type DemoLearner = z.infer<typeof demoLearnerSchema>

const demoLearnerFile = 'demo-learner.yaml'

/**
 * Reads the demo learner's history, and reports courses, lessons and scores that don't exist.
 *
 * @param courseIds the IDs of all courses
 * @param findOutlines returns the outlines of the courses with these IDs, without unreadable ones
 * @returns null if there is no such file, or if its format is wrong
 */
export async function readDemoLearner(
  reader: ContentReader,
  courseIds: readonly string[],
  findOutlines: (ids: readonly string[]) => Promise<CourseOutline[]>,
): Promise<DemoLearner | null> {
  if (!reader.hasFile(demoLearnerFile)) {
    return null
  }

  const { data: demoLearner } = await reader.readYamlFile(demoLearnerFile, demoLearnerSchema)
  const courseHistories = demoLearner?.courses ?? []
  const outlines = await findOutlines(courseHistories.map(({ course }) => course))

  for (const [index, history] of courseHistories.entries()) {
    const yamlPath = ['courses', index]
    const outline = outlines.find(({ id }) => id === history.course)
    if (outline) {
      checkLessons(reader, outline, history, yamlPath)
      checkExamScores(reader, outline, history, yamlPath)
      continue
    }

    // A course that exists but has no outline has problems, which are reported elsewhere.
    if (!reader.hasFile(`courses/${history.course}/course.yaml`)) {
      const suggestion = didYouMean(history.course, courseIds)
      reader.report(
        demoLearnerFile,
        `There is no course \`${history.course}\`.${suggestion} Correct it, or delete the entry or this file.`,
        yamlPath,
      )
    }
  }

  return demoLearner
}

type CourseHistory = DemoLearner['courses'][number]

function checkLessons(
  reader: ContentReader,
  outline: CourseOutline,
  history: CourseHistory,
  yamlPath: readonly PropertyKey[],
): void {
  const lessonIds = outline.lessons.filter(({ hasMaterial }) => hasMaterial).map(({ id }) => id)

  for (const lessonId of Object.keys(history.lessons)) {
    if (!lessonIds.includes(lessonId)) {
      const suggestion = didYouMean(lessonId, lessonIds)
      reader.report(
        demoLearnerFile,
        `\`${lessonId}\` isn’t a lesson with material in \`${outline.id}\`.${suggestion} Correct or delete it.`,
        [...yamlPath, 'lessons', lessonId],
      )
    }
  }
}

function checkExamScores(
  reader: ContentReader,
  outline: CourseOutline,
  history: CourseHistory,
  yamlPath: readonly PropertyKey[],
): void {
  for (const [index, { score }] of history.exams.entries()) {
    if (score > outline.draw) {
      reader.report(
        demoLearnerFile,
        `The score is ${score}, but the exam has ${outline.draw} questions. Lower it.`,
        [...yamlPath, 'exams', index],
      )
    }
  }
}
