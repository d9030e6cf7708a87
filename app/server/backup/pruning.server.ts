import { readdir, rm } from 'node:fs/promises'
import path from 'node:path'
import { archiveName, type KeepRule, listOutdated, momentOfArchive } from './keep-rule'

/** Removes the archives of `folder` that the rule lets go, and no other file. @returns their names. */
export async function pruneArchives(folder: string, rule: KeepRule): Promise<string[]> {
  const moments = (await readdir(folder)).map(momentOfArchive).filter((moment) => moment !== null)
  const names = listOutdated(moments, rule).map(archiveName)
  for (const name of names) await rm(path.join(folder, name))
  return names
}
