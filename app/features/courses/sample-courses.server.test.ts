import { readdir } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { sampleCourseIds } from './sample-courses.server'

it('the sample courses are in the content folder of Learnify, perhaps with courses of a school', async () => {
  expect(await readdir('content/courses')).toEqual(expect.arrayContaining([...sampleCourseIds]))
})
