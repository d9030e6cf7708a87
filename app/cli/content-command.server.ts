import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { contentFeatures } from '~/content-features.server'
import {
  type Content,
  createContentJsonSchemas,
  readContent,
} from '~/features/courses/content/content-files.server'
import { formatPartialLoad, loadContent } from '~/features/courses/content/content-loader.server'
import { listRemovalWarnings } from '~/features/courses/content/content-renames.server'
import { toCourseOutline } from '~/features/courses/content/course-folder.server'
import { createCourse } from '~/features/courses/content/new-course.server'
import { listUnpayablePrices } from '~/features/courses/price-rules'
import { db, withDatabase, withOwnConnection } from '~/server/database/client.server'
import { env, StartError } from '~/server/env.server'
import { commandText, runCommand } from '~/server/operations/operator-command.server'
import { siteCurrency } from '~/server/site/site.server'

const args = process.argv.slice(2)
if (args.length === 0) {
  const [check, load] = ['check', 'load'].map((words) => commandText('content', words))
  process.stderr.write(
    `Nothing is loaded: this only checks, like '${check}'. To load the content: ${load}\n`,
  )
}

await runCommand(
  {
    name: 'content',
    forms: [
      {
        name: 'check',
        takes: [],
        says: 'list every problem by file and line, and learner work that your changes would hide',
        run: check,
      },
      {
        name: 'load',
        takes: [],
        says: 'load the content now, even if newer content has replaced it',
        run: load,
      },
      {
        name: 'new',
        takes: ['SLUG'],
        says: 'make the folder of a new course, not published, to fill in',
        run: create,
      },
      {
        name: 'schemas',
        takes: [],
        says: 'write the JSON Schemas that editors use',
        run: writeSchemas,
      },
    ],
  },
  args.length > 0 ? args : ['check'],
)

async function check(): Promise<void> {
  const { content, problems, warnings } = await readContent(env.CONTENT_DIR, { see: sayProgress })
  say(warnings)
  if (!content || problems.length > 0) {
    const count = problems.length === 1 ? '1 problem' : `${problems.length} problems`
    process.stderr.write(
      `${problems.join('\n')}\n${count} in ${env.CONTENT_DIR}. Nothing was changed.\n`,
    )
    process.exitCode = 1

    return
  }

  const courses = content.courses.length === 1 ? '1 course' : `${content.courses.length} courses`
  say(listUnpayablePrices(content.courses, siteCurrency()))
  process.stdout.write(`The content is good: ${courses} in ${env.CONTENT_DIR}.\n`)
  if (hasDatabase()) {
    await sayGone(content)
  }
}

async function create([id = '']: readonly string[]): Promise<void> {
  const files = await createCourse(env.CONTENT_DIR, id, new Date().toISOString().slice(0, 10))
  const place = path.relative(process.cwd(), env.CONTENT_DIR) || '.'
  process.stdout.write(`${files.map((file) => path.join(place, file)).join('\n')}\n`)
  process.stdout.write(
    `Fill them in, run ${commandText('content', 'check')}, and set \`published: true\`.\n`,
  )
}

/** Before the first start, there is no progress that a change could hide. */
function hasDatabase(): boolean {
  return Boolean(env.DATABASE_URL) || existsSync(`${env.DATA_DIR}/database/cluster`)
}

/** The content is good even if the database doesn't answer. */
async function sayGone(content: Content): Promise<void> {
  try {
    await withDatabase(async () =>
      say(await listRemovalWarnings(db, content.courses.map(toCourseOutline), content.ids)),
    )
  } catch (error) {
    const reason = error instanceof StartError ? error.message : 'It isn’t responding.'
    process.stderr.write(
      `Couldn’t check the database for learner work your changes would hide. ${reason}\n`,
    )
  }
}

async function load(): Promise<void> {
  await withDatabase(async () => {
    const { result, problems, warnings } = await withOwnConnection((database) =>
      loadContent(database, env.CONTENT_DIR, contentFeatures, { backToo: true, see: sayProgress }),
    )
    say(warnings)
    if (problems.length > 0) {
      throw new StartError(formatPartialLoad(problems))
    }

    process.stdout.write(
      result === 'loaded' ? 'The content is loaded.\n' : 'The content was already loaded.\n',
    )
  })
}

const coursesBetweenLines = 500

function sayProgress(done: number, of: number) {
  if (done % coursesBetweenLines === 0 && done < of) {
    process.stderr.write(`${done} of ${of} courses read\n`)
  }
}

function say(warnings: readonly string[]) {
  for (const warning of warnings) {
    process.stderr.write(`${warning}\n`)
  }
}

async function writeSchemas(): Promise<void> {
  mkdirSync('docs/schemas', { recursive: true })
  for (const [file, text] of Object.entries(createContentJsonSchemas())) {
    writeFileSync(file, text)
    process.stdout.write(`${file}\n`)
  }
}
