import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { eq, inArray, lt } from 'drizzle-orm'
import { type Database, db } from './database/client.server'
import { buildFiles } from './database/schema'
import { reportError } from './log.server'
import { trackRun } from './metrics/job-runs.server'
import { productFolder } from './product-folder.server'

const dayMs = 24 * 60 * 60_000
/** A page may stay open for days before it asks for the rest of its scripts. */
const keptMs = 7 * dayMs

/**
 * Puts this build's files where every process finds them, before the first page names them.
 *
 * @returns what ends the daily renewal.
 */
export async function shareBuildFiles(): Promise<() => void> {
  const folder = path.join(productFolder, 'build/client/assets')
  const publish = () => trackRun('build files', () => publishBuildFiles(db, folder, new Date()))
  await publish()
  const timer = setInterval(() => publish().catch(reportError), dayMs)
  return () => clearInterval(timer)
}

/** Stores what is not stored yet, and forgets what no build has used for a week. */
export async function publishBuildFiles(db: Database, folder: string, now: Date): Promise<void> {
  const names = (await readdir(folder)).filter((name) => !/\.(br|gz)$/.test(name))
  const renewed = await db
    .update(buildFiles)
    .set({ usedAt: now })
    .where(inArray(buildFiles.name, names))
    .returning({ name: buildFiles.name })
  const known = new Set(renewed.map(({ name }) => name))
  for (const name of names.filter((name) => !known.has(name))) {
    const bytes = await readFile(path.join(folder, name))
    await db.insert(buildFiles).values({ name, bytes, usedAt: now }).onConflictDoNothing()
  }
  await db.delete(buildFiles).where(lt(buildFiles.usedAt, new Date(now.getTime() - keptMs)))
}

const types: Record<string, string> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.woff2': 'font/woff2',
  '.svg': 'image/svg+xml',
  '.webp': 'image/webp',
  '.png': 'image/png',
}

/** A file of another build by its name. @returns null if no build of this week has it. */
export async function findBuildFile(db: Database, name: string): Promise<{ bytes: Buffer; type: string } | null> {
  const type = types[path.extname(name)]
  if (!type || !/^[\w.-]{1,200}$/.test(name)) return null
  const [file] = await db.select({ bytes: buildFiles.bytes }).from(buildFiles).where(eq(buildFiles.name, name))
  return file ? { bytes: file.bytes, type } : null
}
