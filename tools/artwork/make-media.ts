/**
 * `npm run media`: makes the pictures and films that are missing, see README.md beside this file.
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
type Words = { chosen: Kind[]; only?: string; help?: boolean }

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

/** @returns null when the words cannot be understood; then why is said. */
function readArguments(): Words | null {
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: { help: { type: 'boolean', short: 'h' }, only: { type: 'string' } },
    })
    const unknown = positionals.find((kind) => !Object.hasOwn(kinds, kind))
    if (unknown === undefined) {
      return {
        ...values,
        chosen: (positionals.length > 0 ? positionals : Object.keys(kinds)) as Kind[],
      }
    }

    console.error(`There is no kind '${unknown}'; there are: ${Object.keys(kinds).join(', ')}.`)
  } catch (error) {
    console.error((error as Error).message)
  }

  console.error("'npm run media -- --help' says what there is. Nothing was changed.")
  return null
}

const said: Record<FileState | 'made', string> = {
  made: 'made',
  current: 'current',
  yours: 'kept',
  missing: 'missing',
  outdated: 'outdated',
}

function say(state: FileState | 'made', folder: string, file: string): void {
  console.log(
    `${said[state].padEnd(9)}${path.relative(root, path.join(folder, file))}${state === 'yours' ? ' (yours)' : ''}`,
  )
}

/** @returns whether all of it is there now. */
async function bring(thing: Thing, folder: string, made: MadeFiles): Promise<boolean> {
  const { states, wanted } = await made.look(thing)
  if (!wanted) {
    for (const [file, state] of Object.entries(states)) {
      say(state, folder, file)
    }

    return !Object.values(states).includes('missing')
  }

  try {
    await made.make(thing)
    for (const file of thing.files) {
      say('made', folder, file)
    }

    return true
  } catch (error) {
    console.error(`${'failed'.padEnd(9)}${thing.files[0]}: ${(error as Error).message}`)
    return false
  }
}

async function makeAll({ chosen, only }: Words): Promise<boolean> {
  const lists: Record<string, { folder: string; made: MadeFiles }> & {
    content: { folder: string; made: MadeFiles }
  } = {
    content: {
      folder: content,
      made: await MadeFiles.open(content, path.join(content, '.media.json')),
    },
    brand: {
      folder: path.join(root, 'public'),
      made: await MadeFiles.open(
        path.join(root, 'public'),
        path.join(import.meta.dirname, 'brand.json'),
      ),
    },
  }
  const films = spawnSync('ffmpeg', ['-version']).status === 0
  let [found, complete] = [0, true]
  for (const kind of chosen) {
    const { folder, made } = lists[kind] ?? lists.content
    for (const thing of await kinds[kind](content)) {
      if (only && thing.name !== only && thing.course !== only) {
        continue
      }

      found += 1
      if (kind === 'films' && !films && (await made.look(thing)).wanted) {
        console.error(`${'failed'.padEnd(9)}${thing.files[0]}: ffmpeg is not installed`)
        complete = false
      } else if (!(await bring(thing, folder, made))) {
        complete = false
      }
    }
  }

  if (only && found === 0) {
    console.error(`There is nothing named '${only}'.`)
  }

  return complete && (!only || found > 0)
}

const words = readArguments()
if (!words) {
  process.exitCode = 2
} else if (words.help) {
  process.stdout.write(help)
} else if (!existsSync(content)) {
  console.error(`There is no folder ${content}.`)
  process.exitCode = 1
} else {
  process.exitCode = (await makeAll(words)) ? 0 : 1
}
