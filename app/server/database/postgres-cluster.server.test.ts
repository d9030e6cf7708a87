import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { updateCluster } from './postgres-cluster.server'
import { findPostgresPrograms } from './postgres-programs.server'

it('an update of a database that fails is not called its creation', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'learnify-cluster-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const programs = await findPostgresPrograms(folder)
  const clusterWithoutFiles = { folder, dataFolder: join(folder, 'data'), password: '' }

  await expect(updateCluster(clusterWithoutFiles, programs)).rejects.toThrow(
    /^The database couldn’t be updated\. postgres said: /,
  )
})
