import { sessionUrl } from '../database/client.server'
import { env } from '../env.server'
import { type FileStore, fileStore } from '../files.server'
import { productVersion } from '../product-folder.server'

/** All that the product keeps: what a backup and an export read. */
export type StoredSource = {
  /** Of the database itself, without a pooler where there is one. */
  databaseUrl: string
  files: FileStore
  dataDir: string
  /** `AUTH_SECRET`, which is no file then. */
  authSecret?: string
  version: string
}

/** This product's own, once a command has opened its database. */
export function storedSource(): StoredSource & { contentDir: string } {
  const { DATA_DIR: dataDir, AUTH_SECRET: authSecret, CONTENT_DIR: contentDir } = env
  return { databaseUrl: sessionUrl, files: fileStore, dataDir, authSecret, contentDir, version: productVersion() }
}
