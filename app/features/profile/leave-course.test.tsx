import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import type { BrowserEnrollments } from '~/features/enrollment/browser-enrollments'
import { LeaveCourseNotice } from './leave-course'

function renderUndoneNotice(enrollments: Partial<BrowserEnrollments>): string {
  return renderToStaticMarkup(
    <LeaveCourseNotice
      course={{ id: 'sql', name: 'SQL', isUndone: true }}
      enrollments={{ uid: 'ada', accountCourseIds: [], waitingCourseIds: [], ...enrollments }}
      onUndo={() => {}}
    />,
  )
}

it('a course that was left is said to be back only once the account has it', () => {
  expect(renderUndoneNotice({ waitingCourseIds: ['sql'] })).toContain(
    'Adding SQL back to your courses...',
  )
  expect(renderUndoneNotice({ accountCourseIds: ['sql'] })).toContain(
    'You’re enrolled in SQL again.',
  )
})

it('a refusal to take a course up again is shown', () => {
  const message = 'You’re enrolled in 60 courses, which is the limit.'
  const html = renderUndoneNotice({ refusal: { courseId: 'sql', message } })

  expect(html).toContain('which is the limit.')
  expect(html).not.toContain('again')
  expect(renderUndoneNotice({})).toContain('We couldn’t add SQL back to your courses.')
})
