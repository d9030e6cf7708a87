import { describe, expect, it } from 'vitest'
import { formatRevocationReason, getCertificateText, linkedInUrl } from './certificate-messages'
import { getInitials, type PublicCertificate, toCertificateName } from './certificate-rules'

const certificate: PublicCertificate = {
  id: 'q0Qm5g',
  status: 'valid',
  name: 'Ada Lovelace',
  showsName: true,
  course: { id: 'chess', title: 'Chess', published: true },
  progress: { lessons: 17, materialSeconds: 2579, examScore: 7, examMaxScore: 8 },
  issuedAt: new Date('2026-11-20T12:00:00Z'),
  timezone: 'UTC',
  revokedAt: null,
  revokedReason: null,
  replacedBy: null,
}
const getText = (changes: Partial<PublicCertificate> = {}) =>
  getCertificateText({ ...certificate, ...changes }, 'https://a.example')

it('the text describes the completed work in whole minutes and percent', () => {
  expect(getText()).toEqual({
    url: 'https://a.example/Certificate/q0Qm5g',
    name: 'Ada Lovelace',
    hasHolder: true,
    course: 'Chess',
    issuedOn: 'November 20, 2026',
    issuedDay: '2026-11-20',
    issuedAt: '2026-11-20T12:00:00.000Z',
    sentence: 'completed 17 lessons and passed the final exam of',
    lessons: '17 lessons, 42 min',
    exam: '7 of 8 correct (87%)',
    number: 'q0Qm5g',
    status: 'valid',
  })
})

it('the LinkedIn form gets the month and year that the certificate shows', () => {
  const newYear = { issuedAt: new Date('2027-01-01T00:30:00Z'), timezone: 'America/New_York' }
  const { searchParams } = new URL(linkedInUrl(getText(newYear)))

  expect(getText(newYear).issuedOn).toBe('December 31, 2026')
  expect(Object.fromEntries(searchParams)).toMatchObject({
    name: 'Chess',
    issueYear: '2026',
    issueMonth: '12',
  })
})

it('less than a minute of material counts as one minute', () => {
  expect(
    getText({ progress: { ...certificate.progress, lessons: 1, materialSeconds: 28 } }).lessons,
  ).toBe('1 lesson, 1 min')
})

it('the text does not mention lessons if only the exam counts', () => {
  expect(
    getText({ progress: { ...certificate.progress, lessons: 0, materialSeconds: 0 } }),
  ).toMatchObject({
    sentence: 'passed the final exam of',
    lessons: null,
  })
})

it('a replaced or withdrawn certificate names nobody', () => {
  expect(getText({ name: null, replacedBy: 'other' })).toMatchObject({
    name: 'A learner',
    hasHolder: false,
  })
  expect(getText({ name: null })).toMatchObject({ name: 'A former learner', hasHolder: false })
})

it('the date is in the learner’s time zone', () => {
  const issuedAt = new Date('2026-11-25T23:30:00Z')
  expect(getText({ issuedAt, timezone: 'Asia/Tokyo' }).issuedOn).toBe('November 26, 2026')
})

describe('the name on a certificate', () => {
  it.each([
    ['cannot reverse the direction of the text', 'Ada \u202eecalevoL', 'Ada ecalevoL'],
    ['contains no directional isolates', '\u2066Ada\u2069 Lovelace', 'Ada Lovelace'],
    ['is on one line', 'Ada\n\tLovelace\u2028Dr', 'Ada Lovelace Dr'],
    ['contains no invisible characters', 'A\u200bd\u00ada\u0007\ufeff Lovelace', 'Ada Lovelace'],
    ['keeps the joiners that some scripts need', 'علی\u200cرضا', 'علی\u200cرضا'],
    ['is replaced if all of it is invisible', '\u202e\u200b', 'A learner'],
    ['has a maximum length', 'x'.repeat(5000), 'x'.repeat(201)],
  ])('%s', (_behavior, name, printedName) => expect(toCertificateName(name)).toBe(printedName))
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
  ])('of %j are %j', (name, initials) => expect(getInitials(name)).toBe(initials))
})

it.each(['Issued by mistake', 'Issued by mistake.'])(
  'the reason for a revocation ends with exactly one period: %s',
  (reason) => {
    expect(formatRevocationReason(reason)).toBe('Reason: Issued by mistake.')
  },
)

it('a reason that ends with a question mark gets no period', () => {
  expect(formatRevocationReason('Was it your own work?')).toBe('Reason: Was it your own work?')
})
