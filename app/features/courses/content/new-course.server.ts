import { existsSync } from 'node:fs'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { stringify } from 'yaml'
import { drawCourseCover } from '~/server/drawing/drawn-cover.server'
import { loadSharp } from '~/server/drawing/sharp.server'
import { productFolder } from '~/server/operations/product-folder.server'
import { failure, type Result, success } from '~/server/result'
import { ContentReader } from './content-reader.server'
import { defaultPassPercent } from './exam-file.server'
import { listCategoryIds, readCategories } from './site-files.server'

const maxCourseIdLength = 60

/**
 * Creates the files of a course that passes the check but is not published: an article, a quiz, an
 * exam, a cover and a portrait to replace. If the result is a failure, nothing has changed.
 *
 * @param id the name of the course's folder, which is also part of its URL
 * @param today like 2026-11-25
 * @returns the paths of the files in the content folder
 */
export async function createCourse(
  contentFolder: string,
  id: string,
  today: string,
): Promise<Result<string[]>> {
  if (!/^[a-z0-9]+(-[a-z0-9]+)*$/.test(id) || id.length > maxCourseIdLength) {
    return failure(describeInvalidId(id))
  }

  const courseFolder = path.join(contentFolder, 'courses', id)
  if (existsSync(courseFolder)) {
    return failure(`${courseFolder} is already there.`)
  }

  const files = await createCourseFiles(contentFolder, id, today)
  try {
    for (const [name, data] of Object.entries(files)) {
      const file = path.join(contentFolder, name)
      await mkdir(path.dirname(file), { recursive: true })
      await writeFile(file, data)
    }
  } catch (error) {
    await rm(courseFolder, { recursive: true, force: true })
    return failure(`${courseFolder} can’t be written: ${(error as Error).message}`)
  }

  return success(Object.keys(files))
}

function describeInvalidId(id: string): string {
  const similarId = id
    .toLowerCase()
    .match(/[a-z0-9]+/g)
    ?.join('-')
    .slice(0, maxCourseIdLength)
  const suggestion = similarId ? ` Did you mean '${similarId}'?` : ''

  return `'${id}' can’t be a course’s address. Use up to ${maxCourseIdLength} lowercase letters, digits and single hyphens.${suggestion}`
}

/** @returns the files' contents by their paths in the content folder */
async function createCourseFiles(
  contentFolder: string,
  id: string,
  today: string,
): Promise<Record<string, string | Buffer>> {
  const title = toTitle(id)
  const category = await findFirstCategory(contentFolder)
  const course = createCourseFile(id, { title, today, category })
  const exam = createExamFile(title)
  const courseFolder = path.join(contentFolder, 'courses', id)

  return {
    [`courses/${id}/course.yaml`]: toYaml('course', course, courseFolder),
    [`courses/${id}/exam.yaml`]: toYaml('exam', exam, courseFolder),
    [`courses/${id}/lessons/welcome.md`]: welcomeArticle,
    [`courses/${id}/cover.webp`]: await drawPicture(id, 1280, 720),
    [`instructors/${id}-instructor.webp`]: await drawPicture(id, 320, 320),
  }
}

/** Returns a title like 'Knots For Beginners' for the ID 'knots-for-beginners'. */
function toTitle(id: string): string {
  const words = id.split('-').map((word) => word.charAt(0).toUpperCase() + word.slice(1))
  return words.join(' ')
}

async function findFirstCategory(contentFolder: string): Promise<string> {
  const categories = await readCategories(new ContentReader(contentFolder))
  const [firstCategory = 'technology'] = listCategoryIds(categories ?? [])
  return firstCategory
}

const schemasFolder = path.join(productFolder, 'docs/schemas')

/** Writes a file of the folder as YAML below a line that tells editors its JSON Schema. */
function toYaml(schema: 'course' | 'exam', data: unknown, folder: string): string {
  const relativeFolder = path.relative(folder, schemasFolder).split(path.sep).join('/')
  const schemaLine = `# yaml-language-server: $schema=${relativeFolder}/${schema}.json`

  return `${schemaLine}\n${stringify(data, { lineWidth: 120 })}`
}

async function drawPicture(courseId: string, width: number, height: number): Promise<Buffer> {
  const sharp = await loadSharp()
  return sharp(Buffer.from(drawCourseCover(courseId)), { density: 144 })
    .resize(width, height, { fit: 'cover' })
    .webp()
    .toBuffer()
}

type CourseDetails = { title: string; today: string; category: string }

function createCourseFile(id: string, { title, today, category }: CourseDetails) {
  return {
    title,
    subtitle: 'What someone can do after this course',
    summary: 'One or two sentences for the catalog card.',
    description: 'Two to four paragraphs for the course page, separated by a blank line.',
    category,
    level: 'beginner',
    language: 'English',
    published: false,
    price: 0,
    lastUpdated: today,
    instructor: {
      name: 'Your Name',
      title: 'What you do',
      experience: 'What you have done, and for how long',
      bio: 'A paragraph about you.',
      image: `${id}-instructor`,
    },
    skills: ['One skill that the course teaches'],
    requirements: ['What someone needs to begin'],
    whatYouLearn: ['One thing that learners can do afterwards'],
    curriculum: [
      {
        id: 'start',
        title: 'Start',
        lessons: [
          { kind: 'article', id: 'welcome', title: 'Welcome', durationSeconds: 60 },
          {
            kind: 'quiz',
            id: 'check-welcome',
            title: 'Check: Welcome',
            durationSeconds: 60,
            questions: [
              {
                question: 'Which option is right?',
                explanation: 'Say why.',
                explainedIn: 'welcome',
                options: [{ text: 'This one', correct: true }, { text: 'Another one' }],
              },
            ],
          },
        ],
      },
    ],
  }
}

/** The smallest number of questions that `examFileSchema` allows. */
const minExamQuestions = 12

function createExamFile(courseTitle: string) {
  return {
    title: `Final exam: ${courseTitle}`,
    draw: 8,
    timeLimitMinutes: 20,
    maxAttempts: 3,
    attemptsWithinDays: 7,
    passPercent: defaultPassPercent,
    questions: Array.from({ length: minExamQuestions }, (_, index) => ({
      type: 'single',
      id: `question-${index + 1}`,
      prompt: `Question ${index + 1}: which option is right?`,
      options: ['This one', 'Another one', 'A third one'],
      answer: 'This one',
      explanation: 'Say why.',
      explainedIn: 'welcome',
    })),
  }
}

const welcomeArticle = `Write what this lesson teaches. The title stands above it already.

## A part of it

- Lists, **bold** and \`code\` are Markdown.
- Pictures go to \`figures/\`, downloads to \`downloads/\`.

::: tip
This is a box. There are note, tip, important, warning and caution.
:::
`
