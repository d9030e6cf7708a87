import { expect, it } from 'vitest'
import { copyText } from './share-button'

it('says so where there is no clipboard, as over plain http', async () => {
  expect(globalThis.navigator?.clipboard).toBeUndefined()
  expect(await copyText('https://learnify.example/Certificate/1')).toBe(false)
})
