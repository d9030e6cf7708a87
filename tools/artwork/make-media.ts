/**
 * `npm run media`: makes the missing pictures and videos. The README.md in this folder explains it.
 */
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { contentFolder } from './content-folder.ts'
import { type FileState, MadeFiles, type Thing } from './made-files.ts'
import { brandThings, coverThings, filmThings, portraitThings } from './things.ts'

const root = path.resolve(import.meta.dirname, '../..')
const content = contentFolder
type Kind = 'covers' | 'instructors' | 'films' | 'brand'
type Options = { chosenKinds: Kind[]; only?: string; help?: boolean }

const kinds: Record<Kind, (content: string) => Promise<Thing[]>> = {
  covers: coverThings,
  instructors: portraitThings,
  films: filmThings,
  brand: brandThings,
}

const help = `npm run media -- [KIND ...] [--only NAME]

Makes what is missing, and makes again what it made itself of something that changed since.
A file of yours is never touched. Without KIND everything is looked at.

  covers       cover.svg, cover.webp and cover-1280.webp of each course
  instructors  a portrait of everyone whom a course names
  films        WebM, MP4, captions and poster of each storyboard; needs ffmpeg
  brand        mark, icons, share picture and globe

  --only NAME  one course, one instructor, or one film as COURSE/FILM
  --help       says this, and changes nothing

The content is in ${content}; CONTENT_DIR names another folder.
`

/** Reads the arguments. Returns null, after printing the reason, if they are not valid. */
function readArguments(): Options | null {
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: { help: { type: 'boolean', short: 'h' }, only: { type: 'string' } },
    })
    const unknownKind = positionals.find((kind) => !Object.hasOwn(kinds, kind))
    if (unknownKind === undefined) {
      return {
        ...values,
        chosenKinds: (positionals.length > 0 ? positionals : Object.keys(kinds)) as Kind[],
      }
    }

    console.error(`There is no kind '${unknownKind}'; there are: ${Object.keys(kinds).join(', ')}.`)
  } catch (error) {
    console.error((error as Error).message)
  }

  console.error("'npm run media -- --help' says what there is. Nothing was changed.")
  return null
}

const stateLabels: Record<FileState | 'made', string> = {
  made: 'made',
  current: 'current',
  yours: 'kept',
  missing: 'missing',
  outdated: 'outdated',
}

const labelWidth = 9

function printFile(state: FileState | 'made', folder: string, file: string): void {
  const label = stateLabels[state].padEnd(labelWidth)
  const suffix = state === 'yours' ? ' (yours)' : ''
  console.log(`${label}${path.relative(root, path.join(folder, file))}${suffix}`)
}

function printFailure({ files }: Thing, problem: string): void {
  console.error(`${'failed'.padEnd(labelWidth)}${files[0]}: ${problem}`)
}

/** A folder of made files, and the list of the files that were made in it. */
type Target = { folder: string; made: MadeFiles }

/**
 * Makes the files of a thing if they are missing or outdated, and prints the result.
 *
 * @returns whether all files of the thing exist now
 */
async function makeThing(thing: Thing, target: Target, canMake: boolean): Promise<boolean> {
  const { folder, made } = target
  const { states, wanted } = await made.look(thing)
  if (!wanted) {
    for (const [file, state] of Object.entries(states)) {
      printFile(state, folder, file)
    }

    return !Object.values(states).includes('missing')
  }

  if (!canMake) {
    printFailure(thing, 'ffmpeg is not installed')
    return false
  }

  try {
    await made.make(thing)
  } catch (error) {
    printFailure(thing, (error as Error).message)
    return false
  }

  for (const file of thing.files) {
    printFile('made', folder, file)
  }

  return true
}

/** @returns whether something was found and all of its files exist now */
async function makeAll({ chosenKinds, only }: Options): Promise<boolean> {
  const publicFolder = path.join(root, 'public')
  const contentTarget = {
    folder: content,
    made: await MadeFiles.open(content, path.join(content, '.media.json')),
  }
  const brandTarget = {
    folder: publicFolder,
    made: await MadeFiles.open(publicFolder, path.join(import.meta.dirname, 'brand.json')),
  }
  const hasFfmpeg = spawnSync('ffmpeg', ['-version']).status === 0

  let thingCount = 0
  let isComplete = true
  for (const kind of chosenKinds) {
    const target = kind === 'brand' ? brandTarget : contentTarget
    const things = (await kinds[kind](content)).filter(
      ({ name, course }) => !only || name === only || course === only,
    )

    thingCount += things.length
    for (const thing of things) {
      const isMade = await makeThing(thing, target, kind !== 'films' || hasFfmpeg)
      isComplete = isComplete && isMade
    }
  }

  if (only && thingCount === 0) {
    console.error(`There is nothing named '${only}'.`)
    return false
  }

  return isComplete
}

const options = readArguments()
if (!options) {
  process.exitCode = 2
} else if (options.help) {
  process.stdout.write(help)
} else if (!existsSync(content)) {
  console.error(`There is no folder ${content}.`)
  process.exitCode = 1
} else {
  process.exitCode = (await makeAll(options)) ? 0 : 1
}
