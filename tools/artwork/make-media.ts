/**
 * `npm run media`: generates the missing pictures and videos. The README.md in this folder explains
 * it.
 */
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { listBrandPictures, listCovers, listPortraits, listVideos } from './artworks.ts'
import { contentFolder } from './content-folder.ts'
import { type Artwork, type FileStatus, GeneratedFiles } from './generated-files.ts'

const root = path.resolve(import.meta.dirname, '../..')

/** These functions list the artworks of each kind for a content folder. */
const artworkLists = {
  covers: listCovers,
  instructors: listPortraits,
  films: listVideos,
  brand: listBrandPictures,
} satisfies Record<string, (content: string) => Promise<Artwork[]>>
type Kind = keyof typeof artworkLists
const allKinds = Object.keys(artworkLists) as Kind[]

type Options = { chosenKinds: Kind[]; only?: string; help?: boolean }

const help = `npm run media -- [KIND ...] [--only NAME]

Makes what is missing, and makes again what it made itself of something that changed since.
A file of yours is never touched. Without KIND everything is looked at.

  covers       cover.svg, cover.webp and cover-1280.webp of each course
  instructors  a portrait of everyone whom a course names
  films        WebM, MP4, captions and poster of each storyboard; needs ffmpeg
  brand        mark, icons, share picture and globe

  --only NAME  one course, one instructor, or one film as COURSE/FILM
  --help       says this, and changes nothing

The content is in ${contentFolder}; CONTENT_DIR names another folder.
`

const statusLabels: Record<FileStatus | 'made', string> = {
  made: 'made',
  current: 'current',
  yours: 'kept',
  missing: 'missing',
  outdated: 'outdated',
}
const labelWidth = 9

const options = readArguments()
if (!options) {
  process.exitCode = 2
} else if (options.help) {
  process.stdout.write(help)
} else if (!existsSync(contentFolder)) {
  console.error(`There is no folder ${contentFolder}.`)
  process.exitCode = 1
} else {
  const isComplete = await generateAll(options)
  process.exitCode = isComplete ? 0 : 1
}

/** Reads the arguments. Returns null, after printing the reason, if they are not valid. */
function readArguments(): Options | null {
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: { help: { type: 'boolean', short: 'h' }, only: { type: 'string' } },
    })
    const unknownKind = positionals.find((kind) => !Object.hasOwn(artworkLists, kind))
    if (unknownKind === undefined) {
      const chosenKinds = positionals.length > 0 ? (positionals as Kind[]) : allKinds
      return { ...values, chosenKinds }
    }

    console.error(`There is no kind '${unknownKind}'; there are: ${allKinds.join(', ')}.`)
  } catch (error) {
    console.error((error as Error).message)
  }

  console.error("'npm run media -- --help' says what there is. Nothing was changed.")
  return null
}

/**
 * Generates the chosen artworks where it is needed, and prints the result for each file.
 *
 * @returns whether there was an artwork to generate, and all files exist now
 */
async function generateAll({ chosenKinds, only }: Options): Promise<boolean> {
  const publicFolder = path.join(root, 'public')
  const contentTarget = {
    folder: contentFolder,
    generatedFiles: await GeneratedFiles.open(
      contentFolder,
      path.join(contentFolder, '.media.json'),
    ),
  }
  const brandTarget = {
    folder: publicFolder,
    generatedFiles: await GeneratedFiles.open(
      publicFolder,
      path.join(import.meta.dirname, 'brand.json'),
    ),
  }
  const hasFfmpeg = spawnSync('ffmpeg', ['-version']).status === 0

  let artworkCount = 0
  let isComplete = true
  for (const kind of chosenKinds) {
    const target = kind === 'brand' ? brandTarget : contentTarget
    const canGenerate = kind !== 'films' || hasFfmpeg
    const allArtworks = await artworkLists[kind](contentFolder)
    const artworks = allArtworks.filter(
      ({ name, course }) => !only || name === only || course === only,
    )

    artworkCount += artworks.length
    for (const artwork of artworks) {
      const isGenerated = await generateIfNeeded(artwork, target, canGenerate)
      isComplete = isComplete && isGenerated
    }
  }

  if (only && artworkCount === 0) {
    console.error(`There is nothing named '${only}'.`)
    return false
  }

  return isComplete
}

/** A folder, and the list of the files that were generated in it. */
type Target = { folder: string; generatedFiles: GeneratedFiles }

/**
 * Generates an artwork if its files are missing or outdated, and prints the result.
 *
 * @returns whether all files of the artwork exist now
 */
async function generateIfNeeded(
  artwork: Artwork,
  { folder, generatedFiles }: Target,
  canGenerate: boolean,
): Promise<boolean> {
  const { statusByFile, isNeeded } = await generatedFiles.inspect(artwork)
  if (!isNeeded) {
    for (const [file, status] of Object.entries(statusByFile)) {
      printFile(status, folder, file)
    }

    return !Object.values(statusByFile).includes('missing')
  }

  if (!canGenerate) {
    printFailure(artwork, 'ffmpeg is not installed')
    return false
  }

  try {
    await generatedFiles.generate(artwork)
  } catch (error) {
    printFailure(artwork, (error as Error).message)
    return false
  }

  for (const file of artwork.files) {
    printFile('made', folder, file)
  }

  return true
}

function printFile(status: FileStatus | 'made', folder: string, file: string): void {
  const label = statusLabels[status].padEnd(labelWidth)
  const suffix = status === 'yours' ? ' (yours)' : ''
  console.log(`${label}${path.relative(root, path.join(folder, file))}${suffix}`)
}

function printFailure({ files }: Artwork, problem: string): void {
  console.error(`${'failed'.padEnd(labelWidth)}${files[0]}: ${problem}`)
}
