import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { eq, inArray, lt } from 'drizzle-orm'
import type { MiddlewareHandler } from 'hono'
import { getMimeType } from 'hono/utils/mime'
import { type Database, db } from '../database/client.server'
import { buildFiles } from '../database/schema'
import { productFolder } from '../operations/product-folder.server'
import { serverMessages } from './server-messages.server'

/**
 * Scripts, styles and fonts of other builds.
 *
 * During an upgrade, processes of two builds run behind one proxy. The scripts of a page that one
 * build has rendered may be requested from the other build, and the page does not work without
 * them. So each process stores the files of its build in the database when it starts.
 */

const buildFolder = path.join(productFolder, 'build/client/assets')
const retentionMs = 30 * 24 * 60 * 60_000

/** Stores new files, and deletes the files that no recently started build has. */
export async function storeBuildFiles(
  database: Database = db,
  folder = buildFolder,
  now = new Date(),
): Promise<void> {
  const names = (await readdir(folder)).filter((name) => !/\.(br|gz)$/.test(name))
  const renewedRows = await database
    .update(buildFiles)
    .set({ usedAt: now })
    .where(inArray(buildFiles.name, names))
    .returning({ name: buildFiles.name })
  const storedNames = new Set(renewedRows.map(({ name }) => name))
  for (const name of names.filter((name) => !storedNames.has(name))) {
    const bytes = await readFile(path.join(folder, name))
    await database.insert(buildFiles).values({ name, bytes, usedAt: now }).onConflictDoNothing()
  }

  await database
    .delete(buildFiles)
    .where(lt(buildFiles.usedAt, new Date(now.getTime() - retentionMs)))
}

/** Responds to `/assets/:name` with a file of another build, if this build has no such file. */
export const sendFileOfOtherBuild: MiddlewareHandler = async (context) => {
  const name = context.req.param('name') ?? ''
  const type = getMimeType(name)
  const bytes = type ? await findBuildFile(db, name) : null
  if (!bytes || !type) {
    return context.text(serverMessages.fileNotFound, 404, { 'Cache-Control': 'no-store' })
  }

  const headers = { 'Content-Type': type, 'Cache-Control': 'public, max-age=31536000, immutable' }

  return context.body(new Uint8Array(bytes), 200, headers)
}

/** Exported for tests. */
export async function findBuildFile(database: Database, name: string): Promise<Buffer | null> {
  const [file] = await database
    .select({ bytes: buildFiles.bytes })
    .from(buildFiles)
    .where(eq(buildFiles.name, name))
  return file?.bytes ?? null
}
