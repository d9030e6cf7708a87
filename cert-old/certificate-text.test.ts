import { describe, expect, it } from 'vitest'
import { revokedReason } from './certificate-messages'
import type { PublicCertificate } from './certificate-queries.server'
import { certificateName, certificateText, initialsOf, linkedInAddress } from './certificate-text'

const certificate: PublicCertificate = {
  id: 'q0Qm5g',
  state: 'valid',
  name: 'Ada Lovelace',
  showsName: true,
  course: { id: 'chess', title: 'Chess', published: true },
  work: { lessons: 17, materialSeconds: 2579, examScore: 7, examMaxScore: 8 },
  issuedAt: new Date('2026-11-20T12:00:00Z'),
  timezone: 'UTC',
  revokedAt: null,
  revokedReason: null,
  replacedBy: null,
}
const textOf = (more: Partial<PublicCertificate>) =>
  certificateText({ ...certificate, ...more }, 'https://a.example')

it('says what was done, in whole minutes and percent', () => {
  expect(textOf({})).toEqual({
    address: 'https://a.example/Certificate/q0Qm5g',
    name: 'Ada Lovelace',
    held: true,
    course: 'Chess',
    issuedOn: 'November 20, 2026',
    issuedDay: '2026-11-20',
    issuedAt: '2026-11-20T12:00:00.000Z',
    sentence: 'completed 17 lessons and passed the final exam of',
    lessons: '17 lessons, 42 min',
    exam: '7 of 8 correct (87%)',
    number: 'q0Qm5g',
    state: 'valid',
  })
})

it('is added to LinkedIn with the month and year that it shows', () => {
  const newYear = { issuedAt: new Date('2027-01-01T00:30:00Z'), timezone: 'America/New_York' }
  const { searchParams } = new URL(linkedInAddress(textOf(newYear)))
  expect(textOf(newYear).issuedOn).toBe('December 31, 2026')
  expect(Object.fromEntries(searchParams)).toMatchObject({
    name: 'Chess',
    issueYear: '2026',
    issueMonth: '12',
  })
})

it('counts the shortest material as a minute', () => {
  expect(textOf({ work: { ...certificate.work, lessons: 1, materialSeconds: 28 } }).lessons).toBe(
    '1 lesson, 1 min',
  )
})

it('says nothing of lessons when only the exam was proven', () => {
  expect(textOf({ work: { ...certificate.work, lessons: 0, materialSeconds: 0 } })).toMatchObject({
    sentence: 'passed the final exam of',
    lessons: null,
  })
})

it('names nobody once it is replaced or withdrawn', () => {
  expect(textOf({ name: null, replacedBy: 'other' })).toMatchObject({
    name: 'A learner',
    held: false,
  })
  expect(textOf({ name: null })).toMatchObject({ name: 'A former learner', held: false })
})

it('has the date in the learner’s time zone, as the profile does', () => {
  const issuedAt = new Date('2026-11-25T23:30:00Z')
  expect(textOf({ issuedAt, timezone: 'Asia/Tokyo' }).issuedOn).toBe('November 26, 2026')
})

describe('the name on a certificate', () => {
  it.each([
    ['turns no text around', 'Ada \u202eecalevoL', 'Ada ecalevoL'],
    ['has no isolates', '\u2066Ada\u2069 Lovelace', 'Ada Lovelace'],
    ['stands on one line', 'Ada\n\tLovelace\u2028Dr', 'Ada Lovelace Dr'],
    ['has nothing that nobody sees', 'A\u200bd\u00ada\u0007\ufeff Lovelace', 'Ada Lovelace'],
    ['keeps the joiners that scripts need', 'علی\u200cرضا', 'علی\u200cرضا'],
    ['is there, also when nothing of it can be seen', '\u202e\u200b', 'A learner'],
    ['ends somewhere', 'x'.repeat(5000), 'x'.repeat(201)],
  ])('%s', (_what, name, written) => expect(certificateName(name)).toBe(written))
})

describe('initials', () => {
  it.each([
    ['Ada Lovelace', 'A. L.'],
    ['  ada   lovelace ', 'A. L.'],
    ['Élodie', 'É.'],
    ['👩‍🚀 Star', 'S.'],
    ['Ada ❤️ (Countess) 3', 'A. C.'],
    ['J̌ana', 'J̌.'],
    ['ʻOkina ‘abd', 'O. A.'],
    ['1️⃣ ☆', 'A learner'],
    [' ', 'A learner'],
  ])('of %j are %j', (name, initials) => expect(initialsOf(name)).toBe(initials))
})

it.each(['Issued by mistake', 'Issued by mistake.'])(
  'the reason of a revocation ends with one period: %s',
  (reason) => {
    expect(revokedReason(reason)).toBe('Reason: Issued by mistake.')
  },
)

it('a reason that ends with another mark keeps it alone', () => {
  expect(revokedReason('Was it your own work?')).toBe('Reason: Was it your own work?')
})
