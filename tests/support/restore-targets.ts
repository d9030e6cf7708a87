import { randomBytes } from 'node:crypto'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Decrypter, Encrypter } from 'age-encryption'
import pg from 'pg'
import { afterAll, inject } from 'vitest'
import { openFileStore } from '~/server/files/files.server'
import { readEnvironment } from './settings'
import { databaseUrl } from './start-test-postgres'

const passphrase = 'correct horse battery staple'

/** A low work factor of scrypt, because the real one makes each test slow. */
const scryptWorkFactor = 4

export function createTestEncrypter(phrase = passphrase): Encrypter {
  const encrypter = new Encrypter()
  encrypter.setPassphrase(phrase)
  encrypter.setScryptWorkFactor(scryptWorkFactor)

  return encrypter
}

export function createTestDecrypter(phrase = passphrase): Decrypter {
  const decrypter = new Decrypter()
  decrypter.addPassphrase(phrase)
  return decrypter
}

export const openLocalFileStore = (dataDir: string) =>
  openFileStore(readEnvironment({ DATA_DIR: dataDir }))

/** Empty databases and folders to restore a backup into. They are removed after the test file. */
export class RestoreTargets {
  #admin = new pg.Pool({ connectionString: inject('databaseUrl'), max: 1 })
  #databaseNames: string[] = []
  #folder: Promise<string> | undefined

  constructor() {
    afterAll(async () => {
      for (const name of this.#databaseNames) {
        await this.#admin.query(`drop database if exists ${name} with (force)`)
      }

      await this.#admin.end()
      await rm(await this.folder(), { recursive: true, force: true })
    })
  }

  folder(): Promise<string> {
    this.#folder ??= mkdtemp(path.join(tmpdir(), 'learnify-backup-'))
    return this.#folder
  }

  async create() {
    const name = `test_${randomBytes(6).toString('hex')}`
    this.#databaseNames.push(name)
    await this.#admin.query(`create database ${name}`)
    const dataDir = path.join(await this.folder(), name)
    await mkdir(dataDir)

    return {
      databaseUrl: databaseUrl(inject('databaseUrl'), name),
      dataDir,
      files: openLocalFileStore(dataDir),
    }
  }
}
