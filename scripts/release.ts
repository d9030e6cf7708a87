/**
 * `npm run release [-- --without-database]`: makes an archive with which the product starts on a
 * server without npm, a compiler or a network. The archive is compressed with gzip, which every
 * Debian has.
 */
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { prepareBuild } from './build.ts'
import { fillRelease } from './release-files.ts'

const root = path.resolve(import.meta.dirname, '..')
const outputFolder = path.join(root, 'release')
const bytesPerMegabyte = 1_000_000

const hasDatabase = !process.argv.includes('--without-database')
const unknownOptions = process.argv.slice(2).filter((option) => option !== '--without-database')
if (unknownOptions.length > 0) {
  console.error(
    `Unknown option: ${unknownOptions.join(' ')}\nUsage: npm run release [-- --without-database]`,
  )
  process.exit(2)
}

prepareBuild()

const { version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'))
const releaseName = `learnify-${version}-${process.platform}-${process.arch}`
const archiveName = `${releaseName}${hasDatabase ? '' : '-without-database'}.tar.gz`
const archive = path.join(outputFolder, archiveName)
mkdirSync(outputFolder, { recursive: true })

const stagingFolder = mkdtempSync(path.join(tmpdir(), 'learnify-release-'))
try {
  fillRelease(path.join(stagingFolder, releaseName), {
    hasDatabase,
    version,
    commit: describeCommit(),
  })
  pack(archive, releaseName)

  // This second archive only tells how large the content is.
  const contentArchive = path.join(stagingFolder, 'content.tar.gz')
  pack(contentArchive, `${releaseName}/content`)

  const totalMegabytes = readMegabytes(archive)
  const contentMegabytes = readMegabytes(contentArchive)
  console.log(path.relative(process.cwd(), archive))
  console.log(
    `${totalMegabytes.toFixed(1)} MB; without the content ${(totalMegabytes - contentMegabytes).toFixed(1)} MB`,
  )
} finally {
  rmSync(stagingFolder, { recursive: true, force: true })
}

/** Packs a folder so that the same files always give the same bytes. */
function pack(archiveFile: string, folderName: string): void {
  const commitTime = git('log', '-1', '--format=%ct')
  const args = [
    '--sort=name',
    `--mtime=@${commitTime}`,
    '--owner=root:0',
    '--group=root:0',
    '--mode=u+rwX,go+rX,go-w',
    '--use-compress-program=gzip -9n',
    '-cf',
    archiveFile,
    folderName,
  ]

  execFileSync('tar', args, { cwd: stagingFolder, stdio: 'inherit' })
}

function readMegabytes(archiveFile: string): number {
  return statSync(archiveFile).size / bytesPerMegabyte
}

/** Returns the commit. It ends with '-dirty' if files have been changed since. */
function describeCommit(): string {
  return git('describe', '--always', '--dirty', '--abbrev=12', '--exclude=*')
}

function git(...args: string[]): string {
  return execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim()
}
