import { expect, it } from 'vitest'
import { revokedReason } from './certificate-messages'

it.each(['Issued by mistake', 'Issued by mistake.'])(
  'the reason of a revocation ends with one period: %s',
  (reason) => {
    expect(revokedReason(reason)).toBe('Reason: Issued by mistake.')
  },
)

it('a reason that ends with another mark keeps it alone', () => {
  expect(revokedReason('Was it your own work?')).toBe('Reason: Was it your own work?')
})
