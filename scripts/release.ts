/**
 * `npm run release [-- --without-database]`: makes an archive that starts on a server without npm, a
 * compiler or a network. The archive is compressed with gzip, which every Debian has.
 */
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { prepareBuild } from './build.ts'
import { fillRelease } from './release-files.ts'

const root = path.resolve(import.meta.dirname, '..')
const output = path.join(root, 'release')
const bytesPerMegabyte = 1_000_000

const database = !process.argv.includes('--without-database')
const unknownOptions = process.argv.slice(2).filter((word) => word !== '--without-database')
if (unknownOptions.length > 0) {
  console.error(
    `Unknown option: ${unknownOptions.join(' ')}\nUsage: npm run release [-- --without-database]`,
  )
  process.exit(2)
}

prepareBuild()
const { version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'))
const name = `learnify-${version}-${process.platform}-${process.arch}`
const file = path.join(output, `${name}${database ? '' : '-without-database'}.tar.gz`)
mkdirSync(output, { recursive: true })
const stagingFolder = mkdtempSync(path.join(tmpdir(), 'learnify-release-'))
try {
  fillRelease(path.join(stagingFolder, name), {
    database,
    about: { version, commit: describeCommit() },
  })
  pack(file, [name])
  pack(path.join(stagingFolder, 'content.tar.gz'), [`${name}/content`])
  const totalBytes = readSize(file)
  const contentBytes = readSize(path.join(stagingFolder, 'content.tar.gz'))
  console.log(path.relative(process.cwd(), file))
  console.log(
    `${(totalBytes / bytesPerMegabyte).toFixed(1)} MB; without the content ${((totalBytes - contentBytes) / bytesPerMegabyte).toFixed(1)} MB`,
  )
} finally {
  rmSync(stagingFolder, { recursive: true, force: true })
}

/** Packs the folders so that the same files always give the same bytes. */
function pack(archive: string, names: readonly string[]): void {
  const time = git('log', '-1', '--format=%ct')
  const owner = ['--owner=root:0', '--group=root:0', '--mode=u+rwX,go+rX,go-w']
  const args = [
    '--sort=name',
    `--mtime=@${time}`,
    ...owner,
    '--use-compress-program=gzip -9n',
    '-cf',
    archive,
    ...names,
  ]

  execFileSync('tar', args, { cwd: stagingFolder, stdio: 'inherit' })
}

function readSize(archive: string): number {
  return statSync(archive).size
}

/** Returns the commit, with a mark if files have been changed since. */
function describeCommit(): string {
  return git('describe', '--always', '--dirty', '--abbrev=12', '--exclude=*')
}

function git(...words: string[]): string {
  return execFileSync('git', words, { cwd: root, encoding: 'utf8' }).trim()
}
