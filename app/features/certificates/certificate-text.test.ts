import { expect, it } from 'vitest'
import type { PublicCertificate } from './certificate-queries.server'
import { certificateText } from './certificate-text'

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
const textOf = (more: Partial<PublicCertificate>) => certificateText({ ...certificate, ...more }, 'https://a.example')

it('says what was done, in whole minutes and percent', () => {
  expect(textOf({})).toEqual({
    address: 'https://a.example/Certificate/q0Qm5g',
    name: 'Ada Lovelace',
    held: true,
    course: 'Chess',
    issuedOn: 'November 20, 2026',
    sentence: 'completed 17 lessons and passed the final exam of',
    lessons: '17 lessons, 42 min',
    exam: '7 of 8 correct (87%)',
    number: 'q0Qm5g',
    state: 'valid',
  })
})

it('counts the shortest material as a minute', () => {
  expect(textOf({ work: { ...certificate.work, lessons: 1, materialSeconds: 28 } }).lessons).toBe('1 lesson, 1 min')
})

it('says nothing of lessons when only the exam was proven', () => {
  expect(textOf({ work: { ...certificate.work, lessons: 0, materialSeconds: 0 } })).toMatchObject({
    sentence: 'passed the final exam of',
    lessons: null,
  })
})

it('names nobody once it is replaced or withdrawn', () => {
  expect(textOf({ name: null, replacedBy: 'other' })).toMatchObject({ name: 'A learner', held: false })
  expect(textOf({ name: null })).toMatchObject({ name: 'A former learner', held: false })
})

it('has the date in the learner’s time zone, as the profile does', () => {
  const issuedAt = new Date('2026-11-25T23:30:00Z')
  expect(textOf({ issuedAt, timezone: 'Asia/Tokyo' }).issuedOn).toBe('November 26, 2026')
})
