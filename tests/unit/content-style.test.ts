import { afterAll, expect, it } from 'vitest'
import { readContent } from '../../app/features/courses/content/content-files.server'
import type { CourseContent } from '../../app/features/courses/content/course-folder.server'
import { listStyleProblems } from '../../tools/content-style/style-warnings'
import { copyShippedContent } from '../support/shipped-content'

/** The style sheet is only for the courses that Learnify comes with. */
const shippedContent = await copyShippedContent()
afterAll(() => shippedContent.remove())

const { content } = await readContent(shippedContent.folder)
const courses = content?.courses ?? []
const python = courses.find(({ id }) => id === 'python-from-zero') as CourseContent
const article = 'functions-that-return'
const withArticle = (text: string) => ({
  ...python,
  lessonTexts: { ...python.lessonTexts, [article]: text },
})

it('every course that comes with Learnify follows the style sheet', () => {
  expect(courses.length).toBeGreaterThan(10)
  for (const course of courses) {
    expect([course.id, ...listStyleProblems(course)]).toEqual([course.id])
  }
})

it.each<[string, CourseContent, RegExp]>([
  [
    'a title in sentence case',
    { ...python, title: 'Python from nothing' },
    /, title: .*Write ‘Python from Nothing’/,
  ],
  [
    'a subtitle with a period',
    { ...python, subtitle: 'Learn to program.' },
    /, subtitle: `subtitle` has no period/,
  ],
  [
    'British words',
    { ...python, skills: ['Modelling colours'] },
    /, skills\.0: ‘Modelling’ is British/,
  ],
  [
    'words of an article',
    withArticle('One\nIts behaviour'),
    /functions-that-return\.md:2: ‘behaviour’ is British/,
  ],
  [
    'an untrue reading time',
    withArticle('One word'),
    /functions-that-return\.md: The article has 2 words/,
  ],
])('%s is named with its place', (_what, course, problem) => {
  expect(listStyleProblems(course).join('\n')).toMatch(problem)
})

it('code, paths and formulas of an article are no words', () => {
  const code =
    '\n`colour` /catalogue/grey $colour$ [a link](/behaviour)\n\n```css\ncolour: grey; width: 90 %\n```\n'
  expect(listStyleProblems(withArticle(python.lessonTexts[article] + code))).toEqual([])
})
