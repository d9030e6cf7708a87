import { renderToStaticMarkup } from 'react-dom/server'
import { MemoryRouter } from 'react-router'
import { expect, it } from 'vitest'
import type {
  CourseLesson,
  CourseSection,
} from '~/features/catalog/course-page/course-queries.server'
import { LearnerCurriculum } from './learner-course-progress'
import type { ProgressSummary } from './progress-summary'

const lesson = (
  id: string,
  durationSeconds: number,
  kind: CourseLesson['kind'] = 'article',
): CourseLesson => ({
  id,
  title: `Lesson ${id}`,
  kind,
  durationSeconds,
  preview: false,
  previewFiles: null,
  downloads: { count: 0, bytes: 0 },
})
const section = (id: string, lessons: CourseLesson[]): CourseSection => ({
  id,
  title: `Section ${id}`,
  lectures: lessons.length,
  durationMinutes: 10,
  lessons,
})
const sections = [
  section('a', [lesson('one', 60), lesson('two', 180)]),
  section('b', [lesson('three', 60)]),
  section('c', [lesson('four', 0, 'announced')]),
]
const progress: ProgressSummary = {
  courseId: 'knots',
  percent: 20,
  doneLessons: 2,
  totalLessons: 3,
  done: ['one', 'three'],
  next: { id: 'two', title: 'Lesson two', positionMs: 0 },
  completed: false,
  exam: 'open',
  certificateId: null,
  certificateWaits: false,
}

/** Its rows as text, each lesson and section with its state. */
function rows(change: Partial<ProgressSummary> = {}): string[] {
  const html = renderToStaticMarkup(
    <MemoryRouter>
      <LearnerCurriculum sections={sections} progress={{ ...progress, ...change }} />
    </MemoryRouter>,
  )

  return html
    .split(/<summary|<li|<a class="flex min-h-18|<div class="flex min-h-18/)
    .map(
      (row) =>
        `${/href="([^"]*)"/.exec(row)?.[1] ?? ''} ${row.replaceAll(/^[^>]*>|<[^>]+>/g, ' ')}`,
    )
    .map((row) => row.replaceAll(/\s+/g, ' ').trim())
}

it('a learner sees each section with its percent by length, each lesson with its state, and the next one', () => {
  const displayedRows = rows().join('\n')

  expect(displayedRows).toContain('Section a 1 of 2 lessons done 25%')
  expect(displayedRows).toContain('Section b 1 of 1 lesson done 100%')
  expect(displayedRows).toContain('Section c Coming soon')
  expect(displayedRows).toContain('/Learn/knots/one Article: Lesson one (done) 1:00')
  expect(displayedRows).toContain('/Learn/knots/two Article: Lesson two Next 3:00')
  expect(displayedRows).toContain('Lesson: Lesson four Coming soon')
})

it('the section of the next lesson is open', () => {
  const html = renderToStaticMarkup(
    <MemoryRouter>
      <LearnerCurriculum sections={sections} progress={progress} />
    </MemoryRouter>,
  )

  expect(html.match(/<details[^>]*>/g)?.map((details) => details.includes('open'))).toEqual([
    true,
    false,
    false,
  ])
})

it.each<[string, Partial<ProgressSummary>, string[]]>([
  [
    'are to come',
    {},
    [
      '/Exam/knots Final exam Pass it to earn your certificate.',
      'Certificate of completion Finish every lesson',
    ],
  ],
  [
    'are there',
    { exam: 'passed', certificateId: 'x' },
    ['Final exam Passed', '/Certificate/x Certificate of completion'],
  ],
  [
    'wait for an address',
    { exam: 'passed', certificateWaits: true },
    ['Final exam', '/ConfirmEmail Certificate'],
  ],
  [
    'miss an exam',
    { exam: 'none' },
    ['Section c', 'Certificate of completion This course has no final exam yet'],
  ],
])('exam and certificate, the last rows, %s', (_, change, last) => {
  const displayedRows = rows(change).filter((row) => !row.includes('Lesson'))
  const ends = displayedRows.slice(-2)
  for (const [index, text] of last.entries()) {
    expect(ends[index]).toContain(text)
  }
})
