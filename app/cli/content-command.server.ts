/** `npm run content`: checks and loads the course files, and creates new ones. */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { contentHooks } from '~/content-hooks.server'
import { type Content, readContent } from '~/features/courses/content/content-files.server'
import { createContentJsonSchemas } from '~/features/courses/content/content-json-schemas.server'
import { loadContent } from '~/features/courses/content/content-loader.server'
import {
  formatFailedLoad,
  formatPartialLoad,
} from '~/features/courses/content/content-reload.server'
import { toCourseOutline } from '~/features/courses/content/course-folder.server'
import { createCourse } from '~/features/courses/content/new-course.server'
import { listRemovalWarnings } from '~/features/courses/content/removal-warnings.server'
import { listUnpayablePrices } from '~/features/courses/price-rules'
import { db, withOwnConnection } from '~/server/database/client.server'
import { withDatabase } from '~/server/database/open-database.server'
import { env, StartError } from '~/server/env.server'
import { formatCommand, runCommand } from '~/server/operations/operator-command.server'
import { siteCurrency } from '~/server/site/site.server'
import { byCount } from '~/ui/format-count'

// This constant has to be declared above `runCommand`, which runs the command at once.
const coursesPerProgressLine = 500

const args = process.argv.slice(2)
if (args.length === 0) {
  const checkCommand = formatCommand('content', 'check')
  const loadCommand = formatCommand('content', 'load')
  process.stderr.write(
    `Nothing is loaded: this only checks, like '${checkCommand}'. To load the content: ${loadCommand}\n`,
  )
}

await runCommand(
  {
    name: 'content',
    forms: [
      {
        name: 'check',
        argumentNames: [],
        description:
          'list every problem by file and line, and learner work that your changes would hide',
        run: checkContent,
      },
      {
        name: 'load',
        argumentNames: [],
        description: 'load the content now, even if newer content has replaced it',
        run: loadContentNow,
      },
      {
        name: 'new',
        argumentNames: ['SLUG'],
        description: 'make the folder of a new course, not published, to fill in',
        run: createCourseFolder,
      },
      {
        name: 'schemas',
        argumentNames: [],
        description: 'write the JSON Schemas that editors use',
        run: writeJsonSchemas,
      },
    ],
  },
  args.length > 0 ? args : ['check'],
)

async function checkContent(): Promise<void> {
  const { content, problems, warnings } = await readContent(env.CONTENT_DIR, {
    onProgress: printProgress,
  })
  printWarnings(warnings)
  if (!content || problems.length > 0) {
    const count = byCount(problems.length, '1 problem', `${problems.length} problems`)
    process.stderr.write(
      `${problems.join('\n')}\n${count} in ${env.CONTENT_DIR}. Nothing was changed.\n`,
    )
    process.exitCode = 1
    return
  }

  printWarnings(listUnpayablePrices(content.courses, siteCurrency()))
  const { length } = content.courses
  const courseCount = byCount(length, '1 course', `${length} courses`)
  process.stdout.write(`The content is good: ${courseCount} in ${env.CONTENT_DIR}.\n`)

  // Before the first start, there is no progress that a change could hide.
  if (hasDatabase()) {
    await printRemovalWarnings(content)
  }
}

function hasDatabase(): boolean {
  return Boolean(env.DATABASE_URL) || existsSync(`${env.DATA_DIR}/database/cluster`)
}

/** Warns of learners' progress that the content would hide, or of a database that can't be read. */
async function printRemovalWarnings(content: Content): Promise<void> {
  try {
    const outlines = content.courses.map(toCourseOutline)
    await withDatabase(async () =>
      printWarnings(await listRemovalWarnings(db, outlines, content.courseIds)),
    )
  } catch (error) {
    const reason = error instanceof StartError ? error.message : 'It isn’t responding.'
    process.stderr.write(
      `Couldn’t check the database for learner work your changes would hide. ${reason}\n`,
    )
  }
}

async function loadContentNow(): Promise<void> {
  await withDatabase(async () => {
    const load = await withOwnConnection((database) =>
      loadContent(database, env.CONTENT_DIR, contentHooks, {
        isManual: true,
        onProgress: printProgress,
      }),
    )

    printWarnings(load.warnings)
    if (load.status === 'rejected' || load.status === 'failed') {
      throw new StartError(formatFailedLoad(load))
    }

    if (load.problems.length > 0) {
      throw new StartError(formatPartialLoad(load.problems))
    }

    process.stdout.write(
      load.status === 'loaded' ? 'The content is loaded.\n' : 'The content was already loaded.\n',
    )
  })
}

async function createCourseFolder([courseId = '']: readonly string[]): Promise<void> {
  const today = new Date().toISOString().slice(0, 10)
  const files = await createCourse(env.CONTENT_DIR, courseId, today)
  if (!files.ok) {
    throw new StartError(files.problem)
  }

  const contentFolder = path.relative(process.cwd(), env.CONTENT_DIR) || '.'
  const paths = files.value.map((file) => path.join(contentFolder, file))
  process.stdout.write(`${paths.join('\n')}\n`)
  process.stdout.write(
    `Fill them in, run ${formatCommand('content', 'check')}, and set \`published: true\`.\n`,
  )
}

async function writeJsonSchemas(): Promise<void> {
  mkdirSync('docs/schemas', { recursive: true })
  for (const [file, text] of Object.entries(createContentJsonSchemas())) {
    writeFileSync(file, text)
    process.stdout.write(`${file}\n`)
  }
}

function printProgress(readCount: number, totalCount: number): void {
  if (readCount % coursesPerProgressLine === 0 && readCount < totalCount) {
    process.stderr.write(`${readCount} of ${totalCount} courses read\n`)
  }
}

function printWarnings(warnings: readonly string[]): void {
  for (const warning of warnings) {
    process.stderr.write(`${warning}\n`)
  }
}
