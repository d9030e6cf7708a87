import { afterAll } from 'vitest'
import { openDatabases } from './open-databases'

afterAll(async () => {
  for (const database of openDatabases.splice(0)) {
    await database.end()
  }
})
