import { symmetricEncrypt } from 'better-auth/crypto'
import { eq } from 'drizzle-orm'
import { expect, it } from 'vitest'
import { twoFactor } from '~/server/database/schema/index'
import { publicUrl, TestAccounts, testSecret } from '../../../tests/support/test-accounts'
import { reencryptAppSecrets } from './secret-rotation.server'
import { findTwoFactor, readAppSetup, startAppSetup } from './two-factor/authenticator-app.server'

const accounts = new TestAccounts()
const secret = 'the next secret of the tests, 0123456789'

async function createLearnerWithApp() {
  const { client } = await accounts.registerPerson()
  const uid = (await client.readUser())?.uid ?? ''
  await startAppSetup(accounts.service, uid)

  return uid
}

const keyBy = async (service: typeof accounts.service, uid: string) => {
  const row = await findTwoFactor(accounts.db, uid)
  if (!row) {
    throw new Error('There is one.')
  }

  const setup = await readAppSetup(service, row, 'ada@test.example')
  if (!setup) {
    throw new Error('The secret can’t be read.')
  }

  return setup.key
}

it('after a rotation, apps go on without the former secret, also if several processes start', async () => {
  const uid = await createLearnerWithApp()
  const before = await keyBy(accounts.service, uid)
  const rotated = () => accounts.openService(publicUrl, { secret, previousSecrets: [testSecret] })
  await Promise.all([1, 2, 3].map(() => reencryptAppSecrets(rotated())))

  expect(await keyBy(accounts.openService(publicUrl, { secret }), uid)).toBe(before)
  await expect(keyBy(accounts.service, uid)).rejects.toThrow()
})

it('one that can’t be read stays, and stops none of the others', async () => {
  const [lost, uid] = [await createLearnerWithApp(), await createLearnerWithApp()]
  const foreign = await symmetricEncrypt({
    key: 'a secret that is gone, 0123456789abcdef',
    data: 'x',
  })
  await accounts.db.update(twoFactor).set({ secret: foreign }).where(eq(twoFactor.uid, lost))
  const service = accounts.openService(publicUrl, { secret, previousSecrets: [testSecret] })
  const before = await keyBy(service, uid)
  await reencryptAppSecrets(service)

  expect((await findTwoFactor(accounts.db, lost))?.secret).toBe(foreign)
  expect(await keyBy(accounts.openService(publicUrl, { secret }), uid)).toBe(before)
})
