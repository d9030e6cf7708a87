import { afterAll, expect, it } from 'vitest'
import { readContent } from '../../app/features/courses/content/content-files.server'
import type { CourseContent } from '../../app/features/courses/content/course-folder.server'
import { listStyleProblems } from '../../tools/content-style/style-warnings'
import { copyShippedContent } from '../support/shipped-content'

/** The style guide applies only to the courses that Learnify comes with. */
const shippedContent = await copyShippedContent()
afterAll(() => shippedContent.remove())

const { content } = await readContent(shippedContent.folder)
const courses = content?.courses ?? []
const pythonCourse = courses.find(({ id }) => id === 'python-from-zero') as CourseContent
const articleId = 'functions-that-return'
const pythonWithArticle = (text: string) => ({
  ...pythonCourse,
  lessonTexts: new Map([...pythonCourse.lessonTexts, [articleId, text]]),
})

it('every course that comes with Learnify follows the style guide', () => {
  expect(courses.length).toBeGreaterThan(10)
  for (const course of courses) {
    expect([course.id, ...listStyleProblems(course)]).toEqual([course.id])
  }
})

it.each<[string, CourseContent, RegExp]>([
  [
    'a title that is in sentence case',
    { ...pythonCourse, title: 'Python from nothing' },
    /, title: .*Write ‘Python from Nothing’/,
  ],
  [
    'a subtitle with a period',
    { ...pythonCourse, subtitle: 'Learn to program.' },
    /, subtitle: `subtitle` has no period/,
  ],
  [
    'British words',
    { ...pythonCourse, skills: ['Modelling colours'] },
    /, skills\.0: ‘Modelling’ is British/,
  ],
  [
    'British words in an article',
    pythonWithArticle('One\nIts behaviour'),
    /functions-that-return\.md:2: ‘behaviour’ is British/,
  ],
  [
    'a wrong reading time',
    pythonWithArticle('One word'),
    /functions-that-return\.md: The article has 2 words/,
  ],
])('a problem with %s is reported with its file', (_description, course, problem) => {
  expect(listStyleProblems(course).join('\n')).toMatch(problem)
})

it('code, paths and formulas of an article are not checked', () => {
  const code =
    '\n`colour` /catalogue/grey $colour$ [a link](/behaviour)\n\n```css\ncolour: grey; width: 90 %\n```\n'
  expect(
    listStyleProblems(pythonWithArticle(pythonCourse.lessonTexts.get(articleId) + code)),
  ).toEqual([])
})
