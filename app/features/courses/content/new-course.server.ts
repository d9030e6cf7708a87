import { access, mkdir, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { stringify } from 'yaml'
import { drawCourseCover } from '~/server/drawing/drawn-cover.server'
import { loadSharp } from '~/server/drawing/sharp.server'
import { StartError } from '~/server/env.server'
import { productFolder } from '~/server/operations/product-folder.server'
import { ContentReader } from './content-reader.server'
import { defaultPassPercent } from './exam-file.server'
import { listIds, readCategories } from './site-files.server'

/**
 * Makes the folder of a course that passes the check: one article, one quiz, an exam, a cover and a
 * portrait to replace. It isn't published.
 *
 * @param id the folder's name, and the course's address.
 * @param today like 2026-11-25.
 * @returns the files, from `folder` on.
 * @throws {StartError} for a name that can't be an address, or that is there already; nothing is
 * changed then.
 */
export async function createCourse(folder: string, id: string, today: string): Promise<string[]> {
  if (!/^[a-z0-9]+(-[a-z0-9]+)*$/.test(id) || id.length > 60) {
    const usual = id
      .toLowerCase()
      .match(/[a-z0-9]+/g)
      ?.join('-')
      .slice(0, 60)
    const near = usual ? ` Did you mean '${usual}'?` : ''
    throw new StartError(
      `'${id}' can’t be a course’s address. Use up to 60 lowercase letters, digits and single hyphens.${near}`,
    )
  }

  const course = path.join(folder, 'courses', id)
  if (
    await access(course).then(
      () => true,
      () => false,
    )
  ) {
    throw new StartError(`${course} is already there.`)
  }

  const portrait = `instructors/${id}-instructor.webp`
  const [category = 'technology'] = listIds((await readCategories(new ContentReader(folder))) ?? [])
  const files = await courseFiles(id, { today, category, folder: course })
  try {
    for (const [name, data] of Object.entries({
      ...files,
      [portrait]: await picture(id, 320, 320),
    })) {
      await mkdir(path.dirname(path.join(folder, name)), { recursive: true })
      await writeFile(path.join(folder, name), data)
    }
  } catch (error) {
    await rm(course, { recursive: true, force: true })
    throw new StartError(`${course} can’t be written: ${(error as Error).message}`)
  }

  return [...Object.keys(files), portrait]
}

type Facts = { today: string; category: string; folder: string }

async function courseFiles(id: string, facts: Facts): Promise<Record<string, string | Buffer>> {
  const title = titleOf(id)
  const base = `courses/${id}`

  return {
    [`${base}/course.yaml`]: yamlOf('course', courseOf(id, title, facts), facts.folder),
    [`${base}/exam.yaml`]: yamlOf('exam', examOf(title), facts.folder),
    [`${base}/lessons/welcome.md`]: article,
    [`${base}/cover.webp`]: await picture(id, 1280, 720),
  }
}

function titleOf(id: string): string {
  return id.replaceAll(
    /(^|-)([a-z0-9])/g,
    (_, hyphen, letter) => `${hyphen ? ' ' : ''}${letter.toUpperCase()}`,
  )
}

async function picture(id: string, width: number, height: number): Promise<Buffer> {
  const sharp = await loadSharp()
  return sharp(Buffer.from(drawCourseCover(id)), { density: 144 })
    .resize(width, height, { fit: 'cover' })
    .webp()
    .toBuffer()
}

/** With the line by which editors find the schema. */
function yamlOf(schema: string, data: unknown, folder: string): string {
  const schemas = path
    .relative(folder, path.join(productFolder, 'docs/schemas'))
    .split(path.sep)
    .join('/')
  return `# yaml-language-server: $schema=${schemas}/${schema}.json\n${stringify(data, { lineWidth: 120 })}`
}

function courseOf(id: string, title: string, { today, category }: Facts) {
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
    durationHours: 1,
    lectures: 2,
    downloadableResources: 0,
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
        lectures: 2,
        durationMinutes: 2,
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

/** As many questions as an exam has at least. */
const questionsOfAnExam = 12

function examOf(title: string) {
  return {
    title: `Final exam: ${title}`,
    draw: 8,
    timeLimitMinutes: 20,
    maxAttempts: 3,
    attemptsWithinDays: 7,
    passPercent: defaultPassPercent,
    questions: Array.from({ length: questionsOfAnExam }, (_, index) => ({
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

const article = `Write what this lesson teaches. The title stands above it already.

## A part of it

- Lists, **bold** and \`code\` are Markdown.
- Pictures go to \`figures/\`, downloads to \`downloads/\`.

::: tip
This is a box. There are note, tip, important, warning and caution.
:::
`
