import { expect, it } from 'vitest'
import { busy } from '../../app/server/http/server-messages.server'
import { busySentence } from '../../app/ui/connection'

it('browsers know the sentence by which the server refuses for a few seconds', () => {
  expect(busySentence).toBe(busy)
})
