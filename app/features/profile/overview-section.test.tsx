import { renderToStaticMarkup } from 'react-dom/server'
import { createRoutesStub } from 'react-router'
import { expect, test } from 'vitest'
import { hasPractice } from '~/features/learning/practice/practice-data'
import { getProfileStats, OverviewSection } from './overview-section'

function Unreadable() {
  return (
    <OverviewSection
      firstName="Ada"
      emailVerified
      wasNameShortened={false}
      record={null}
      now={new Date()}
    />
  )
}

function Unconfirmed() {
  return (
    <OverviewSection
      firstName="Ada"
      emailVerified={false}
      wasNameShortened={false}
      record={null}
      now={new Date()}
    />
  )
}

test('an address that is not confirmed leads to its confirmation', () => {
  const Stub = createRoutesStub([{ path: '/Profile', Component: Unconfirmed }])
  const html = renderToStaticMarkup(<Stub initialEntries={['/Profile']} />)

  expect(html).toContain('Certificates need a confirmed email address.')
  expect(html).toContain('href="/ConfirmEmail"')
})

test('a record that cannot be read shows the default figures, and says so without losing anything', () => {
  const Stub = createRoutesStub([{ path: '/Profile', Component: Unreadable }])
  const html = renderToStaticMarkup(<Stub initialEntries={['/Profile']} />)
  const figures = [...html.matchAll(/<dd[^>]*>([^<]+)<\/dd>/g)].map(([, figure]) => figure)

  expect(figures).toEqual(['5', '2', '2', '127'])
  expect(html).toContain('role="alert"')
  expect(html).toContain('Nothing is lost.')
  expect(html).not.toContain(' style=')
})

test('practice is offered only when there is something to practice', () => {
  const today = { remainingCount: 0, practicedCount: 0, correctCount: 0, nextDueDay: null }

  expect(hasPractice(today)).toBe(false)
  expect(
    [{ remainingCount: 1 }, { practicedCount: 1 }, { nextDueDay: '2026-11-21' }].map((more) =>
      hasPractice({ ...today, ...more }),
    ),
  ).toEqual([true, true, true])
})

test('shows 5 courses, 2 completed, 2 certificates and 127 study hours for missing fields', () => {
  const defaults = { totalCourses: 5, completedCourses: 2, certificatesEarned: 2, studyHours: 127 }

  expect(getProfileStats(null)).toEqual(defaults)
  expect(getProfileStats({ totalCourses: 0, studyHours: 3 })).toEqual({
    ...defaults,
    totalCourses: 0,
    studyHours: 3,
  })
})

test('shows a stored 0 as 0', () => {
  const zeros = { totalCourses: 0, completedCourses: 0, certificatesEarned: 0, studyHours: 0 }
  expect(getProfileStats(zeros)).toEqual(zeros)
})
