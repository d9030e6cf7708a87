import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { eq, inArray, lt } from 'drizzle-orm'
import type { MiddlewareHandler } from 'hono'
import { getMimeType } from 'hono/utils/mime'
import { type Database, db } from '../database/client.server'
import { buildFiles } from '../database/schema'
import { productFolder } from '../operations/product-folder.server'
import { fileNotFound } from './server-messages.server'

/**
 * During an upgrade, processes of two builds answer behind one proxy: a page of one asks the other
 * for its scripts, and without them it stays without any. So each build stores its files in the
 * database when it starts.
 */
const folder = path.join(productFolder, 'build/client/assets')
const keptForMs = 30 * 24 * 60 * 60_000

/** Stores new files, and deletes the files that no recently started build has. */
export async function storeBuildFiles(
  database: Database = db,
  from = folder,
  now = new Date(),
): Promise<void> {
  const names = (await readdir(from)).filter((name) => !/\.(br|gz)$/.test(name))
  const renewed = await database
    .update(buildFiles)
    .set({ usedAt: now })
    .where(inArray(buildFiles.name, names))
    .returning({ name: buildFiles.name })
  const stored = new Set(renewed.map(({ name }) => name))
  for (const name of names.filter((name) => !stored.has(name))) {
    const bytes = await readFile(path.join(from, name))
    await database.insert(buildFiles).values({ name, bytes, usedAt: now }).onConflictDoNothing()
  }

  await database
    .delete(buildFiles)
    .where(lt(buildFiles.usedAt, new Date(now.getTime() - keptForMs)))
}

/** Answers `/assets/:name` where this build has no such file. */
export const sendOtherBuildsFile: MiddlewareHandler = async (context) => {
  const name = context.req.param('name') ?? ''
  const type = getMimeType(name)
  const bytes = type ? await findBuildFile(db, name) : null
  if (!bytes || !type) {
    return context.text(fileNotFound, 404, { 'Cache-Control': 'no-store' })
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
